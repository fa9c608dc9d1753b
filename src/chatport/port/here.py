"""Files of a repository, named for somebody who stands in a folder of their own."""

# ruff: noqa: PTH100, PTH109 - links stay as they are named
from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path


def seen_from_here(root: Path) -> Callable[[str], str]:
    """How a person names a file of a plan, which is relative to its root, so that it can be opened
    from the working directory: without ``..`` where the whole path is shorter."""
    here, whole = os.getcwd(), os.path.abspath(root)

    def seen(path: str) -> str:
        far = os.path.normpath(os.path.join(whole, path))  # noqa: PTH118
        near = os.path.relpath(far, here)
        return near if len(near) <= len(far) else far

    return seen
