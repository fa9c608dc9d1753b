"""Answers and files that a program keeps by their hash."""

from __future__ import annotations

import pytest

from tests.support.port import ported, refused

HASHED = {
    "a set it is added to": """
        seen = set()
        answer = genai.GenerativeModel("m").generate_content("x")
        seen.add(answer)
        """,
    "a set that is written down": """
        answer = genai.GenerativeModel("m").generate_content("x")
        print({answer})
        """,
    "a set that is computed": """
        model = genai.GenerativeModel("m")
        print({model.generate_content(word) for word in ("a", "b")})
        """,
    "a key that is written down": """
        answer = genai.GenerativeModel("m").generate_content("x")
        print({answer: 1})
        """,
    "a key that is computed": """
        model = genai.GenerativeModel("m")
        print({model.generate_content(word): word for word in ("a", "b")})
        """,
    "a key that is stored": """
        names = {}
        file = genai.upload_file("a.txt")
        names[file] = "a"
        """,
    "its hash": """
        answer = genai.GenerativeModel("m").generate_content("x")
        print(hash(answer))
        """,
    "a function that remembers": """
        from functools import lru_cache


        @lru_cache
        def length(answer):
            return len(answer.text)


        print(length(genai.GenerativeModel("m").generate_content("x")))
        """,
}


@pytest.mark.parametrize("before", HASHED.values(), ids=HASHED)
def test_an_object_that_has_no_hash_any_more_is_refused(before: str) -> None:
    assert "response_shape_changed" in refused(before)


KEPT = {
    "a method of the program that is called add": """
        class Log:
            def add(self, answer):
                print(answer.text)


        Log().add(genai.GenerativeModel("m").generate_content("x"))
        """,
    "a value under a key": """
        answers = {}
        answers["x"] = genai.GenerativeModel("m").generate_content("x")
        print({"x": answers["x"].text})
        """,
    "an enumeration as a key": """
        counts = {}
        answer = genai.GenerativeModel("m").generate_content("x")
        counts[answer.candidates[0].finish_reason.name] = 1
        """,
}


@pytest.mark.parametrize("before", KEPT.values(), ids=KEPT)
def test_what_is_not_hashed_is_ported(before: str) -> None:
    assert "google.generativeai" not in ported(before)
