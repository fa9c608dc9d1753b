"""The two copies: what is in them, and what is not."""

from __future__ import annotations

from pathlib import Path

import pytest

from chatport.port.findings import FilePlan, Plan, Status
from chatport.port.prove import trees
from chatport.port.prove.trees import TooLargeError, copies
from tests.prove.plans import plan_of, write


def names(root: Path) -> set[str]:
    return {path.relative_to(root).as_posix() for path in root.rglob("*") if path.is_file()}


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    root = tmp_path / "project"
    for name in ("app.py", "data/prompt.txt", "secrets.py", ".env.example", "tokens.json"):
        write(root, name, name)
    return root


def test_both_hold_the_tree_and_one_the_port(tree: Path, tmp_path: Path) -> None:
    before, after = copies(plan_of(tree, {"app.py": "ported"}), tmp_path / "scratch")
    assert names(before) == names(after)
    assert {"app.py", "data/prompt.txt", "tokens.json"} <= names(after)
    assert ((before / "app.py").read_text(), (after / "app.py").read_text()) == ("app.py", "ported")
    assert (tree / "app.py").read_text() == "app.py"


@pytest.mark.parametrize(
    "secret",
    [
        ".env",
        ".env.local",
        "server.pem",
        "id_rsa",
        "credentials.json",
        "my-service-account.json",
        "client_secret.json",
        "secrets.toml",
        "token.pickle",
    ],
)
def test_files_with_secrets_are_not_copied(tree: Path, tmp_path: Path, secret: str) -> None:
    write(tree, secret, "secret")
    before, _ = copies(plan_of(tree, {}), tmp_path / "scratch")
    assert secret not in names(before)


def test_links_are_not_copied(tree: Path, tmp_path: Path) -> None:
    outside = write(tmp_path, "outside/secret.py", "x")
    (tree / "link.py").symlink_to(outside)
    (tree / "folder").symlink_to(outside.parent)
    before, _ = copies(plan_of(tree, {}), tmp_path / "scratch")
    assert not {"link.py", "folder/secret.py"} & names(before)


def test_a_plan_cannot_write_outside(tree: Path, tmp_path: Path) -> None:
    plan = Plan(tree, (FilePlan("../out.py", Status.PORTED, (), b"", b"x"),))
    with pytest.raises(ValueError, match="outside the tree"):
        copies(plan, tmp_path / "scratch")


def test_a_tree_that_is_too_large_is_refused(
    tree: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(trees, "LARGEST_TREE", 10)
    with pytest.raises(TooLargeError, match="prove a smaller folder"):
        copies(plan_of(tree, {}), tmp_path / "scratch")
