"""The face of the port as a library."""

from __future__ import annotations

from pathlib import Path

import chatport.port
from chatport.port import Plan, Status, plan, undo, write

PROGRAM = """\
import google.generativeai as genai

genai.configure(api_key="K")
print(genai.GenerativeModel("m").generate_content("q").text)
"""


def test_every_name_of_the_face_is_there() -> None:
    assert {name: getattr(chatport.port, name) is not None for name in dir(chatport.port)} == (
        dict.fromkeys(chatport.port.__all__, True)
    )


def test_a_plan_writes_itself(tmp_path: Path) -> None:
    app = tmp_path / "app.py"
    app.write_text(PROGRAM)
    run = plan([tmp_path], root=tmp_path).write()
    assert "from google import genai" in app.read_text()
    assert undo(tmp_path).run == run


def test_a_tree_is_planned_written_and_taken_back(tmp_path: Path) -> None:
    app = tmp_path / "app.py"
    app.write_text(PROGRAM)
    made = plan([tmp_path], root=tmp_path)
    assert isinstance(made, Plan)
    assert [file.status for file in made.files] == [Status.PORTED]
    assert app.read_text() == PROGRAM
    write(made)
    assert "from google import genai" in app.read_text()
    undo(tmp_path)
    assert app.read_text() == PROGRAM
