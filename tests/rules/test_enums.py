"""Enumerations that were numbers: followed to where they are compared, shown or counted with."""

from __future__ import annotations

from textwrap import dedent

import pytest

from tests.support.port import ported, refused, warned

HEAD = """\
model = genai.GenerativeModel("m")
r = model.generate_content("q")
"""
CALL = 'r = client.models.generate_content(model="m", contents="q")\n'


def _program(body: str) -> str:
    return HEAD + dedent(body)


@pytest.mark.parametrize(
    ("body", "after"),
    [
        pytest.param(
            "if r.candidates[0].finish_reason == 2: print('cut')",
            "if r.candidates[0].finish_reason == types.FinishReason.MAX_TOKENS: print('cut')",
            id="compared where it is read",
        ),
        pytest.param(
            "why = r.candidates[0].finish_reason\nif why != 1: print('odd')",
            "why = r.candidates[0].finish_reason\nif why != types.FinishReason.STOP: print('odd')",
            id="through a variable",
        ),
        pytest.param(
            """\
            def why(answer):
                return answer.candidates[0].finish_reason
            print(why(r) in (3, 4))
            """,
            """\
            def why(answer):
                return answer.candidates[0].finish_reason
            print(why(r) in (types.FinishReason.SAFETY, types.FinishReason.RECITATION))
            """,
            id="through a helper, among several",
        ),
        pytest.param(
            "why = r.candidates[0].finish_reason\nprint(why is None, why.name)",
            "why = r.candidates[0].finish_reason\nprint(why is None, why.name)",
            id="None and the name are the same",
        ),
    ],
)
def test_a_number_becomes_the_member_of_its_name(body: str, after: str) -> None:
    assert ported(_program(body)) == CALL + dedent(after)


@pytest.mark.parametrize(
    "body",
    [
        pytest.param("print(r.candidates[0].finish_reason >= 2)", id="an order"),
        pytest.param("print(r.candidates[0].finish_reason == 99)", id="a number of no member"),
        pytest.param("print(r.candidates[0].finish_reason == 'STOP')", id="text"),
        pytest.param(
            "limit = input()\nprint(r.candidates[0].finish_reason == limit)", id="unknown"
        ),
        pytest.param("why = r.candidates[0].finish_reason\nprint(int(why))", id="a number of it"),
        pytest.param("print(r.candidates[0].finish_reason.value)", id="its value"),
        pytest.param("print({2: 'cut'}[r.candidates[0].finish_reason])", id="a key"),
        pytest.param("print({2: 'cut'}.get(r.candidates[0].finish_reason))", id="a key looked up"),
        pytest.param("print(r.candidates[0].finish_reason + 1)", id="arithmetic"),
    ],
)
def test_what_has_no_twin_is_refused(body: str) -> None:
    assert refused(_program(body)) == {"enum_value_changed"}


def test_what_is_only_shown_is_noted() -> None:
    assert warned(_program("why = r.candidates[0].finish_reason\nprint(f'{why}')")) == [
        (2, "enum_text_changed")
    ]
