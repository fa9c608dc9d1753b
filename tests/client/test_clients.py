from __future__ import annotations

import asyncio
import threading
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from chatport import (
    AsyncClient,
    AsyncStreamClient,
    Client,
    FunctionModel,
    IncompleteStreamError,
    InvalidClientError,
    InvalidMiddlewareError,
    InvalidRequestError,
    InvalidResponseError,
    NoModelError,
    NoStreamerError,
    NoStreamError,
    Options,
    Request,
    Response,
    ResponseDelta,
    StreamClient,
    TextDelta,
    Usage,
    user,
)
from chatport.client import deltas_of
from chatport.testing import ScriptedModel, answer

from .conftest import Half


@pytest.mark.parametrize("kind", [Client, AsyncClient])
@pytest.mark.parametrize("nothing", [None, object(), "model"])
def test_s01_a_client_needs_a_model(kind: Any, nothing: Any) -> None:
    with pytest.raises(NoModelError):
        kind(nothing)


@pytest.mark.parametrize("kind", [StreamClient, AsyncStreamClient])
def test_s01_a_stream_client_needs_a_streamer(kind: Any) -> None:
    for nothing in (None, FunctionModel(lambda request: answer("x"))):
        with pytest.raises(NoStreamerError) as caught:
            kind(nothing)
        assert isinstance(caught.value, InvalidClientError)


def test_s02_a_middleware_that_returns_no_model_is_found_when_the_client_is_made(
    half: Half,
) -> None:
    for position in (0, 1):
        middleware: list[Any] = [lambda below: below, lambda below: below]
        middleware[position] = lambda below: None
        with pytest.raises(InvalidMiddlewareError, match=rf"middleware\[{position}\]"):
            half.client(half.script("x"), *middleware)
        with pytest.raises(InvalidMiddlewareError, match=rf"middleware\[{position}\]"):
            half.stream_client(half.script("x"), *middleware)


def test_s02_a_middleware_that_returns_something_else_is_no_model(half: Half) -> None:
    with pytest.raises(NoModelError):
        half.client(half.script("x"), lambda below: object())
    with pytest.raises(NoStreamerError):
        half.stream_client(half.script("x"), lambda below: object())


def test_s03_the_first_middleware_is_outermost_and_none_is_skipped(
    half: Half, question: Request
) -> None:
    seen: list[str] = []

    def noting(name: str) -> Any:
        def middleware(below: Any) -> Any:
            def note(request: Request) -> Response:
                seen.append(f"{name} before")
                response = half.run(below.call(request)) if not half.asynchronous else None
                assert response is not None
                seen.append(f"{name} after")
                return response

            async def note_async(request: Request) -> Response:
                seen.append(f"{name} before")
                response = await below.call(request)
                seen.append(f"{name} after")
                return response

            if half.asynchronous:
                from chatport import AsyncFunctionModel

                return AsyncFunctionModel(note_async)
            return FunctionModel(note)

        return middleware

    def model(request: Request) -> Response:
        seen.append("model")
        return answer("42")

    client = half.client(half.model(model), noting("outer"), None, noting("inner"))
    assert half.call(client, question).text() == "42"
    assert seen == ["outer before", "inner before", "model", "inner after", "outer after"]


def test_s04_stream_middleware_is_ordered_alike(half: Half, question: Request) -> None:
    made: list[str] = []

    def noting(name: str) -> Any:
        def middleware(below: Any) -> Any:
            made.append(name)
            return below

        return middleware

    client = half.stream_client(half.script("42"), noting("outer"), None, noting("inner"))
    assert made == ["inner", "outer"]
    assert "".join(d.text() for d in half.read(client.stream(question), [])) == "42"


def test_s05_what_is_no_request_does_not_reach_the_model(half: Half) -> None:
    model = half.script("never")
    for nothing in (None, "hello", object()):
        with pytest.raises(InvalidRequestError):
            half.call(half.client(model), nothing)  # type: ignore[arg-type]
    with pytest.raises(InvalidRequestError):
        Request()
    assert model.requests == []


def test_s06_the_caller_holds_what_was_sent(half: Half) -> None:
    request = Request(user("hello"), options=Options(temperature=0.5, stop=["x"]))
    before = request.to_json()

    def model(received: Request) -> Response:
        assert received is request
        for target, name in [(received, "messages"), (received.options, "temperature")]:
            with pytest.raises(AttributeError):
                setattr(target, name, None)
        return answer("ok")

    half.call(half.client(half.model(model)), request)
    assert request.to_json() == before


def test_s07_an_empty_list_of_stops_reaches_the_model(half: Half) -> None:
    model = half.script("ok")
    half.call(half.client(model), Request(user("hi"), options=Options(stop=[])))
    assert model.requests[0].options.stop == ()


def test_s08_cancellation_keeps_its_identity(half: Half, question: Request) -> None:
    cancelled = asyncio.CancelledError()
    with pytest.raises(asyncio.CancelledError):
        half.call(half.client(half.script(cancelled)), question)
    seen: list[ResponseDelta] = []
    with pytest.raises(asyncio.CancelledError):
        half.read(half.stream_client(half.script(cancelled)).stream(question), seen)
    assert seen == []


def test_s09_what_is_no_response_does_not_reach_the_caller(half: Half, question: Request) -> None:
    with pytest.raises(InvalidResponseError, match="NoneType"):
        half.call(half.client(half.model(lambda request: None)), question)  # type: ignore[arg-type, return-value]


def test_s10_calls_from_many_threads_keep_to_themselves() -> None:
    client = Client(FunctionModel(lambda r: answer(f"{r.options.max_output_tokens}")))

    def ask(number: int) -> str:
        return client.call(Request(user("n"), options=Options(max_output_tokens=number + 1))).text()

    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(ask, range(50))) == [str(n + 1) for n in range(50)]


def test_s10_calls_of_many_tasks_keep_to_themselves() -> None:
    from chatport import AsyncFunctionModel

    async def model(request: Request) -> Response:
        await asyncio.sleep(0)
        return answer(f"{request.options.max_output_tokens}")

    async def main() -> list[str]:
        client = AsyncClient(AsyncFunctionModel(model))
        requests = [Request(user("n"), options=Options(max_output_tokens=n + 1)) for n in range(50)]
        return [r.text() for r in await asyncio.gather(*map(client.call, requests))]

    assert asyncio.run(main()) == [str(n + 1) for n in range(50)]


def test_s11_calling_and_streaming_are_separate_capabilities() -> None:
    for kind in (Client, AsyncClient):
        assert not hasattr(kind, "stream")
    for kind in (StreamClient, AsyncStreamClient):
        assert not hasattr(kind, "call")


def test_s12_a_stream_sends_the_request_it_was_made_with(half: Half, question: Request) -> None:
    model = half.script("old")
    stream = half.stream_client(model).stream(question)
    question = question.extend(user("new"))
    half.read(stream, [])
    assert [m.text() for m in model.requests[0].messages] == ["What is six times seven?"]


def test_s13_leaving_a_stream_releases_the_provider(half: Half, question: Request) -> None:
    model = half.script("a text of more than one delta, in pieces")
    seen = half.read(half.stream_client(model).stream(question), [], limit=1)
    assert len(seen) == 1
    assert model.closed == 1


def test_s14_a_stream_without_a_request_raises_when_it_is_read(half: Half) -> None:
    model = half.script("never")
    stream = half.stream_client(model).stream(None)
    with pytest.raises(InvalidRequestError):
        half.read(stream, [])
    assert model.requests == []


@pytest.mark.parametrize("returned", [None, 7])
def test_s15_a_streamer_that_returns_no_stream(
    half: Half, question: Request, returned: Any
) -> None:
    class Nothing:
        def stream(self, request: Request) -> Any:
            return returned

    with pytest.raises(NoStreamError, match="not an iterator"):
        half.read(half.stream_client(Nothing()).stream(question), [])


def test_a_streamer_of_the_other_half_is_told_apart(half: Half, question: Request) -> None:
    other = Half(asynchronous=not half.asynchronous).script("x")
    with pytest.raises(NoStreamError, match="which this client is not"):
        half.read(half.stream_client(other).stream(question), [])


def test_a_stream_that_merely_ends_is_incomplete(half: Half, question: Request) -> None:
    stream = half.stream_client(half.script([ResponseDelta(TextDelta("half an ans"))])).stream(
        question
    )
    seen: list[ResponseDelta] = []
    with pytest.raises(IncompleteStreamError) as caught:
        half.read(stream, seen)
    assert len(seen) == 1
    assert caught.value.partial is not None
    assert caught.value.partial.text() == "half an ans"
    assert stream.text() == "half an ans"


def test_a_delta_after_the_end_is_refused(half: Half, question: Request) -> None:
    deltas = [
        ResponseDelta(TextDelta("done"), finish_reason="stop"),
        ResponseDelta(TextDelta("more")),
    ]
    with pytest.raises(InvalidResponseError):
        half.read(half.stream_client(half.script(deltas)).stream(question), [])


def test_an_error_within_a_stream_leaves_the_text_so_far(half: Half, question: Request) -> None:
    script = half.script([ResponseDelta(TextDelta("so far")), ConnectionError("gone")])
    stream = half.stream_client(script).stream(question)
    with pytest.raises(ConnectionError, match="gone"):
        half.read(stream, [])
    assert stream.text() == "so far"
    assert script.closed == 1


def test_a_stream_gives_the_whole_response(half: Half, question: Request) -> None:
    wanted = answer("the whole of it", usage=Usage(input_tokens=3, output_tokens=4))
    stream = half.stream_client(half.script(wanted)).stream(question)
    assert half.run(stream.response()) == wanted
    half.run(stream.aclose()) if half.asynchronous else stream.close()


def test_a_stream_can_be_read_step_by_step_and_closed_twice(question: Request) -> None:
    model = ScriptedModel("a text of more than one delta, in pieces")
    with StreamClient(model).stream(question) as stream:
        assert next(stream).text() == "a text of more t"
    stream.close()
    assert model.closed == 1
    assert list(stream) == []


def test_an_async_stream_can_be_read_step_by_step_and_closed_twice(question: Request) -> None:
    async def main() -> None:
        from chatport.testing import AsyncScriptedModel

        model = AsyncScriptedModel("a text of more than one delta, in pieces")
        async with AsyncStreamClient(model).stream(question) as stream:
            assert (await anext(stream)).text() == "a text of more t"
        await stream.aclose()
        assert model.closed == 1
        assert [delta async for delta in stream] == []

    asyncio.run(main())


def test_a_stream_closed_before_it_starts_never_starts(half: Half, question: Request) -> None:
    model = half.script("never")
    stream = half.stream_client(model).stream(question)
    half.run(stream.aclose()) if half.asynchronous else stream.close()
    assert half.read(stream, []) == []
    assert model.requests == []


def test_a_synchronous_stream_works_inside_a_running_event_loop(question: Request) -> None:
    async def main() -> str:
        return "".join(d.text() for d in StreamClient(ScriptedModel("42")).stream(question))

    assert asyncio.run(main()) == "42"


def test_a_client_is_a_model(half: Half, question: Request) -> None:
    inner = half.client(half.script("42"))
    assert half.call(half.client(inner), question).text() == "42"


def test_an_async_client_works_in_one_event_loop_after_another(question: Request) -> None:
    from chatport.testing import AsyncScriptedModel

    client = AsyncClient(AsyncScriptedModel("one", "two"))
    assert asyncio.run(client.call(question)).text() == "one"
    assert asyncio.run(client.call(question)).text() == "two"


def test_a_model_whose_method_merely_returns_an_awaitable_is_asynchronous(
    question: Request,
) -> None:
    class Late:
        def call(self, request: Request) -> Any:
            return asyncio.sleep(0, answer("late"))

    assert asyncio.run(AsyncClient(Late()).call(question)).text() == "late"


def test_a_model_of_the_other_half_is_told_apart(question: Request) -> None:
    from chatport.testing import AsyncScriptedModel

    with pytest.raises(NoModelError, match="use AsyncClient"):
        Client(AsyncScriptedModel("x"))  # type: ignore[arg-type]
    with pytest.raises(NoModelError, match="use Client"):
        asyncio.run(AsyncClient(ScriptedModel("x")).call(question))  # type: ignore[arg-type]


def test_streams_of_other_shapes_are_closed_too(question: Request) -> None:
    class Deltas:
        closed = False

        def __init__(self) -> None:
            self.items = deltas_of(answer("some text in pieces, of which one is read"))

        def __iter__(self) -> Any:
            return self.items

        def close(self) -> None:
            self.closed = True

    deltas = Deltas()

    class Streamer:
        def stream(self, request: Request) -> Any:
            return deltas

    for _ in StreamClient(Streamer()).stream(question):
        break
    assert deltas.closed
    assert threading.active_count() == 1
