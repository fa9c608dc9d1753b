"""The provider on docs/providers/write-a-provider.md works."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from chatport import Client, Media, Options, Request, UnsupportedError, collect, system, user
from chatport.providers import CutStreamError, NotFoundError, RateLimitedError
from chatport.testing.loopback import STREAM, LoopbackServer, Reply, document, event

PAGE = Path(__file__).parents[2] / "docs" / "providers" / "write-a-provider.md"
(PROGRAM,) = re.findall(r"^```python\n(.*?)^```$", PAGE.read_text(), re.MULTILINE | re.DOTALL)

USAGE = {"tokens": {"input_tokens": 3, "output_tokens": 2}}


def said(text: str) -> dict[str, Any]:
    return {"type": "content-delta", "delta": {"message": {"content": {"text": text}}}}


class Cohere(LoopbackServer):
    """Answers as Cohere does; a model's name says what is to go wrong."""

    def reply_to(self, verb: str, path: str, headers: Mapping[str, str], content: bytes) -> Reply:
        if b'"missing"' in content:
            return Reply((document({"message": "no such model"}),), 404)
        if b'"busy"' in content:
            return Reply((b"wait",), 429, headers=(("retry-after", "3"),))
        end = {"finish_reason": "COMPLETE", "usage": USAGE}
        if b'"stream": true' not in content:
            message = {"role": "assistant", "content": [{"type": "text", "text": "Hello"}]}
            return Reply((document({"id": "x", "message": message} | end),))
        told = [{"type": "message-start", "id": "x"}, said("Hel"), {"type": "odd"}, said("lo")]
        if b'"cut"' not in content:
            told.append({"type": "message-end", "delta": end})
        return Reply(tuple(event(one) for one in told), kind=STREAM)


@pytest.fixture
def server() -> Iterator[Cohere]:
    with Cohere() as running:
        yield running


def model(server: Cohere, name: str = "command") -> Any:
    namespace: dict[str, Any] = {}
    exec(PROGRAM, namespace)
    return namespace["Model"](name, key="key", base_url=f"http://127.0.0.1:{server.port}")


def test_it_is_shorter_than_150_lines() -> None:
    assert len(PROGRAM.splitlines()) < 150


def test_it_answers_alike_whole_and_streamed(server: Cohere) -> None:
    request = Request(system("Be brief."), user("Hi"), options=Options(top_k=3, temperature=0.5))
    with model(server) as made:
        called = Client(made).call(request)
        assert called == collect(made.stream(request))
    assert (called.text(), called.finish_reason) == ("Hello", "stop")
    assert called.output.metadata.extra == {"cohere/finish_reason": "COMPLETE"}
    assert server.exchanges[0].body == {
        "model": "command",
        "messages": [
            {"role": "system", "content": "Be brief."},
            {"role": "user", "content": "Hi"},
        ],
        "stream": False,
        "temperature": 0.5,
        "k": 3,
    }
    assert server.exchanges[0].headers["authorization"] == "Bearer key"


def test_it_tells_errors_apart(server: Cohere) -> None:
    request = Request(user("Hi"))
    with model(server, "missing") as made, pytest.raises(NotFoundError, match="no such model"):
        made.call(request)
    with model(server, "busy") as made, pytest.raises(RateLimitedError) as limited:
        made.call(request)
    assert limited.value.retry_after == 3.0
    with model(server, "cut") as made, pytest.raises(CutStreamError) as cut:
        collect(made.stream(request))
    assert cut.value.partial is not None
    assert cut.value.partial.text() == "Hello"


def test_it_refuses_what_it_cannot_say(server: Cohere) -> None:
    image = Media.of_bytes("image/png", b"png")
    with model(server) as made:
        for request in (
            Request(user("Hi", image)),
            Request(user("Hi"), options=Options(stop=["x"])),
            Request(user("Hi"), options=Options(extensions={"openai/seed": 1})),
        ):
            with pytest.raises(UnsupportedError):
                made.call(request)
    assert server.exchanges == ()
