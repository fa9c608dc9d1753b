"""What other people wrote reaches a terminal, a log or a page as text, and does nothing there."""

from __future__ import annotations

import io
import os
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path

import pytest

from chatport.cli.app import run
from chatport.cli.ask import MODEL_VARIABLE
from tests.trust.test_hostile_repositories import PROGRAM, commit, root

__all__ = ["root"]

ESCAPES = "\x1b[31mred\x1b]0;title\x07\x1b]52;c;cm0gLXJm\x07\x9b31m\u202e\u2066"
NAMES = [
    "\x1b[31mred\x1b]0;t\x07.py",
    "new\nline.py",
    "a\r::error::x.py",
    "::error file=x::y.py",
    "-rf.py",
    "--help.py",
    '<img src=x onerror="alert(1)">.py',
    "%0A::error::.py",
    "'; touch ran; '.py",
    "$(touch ran).py",
    "`touch ran`.py",
    ":(glob)x.py",
    ":!x.py",
    "*.py",
    "\u202egpj.py",
    "a\tb.py",
    '"quoted" \\ back.py',
    "a\n+++ b\n@@ -1 +1 @@\n.py",
    "\x9b31m.py",
    "{a}.py",
    "[link](javascript:alert(1)).py",
    "@everyone #1.py",
    " .py",
    os.fsdecode(b"\xff.py"),
]
FORMS = ["console", "json", "sarif", "github", "gitlab", "markdown", "html"]
HARMFUL = {chr(number) for number in (*range(9), *range(11, 32), *range(0x7F, 0xA0))}
HARMFUL |= {*"\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"}


class Terminal(io.StringIO):
    """What is written to it is shown to somebody."""

    def isatty(self) -> bool:
        return True


class Scripts(HTMLParser):
    """Collects the elements of a page that are not ours."""

    def __init__(self) -> None:
        super().__init__()
        self.strange: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag == "img" or any(name.startswith("on") for name, _ in attrs):
            self.strange.append(tag)


@pytest.mark.parametrize("name", NAMES, ids=ascii)
def test_the_name_of_a_file_is_text_in_every_report(
    root: Path, capfd: pytest.CaptureFixture[str], name: str
) -> None:
    (root / "app.py").rename(root / name)
    for form in FORMS:
        assert run(["check", "--format", form, "."]) == 1
        said = "".join(capfd.readouterr())
        assert HARMFUL.isdisjoint(said), form
        if form == "html":
            page = Scripts()
            page.feed(said)
            assert page.strange == []
        if form == "github":
            assert all(line.startswith("::notice file=") for line in said.splitlines())


@pytest.mark.parametrize("name", NAMES, ids=ascii)
def test_a_file_of_any_name_is_written_committed_and_taken_back(root: Path, name: str) -> None:
    (root / "app.py").rename(root / name)
    commit(root)
    assert run(["fix", "--write", "--commit", "."]) == 0
    assert b"generativeai" not in (root / name).read_bytes()
    assert run(["undo", "."]) == 0
    assert (root / name).read_text() == PROGRAM
    assert not (root / "ran").exists()


@pytest.mark.parametrize("name", NAMES, ids=ascii)
def test_a_patch_of_a_file_of_any_name_changes_that_file_alone(
    root: Path, capfdbinary: pytest.CaptureFixture[bytes], name: str
) -> None:
    (root / "app.py").rename(root / name)
    (root / "b").write_text(PROGRAM)
    commit(root)
    run(["fix", "."])
    patch = capfdbinary.readouterr().out
    subprocess.run(["git", "apply"], input=patch, cwd=root, check=True)
    assert b"generativeai" not in (root / name).read_bytes()
    assert (root / "b").read_text() == PROGRAM


@pytest.mark.parametrize("place", ["symbol", "string", "comment", "keyword", "import"])
def test_the_text_of_a_program_is_text_on_a_terminal(
    root: Path, monkeypatch: pytest.MonkeyPatch, place: str
) -> None:
    texts = {
        "symbol": f"model.generate_content('q', wrong='{ESCAPES}')",
        "string": f"print('{ESCAPES}', model.generate_content('{ESCAPES}').text)",
        "comment": f"model.generate_content('q') # {ESCAPES}",
        "keyword": f"model.generate_content('q', **{{'{ESCAPES}': 1}})",
        "import": f"__import__('google.generativeai' + '{ESCAPES}')",
    }
    line = texts[place].replace("\r", "")
    (root / "app.py").write_text(
        f"import google.generativeai as genai\nmodel = genai.GenerativeModel('m')\n{line}\n"
    )
    monkeypatch.setenv("NO_COLOR", "1")
    for words in (["check", "."], ["fix", "."]):
        out, err = Terminal(), Terminal()
        monkeypatch.setattr(sys, "stdout", out)
        monkeypatch.setattr(sys, "stderr", err)
        run(words)
        shown = out.getvalue() + err.getvalue()
        assert shown
        assert HARMFUL.isdisjoint(shown)


@pytest.mark.parametrize(
    "line", ['"{}" = 1', 'format = "{}"', 'only = ["{}"]', 'skip = ["{}"]', 'baseline = "{}"']
)
def test_what_a_configuration_says_is_text_in_its_error(
    root: Path, capfd: pytest.CaptureFixture[str], line: str
) -> None:
    escaped = "".join(f"\\u{ord(character):04x}" for character in ESCAPES + "\nerror: x")
    (root / "pyproject.toml").write_text(f"[tool.chatport]\n{line.format(escaped)}\n")
    assert run(["check", "."]) == 2
    assert HARMFUL.isdisjoint(capfd.readouterr().err)


@pytest.mark.parametrize("words", [[], ["--json"]])
def test_what_a_model_says_is_text_on_a_terminal(
    monkeypatch: pytest.MonkeyPatch, words: list[str]
) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO(""))
    monkeypatch.delenv(MODEL_VARIABLE, raising=False)
    out = Terminal()
    monkeypatch.setattr(sys, "stdout", out)
    assert run(["ask", "-m", "echo", *words, f"a\n{ESCAPES}"]) == 0
    assert HARMFUL.isdisjoint(out.getvalue())
    assert "red" in out.getvalue()


def test_what_a_model_says_stays_as_it_is_in_a_pipe(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO(""))
    assert run(["ask", "-m", "echo", ESCAPES]) == 0
    assert capfd.readouterr().out == ESCAPES + "\n"
