"""Awkward answers to who wants a value, in both forms of asking for one, and when to ask again.

`test_probes` has what holds of every wire.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import pytest
import stamina

import chatport
from chatport import (
    JSON,
    Client,
    InvalidOutputError,
    JSONSchema,
    OutputCompletionError,
    OutputFormat,
    Request,
    SingleBatchTools,
    retry,
    tool,
    user,
)
from chatport.providers import errors, openai
from chatport.testing.openai_server import (
    OpenAIServer,
    call,
    failure,
    message,
    refusal,
    reply,
    text,
)

ASK = Request(user("Hi"))


@dataclass
class Person:
    name: str
    age: int


FORMATS = {"json": JSON(Person), "schema": JSONSchema(Person, name="person")}

TYPED: list[tuple[str, Any, type[Exception], str]] = [
    ("cut by its length", text('{"name": "Ada", "age": 36}', finish="length"),
     OutputCompletionError, "length"),
    ("filtered", text('{"name": "Ada"', finish="content_filter"), OutputCompletionError,
     "content_filter"),
    ("a refusal", refusal("I cannot."), OutputCompletionError, "I cannot."),
    ("a number as text", text('{"name": "Ada", "age": "36"}'), InvalidOutputError, "age"),
    ("a member too many", text('{"name": "Ada", "age": 36, "x": 1}'), InvalidOutputError, "x"),
    ("a member missing", text('{"name": "Ada"}'), InvalidOutputError, "age"),
    ("in a fence", text('```json\n{"name": "Ada", "age": 36}\n```'), InvalidOutputError, "JSON"),
    ("nothing", message(content=None), InvalidOutputError, "text"),
    ("a page", reply("<html>", "text/html"), errors.UnexpectedAnswerError, "not JSON"),
    ("no choices", reply('{"choices": []}'), errors.UnexpectedAnswerError, "no choices"),
]  # fmt: skip


@pytest.mark.parametrize("form", FORMATS.values(), ids=FORMATS)
@pytest.mark.parametrize(
    ("answer", "kind", "said"), [row[1:] for row in TYPED], ids=[row[0] for row in TYPED]
)
def test_an_answer_that_is_no_value_says_why_and_is_paid_for_once(
    server: OpenAIServer, form: OutputFormat[Person], answer: Any, kind: type[Exception], said: str
) -> None:
    server.answer_with(answer)
    with openai.Model("m", base_url=server.url) as model, pytest.raises(kind, match=said) as failed:
        Client(model).output(ASK, form)
    assert isinstance(failed.value, chatport.ChatError)
    assert len(server.exchanges) == 1


@pytest.mark.parametrize("status", [429, 500, 502, 503, 529])
def test_a_passing_failure_is_tried_again_with_middleware(
    server: OpenAIServer, status: int
) -> None:
    server.answer_with(failure(status, times=2, headers={"retry-after-ms": "1"}))
    with (
        stamina.set_testing(True, attempts=3),
        openai.Model("m", base_url=server.url) as model,
    ):
        assert Client(model, middleware=[retry]).call(ASK).text() == "Answer: Hi"
        assert len(server.exchanges) == 3


@pytest.mark.parametrize(
    "answer",
    [failure(400), failure(401), failure(404), failure(429, code="insufficient_quota")],
    ids=["faulty", "wrong key", "no model", "nothing left"],
)
def test_a_lasting_failure_is_not_tried_again(server: OpenAIServer, answer: Any) -> None:
    server.answer_with(*answer)
    with openai.Model("m", base_url=server.url) as model:
        with pytest.raises(errors.ProviderError):
            Client(model, middleware=[retry]).call(ASK)
        assert len(server.exchanges) == 1


@tool
def weather(city: str) -> str:
    """The weather in a city."""
    return f"Rain in {city}."


@pytest.mark.parametrize("api", ["chat", "responses"])
def test_a_round_of_tools_over_the_wire(server: OpenAIServer, api: Any) -> None:
    server.answer_with(call("weather", '{"city": "Oslo"}'))
    with openai.Model("m", api=api, base_url=server.url) as model:
        answer = Client(model, middleware=[SingleBatchTools(weather)]).call(ASK)
    assert answer.text() == "Answer: Rain in Oslo."
