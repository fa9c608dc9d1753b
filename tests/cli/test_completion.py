"""`chatport completion`: what a shell offers after the script is read."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from chatport.cli.app import COMMANDS
from tests.cli.conftest import Command


def offered(script: str, folder: Path, *words: str) -> set[str]:
    """What bash offers for the last of the words."""
    line = " ".join(f'"{word}"' for word in words)
    asks = f"COMP_WORDS=({line}); COMP_CWORD={len(words) - 1}; _shtab_chatport; "
    done = subprocess.run(
        [
            "bash",
            "--noprofile",
            "--norc",
            "-c",
            f'{script}\n{asks}printf "%s\\n" "${{COMPREPLY[@]}}"',
        ],
        cwd=folder,
        capture_output=True,
        text=True,
        check=True,
    )
    return {word.strip() for word in done.stdout.splitlines()} - {""}


@pytest.mark.parametrize(
    ("words", "some"),
    [
        (("chatport", ""), set(COMMANDS)),
        (("chatport", "ch"), {"check"}),
        (("chatport", "explain", "history_w"), {"history_write"}),
        (("chatport", "check", "--form"), {"--format"}),
        (("chatport", "check", "--format", "s"), {"sarif"}),
        (("chatport", "check", "--only", "history_w"), {"history_write"}),
        (("chatport", "fix", "--select", "model_"), {"model_calls"}),
        (("chatport", "check", "a."), {"a.py"}),
    ],
)
def test_bash_offers(
    chatport: Command, project: Path, words: tuple[str, ...], some: set[str]
) -> None:
    script = chatport("completion", "bash")
    assert script.code == 0
    assert offered(script.out, project, *words) >= some


@pytest.mark.parametrize("shell", ["zsh", "fish", "tcsh", "powershell"])
def test_other_shells_have_their_scripts(chatport: Command, shell: str) -> None:
    result = chatport("completion", shell)
    assert result.code == 0
    assert "history_write" in result.out


def test_an_unknown_shell_is_an_error(chatport: Command) -> None:
    assert chatport("completion", "sh").code == 2
