"""Comments and markers in the cells of a notebook, and the reports of one."""

from __future__ import annotations

import io
import json
from pathlib import Path

import pytest

from chatport.port.codes import CODES
from chatport.port.config import Config
from chatport.port.findings import Plan
from chatport.port.planner import plan
from chatport.port.report import console, github, gitlab, html, markdown, sarif

HEAD = ["import google.generativeai as genai\n", "genai.configure(api_key='k')\n"]
CHAT = "chat = genai.GenerativeModel('m').start_chat()\n"
MARKER = "# chatport: review[history_write] google.generativeai.ChatSession.history\n"


def notebook(*cells: list[str]) -> bytes:
    listed = [{"cell_type": "markdown", "metadata": {}, "source": ["# Title"]}]
    listed += [
        {
            "cell_type": "code",
            "execution_count": None,
            "metadata": {},
            "outputs": [],
            "source": cell,
        }
        for cell in cells
    ]
    document = {"cells": listed, "metadata": {}, "nbformat": 4, "nbformat_minor": 5}
    return json.dumps(document, indent=1).encode()


def planned(folder: Path, *cells: list[str], annotate: bool = False) -> Plan:
    (folder / "n.ipynb").write_bytes(notebook(*cells))
    return plan([folder], root=folder, config=Config(annotate=annotate))


def sources(made: Plan) -> list[list[str]]:
    """The new code cells."""
    (file,) = made.files
    assert file.after is not None
    cells = json.loads(file.after)["cells"]
    return [cell["source"] for cell in cells if cell["cell_type"] == "code"]


@pytest.mark.parametrize(
    "cell",
    [
        [CHAT, "chat.history.append(1)  # chatport: ignore[history_write] soon\n"],
        [CHAT, "# chatport: ignore[history_write] soon\n", "chat.history.append(1)"],
        ["%time\n", CHAT, "chat.history.append(1)  # chatport: ignore[history_write] soon\n"],
    ],
)
def test_a_comment_accepts_a_finding_of_its_cell(tmp_path: Path, cell: list[str]) -> None:
    made = planned(tmp_path, HEAD, cell)
    assert list(made.findings()) == []
    assert {one.reason for one in made.accepted} == {"soon"}


def test_a_comment_that_accepts_nothing_is_named_with_its_cell(tmp_path: Path) -> None:
    made = planned(tmp_path, HEAD, ["x = 1\n", "# chatport: ignore[history_write] soon\n"])
    assert str(made.notes[-1]).startswith("n.ipynb:cell 3, line 2: this comment ignores nothing")


def test_markers_stand_in_the_cell_and_are_not_doubled(tmp_path: Path) -> None:
    first = sources(planned(tmp_path, HEAD, [CHAT, "chat.history.append(1)"], annotate=True))
    assert first == [HEAD, [CHAT, MARKER, "chat.history.append(1)"]]
    (file,) = planned(tmp_path, *first, annotate=True).files
    assert file.after is None


def test_markers_go_when_the_notebook_is_ported(tmp_path: Path) -> None:
    cells = sources(planned(tmp_path, HEAD, [CHAT, MARKER, "chat.send_message('x')"]))
    assert "chatport" not in "".join(cells[1])
    assert cells[1][-1] == "chat.send_message(message='x')"


def test_the_page_shows_the_cells_and_not_their_json(tmp_path: Path) -> None:
    text = html.render(planned(tmp_path, HEAD, [CHAT, "chat.history.append(1)"]))
    table = text.split('<div class="scroll">')[1].split("</table>")[0]
    assert "cell_type" not in table
    line = table.index("chat.history.append(1)")
    note = table.index(CODES["history_write"].message.rstrip("."))
    assert table.index("start_chat()") < line < note


def test_markdown_names_the_cell(tmp_path: Path) -> None:
    text = markdown.render(planned(tmp_path, HEAD, [CHAT, "chat.history.append(1)"]))
    assert "- `n.ipynb:cell 3, line 2` `google.generativeai.ChatSession.history`" in text


def test_every_report_names_cell_and_line(tmp_path: Path) -> None:
    made = planned(tmp_path, HEAD, [CHAT, "chat.history.append(1)"])
    out = io.StringIO()
    console.findings(made, out, lambda _: True)
    assert (
        "n.ipynb:cell 3, line 2: review google.generativeai.ChatSession.history" in out.getvalue()
    )
    assert "follows from cell 3, line 2" in out.getvalue()
    symbol = "google.generativeai.ChatSession.history"
    assert f"::cell 3, line 2: {symbol}: " in github.render(made)
    assert f'"cell 3, line 2: {symbol}: ' in gitlab.render(made)
    results = json.loads(sarif.render(made))["runs"][0]["results"]
    (result,) = (
        one
        for one in results
        if one["ruleId"] == "history_write"
        and one["level"] == "warning"
        and "relatedLocations" not in one
    )
    assert result["message"]["text"].startswith(f"cell 3, line 2: {symbol}: ")
    assert result["locations"][0]["logicalLocations"][0]["name"] == "cell 3, line 2"


def test_the_page_counts_lines_in_their_cells(tmp_path: Path) -> None:
    text = html.render(planned(tmp_path, HEAD, [CHAT, "chat.history.append(1)"]))
    assert text.index(">cell 2<") < text.index("configure") < text.index(">cell 3<")
    behind = text.split(">cell 3<")[1]
    assert '<td class="number">1</td><td class="old">chat = ' in behind
    assert '<td class="number">2</td><td class="old">chat.history' in behind
    assert "follows from <a href=" in text
    assert ">cell 3, line 2</a>" in text
