"""Imports that lead out of what was named: legacy code over there may decide on what is here.

A file is planned among the files that were named. Where it imports one that was not, and that
holds legacy code, its client may come from there, and nobody would see it.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from chatport.port.found import Found
from chatport.port.packs.schema import Pack

_IMPORT = re.compile(
    rb"^[ \t]*(?:from[ \t]+(?P<module>[.\w]+)[ \t]+import[ \t]+\(?(?P<names>[\w \t,]*)"
    rb"|import[ \t]+(?P<plain>[\w. \t,]+))",
    re.MULTILINE,
)
_MOST = 500
"""Files outside of what was named that are looked into."""


def unnamed(
    found: Found, candidates: Sequence[tuple[str, bytes]], packs: Sequence[Pack]
) -> dict[str, str]:
    """Each candidate that imports legacy code which was not named, directly or through others,
    with the file that holds it."""
    root = found.root
    here = Path.cwd()
    if found.is_whole(here):
        return {}
    tokens = tuple(token.encode() for pack in packs for token in pack.match.tokens)
    search = _Search(root, here, tokens, {str(root / path) for path, _ in candidates})
    led = ((path, search.leads_to(root / path, data)) for path, data in candidates)
    return {path: os.path.relpath(there, root) for path, there in led if there is not None}


class _Search:
    """Follows imports on the disk."""

    def __init__(self, root: Path, here: Path, tokens: tuple[bytes, ...], known: set[str]) -> None:
        self._roots = (str(root), str(here))
        self._tokens = tokens
        self._known = known
        self._data: dict[str, bytes] = {}

    def leads_to(self, file: Path, data: bytes) -> str | None:
        """The first file with a token that a file imports and that is not known."""
        seen = set(self._known)
        waiting = list(self._imported(str(file), data))
        while waiting:
            name = waiting.pop()
            if name in seen:
                continue
            seen.add(name)
            text = self._read(name)
            if any(token in text for token in self._tokens):
                return name
            waiting += self._imported(name, text)
        return None

    def _read(self, name: str) -> bytes:
        if name not in self._data:
            try:
                small = len(self._data) < _MOST and os.path.isfile(name)  # noqa: PTH113
                self._data[name] = Path(name).read_bytes() if small else b""
            except OSError:
                self._data[name] = b""
        return self._data[name]

    def _imported(self, file: str, data: bytes) -> Iterator[str]:
        for module, names in _modules(data):
            for folder in self._folders(file, module):
                base = os.path.join(folder, *module.lstrip(".").split("."))  # noqa: PTH118
                for name in ("", *names):
                    stem = os.path.join(base, name) if name else base.rstrip(os.sep)  # noqa: PTH118
                    for path in (f"{stem}.py", f"{stem}{os.sep}__init__.py"):
                        if os.path.isfile(path):  # noqa: PTH113
                            yield path

    def _folders(self, file: str, module: str) -> Iterator[str]:
        """Where a module may be: for one with dots in front the package they mean, otherwise every
        folder above the file within the root or the working directory, and ``src`` there."""
        folder = os.path.dirname(file)  # noqa: PTH120
        dots = len(module) - len(module.lstrip("."))
        if dots:
            for _ in range(dots - 1):
                folder = os.path.dirname(folder)  # noqa: PTH120
            yield folder
            return
        while any(folder == root or folder.startswith(root + os.sep) for root in self._roots):
            yield folder
            yield os.path.join(folder, "src")  # noqa: PTH118
            folder = os.path.dirname(folder)  # noqa: PTH120


def _modules(data: bytes) -> Iterator[tuple[str, list[str]]]:
    """The modules a text seems to import, with the names taken from each."""
    for found in _IMPORT.finditer(data):
        if found["module"] is not None:
            yield found["module"].decode(), _names(found["names"])
        else:
            yield from ((name, []) for name in _names(found["plain"]))


def _names(listed: bytes) -> list[str]:
    return [word.split()[0].decode() for word in listed.split(b",") if word.split()]
