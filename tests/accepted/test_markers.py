"""Markers: one for each refusal that is a cause, never doubled, gone when the file is ported."""

from __future__ import annotations

from pathlib import Path

import pytest

from chatport.port.config import Config
from chatport.port.findings import Kind, Plan, Status
from chatport.port.planner import plan

HEAD = """\
import google.generativeai as genai

genai.configure(api_key="k")
chat = genai.GenerativeModel("m").start_chat()
"""
MARKER = "# chatport: review[history_write] google.generativeai.ChatSession.history\n"


def planned(folder: Path, text: str, *, annotate: bool = True) -> Plan:
    (folder / "app.py").write_bytes(text.encode())
    return plan([folder], root=folder, config=Config(annotate=annotate))


def after(made: Plan) -> str | None:
    (file,) = made.files
    return None if file.after is None else file.after.decode()


@pytest.mark.parametrize(
    ("body", "marked"),
    [
        ("chat.history.append(1)\n", f"{MARKER}chat.history.append(1)\n"),
        (
            "def f():\n\tchat.history.append(1)\n",
            f"def f():\n\t{MARKER}\tchat.history.append(1)\n",
        ),
        (
            "x = '''\n'''; print(\n    chat.history.append(1)\n)\n",
            f"{MARKER}x = '''\n'''; print(\n    chat.history.append(1)\n)\n",
        ),
        (
            "if a:\n    pass\nelif chat.history.append(1):\n    pass\n",
            f"if a:\n    pass\n{MARKER}elif chat.history.append(1):\n    pass\n",
        ),
        (
            "@cache\n@once(chat.history.append(1))\ndef f(): pass",
            f"@cache\n{MARKER}@once(chat.history.append(1))\ndef f(): pass",
        ),
        ("chat.history.append(1)\r\n" * 1, f"{MARKER}chat.history.append(1)\r\n"),
        (
            "chat.history.append(1); chat.history.append(2)\n",
            f"{MARKER}chat.history.append(1); chat.history.append(2)\n",
        ),
    ],
)
def test_a_refusal_is_marked_above_its_logical_line(tmp_path: Path, body: str, marked: str) -> None:
    first = after(planned(tmp_path, HEAD + body))
    assert first == HEAD + marked
    assert after(planned(tmp_path, first)) is None, "the second run has nothing to do"


def test_line_ends_are_the_files(tmp_path: Path) -> None:
    text = (HEAD + "chat.history.append(1)\n").replace("\n", "\r\n")
    marked = (HEAD + MARKER + "chat.history.append(1)\n").replace("\n", "\r\n")
    assert after(planned(tmp_path, text)) == marked


def test_a_marker_follows_the_code_of_its_use(tmp_path: Path) -> None:
    old = "# chatport: review[usage_unmapped] google.generativeai.ChatSession.history\n"
    made = after(planned(tmp_path, f"{HEAD}{old}chat.history.append(1)\n"))
    assert made == f"{HEAD}{MARKER}chat.history.append(1)\n"


def test_without_asking_a_refused_file_stays(tmp_path: Path) -> None:
    made = planned(tmp_path, f"{HEAD}chat.history.append(1)\n", annotate=False)
    assert after(made) is None
    assert made.files[0].status is Status.REFUSED


@pytest.mark.parametrize("annotate", [True, False])
def test_markers_go_when_the_file_is_ported(tmp_path: Path, annotate: bool) -> None:
    made = planned(tmp_path, f'{HEAD}{MARKER}chat.send_message("x")\n', annotate=annotate)
    text = after(made)
    assert text is not None
    assert "chatport" not in text
    assert 'chat.send_message(message="x")\n' in text
    (one,) = (finding for finding in made.findings() if finding.kind is Kind.COMMENT)
    assert (one.symbol, one.place.line) == ("google.generativeai.ChatSession.history", 5)


def test_a_forgotten_marker_is_a_finding_that_fix_takes_out(tmp_path: Path) -> None:
    made = planned(tmp_path, f"import os\n\n\ndef f():\n    {MARKER}    return os.sep\n")
    assert after(made) == "import os\n\n\ndef f():\n    return os.sep\n"
    assert [finding.kind for finding in made.findings()] == [Kind.COMMENT]


def test_a_marker_in_a_string_or_behind_code_is_not_ours(tmp_path: Path) -> None:
    made = planned(tmp_path, f"x = '''\n{MARKER}'''\ny = 1  {MARKER}")
    assert made.files == ()
