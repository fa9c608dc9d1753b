"""What an official SDK sends for calls given as data; the SDK runs in an interpreter that has it.

A call is the keyword arguments of the SDK's method. Bytes are written as ``{"$bytes": base64}``, so
that calls can be told to another process.
"""

from __future__ import annotations

import base64
import json
import os
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from chatport.chat import Request

SECONDS = 180


@dataclass(frozen=True)
class Case:
    """The same request twice: as ours, and as the arguments of the SDK's method."""

    name: str
    ours: Request
    theirs: dict[str, Any]


def data(content: bytes) -> dict[str, str]:
    """Bytes among the arguments of a call."""
    return {"$bytes": base64.b64encode(content).decode()}


def send(python: Path | str, program: Path, url: str, calls: Sequence[dict[str, Any]]) -> None:
    """Have a program make all calls at an address; what it says on failing is the error."""
    quiet = {name: value for name, value in os.environ.items() if "proxy" not in name.lower()}
    done = subprocess.run(
        [str(python), "-I", str(program), url],
        input=json.dumps(calls),
        env=quiet,
        capture_output=True,
        text=True,
        timeout=SECONDS,
    )
    assert done.returncode == 0, done.stderr[-3000:]
