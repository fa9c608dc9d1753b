"""The files of a run: those worth parsing, those left out, those that an editor has changed."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path, PurePosixPath
from typing import TypeVar

from msgspec import Struct

from chatport.port.config import Config
from chatport.port.findings import FilePlan, Problem
from chatport.port.packs.schema import Pack
from chatport.port.source.discover import MAX_SEARCHED, Discovery, discover, read, search

T = TypeVar("T", FilePlan, Problem)


class Excluded(Struct, frozen=True):
    """The files that a configuration leaves out, by their path from the root."""

    config: Config
    root: Path
    folder: Path
    """Where the patterns start."""

    def __call__(self, path: str) -> bool:
        if not self.config.exclude:
            return False
        below = os.path.relpath(self.root / path, self.folder)
        return self.config.is_excluded(below.replace(os.sep, "/"))

    def leave(self, found: Iterable[T]) -> tuple[T, ...]:
        """What is not left out."""
        return tuple(one for one in found if not self(one.path))


class Found:
    """The files of a run, with those that are only in an editor in place of the disk's."""

    def __init__(
        self,
        paths: Sequence[str],
        root: Path | None,
        unsaved: Mapping[str, bytes],
        discovery: Discovery | None = None,
    ) -> None:
        found = discovery or discover(paths, root)
        self._named: frozenset[str] = frozenset(os.path.realpath(path) for path in paths)
        self.unsaved: Mapping[str, bytes] = unsaved
        self.files: Discovery = found
        if unsaved:
            self.files = Discovery(found.root, (*found.listed, *unsaved), found.files)
            self.files.problems = found.problems
        self.root: Path = Path(found.root)

    def is_whole(self, here: Path) -> bool:
        """Whether all of the root was named, and nothing of it lies beside, as seen from `here`."""
        top = str(self.root)
        return top in self._named and not top.startswith(f"{here}{os.sep}")

    def read(self, path: str) -> bytes | None:
        """The bytes of a file; None when it is not to be read."""
        return self.unsaved[path] if path in self.unsaved else read(self.files, path)

    def candidates(self, packs: Sequence[Pack]) -> list[tuple[str, bytes]]:
        """The Python files worth parsing: with a token of a pack, or importing one that has."""
        tokens = tuple(token.encode() for pack in packs for token in pack.match.tokens)
        found, others = self._divided(tokens)
        found += self._importers(found, others)
        return [*found, *self._fixture_users(found)]

    def _divided(
        self, tokens: tuple[bytes, ...]
    ) -> tuple[list[tuple[str, bytes]], list[tuple[str, bytes | None]]]:
        """The files that hold a token, sorted, and those that hold none but import or replace
        something: these with their bytes too, as long as those are not too many to be kept."""
        found: list[tuple[str, bytes]] = []
        others: list[tuple[str, bytes | None]] = []
        left = _KEPT
        for path, data in self._search(self.files.files, (*tokens, _IMPORT, *_REPLACES)):
            whole = data
            if len(data) > MAX_SEARCHED:  # the rest of it was not looked at
                whole = next((again for _, again in self._search([path], tokens)), data)
            if any(token in whole for token in tokens):
                found.append((path, whole))
            else:
                left -= len(data)
                others.append((path, data if left >= 0 else None))
        return sorted(found), others

    def _search(
        self, names: Iterable[str], tokens: tuple[bytes, ...]
    ) -> Iterator[tuple[str, bytes]]:
        """The files that hold one of the tokens, with their bytes."""
        names = list(names)
        yield from search(self.files, (n for n in names if n not in self.unsaved), tokens)
        for name in names:
            data = self.unsaved.get(name, b"")
            if any(token in data for token in tokens):
                yield name, data

    def _importers(
        self,
        candidates: Sequence[tuple[str, bytes]],
        others: Iterable[tuple[str, bytes | None]],
    ) -> Iterator[tuple[str, bytes]]:
        """Files without a token that import a module which has one, or replace something in it as
        tests do: legacy objects may reach them."""
        known = {path for path, _ in candidates}
        stems = {PurePosixPath(path).with_suffix("").parts[-1] for path in known}
        stems |= {
            PurePosixPath(path).parent.name for path in known if path.endswith("/__init__.py")
        }
        words = frozenset(os.fsencode(stem) for stem in stems - {"__init__", ""})
        if not words:
            return
        for path, kept in others:
            tokens = (_IMPORT, *_REPLACES)
            texts = [(path, kept)] if kept is not None else self._search([path], tokens)
            yield from (one for one in texts if not words.isdisjoint(_named(one[1])))

    def _fixture_users(
        self, candidates: Sequence[tuple[str, bytes]]
    ) -> Iterator[tuple[str, bytes]]:
        """Files that name a fixture of a ``conftest.py`` above them: what it gives reaches them."""
        known = {path for path, _ in candidates}
        for path, data in candidates:
            if PurePosixPath(path).name != "conftest.py":
                continue
            folder = path.removesuffix("conftest.py")
            below = [n for n in self.files.files if n.startswith(folder) and n not in known]
            names = tuple(dict.fromkeys(_FIXTURE.findall(data)))
            pattern = re.compile(rb"\b(?:%b)\b" % b"|".join(names))
            for name, text in self._search(below, names) if names else ():
                if pattern.search(text) and name not in known:
                    known.add(name)
                    yield name, text


_KEPT = 16_000_000
"""Bytes of files without a token that are kept, so that they need not be read twice."""

_IMPORT = b"import"
_REPLACES = (b"patch(", b"setattr(")
_STATEMENT = re.compile(
    rb"[ \t]*(?:from[ \t]+[\w.]*?(\w+)[ \t]+import\b([^#]*)|import[ \t]([^#]*))"
)
_REPLACED = re.compile(rb"(?:patch|setattr)\(\s*[\"']([\w.]+)\.[\w.]+[\"']")
_WORD = re.compile(rb"\w+")


def _named(data: bytes) -> Iterator[bytes]:
    """The words by which a file may name a module that it imports, or replaces something in. The
    places are found by searching: to match a pattern at each line would take ten times as long."""
    at = data.find(_IMPORT)
    while at >= 0:
        start, end = data.rfind(b"\n", 0, at) + 1, data.find(b"\n", at)
        end = len(data) if end < 0 else end
        if statement := _STATEMENT.match(data, start, end):
            for part in statement.groups(b""):
                yield from _WORD.findall(part)
        at = data.find(_IMPORT, end)
    if any(word in data for word in _REPLACES):
        for name in _REPLACED.findall(data):
            yield from _WORD.findall(name)


_FIXTURE = re.compile(rb"\bfixture\b.*?\bdef[ \t]+(\w+)", re.DOTALL)
"""The names of the fixtures of a file."""
