"""Scripts in their JSON form."""

from __future__ import annotations

from typing import Any

import pytest

from chatport.testing.gemini_server_script import (
    Answer,
    ScriptError,
    blocked,
    body,
    cut,
    failure,
    from_json,
    function_call,
    malformed,
    meant_for,
    no_candidates,
    parts,
    slow,
    stopped,
    text,
)

ROWS: list[tuple[dict[str, Any], list[Answer]]] = [
    ({"text": "a"}, [text("a")]),
    ({"text": "a", "finish": "MAX_TOKENS"}, [text("a", finish="MAX_TOKENS")]),
    ({"chunks": ["a", "b"]}, [text("a", "b")]),
    ({"call": {"name": "f", "args": {"x": 1}}}, [function_call("f", {"x": 1})]),
    (
        {"calls": [{"name": "f", "args": {}}, {"name": "g", "args": {"y": 2}}]},
        [function_call("f", {}, g={"y": 2})],
    ),
    ({"parts": [{"text": "a"}]}, [parts({"text": "a"})]),
    ({"blocked": "SAFETY"}, [blocked()]),
    ({"stopped": "SAFETY"}, [stopped()]),
    ({"empty": True}, [no_candidates()]),
    ({"body": {"candidates": []}}, [body({"candidates": []})]),
    ({"status": 503, "times": 2}, failure(503, times=2)),
    ({"malformed": True}, [malformed()]),
    ({"text": "a", "delay": 1, "pause": 2}, [slow(text("a"), 1, 2)]),
    ({"chunks": ["a", "b"], "cut": 1}, [cut(text("a", "b"), 1)]),
    ({"text": "a", "methods": ["countTokens"]}, [meant_for(text("a"), "countTokens")]),
]


@pytest.mark.parametrize(("row", "answers"), ROWS, ids=["+".join(row) for row, _ in ROWS])
def test_each_kind_and_modifier_can_be_written_as_json(
    row: dict[str, Any], answers: list[Answer]
) -> None:
    assert from_json([row]) == answers


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ({}, "a script is a list of rows"),
        ("text", "a script is a list of rows"),
        ([1], "script[0] is not an object"),
        ([{"text": "a"}, {}], "script[1]: 0 kinds of answer"),
        ([{"text": "a", "status": 500}], "script[0]: 2 kinds of answer"),
        ([{"text": "a", "wait": 1}], "script[0]: unknown key 'wait'"),
        ([{"call": {}}], "script[0].call: {} does not fit"),
        ([{"chunks": 3}], "script[0].chunks: 3 does not fit"),
    ],
)
def test_a_wrong_row_is_named(rows: object, message: str) -> None:
    with pytest.raises(ScriptError) as fault:
        from_json(rows)
    assert message in str(fault.value)
