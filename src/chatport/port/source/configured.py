"""Whether a project has a configuration, told by reading bytes: most have none."""

# ruff: noqa: PTH112, PTH118, PTH120
from __future__ import annotations

import os

from chatport.port.source.small import read_small

NAME = "pyproject.toml"
_MARK = b"tool.chatport"


def find(start: str) -> str | None:
    """The nearest pyproject.toml at or above a file or folder that names ``tool.chatport``."""
    folder = os.path.realpath(start)
    if not os.path.isdir(folder):
        folder = os.path.dirname(folder)
    while True:
        path = os.path.join(folder, NAME)
        try:
            if _MARK in read_small(path):
                return path
        except OSError:
            pass  # none here, or none to be read
        parent = os.path.dirname(folder)
        if parent == folder:
            return None
        folder = parent
