"""A plan in short, and how little of a repository's own configuration is heeded."""

from __future__ import annotations

import pickle
from pathlib import Path

import msgspec
import pytest

from chatport.port import plan
from chatport.port.config import ConfigError
from chatport.port.fleet.survey import Outcome, survey
from tests.fleet.repositories import HELD, LEGACY, committed, git, repository


def test_it_holds_what_the_plan_holds(tmp_path: Path) -> None:
    root = repository(tmp_path / "r", good=LEGACY, bad=HELD, other="x = 1\n", broken="import (\n")
    (root / "broken.py").write_text("import google.generativeai (\n")
    made, found = plan([root], root=root), survey(root)
    assert found.revision == ""
    assert (found.summary.ported, found.summary.refused) == (1, 1)
    assert [(file.path, file.status) for file in found.files] == [
        ("bad.py", "refused"),
        ("good.py", "ported"),
    ]
    assert len(found.uses) == sum(1 for _ in made.findings())
    assert found.patch == made.patch() != b""
    assert [problem.partition(":")[0] for problem in found.problems] == ["broken.py"]
    causes = {use.code for use in found.uses if use.code is not None and not use.follows}
    assert "file_withheld" not in causes
    assert len(causes) == 1


def test_it_names_the_commit(tmp_path: Path) -> None:
    root = repository(tmp_path / "r", a=LEGACY)
    committed(root)
    assert survey(root).revision == git(root, "rev-parse", "HEAD").strip()


def test_it_travels_between_processes_and_machines(tmp_path: Path) -> None:
    outcome = Outcome(survey(repository(tmp_path / "r", a=LEGACY, b=HELD)), seconds=1.5)
    assert pickle.loads(pickle.dumps(outcome)) == outcome
    assert msgspec.json.decode(msgspec.json.encode(outcome), type=Outcome) == outcome


def test_a_name_that_is_no_text_travels_too(tmp_path: Path) -> None:
    root = repository(tmp_path / "r")
    (root / "a\udcff\n.py").write_text(LEGACY)
    found = survey(root)
    assert [file.path for file in found.files] == ["a\\udcff\\n.py"]
    assert msgspec.json.encode(Outcome(found))


def test_what_it_leaves_out_is_left_out(tmp_path: Path) -> None:
    root = repository(tmp_path / "r", a=LEGACY, b=LEGACY)
    (root / "pyproject.toml").write_text('[tool.chatport]\nexclude = ["b.py"]\n')
    assert [file.path for file in survey(root).files] == ["a.py"]


@pytest.mark.parametrize("key", ["paths", "baseline", "output"])
def test_its_configuration_leads_nowhere_else(key: str, tmp_path: Path) -> None:
    outside = repository(tmp_path / "outside", secret=LEGACY)
    value = f'["{outside}"]' if key == "paths" else f'"{outside}/new"'
    root = repository(tmp_path / "r", a=LEGACY)
    (root / "pyproject.toml").write_text(f"[tool.chatport]\n{key} = {value}\n")
    with pytest.raises(ConfigError, match=key):
        survey(root)
    assert [path.name for path in outside.iterdir()] == ["secret.py"]


def test_what_it_says_of_its_own_reports_is_not_heeded(tmp_path: Path) -> None:
    root = repository(tmp_path / "r", a=LEGACY, b=LEGACY)
    (root / "pyproject.toml").write_text(
        '[tool.chatport]\npaths = ["b.py"]\noutput = "out"\nannotate = true\n'
    )
    assert [file.path for file in survey(root).files] == ["a.py", "b.py"]
    assert not (root / "out").exists()


def test_a_configuration_above_it_is_not_its_own(tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text('[tool.chatport]\nexclude = ["a.py"]\n')
    assert survey(repository(tmp_path / "r", a=LEGACY)).summary.ported == 1


def test_a_configuration_that_is_none_is_told(tmp_path: Path) -> None:
    root = repository(tmp_path / "r", a=LEGACY)
    (root / "pyproject.toml").write_text("[tool.chatport]\nexclud = []\n")
    with pytest.raises(ConfigError, match="did you mean exclude"):
        survey(root)


def test_a_folder_that_is_not_there_is_told(tmp_path: Path) -> None:
    with pytest.raises(NotADirectoryError, match="there is no folder"):
        survey(tmp_path / "nowhere")
