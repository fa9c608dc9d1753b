"""What is planned of a program of which only a part was named."""

from __future__ import annotations

from pathlib import Path

import pytest

from chatport.port import Plan, Status, plan

SETTINGS = 'import google.generativeai as genai\n\ngenai.configure(api_key="K")\nMODEL = "m"\n'
USES = """
import google.generativeai as genai

{line}


def ask(text):
    return genai.GenerativeModel("m").generate_content(text).text
"""


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "desk").mkdir()
    (tmp_path / "web").mkdir()
    (tmp_path / "desk" / "settings.py").write_text(SETTINGS)
    (tmp_path / "plain.py").write_text("import json\n")
    (tmp_path / "between.py").write_text("from desk import settings\n")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def code_of(made: Plan, path: str) -> set[str]:
    (file,) = (file for file in made.files if file.path == path)
    return {finding.code for finding in file.findings if finding.code is not None}


LINES = [
    "from desk.settings import MODEL",
    "from desk import (settings as s, other)",
    "import desk.settings",
    "import json, desk.settings as s",
    "import between",
]


@pytest.mark.parametrize("line", LINES)
def test_a_file_that_leads_to_legacy_code_beside_is_held_back(line: str, here: Path) -> None:
    (here / "two.py").write_text(USES.format(line=line))
    made = plan(["two.py"])
    assert code_of(made, "two.py") >= {"client_source_unresolved"}
    message = next(f.message for f in made.findings() if f.code == "client_source_unresolved")
    assert "`desk/settings.py`" in str(message)


@pytest.mark.parametrize("line", LINES)
def test_named_as_a_whole_it_is_planned_as_a_whole(line: str, here: Path) -> None:
    (here / "two.py").write_text(USES.format(line=line))
    for paths in (["."], [str(here)], ["two.py", "desk", "between.py"]):
        made = plan(paths)
        assert "client_source_unresolved" not in code_of(made, "two.py"), paths


def test_a_folder_that_leads_to_legacy_code_beside_is_held_back(here: Path) -> None:
    (here / "web" / "page.py").write_text(USES.format(line="from desk.settings import MODEL"))
    assert "client_source_unresolved" in code_of(plan(["web"]), "page.py")
    assert "client_source_unresolved" not in code_of(plan(["web", "desk"]), "web/page.py")


def test_a_relative_import_that_leads_out_is_followed(here: Path) -> None:
    (here / "desk" / "__init__.py").write_text("")
    (here / "desk" / "two.py").write_text(USES.format(line="from .settings import MODEL"))
    (file,) = plan(["desk/two.py"]).files
    assert file.status is Status.REFUSED


@pytest.mark.parametrize("line", ["import plain", "import json", "from nowhere import x", ""])
def test_a_file_that_leads_to_no_legacy_code_is_ported(line: str, here: Path) -> None:
    (here / "two.py").write_text(USES.format(line=line))
    (file,) = plan(["two.py"]).files
    assert file.status is Status.PORTED


def test_imports_in_circles_come_to_an_end(here: Path) -> None:
    (here / "a.py").write_text("import b\n")
    (here / "b.py").write_text("import a\n")
    (here / "two.py").write_text(USES.format(line="import a"))
    (file,) = plan(["two.py"]).files
    assert file.status is Status.PORTED


RELIES = {
    "on the configuration": USES.format(line="from desk import settings"),
    "on the configuration, through another file": USES.format(line="import between"),
    "on a model": "from desk.models import model\n\nprint(model.generate_content('x').text)\n",
}


@pytest.mark.parametrize("text", RELIES.values(), ids=RELIES)
def test_what_a_file_beside_relies_on_is_held_back(text: str, here: Path) -> None:
    (here / "desk" / "models.py").write_text(
        "import google.generativeai as genai\n\nfrom desk import settings\n\n"
        'model = genai.GenerativeModel("m")\n'
    )
    (here / "web" / "page.py").write_text(text)
    held = plan(["desk"], root=here)
    assert Status.REFUSED in {file.status for file in held.files}
    assert {file.path for file in held.files} <= {"desk/settings.py", "desk/models.py"}
    made = plan(["desk", "web", "between.py"], root=here)
    assert {file.status for file in made.files} == {Status.PORTED}


APART = {
    "a program of its own": USES.format(line='genai.configure(api_key="K")'),
    "no legacy code": "from desk.settings import MODEL\n\nprint(MODEL)\n",
}


@pytest.mark.parametrize("text", APART.values(), ids=APART)
def test_a_file_beside_that_shares_nothing_holds_nothing_back(text: str, here: Path) -> None:
    (here / "web" / "page.py").write_text(text)
    (file,) = plan(["desk"], root=here).files
    assert file.status is Status.PORTED


def test_tests_beside_hold_nothing_back(here: Path) -> None:
    (here / "tests").mkdir()
    (here / "tests" / "test_ask.py").write_text(USES.format(line="from desk import settings"))
    (file,) = plan(["desk"], root=here).files
    assert file.status is Status.PORTED


def test_a_file_beside_that_cannot_be_read_is_no_error_of_the_plan(here: Path) -> None:
    (here / "web" / "page.py").write_text("import google.generativeai as genai\n(\n")
    made = plan(["desk"], root=here)
    assert not made.errors
    assert [file.path for file in made.files] == ["desk/settings.py"]
