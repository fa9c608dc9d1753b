"""`chatport fleet` from the command line, also when it is killed in the middle."""

from __future__ import annotations

import contextlib
import signal
import socket
import sqlite3
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.cli.conftest import Command
from tests.cli.conftest import chatport as chatport
from tests.fleet.repositories import HELD, LEGACY, committed, repository

MANY = 30


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def listed(here: Path, *sources: str) -> str:
    (here / "repos.txt").write_text("".join(f"{source}\n" for source in sources))
    return "repos.txt"


def rows(here: Path, sql: str) -> list[tuple[object, ...]]:
    base = sqlite3.connect(here / "fleet.sqlite")
    found = base.execute(sql).fetchall()
    base.close()
    return found


def test_a_list_is_planned_into_a_ledger_and_a_page(chatport: Command, here: Path) -> None:
    repository(here / "whole", a=LEGACY)
    repository(here / "held", a=HELD)
    repository(here / "clean", a="x = 1\n")
    url = committed(repository(here / "remote", a=LEGACY, b=HELD))
    done = chatport("fleet", listed(here, "whole", "held", "clean", url), "--html", "fleet.html")
    assert done.code == 1, done
    assert "4 repositories: 4 planned, 0 failed." in done.out
    assert "3 hold legacy code: 1 can be ported whole, 1 in part, 1 are held back" in done.out
    assert "All of it is in fleet.sqlite, an overview in fleet.html." in done.out
    assert rows(here, "SELECT legacy_files, ported, refused FROM repository") == [
        (1, 1, 0),
        (1, 0, 1),
        (0, 0, 0),
        (2, 1, 1),
    ]
    assert url in (here / "fleet.html").read_text()


def test_a_file_that_could_not_be_read_is_told(chatport: Command, here: Path) -> None:
    repository(here / "whole", a=LEGACY, b="import google.generativeai\ndef f(:\n")
    done = chatport("fleet", listed(here, "whole"), "--html", "fleet.html")
    assert "1 file could not be read; the table `problem` says why." in done.out
    assert "<strong>1</strong> could not be read." in (here / "fleet.html").read_text()


def test_the_patch_in_the_ledger_is_what_git_takes(chatport: Command, here: Path) -> None:
    root = repository(here / "whole", a=LEGACY)
    chatport("fleet", listed(here, "whole"))
    [(patch,)] = rows(here, "SELECT patch FROM repository")
    subprocess.run(["git", "apply"], input=patch, cwd=root, check=True)
    assert "from google import genai" in (root / "a.py").read_text()


def test_nothing_to_port_ends_with_0(chatport: Command, here: Path) -> None:
    repository(here / "clean", a="x = 1\n")
    assert chatport("fleet", listed(here, "clean")).code == 0


def test_one_that_fails_is_named_and_the_others_go_on(chatport: Command, here: Path) -> None:
    repository(here / "whole", a=LEGACY)
    done = chatport("fleet", listed(here, "nowhere", "whole"))
    assert done.code == 2
    assert f"failed: {here}/nowhere: there is no folder {here}/nowhere" in done.out
    assert "1 can be ported whole" in done.out
    repository(here / "nowhere", a=LEGACY)
    assert chatport("fleet", "repos.txt").code == 2
    done = chatport("fleet", "repos.txt", "--retry")
    assert done.code == 1
    assert "2 can be ported whole" in done.out


def test_a_second_run_plans_only_what_is_new(chatport: Command, here: Path) -> None:
    repository(here / "one", a=LEGACY)
    chatport("fleet", listed(here, "one"))
    before = rows(here, "SELECT * FROM repository")
    (here / "one" / "a.py").unlink()
    repository(here / "two", a=LEGACY)
    done = chatport("fleet", listed(here, "one", "two"))
    assert "going on with fleet.sqlite: 1 of 2 are done" in done.err
    assert rows(here, "SELECT * FROM repository WHERE id = 1") == before


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["nowhere.txt"], "nowhere.txt: there is no such list; check the path"),
        (["bad.txt"], "bad.txt: line 1: a password does not belong into a list"),
        (["bytes.txt"], "bytes.txt: this is not UTF-8"),
        (["none.txt", "--workers", "0"], "no whole number above 0"),
        (["none.txt", "--ledger", "bad.txt"], "bad.txt: this is no ledger"),
        (["none.txt", "--ledger", "nowhere/x"], "nowhere/x: cannot be written"),
        (["none.txt", "--html", "nowhere/x"], "choose another --html"),
    ],
)
def test_what_cannot_be_done_is_told(
    words: list[str], said: str, chatport: Command, here: Path
) -> None:
    (here / "bad.txt").write_text("https://me:secret@git.example.org/shop\n")
    (here / "bytes.txt").write_bytes(b"\xff\n")
    (here / "none.txt").write_text("")
    done = chatport("fleet", *words)
    assert done.code == 2
    assert said in done.err
    assert words != ["nowhere.txt"] or not (here / "fleet.sqlite").exists()
    assert "secret" not in done.err + done.out
    assert "Traceback" not in done.err


def test_a_run_that_is_killed_goes_on_and_does_nothing_twice(here: Path) -> None:
    for number in range(MANY):
        repository(here / f"r{number}", a=LEGACY)
    listed(here, *(f"r{number}" for number in range(MANY)))
    command = [sys.executable, "-m", "chatport", "fleet", "repos.txt", "--workers", "2"]
    first = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    wait_for(here, 5)
    first.send_signal(signal.SIGKILL)
    first.wait()
    before = dict(rows(here, "SELECT id, finished || seconds FROM repository WHERE seconds"))
    assert len(before) >= 5
    done = subprocess.run(command, check=False, capture_output=True, text=True)
    assert done.returncode == 1, done.stderr
    after = dict(rows(here, "SELECT id, finished || seconds FROM repository WHERE seconds"))
    assert len(after) == MANY
    assert before.items() <= after.items()
    assert rows(here, "SELECT count(*), count(DISTINCT repository) FROM file") == [(MANY, MANY)]


def test_a_run_that_is_interrupted_ends_and_says_how_to_go_on(here: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        repository(here / "r", a=LEGACY)
        listed(here, "r", f"git://127.0.0.1:{silent.getsockname()[1]}/never.git", "r")
        command = [sys.executable, "-m", "chatport", "fleet", "repos.txt", "--workers", "1"]
        run = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
        wait_for(here, 1)
        run.send_signal(signal.SIGINT)
        _, err = run.communicate(timeout=60)
    assert run.returncode == 130
    assert "the same command goes on from here" in err
    assert "Traceback" not in err


def wait_for(here: Path, count: int) -> None:
    """Until the ledger has so many that are done."""
    until = time.monotonic() + 60
    while time.monotonic() < until:
        time.sleep(0.01)
        if (here / "fleet.sqlite").exists():
            with contextlib.suppress(sqlite3.OperationalError):  # its tables are not there yet
                [(done,)] = rows(here, "SELECT count(*) FROM repository WHERE seconds NOT NULL")
                if isinstance(done, int) and done >= count:
                    return
    raise AssertionError("the run does not come forward")
