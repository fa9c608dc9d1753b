"""`chatport explain`: what a code means, and what a person writes instead."""

from __future__ import annotations

from typing import TYPE_CHECKING

from chatport.cli.exits import CLEAN, UsageError
from chatport.cli.meant import meant

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator

    from chatport.port.codes import Code, Example

EXAMPLE = "chatport explain history_write"


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the options of the command."""
    parser.add_argument(
        "code", nargs="?", metavar="CODE", help="as a report names it (default: list them all)"
    )


def run(arguments: argparse.Namespace) -> int:
    """Print the page of a code, or one line for each."""
    from chatport.port.codes import CODES, examples

    if arguments.code is None:
        for name, code in sorted(CODES.items()):
            print(f"{name}: {code.message}")
        return CLEAN
    if (found := CODES.get(arguments.code)) is None:
        close = meant(arguments.code, CODES, "chatport explain lists them all")
        raise UsageError(f"there is no code {arguments.code}; {close}")
    print("\n".join(_page(found, examples().get(found.name))))
    return CLEAN


def _page(code: Code, example: Example | None) -> Iterator[str]:
    yield from (code.name, "", code.message, "")
    yield from ("Why", "", code.why, "", "What to do", "", code.remedy, "")
    if code.check:
        yield from ("Before you take what is suggested", "", code.check, "")
    if example is None:
        return
    for title, text in (("Before", example.before), ("After", example.after)):
        yield from (title, "")
        yield from (f"    {line}".rstrip() for line in text.splitlines())
        yield ""
