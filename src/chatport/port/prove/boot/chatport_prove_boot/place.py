"""Where in the program a request comes from: the headers that say so.

The line is that of the innermost frame in the program's own folder. The task tells apart requests
that may be on their way at the same time, whose order therefore means nothing.
"""

from __future__ import annotations

import asyncio
import functools
import os
import sys
import threading
import urllib.parse
from typing import Any

LINE_HEADER = "x-chatport-line"
TASK_HEADER = "x-chatport-task"
ASYNC_HEADER = "x-chatport-async"
HOST_HEADER = "x-chatport-host"
DEADLINE_HEADER = "x-chatport-deadline"

_root = ""
_tasks: list[Any] = []
_lock = threading.Lock()


def begin(settings: Any) -> None:
    """Remember which folder is the program's."""
    global _root
    _root = settings.root.rstrip("/") + "/"


@functools.cache
def whole(filename: str) -> str:
    """The absolute name of a code object's file; asked first while the folder is still the same."""
    return os.path.abspath(filename)


def headers(*, asynchronous: bool) -> dict[str, str]:
    """The place of the call under way, and whether it leaves the event loop free."""
    # A name of a file may hold what no header can: it is sent as addresses are.
    told = urllib.parse.quote(os.fsencode(line()), safe="/:")
    return {LINE_HEADER: told, TASK_HEADER: task(), ASYNC_HEADER: str(int(asynchronous))}


def line() -> str:
    """`file:line`, relative to the program's folder; empty when no frame is in it."""
    frame: Any = sys._getframe(1)
    while frame is not None:
        name = whole(frame.f_code.co_filename)
        if name.startswith(_root):
            return f"{name[len(_root) :]}:{frame.f_lineno}"
        frame = frame.f_back
    return ""


def line_of(error: BaseException) -> str:
    """The innermost line of the program in an exception's traceback."""
    found = ""
    trace = error.__traceback__
    while trace is not None:
        name = whole(trace.tb_frame.f_code.co_filename)
        if name.startswith(_root):
            found = f"{name[len(_root) :]}:{trace.tb_lineno}"
        trace = trace.tb_next
    return found


def task() -> str:
    """A small number for the current task, or the current thread outside of one."""
    try:
        current: Any = asyncio.current_task()
    except RuntimeError:
        current = None
    current = current or threading.current_thread()
    with _lock:
        # Kept alive: the address of a finished task would be given to the next one.
        for index, known in enumerate(_tasks):
            if known is current:
                return str(index)
        _tasks.append(current)
        return str(len(_tasks) - 1)
