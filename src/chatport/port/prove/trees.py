"""The two copies a proof runs in: the tree before the plan, and the tree after it."""

from __future__ import annotations

import hashlib
import os
import re
import shutil
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final

from chatport.port.findings import Plan
from chatport.port.source.discover import discover

LARGEST_TREE: Final = 300 * 2**20
"""Bytes. More than this is not copied twice without being asked."""

_SECRETS: Final = re.compile(
    r"\.env(?:\.(?!example$|sample$|template$).*)?|\.netrc|\.pypirc|.*\.(?:pem|key|p12|pfx)"
    r"|id_(?:rsa|dsa|ecdsa|ed25519)|(?:.*[-_.])?(?:credentials?|service[-_]?account)\b.*\.json"
    r"|(?:client_)?secrets?(?:\..+)?|token\.(?:json|pickle)",
    re.IGNORECASE,
)
"""Names of files that hold secrets. No program under proof gets to read one."""


class TooLargeError(Exception):
    """The tree is too large to copy; the message says what to do."""


def copies(plan: Plan, scratch: Path) -> tuple[Path, Path]:
    """Copy the tree twice: as it was before the plan, and after it.

    Raises:
        TooLargeError: there is too much to copy.
    """
    root = plan.root.resolve()
    if sum((root / name).stat().st_size for name in _files(root)) > LARGEST_TREE:
        limit = LARGEST_TREE // 2**20
        raise TooLargeError(f"{root} holds more than {limit} MB; prove a smaller folder by itself")
    return (
        copy(plan, scratch / "before", ported=False),
        copy(plan, scratch / "after", ported=True),
    )


def copy(plan: Plan, folder: Path, *, ported: bool) -> Path:
    """Copy the tree into a new folder; returns the root of the copy.

    Only files that git lists, or that stand outside of environments, caches and builds, are copied;
    links and files that hold secrets are not.
    """
    root = plan.root.resolve()
    made = folder / root.name
    made.mkdir(parents=True)
    for name in _files(root):
        target = made / name
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(root / name, target)
    for change in plan.changes():
        assert change.after is not None
        target = _inside(made, change.path)
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(change.after if ported else change.before)
    return made


def _files(root: Path) -> Iterator[str]:
    for name in discover([root], root=root).listed:
        path = root / name
        if _SECRETS.fullmatch(path.name) or not path.is_file():
            continue
        # A link, or a place reached through one, may lead out of the tree.
        if path.resolve() == path:
            yield name


def footprint(folder: Path) -> dict[str, tuple[int, int]]:
    """Size and time of each file under a folder, but for what Python caches."""
    found: dict[str, tuple[int, int]] = {}
    todo = [str(folder)]
    while todo:
        with os.scandir(todo.pop()) as entries:
            for entry in entries:
                if entry.is_dir(follow_symlinks=False):
                    if entry.name != "__pycache__":
                        todo.append(entry.path)
                elif entry.is_file(follow_symlinks=False):
                    about = entry.stat(follow_symlinks=False)
                    found[entry.path] = about.st_size, about.st_mtime_ns
    return found


def written_since(folder: Path, before: Mapping[str, tuple[int, int]]) -> dict[str, str]:
    """The files made or changed since a footprint, each with a digest of what is in it now.

    The name of the folder itself, which is another on each side, counts as nothing.
    """
    own = str(folder.resolve()).encode()
    changed = [path for path, mark in footprint(folder).items() if before.get(path) != mark]
    return {
        Path(path).relative_to(folder).as_posix(): hashlib.sha256(
            Path(path).read_bytes().replace(own, b"")
        ).hexdigest()
        for path in sorted(changed)
    }


def _inside(root: Path, name: str) -> Path:
    target = (root / name).resolve()
    if not target.is_relative_to(root.resolve()):
        raise ValueError(f"{name} is outside the tree")
    return target
