"""Which files are planned together, and which apart.

A legacy object gets from one file to another where one imports the other, where both import a
third, where a test replaces a part of a module that it names, and where one puts into an object of
another library what the other one takes out of there. Files that have none of these in common are
planned apart: that takes memory for one program at a time, and nothing in it grows with the square
of their number.
"""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TypeAlias

from chatport.port.program.flow import Engine, Key
from chatport.port.program.modules import Layout
from chatport.port.source.errors import SourceError
from chatport.port.source.text import SourceFile

FEW = 200
"""Up to so many files are kept parsed from here to their plan; of more, each is parsed again."""

Candidate: TypeAlias = tuple[str, bytes]
_DOTTED = re.compile(r"\w+(?:\.\w+)+")


class Programs:
    """Groups of files; `join` makes one of several."""

    def __init__(
        self, layout: Layout, read: Callable[[str], bytes | None], anchors: Sequence[bytes]
    ) -> None:
        """`anchors` are words that stand in the files which others rely on without naming them:
        a call that configures the SDK does so for whatever runs beside it."""
        self._layout = layout
        self._read = read
        self._anchors = anchors
        self._leader: dict[str, str] = {}
        self.kept: dict[str, SourceFile] = {}
        """Files that were parsed already."""

    def of(
        self, candidates: Sequence[Candidate], is_token_in: Callable[[bytes], bool]
    ) -> list[list[Candidate]]:
        """The candidates by programs, in the order of their first files."""
        known = {path for path, _ in candidates}
        named: set[str] = set()
        for path, data in candidates:
            found = set(self._named_in(path, data, keep=len(candidates) <= FEW))
            self.join([path, *found])
            named |= found - known if is_token_in(data) else set()
        for path in sorted(named):  # what stands between two candidates
            data_between = self._read(path)
            if data_between is not None:
                self.join([path, *self._named_in(path, data_between, keep=False)])
        self._join_fixtures(known)
        self._join_anchored(candidates)
        return self.groups(candidates)

    def groups(self, candidates: Iterable[Candidate]) -> list[list[Candidate]]:
        """As `of`, of what has been joined so far."""
        found: defaultdict[str, list[Candidate]] = defaultdict(list)
        for path, data in candidates:
            found[self._first(path)].append((path, data))
        return list(found.values())

    def join(self, paths: Iterable[str]) -> None:
        """Plan the files together."""
        first, *others = map(self._first, paths)
        for other in others:
            self._leader[other] = first

    def _first(self, path: str) -> str:
        leader = self._leader
        while (above := leader.setdefault(path, path)) != path:
            leader[path] = leader[above]
            path = above
        return path

    # -- what a file names

    def _named_in(self, path: str, data: bytes, *, keep: bool) -> Iterator[str]:
        try:
            source = SourceFile.read(path, data)
        except SourceError:
            return  # whoever plans it says so
        if keep:
            self.kept[path] = source
        layout = self._layout
        for statement in source.nodes.of(ast.Import):
            for alias in statement.names:
                yield from layout.find_all(alias.name, path)
                yield from layout.find_all(alias.name.partition(".")[0], path)
        for origin in source.nodes.of(ast.ImportFrom):
            names = [origin.module] if origin.module else []
            names += [
                f"{origin.module}.{a.name}" if origin.module else a.name for a in origin.names
            ]
            for name in names:
                if origin.level:
                    found = layout.find_relative(name, origin.level, path)
                    yield from [found] if found is not None else []
                else:
                    yield from layout.find_all(name, path)
            if origin.level and (package := layout.find_relative(None, origin.level, path)):
                yield package
        for constant in source.nodes.of(ast.Constant):
            if isinstance(constant.value, str) and _DOTTED.fullmatch(constant.value):
                yield from self._spelt(constant.value, path)

    def _spelt(self, dotted: str, importer: str) -> Iterator[str]:
        """The files that a string may mean, or that hold what it means."""
        while dotted:
            yield from self._layout.find_all(dotted, importer)
            dotted = dotted.rpartition(".")[0]

    # -- what files share without naming each other

    def _join_fixtures(self, known: Iterable[str]) -> None:
        """What a ``conftest.py`` gives to the tests beside and below it."""
        paths = sorted(known)
        for path in paths:
            folder, _, name = path.rpartition("/")
            if name == "conftest.py":
                below = f"{folder}/" if folder else ""
                self.join([path, *(other for other in paths if other.startswith(below))])

    def _join_anchored(self, candidates: Sequence[Candidate]) -> None:
        """A program without an anchor relies on whoever has one."""
        groups = self.groups(candidates)
        anchored = [any(self._is_anchor(data) for _, data in group) for group in groups]
        if not all(anchored) and any(anchored):
            self.join(group[0][0] for group in groups)

    def _is_anchor(self, data: bytes) -> bool:
        return any(anchor in data for anchor in self._anchors)


class Meetings:
    """Where programs that were planned apart turn out to have met: one puts something into an
    object of another library in which the other one looks, or reaches a file of the other one by a
    name that no import says."""

    def __init__(self, known: Iterable[str]) -> None:
        self._known = frozenset(known)
        self._putting: defaultdict[Key, set[str]] = defaultdict(set)
        self._looking: defaultdict[Key, set[str]] = defaultdict(set)
        self._reached: set[tuple[str, str]] = set()

    def note(self, program: str, engine: Engine) -> None:
        """What the flow of a program, named after a file of it, has met."""
        for key in engine.put_into_foreign():
            self._putting[key].add(program)
        for key in engine.sought_in_foreign():
            self._looking[key].add(program)
        self._reached |= {(program, path) for path in engine.missing & self._known}

    def found(self) -> Iterator[Iterable[str]]:
        """Files to plan together."""
        yield from self._reached
        for key, putting in self._putting.items():
            meeting = putting | self._looking.get(key, set())
            if len(meeting) > 1:
                yield meeting


def anchors_of(symbols: Iterable[str]) -> list[bytes]:
    """The last words of dotted names."""
    return [symbol.rpartition(".")[2].encode() for symbol in symbols]
