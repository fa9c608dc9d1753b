"""`chatport completion`: what makes a shell complete commands, options, codes and files."""

from __future__ import annotations

import argparse

from chatport.cli.exits import CLEAN, demand
from chatport.cli.meant import one_of

EXAMPLE = "chatport completion zsh > ~/.zfunc/_chatport"

SHELLS = ("bash", "zsh", "fish", "tcsh", "powershell")
_FILES = {"paths", "path", "output", "baseline", "stdin_filename", "driver", "image", "schema"}
"""What names files, by the name of the argument."""


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the options of the command."""
    parser.add_argument("shell", **one_of(*SHELLS), metavar="SHELL", help=", ".join(SHELLS))


def run(arguments: argparse.Namespace) -> int:
    """Print the script for a shell."""
    demand("completion", "shtab", extra="completion")
    import shtab

    from chatport.cli.app import whole_parser

    parser = whole_parser()
    _describe(parser)
    print(shtab.complete(parser, shell=arguments.shell))
    return CLEAN


def _describe(parser: argparse.ArgumentParser) -> None:
    """Say of each argument what may stand there; the parser is only read after this."""
    import shtab

    from chatport.port.codes import CODES
    from chatport.port.packs.load import names, rules

    words = {
        "code": [*CODES],
        "only": [*CODES],
        "select": sorted(rules()),
        "skip": [*CODES, *sorted(rules())],
        "packs": [*names()],
    }
    for action in parser._actions:  # noqa: SLF001 - argparse shows them in no other way
        if isinstance(action.choices, dict):
            for command in action.choices.values():
                _describe(command)
        elif action.dest in words:
            action.choices = words[action.dest]
        elif action.dest in _FILES:
            action.complete = shtab.FILE  # type: ignore[attr-defined]
