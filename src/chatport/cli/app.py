"""The `chatport` command: which subcommand, and what happens when one goes wrong.

Only the module of the command that was asked for is imported, and not even a parser of command
lines before it is known that there is something to do (see `quick`).
"""

from __future__ import annotations

import errno
import io
import os
import sys

from chatport.cli import quick
from chatport.cli.exits import FAILED, Quit, UsageError, complain

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable, Mapping, Sequence

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


_FULL = {errno.ENOSPC, errno.EDQUOT, errno.EIO}
"""What a stream says that takes no more."""


def run(argv: Sequence[str]) -> int:
    """Run a command line without its program name; returns the exit code."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:  # whoever started us has closed it
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: PTH123, SIM115
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):  # a test may have put something else there
            stream.reconfigure(errors="backslashreplace")
    try:
        plain = quick.plain(argv)
        code = quick.answer(plain) if plain is not None else None
        if code is None:
            arguments = plain or _parsed(argv)
            code = _run(arguments) if arguments.command is not None else _say_how()
        sys.stdout.flush()
    except UsageError as error:
        complain(str(error))
        return FAILED
    except Quit as quit_:
        print(f"chatport: {quit_}", file=sys.stderr)
        return FAILED
    except KeyboardInterrupt:
        return _interrupted()
    except BrokenPipeError:
        _drop_output()  # whoever read it has seen enough
        return FAILED
    except OSError as error:
        if error.errno not in _FULL or error.filename is not None:
            return _internal(error)
        _drop_output()
        complain(f"the output cannot be written ({error.strerror}); send it somewhere else")
        return FAILED
    except Exception as error:
        return _internal(error)
    return code


def _drop_output() -> None:
    """Send nowhere what is still to be printed: Python flushes once more as it exits."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _interrupted() -> int:
    print("chatport: interrupted", file=sys.stderr)
    return 130


def _internal(error: Exception) -> int:
    if isinstance(error.__cause__, KeyboardInterrupt):  # while a class was being made
        return _interrupted()
    if sys.flags.dev_mode:
        raise error
    complain(
        f"internal error: {type(error).__name__}: {error}\n"
        "This is a mistake in chatport, not in your files. Set PYTHONDEVMODE=1 to see where it "
        "happened, and please report it."
    )
    return FAILED


def _say_how() -> int:
    """What there is, where no command was named."""
    _parser(lambda _: False)[0].print_help(sys.stderr)
    return FAILED


def _run(arguments: argparse.Namespace | quick.Plain) -> int:
    from importlib import import_module

    if arguments.command in PLANNING:
        _demand_extra(arguments.command)
    code: int = import_module(COMMANDS[arguments.command][0]).run(arguments)
    return code


def _parsed(argv: Sequence[str]) -> argparse.Namespace:
    from chatport.cli.meant import meant, unknown_words

    asked = next((word for word in argv if not word.startswith("-")), None)
    parser, commands = _parser(lambda name: name == asked)
    if asked is not None and asked not in COMMANDS:
        close = meant(asked, COMMANDS, "chatport --help lists the commands")
        raise UsageError(f"there is no command {asked!r}; {close}")
    arguments, stray = parser.parse_known_args(argv)
    if stray:
        raise UsageError(unknown_words(commands.get(arguments.command, parser), stray))
    return arguments


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
    return _parser(lambda _: True)[0]


def _parser(
    with_options: Callable[[str], bool],
) -> tuple[argparse.ArgumentParser, Mapping[str, argparse.ArgumentParser]]:
    """The parser, and those of its commands."""
    import argparse
    from functools import partial
    from importlib import import_module
    from typing import NoReturn

    from chatport import __version__

    class Parser(argparse.ArgumentParser):
        def error(self, message: str) -> NoReturn:
            raise UsageError(f"{message}; see {self.prog} --help")

    # Wide enough for every option's name, so that what it does stands on the same line.
    formatter = partial(argparse.RawDescriptionHelpFormatter, max_help_position=27)
    parser = Parser(
        prog="chatport",
        usage="chatport [-h] [--version] COMMAND ...",
        description="Moves code off a dead model SDK and refuses what it cannot prove.\n"
        "Example: chatport check . (writes nothing); chatport COMMAND --help says more.",
        epilog="Exit codes: 0 nothing left to do, 1 something found or held back, 2 cannot run",
        add_help=False,
        allow_abbrev=False,
        formatter_class=formatter,
    )
    version = f"chatport {__version__}"
    parser.add_argument("--version", action="version", version=version, help=argparse.SUPPRESS)
    # With `prog` given argparse need not lay out a usage text to find it.
    commands = parser.add_subparsers(prog=parser.prog, dest="command", metavar="COMMAND")
    made: dict[str, argparse.ArgumentParser] = {}
    for name, (module, summary) in COMMANDS.items():
        command = made[name] = commands.add_parser(
            name,
            help=summary,
            description=f"{summary[0].upper()}{summary[1:]}.",
            add_help=False,
            allow_abbrev=False,
            formatter_class=formatter,
        )
        if with_options(name):
            home = import_module(module)
            home.configure(command)
            command.description = f"{command.description}\nExample: {home.EXAMPLE}"
    for one in (parser, *made.values()):  # whoever reads that it is there knows it
        one.add_argument("-h", "--help", action="help", help=argparse.SUPPRESS)
    return parser, made
