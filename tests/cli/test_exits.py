"""How each command ends, as docs/commands.md says it."""

from __future__ import annotations

import io
import sys
from pathlib import Path

import pytest

from tests.cli.conftest import Command
from tests.cli.test_interactive import PROGRAM

HELD_BACK = PROGRAM + "genai.create_tuned_model(source_model='m')\n"
BROKEN = "import google.generativeai as genai (\n"

ROWS = [
    ("check .", "print()\n", 0),
    ("check .", PROGRAM, 1),
    ("check .", BROKEN, 2),
    ("check . --only no_such", PROGRAM, 2),
    ("check . --baseline no-such.json", PROGRAM, 2),
    ("check . --baseline new.json --update-baseline", PROGRAM, 0),
    ("check no-such.py", PROGRAM, 2),
    ("fix .", "print()\n", 0),
    ("fix .", PROGRAM, 0),
    ("fix .", HELD_BACK, 1),
    ("fix . --write", PROGRAM, 0),
    ("fix . --write", HELD_BACK, 1),
    ("fix . --write --atomic site", HELD_BACK, 1),
    ("fix . --write", BROKEN, 2),
    ("fix . --write --only embed_batch", PROGRAM, 2),
    ("fix . --commit", PROGRAM, 2),
    ("explain", "", 0),
    ("explain history_write", "", 0),
    ("explain no_such", "", 2),
    ("packs", "", 0),
    ("packs no-such", "", 2),
    ("undo", "", 2),
    ("ask -m echo hello", "", 0),
    ("ask -m no-such hello", "", 2),
    ("completion bash", "", 0),
    ("completion no-such", "", 2),
    ("prove . --driver no-such.py", PROGRAM, 2),
    ("prove .", "print()\n", 0),
    ("prove .", "import google.generativeai as genai\ngenai.create_tuned_model(x=1)\n", 1),
    ("prove --init", "", 0),
    ("no-such-command", "", 2),
]


@pytest.mark.parametrize(("line", "program", "code"), ROWS)
def test_a_command_ends_as_its_table_says(
    chatport: Command,
    project: Path,
    monkeypatch: pytest.MonkeyPatch,
    line: str,
    program: str,
    code: int,
) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO())
    (project / "a.py").write_text(program)
    result = chatport(*line.split())
    assert result.code == code
    if code == 2:
        assert result.err, "whoever is turned away is told why"
