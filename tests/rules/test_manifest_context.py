"""Declared dependencies: which interpreters they are for, who still needs them, what is locked."""

from __future__ import annotations

from pathlib import Path

import pytest

from chatport.port.findings import Note
from chatport.port.planner import plan
from tests.support.manifests import NO_USE, PORTS, STAYS, manifest, planned, ported
from tests.support.notebooks import notebook

# --- interpreters ------------------------------------------------------------------------------

PYTHONS = {
    "none said": ("", "google-genai>=1.56", ()),
    "new": ('requires-python = ">=3.11"', "google-genai>=1.56", ()),
    "ten and newer": ('requires-python = ">=3.10"', "google-genai>=1.56", ()),
    "ten only": ('requires-python = ">=3.10,<3.11"', "google-genai>=1.56,<3", ()),
    "ten, exactly": ('requires-python = "==3.10.4"', "google-genai>=1.56,<3", ()),
    "nine and newer": ('requires-python = ">=3.9"', "google-genai>=1.56", ("python_floor",)),
    "nine and ten": (
        'requires-python = ">=3.9,<3.11"',
        "google-genai>=1.56,<3",
        ("python_floor",),
    ),
}


@pytest.mark.parametrize(("line", "requirement", "warnings"), PYTHONS.values(), ids=PYTHONS)
def test_the_range_suits_the_interpreters(
    tmp_path: Path, line: str, requirement: str, warnings: tuple[str, ...]
) -> None:
    text = f"[project]\n{line}\ndependencies = ['google-generativeai']\n"
    file = manifest(tmp_path, "pyproject.toml", text)
    assert file is not None
    assert file.findings[0].warnings == warnings
    assert file.after == f"[project]\n{line}\ndependencies = ['{requirement}']\n".encode()


TOO_OLD = {
    "PEP 621": ("pyproject.toml", "[project]\nrequires-python = '>=3.7,<3.10'\n"),
    "Poetry": ("pyproject.toml", "[tool.poetry.dependencies]\npython = '~3.9'\n"),
    "Pipfile": ("Pipfile", "[requires]\npython_version = '3.9'\n"),
    "setup.cfg": ("setup.cfg", "[options]\npython_requires = >=3.8,<3.10\n"),
    "setup.py": ("setup.py", "setup(python_requires='==3.8.*')\n"),
}


@pytest.mark.parametrize(("name", "text"), TOO_OLD.values(), ids=TOO_OLD)
def test_interpreters_too_old_for_the_new_sdk_refuse_the_requirement(
    tmp_path: Path, name: str, text: str
) -> None:
    file = manifest(tmp_path, "requirements.txt", "google-generativeai\n", **{f"./{name}": text})
    assert file is not None
    assert file.findings[0].code == "python_too_old"


def test_an_image_says_its_interpreter(tmp_path: Path) -> None:
    text = "FROM python:3.10-slim\nRUN pip install google-generativeai\n"
    assert '"google-genai>=1.56,<3"' in ported(tmp_path, "Dockerfile", text)


def test_the_nearest_project_speaks(tmp_path: Path) -> None:
    near = "[project]\nrequires-python = '==3.10.*'\n"
    far = "[project]\nrequires-python = '>=3.11'\n"
    found = planned(
        tmp_path,
        {
            "pyproject.toml": far,
            "a/pyproject.toml": near,
            "a/requirements.txt": "google-generativeai\n",
            "b/requirements.txt": "google-generativeai\n",
        },
    )
    after = {file.path: file.after for file in found.manifests}
    assert after == {
        "a/requirements.txt": b"google-genai>=1.56,<3\n",
        "b/requirements.txt": b"google-genai>=1.56\n",
    }


# --- who still needs it ------------------------------------------------------------------------

NEEDED = {
    "a refused file": {"other.py": STAYS},
    "a file that cannot be read": {"other.py": "import google.generativeai as genai\nprint 'x'\n"},
    "a refused notebook": {"n.ipynb": notebook(STAYS).decode()},
    "a string": {"other.py": "NAME = 'google.generativeai'\n"},
}


@pytest.mark.parametrize("files", NEEDED.values(), ids=NEEDED)
def test_the_requirement_stays_while_a_file_needs_it(tmp_path: Path, files: dict[str, str]) -> None:
    found = planned(
        tmp_path, {"app.py": PORTS, "requirements.txt": "google-generativeai\n", **files}
    )
    assert found.manifests[0].after == b"google-generativeai\ngoogle-genai>=1.56\n"


def test_files_outside_of_the_paths_given_count(tmp_path: Path) -> None:
    files = {"app/requirements.txt": "google-generativeai\n", "app/front.py": PORTS}
    planned(tmp_path, {**files, "other.py": STAYS})
    found = plan([tmp_path / "app"], root=tmp_path)
    assert found.manifests[0].after == b"google-generativeai\ngoogle-genai>=1.56\n"


def test_nothing_is_required_anew_while_every_file_stays(tmp_path: Path) -> None:
    found = planned(tmp_path, {"app.py": STAYS, "requirements.txt": "google-generativeai\n"})
    assert found.manifests == ()


def test_once_nothing_needs_it_any_more_the_old_requirement_goes(tmp_path: Path) -> None:
    both = "google-generativeai\ngoogle-genai>=1.56\n"
    assert ported(tmp_path, "requirements.txt", both, NO_USE) == "google-genai>=1.56\n"


def test_what_came_along_stays_while_it_is_imported(tmp_path: Path) -> None:
    text = "google-generativeai\ngoogle-ai-generativelanguage\n"
    code = PORTS + "import google.ai.generativelanguage\n"
    after = ported(tmp_path, "requirements.txt", text, code)
    assert after == "google-genai>=1.56\ngoogle-ai-generativelanguage\n"


@pytest.mark.parametrize(
    ("line", "lost"),
    [
        ("from google.api_core import page_iterator", "google-api-core"),
        ("import google.protobuf.json_format", "google-protobuf"),
        ("import google.ai.generativelanguage", "google-ai-generativelanguage"),
        ("import sys, tqdm", "tqdm"),
    ],
)
def test_what_only_came_along_and_is_imported_is_named(
    tmp_path: Path, line: str, lost: str
) -> None:
    code = f"{line}\n{PORTS}"
    found = planned(tmp_path, {"app.py": code, "requirements.txt": "google-generativeai\n"})
    (finding,) = found.manifests[0].findings
    assert finding.warnings == ("transitive_dependency",)
    assert lost.removeprefix("google-protobuf") in found.notes[0].message


# --- files that tools write --------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "command"),
    [("poetry.lock", "poetry lock"), ("uv.lock", "uv lock"), ("Pipfile.lock", "pipenv lock")],
)
def test_lock_files_are_named_and_left(tmp_path: Path, name: str, command: str) -> None:
    found = planned(
        tmp_path,
        {"app.py": PORTS, "requirements.txt": "google-generativeai\n", name: "google-generativeai"},
    )
    assert [file.path for file in found.manifests] == ["requirements.txt"]
    (note,) = found.notes
    said = f"still names google-generativeai; write it anew with `{command}`"
    assert note == Note(name, said)


def test_a_compiled_requirement_file_is_named_and_left(tmp_path: Path) -> None:
    text = "#\n# This file is autogenerated by pip-compile\n#\ngoogle-generativeai==0.8.3\n"
    found = planned(tmp_path, {"app.py": PORTS, "requirements.txt": text})
    assert found.manifests == ()
    assert "written by pip-compile" in found.notes[0].message


# --- what still speaks of it -------------------------------------------------------------------


def test_what_still_speaks_of_the_old_distribution_is_named(tmp_path: Path) -> None:
    files = {
        "app.py": PORTS,
        "requirements.txt": "google-generativeai\n",
        "README.md": "# App\n\n    pip install google-generativeai\n" * 2,
        "about.py": 'LIBRARIES = ["google-generativeai"]\n',
        "other.md": "google-generativeai-tools\n",
    }
    said = "still speaks of google-generativeai{}; change it by hand"
    assert planned(tmp_path, dict(files)).notes == (
        Note("README.md", said.format(", also on line 6"), "3"),
        Note("about.py", said.format(""), "1"),
    )


def test_an_installing_command_in_a_message_follows_the_code(tmp_path: Path) -> None:
    code = (
        PORTS + 'HINT = "pip install google-generativeai"  # pip install -U google-generativeai\n'
    )
    found = planned(tmp_path, {"app.py": code})
    after = found.files[0].after
    assert after is not None
    assert after.endswith(b'HINT = "pip install google-genai"  # pip install -U google-genai\n')
