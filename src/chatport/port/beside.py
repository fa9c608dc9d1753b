"""Files beside what was named that share objects or a client with it.

A part of a program is planned with the rest in view: what is left as it is over there may need
what would go here. Tests are no part of the program; they are planned where they are named.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from pathlib import Path, PurePosixPath

from msgspec import Struct

from chatport.port.found import Found
from chatport.port.packs.schema import Pack


class Beside(Struct, frozen=True):
    """What was not named of a program."""

    paths: Sequence[str] = ()
    """All Python files of the root, where some beside matter."""
    candidates: Sequence[tuple[str, bytes]] = ()

    @property
    def names(self) -> frozenset[str]:
        """The paths of the candidates."""
        return frozenset(path for path, _ in self.candidates)


def beside(found: Found, known: Collection[tuple[str, bytes]], packs: Sequence[Pack]) -> Beside:
    """The files worth parsing that are under the root and were not named; none are looked for
    where nothing that was named is worth it, or all was named."""
    if not known or found.is_whole(Path.cwd()):
        return Beside()
    named = set(found.files.files)
    whole = Found([str(found.root)], found.root, found.unsaved)
    if named.issuperset(whole.files.files):
        return Beside()
    others = [
        (path, data)
        for path, data in whole.candidates(packs)
        if path not in named and not _is_of_tests(path)
    ]
    return Beside(sorted({*whole.files.files, *named}), others) if others else Beside()


def _is_of_tests(path: str) -> bool:
    name, folders = PurePosixPath(path).name, PurePosixPath(path).parts[:-1]
    return (
        name.startswith("test_")
        or name.endswith("_test.py")
        or name == "conftest.py"
        or not {"test", "tests"}.isdisjoint(folders)
    )
