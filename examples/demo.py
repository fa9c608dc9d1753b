"""Ports examples/assistant before your eyes, runs the result and proves it: what `make demo` does.

Everything happens in a scratch folder and against a server on this machine: no key is needed, no
model is asked, and examples/assistant stays as it is.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path

from chatport.port.prove.environments import (
    FOLDER_VARIABLE,
    Environment,
    UnusableEnvironmentError,
    ensure,
)
from chatport.testing.gemini_server import gemini_server

HERE = Path(__file__).resolve().parent
ENVIRONMENTS = HERE.parent / ".envs"
SECONDS = 300
STEPS = 6


class StepFailedError(Exception):
    """A step of the demonstration did not do what it says; the message names it."""


def main() -> int:
    """Run the steps in order; 1 when one fails."""
    try:
        with tempfile.TemporaryDirectory(prefix="chatport-demo-") as scratch:
            demonstrate(Path(scratch))
    except (StepFailedError, UnusableEnvironmentError) as failure:
        print(f"\nThe demonstration stopped: {failure}", file=sys.stderr)
        return 1
    print("\nThat was all. Yours next:  .venv/bin/chatport check path/to/your/repository")
    return 0


def demonstrate(scratch: Path) -> None:
    """All steps, in a folder of their own."""
    say(1, "A small program that still uses google-generativeai:")
    program = scratch / "assistant"
    shutil.copytree(HERE / "assistant", program, ignore=shutil.ignore_patterns("__pycache__"))
    for path in sorted(program.rglob("*")):
        if path.is_file():
            print(f"    {path.relative_to(scratch)}")

    say(2, "Where does it use the old SDK, and what can be ported?", "chatport check assistant")
    chatport("check", "assistant", cwd=scratch, expected=(0, 1))

    say(3, "The ported code, as a diff. Nothing is written yet.", "chatport fix assistant")
    # Its notes go to the error stream, and are those of the next step again.
    chatport("fix", "assistant", cwd=scratch, notes=False)

    say(4, "Now written.", "chatport fix --write assistant")
    chatport("fix", "--write", "assistant", cwd=scratch)

    environment = new_sdk()
    say(5, f"The ported program, on google-genai {environment.version}:", "python main.py")
    print(
        "    (a server on this machine stands in for the model and repeats what it is told)\n",
        flush=True,
    )
    run_ported(program, environment)

    say(6, "Do the old and the new program ask the same?", "chatport prove examples/assistant")
    print("    (the old SDK is installed once, into .envs)", flush=True)
    variables = {**os.environ, FOLDER_VARIABLE: str(ENVIRONMENTS)}
    chatport("prove", "examples/assistant", cwd=HERE.parent, variables=variables)


def say(step: int, what: str, command: str = "") -> None:
    """Announce a step, and the command that a person would type for it."""
    print(f"\n[{step}/{STEPS}] {what}" + (f"\n    $ {command}" if command else ""), flush=True)


def chatport(
    *arguments: str,
    cwd: Path,
    expected: Sequence[int] = (0,),
    notes: bool = True,
    variables: Mapping[str, str] | None = None,
) -> None:
    """Run the command line as a person would; its output goes where ours goes."""
    done = subprocess.run(
        [sys.executable, "-m", "chatport", *arguments],
        cwd=cwd,
        env=variables,
        stderr=None if notes else subprocess.PIPE,
        text=True,
        timeout=SECONDS,
        check=False,
    )
    if done.returncode not in expected:
        print(done.stderr or "", file=sys.stderr, end="")
        raise StepFailedError(f"chatport {' '.join(arguments)} ended with {done.returncode}.")


def new_sdk() -> Environment:
    """A virtual environment with the new SDK, made the first time and kept."""
    if not (ENVIRONMENTS / "genai3").exists():
        print("\nInstalling google-genai into .envs, once ...", flush=True)
    return ensure("genai3", ENVIRONMENTS)


def run_ported(program: Path, environment: Environment) -> None:
    """Run the ported program and say what it asked."""
    with gemini_server() as server:
        done = subprocess.run(
            [str(environment.python), "main.py"],
            cwd=program,
            env={
                "PATH": os.environ.get("PATH", os.defpath),
                "GOOGLE_API_KEY": "any-key",
                "GOOGLE_GEMINI_BASE_URL": server.url,
                "NO_PROXY": "*",
                "PYTHONUNBUFFERED": "1",
            },
            timeout=SECONDS,
            check=False,
        )
        asked = Counter(exchange.method for exchange in server.exchanges)
    if done.returncode or not asked:
        raise StepFailedError(f"the ported program ended with {done.returncode}.")
    print("\n    What it asked:")
    for method, count in sorted(asked.items()):
        print(f"    {count:4} {method}")


if __name__ == "__main__":
    sys.exit(main())
