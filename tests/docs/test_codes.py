"""The pages of the codes: one each, as the table says, with examples that are true."""

from __future__ import annotations

import ast
from collections.abc import Callable
from pathlib import Path

import pytest
from docs.generate_codes import FOLDER, pages

from chatport.port.codes import CODES, examples
from chatport.port.findings import Plan
from chatport.port.planner import plan
from chatport.port.prove.pair import prove_pair
from chatport.port.prove.running import Worker
from tests.docs.programs import complete

NOT_FOUND = {
    "client_source_unresolved": "it takes two modules",
    "depends_on_refused": "it takes two modules",
    "f_string_position": "it depends on the Python that runs",
    "other_keys_elsewhere": "it takes two modules",
    "subclassed": "reported as type_reference",
    "transitive_dependency": "it takes a program and its requirements",
}
"""Examples that the planner does not find by that code, and why. A code that it does find goes."""

WITHOUT_EXAMPLE = {"output_check_failed", "left_out", "needed_by_refused", "repository_withheld"}

EXAMPLES = examples()
PROGRAMS = [name for name, example in EXAMPLES.items() if example.file.endswith(".py")]
RUN = [name for name in PROGRAMS if not EXAMPLES[name].not_run]


def test_every_code_has_its_page_as_the_table_says() -> None:
    written = {path.name: path.read_text(encoding="utf-8") for path in FOLDER.glob("*.md")}
    assert written == pages(), "run: python docs/generate_codes.py"


def test_every_code_says_what_why_and_what_to_do_in_sentences() -> None:
    for code in CODES.values():
        for sentence in (code.message, code.why, code.remedy):
            assert sentence[:1].isupper(), code.name
            assert sentence.endswith("."), code.name
        assert code.message.count(". ") == 0, code.name


def test_every_code_has_an_example_and_no_example_is_left_over() -> None:
    assert set(EXAMPLES) | WITHOUT_EXAMPLE == set(CODES)


@pytest.mark.parametrize("name", EXAMPLES)
def test_an_example_fits_a_page(name: str) -> None:
    for text in (EXAMPLES[name].before, EXAMPLES[name].after):
        assert max(map(len, text.splitlines())) <= 88


@pytest.mark.parametrize("name", [name for name in EXAMPLES if name not in NOT_FOUND])
def test_the_planner_says_the_code_of_the_example(name: str, tmp_path: Path) -> None:
    found = _planned(name, tmp_path)
    assert name in _codes(found)
    if CODES[name].warning:
        after = {file.path: file.after for file in found.changes()}[EXAMPLES[name].file]
        assert after is not None
        assert EXAMPLES[name].after.strip("\n") in after.decode()


@pytest.mark.parametrize("name", list(NOT_FOUND))
def test_what_is_listed_as_not_found_is_not_found(name: str, tmp_path: Path) -> None:
    assert name not in _codes(_planned(name, tmp_path)), "strike it from NOT_FOUND"


@pytest.mark.parametrize("name", PROGRAMS)
def test_both_forms_are_python(name: str) -> None:
    for sdk, text in (("legacy", EXAMPLES[name].before), ("new", EXAMPLES[name].after)):
        assert ast.parse(complete(text, "legacy" if sdk == "legacy" else "new"))


@pytest.mark.parametrize("name", RUN)
def test_both_forms_run_and_ask_the_same(name: str, worker: Callable[[str], Worker]) -> None:
    example = EXAMPLES[name]
    proof = prove_pair(
        complete(example.before, "legacy"),
        complete(example.after, "new"),
        (worker("legacy"), worker("genai3")),
    )
    assert (proof.before.failure, proof.after.failure) == (None, None), proof.explain()
    assert proof.same is not bool(example.differs), proof.explain()


def _planned(name: str, folder: Path) -> Plan:
    """The plan of the example; what is no program gets one that needs it."""
    example = EXAMPLES[name]
    program = example if name in PROGRAMS else EXAMPLES["response_text_may_be_none"]
    (folder / "app.py").write_text(complete(program.before, "legacy"))
    if name not in PROGRAMS:
        (folder / example.file).write_text(example.before)
    return plan([folder], root=folder)


def _codes(found: Plan) -> set[str]:
    findings = list(found.findings())
    return {one.code for one in findings if one.code} | {
        w for one in findings for w in one.warnings
    }
