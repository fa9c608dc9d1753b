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


def answer(argv: Sequence[str]) -> int | None:
    """The exit code of a `check` or `fix` of plain paths that finds nothing, having said so.

    None when there is something to look at, and for every other command line.
    """
    command, *paths = argv or ("",)
    if command not in ("check", "fix") or any(word.startswith("-") for word in paths):
        return None
    files = _nothing_of_interest(paths or ["."])
    if files is None:
        return None
    from chatport.port.report.words import nothing_found

    print(nothing_found(files), file=sys.stdout if command == "check" else sys.stderr)
    return CLEAN


def _nothing_of_interest(paths: list[str]) -> int | None:
    """The number of Python files under the paths when none of them can hold anything to port."""
    from chatport.port.packs.tokens import tokens
    from chatport.port.source.configured import find
    from chatport.port.source.discover import discover, search

    if find(paths[0]) is not None:
        return None  # what is configured has to be read, and may be wrong
    discovery = discover(paths)
    candidates = search(discovery, (*discovery.files, *discovery.manifests), tokens())
    found = next(candidates, None)
    return None if found or discovery.problems else len(discovery.files)
