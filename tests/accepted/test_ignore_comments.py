"""Comments that accept findings: where they stand, what they need, what follows from it."""

from __future__ import annotations

from pathlib import Path

import pytest

from chatport.port.findings import Plan
from chatport.port.planner import plan

HEAD = """\
import google.generativeai as genai

genai.configure(api_key="k")
chat = genai.GenerativeModel("m").start_chat()
"""
USE = "chat.history.append(1)"
TAIL = 'print(chat.send_message("x").text)\n'


def planned(folder: Path, body: str) -> Plan:
    (folder / "app.py").write_text(HEAD + body + "\n" + TAIL)
    return plan([folder], root=folder)


def codes(made: Plan) -> set[str]:
    return {finding.code for finding in made.findings() if finding.code is not None}


@pytest.mark.parametrize(
    "body",
    [
        f"{USE}  # chatport: ignore[history_write] goes soon",
        f"# chatport: ignore[history_write] goes soon\n{USE}",
        f"# chatport: ignore[history_write] goes soon\n\n# another remark\n{USE}",
        f"#chatport:ignore[history_write] goes soon\n{USE}",
        f"{USE}  # noqa # later\n# chatport: ignore-file[history_write] goes soon",
        "chat.history.append(\n    1\n)  # chatport: ignore[history_write] goes soon",
        "# chatport: ignore[history_write] goes soon\nif x: chat.history.append(\n    1\n)",
        f"{USE}  # chatport: ignore[embed_batch, history_write] goes soon",
    ],
)
def test_a_comment_accepts_the_use_and_what_follows_from_it(tmp_path: Path, body: str) -> None:
    made = planned(tmp_path, body)
    assert codes(made) == set()
    assert made.files == ()
    assert {one.reason for one in made.accepted} == {"goes soon"}
    assert {one.finding.code for one in made.accepted} == {"history_write", "file_withheld"}


@pytest.mark.parametrize(
    ("body", "note"),
    [
        (
            f"{USE}  # chatport: ignore[history_write]",
            (
                "app.py:5: this comment ignores nothing: it gives no reason; "
                "write # chatport: ignore[code] reason"
            ),
        ),
        (
            f"{USE}  # chatport: ignore goes soon",
            (
                "app.py:5: this comment ignores nothing: it names no code; "
                "write # chatport: ignore[code] reason"
            ),
        ),
        (
            f"{USE}  # chatport: ignore[history_rite] goes soon",
            (
                "app.py:5: this comment ignores nothing: there is no code history_rite; "
                "chatport explain lists them"
            ),
        ),
        (
            f"# chatport: ignore[history_write] goes soon\nprint()\n{USE}",
            "app.py:5: this comment ignores nothing: no finding of that code is there; take it out",
        ),
    ],
)
def test_a_comment_that_accepts_nothing_is_named(tmp_path: Path, body: str, note: str) -> None:
    made = planned(tmp_path, body)
    assert "history_write" in codes(made)
    assert tuple(map(str, made.notes)) == (note,)


def test_text_in_a_string_is_no_comment(tmp_path: Path) -> None:
    made = planned(tmp_path, f'{USE}; print("# chatport: ignore[history_write] goes soon")')
    assert "history_write" in codes(made)
    assert made.notes == ()


def test_a_warning_is_accepted_and_the_file_is_ported(tmp_path: Path) -> None:
    tail = "# chatport: ignore[response_text_may_be_none] never blocked"
    made = planned(tmp_path, tail)
    (file,) = made.files
    assert file.after is not None
    assert all(not finding.warnings for finding in file.findings)
    assert made.notes == ()


def test_what_follows_in_another_file_is_accepted_too(tmp_path: Path) -> None:
    (tmp_path / "aa_user.py").write_text(
        "from zz_shared import model\n\nprint(model.generate_content('x').text)\n"
    )
    (tmp_path / "zz_shared.py").write_text(
        "import google.generativeai as genai\n\ngenai.configure(api_key='k')\n"
        "model = genai.GenerativeModel('m')\nchat = model.start_chat()\n"
        "chat.history.append(1)  # chatport: ignore[history_write] goes soon\n"
    )
    made = plan([tmp_path], root=tmp_path)
    assert list(made.findings()) == []
    assert {one.finding.path for one in made.accepted} == {"aa_user.py", "zz_shared.py"}
