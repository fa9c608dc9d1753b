"""What a list of repositories names: one a line, a folder or a remote of git.

# a comment
checkouts/shop
https://git.example.org/team/shop.git
git@git.example.org:team/shop.git
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from urllib.parse import urlsplit

_URL = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*://")
_SCP = re.compile(r"(?:[\w.-]+@)?[\w.-]+\.[\w.-]+:(?!//)")
"""``user@host:path``; the host has a dot, so that a folder may have a colon."""

SCHEMES = ("https", "http", "ssh", "git", "file")
"""The transports of git that are used: the others run programs."""


class SourceListError(ValueError):
    """A line that names no repository; the message says which and what to write."""


def read(lines: Iterable[str], folder: Path) -> Iterator[str]:
    """The repositories of a list, in its order; paths start at `folder` and come back absolute.

    Raises `SourceListError`.
    """
    for number, line in enumerate(lines, 1):
        word = line.strip()
        if word and not word.startswith("#"):
            try:
                yield _source(word, folder)
            except ValueError as error:
                raise SourceListError(f"line {number}: {error}") from error


def is_remote(source: str) -> bool:
    """Whether git has to fetch it."""
    return bool(_URL.match(source) or _SCP.match(source))


def _source(word: str, folder: Path) -> str:
    if not word.isprintable():
        raise ValueError(f"{word!a} holds a character that cannot be printed")
    if not is_remote(word):
        return str((folder / word).absolute())
    if _URL.match(word):
        address = urlsplit(word)
        if address.scheme not in SCHEMES:
            raise ValueError(f"{address.scheme}:// is not used; there is {', '.join(SCHEMES)}")
        if address.password is not None:
            # The ledger and the page would show it.
            raise ValueError("a password does not belong into a list; git asks a credential helper")
    return word
