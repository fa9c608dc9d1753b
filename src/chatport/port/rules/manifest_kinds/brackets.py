"""Requirements as quoted strings in brackets, which TOML and Python write alike."""

from __future__ import annotations

import re

from msgspec import Struct

from chatport.port.rules.manifest_kinds.base import Lines, New, Parsed
from chatport.port.source.edits import Edit


class Item(Struct, frozen=True):
    """A string among the items of a list; `start` and `stop` are those of the text in quotes."""

    lines: Lines
    parsed: Parsed
    start: int
    stop: int
    group: str
    note: str | None = None
    bare: bool = False
    """The list holds names without versions."""

    @property
    def name(self) -> str:
        return self.parsed.name

    @property
    def specifier(self) -> str:
        return self.parsed.specifier

    @property
    def span(self) -> tuple[int, int]:
        return self.start, self.start + self.parsed.end

    @property
    def trouble(self) -> str | None:
        return self.note or self.parsed.trouble

    def _text(self, new: New) -> str:
        return new.name if self.bare else new.text

    def replaced(self, new: New) -> list[Edit]:
        return [Edit(*self.span, self._text(new))]

    def beside(self, new: New) -> list[Edit]:
        text = self.lines.text
        quote = text[self.stop]
        marker = text[self.start + self.parsed.end : self.stop]
        item = f"{quote}{self._text(new)}{marker}{quote}"
        end = self.stop + 1
        rest = self._rest()
        if not self._is_alone(rest):
            return [Edit(end, end, f", {item}")]
        below = self.lines.below(end, self._indent() + item + ("," if "," in rest["comma"] else ""))
        return [below] if "," in rest["comma"] else [Edit(end, end, ","), below]

    def removed(self) -> list[Edit]:
        rest = self._rest()
        if self._is_alone(rest):
            return [self.lines.without(self.start, rest["comment"])]
        text, start, end = self.lines.text, self.start - 1, self.stop + 1
        if "," in rest["comma"]:
            return [Edit(start, end + len(rest["comma"]) + len(rest["space"]), "")]
        before = re.search(r",\s*\Z", text[:start])
        return [Edit(before.start() if before else start, end, "")]

    def _rest(self) -> re.Match[str]:
        """What follows the closing quote on its line."""
        match = re.compile(
            r"(?P<comma>[ \t]*,?)(?P<space>[ \t]*)(?P<comment>#[^\n\r]*)?(?P<more>[^\n\r]*)"
        ).match(self.lines.text, self.stop + 1)
        assert match is not None
        return match

    def _indent(self) -> str:
        return self.lines.text[self.lines.start(self.start) : self.start - 1]

    def _is_alone(self, rest: re.Match[str]) -> bool:
        return not self._indent().strip() and not rest["more"]
