"""What a program under proof may not do: reach the network, write elsewhere, start or kill others.

The doors are closed by an audit hook, which no Python code can take out again. A refusal is an
ordinary OSError to the program, and a line in the notes for the report.
"""

from __future__ import annotations

import asyncio
import ipaddress
import os
import sys
import time
from typing import Any, Callable
from urllib.parse import urlsplit

from chatport_prove_boot import VARIABLE

LOOPBACK = {"127.0.0.1", "::1", "localhost", "0.0.0.0", ""}
LONGEST_SLEEP = 0.02
"""Seconds: pauses between calls are shortened, or a polite program would use up its time."""

MOST_PROCESSES = 200
"""Processes a program may start in all, those that its own start among them."""

_WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND
_CHANGING = {
    "os.mkdir": ((0, 2),),
    "os.remove": ((0, 1),),
    "os.rmdir": ((0, 1),),
    "os.truncate": ((0, None),),
    "os.chmod": ((0, 2),),
    "os.chown": ((0, 3),),
    "os.utime": ((0, 3),),
    "os.setxattr": ((0, None),),
    "os.removexattr": ((0, None),),
    "os.rename": ((0, 2), (1, 3)),
    "os.link": ((1, 3),),
    "os.symlink": ((1, 2),),
    "shutil.rmtree": ((0, None),),
    "sqlite3.connect": ((0, None),),
}
"""Event -> for each path that is changed: the argument that holds it, and that of its folder."""

_FORKING = {"os.fork", "os.forkpty"}
_BOOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
_ALONE = frozenset("EIS")
"""Flags of Python that leave out its environment or what is imported as it starts."""

_STARTING = {"subprocess.Popen", "os.exec", "os.posix_spawn", "os.system", "pty.spawn"}


def begin(settings: Any) -> None:
    """Close the doors, for good."""
    _shorten_sleeps()
    _open_by_name()
    note = _notes(settings.notes)
    doors = _Doors(settings, note, _counter(settings.started))
    sys.addaudithook(doors.hear)


def _notes(path: str) -> Callable[[str], None]:
    record = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o644)

    def note(text: str) -> None:
        line = " ".join(text.split())[:300]
        os.write(record, f"{line}\n".encode("utf-8", "replace"))

    return note


def _counter(path: str) -> Callable[[], int]:
    """Counts across processes: each call adds a byte to a file, whose size is the count."""
    record = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o644)

    def count() -> int:
        os.write(record, b".")
        return os.fstat(record).st_size

    return count


def _shorten_sleeps() -> None:
    sleep, async_sleep = time.sleep, asyncio.sleep

    def short_sleep(seconds: float) -> None:
        sleep(min(seconds, LONGEST_SLEEP))

    async def short_async_sleep(delay: float, result: Any = None) -> Any:
        return await async_sleep(min(delay, LONGEST_SLEEP), result)

    time.sleep = short_sleep  # type: ignore[assignment]
    asyncio.sleep = asyncio.tasks.sleep = short_async_sleep  # type: ignore[assignment]


class RefusedError(PermissionError):
    """What the program gets when it tries a closed door."""


class _Doors:
    def __init__(
        self, settings: Any, note: Callable[[str], None], started: Callable[[], int]
    ) -> None:
        self.note = note
        self.started = started
        self.port = urlsplit(settings.server).port
        self.serves = False
        self.inside = tuple(
            path.rstrip("/") + "/"
            for folder in settings.writable
            for path in (folder, os.path.realpath(folder))
        )
        self.session = os.getsid(0)
        self.python = {os.path.realpath(sys.executable), sys.executable}

    def refuse(self, what: str) -> None:
        self.note(what)
        raise RefusedError(f"not allowed under chatport prove: {what}")

    def hear(self, event: str, arguments: tuple[Any, ...]) -> None:
        if event == "open":
            self.open(*arguments[:3])
        elif event in _CHANGING:
            for index, folder in _CHANGING[event]:
                beside = arguments[folder] if folder is not None and folder < len(arguments) else -1
                self.change(event, arguments[index], beside)
        elif event.startswith("socket."):
            self.connect(event, arguments)
        elif event in _STARTING:
            self.start(event, arguments)
            self.count()
        elif event in _FORKING:
            self.count()
        elif event in {"os.kill", "os.killpg"}:
            self.kill(event, arguments[0])

    def open(self, path: Any, mode: Any, flags: Any) -> None:
        if isinstance(path, int) or not flags & _WRITING:
            return
        self.change("open", path)

    def change(self, event: str, path: Any, beside: Any = -1) -> None:
        if isinstance(path, int):
            return
        name = os.fsdecode(path)
        if isinstance(beside, int) and beside >= 0:
            name = os.path.join(_folder_of(beside), name)
        if name in {":memory:", "", os.devnull, "/dev/tty", "/dev/stdout", "/dev/stderr"}:
            return
        # Links are followed for the folder, not for the thing itself: that is what is changed.
        folder, base = os.path.split(os.path.abspath(name))
        place = os.path.join(os.path.realpath(folder), base)
        if event == "open":
            place = os.path.realpath(place)
        if not (place + "/").startswith(self.inside):
            self.refuse(f"write outside the copy: {event} {name}")

    def connect(self, event: str, arguments: tuple[Any, ...]) -> None:
        if event == "socket.bind":
            self.serves = True
        elif event in {"socket.connect", "socket.sendto", "socket.sendmsg"}:
            address = arguments[1]
            if address is not None:
                self.reach(address)
        elif event in {"socket.getaddrinfo", "socket.gethostbyname"} and arguments[0]:
            host = arguments[0]
            name = host.decode() if isinstance(host, bytes) else str(host)
            if name not in LOOPBACK and not _is_address(name):
                self.refuse(f"network: look-up of {name}")

    def reach(self, address: Any) -> None:
        if not isinstance(address, tuple):
            self.change("connect", address)
        elif str(address[0]) not in LOOPBACK:
            self.refuse(f"network: connection to {address[0]}:{address[1]}")
        elif address[1] != self.port and not self.serves:
            self.refuse(f"network: connection to another server here, port {address[1]}")

    def start(self, event: str, arguments: tuple[Any, ...]) -> None:
        program = os.fsdecode(arguments[0]) if arguments[0] else ""
        found = program if os.path.isabs(program) else _which(program)
        if event == "os.system" or os.path.realpath(found) not in self.python:
            self.refuse(f"start of another program: {program}")
        if not _is_guarded(arguments[1], arguments[-1]):
            self.refuse("start of a Python that is not guarded: its environment is another one")

    def count(self) -> None:
        if self.started() > MOST_PROCESSES:
            self.refuse(f"start of more than {MOST_PROCESSES} processes")

    def kill(self, event: str, number: int) -> None:
        own = number == 0 and event == "os.killpg"
        try:
            own = own or number == 0 or (number > 0 and os.getsid(number) == self.session)
        except ProcessLookupError:
            own = True
        if not own:
            self.refuse(f"signal to a process outside: {number}")


def _folder_of(descriptor: int) -> str:
    """The name of an open folder; where the system cannot tell, one that is never inside."""
    try:
        return os.readlink(f"/proc/self/fd/{descriptor}")
    except OSError:
        return "/unknown"


def _open_by_name() -> None:
    """The event of `os.open` does not tell the folder it starts from, so the name must."""
    plain = os.open

    def open_by_name(path: Any, flags: int, mode: int = 0o777, *, dir_fd: Any = None) -> int:
        if dir_fd is not None and flags & _WRITING:
            path = os.path.join(_folder_of(dir_fd), os.fsdecode(path))
        return plain(path, flags, mode, dir_fd=dir_fd)

    os.open = open_by_name


def _is_guarded(command: Any, environment: Any) -> bool:
    """Whether a Python started like this will import what guards it."""
    given = os.environ if environment is None else environment
    variables = {os.fsdecode(name): os.fsdecode(value) for name, value in given.items()}
    folders = variables.get("PYTHONPATH", "").split(os.pathsep)
    if VARIABLE not in variables or _BOOT not in folders:
        return False
    for word in map(os.fsdecode, [] if isinstance(command, (str, bytes)) else command[1:]):
        if word in {"-c", "-m"} or not word.startswith("-"):
            break
        if not word.startswith("--") and _ALONE.intersection(word[1:]):
            return False
    return True


def _is_address(name: str) -> bool:
    """Numbers are not looked up anywhere; what matters is the connection."""
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True


def _which(program: str) -> str:
    for folder in os.environ.get("PATH", "").split(os.pathsep):
        candidate = os.path.join(folder, program)
        if os.access(candidate, os.X_OK):
            return candidate
    return program
