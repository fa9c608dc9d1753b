"""What is asked of answers by the name of an attribute, or by ``in``."""

from __future__ import annotations

import pytest

from tests.support.port import ported, refused, warned

HEAD = """
        model = genai.GenerativeModel("m")
        chat = model.start_chat()
        chat.send_message("x")
        answer = model.generate_content("x")
        part = answer.candidates[0].content.parts[0]
        """

SAME = [
    'print(hasattr(answer, "text"))',
    'print(hasattr(answer, "error"), hasattr(part, "reason"))',
    'print(getattr(answer, "candidates", None))',
    'print(getattr(answer, "finish_reason", "none"))',
    'print("error" in answer)',
]


@pytest.mark.parametrize("line", SAME)
def test_what_both_answer_alike_stays(line: str) -> None:
    assert line in ported(HEAD + line)


CHANGED = {
    "another name": (
        'print(hasattr(chat, "history"))',
        'print(hasattr(chat, "get_history"))',
    ),
    "a field that is set": (
        'print("text" in part)',
        "print(part.text is not None)",
    ),
    "a field that is not": (
        'if "function_call" not in part: print(1)',
        "if part.function_call is None: print(1)",
    ),
    "of an item": (
        'print("text" in answer.parts[0])',
        "print(answer.parts[0].text is not None)",
    ),
    "in each": (
        'print([p for p in answer.parts if "function_call" in p])',
        "print([p for p in answer.parts if p.function_call is not None])",
    ),
    "the answer behind the answer": (
        "print(answer._result.candidates[0].content)",
        "print(answer.candidates[0].content)",
    ),
}


@pytest.mark.parametrize(("line", "now"), CHANGED.values(), ids=CHANGED)
def test_what_is_called_otherwise_is_asked_otherwise(line: str, now: str) -> None:
    assert now in ported(HEAD + line)


OTHERWISE = [
    'print(hasattr(answer, "_result"))',
    'print(hasattr(answer, "parsed"))',
    'print(getattr(answer, "to_dict", None))',
    'print(hasattr(part, "thought"))',
    'print(hasattr(part, "_pb"))',
    "print(answer.json())",
    "print(answer._done)",
    "print(part.thought)",
    "answer.extra = 1\n        print(answer.extra)",
    'print("content" in answer.candidates[0])',
    'print("thought" in part)',
    'name = "text"\n        print(name in part)',
    'print("a" in "text" in part)',
    'other = part if input() else {}\n        print("text" in other)',
]


@pytest.mark.parametrize("line", OTHERWISE)
def test_what_would_be_answered_otherwise_is_refused(line: str) -> None:
    assert refused(HEAD + line) & {"response_shape_changed", "attribute_removed"}


def test_an_attribute_of_neither_side_is_said() -> None:
    warnings = {warning for _, warning in warned(HEAD + "print(answer.result)")}
    assert "attribute_on_neither" in warnings
    assert "print(answer.result)" in ported(HEAD + "print(answer.result)")


MODEL = """
        model = genai.GenerativeModel("m", system_instruction="Be short.")
        chat = model.start_chat()
        print(chat.send_message("x").text, model.generate_content("x").text)
        """


@pytest.mark.parametrize(
    "line",
    [
        "print(model.generate_text(1))",
        "print(model.list_model_capabilities())",
        "print(chat.messages)",
        "print(chat.send(1))",
        'print(hasattr(chat, "messages"))',
    ],
)
def test_an_attribute_that_neither_models_nor_chats_have(line: str) -> None:
    assert line in ported(MODEL + line)


@pytest.mark.parametrize(
    "line",
    [
        "print(model.title)",
        "print(model.count)",
        "print(model.cached_content)",
        "print(model._tools)",
        'print(hasattr(model, "generate_content"))',
        'print(hasattr(model, "title"))',
        "model._tools = []",
        "model.temperature = 1; print(model.temperature)",
        "print(chat.get_history())",
        'print(hasattr(chat, "send_message_async"))',
        "print(chat.model)",
        'print(genai.GenerativeModel("m").generate_text(1))',
    ],
)
def test_an_attribute_that_one_side_may_have_is_refused(line: str) -> None:
    assert "attribute_removed" in refused(MODEL + line)


def test_a_stream_is_not_looked_into() -> None:
    source = """
        answer = genai.GenerativeModel("m").generate_content("x", stream=True)
        print("error" in answer)
        """
    assert refused(source) == {"response_shape_changed"}
