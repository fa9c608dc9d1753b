"""What is done with an answer and its parts: what is warned about, and what is refused."""

from __future__ import annotations

import pytest

from tests.support.port import IMPORTS, clean, ported, refused, warned, whole_ported

ANSWER = 'model = genai.GenerativeModel("m")\nanswer = model.generate_content("x")\n'

WARNED = {
    "an answer printed": ("print(answer)", "object_text_changed"),
    "an answer in an f-string": ('print(f"{answer}")', "object_text_changed"),
    "an answer logged": ("import logging\nlogging.info('%s', answer)", "object_text_changed"),
    "an answer put into a text": ("print('{}'.format(answer))", "object_text_changed"),
    "an answer on a page": ("import streamlit as st\nst.write(answer)", "object_text_changed"),
    "a part of an answer printed": ("print(answer.prompt_feedback)", "object_text_changed"),
    "a part of an answer kept and formatted": (
        "said = answer.prompt_feedback\nprint('%s' % said)",
        "object_text_changed",
    ),
    "a part of an answer in an error": (
        "if not answer.parts:\n    raise ValueError(answer.prompt_feedback)",
        "object_text_changed",
    ),
    "a candidate in an f-string": ('print(f"{answer.candidates[0]}")', "object_text_changed"),
    "a reason printed": ("print(answer.candidates[0].finish_reason)", "enum_text_changed"),
    "a reason kept and printed": (
        "why = answer.candidates[0].finish_reason\nprint('ended', why)",
        "enum_text_changed",
    ),
    "a probability printed": (
        "for rating in answer.candidates[0].safety_ratings:\n    print(rating.probability)",
        "enum_text_changed",
    ),
    "the arguments of a call": (
        (
            "for part in answer.parts:\n"
            "    if part.function_call:\n"
            "        print(part.function_call.args['days'])"
        ),
        "function_arguments_typed",
    ),
    "the name of a call that nothing asked for": (
        "print(answer.parts[0].function_call.name)",
        "answer_field_may_be_none",
    ),
}

SILENT = {
    "a name behind its test": "part = answer.parts[0]\n"
    "if part.function_call:\n    print(part.function_call.name)",
    "the name of a reason": "print(answer.candidates[0].finish_reason.name)",
    "the name of a kept reason": "why = answer.candidates[0].finish_reason\nprint(why.name)",
}

REFUSED = {
    "an order of reasons": ("print(answer.candidates[0].finish_reason > 1)", "enum_value_changed"),
    "an order of kept reasons": (
        "why = answer.candidates[0].finish_reason\nprint(why > 1)",
        "enum_value_changed",
    ),
    "a reason as a key": (
        "why = answer.candidates[0].finish_reason\nprint({1: 'ended'}[why])",
        "enum_value_changed",
    ),
    "a reason matched": (
        "match answer.candidates[0].finish_reason:\n    case 1:\n        print('ended')",
        "enum_value_changed",
    ),
    "a reason given to a library": (
        "import library\nlibrary.keep(reason=answer.candidates[0].finish_reason)",
        "enum_value_changed",
    ),
    "the class of an answer": ("print(type(answer).to_dict(answer))", "response_shape_changed"),
    "the class of a part of it": (
        "part = answer.candidates[0]\nprint(type(part).to_json(part))",
        "response_shape_changed",
    ),
    "the message inside": ("print(answer.candidates[0].content._pb)", "attribute_removed"),
    "an empty list under a handler": (
        (
            "try:\n    print(answer.candidates[0].content.parts[0].text)\n"
            "except IndexError:\n    print('nothing')"
        ),
        "value_may_be_none",
    ),
}


@pytest.mark.parametrize(("body", "warning"), WARNED.values(), ids=WARNED)
def test_a_use_that_shows_something_else_is_warned_about(body: str, warning: str) -> None:
    assert warning in {code for _, code in warned(ANSWER + body)}


@pytest.mark.parametrize("body", SILENT.values(), ids=SILENT)
def test_a_use_that_means_the_same_is_not(body: str) -> None:
    assert not warned(ANSWER + body)


@pytest.mark.parametrize(("body", "code"), REFUSED.values(), ids=REFUSED)
def test_a_use_that_means_something_else_is_refused(body: str, code: str) -> None:
    assert code in refused(ANSWER + body)


def test_a_test_of_a_name_asks_for_its_owner_first() -> None:
    after = ported(ANSWER + "part = answer.parts[0]\nif part.function_call.name:\n    print(1)\n")
    assert "if part.function_call and part.function_call.name:" in after


@pytest.mark.parametrize(
    ("body", "after"),
    [
        pytest.param(
            "print([part for part in answer.parts if part.function_call.name])",
            "if part.function_call and part.function_call.name]",
            id="where-a-comprehension-sorts-out",
        ),
        pytest.param(
            "print([part for part in answer.parts if not part.function_call.name])",
            "if not (part.function_call and part.function_call.name)]",
            id="where-a-comprehension-sorts-out-the-others",
        ),
        pytest.param(
            "part = answer.parts[0]\nassert part.function_call.name, 'no call'",
            "assert part.function_call and part.function_call.name, 'no call'",
            id="in-an-assertion",
        ),
    ],
)
def test_a_test_in_another_place_asks_for_its_owner_too(body: str, after: str) -> None:
    assert after in ported(ANSWER + body + "\n")


STREAM = 'model = genai.GenerativeModel("m")\n'


@pytest.mark.parametrize(
    "body",
    [
        """
        try:
            pieces = model.generate_content("x", stream=True)
        except Exception:
            pieces = []
        for piece in pieces:
            print(piece.text)
        """,
        """
        def ask():
            try:
                return model.generate_content("x", stream=True)
            except:
                print("no")

        for piece in ask():
            print(piece.text)
        """,
        """
        pieces = model.generate_content("x", stream=True)
        try:
            for piece in pieces:
                print(piece.text)
        except Exception:
            print("no")
        """,
    ],
)
def test_a_stream_is_sent_under_its_handler(body: str) -> None:
    assert "start_stream(client" in "".join(whole_ported(IMPORTS + STREAM + clean(body)).split())


@pytest.mark.parametrize(
    "body",
    [
        """
        try:
            for piece in model.generate_content("x", stream=True):
                print(piece.text)
        except Exception:
            print("no")
        """,
        """
        try:
            pieces = model.generate_content("x", stream=True)
        except KeyError:
            print("never")
        for piece in pieces:
            print(piece.text)
        """,
        """
        def ask():
            return model.generate_content("x", stream=True)

        try:
            for piece in ask():
                print(piece.text)
        except Exception:
            print("no")
        """,
    ],
)
def test_a_handler_that_still_sees_the_request_fail_is_no_reason(body: str) -> None:
    assert "generate_content_stream" in ported(STREAM + clean(body))


@pytest.mark.parametrize(
    "body",
    [
        'print(model.generate_content(q for q in ["x", "y"]).text)',
        'said = ("x", "y")\nprint(model.start_chat().send_message(said).text)',
    ],
)
def test_contents_that_would_be_others_are_refused(body: str) -> None:
    assert "history_parts_shape_incompatible" in refused(STREAM + clean(body))
