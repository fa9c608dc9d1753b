"""Asking git, in a repository that nobody vouches for: no hook, filter or helper of it is run."""

# ruff: noqa: PTH118, PTH120

from __future__ import annotations

import os
import subprocess

# Said on the command line these win over the repository's own configuration, which could name a
# program for each of them.
_HARMLESS = (
    *("-c", "core.fsmonitor=false"),
    *("-c", f"core.hooksPath={os.devnull}"),
    *("-c", "protocol.allow=never"),
    "--no-pager",
    "--literal-pathspecs",
)
_LOCATIONS = ("GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_COMMON_DIR", "GIT_PREFIX")


def top_level(folder: str) -> str | None:
    """The folder at or above `folder` that holds a `.git`, found without running git."""
    while not os.path.lexists(os.path.join(folder, ".git")):
        parent = os.path.dirname(folder)
        if parent == folder:
            return None
        folder = parent
    return folder


def git(folder: str, *arguments: str) -> tuple[bytes, str] | None:
    """What a git command prints and warns of when run in `folder`; None when it fails.

    It fails also where git is not installed, where there is no repository, and where git does
    not trust the owner of the repository.
    """
    environment = {name: value for name, value in os.environ.items() if name not in _LOCATIONS}
    environment.update(GIT_OPTIONAL_LOCKS="0", GIT_NO_LAZY_FETCH="1", LC_ALL="C")
    try:
        done = subprocess.run(
            ["git", *_HARMLESS, *arguments],
            cwd=folder,
            env=environment,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            check=False,
        )
    except OSError:
        return None
    if done.returncode:
        return None
    return done.stdout, done.stderr.decode(errors="replace")
