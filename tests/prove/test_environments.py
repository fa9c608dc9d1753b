"""Making, keeping and naming environments; the installer is a script of the tests' own."""

from __future__ import annotations

import json
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from chatport.port.prove import environments
from chatport.port.prove.environments import MARKER, Side, UnusableEnvironmentError, ensure, given

INSTALLER = """\
#!{python}
import os, pathlib, sys
with open({log!r}, "a") as log:
    print(sys.argv[1], "SECRET" in os.environ, file=log)
if sys.argv[1] == "venv":
    python = pathlib.Path(sys.argv[-1], "bin", "python")
    python.parent.mkdir(parents=True)
    python.write_text("#!/bin/sh\\necho 9.9.9\\n")
    python.chmod(0o755)
elif {fails}:
    sys.exit("error: https://user:password@index.example/simple said no")
"""


@pytest.fixture
def log(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    return install_with(tmp_path, monkeypatch, fails=False)


def install_with(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, fails: bool) -> Path:
    log, uv = tmp_path / "log", tmp_path / "uv"
    uv.write_text(INSTALLER.format(python=sys.executable, log=str(log), fails=fails))
    uv.chmod(0o755)
    monkeypatch.setattr(environments.shutil, "which", lambda name: str(uv))
    monkeypatch.setenv("SECRET", "x")
    return log


def test_an_environment_is_made_once_without_our_secrets(log: Path, tmp_path: Path) -> None:
    first = ensure("genai3", tmp_path / "envs")
    second = ensure("genai3", tmp_path / "envs")
    assert first == second
    assert (first.side, first.version) == (Side.NEW, "9.9.9")
    assert log.read_text().splitlines() == ["venv False", "pip False"]


def test_parallel_workers_share_one(log: Path, tmp_path: Path) -> None:
    with ThreadPoolExecutor(4) as pool:
        made = set(pool.map(lambda _: ensure("genai3", tmp_path / "envs"), range(4)))
    assert len(made) == 1
    assert len(log.read_text().splitlines()) == 2


def test_other_requirements_make_it_anew(log: Path, tmp_path: Path) -> None:
    ensure("genai3", tmp_path / "envs")
    marker = tmp_path / "envs" / "genai3" / MARKER
    marker.write_text(json.dumps({**json.loads(marker.read_text()), "requirements": ["older"]}))
    ensure("genai3", tmp_path / "envs")
    assert len(log.read_text().splitlines()) == 4


def test_another_python_keeps_its_own_beside_ours(log: Path, tmp_path: Path) -> None:
    theirs = tmp_path / "envs" / "genai3"
    ensure("genai3", tmp_path / "envs")
    marker = json.loads((theirs / MARKER).read_text()) | {"for": [3, 99], "version": "theirs"}
    (theirs / MARKER).write_text(json.dumps(marker))
    made = {ensure("genai3", tmp_path / "envs") for _ in range(2)}
    (own,) = {one.python.parent.parent for one in made}
    assert own.name == f"genai3-{sys.version_info.major}.{sys.version_info.minor}"
    assert json.loads((theirs / MARKER).read_text())["version"] == "theirs"
    assert len(log.read_text().splitlines()) == 4


def test_a_failure_names_the_remedy_and_no_address(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    install_with(tmp_path, monkeypatch, fails=True)
    with pytest.raises(UnusableEnvironmentError) as problem:
        ensure("legacy", tmp_path / "envs")
    assert "--legacy-python" in str(problem.value)
    assert "said no" in str(problem.value)
    assert "example" not in str(problem.value)
    assert not (tmp_path / "envs" / "legacy" / MARKER).exists()


def test_one_that_is_there_is_used_where_nothing_can_be_written(log: Path, tmp_path: Path) -> None:
    folder = tmp_path / "envs"
    made = ensure("genai3", folder)
    (folder / "genai3.lock").unlink()
    (folder / "genai3.lock").mkdir()  # root may write into what is read-only, but not into this
    assert ensure("genai3", folder) == made


def test_making_one_is_told_and_using_it_is_not(log: Path, tmp_path: Path) -> None:
    told: list[str] = []
    for _ in range(2):
        ensure("genai3", tmp_path / "envs", told.append)
    (sentence,) = told
    assert "google-genai" in sentence
    assert str(tmp_path / "envs" / "genai3") in sentence


def test_a_folder_that_cannot_be_made_is_an_error_with_remedies(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(UnusableEnvironmentError, match="--new-python") as problem:
        ensure("genai3", tmp_path / "file" / "envs")
    assert "CHATPORT_ENVS" in str(problem.value)


def test_a_user_without_a_home_is_told_to_name_a_folder(monkeypatch: pytest.MonkeyPatch) -> None:
    def nowhere() -> Path:
        raise RuntimeError("Could not determine home directory.")

    monkeypatch.setattr(Path, "home", nowhere)
    for variable in ("CHATPORT_ENVS", "XDG_CACHE_HOME"):
        monkeypatch.delenv(variable, raising=False)
    with pytest.raises(UnusableEnvironmentError, match="CHATPORT_ENVS"):
        ensure("genai3")


def test_a_given_interpreter_must_have_the_sdk() -> None:
    with pytest.raises(UnusableEnvironmentError, match="has no google-generativeai"):
        given(Side.LEGACY, Path(sys.executable))
    with pytest.raises(UnusableEnvironmentError, match="does not start"):
        given(Side.NEW, Path("/no/such/python"))
