"""`chatport models`: what can be named as a model, asked of the providers there is a key for."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING, TextIO

from chatport.cli.exits import CLEAN, FAILED, FOUND, UsageError, complain

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterable, Mapping

    from chatport.providers.discovery import Provider

SERVER = "openai+http://localhost:11434/v1:llama3.2"

SECONDS = 30.0
"""What a provider has to say which models it has."""

EXAMPLE = "chatport models openai+http://localhost:11434/v1"


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the options of the command."""
    parser.add_argument(
        "providers",
        nargs="*",
        metavar="PROVIDER",
        help="ask this one, named as in a model: gemini, or openai+http://localhost:11434/v1",
    )
    parser.add_argument(
        "--key-variable", metavar="NAME", help="take the key from this environment variable"
    )


def run(arguments: argparse.Namespace) -> int:
    """Print the models of these providers, or which providers there are and what they have.

    1 when one that was asked did not say.
    """
    from chatport.providers.discovery import PROVIDERS

    settings = keyed(arguments.key_variable)
    if arguments.providers:
        return max(_asked(name, settings) for name in arguments.providers)
    _told_providers(PROVIDERS.values())
    exit_code = CLEAN
    for name in _with_keys(PROVIDERS.values()):
        print()
        exit_code = max(exit_code, _asked(name, settings))
    return exit_code


def _with_keys(providers: Iterable[Provider]) -> list[str]:
    """One name for each list of models that can be asked for: two protocols may share one."""
    able = [one for one in providers if any(os.environ.get(name) for name in one.variables)]
    return [*{(one.module, one.kind): one.name for one in reversed(able)}.values()][::-1]


def _asked(name: str, settings: Mapping[str, str]) -> int:
    """Ask one provider and print its models; the exit code."""
    from chatport.chat import ChatError
    from chatport.providers import Timeouts
    from chatport.providers.discovery import UnknownModelError, models
    from chatport.providers.errors import MissingKeyError

    try:
        found = models(name, timeouts=Timeouts(total=SECONDS), **settings)
    except UnknownModelError as error:
        raise UsageError(str(error)) from error
    except (MissingKeyError, ValueError) as error:
        complain(in_terminal(error))
        return FAILED
    except ChatError as error:
        complain(f"{name}: {error}")
        return FOUND
    print(shown("\n".join(found)))
    return CLEAN


def keyed(variable: str | None) -> dict[str, str]:
    """The setting of a model that an option for its key amounts to. Raises `UsageError`."""
    if variable is None:
        return {}
    if not os.environ.get(variable):
        raise UsageError(f"the environment has no {variable}, which --key-variable names")
    return {"key": os.environ[variable]}


def shown(text: str, out: TextIO | None = None) -> str:
    """What a model or its server says, as it is in a pipe; on a terminal it may not move the
    cursor, rename the window or fill the clipboard."""
    from chatport.port.report.escape import visible

    return visible(text) if (out or sys.stdout).isatty() else text


def in_terminal(error: Exception) -> str:
    """An error as somebody at a terminal needs it: a key that is missing is no argument there."""
    from chatport.providers.errors import MissingKeyError

    if not isinstance(error, MissingKeyError):
        return str(error)
    names = " or ".join(error.variables)
    return (
        f"there is no key for {error.provider}: set {names} in the environment "
        f"(export {error.variables[0]}=…), or name the variable that has it with --key-variable"
        if names
        else f"there is no key for {error.provider}: name its variable with --key-variable"
    )


def _told_providers(providers: Iterable[Provider]) -> None:
    rows = [(provider, _key(provider)) for provider in providers]
    width = max(len(provider.example) for provider, _ in rows)
    for provider, key in rows:
        print(f"{provider.example:<{width}}  {provider.speaks}; {key}")
    print(f"\nA server of your own, or of others: {SERVER}")
    print("The models that one of them has: chatport models PROVIDER")


def _key(provider: Provider) -> str:
    if not provider.variables:
        return "needs no key"
    found = next((name for name in provider.variables if os.environ.get(name)), None)
    return f"key in {found}" if found else f"no key: set {' or '.join(provider.variables)}"
