"""Which files are read, and what is said of those that cannot be."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from chatport.port.source import discover as module
from chatport.port.source.discover import Discovery, discover, read, search

TOKENS = (b"legacy",)


@pytest.fixture
def tree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    root = tmp_path / "project"
    root.mkdir()
    monkeypatch.chdir(root)
    return root


def put(root: Path, *names: str, text: str = "import legacy\n") -> None:
    for name in names:
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)


def git(root: Path, *arguments: str) -> None:
    identity = ("-c", "user.name=A", "-c", "user.email=a@example.org")
    subprocess.run(["git", *identity, *arguments], cwd=root, check=True, capture_output=True)


def hits(discovery: Discovery) -> list[str]:
    return [name for name, _ in search(discovery, discovery.files, TOKENS)]


def messages(discovery: Discovery) -> list[tuple[str, str]]:
    return [(problem.path, problem.message) for problem in discovery.problems]


# --- listing ---------------------------------------------------------------------------------


def test_without_git_the_tree_is_walked(tree: Path) -> None:
    put(tree, "b.py", "a/c.pyi", "a/d.txt", "a/é\n漢.py", ".hidden/x.py", "venv/x.py")
    put(tree, "build/x.py", "a/node_modules/x.py", "own/pyvenv.cfg", "own/lib/x.py")
    discovery = discover(["."])
    assert discovery.root == str(tree)
    assert discovery.files == ("a/c.pyi", "a/é\n漢.py", "b.py")
    assert discovery.listed == ("a/c.pyi", "a/d.txt", "a/é\n漢.py", "b.py")
    assert messages(discovery) == []


def test_files_that_may_declare_dependencies_are_told_apart(tree: Path) -> None:
    manifests = ["app/requirements-dev.txt", "pyproject.toml", "requirements/base.in", "setup.py"]
    put(tree, *manifests, "notes.txt", "requirements.md", "poetry.lock")
    assert list(discover(["."]).manifests) == manifests


def test_git_lists_what_is_tracked_and_what_is_not_ignored(tree: Path) -> None:
    git(tree, "init", "-q")
    put(tree, ".gitignore", text="ignored.py\nout/\n")
    put(tree, "tracked.py", "new.py", "ignored.py", "gone.py", "é\n漢.py", "build/b.py")
    put(tree, "venv/x.py", "own/pyvenv.cfg", "own/x.py", ".github/script.py", "out/o.py")
    git(tree, "add", "tracked.py", "gone.py", "venv")
    (tree / "gone.py").unlink()
    discovery = discover(["."])
    assert [name for name in discovery.files if name != "gone.py"] == [
        ".github/script.py",
        "build/b.py",
        "new.py",
        "tracked.py",
        "é\n漢.py",
    ]
    assert "gone.py" not in hits(discovery)
    assert messages(discovery) == []


def test_files_in_conflict_are_listed_once(tree: Path) -> None:
    git(tree, "init", "-q", "-b", "one")
    put(tree, "a.py", text="1\n")
    git(tree, "add", ".")
    git(tree, "commit", "-qm", "1")
    git(tree, "switch", "-qc", "two")
    put(tree, "a.py", text="2\n")
    git(tree, "commit", "-qam", "2")
    git(tree, "switch", "-q", "one")
    put(tree, "a.py", text="3\n")
    git(tree, "commit", "-qam", "3")
    with pytest.raises(subprocess.CalledProcessError):
        git(tree, "merge", "-q", "two")
    assert discover(["."]).files == ("a.py",)


def test_the_repository_configuration_runs_no_program(tree: Path) -> None:
    git(tree, "init", "-q")
    put(tree, "a.py")
    program = tree / "program"
    program.write_text("#!/bin/sh\ntouch ran\n")
    program.chmod(0o755)
    for key in ("core.fsmonitor", "core.pager", "pager.ls-files"):
        git(tree, "config", key, str(program))
    assert discover(["."]).files == ("a.py",)
    assert not (tree / "ran").exists()


@pytest.mark.parametrize("broken", ["not a repository", "gitdir: /nowhere"])
def test_where_git_fails_the_tree_is_walked(tree: Path, broken: str) -> None:
    put(tree, ".git", text=broken)
    put(tree, "a.py", "build/b.py")
    assert discover(["."]).files == ("a.py",)


def test_where_git_is_missing_the_tree_is_walked(
    tree: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    git(tree, "init", "-q")
    put(tree, "a.py")
    monkeypatch.setenv("PATH", str(tree))
    assert discover(["."]).files == ("a.py",)


def test_an_ignored_folder_that_is_named_is_read(tree: Path) -> None:
    git(tree, "init", "-q")
    put(tree, ".gitignore", text="out/\n")
    put(tree, "out/a.py", "src/b.py")
    assert discover(["out"]).files == ("out/a.py",)
    assert discover(["out"], root="out").files == ("a.py",)


def test_a_folder_inside_a_vendored_one_is_read_when_it_is_named(tree: Path) -> None:
    git(tree, "init", "-q")
    put(tree, "venv/lib/a.py")
    assert discover(["."]).files == ()
    assert discover(["venv/lib"]).files == ("venv/lib/a.py",)


def test_files_and_folders_can_be_named_together(tree: Path) -> None:
    put(tree, "a.py", "b.py", "src/c.py", "script", "note.txt")
    discovery = discover(["src", "a.py", "script", "note.txt", "./src/../a.py"])
    assert discovery.files == ("a.py", "script", "src/c.py")
    assert discovery.listed == ("a.py", "note.txt", "script", "src/c.py")


# --- the root --------------------------------------------------------------------------------


def test_the_root_is_the_work_tree_around_the_paths(tree: Path) -> None:
    put(tree, "src/a.py", "b.py", ".git/HEAD")
    git(tree, "init", "-q")
    discovery = discover(["src"])
    assert (discovery.root, discovery.files) == (str(tree), ("src/a.py",))


def test_without_git_the_root_is_the_nearest_project_folder(tree: Path) -> None:
    put(tree, "app/pyproject.toml", "app/src/a.py", "app/src/deep/b.py")
    assert discover(["app/src"]).root == str(tree / "app")


def test_without_a_project_the_root_is_what_the_paths_share(tree: Path) -> None:
    put(tree, "app/a/x.py", "app/b/y.py")
    assert discover(["app/a", "app/b"]).root == str(tree / "app")
    assert discover(["app/a/x.py"]).root == str(tree / "app/a")


def test_a_root_that_is_given_bounds_the_paths(tree: Path) -> None:
    put(tree, "in/a.py", "out/b.py")
    discovery = discover(["in", "out"], root="in")
    assert discovery.files == ("a.py",)
    ((path, message),) = messages(discovery)
    assert path == str(tree / "out")
    assert message.startswith(f"this leads out of {tree / 'in'}, which is never followed")


# --- links and files that cannot be read -----------------------------------------------------


@pytest.mark.parametrize("with_git", [True, False])
def test_links_are_not_followed_and_loops_end(tree: Path, with_git: bool) -> None:
    if with_git:
        git(tree, "init", "-q")
    put(tree.parent, "outside/x.py")
    put(tree, "a.py")
    (tree / "out.py").symlink_to(tree.parent / "outside/x.py")
    (tree / "folder").symlink_to(tree.parent / "outside")
    (tree / "loop").symlink_to(tree)
    (tree / "self.py").symlink_to("self.py")
    discovery = discover(["."])
    assert hits(discovery) == ["a.py"]
    assert messages(discovery) == []


def test_a_tracked_folder_that_became_a_link_is_not_followed(tree: Path) -> None:
    git(tree, "init", "-q")
    put(tree, "sub/deep/a.py")
    git(tree, "add", ".")
    (tree / "sub").rename(tree.parent / "moved")
    (tree / "sub").symlink_to(tree.parent / "moved")
    assert hits(discover(["."])) == []


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("out.py", "this leads out of"),
        ("folder", "this leads out of"),
        ("self.py", "the link leads back to itself"),
        ("nothing.py", "the link leads to nothing"),
        ("missing.py", "there is no such file or folder"),
        ("pipe.py", "this is neither a file nor a folder"),
    ],
)
def test_a_named_path_that_cannot_be_read_is_reported(tree: Path, name: str, message: str) -> None:
    put(tree.parent, "outside/x.py")
    put(tree, "a.py")
    (tree / "out.py").symlink_to(tree.parent / "outside/x.py")
    (tree / "folder").symlink_to(tree.parent / "outside")
    (tree / "self.py").symlink_to("self.py")
    (tree / "nothing.py").symlink_to("nowhere")
    os.mkfifo(tree / "pipe.py")
    discovery = discover(["a.py", name], root=".")
    assert hits(discovery) == ["a.py"]
    ((path, said),) = messages(discovery)
    assert path == name
    assert said.startswith(message)


def test_a_named_link_inside_the_root_means_the_file_it_leads_to(tree: Path) -> None:
    put(tree, "src/a.py")
    (tree / "link.py").symlink_to("src/a.py")
    assert discover(["link.py"], root=".").files == ("src/a.py",)


def test_a_file_that_cannot_be_read_is_reported_and_the_rest_goes_on(
    tree: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(tree, "a.py", "b.py", "c.py")
    opened = os.open

    def deny(path: str, flags: int) -> int:
        if path.endswith("b.py"):
            raise PermissionError(13, "Permission denied", path)
        return opened(path, flags)

    monkeypatch.setattr(os, "open", deny)
    discovery = discover(["."])
    assert hits(discovery) == ["a.py", "c.py"]
    assert messages(discovery) == [
        (
            "b.py",
            "cannot be read (Permission denied); give yourself read permission or leave it out",
        )
    ]


def test_a_folder_that_cannot_be_read_is_reported(
    tree: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(tree, "a.py", "shut/b.py")
    scan = os.scandir

    def deny(path: str) -> object:
        if path.endswith("shut"):
            raise PermissionError(13, "Permission denied", path)
        return scan(path)

    monkeypatch.setattr(os, "scandir", deny)
    discovery = discover(["."])
    assert discovery.files == ("a.py",)
    assert [path for path, _ in messages(discovery)] == ["shut"]


def test_a_pipe_is_passed_over_without_waiting(tree: Path) -> None:
    put(tree, "a.py")
    os.mkfifo(tree / "b.py")
    assert hits(discover(["."])) == ["a.py"]
    assert hits(Discovery(str(tree), ["a.py", "b.py"])) == ["a.py"]


def test_a_name_that_is_not_utf8_is_read(tree: Path) -> None:
    (tree / os.fsdecode(b"\xff.py")).write_text("import legacy\n")
    assert hits(discover(["."])) == ["\udcff.py"]


# --- the search ------------------------------------------------------------------------------


def test_only_files_with_a_token_are_handed_out_with_their_bytes(tree: Path) -> None:
    put(tree, "a.py", text="import legacy\r\n")
    put(tree, "b.py", text="import other\n")
    put(tree, "c.py", text="")
    put(tree, "d.py", text="second")
    discovery = discover(["."])
    assert dict(search(discovery, discovery.files, (b"legacy", b"second"))) == {
        "a.py": (tree / "a.py").read_bytes(),
        "d.py": b"second",
    }


@pytest.mark.parametrize("offset", [0, 8, 9, 10, 15, 16, 17, 40])
def test_a_long_file_is_searched_to_its_end_and_cut(
    tree: Path, monkeypatch: pytest.MonkeyPatch, offset: int
) -> None:
    monkeypatch.setattr(module, "MAX_SEARCHED", 10)
    monkeypatch.setattr(module, "_PIECE", 4)
    put(tree, "a.py", text="x" * offset + "legacy" + "y" * 20)
    put(tree, "b.py", text="x" * 60)
    discovery = discover(["."])
    ((name, data),) = search(discovery, discovery.files, TOKENS)
    assert name == "a.py"
    assert len(data) > 10
    assert b"legacy" in data


def test_one_file_is_read_and_a_link_is_not(tree: Path) -> None:
    put(tree, "a.py", text="x\n")
    (tree / "link.py").symlink_to("a.py")
    files = Discovery(str(tree), ["a.py", "link.py", "gone.py"])
    assert [read(files, name) for name in files.files] == [b"x\n", None, None]
    assert messages(files) == []
