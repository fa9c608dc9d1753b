"""Which files are planned together: those between which a legacy object may travel."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from chatport.port.findings import FilePlan
from chatport.port.packs.load import bundled, names
from chatport.port.planner import Tree, plan_files
from chatport.port.program.modules import Layout
from chatport.port.programs import FEW, Programs

LEGACY = "import google.generativeai as genai\ngenai.configure()\n"
MODEL = 'model = genai.GenerativeModel("gemini-1.5-flash")\n'
ASK = "def ask(text):\n    return model.generate_content(text).text\n"


def groups(files: Mapping[str, str], between: Mapping[str, str] | None = None) -> list[set[str]]:
    """The paths of `files` by programs; `between` are files without a token."""
    data = {path: text.encode() for path, text in {**files, **(between or {})}.items()}
    programs = Programs(Layout(data), data.get, [b"configure"])
    candidates = [(path, data[path]) for path in files]
    found = programs.of(candidates, lambda data: b"generativeai" in data)
    return [{path for path, _ in group} for group in found]


def planned(files: Mapping[str, str]) -> dict[str, FilePlan]:
    data = {path: text.encode() for path, text in files.items()}
    tree = Tree(Path("no-such-folder"), sorted(data), data.get)
    plans, problems = plan_files(tree, list(data.items()), [bundled(name) for name in names()])
    assert not problems
    return {plan.path: plan for plan in plans}


def test_files_that_have_nothing_in_common_are_apart() -> None:
    assert groups({"a.py": LEGACY, "b.py": LEGACY, "c/d.py": LEGACY}) == [
        {"a.py"},
        {"b.py"},
        {"c/d.py"},
    ]


@pytest.mark.parametrize(
    "text",
    [
        "import b",
        "import b as other",
        "def late():\n    import b",
        "from b import ask",
        "from b import *",
        "from . import b",
        "from .b import ask",
        "import importlib\nb = importlib.import_module('b.ask')",
        "from unittest.mock import patch\n@patch('b.genai')\ndef test(): ...",
    ],
)
def test_a_file_is_planned_with_what_it_names(text: str) -> None:
    assert groups({"a.py": f"{LEGACY}{text}\n", "b.py": LEGACY}) == [{"a.py", "b.py"}]


def test_a_file_is_planned_with_a_module_of_a_package_it_names() -> None:
    files = {"a.py": f"{LEGACY}from p import q\n", "p/__init__.py": LEGACY, "p/q.py": LEGACY}
    assert groups(files) == [set(files)]


def test_what_stands_between_two_files_joins_them() -> None:
    between = {"between.py": "from b import ask\n"}
    assert groups({"a.py": f"{LEGACY}import between\n", "b.py": LEGACY}, between) == [
        {"a.py", "b.py"}
    ]


def test_files_that_use_the_same_module_are_together() -> None:
    files = dict.fromkeys(("a.py", "b.py"), f"{LEGACY}import shared\n")
    assert groups(files, {"shared.py": "models = {}\n"}) == [{"a.py", "b.py"}]


def test_a_conftest_is_planned_with_the_tests_below_it() -> None:
    files = {"t/conftest.py": LEGACY, "t/u/test_a.py": LEGACY, "test_b.py": LEGACY}
    assert groups(files) == [{"t/conftest.py", "t/u/test_a.py"}, {"test_b.py"}]


def test_a_file_that_configures_nothing_is_planned_with_all_that_do() -> None:
    alone = "import google.generativeai as genai\n"
    assert groups({"a.py": alone, "b.py": LEGACY, "c.py": LEGACY}) == [{"a.py", "b.py", "c.py"}]
    assert groups({"a.py": alone, "b.py": alone}) == [{"a.py"}, {"b.py"}]


def test_a_file_that_cannot_be_parsed_is_alone() -> None:
    assert groups({"a.py": f"{LEGACY}import b (\n", "b.py": LEGACY}) == [{"a.py"}, {"b.py"}]


def test_pages_that_meet_in_a_session_are_ported_as_if_they_imported_each_other() -> None:
    keeps = f"import streamlit as st\n{LEGACY}{MODEL}st.session_state.model = model\n"
    page = f"import streamlit as st\n{LEGACY}"
    page += "print(st.session_state.model.generate_content('Hello').text)\n"
    plans = planned({"main.py": keeps, "pages/one.py": page})
    assert plans["main.py"].unit == plans["pages/one.py"].unit
    uses = {finding.symbol for finding in plans["pages/one.py"].findings}
    assert any(symbol.endswith("GenerativeModel.generate_content") for symbol in uses)


def test_a_file_is_planned_the_same_alone_and_beside_others() -> None:
    text = LEGACY + MODEL + ASK
    alone = planned({"app.py": text})["app.py"]
    many = planned({"app.py": text} | {f"other_{n}.py": text for n in range(FEW + 1)})
    assert many["app.py"] == alone
    assert {plan.after for plan in many.values()} == {alone.after}


def test_a_refusal_stays_in_its_program() -> None:
    refused = LEGACY + "model = genai.GenerativeModel(**settings)\nprint(vars(model))\n"
    plans = planned({"a.py": refused, "b.py": LEGACY + MODEL + ASK})
    assert plans["a.py"].after is None
    assert plans["b.py"].after is not None
