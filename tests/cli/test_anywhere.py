"""Wherever it runs: with and without a terminal, without colour, in 80 columns, in a pipe that
nobody reads, on a full disk, and in folders with names of all kinds."""

from __future__ import annotations

import fcntl
import os
import pty
import re
import struct
import subprocess
import sys
import termios
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from chatport.port.prove.environments import ensure
from tests.cli.test_interactive import PROGRAM
from tests.prove.workers import FOLDER

HELD_BACK = PROGRAM + "genai.create_tuned_model(source_model='models/gemini-1.0-pro-001')\n"
COMMANDS = {
    "": 2,
    "--help": 0,
    "--version": 0,
    "check": 1,
    "check --format json": 1,
    "check --format markdown": 1,
    "fix": 1,
    "fix --write": 1,
    "fix --interactive": 2,
    "explain": 0,
    "explain history_write": 0,
    "packs": 0,
    "undo": 2,
    "models": 0,
    "ask -m echo Grüße": 0,
    "ask -m nobody hello": 2,
    "completion bash": 0,
    "chekc": 2,
}
"""What is run, and how it ends, on a folder of which one file is ported and one is held back."""
PLAIN = {
    "without colour": {"NO_COLOR": "1", "TERM": "xterm-256color"},
    "on a dumb terminal": {"TERM": "dumb"},
}


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    root = tmp_path / "mein Lädchen 店"
    root.mkdir()
    (root / "füllen.py").write_text(PROGRAM)
    (root / "tune it.py").write_text(HELD_BACK)
    return root


def environment(**more: str) -> dict[str, str]:
    """That of a user without keys, settings and colours."""
    own = {name: value for name, value in os.environ.items() if "KEY" not in name}
    for name in ("NO_COLOR", "FORCE_COLOR", "CHATPORT_MODEL", "COLUMNS", "PYTHONDEVMODE"):
        own.pop(name, None)
    return {**own, **more}


def words(command: str) -> list[str]:
    return [sys.executable, "-m", "chatport", *command.split()]


def on_a_terminal(command: str, folder: Path, more: Mapping[str, str]) -> tuple[int, str]:
    """How a command ends on a terminal of 80 columns, and what is seen there."""
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
    with subprocess.Popen(
        words(command),
        cwd=folder,
        env=environment(**more),
        stdin=subprocess.DEVNULL,
        stdout=theirs,
        stderr=theirs,
    ) as process:
        os.close(theirs)
        seen = b""
        while True:
            try:
                piece = os.read(ours, 1 << 16)
            except OSError:  # how Linux says that the other side is closed
                break
            if not piece:
                break
            seen += piece
        os.close(ours)
    return process.returncode, seen.decode()


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize("more", PLAIN.values(), ids=PLAIN)
def test_on_a_terminal_without_colours_nothing_moves_it(
    shop: Path, command: str, more: Mapping[str, str]
) -> None:
    code, seen = on_a_terminal(command, shop, more)
    assert code == COMMANDS[command]
    assert "Traceback" not in seen
    assert "internal error" not in seen
    assert not re.search(r"\x1b\[[\d;]*m", seen)


@pytest.mark.parametrize("command", ["check", "fix"])
def test_a_report_fits_80_columns(shop: Path, command: str) -> None:
    _, seen = on_a_terminal(command, shop, {"TERM": "xterm"})
    table = [line for line in seen.splitlines() if not re.match(r"\x1b\[\d+m[-+]", line)]
    lines = [re.sub(r"\x1b\[[\d;?]*[A-Za-z]", "", line) for line in table]
    assert any("mein Lädchen" in line or "füllen.py" in line for line in lines)
    assert max(map(len, (line for line in lines if line[:1] not in "+- "))) <= 80


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize("locale", ["C", "C.UTF-8"])
def test_in_a_pipe_it_is_plain(shop: Path, command: str, locale: str) -> None:
    done = subprocess.run(
        words(command),
        cwd=shop,
        env=environment(LC_ALL=locale, PYTHONUTF8="0", PYTHONCOERCECLOCALE="0"),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        check=False,
    )
    assert done.returncode == COMMANDS[command]
    assert b"\x1b" not in done.stdout + done.stderr
    assert b"Traceback" not in done.stderr
    assert b"internal error" not in done.stderr


@pytest.mark.parametrize("command", COMMANDS)
def test_a_reader_that_stops_reading_ends_it_quietly(shop: Path, command: str) -> None:
    with subprocess.Popen(
        words(command),
        cwd=shop,
        env=environment(),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as process:
        assert process.stdout is not None
        process.stdout.close()
        assert process.stderr is not None
        told = process.stderr.read()
    assert process.returncode in (2, COMMANDS[command])
    assert b"Traceback" not in told
    assert b"BrokenPipe" not in told
    assert b"internal error" not in told


@pytest.mark.parametrize("command", ["--version", "check", "explain", "ask -m echo hello"])
def test_a_full_disk_is_told(shop: Path, command: str) -> None:
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run(
            words(command), cwd=shop, stdout=full, stderr=subprocess.PIPE, check=False
        )
        assert done.returncode == 2
        assert b"Traceback" not in done.stderr
        told = b"chatport: error: the output cannot be written (No space left on device)"
        assert command == "--version" or told in done.stderr
        deaf = subprocess.run(words("check nothing"), cwd=shop, stderr=full, check=False)
    assert deaf.returncode == 2


@pytest.mark.parametrize("closed", ["<&-", ">&-", "2>&-", "<&- >&- 2>&-"])
@pytest.mark.parametrize("command", ["check", "ask -m echo hello", "chekc"])
def test_streams_may_be_closed(shop: Path, command: str, closed: str) -> None:
    line = f"'{sys.executable}' -m chatport {command} {closed}"
    done = subprocess.run(
        ["/bin/sh", "-c", line], cwd=shop, env=environment(), capture_output=True, check=False
    )
    assert done.returncode == COMMANDS.get(command, 0)
    assert b"Traceback" not in done.stderr
    assert b"internal error" not in done.stderr


def as_a_user(*command: str | Path, folder: Path, **more: str) -> subprocess.CompletedProcess[str]:
    """Run as somebody who may write only where it is allowed: root loses what lets it do more."""
    bare = ["setpriv", "--bounding-set", "-all"] if os.geteuid() == 0 else []
    return subprocess.run(
        [*bare, sys.executable, "-m", "chatport", *command],
        cwd=folder,
        env=environment(**more),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.fixture
def checkout(shop: Path) -> Iterator[Path]:
    """The shop in git, all of it read-only."""
    (shop / "tune it.py").unlink()
    for line in ("init -q", "add -A", "-c user.name=A -c user.email=a@b.org commit -qm A"):
        subprocess.run(["git", *line.split()], cwd=shop, check=True)
    everything = [shop, *shop.rglob("*")]
    for path in everything:
        path.chmod(path.stat().st_mode & ~0o222)
    yield shop
    for path in everything:
        path.chmod(path.stat().st_mode | 0o200)


def test_a_read_only_checkout_is_checked_and_proven(checkout: Path) -> None:
    before = {path: path.read_bytes() for path in checkout.rglob("*") if path.is_file()}
    done = as_a_user("check", folder=checkout)
    assert (done.returncode, done.stderr) == (1, "")
    assert "1 file can be ported whole, 0 held back." in done.stdout
    for name in ("legacy", "genai3"):
        ensure(name, FOLDER)
    done = as_a_user("prove", ".", folder=checkout, CHATPORT_ENVS=str(FOLDER))
    assert (done.returncode, done.stderr) == (0, "")
    assert "same       füllen.py  (1 request)" in done.stdout
    assert before == {path: path.read_bytes() for path in checkout.rglob("*") if path.is_file()}


@pytest.mark.parametrize(
    ("command", "said"),
    [
        ("fix --write", "füllen.py: is read-only; make it writable, or leave it out of the paths"),
        ("check --output a", "a: cannot be written (Permission denied); choose another --output"),
        (
            "check --baseline a --update-baseline",
            "a: cannot be written (Permission denied); choose another --baseline",
        ),
        ("prove --init", "chatport_driver.py: cannot be written (Permission denied); stand in a"),
    ],
)
def test_what_a_read_only_checkout_does_not_allow_is_told(
    checkout: Path, command: str, said: str
) -> None:
    done = as_a_user(*command.split(), folder=checkout)
    assert done.returncode == 2
    assert done.stderr.startswith(f"chatport: error: {said}")
