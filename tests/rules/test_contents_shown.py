"""Turns and blobs that somebody sees, and keep their shape."""

from __future__ import annotations

import pytest

from tests.support.port import ported, warned

SHOWN = [
    "print(turns)",
    "print(*turns)",
    "print(turns[0])",
    'print(f"sent {turns}")',
    'print("sent %s" % turns)',
    "print(str(turns))",
    "import logging; logging.info(turns)",
    "import json; print(json.dumps(turns))",
    "for turn in turns: print(turn)",
    'print(turns == [{"role": "user", "parts": ["a"]}])',
]


@pytest.mark.parametrize("line", SHOWN)
def test_turns_that_are_shown_keep_their_shape(line: str) -> None:
    now = ported(
        f"""
        turns = [{{"role": "user", "parts": ["a"]}}]
        {line}
        print(genai.GenerativeModel("m").generate_content(turns).text)
        """
    )
    assert 'turns = [{"role": "user", "parts": ["a"]}]\n' in now


@pytest.mark.parametrize("line", ["print(len(turns))", "print(turns == [])", "print(not turns)"])
def test_turns_that_nobody_sees_are_brought_into_shape(line: str) -> None:
    now = ported(
        f"""
        turns = [{{"role": "user", "parts": ["a"]}}]
        {line}
        print(genai.GenerativeModel("m").generate_content(turns).text)
        """
    )
    assert 'turns = [{"role": "user", "parts": [{"text": "a"}]}]\n' in now


def test_a_blob_that_is_shown_is_warned_of() -> None:
    source = """
        blob = {"mime_type": "text/plain", "data": b"x"}
        print(blob)
        genai.GenerativeModel("m").generate_content([blob])
        """
    assert {warning for _, warning in warned(source)} >= {"object_text_changed"}
