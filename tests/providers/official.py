"""What an official SDK does with calls given as data; it runs in an environment of its own.

A call is a mapping of arguments. Bytes are written as ``{"$bytes": base64}``, so that calls can be
told to another process.
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
from chatport.port.prove.environments import ensure

ENVIRONMENTS = Path(__file__).parents[2] / ".envs"
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


def done_by(environment: str, program: Path, url: str, calls: Sequence[Any]) -> list[Any]:
    """What a program with the SDK of an environment makes of calls to an address."""
    direct = {name: value for name, value in os.environ.items() if "proxy" not in name.lower()}
    done = subprocess.run(
        [str(ensure(environment, ENVIRONMENTS).python), "-I", str(program), url],
        input=json.dumps(calls),
        env=direct,
        capture_output=True,
        text=True,
        timeout=SECONDS,
    )
    assert done.returncode == 0, done.stderr[-3000:]
    results: list[Any] = json.loads(done.stdout)
    return results
