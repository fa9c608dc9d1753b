"""File operations bounded to a folder: none of them leaves it, none goes through a link.

Every path is opened folder by folder from a descriptor of the root, each step refusing links, so
that a link put in place between a check and its use changes nothing. Needs a POSIX system.
"""

from __future__ import annotations

import errno
import fcntl
import os
import shutil
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from types import TracebackType
from typing import Self

_CLOSED = os.O_CLOEXEC | os.O_NOFOLLOW
_FOLDER = os.O_RDONLY | os.O_DIRECTORY | _CLOSED


class Bounded:
    """A root folder; use it in a `with` statement. Paths are relative to it, with `/`.

    Every method raises `OSError` as the system does: `ELOOP` or `ENOTDIR` for a link, and
    `EINVAL` for a path that would leave the root or enter what git keeps there, whose files say
    which programs it runs.
    """

    def __init__(self, root: Path) -> None:
        self.root = root
        self._root = os.open(root, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        os.close(self._root)

    def lock(self) -> None:
        """Keep other writers out until this is closed or the process is gone.

        Raises `BlockingIOError` while there is another. Where folders cannot be locked, as on some
        network file systems, nobody is kept out.
        """
        try:
            fcntl.flock(self._root, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise
        except OSError:
            pass

    def read(self, path: str) -> tuple[bytes, os.stat_result]:
        """The bytes of a regular file and what the system knows of it."""
        with self._folder_of(path) as (folder, name):
            descriptor = os.open(name, os.O_RDONLY | os.O_NONBLOCK | _CLOSED, dir_fd=folder)
        with os.fdopen(descriptor, "rb") as file:
            about = os.fstat(descriptor)
            if not stat.S_ISREG(about.st_mode):
                raise OSError(errno.EINVAL, "not a regular file", path)
            return file.read(), about

    def create(self, path: str, data: bytes, like: os.stat_result | None = None) -> None:
        """A new file, safe on the disk when this returns; on failure there is none.

        `like` gives the mode and, as far as the system allows, the owner.
        """
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | _CLOSED
        with self._folder_of(path) as (folder, name):
            descriptor = os.open(name, flags, 0o666 if like is None else 0o600, dir_fd=folder)
            try:
                with os.fdopen(descriptor, "wb") as file:
                    if like is not None:
                        with suppress(PermissionError):
                            os.fchown(descriptor, like.st_uid, like.st_gid)
                        os.fchmod(descriptor, stat.S_IMODE(like.st_mode))
                    file.write(data)
                    file.flush()
                    os.fsync(descriptor)
            except BaseException:
                os.unlink(name, dir_fd=folder)
                raise

    def replace(self, path: str, by: str) -> None:
        """Put the file `by` of the same folder in the place of `path`, in one step."""
        with self._folder_of(path) as (folder, name):
            os.replace(by.rpartition("/")[2], name, src_dir_fd=folder, dst_dir_fd=folder)
            os.fsync(folder)

    def remove(self, path: str) -> None:
        """Delete a file; none is fine too."""
        with suppress(FileNotFoundError), self._folder_of(path) as (folder, name):
            os.unlink(name, dir_fd=folder)

    def make_folder(self, path: str) -> None:
        """A folder with those above it; one that is there already is fine."""
        with self._folder_of(f"{path}/x", make=True):
            pass

    def remove_folder(self, path: str) -> None:
        """Delete a folder and what is in it."""
        with self._folder_of(path) as (folder, name):
            shutil.rmtree(name, dir_fd=folder)

    def names(self, path: str) -> list[str]:
        """What is in a folder, sorted; nothing when there is no such folder."""
        try:
            with self._folder_of(f"{path}/x") as (folder, _):
                return sorted(os.listdir(folder))  # noqa: PTH208 - a descriptor
        except FileNotFoundError:
            return []

    @contextmanager
    def _folder_of(self, path: str, *, make: bool = False) -> Iterator[tuple[int, str]]:
        *parts, name = path.split("/")
        if not {"", ".", ".."}.isdisjoint({*parts, name}):
            raise OSError(errno.EINVAL, "the path leaves the root", path)
        if ".git" in {part.lower() for part in (*parts, name)}:
            raise OSError(errno.EINVAL, "the path is git's own", path)
        folder = os.dup(self._root)
        try:
            for part in parts:
                if make:
                    with suppress(FileExistsError):
                        os.mkdir(part, dir_fd=folder)
                inner = os.open(part, _FOLDER, dir_fd=folder)
                os.close(folder)
                folder = inner
            yield folder, name
        finally:
            os.close(folder)
