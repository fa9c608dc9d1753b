"""The `chatport` command: which subcommand, and what happens when one goes wrong.

Only the module of the command that was asked for is imported, and not even a parser of command
lines before it is known that there is something to do (see `quick`).
"""

from __future__ import annotations

import io
import os
import sys

from chatport.cli import quick
from chatport.cli.exits import FAILED, UsageError

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable, Sequence

COMMANDS = {
    "check": ("chatport.cli.check", "say what uses a legacy SDK and what can be ported"),
    "fix": ("chatport.cli.fix", "show the ported code as a diff, or write it"),
    "prove": ("chatport.cli.prove", "run old and new code, and show that both ask the same"),
    "explain": ("chatport.cli.explain", "what a code means and what to write instead"),
    "packs": ("chatport.cli.packs", "list the migrations chatport knows, or check one of yours"),
    "undo": ("chatport.cli.undo", "take back the last fix --write"),
    "lsp": ("chatport.cli.lsp", "serve an editor: findings and actions as you type"),
    "mcp": ("chatport.cli.mcp", "serve an agent: check, plan and explain, without writing"),
    "fleet": ("chatport.cli.fleet", "plan thousands of repositories into one file"),
    "ask": ("chatport.cli.ask", "put a question to a model, and see its answer come"),
    "models": ("chatport.cli.models", "the models of the providers there is a key for"),
    "completion": ("chatport.cli.completion", "print what lets a shell complete all this"),
}
"""Name -> the module that has `configure(parser)`, `run(arguments) -> int` and `EXAMPLE`, a command
line; and what the command does."""

PLANNING = ("check", "fix", "prove", "lsp", "mcp", "fleet")
EXTRA = ("packaging", "rich")
"""What the extra `port` installs, and what commands that plan need all of, before they write."""


def run(argv: Sequence[str]) -> int:
    """Run a command line without its program name; returns the exit code."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):  # a test may have put something else there
            stream.reconfigure(errors="backslashreplace")
    try:
        code = quick.answer(argv)
        if code is None:
            code = _run(argv)
        sys.stdout.flush()
    except UsageError as error:
        print(f"chatport: error: {_visible(error)}", file=sys.stderr)
        return FAILED
    except KeyboardInterrupt:
        print("chatport: interrupted", file=sys.stderr)
        return 130
    except BrokenPipeError:
        # Whoever read our output has seen enough. Python flushes once more as it exits.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return FAILED
    except Exception as error:
        if sys.flags.dev_mode:
            raise
        print(
            f"chatport: internal error: {type(error).__name__}: {_visible(error)}\n"
            "This is a mistake in chatport, not in your files. Set PYTHONDEVMODE=1 to see where it "
            "happened, and please report it.",
            file=sys.stderr,
        )
        return FAILED
    return code


def _visible(error: Exception) -> str:
    """What an error says; it may quote names and texts of other people's files."""
    from chatport.port.report.escape import visible

    return visible(str(error))


def _run(argv: Sequence[str]) -> int:
    from importlib import import_module

    asked = next((word for word in argv if not word.startswith("-")), None)
    arguments, stray = _parser(lambda name: name == asked).parse_known_args(argv)
    if stray:
        raise UsageError(
            f"unrecognized arguments: {' '.join(stray)}; see chatport {arguments.command} --help"
        )
    if arguments.command in PLANNING:
        _demand_extra(arguments.command)
    code: int = import_module(COMMANDS[arguments.command][0]).run(arguments)
    return code


def _demand_extra(command: str) -> None:
    from importlib.util import find_spec

    missing = [name for name in EXTRA if find_spec(name) is None]
    if missing:
        raise UsageError(
            f"{command} needs {' and '.join(missing)}: pip install '.[port]' in a clone"
            " (the client alone does without)"
        )


def whole_parser() -> argparse.ArgumentParser:
    """The parser with the options of every command, for what wants to know them all."""
    return _parser(lambda _: True)


def _parser(with_options: Callable[[str], bool]) -> argparse.ArgumentParser:
    import argparse
    from functools import partial
    from importlib import import_module

    from chatport import __version__

    # Wide enough for every option's name, so that what it does stands on the same line.
    formatter = partial(argparse.HelpFormatter, max_help_position=27)
    parser = argparse.ArgumentParser(
        prog="chatport",
        description="Moves code off a dead model SDK and refuses what it cannot prove.",
        epilog="Exit codes: 0 nothing left to do, 1 something found or held back, 2 cannot run.",
        allow_abbrev=False,
        formatter_class=formatter,
    )
    parser.add_argument("--version", action="version", version=f"chatport {__version__}")
    # With `prog` given argparse need not lay out a usage text to find it.
    commands = parser.add_subparsers(
        prog=parser.prog, dest="command", metavar="COMMAND", required=True
    )
    for name, (module, summary) in COMMANDS.items():
        command = commands.add_parser(
            name,
            help=summary,
            description=f"{summary[0].upper()}{summary[1:]}.",
            allow_abbrev=False,
            formatter_class=formatter,
        )
        if with_options(name):
            home = import_module(module)
            home.configure(command)
            command.epilog = f"Example: {home.EXAMPLE}"
    return parser
