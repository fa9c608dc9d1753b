"""Requirements among the words of installing commands: of a Dockerfile, of the steps of a
continuous integration, of a shell script."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator

from msgspec import Struct

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

_INSTALL = re.compile(
    r"\bpip[\d.]*[ \t]+install\b|\b(?:uv|poetry|pdm|pipenv)[ \t]+(?:add|install)\b"
)
_EXEC = re.compile(r"\"pip[\d.]*\"\s*,\s*\"install\"")
_ITEM = re.compile(r"\"(?P<word>[^\"\n]*)\"|(?P<end>\])|.", re.DOTALL)
_TOKEN = re.compile(
    r"\"(?P<double>[^\"\n]*)\"|'(?P<single>[^'\n]*)'"
    r"|(?P<goes_on>\\\r?\n(?:[ \t]*#[^\n]*\n)*)"
    r"|(?P<end>[;&|\r\n])"
    r"|(?P<plain>[^\s;&|\"'\\]+)"
    r"|[ \t]+|."
)
_FROM = re.compile(r"(?mi)^FROM\s+(?:\S*/)?python:(\d+\.\d+)")


class Word(Struct, frozen=True):
    """A word of a command, in quotes or not."""

    lines: Lines
    parsed: Parsed
    start: int
    stop: int
    group: str
    quoted: bool
    mark: str = '"'
    """The quotes that are free here."""

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
        return [Edit(*self.span, new.text if self.quoted else self._quoted(new))]

    def beside(self, new: New) -> list[Edit]:
        end = self.stop + self.quoted
        return [Edit(end, end, " " + self._quoted(new))]

    def removed(self) -> list[Edit]:
        start, end = self.start - self.quoted, self.stop + self.quoted
        text, first, last = self.lines.text, self.lines.start(start), self.lines.end(end)
        if not text[first:start].strip() and text[end:last].strip() == "\\":
            return [self.lines.without(start)]
        before = re.search(r"[ \t]+\Z", text[:start])
        return [Edit(before.start() if before else start, end, "")]

    def _quoted(self, new: New) -> str:
        """A word as the shell wants it: ``>`` and ``<`` would redirect."""
        return f"{self.mark}{new.text}{self.mark}" if re.search(r"[<>!*]", new.text) else new.text


class Item(Word, frozen=True):
    """A word of a command in its JSON form."""

    def beside(self, new: New) -> list[Edit]:
        return [Edit(self.stop + 1, self.stop + 1, f', "{new.text}"')]

    def removed(self) -> list[Edit]:
        text, start, end = self.lines.text, self.start - 1, self.stop + 1
        before = re.search(r",\s*\Z", text[:start])
        return [Edit(before.start() if before else start, end, "")]


def dockerfile(text: str, names: Collection[str]) -> Manifest:
    """A Dockerfile."""
    base = _FROM.search(text)
    return Manifest(tuple(_words(text, names)), python_of(f"=={base[1]}.*" if base else None))


def shell(text: str, names: Collection[str]) -> Manifest:
    """A file with shell commands in it."""
    return Manifest(tuple(_words(text, names)))


def _words(text: str, names: Collection[str]) -> Iterator[Declaration]:
    lines = Lines.of(text)
    for install in _INSTALL.finditer(text):
        if text[lines.start(install.start()) :].lstrip().startswith("#"):
            continue
        around = _quotes_around(text[lines.start(install.start()) : install.start()])
        for token in _TOKEN.finditer(text, install.end()):
            if token.lastgroup == "end":
                break
            if token.lastgroup not in {"double", "single", "plain"}:
                continue
            parsed = parse(token[token.lastgroup])
            if parsed is not None and parsed.name in names:
                span, quoted = token.span(token.lastgroup), token.lastgroup != "plain"
                mark = "'" if around == '"' else '"'
                yield Word(lines, parsed, *span, str(install.start()), quoted, mark)
    for install in _EXEC.finditer(text):
        for token in _ITEM.finditer(text, install.end()):
            if token.lastgroup == "end":
                break
            parsed = parse(token["word"]) if token.lastgroup == "word" else None
            if parsed is not None and parsed.name in names:
                yield Item(lines, parsed, *token.span("word"), str(install.start()), quoted=True)


def _quotes_around(before: str) -> str:
    """The quote that a line has opened and not closed."""
    opened = ""
    for character in re.sub(r"\\\\.", "", before):
        if character in "\"'" and opened in ("", character):
            opened = "" if opened else character
    return opened
