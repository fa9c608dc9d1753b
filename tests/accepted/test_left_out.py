"""What is asked to be left as it is, and writing all or nothing."""

from __future__ import annotations

from pathlib import Path

import pytest

from chatport.port.codes import CODES, examples
from chatport.port.config import Config
from chatport.port.findings import Plan, Status
from chatport.port.planner import plan
from tests.docs.programs import complete

PROGRAM = """\
import google.generativeai as genai

genai.configure(api_key="k")
print(genai.GenerativeModel("m").generate_content("x").text)
"""
REFUSED = PROGRAM + "genai.GenerativeModel('m').start_chat().history.append(1)\n"


def planned(folder: Path, config: Config, **files: str) -> Plan:
    for name, text in files.items():
        path = folder / name.replace("__", "/").replace("_txt", ".txt")
        path = path if path.suffix else path.with_suffix(".py")
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)
    return plan([folder], root=folder, config=config)


def codes(made: Plan) -> dict[str, set[str | None]]:
    return {file.path: {one.code for one in file.findings} for file in made.files}


def test_a_warning_that_is_skipped_holds_its_use_back(tmp_path: Path) -> None:
    made = planned(tmp_path, Config(skip=("response_text_may_be_none",)), app=PROGRAM)
    assert codes(made) == {"app.py": {"left_out", "file_withheld"}}
    assert list(made.changes()) == []


def test_a_rule_that_is_skipped_holds_its_uses_back(tmp_path: Path) -> None:
    made = planned(tmp_path, Config(skip=("configure_to_client",)), app=PROGRAM)
    assert codes(made) == {"app.py": {"left_out", "file_withheld"}}


def test_requirements_can_be_skipped(tmp_path: Path) -> None:
    files = {"app": PROGRAM, "requirements_txt": "google-generativeai==0.8.5\n"}
    both = planned(tmp_path, Config(), **files)
    assert [file.path for file in both.changes()] == ["app.py", "requirements.txt"]
    code = planned(tmp_path, Config(skip=("manifest_dependency",)), **files)
    assert [file.path for file in code.changes()] == ["app.py"]


def test_an_excluded_file_stays_and_still_needs_the_old_requirement(tmp_path: Path) -> None:
    made = planned(
        tmp_path,
        Config(exclude=("old",)),
        app=PROGRAM,
        old__app=PROGRAM,
        requirements_txt="google-generativeai==0.8.5\n",
    )
    assert [file.path for file in made.files] == ["app.py"]
    (manifest,) = made.manifests
    assert manifest.after is not None
    assert b"google-generativeai==0.8.5\n" in manifest.after
    assert b"google-genai" in manifest.after


def test_an_excluded_file_that_cannot_be_read_is_no_error(tmp_path: Path) -> None:
    made = planned(tmp_path, Config(exclude=("old.py",)), app=PROGRAM, old="generativeai (\n")
    assert made.errors == ()
    assert [file.path for file in made.changes()] == ["app.py"]


def test_all_or_nothing_writes_nothing_when_one_file_is_refused(tmp_path: Path) -> None:
    files = {"a": PROGRAM, "b": REFUSED, "requirements_txt": "google-generativeai\n"}
    assert [file.path for file in planned(tmp_path, Config(), **files).changes()] != []
    made = planned(tmp_path, Config(atomic="repo"), **files)
    assert list(made.changes()) == []
    assert {file.status for file in made.files} == {Status.REFUSED}
    assert codes(made)["a.py"] == {"repository_withheld"}
    assert "`b.py`" in str(made.files[0].findings[0].message)


def test_all_or_nothing_minds_files_that_cannot_be_read(tmp_path: Path) -> None:
    made = planned(tmp_path, Config(atomic="repo"), a=PROGRAM, b="generativeai (\n")
    assert list(made.changes()) == []


def test_all_or_nothing_does_not_mind_what_is_left_out(tmp_path: Path) -> None:
    config = Config(atomic="repo", exclude=("b.py",))
    made = planned(tmp_path, config, a=PROGRAM, b=REFUSED)
    assert [file.path for file in made.changes()] == ["a.py"]


def test_all_or_nothing_writes_all_when_nothing_is_refused(tmp_path: Path) -> None:
    made = planned(tmp_path, Config(atomic="repo"), a=PROGRAM, b=PROGRAM)
    assert [file.path for file in made.changes()] == ["a.py", "b.py"]


@pytest.mark.parametrize("code", [name for name, one in CODES.items() if one.warning])
def test_no_warning_that_is_skipped_rides_on_a_rewrite(code: str, tmp_path: Path) -> None:
    example = examples()[code]
    text = complete(example.before, "legacy") if example.file == "app.py" else example.before
    (tmp_path / example.file).write_text(text)
    made = plan([tmp_path], root=tmp_path, config=Config(skip=(code,)))
    assert all(code not in finding.warnings for finding in made.findings())
    if any(code in one.warnings for one in plan([tmp_path], root=tmp_path).findings()):
        assert list(made.changes()) == []
