"""`chatport packs`: which migrations there are, and whether a pack of one's own is in order."""

from __future__ import annotations

from typing import TYPE_CHECKING

from chatport.cli.exits import CLEAN, FAILED, complain

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator

    from chatport.port.packs.schema import Pack

EXAMPLE = "chatport packs my-migration.toml"


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the options of the command."""
    parser.add_argument(
        "packs",
        nargs="*",
        metavar="PACK",
        help="the id of a bundled pack, or a TOML file or folder to check (default: list all)",
    )


def run(arguments: argparse.Namespace) -> int:
    """List packs, or show and check those named."""
    from chatport.port.packs.load import PackError, names
    from chatport.port.report.escape import visible

    if not arguments.packs:
        for name in names():
            print(_line(_load(name)))
        return CLEAN
    code = CLEAN
    for name in arguments.packs:
        try:
            pack = _load(name)
        except PackError as error:
            complain(str(error))
            code = FAILED
        else:
            print(visible("\n".join(_page(pack))))
    return code


def _load(name: str) -> Pack:
    from pathlib import Path

    from chatport.port.packs.load import bundled, read

    path = Path(name)
    named = name.endswith(".toml") or path.is_dir()
    return read(path) if named else bundled(name)


def _line(pack: Pack) -> str:
    old, new = pack.source, pack.target
    return f"{pack.id}: {old.distribution} {old.versions} -> {new.distribution} {new.versions}"


def _page(pack: Pack) -> Iterator[str]:
    yield _line(pack)
    yield f"    version {pack.version}, {len(pack.changes)} kinds of change"
    for change in pack.changes:
        yield f"    {change.id}: {change.citation}"
    yield from (f"    limit: {limit}" for limit in pack.limitations)
    yield ""
