"""What happens between a model and a server, on both transports, in all four ways to ask."""

from __future__ import annotations

import pytest

from chatport import RefusalPart, assistant
from chatport.testing.openai_server import OpenAIServer, refusal
from tests.providers.asking import Ask, ways

WAYS = ways()
every_way = pytest.mark.parametrize("ask", WAYS.values(), ids=WAYS)


@every_way
def test_an_answer_is_the_same_however_it_is_asked_for(server: OpenAIServer, ask: Ask) -> None:
    response = ask(server.url)
    assert response.message == assistant("Answer: Hello")
    assert response.finish_reason == "stop"
    assert response.usage is not None
    assert (response.usage.input_tokens, response.usage.cache_read_input_tokens) == (9, 4)
    assert response.metadata.id == "chatcmpl-loopback"
    assert response.output.metadata.extra == {"openai/finish_reason": "stop"}


@every_way
def test_a_refusal_is_told_as_one(server: OpenAIServer, ask: Ask) -> None:
    server.answer_with(refusal("I would rather not."))
    response = ask(server.url)
    assert response.message is not None
    assert response.message.parts == (RefusalPart("I would rather not."),)
    assert response.finish_reason == "refusal"
