"""What runs inside the interpreter of a program under proof.

This folder is put on the path of the interpreters of both environments; chatport itself never
imports it. It keeps to the standard library and to Python 3.9, the oldest a legacy environment may
have.
"""

from __future__ import annotations

import json
import os
import sys
from typing import Any

VARIABLE = "CHATPORT_PROVE"
"""Holds the settings of a run, as JSON, for every Python process of the program."""


class Settings:
    """What a run allows and where it is recorded.

    `server` is the address of the loopback server; `root` the program's folder; `fallback` the
    folders in which modules are looked for last; `writable` the folders it may write to; `notes`
    the file that refusals are appended to; `started` the file that grows with each process;
    `traced` the files whose executed lines are appended to `lines`.
    """

    def __init__(self, values: dict[str, Any]) -> None:
        self.server: str = values["server"]
        self.fallback: list[str] = values["fallback"]
        self.root: str = values["root"]
        self.writable: list[str] = values["writable"]
        self.notes: str = values["notes"]
        self.started: str = values["started"]
        self.lines: str = values["lines"]
        self.traced: list[str] = values["traced"]


def begin_from_environment() -> None:
    """Begin, when this process belongs to a run."""
    if text := os.environ.get(VARIABLE):
        begin(Settings(json.loads(text)))


def begin(settings: Settings) -> None:
    """Redirect the SDK, close the doors, and watch the lines. Cannot be undone in this process."""
    from chatport_prove_boot import guard, legacy, lines, new, place

    sys.path.extend(settings.fallback)
    place.begin(settings)
    # Both on either side: a tree may be ported in part, and gRPC knows nothing of the guard.
    legacy.begin(settings)
    new.begin(settings)
    lines.begin(settings)
    guard.begin(settings)
