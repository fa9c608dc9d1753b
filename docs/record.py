"""Writes docs/session.svg, the terminal session of the README: python docs/record.py [FILE].

The commands are run for real, on a copy of examples/assistant, each in a terminal of its own (a
pseudo-terminal), and what they print is drawn as it is. The proof needs .envs (make envs).
"""

from __future__ import annotations

import io
import os
import pty
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path

from rich.console import Console
from rich.terminal_theme import MONOKAI
from rich.text import Text

ROOT = Path(__file__).resolve().parents[1]
PICTURE = ROOT / "docs" / "session.svg"
WIDTH = 100
"""Columns of the terminal."""
SESSION: Mapping[str, int] = {
    "chatport check desk": 1,
    "chatport prove .": 0,
}
"""The commands, and the exit code each has to end with."""

FONTS = re.compile(r"@font-face \{.*?\}\s*", re.DOTALL)
"""What rich lets a picture fetch; the terminal's own font is as good."""


class RecordingError(Exception):
    """A command of the session did not end well; the message has what it printed."""


def record() -> str:
    """The commands and what they print, as an SVG."""
    console = Console(record=True, width=WIDTH, file=io.StringIO())
    with tempfile.TemporaryDirectory(prefix="chatport-record-") as scratch:
        program = Path(scratch) / "assistant"
        ignored = shutil.ignore_patterns("__pycache__")
        shutil.copytree(ROOT / "examples" / "assistant", program, ignore=ignored)
        for command, code in SESSION.items():
            console.print(Text.assemble(("$ ", "bold green"), (command, "bold")))
            console.print(Text.from_ansi(_printed(command, code, program).rstrip() + "\n"))
    picture = console.export_svg(title="chatport", theme=MONOKAI, unique_id="chatport")
    return FONTS.sub("", picture)


def _printed(command: str, code: int, folder: Path) -> str:
    """What a command prints on a terminal, with its colours."""
    terminal, inside = pty.openpty()
    with subprocess.Popen(
        [sys.executable, "-m", *command.split()],
        cwd=folder,
        env=_variables(),
        stdin=subprocess.DEVNULL,
        stdout=inside,
        stderr=inside,
    ) as running:
        os.close(inside)
        printed = _read(terminal).decode().replace("\r\n", "\n")
    if running.returncode != code:
        raise RecordingError(f"{command} ended with {running.returncode}:\n{printed}")
    return printed


def _read(terminal: int) -> bytes:
    """All that comes out of a terminal until nobody holds its other side."""
    parts: list[bytes] = []
    with os.fdopen(terminal, "rb", buffering=0) as end:
        try:
            while part := end.read(65536):
                parts.append(part)
        except OSError:  # how Linux says that the other side is closed
            pass
    return b"".join(parts)


def _variables() -> Mapping[str, str]:
    kept = {name: os.environ[name] for name in ("PATH", "HOME") if name in os.environ}
    return kept | {
        "CHATPORT_ENVS": str(ROOT / ".envs"),
        "COLUMNS": str(WIDTH),
        "TERM": "xterm-256color",
    }


if __name__ == "__main__":
    (Path(sys.argv[1]) if len(sys.argv) > 1 else PICTURE).write_text(record(), encoding="utf-8")
