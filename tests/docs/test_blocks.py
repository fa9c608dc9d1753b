"""Every block of code in the documentation is tried by a test; here by which, and those that no
other test tries."""

from __future__ import annotations

import contextlib
import io
import re
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from chatport.port.fleet import ledger
from chatport.testing.gemini_server import gemini_server, text
from chatport.testing.openai_server import openai_server
from chatport.testing.openai_server import text as said

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
BLOCK = re.compile(r"^ *```(\w+)\n(.*?)^ *```", re.DOTALL | re.MULTILINE)
TRIED_BY = {
    "client/": "tests/client/test_docs.py",
    "client/protocol": "tests/chat/test_docs.py",
    "codes/": "tests/docs/test_codes.py",
    "commands": "tests/docs/test_commands.py",
    "decisions/": "",
    "howto/": "tests/client/test_docs.py",
    "howto/add-a-pack": "tests/docs/test_howto.py",
    "howto/plan-a-fleet": "tests/docs/test_blocks.py",
    "integrations": "tests/integrations/test_files.py",
    "prove": "tests/docs/test_blocks.py",
    "providers/": "tests/providers/test_docs.py",
    "providers/openai": "tests/docs/test_blocks.py",
    "providers/transports": "tests/docs/test_blocks.py",
    "providers/write-a-provider": "tests/docs/test_write_a_provider.py",
    "python": "tests/docs/test_python.py",
    "testing-anthropic-server": "tests/providers/test_docs.py",
    "testing-gemini-server": "tests/docs/test_blocks.py",
    "testing-openai-server": "tests/docs/test_blocks.py",
    "tutorial-client": "tests/client/test_docs.py",
    "tutorial-port": "tests/docs/test_tutorial_port.py",
}
"""A page, or a folder of them -> the test that tries its blocks."""


def blocks(page: str, kind: str = "python") -> list[str]:
    found = BLOCK.findall((DOCS / f"{page}.md").read_text(encoding="utf-8"))
    return [block for word, block in found if word == kind]


def tried_by(page: str) -> str:
    return TRIED_BY.get(page, TRIED_BY.get(page.rpartition("/")[0] + "/", "nothing"))


def test_every_page_with_code_is_tried_by_a_test_that_is_there() -> None:
    for path in DOCS.rglob("*.md"):
        page = path.relative_to(DOCS).with_suffix("").as_posix()
        if any(kind != "text" for kind, _ in BLOCK.findall(path.read_text(encoding="utf-8"))):
            test = tried_by(page)
            assert not test or (ROOT / test).is_file(), page


def printed(block: str) -> str:
    output = io.StringIO()
    with contextlib.redirect_stdout(output):
        exec(compile(block, "page", "exec"), {"__name__": "page"})
    return output.getvalue()


@pytest.mark.parametrize("page", ["testing-openai-server", "providers/transports"])
def test_a_page_that_needs_nothing_runs(page: str) -> None:
    (block,) = blocks(page)
    assert "Hello" in printed(block)


def test_the_page_about_openai_runs_against_a_server() -> None:
    (block,) = blocks("providers/openai")
    with openai_server([said("Scattering.")]) as server:
        model = f'openai.Model("gpt-4.1-mini", key="any", base_url={server.url!r})'
        assert printed(block.replace('openai.Model("gpt-4.1-mini")', model)) == "Scattering.\n"


APP = """\
import json, os, urllib.error, urllib.request

def greet(name):
    url = os.environ["GOOGLE_GEMINI_BASE_URL"] + "/v1beta/models/m:generateContent"
    body = {"contents": [{"parts": [{"text": name}]}], "generationConfig": {"temperature": 0}}
    data = json.dumps(body).encode()
    for _ in range(3):
        try:
            with urllib.request.urlopen(urllib.request.Request(url, data)) as answer:
                found = json.load(answer)
            return found["candidates"][0]["content"]["parts"][0]["text"]
        except urllib.error.HTTPError as error:
            error.close()
"""


def test_the_tests_of_the_gemini_server_pass_for_a_program(tmp_path: Path) -> None:
    conftest, tests, alone = blocks("testing-gemini-server")
    (tmp_path / "app.py").write_text(APP)
    (tmp_path / "conftest.py").write_text(conftest)
    (tmp_path / "test_app.py").write_text("import app\n" + tests)
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", str(tmp_path)],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert "2 passed" in done.stdout, done.stdout
    output = io.StringIO()
    with contextlib.redirect_stdout(output):
        exec(alone, {"gemini_server": gemini_server, "text": text})
    assert output.getvalue().startswith("http://127.0.0.1:")


def test_the_gemini_server_runs_by_itself(tmp_path: Path) -> None:
    (block,) = blocks("testing-gemini-server", "console")
    command, expected = block.splitlines()[:2]
    words = command.removeprefix("$ python ").replace("8080", "0").split()
    (tmp_path / "answers.json").write_text("[]")
    with subprocess.Popen(
        [sys.executable, *words], cwd=tmp_path, stdout=subprocess.PIPE, text=True
    ) as server:
        assert server.stdout is not None
        line = server.stdout.readline()
        server.terminate()
    assert line.startswith(expected.removesuffix("8080\n").removesuffix("8080"))


def test_the_proof_on_the_page_is_the_one_that_was_recorded() -> None:
    (block,) = blocks("prove", "console")
    recorded = (DOCS / "session.svg").read_text(encoding="utf-8").replace("&#160;", " ")
    shown = re.sub(r"<[^>]+>", "", recorded)
    for line in block.splitlines()[1:]:
        assert " ".join(line.removesuffix("...").split()) in " ".join(shown.split()), line


def test_the_query_of_the_ledger_is_one(tmp_path: Path) -> None:
    (query,) = blocks("howto/plan-a-fleet", "sql")
    source = Path(ledger.__file__).read_text(encoding="utf-8")
    with contextlib.closing(sqlite3.connect(tmp_path / "fleet.sqlite")) as database:
        tables = re.findall(r"^CREATE TABLE.*?;$", source, re.MULTILINE | re.DOTALL)
        database.executescript("\n".join(tables))
        assert database.execute(query).fetchall() == []
