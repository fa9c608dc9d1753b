"""Members of which only the truth is asked: the error that an answer kept for a blocked prompt."""

from __future__ import annotations

import pytest

from tests.support.port import clean, ported, refused

BLOCKED = "r.prompt_feedback and r.prompt_feedback.block_reason"


@pytest.mark.parametrize(
    ("said", "new"),
    [
        ("if r._error: print(1)", f"if {BLOCKED}: print(1)"),
        ("if not r._error: print(1)", f"if not ({BLOCKED}): print(1)"),
        ("if r._error is None: print(1)", f"if not ({BLOCKED}): print(1)"),
        ("if r._error is not None: print(1)", f"if {BLOCKED}: print(1)"),
        ("if r._error != None and r: print(1)", f"if {BLOCKED} and r: print(1)"),
        ("print(r._error is None)", f"print(not ({BLOCKED}))"),
        ("print(1 if r._error else 2)", f"print(1 if ({BLOCKED}) else 2)"),
        ("while r._error or r: break", f"while {BLOCKED} or r: break"),
        ("assert not r._error", f"assert not ({BLOCKED})"),
        ("print([1 for _ in 'a' if r._error])", f"print([1 for _ in 'a' if {BLOCKED}])"),
    ],
)
def test_asks_the_prompt_feedback(said: str, new: str) -> None:
    before = f"""
        r = genai.GenerativeModel("m").generate_content("x")
        {said}
        """
    after = f"""
        r = client.models.generate_content(model="m", contents="x")
        {new}
        """
    assert ported(before) == clean(after)


@pytest.mark.parametrize(
    "said",
    [
        "print(r._error)",
        "error = r._error",
        "if r._error: raise r._error",
        "print(r._error is not None)",
        "print(r._error or 'none')",
        "if isinstance(r._error, ValueError): print(1)",
        "if r._error == 1: print(1)",
        "r._error = None",
        "del r._error",
        "if getattr(r, '_error', None): print(1)",
        "if hasattr(r, '_error'): print(1)",
    ],
)
def test_what_asks_for_more_is_refused(said: str) -> None:
    before = f"""
        r = genai.GenerativeModel("m").generate_content("x")
        {said}
        """
    assert refused(before) == {"attribute_removed"}


@pytest.mark.parametrize(
    "given",
    [
        """
        r = genai.GenerativeModel("m").generate_content("x", stream=True)
        for piece in r:
            print(piece.text)
        if r._error: print(1)
        """,
        """
        def look(r: genai.types.GenerateContentResponse):
            if r._error: print(1)
        """,
        """
        def look(make):
            if make()._error: print(1)
        look(lambda: genai.GenerativeModel("m").generate_content("x"))
        """,
        """
        import pickle
        r = genai.GenerativeModel("m").generate_content("x") if input() else pickle.load(input())
        if r._error: print(1)
        """,
        """
        if genai.GenerativeModel("m").generate_content("x")._error: print(1)
        """,
    ],
)
def test_an_answer_that_may_be_a_stream_or_is_made_there_is_refused(given: str) -> None:
    assert refused(given) & {"attribute_removed", "receiver_unresolved"}
