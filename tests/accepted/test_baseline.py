"""A baseline accepts what was there, wherever it has moved; what is new counts."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from chatport.port.baseline import BaselineError, Entry, load, render
from chatport.port.planner import plan

PROGRAM = """\
import google.generativeai as genai

genai.configure(api_key="secret-key")
print(genai.GenerativeModel("m").generate_content("x"))
"""


def baseline_of(folder: Path) -> Counter[Entry]:
    (folder / "base.json").write_text(render(plan([folder / "app.py"], root=folder)))
    return load(folder / "base.json")


def test_what_was_there_is_accepted_where_it_has_moved(tmp_path: Path) -> None:
    path = tmp_path / "app.py"
    path.write_text(PROGRAM)
    accepted = baseline_of(tmp_path)
    path.write_text("x = 1\n\n" + PROGRAM.replace("\nprint", "\nif x:\n    print"))
    made = plan([path], root=tmp_path, baseline=accepted)
    assert list(made.findings()) == []
    assert len(made.accepted) == 4
    assert any(made.changes()), "what is accepted is ported all the same"


@pytest.mark.parametrize(
    "more", ["genai.list_models()\n", 'print(genai.GenerativeModel("m").generate_content("x"))\n']
)
def test_one_more_use_is_a_finding(tmp_path: Path, more: str) -> None:
    path = tmp_path / "app.py"
    path.write_text(PROGRAM)
    accepted = baseline_of(tmp_path)
    path.write_text(PROGRAM + more)
    made = plan([path], root=tmp_path, baseline=accepted)
    assert {finding.place.line for finding in made.findings()} == {5}


def test_no_text_of_the_program_is_kept(tmp_path: Path) -> None:
    (tmp_path / "app.py").write_text(PROGRAM)
    baseline_of(tmp_path)
    assert "secret" not in (tmp_path / "base.json").read_text()


def test_it_is_the_same_every_time(tmp_path: Path) -> None:
    (tmp_path / "app.py").write_text(PROGRAM)
    made = plan([tmp_path], root=tmp_path)
    assert render(made) == render(made)
    assert load_text(tmp_path, render(made)).total() == 4


def test_an_empty_baseline_is_one(tmp_path: Path) -> None:
    assert load_text(tmp_path, render(plan([tmp_path], root=tmp_path))) == Counter()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{", "this is no baseline: Input data was truncated"),
        ('{"version": 2, "findings": []}', "is of version 2, not 1"),
        ('{"version": 1}', "this is no baseline: Object missing required field `findings`"),
    ],
)
def test_a_file_that_is_none_is_an_error_with_a_remedy(
    tmp_path: Path, text: str, message: str
) -> None:
    with pytest.raises(BaselineError) as caught:
        load_text(tmp_path, text)
    assert message in str(caught.value)
    assert str(caught.value).endswith("base.json --update-baseline writes it anew")


def load_text(folder: Path, text: str) -> Counter[Entry]:
    path = folder / "base.json"
    path.write_text(text)
    return load(path)
