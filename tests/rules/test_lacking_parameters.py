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


OF_MAPPINGS = [
    'model.generate_content("x", generation_config=genai.GenerationConfig(response_logprobs=True))',
    'cfg = genai.GenerationConfig(logprobs=3)\nmodel.generate_content("x", generation_config=cfg)',
    'c = genai.GenerationConfig()\nc.logprobs = 3\nmodel.count_tokens("x", generation_config=c)',
]
"""Fields that legacy's class had not: it raised for them, and sent none that was set on it."""


@pytest.mark.parametrize("call", OF_MAPPINGS)
def test_fields_of_mappings_are_none_of_the_class(call: str) -> None:
    assert "generation_config_not_static" in refused(f"{MODEL}{call}\n")


@pytest.mark.parametrize("said", ['{"response_logprobs": True}', "dict(response_logprobs=True)"])
def test_a_mapping_may_have_them(said: str) -> None:
    call = f'model.generate_content("x", generation_config={said})\n'
    assert "response_logprobs=True" in ported(MODEL + call)
