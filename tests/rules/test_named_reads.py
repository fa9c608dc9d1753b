"""Attributes read by a string: the new name, the default that was never taken, what is gone."""

from __future__ import annotations

import pytest

from tests.support.port import ported, refused, warned

ANSWER = '            r = genai.GenerativeModel("m").generate_content("x")\n'
ANSWERED = 'r = client.models.generate_content(model="m", contents="x")\n'
MODEL = '            m = genai.get_model("m")\n'
GOT = 'm = client.models.get(model="m")\n'

NAMED = {
    "a default": (
        'print(getattr(m, "supported_generation_methods", None))',
        'print(getattr(m, "supported_actions", None) or [])',
    ),
    "no default": (
        'print(getattr(m, "supported_generation_methods"))',
        'print(getattr(m, "supported_actions") or [])',
    ),
    "a list that must be one": (
        'print("x" in getattr(m, "supported_generation_methods", []))',
        'print("x" in (getattr(m, "supported_actions", []) or []))',
    ),
    "a question": (
        'print(hasattr(m, "supported_generation_methods"))',
        'print(hasattr(m, "supported_actions"))',
    ),
    "a name that stays": (
        'print(getattr(m, "display_name", ""), hasattr(m, "description"))',
        'print(getattr(m, "display_name", ""), hasattr(m, "description"))',
    ),
}


@pytest.mark.parametrize(("before", "after"), NAMED.values(), ids=NAMED)
def test_a_string_goes_by_the_new_name(before: str, after: str) -> None:
    assert ported(f"{MODEL}            {before}\n") == f"{GOT}{after}\n"


def test_a_history_is_asked_for_by_its_call() -> None:
    before = """
        chat = genai.GenerativeModel("m").start_chat()
        print(getattr(chat, "history", []), hasattr(chat, "history"))
    """
    assert ported(before) == (
        'chat = client.chats.create(model="m")\n'
        'print(chat.get_history(curated=True), hasattr(chat, "get_history"))\n'
    )


def test_the_default_of_a_text_was_not_taken_where_there_is_none() -> None:
    before = (
        'def ask():\n    try:\n        r = genai.GenerativeModel("m").generate_content("x")\n'
        '        return getattr(r, "text", "")\n    except Exception:\n        return "no"\n'
    )
    after = ported(before)
    assert (
        "        if r.text is None:\n"
        '            raise ValueError("the answer holds no text")\n'
        '        return getattr(r, "text", "")\n'
    ) in after


def test_a_text_whose_error_nobody_waited_for_is_warned_of() -> None:
    lines = warned(f'{ANSWER}            print(getattr(r, "text", ""))\n')
    assert (1, "response_text_may_be_none") in lines


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ('print(hasattr(r, "to_dict"))', "response_shape_changed"),
        ('print(hasattr(r, "resolve"))', "response_shape_changed"),
        ('print(getattr(r, "_result", None))', "attribute_removed"),
    ],
)
def test_what_has_no_counterpart_is_refused(line: str, code: str) -> None:
    assert code in refused(f"{ANSWER}            {line}\n")


def test_a_receiver_that_may_be_another_is_refused() -> None:
    before = """
        def methods(m):
            return getattr(m, "supported_generation_methods", None)

        print(methods(genai.get_model("m")), methods(input()))
    """
    assert refused(before) == {"receiver_unresolved"}


def test_other_objects_are_left_alone() -> None:
    before = f'{ANSWER}            print(getattr(input(), "supported_generation_methods", None))\n'
    assert ported(before) == (
        f'{ANSWERED}print(getattr(input(), "supported_generation_methods", None))\n'
    )
