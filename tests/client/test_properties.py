"""What holds for any batch, any stream, any answer."""

from __future__ import annotations

import json
from collections.abc import Callable
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from chatport import (
    JSON,
    Client,
    Failure,
    InvalidOutputError,
    InvalidTemplateError,
    Layer,
    Request,
    Safeguard,
    SingleBatchTools,
    StreamClient,
    Substrings,
    Template,
    ToolBatchError,
    ToolCall,
    collect,
    fallback,
    log,
    retry,
    timeout,
    tool,
    usage_meter,
    user,
)
from chatport.client import deltas_of
from chatport.client.partial import PartialJSON
from chatport.testing import ScriptedModel, answer

ASK = Request(user("hello"))
words = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=30)


@settings(deadline=None)
@given(st.lists(st.sampled_from(["ok", "fail", "together", "together fail"]), max_size=8))
def test_every_call_of_a_batch_is_accounted_for(plan: list[str]) -> None:
    ran: list[int] = []

    def run(number: int, what: str) -> str:
        ran.append(number)
        if "fail" in what:
            raise Failure("failed", what, reason=RuntimeError())
        return f"did {number}"

    alone, together = tool(name="alone")(run), tool(name="together", parallel=True)(run)
    names = ["together" if "together" in what else "alone" for what in plan]
    calls = [
        ToolCall(str(number), name, f'{{"number": {number}, "what": "{what}"}}')
        for number, (what, name) in enumerate(zip(plan, names, strict=True))
    ]
    model = ScriptedModel(answer(*calls) if calls else "nothing to do", "done")
    client = Client(model, middleware=[SingleBatchTools(alone, together)])
    if not any("fail" in what for what in plan):
        client.call(ASK)
        assert sorted(ran) == list(range(len(plan)))
        return
    with pytest.raises(ToolBatchError) as caught:
        client.call(ASK)
    outcomes = caught.value.outcomes
    assert caught.value.failed_call == next(o.call for o in outcomes if o.state == "failed")
    assert [outcome.call for outcome in outcomes] == calls
    states = [outcome.state for outcome in outcomes]
    assert {n for n, state in enumerate(states) if state != "not_started"} == set(ran)
    # What ran is a prefix, and within it only neighbours that run together may follow a failure.
    assert states == sorted(states, key=lambda state: state == "not_started")
    first = states.index("failed")
    last = len(ran) - 1
    assert first == last or set(names[first : last + 1]) == {"together"}
    for outcome, what in zip(outcomes, plan, strict=True):
        assert outcome.state == "not_started" or (outcome.state == "failed") == ("fail" in what)
        assert (outcome.result is not None) == (outcome.state == "completed")


@settings(deadline=None)
@given(st.lists(words, min_size=1), st.integers(1, 9))
def test_middleware_changes_no_answer(texts: list[str], size: int) -> None:
    response = answer(*texts)
    layers: list[Any] = [
        Layer(),
        retry,
        fallback(ScriptedModel("never")),
        timeout(60),
        usage_meter(),
        log,
        Safeguard(Substrings("a term that is in none of the texts")),
    ]
    model = ScriptedModel(response, list(deltas_of(response, size=size)))
    assert Client(model, middleware=layers).call(ASK) is response
    streamed = collect(StreamClient(model, middleware=layers).stream(ASK))
    assert (streamed.text(), streamed.finish_reason) == (response.text(), "stop")


@settings(deadline=None)
@given(st.text(max_size=60), st.lists(st.integers(0, 60), max_size=4), st.sampled_from(["ab", "ß"]))
def test_a_stream_is_blocked_exactly_when_its_text_is(
    text: str, cuts: list[int], term: str
) -> None:
    matcher = Substrings(term, "é")
    look = matcher.follow()
    edges = sorted({0, len(text), *(cut for cut in cuts if cut < len(text))})
    pieces = [text[a:b] for a, b in pairwise(edges)]
    assert any(look(piece).found for piece in pieces) == matcher.match(text).found


def raised(work: Callable[[], object]) -> Exception | None:
    try:
        work()
    except Exception as error:
        return error
    return None


@settings(deadline=None)
@given(st.text(max_size=200))
def test_no_text_makes_a_decoder_fail_otherwise_than_by_its_error(text: str) -> None:
    text = text.encode("utf-8", "replace").decode() or "x"
    for made in (JSON(int), JSON(dict[str, list[int]])):
        error = raised(lambda made=made: made.parse(answer(text)))
        assert error is None or isinstance(error, InvalidOutputError)


@settings(deadline=None)
@given(st.text(max_size=80))
def test_no_source_makes_a_template_fail_otherwise_than_by_its_error(source: str) -> None:
    error = raised(lambda: Template("{{ a }}" + source).render({"a": 1}))
    assert error is None or isinstance(error, InvalidTemplateError)


json_values = st.recursive(
    st.none() | st.booleans() | st.integers(-1000, 1000) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner),
    max_leaves=8,
)


@settings(deadline=None)
@given(json_values, st.integers(1, 7))
def test_reading_in_pieces_ends_with_the_whole(value: Any, size: int) -> None:
    reading = PartialJSON()
    text = json.dumps(value)
    for start in range(0, len(text), size):
        reading.feed(text[start : start + size])
    reading.feed(" " * len(text))  # enough for it to be read again
    assert reading.value == value
