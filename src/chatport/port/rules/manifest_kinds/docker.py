"""Requirements among the words of the ``pip install`` commands of a Dockerfile."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass

from chatport.port.rules.manifest_kinds.base import (
    Declaration,
    Lines,
    Manifest,
    New,
    Parsed,
    parse,
)
from chatport.port.rules.manifest_kinds.versions import python_of
from chatport.port.source.edits import Edit

_INSTALL = re.compile(r"\bpip[\d.]*[ \t]+install\b")
_TOKEN = re.compile(
    r"\"(?P<double>[^\"\n]*)\"|'(?P<single>[^'\n]*)'"
    r"|(?P<goes_on>\\\r?\n(?:[ \t]*#[^\n]*\n)*)"
    r"|(?P<end>[;&|\r\n])"
    r"|(?P<plain>[^\s;&|\"'\\]+)"
    r"|[ \t]+|."
)
_FROM = re.compile(r"(?mi)^FROM\s+(?:\S*/)?python:(\d+\.\d+)")


@dataclass(frozen=True, slots=True)
class Word:
    """A word of a command, in quotes or not."""

    lines: Lines
    parsed: Parsed
    start: int
    stop: int
    group: str
    quoted: bool

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
        return self.parsed.trouble

    def replaced(self, new: New) -> list[Edit]:
        return [Edit(*self.span, new.text if self.quoted else _quoted(new.text))]

    def beside(self, new: New) -> list[Edit]:
        end = self.stop + self.quoted
        return [Edit(end, end, " " + _quoted(new.text))]

    def removed(self) -> list[Edit]:
        start, end = self.start - self.quoted, self.stop + self.quoted
        text, first, last = self.lines.text, self.lines.start(start), self.lines.end(end)
        if not text[first:start].strip() and text[end:last].strip() == "\\":
            return [self.lines.without(start)]
        before = re.search(r"[ \t]+\Z", text[:start])
        return [Edit(before.start() if before else start, end, "")]


def _quoted(text: str) -> str:
    """A word as the shell wants it: ``>`` and ``<`` would redirect."""
    return f'"{text}"' if re.search(r"[<>!*]", text) else text


def dockerfile(text: str, names: Collection[str]) -> Manifest:
    """A Dockerfile."""
    base = _FROM.search(text)
    return Manifest(tuple(_words(text, names)), python_of(f"=={base[1]}.*" if base else None))


def _words(text: str, names: Collection[str]) -> Iterator[Declaration]:
    lines = Lines.of(text)
    for install in _INSTALL.finditer(text):
        if text[lines.start(install.start()) :].lstrip().startswith("#"):
            continue
        for token in _TOKEN.finditer(text, install.end()):
            if token.lastgroup == "end":
                break
            if token.lastgroup not in {"double", "single", "plain"}:
                continue
            parsed = parse(token[token.lastgroup])
            if parsed is not None and parsed.name in names:
                span, quoted = token.span(token.lastgroup), token.lastgroup != "plain"
                yield Word(lines, parsed, *span, str(install.start()), quoted)
