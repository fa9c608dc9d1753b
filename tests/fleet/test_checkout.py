"""A clone is shallow, and nothing that a remote brings is run or followed."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from chatport.port.fleet.checkout import CheckoutError, clone
from tests.fleet.repositories import LEGACY, commit, committed, git, repository


def test_only_the_last_commit_comes(tmp_path: Path) -> None:
    remote = repository(tmp_path / "remote", a=LEGACY)
    url = committed(remote)
    (remote / "b.py").write_text("")
    commit(remote)
    clone(url, tmp_path / "clone")
    assert git(tmp_path / "clone", "rev-list", "--count", "HEAD").strip() == "1"
    assert {path.name for path in (tmp_path / "clone").iterdir()} == {".git", "a.py", "b.py"}


def test_a_link_leads_nowhere(tmp_path: Path) -> None:
    remote = repository(tmp_path / "remote")
    (remote / "secret.py").symlink_to("/etc/passwd")
    clone(committed(remote), tmp_path / "clone")
    found = tmp_path / "clone" / "secret.py"
    assert not found.is_symlink()
    assert found.read_text() == "/etc/passwd"


def test_no_filter_of_the_users_and_no_template_runs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ran = tmp_path / "ran"
    home = tmp_path / "home"
    (home / "template" / "hooks").mkdir(parents=True)
    hook = home / "template" / "hooks" / "post-checkout"
    hook.write_text(f"#!/bin/sh\ntouch {ran}\n")
    hook.chmod(0o755)
    (home / ".gitconfig").write_text(
        f'[init]\n\ttemplateDir = {home}/template\n[filter "lfs"]\n'
        f"\tsmudge = touch {ran}\n\trequired = true\n"
    )
    remote = repository(tmp_path / "remote", a=LEGACY)
    (remote / ".gitattributes").write_text("*.py filter=lfs\n")
    url = committed(remote)
    monkeypatch.setenv("HOME", str(home))
    clone(url, tmp_path / "clone")
    assert (tmp_path / "clone" / "a.py").read_text() == LEGACY
    assert not ran.exists()


def test_submodules_stay_away(tmp_path: Path) -> None:
    inner = committed(repository(tmp_path / "inner", a=LEGACY))
    remote = repository(tmp_path / "remote", b="")
    git(remote, "init", "--quiet")
    git(remote, "-c", "protocol.file.allow=always", "submodule", "--quiet", "add", inner, "inner")
    commit(remote)
    clone(remote.as_uri(), tmp_path / "clone")
    assert not (tmp_path / "clone" / "inner" / "a.py").exists()


@pytest.mark.parametrize("remote", ["file:///nowhere/at/all", "https://127.0.0.1:1/shop.git"])
def test_what_cannot_be_cloned_is_told_in_gits_own_words(remote: str, tmp_path: Path) -> None:
    with pytest.raises(CheckoutError, match=r"git could not clone it: fatal: "):
        clone(remote, tmp_path / "clone")


def test_settings_of_the_environment_do_not_reach_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GIT_DIR", os.fspath(tmp_path / "other"))
    clone(committed_elsewhere(tmp_path, monkeypatch), tmp_path / "clone")
    assert (tmp_path / "clone" / ".git").is_dir()
    assert not (tmp_path / "other").exists()


def committed_elsewhere(folder: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    with monkeypatch.context() as plain:
        plain.delenv("GIT_DIR")
        return committed(repository(folder / "remote", a=LEGACY))
