"""`chatport lsp`: a language server over standard input and output."""

from __future__ import annotations

from typing import TYPE_CHECKING

from chatport.cli.exits import CLEAN, demand

if TYPE_CHECKING:
    import argparse

EXAMPLE = "chatport lsp"


def configure(parser: argparse.ArgumentParser) -> None:
    """There are no options: the configuration is that of the files that are open."""


def run(arguments: argparse.Namespace) -> int:
    """Serve until the editor has had enough."""
    demand("lsp", "pygls", extra="lsp")
    from chatport.port.serve.lsp import server

    server().start_io()
    return CLEAN
