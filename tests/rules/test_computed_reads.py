"""What is read by a name that is computed, and what of a model by any name."""

from __future__ import annotations

import pytest

from tests.support.port import ported, refused

CHAT = 'model = genai.GenerativeModel("m")\nchat = model.start_chat()\n'
ANSWER = CHAT + 'answer = chat.send_message("x")\n'

SAME = {
    "the text of an answer": 'print(getattr(answer, "text"))',
    "what may be missing": 'print(getattr(answer, "usage_metadata", None))',
    "whether there is a text": 'print(hasattr(answer, "text"))',
    "behind what may be nothing": (
        'print(getattr(answer.prompt_feedback, "block_reason", None) is None)'
    ),
}
REFUSED = {
    "a method of a model": ('getattr(model, "generate_content")("q")', "model_object_escapes"),
    "the name of a model": ('print(getattr(model, "model_name"))', "model_object_escapes"),
    "a computed method": (
        'def ask(name):\n    return getattr(model, name)("q")',
        "model_object_escapes",
    ),
    "a computed attribute": (
        "def read(name):\n    return getattr(answer, name, None)",
        "dynamic_reference",
    ),
    "one name of several": (
        'for name in ("text", "parts"):\n    print(getattr(answer, name, None))',
        "dynamic_reference",
    ),
    "a computed attribute of a model's description": (
        'm = genai.get_model("m")\nprint(getattr(m, input(), None))',
        "dynamic_reference",
    ),
    "everything": ("print(vars(answer))", "dynamic_reference"),
}


@pytest.mark.parametrize("read", SAME.values(), ids=SAME)
def test_an_attribute_both_sides_have_is_read_as_before(read: str) -> None:
    assert read in ported(ANSWER + read + "\n")


@pytest.mark.parametrize(("read", "code"), REFUSED.values(), ids=REFUSED)
def test_what_would_find_something_else_is_refused(read: str, code: str) -> None:
    assert code in refused(ANSWER + read + "\n")
