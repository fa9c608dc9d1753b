"""The diff of a plan is one that `git apply` takes, byte for byte."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from chatport.port.findings import FilePlan, Plan, Status

NAMES = ["a.py", "with blank.py", "é.py", 'quo"te\\.py', "new\nline\t.py", os.fsdecode(b"\xff.py")]


def file(name: str, before: bytes, after: bytes | None, encoding: str = "utf-8") -> FilePlan:
    return FilePlan(name, Status.PORTED, (), before, after, encoding)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize(
    ("before", "after"),
    [
        (b"a\nb\nc\n", b"a\nx\nc\n"),
        (b"a\r\nb\r\n", b"a\r\nx\r\n"),
        (b"a\rb\rc", b"a\rx\rc"),
        (b"a\nb", b"a\nx"),
        (b"a\nb", b"a\nb\n"),
        (b"\xef\xbb\xbfa\n", b"\xef\xbb\xbfb\n"),
        (b"# coding: latin-1\n\xe9\n", b"# coding: latin-1\n\xe9\xe8\n"),
        (b"a\x0c\x0b\x1c\xe2\x80\xa8b\n", b"a\x0c\x0b\x1c\xe2\x80\xa8c\n"),
    ],
)
def test_git_applies_the_patch(tmp_path: Path, name: str, before: bytes, after: bytes) -> None:
    path = tmp_path / name
    path.write_bytes(before)
    plan = Plan(tmp_path, (file(name, before, after), file("same.py", b"x", None)))
    subprocess.run(
        ["git", "-c", "core.autocrlf=false", "apply", "--whitespace=nowarn", "-"],
        input=plan.patch(),
        cwd=tmp_path,
        check=True,
    )
    assert path.read_bytes() == after


def test_the_diff_is_decoded_as_the_file_is() -> None:
    changed = file("a.py", b"\xe9\n", b"\xe8\n", "latin-1")
    assert changed.diff() == "--- a/a.py\n+++ b/a.py\n@@ -1 +1 @@\n-é\n+è\n"
    assert Plan(Path("/"), (changed,)).diff() == changed.diff()


def test_no_change_has_no_diff() -> None:
    assert file("a.py", b"x", None).diff() == ""
    assert file("a.py", b"x", b"x").patch() == b""
