"""What only legacy's constructor took raised TypeError elsewhere: the new call would take it."""

from __future__ import annotations

import pytest

from tests.support.port import ported, refused

MODEL = 'model = genai.GenerativeModel("m")\n'
RAISED = [
    'model.generate_content("x", system_instruction="brief")',
    'model.count_tokens("x", system_instruction="brief")',
    'model.start_chat(system_instruction="brief").send_message("x")',
    'model.start_chat(generation_config={"temperature": 1}).send_message("x")',
    'model.start_chat(safety_settings={"harassment": "block_none"}).send_message("x")',
    'model.start_chat(tools="code_execution").send_message("x")',
    'model.start_chat().send_message("x", system_instruction="brief")',
]
TAKEN = [
    'model.generate_content("x", generation_config={"temperature": 1})',
    'model.generate_content("x", tools="code_execution")',
    'model.start_chat().send_message("x", tools="code_execution")',
    'model.start_chat().send_message("x", generation_config={"temperature": 1})',
    'genai.GenerativeModel("m", system_instruction="brief").generate_content("x")',
]


@pytest.mark.parametrize("call", RAISED)
def test_what_raised_is_refused(call: str) -> None:
    assert "unsupported_kwarg" in refused(f"{MODEL}{call}\n")


@pytest.mark.parametrize("call", TAKEN)
def test_what_was_taken_is_ported(call: str) -> None:
    assert "config=types.GenerateContentConfig(" in ported(f"{MODEL}{call}\n")
