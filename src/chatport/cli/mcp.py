"""`chatport mcp`: a server of the Model Context Protocol over standard input and output."""

from __future__ import annotations

from typing import TYPE_CHECKING

from chatport.cli.exits import CLEAN, UsageError, demand

if TYPE_CHECKING:
    import argparse

EXAMPLE = "chatport mcp . --allow-write"


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the options of the command."""
    parser.add_argument(
        "path", nargs="?", default=".", metavar="PATH", help="the folder to serve (default: .)"
    )
    parser.add_argument(
        "--allow-write", action="store_true", help="offer a tool that writes what can be ported"
    )


def run(arguments: argparse.Namespace) -> int:
    """Serve until the client has had enough."""
    from pathlib import Path

    demand("mcp", "mcp", extra="mcp")
    root = Path(arguments.path)
    if not root.is_dir():
        raise UsageError(f"{arguments.path}: there is no such folder; check the path")
    from chatport.port.serve.mcp import server

    server(root.resolve(), allow_write=arguments.allow_write).run("stdio")
    return CLEAN
