"""What the readers of dependency declarations share: requirements and their places in a text."""

from __future__ import annotations

import re
from collections.abc import Collection
from typing import TYPE_CHECKING, NamedTuple, Protocol

from msgspec import Struct, field

from chatport.port.source.edits import Edit

if TYPE_CHECKING:
    from packaging.specifiers import SpecifierSet


class New(NamedTuple):
    """The requirement that is written: a distribution and a version specifier (PEP 440)."""

    name: str
    specifier: str

    @classmethod
    def parse(cls, text: str) -> New:
        match = re.match(r"[\w.-]+", text)
        assert match is not None
        return cls(match.group(), text[match.end() :])

    @property
    def text(self) -> str:
        return self.name + self.specifier


class Declaration(Protocol):
    """One requirement of a manifest, and the ways to change it in place.

    Each way gives the edits, or None where this form of declaration does not allow it.
    """

    @property
    def name(self) -> str:
        """The distribution, normalised."""

    @property
    def specifier(self) -> str:
        """The author's version specifier; empty when there is none."""

    @property
    def span(self) -> tuple[int, int]:
        """Where the requirement stands."""

    @property
    def group(self) -> str:
        """The list it belongs to; two declarations in one list are installed together."""

    @property
    def trouble(self) -> str | None:
        """Why it cannot be changed."""

    def replaced(self, new: New) -> list[Edit] | None: ...

    def beside(self, new: New) -> list[Edit] | None: ...

    def removed(self) -> list[Edit] | None: ...


class Manifest(Struct, frozen=True):
    """The declarations of interest of one file, and the interpreters it asks for."""

    declarations: tuple[Declaration, ...] = ()
    python: SpecifierSet | None = None


class UnreadableManifestError(Exception):
    """A text that is not of the kind its name says; the message says what is wrong."""


class Reader(Protocol):
    """Reads one kind of file; raises `UnreadableManifestError`."""

    def __call__(self, text: str, names: Collection[str]) -> Manifest: ...


class Parsed(Struct, frozen=True):
    """A requirement as written: `end` is where its specifier ends, before any marker."""

    name: str
    specifier: str
    end: int
    trouble: str | None = None


_REQUIREMENT = re.compile(
    r"(?P<name>[A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?)"
    r"(?P<extras>\s*\[[^\]]*\])?"
    r"(?P<rest>[^;]*?)(?P<marker>\s*;.*|\s*)",
)


def parse(text: str, *, conda: bool = False) -> Parsed | None:
    """The requirement `text` is; None when it is none. In conda's grammar ``=`` pins too."""
    match = _REQUIREMENT.fullmatch(text)
    if match is None:
        return None
    rest = match["rest"].strip()
    if rest and rest[0] not in "<>=!~(@":
        return None
    trouble = None
    if match["extras"]:
        trouble = f"`{text.strip()}` asks for extras of the old distribution"
    elif rest.startswith("@"):
        trouble = f"`{text.strip()}` names an address of the old distribution"
    elif not conda and not _is_valid(text):
        trouble = f"`{text.strip()}` is not a requirement as PEP 508 writes it"
    return Parsed(normalise(match["name"]), rest, match.end("rest"), trouble)


def _is_valid(text: str) -> bool:
    from packaging.requirements import InvalidRequirement, Requirement

    try:
        Requirement(text)
    except InvalidRequirement:
        return False
    return True


def normalise(name: str) -> str:
    """A distribution's one name (PEP 503)."""
    return re.sub(r"[-_.]+", "-", name).lower()


def spelling_of(names: Collection[str]) -> str:
    """A regular expression of any spelling of any of the distributions."""
    spellings = (re.escape(name).replace(r"\-", "[-_.]+") for name in sorted(names))
    return rf"(?i:{'|'.join(spellings)})"


def pattern_of(names: Collection[str]) -> str:
    """The same where the name ends there and is no part of a longer one."""
    return rf"{spelling_of(names)}(?![\w-]|\.\w)"


class Lines(Struct, frozen=True):
    """A text by its lines."""

    text: str
    newline: str = field(default="\n")

    @classmethod
    def of(cls, text: str) -> Lines:
        return cls(text, "\r\n" if "\r\n" in text else "\n")

    def start(self, offset: int) -> int:
        """Where the line of `offset` starts."""
        return self.text.rfind("\n", 0, offset) + 1

    def end(self, offset: int) -> int:
        """Where the line of `offset` ends, before its line end."""
        found = self.text.find("\n", offset)
        end = len(self.text) if found < 0 else found
        return end - 1 if end > offset and self.text[end - 1] == "\r" else end

    def below(self, offset: int, line: str) -> Edit:
        """A new line below the line of `offset`."""
        end = self.end(offset)
        return Edit(end, end, self.newline + line)

    def without(self, offset: int, comment: str = "") -> Edit:
        """The line of `offset` taken out; a comment that stood on it stays."""
        start, end = self.start(offset), self.end(offset)
        if comment:
            line = self.text[start:end]
            indent = line[: len(line) - len(line.lstrip())]
            return Edit(start, end, indent + comment)
        if self.text.startswith("\r\n", end):
            end += 2
        elif self.text.startswith("\n", end):
            end += 1
        return Edit(start, end, "")
