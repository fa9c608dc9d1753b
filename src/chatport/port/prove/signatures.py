"""Checks ported code against the google-genai that is installed: signatures, fields, attributes.

Nothing of the code is run. A call that cannot bind, a field that does not exist, an enum member
that google-genai would only invent with a warning, an attribute no response has: each is a misfit,
with its place.
"""

from __future__ import annotations

import base64
import json
import subprocess
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from chatport.port.findings import Plan
from chatport.port.prove.environments import Environment, UnusableEnvironmentError
from chatport.port.prove.running import BOOT

CHECK_SECONDS: Final = 300


@dataclass(frozen=True, slots=True, order=True)
class Misfit:
    """A place where the code does not fit the SDK. Line and column are 1-based."""

    path: str
    line: int
    column: int
    message: str


@dataclass(frozen=True, slots=True)
class Checked:
    """What was checked: the misfits, and how many calls and reads could be followed."""

    misfits: tuple[Misfit, ...]
    calls: int
    reads: int


def check_sources(sources: Mapping[str, bytes], environment: Environment) -> Checked:
    """Check files (path -> content) against the google-genai of an environment.

    Raises:
        UnusableEnvironmentError: the environment cannot run the check.
    """
    encoded = {path: base64.b64encode(content).decode() for path, content in sources.items()}
    with tempfile.TemporaryDirectory(prefix="chatport-check-") as folder:
        try:
            done = subprocess.run(
                [str(environment.python), "-m", "chatport_prove_boot.signatures"],
                input=json.dumps(encoded),
                env={"PYTHONPATH": str(BOOT), "PYTHONDONTWRITEBYTECODE": "1", "HOME": folder},
                cwd=folder,
                capture_output=True,
                text=True,
                timeout=CHECK_SECONDS,
            )
        except (OSError, subprocess.TimeoutExpired) as fault:
            raise UnusableEnvironmentError(f"{environment.name}: {fault}") from fault
    if done.returncode:
        last = (done.stderr.strip().splitlines() or ["it said nothing"])[-1]
        raise UnusableEnvironmentError(f"{environment.name} cannot check: {last}")
    found = json.loads(done.stdout)
    misfits = sorted(Misfit(*row) for row in found["problems"])
    return Checked(tuple(misfits), found["calls"], found["reads"])


def check_plan(plan: Plan, environment: Environment) -> Checked:
    """Check every Python file that a plan would write."""
    return check_sources(
        {
            change.path: change.after
            for change in plan.changes()
            if change.after is not None and change.path.endswith(".py")
        },
        environment,
    )
