"""Reading a file that somebody else may have put there: a configuration, a baseline, a pack."""

# ruff: noqa: PTH123
from __future__ import annotations

import errno
import os
import stat

MAX_BYTES = 8_000_000
"""What such a file may have; none of ours comes near it."""


def read_small(path: str | os.PathLike[str]) -> bytes:
    """The bytes of a regular file.

    Raises `OSError`: as the system does, `EINVAL` for a pipe or a device, which could keep us
    waiting or never end, and `EFBIG` for a file longer than `MAX_BYTES`.
    """
    descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC | getattr(os, "O_NONBLOCK", 0))
    with open(descriptor, "rb") as file:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            raise OSError(errno.EINVAL, "not a regular file", os.fspath(path))
        data = file.read(MAX_BYTES + 1)
    if len(data) > MAX_BYTES:
        raise OSError(errno.EFBIG, f"larger than {MAX_BYTES} bytes", os.fspath(path))
    return data
