"""`fix --interactive`: what is asked, what an answer does, and what is written at the end."""

from __future__ import annotations

import io
import sys
from pathlib import Path

import pytest

from tests.cli.conftest import Command

PROGRAM = """\
import google.generativeai as genai

genai.configure(api_key="k")
print(genai.GenerativeModel("m").generate_content("x").text)
"""
SHARED = """\
import google.generativeai as genai

genai.configure(api_key="k")
model = genai.GenerativeModel("m")
"""
USER = 'from shared import model\n\nprint(model.generate_content("x").text)\n'


@pytest.fixture
def files(project: Path) -> Path:
    for name in ("a.py", "b.py", "c.py"):
        (project / name).write_text(PROGRAM)
    return project


@pytest.fixture
def answers(monkeypatch: pytest.MonkeyPatch, chatport: Command) -> Command:
    """Runs `fix --interactive` with these answers typed."""

    def run(*typed: str) -> object:
        monkeypatch.setattr(sys, "stdin", io.StringIO("".join(f"{one}\n" for one in typed)))
        return chatport("fix", "--interactive")

    return run  # type: ignore[return-value]


def ported(root: Path) -> set[str]:
    return {path.name for path in root.glob("*.py") if "generativeai" not in path.read_text()}


@pytest.mark.parametrize(
    ("typed", "written"),
    [
        ("yyy", {"a.py", "b.py", "c.py"}),
        ("nny", {"c.py"}),
        ("yny", {"a.py", "c.py"}),
        ("w", {"a.py", "b.py", "c.py"}),
        ("nw", {"b.py", "c.py"}),
        ("ada", {"a.py", "c.py"}),
        ("ys", {"a.py"}),
        ("nnn", set()),
        ("s", set()),
        ("?xY\ny\ny", {"a.py", "b.py", "c.py"}),
    ],
)
def test_what_is_accepted_is_written(
    answers: Command, files: Path, typed: str, written: set[str]
) -> None:
    result = answers(*typed)
    assert ported(files) == written
    assert result.code == (0 if len(written) == 3 else 1), "1 says that something is left"
    assert "[1/3] Write a.py? [y,n,e,a,d,w,s,q,?]" in result.out


@pytest.mark.parametrize("typed", [("y", "y", "q"), ("y",), ()])
def test_to_quit_or_to_say_nothing_writes_nothing(
    answers: Command, files: Path, typed: tuple[str, ...]
) -> None:
    result = answers(*typed)
    assert result.code == 2
    assert "nothing is written" in result.err
    assert ported(files) == set()


def test_a_diff_and_what_to_mind_is_shown_first(answers: Command, files: Path) -> None:
    out = answers("q").out
    assert out.index("-import google.generativeai as genai") < out.index("mind: ")
    assert out.index("mind: response_text_may_be_none") < out.index("Write a.py?")


def test_keys_are_told(answers: Command, files: Path) -> None:
    assert "n: leave it, and what only goes with it" in answers("?", "q").out


def test_what_was_left_is_counted_and_named(answers: Command, files: Path) -> None:
    result = answers("n", "y", "n")
    assert "a.py:4:7: review google.generativeai.GenerativeModel: left_out" in result.err
    assert "1 file ported whole, 2 held back." in result.err
    assert "explain left_out" not in result.err, "whoever left it knows why"


def test_what_is_only_ported_with_a_file_that_was_left_stays_too(
    answers: Command, project: Path
) -> None:
    (project / "shared.py").write_text(SHARED)
    (project / "user.py").write_text(USER)
    (project / "other.py").write_text(PROGRAM)
    (project / "a.py").unlink()
    result = answers("y", "n", "y")
    assert ported(project) - {"user.py"} == {"other.py"}
    assert "user.py stays too: it goes with what you left in shared.py." in result.out
    assert (project / "user.py").read_text() == USER


def test_requirements_follow_what_is_written(answers: Command, files: Path) -> None:
    (files / "requirements.txt").write_text("google-generativeai==0.8.5\n")
    answers("y", "n", "y", "y")
    text = (files / "requirements.txt").read_text()
    assert "google-generativeai==0.8.5\n" in text
    assert "google-genai" in text


def editor(folder: Path, body: str) -> str:
    script = folder / "editor.sh"
    script.write_text(f"#!/bin/sh\n{body}\n")
    script.chmod(0o755)
    return str(script)


def test_the_new_text_can_be_edited(
    answers: Command, files: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("VISUAL", raising=False)
    monkeypatch.setenv("EDITOR", editor(tmp_path, 'echo "# mine" >> "$1"'))
    result = answers("e", "n", "n")
    assert result.code == 1
    assert (files / "a.py").read_text().endswith("# mine\n")
    assert ported(files) == {"a.py"}


def test_an_edit_that_does_not_compile_is_refused(
    answers: Command, files: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("VISUAL", editor(tmp_path, 'echo "def (" >> "$1"'))
    result = answers("e", "y", "n", "n")
    assert "This cannot be written: the output does not compile" in result.out
    assert "def (" not in (files / "a.py").read_text()
    assert ported(files) == {"a.py"}, "y writes what was planned"


def test_an_editor_that_fails_changes_nothing(
    answers: Command, files: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("VISUAL", "/no/such/editor")
    result = answers("e", "n", "n", "n")
    assert "The editor /no/such/editor cannot be started" in result.out
    assert ported(files) == set()


TWO = """\
import google.generativeai as genai

genai.configure(api_key="k")


def ask(question):
    return genai.GenerativeModel("m").generate_content(question).text


def talk():
    chat = genai.GenerativeModel("n").start_chat()
    chat.send_message("Hello")
    return chat.send_message("Again").text
"""


@pytest.fixture
def two(project: Path) -> Path:
    (project / "a.py").write_text(TWO)
    return project


def test_each_group_of_hunks_is_a_question(answers: Command, two: Path) -> None:
    out = answers("y", "q").out
    first, second, _ = out.split("Write change")
    assert "+import" not in second
    assert "+from google import genai" in first, "what serves all is shown with the first"
    assert "generate_content(model=" in first
    assert "send_message" not in first
    assert second.count("+    chat") == 2, "hunks of one group stay together"
    assert "1 of 2 in a.py? [y,n," in out


@pytest.mark.parametrize(
    ("typed", "ported_lines", "kept_lines"),
    [
        ("nyy", ["google_genai.Client(", "chats.create("], [").generate_content(question)"]),
        ("yny", ["google_genai.Client(", "models.generate_content("], [".start_chat()"]),
    ],
)
def test_a_file_of_which_a_part_is_left_lives_on_both(
    answers: Command, two: Path, typed: str, ported_lines: list[str], kept_lines: list[str]
) -> None:
    result = answers(*typed)
    text = (two / "a.py").read_text()
    assert "With what you left, a.py would be written like this:" in result.out
    assert "import google.generativeai as genai\nfrom google import genai as google_genai" in text
    assert "genai.configure(api_key=" in text
    for line in (*ported_lines, *kept_lines):
        assert line in text
    compile(text, "a.py", "exec")
    assert result.code == 1
    assert "0 files ported whole, 1 in part, 0 held back." in result.err


def test_what_is_not_wanted_like_this_stays_whole(answers: Command, two: Path) -> None:
    result = answers("n", "y", "n")
    assert (two / "a.py").read_text() == TWO
    assert result.code == 1


def test_a_part_that_was_left_takes_what_goes_with_it_in_other_files(
    answers: Command, project: Path
) -> None:
    (project / "a.py").write_text(
        "from shared import model\n\nprint(model.generate_content('x').text)\n"
    )
    (project / "shared.py").write_text(
        SHARED + "print('both')\nother = genai.GenerativeModel('o')\n"
        "print(other.generate_content('y').text)\n"
    )
    result = answers("y", "n", "y", "y")
    assert "What you accepted in a.py goes with it, and stays too." in result.out
    assert "generate_content('x')" in (project / "a.py").read_text()
    text = (project / "shared.py").read_text()
    assert 'model = genai.GenerativeModel("m")' in text
    assert "generate_content(model=" in text.replace("\n    ", "")


def test_what_cannot_be_split_stays_whole_and_says_so(answers: Command, project: Path) -> None:
    guarded = TWO.replace(
        '    return genai.GenerativeModel("m").generate_content(question).text',
        "    try:\n        return genai.GenerativeModel('m').generate_content(question).text\n"
        "    except ResourceExhausted:\n        return ''",
    )
    guarded = "from google.api_core.exceptions import ResourceExhausted\n" + guarded
    (project / "a.py").write_text(guarded)
    result = answers("y", "n")
    assert (project / "a.py").read_text() == guarded
    assert "a.py stays too: it is only ported together with what you left." in result.out
    assert result.code == 1
