"""Records which lines of the program's changed files are executed.

A line is appended to the record the first time it runs, so the record is right even when the
process is killed. Where Python has `sys.monitoring` (3.12) a line costs nothing after that; before,
only frames of the traced files are followed.
"""

from __future__ import annotations

import os
import sys
import threading
from types import CodeType, FrameType
from typing import Any

from chatport_prove_boot.place import whole


def begin(settings: Any) -> None:
    """Follow the traced files of the settings, if there are any."""
    if not settings.traced:
        return
    files = {os.path.realpath(name): index for index, name in enumerate(settings.traced)}
    record = os.open(settings.lines, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o644)
    seen: set[tuple[int, int]] = set()

    def note(name: str, number: int) -> None:
        key = (files[name], number)
        if key not in seen:
            seen.add(key)
            os.write(record, f"{key[0]} {number}\n".encode())

    if sys.version_info >= (3, 12):
        _monitor(files, note)
    else:
        _trace(files, note)


def _trace(files: dict[str, int], note: Any) -> None:
    def inside(frame: FrameType, event: str, argument: Any) -> Any:
        if event == "line":
            note(whole(frame.f_code.co_filename), frame.f_lineno)
        return inside

    def outside(frame: FrameType, event: str, argument: Any) -> Any:
        return inside if whole(frame.f_code.co_filename) in files else None

    threading.settrace(outside)
    sys.settrace(outside)


def _monitor(files: dict[str, int], note: Any) -> None:
    monitoring: Any = sys.monitoring  # type: ignore[attr-defined,unused-ignore]

    def on_line(code: CodeType, number: int) -> Any:
        name = whole(code.co_filename)
        if name in files:
            note(name, number)
        return monitoring.DISABLE

    tool = monitoring.OPTIMIZER_ID
    monitoring.use_tool_id(tool, "chatport prove")
    monitoring.register_callback(tool, monitoring.events.LINE, on_line)
    monitoring.set_events(tool, monitoring.events.LINE)
