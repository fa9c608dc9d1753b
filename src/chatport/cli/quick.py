"""The most frequent answer, given before anything costly is imported: there is nothing to port.

A hook or a CI job runs `chatport check` on a tree without legacy code almost every time. Telling
that takes hardly more than reading the files; a parser of command lines alone would add a quarter.
"""

from __future__ import annotations

import sys

from chatport.cli.exits import CLEAN

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from chatport.port.source.discover import Discovery


class Plain:
    """A command line of paths alone, in the form of parsed arguments: no option of the two commands
    has a default of its own, so each that was not said is None."""

    def __init__(self, command: str, paths: list[str]) -> None:
        self.command = command
        self.paths = paths
        self.discovery: Discovery | None = None
        """The files under the paths, where somebody has listed them already."""

    def __getattr__(self, option: str) -> None:
        return None


def plain(argv: Sequence[str]) -> Plain | None:
    """A `check` or `fix` of paths without options; None for every other command line."""
    command, *paths = argv or ("",)
    if command not in ("check", "fix") or any(word.startswith("-") for word in paths):
        return None
    return Plain(command, paths)


def answer(asked: Plain) -> int | None:
    """The exit code when there is nothing to port, having said so; None when there may be."""
    files = _nothing_of_interest(asked)
    if files is None:
        return None
    from chatport.port.report.words import nothing_found

    print(nothing_found(files), file=sys.stdout if asked.command == "check" else sys.stderr)
    return CLEAN


def _nothing_of_interest(asked: Plain) -> int | None:
    """The number of Python files under the paths when none of them can hold anything to port."""
    from chatport.port.packs.tokens import tokens
    from chatport.port.source.configured import find
    from chatport.port.source.discover import discover, search

    paths = asked.paths or ["."]
    if find(paths[0]) is not None:
        return None  # what is configured has to be read, and may be wrong
    discovery = discover(paths)
    candidates = search(discovery, (*discovery.files, *discovery.manifests), tokens())
    listed = len(discovery.problems)
    found = next(candidates, None)
    if not found and not discovery.problems:
        return len(discovery.files)
    del discovery.problems[listed:]  # whoever searches all of them meets these again
    asked.discovery = discovery
    return None
