"""Whoever types what docs/tutorial-port.md says sees what it shows."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.prove.workers import FOLDER, ensure

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "tutorial-port.md").read_text(encoding="utf-8")
BLOCK = re.compile(r"^```(console|python)\n(.*?)^```$", re.DOTALL | re.MULTILINE)
VERSION = re.compile(r"\d+\\\.\d+\\\.\d+")
"""As `re.escape` writes it."""
ANYTHING = "..."
END = "--- end of the output of a command ---"


def test_its_commands_print_what_it_shows(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for environment in ("legacy", "genai3"):
        ensure(environment, FOLDER)
    monkeypatch.setenv("CHATPORT_ENVS", str(FOLDER))
    monkeypatch.setenv("PATH", str(Path(sys.executable).parent), prepend=":")
    monkeypatch.setenv("COLUMNS", "200")
    clone = tmp_path / "clone"
    shutil.copytree(ROOT / "examples", clone / "examples")
    subprocess.run(["git", "init", "--quiet", str(clone)], check=True)
    steps, shown = _session()
    run = subprocess.run(
        ["bash", "-c", "\n".join(steps)],
        cwd=clone,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    printed = run.stdout.split(f"{END}\n")[:-1]
    assert len(printed) == len(shown), run.stdout
    for (command, expected), output in zip(shown, printed, strict=True):
        assert re.fullmatch(_pattern(expected), output, re.DOTALL), f"$ {command}\n{output}"


def _session() -> tuple[list[str], list[tuple[str, str]]]:
    """The page as lines for a shell, and what its commands are shown to print."""
    steps: list[str] = []
    shown: list[tuple[str, str]] = []
    for kind, text in BLOCK.findall(PAGE):
        if kind == "python":
            file = text.split("\n", 1)[0].removeprefix("# ")
            steps.append(f"cat > {file} <<'END OF FILE'\n{text}END OF FILE")
            continue
        for part in re.split(r"^\$ ", text, flags=re.MULTILINE)[1:]:
            command, _, output = part.partition("\n")
            steps += [command, f"echo '{END}'"]
            shown.append((command, output))
    return steps, shown


def _pattern(expected: str) -> str:
    """A line of three dots stands for any number of lines, a version for any version."""
    lines = (
        r"(?:.*\n)?" if line.strip() == ANYTHING else VERSION.sub(r"[\\d.]+", re.escape(line))
        for line in expected.splitlines(keepends=True)
    )
    return "".join(lines)
