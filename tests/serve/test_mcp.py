"""The server for agents, spoken to by the protocol's own client."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from mcp import Client, StdioServerParameters, stdio_client

from chatport.port.codes import CODES
from chatport.port.serve.mcp import server
from tests.cli.test_interactive import PROGRAM

REFUSED = PROGRAM + "genai.GenerativeModel('m').start_chat().history.append(1)\n"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    (tmp_path / "app.py").write_text(PROGRAM)
    (tmp_path / "old.py").write_text(REFUSED)
    return tmp_path


def asked(root: Path, tool: str, *, allow_write: bool = False, **words: object) -> Any:
    """The answer of a tool: its text, and whether it is an error."""

    async def run() -> Any:
        async with Client(server(root, allow_write=allow_write)) as client:
            return await client.call_tool(tool, words)

    answer = asyncio.run(run())
    return answer.content[0].text, bool(answer.is_error)


def test_over_standard_input_and_output(root: Path) -> None:
    parameters = StdioServerParameters(
        command=sys.executable, args=["-m", "chatport", "mcp", str(root)]
    )

    async def run() -> tuple[set[str], str]:
        async with Client(stdio_client(parameters)) as client:
            tools = await client.list_tools()
            answer = await client.call_tool("check", {"paths": ["app.py"]})
            return {tool.name for tool in tools.tools}, answer.content[0].text  # type: ignore[union-attr]

    names, text = asyncio.run(run())
    assert names == {"check", "plan", "residue", "explain"}
    assert [file["path"] for file in json.loads(text)["files"]] == ["app.py"]


def test_the_tools_say_that_they_only_read(root: Path) -> None:
    async def run(allow_write: bool) -> dict[str, bool | None]:
        async with Client(server(root, allow_write=allow_write)) as client:
            found = (await client.list_tools()).tools
            return {one.name: one.annotations and one.annotations.read_only_hint for one in found}

    assert set(asyncio.run(run(False)).values()) == {True}
    assert not asyncio.run(run(True))["write"]


def test_the_plan_is_a_diff(root: Path) -> None:
    text, failed = asked(root, "plan")
    assert not failed
    assert text.startswith("--- a/app.py\n+++ b/app.py\n")
    assert "old.py" not in text
    text, failed = asked(root, "plan", paths=["old.py"])
    assert text == "Nothing can be ported. 0 files are ported and 1 refused; 0 could not be read."


def test_the_residue_says_what_a_person_would_do(root: Path) -> None:
    text, _ = asked(root, "residue")
    (one,) = json.loads(text)["refused"]
    assert (one["path"], one["line"], one["code"]) == ("old.py", 5, "history_write")
    assert "history" in one["example"]["before"]
    assert one["remedy"] == CODES["history_write"].remedy
    assert one["lines"][-1] == "5: genai.GenerativeModel('m').start_chat().history.append(1)"


def test_a_code_is_explained(root: Path) -> None:
    text, _ = asked(root, "explain", code="history_write")
    assert CODES["history_write"].remedy in text
    assert "Before:\n" in text
    text, failed = asked(root, "explain", code="no_such")
    assert failed
    assert "there is no code no_such; there are: afc_semantics_differ" in text


@pytest.mark.parametrize("path", ["..", "/etc", "../other", "link"])
def test_paths_lead_nowhere_else(root: Path, path: str) -> None:
    (root / "link").symlink_to("/etc")
    text, failed = asked(root, "check", paths=[path])
    assert failed
    assert "is not below" in text


def test_nothing_is_written_unless_it_was_started_to(root: Path) -> None:
    _, failed = asked(root, "write")
    assert failed
    assert (root / "app.py").read_text() == PROGRAM
    text, failed = asked(root, "write", allow_write=True)
    assert not failed
    assert text.startswith("Written as run ")
    assert "generativeai" not in (root / "app.py").read_text()
    assert (root / "old.py").read_text() == REFUSED


def test_a_dirty_tree_is_not_written(root: Path) -> None:
    subprocess.run(["git", "init", "-q"], cwd=root, check=True)
    text, failed = asked(root, "write", allow_write=True)
    assert failed
    assert "is not tracked by git" in text
    assert (root / "app.py").read_text() == PROGRAM


def test_a_folder_that_is_not_there_is_an_error() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "chatport", "mcp", "no/such"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 2
    assert "no/such: there is no such folder" in done.stderr
