"""Whatever stands in a tree: a message with the place, exit code 2, and the other files are ported.

These tests run the whole of `chatport` on real files.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.cli.conftest import Command

LEGACY = b"import google.generativeai as genai\n\ngenai.configure(api_key='k')\n"
TOKEN = b"# google.generativeai\n"

CONTENTS = [
    ("not_utf8", TOKEN + b"x = '\xe9'\n", "line 2: byte 0xe9 is not UTF-8"),
    ("wrong_cookie", b"# coding: ascii\n" + TOKEN + b"'\xe9'\n", "line 3: the file says it is"),
    ("unknown_cookie", b"# coding: nope\n" + TOKEN, "line 1: unknown encoding: nope"),
    ("null_byte", TOKEN + b"x = 1\0\n", "line 2: the file holds a null byte"),
    ("python_2", LEGACY + b"print 'x'\n", "line 4: this is Python 2"),
    ("syntax_error", LEGACY + b"x = (\n", "line 4: not valid on Python"),
    ("later_python", LEGACY + b"lazy import json\n", "line 4: a lazy import needs Python 3.15"),
    ("ten_megabytes", LEGACY + b"x = 1\n" * 1_700_000, "the file is larger than 4 MB"),
    ("many_terms", LEGACY + b"x = " + b"+".join([b"a"] * 10_000) + b"\n", "nested too deeply"),
    ("many_brackets", LEGACY + b"x = " + b"[" * 500 + b"]" * 500 + b"\n", "too many nested"),
    ("many_branches", LEGACY + b"if a: pass\n" + b"elif b: pass\n" * 5_000, "nested too deeply"),
]


@pytest.fixture
def tree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    root = tmp_path / "project"
    root.mkdir()
    (root / "good.py").write_bytes(LEGACY)
    monkeypatch.chdir(root)
    return root


@pytest.mark.parametrize(
    ("data", "message"),
    [pytest.param(data, message, id=name) for name, data, message in CONTENTS],
)
def test_a_file_that_cannot_be_understood(
    chatport: Command, tree: Path, data: bytes, message: str
) -> None:
    (tree / "bad.py").write_bytes(data)
    result = chatport("check")
    assert result.code == 2
    assert f"chatport: error: bad.py: {message}" in result.err or (
        result.err.startswith("chatport: error: bad.py: ") and message in result.err
    )
    assert "good.py:1:8: auto google.generativeai" in result.out
    result = chatport("fix", "--write")
    assert result.code == 2
    assert "Traceback" not in result.err
    assert (tree / "bad.py").read_bytes() == data
    assert b"from google import genai" in (tree / "good.py").read_bytes()


def test_links_out_of_the_root_and_in_circles(chatport: Command, tree: Path) -> None:
    outside = tree.parent / "outside.py"
    outside.write_bytes(LEGACY)
    (tree / "out.py").symlink_to(outside)
    (tree / "self.py").symlink_to("self.py")
    (tree / "loop").symlink_to(tree)
    assert chatport("fix", "--write").code == 0
    assert outside.read_bytes() == LEGACY
    assert b"from google import genai" in (tree / "good.py").read_bytes()


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("out.py", "this leads out of"),
        ("self.py", "the link leads back to itself"),
        ("gone.py", "there is no such file or folder"),
        ("pipe.py", "this is neither a file nor a folder"),
    ],
)
def test_a_path_that_is_named_and_cannot_be_read(
    chatport: Command, tree: Path, name: str, message: str
) -> None:
    (tree.parent / "outside.py").write_bytes(LEGACY)
    (tree / "out.py").symlink_to(tree.parent / "outside.py")
    (tree / "self.py").symlink_to("self.py")
    os.mkfifo(tree / "pipe.py")
    result = chatport("check", "good.py", name)
    assert result.code == 2
    assert result.err.startswith(f"chatport: error: {name}: {message}")
    assert "good.py:1:8: auto google.generativeai" in result.out


def test_a_file_that_may_not_be_read(
    chatport: Command, tree: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tree / "shut.py").write_bytes(LEGACY)
    opened = os.open

    def deny(path: str, *rest: int, **keywords: int) -> int:
        if str(path).endswith("shut.py"):
            raise PermissionError(13, "Permission denied", path)
        return opened(path, *rest, **keywords)

    monkeypatch.setattr(os, "open", deny)
    result = chatport("check")
    assert result.code == 2
    assert result.err.startswith("chatport: error: shut.py: cannot be read (Permission denied)")
    assert "good.py:1:8: auto google.generativeai" in result.out


def test_a_file_that_is_read_only(chatport: Command, tree: Path) -> None:
    (tree / "good.py").chmod(0o444)
    result = chatport("fix", "--write")
    assert result.code == 2
    assert result.err.startswith("chatport: error: good.py: is read-only; make it writable")
    assert (tree / "good.py").read_bytes() == LEGACY


@pytest.mark.parametrize("name", ["é 漢.py", "new\nline.py", os.fsdecode(b"\xff.py"), "-x.py"])
def test_names_that_are_unusual(chatport: Command, tree: Path, name: str) -> None:
    (tree / name).write_bytes(LEGACY)
    result = chatport("fix", "--write")
    assert result.code == 0
    assert b"from google import genai" in (tree / name).read_bytes()
    assert chatport("undo").code == 0
    assert (tree / name).read_bytes() == LEGACY
