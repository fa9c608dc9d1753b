"""`chatport models`: what can be named as a model, and whether there is a key for it."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from chatport.cli.exits import CLEAN

if TYPE_CHECKING:
    import argparse

    from chatport.providers.discovery import Provider

SERVER = "openai+http://localhost:11434/v1:llama3.2"

EXAMPLE = "chatport models"


def configure(parser: argparse.ArgumentParser) -> None:
    """There are no options."""


def run(arguments: argparse.Namespace) -> int:
    """Print a line for each provider."""
    from chatport.providers.discovery import PROVIDERS

    width = max(len(provider.example) for provider in PROVIDERS.values())
    for provider in PROVIDERS.values():
        print(f"{provider.example:<{width}}  {provider.speaks}; {_key(provider)}")
    print(f"\nA server of your own, or of others: {SERVER}")
    return CLEAN


def _key(provider: Provider) -> str:
    if not provider.variables:
        return "needs no key"
    found = next((name for name in provider.variables if os.environ.get(name)), None)
    return f"key in {found}" if found else f"no key: set {' or '.join(provider.variables)}"
