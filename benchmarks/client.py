"""What the client adds to a model: calling, middleware, streaming, typed output, tools, templates.

    python benchmarks/client.py

Figures are CPU time, the best of several rounds. Each is the difference of two programs measured
alternately in one run, so that a busy machine slows both; the ratio beside it is the one over the
other. The model is a function that returns a response made beforehand. The last column is the
promise the figure is held to; the program ends with 1 when one is broken.
"""

from __future__ import annotations

import asyncio
import json
import sys
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from typing import Any, NamedTuple

import pydantic

from chatport import (
    JSON,
    AsyncClient,
    AsyncFunctionModel,
    AsyncFunctionStreamer,
    AsyncStreamClient,
    Client,
    FunctionModel,
    FunctionStreamer,
    JSONSchema,
    Layer,
    Message,
    Request,
    Response,
    ResponseAccumulator,
    ResponseDelta,
    Safeguard,
    SingleBatchTools,
    StreamClient,
    Substrings,
    Template,
    TextDelta,
    ToolCall,
    assistant,
    cache,
    fallback,
    history,
    log,
    retry,
    timeout,
    tool,
    trace,
    usage_meter,
    user,
)
from chatport.chat import Model
from chatport.testing import answer

ROUNDS = 15
ASK = Request(user("What is six times seven?"))
PLAIN = answer("42")
TOLD = (user("And then?"), assistant("Then it was forty-two.")) * 5


class Row(NamedTuple):
    """One figure: microseconds, how many times the yardstick, and the most it may be."""

    name: str
    microseconds: float
    ratio: float
    limit: float | None = None


def main() -> int:
    """Print one line a figure."""
    broken = 0
    for row in (*calls(), *middlewares(), *streams(), *typed(), *tools(), *templates()):
        promise = ""
        if row.limit is not None:
            kept = row.microseconds <= row.limit
            broken += not kept
            promise = f"at most {row.limit:g} us" + ("" if kept else "  BROKEN")
        print(f"{row.name:<52}{row.microseconds:9.2f} us {row.ratio:8.2f} x  {promise}")
    return min(broken, 1)


def cpu(work: Callable[[], object], times: int) -> float:
    """CPU microseconds of one go, of `times` in a row."""
    start = time.process_time()
    for _ in range(times):
        work()
    return (time.process_time() - start) / times * 1e6


def over(
    name: str,
    work: Callable[[], object],
    yardstick: Callable[[], object],
    times: int,
    *,
    limit: float | None = None,
    per: int = 1,
) -> Row:
    """What `work` costs more than the yardstick, for each of the `per` things it does."""
    pairs = [(cpu(work, times), cpu(yardstick, times)) for _ in range(ROUNDS)]
    mine, other = min(pair[0] for pair in pairs), min(pair[1] for pair in pairs)
    return Row(name, (mine - other) / per, mine / other, limit)


def model_of(response: Response) -> Model:
    """A model that costs next to nothing."""
    return FunctionModel(lambda request: response)


def calls() -> Iterator[Row]:
    """A call through a client, over the call of its model."""
    model = model_of(PLAIN)
    client = Client(model)
    yield over(
        "Client.call, over the model",
        lambda: client.call(ASK),
        lambda: model.call(ASK),
        20_000,
        limit=3,
    )

    async def respond(request: Request) -> Response:
        return PLAIN

    later = AsyncFunctionModel(respond)
    late = AsyncClient(later)
    yield over(
        "AsyncClient.call, over the model",
        lambda: repeat(late.call),
        lambda: repeat(later.call),
        20,
        limit=3,
        per=1000,
    )


def repeat(call: Callable[[Request], Awaitable[object]]) -> None:
    """A thousand calls in one event loop."""

    async def run() -> None:
        for _ in range(1000):
            await call(ASK)

    asyncio.run(run())


def middlewares() -> Iterator[Row]:
    """A call through one middleware, over one through none."""

    def function(below: Model) -> Model:
        return FunctionModel(lambda request: below.call(request))

    nothing = Client(model_of(PLAIN))
    rows: list[tuple[str, Any, float | None]] = [
        ("a function of one's own", function, 1),
        ("a Layer of one's own", Layer(), 1),
        ("retry", retry, 1),
        ("fallback", fallback(model_of(PLAIN)), 1),
        ("usage_meter", usage_meter(), 1),
        ("log, its level off", log, 1),
        ("timeout", timeout(60), 1),
        ("Safeguard, two texts and three terms", Safeguard(Substrings("a1", "b2", "c3")), None),
        ("history, in no conversation", history(Told()), 1),
        ("history, ten messages before", history(Told(), conversation="ada"), None),
        ("cache, found", cache({}), None),
        ("trace, no telemetry set up", trace, None),
        ("trace, into spans and metrics kept in memory", recording_trace(), None),
    ]
    for name, middleware, limit in rows:
        client = Client(model_of(PLAIN), middleware=[middleware])
        yield over(
            f"middleware: {name}",
            lambda client=client: client.call(ASK),
            lambda: nothing.call(ASK),
            10_000,
            limit=limit,
        )


class Told:
    """A store with one conversation, to which nothing is added."""

    def read(self, conversation: str, /) -> tuple[Message, ...]:
        return TOLD

    def append(self, conversation: str, messages: tuple[Message, ...], /) -> None:
        pass


def recording_trace() -> Any:
    """Telemetry that is gathered and not sent: what calls pay, and not what an exporter costs."""
    from opentelemetry.sdk.metrics import MeterProvider
    from opentelemetry.sdk.metrics.export import InMemoryMetricReader
    from opentelemetry.sdk.trace import TracerProvider

    meters = MeterProvider(metric_readers=[InMemoryMetricReader()])
    return trace(tracer_provider=TracerProvider(), meter_provider=meters)


DELTAS = [
    *(ResponseDelta(TextDelta("word ")) for _ in range(999)),
    ResponseDelta(finish_reason="stop"),
]


def streams() -> Iterator[Row]:
    """A delta through a client, over one read from its streamer; accumulation included."""

    def deltas(request: Request) -> Iterator[ResponseDelta]:
        yield from DELTAS

    streamer = FunctionStreamer(deltas)

    def raw() -> None:
        for _ in streamer.stream(ASK):
            pass

    def accumulated() -> None:
        accumulator = ResponseAccumulator()
        for delta in streamer.stream(ASK):
            accumulator.add(delta)

    for name, middleware in [
        ("StreamClient", []),
        ("with a Layer", [Layer()]),
        ("with retry and usage_meter", [retry, usage_meter()]),
    ]:
        client = StreamClient(streamer, middleware=middleware)

        def read(client: StreamClient = client) -> None:
            for _ in client.stream(ASK):
                pass

        yield over(f"a delta, {name}, over the streamer", read, raw, 10, limit=4, per=1000)
    yield over("of which the accumulator", accumulated, raw, 10, limit=2, per=1000)
    yield over("a delta, screened", screened(streamer), raw, 10, per=1000)

    async def late(request: Request) -> AsyncIterator[ResponseDelta]:
        for delta in DELTAS:
            yield delta

    later = AsyncFunctionStreamer(late)
    async_client = AsyncStreamClient(later)
    yield over(
        "a delta, AsyncStreamClient, over the streamer",
        lambda: drain(async_client.stream),
        lambda: drain(later.stream),
        10,
        limit=4,
        per=1000,
    )


def screened(streamer: FunctionStreamer) -> Callable[[], None]:
    client = StreamClient(streamer, middleware=[Safeguard(Substrings("a1", "b2", "c3"))])

    def read() -> None:
        for _ in client.stream(ASK):
            pass

    return read


def drain(stream: Callable[[Request], AsyncIterator[object]]) -> None:
    """Read one stream in an event loop."""

    async def run() -> None:
        async for _ in stream(ASK):
            pass

    asyncio.run(run())


class Address(pydantic.BaseModel):
    """A part of the record."""

    street: str
    city: str
    code: int


class Person(pydantic.BaseModel):
    """A record of about 1.9 kB as JSON."""

    name: str
    age: int
    emails: list[str]
    addresses: list[Address]
    notes: dict[str, str]


RECORD = json.dumps(
    {
        "name": "Ada",
        "age": 36,
        "emails": [f"ada{n}@example.test" for n in range(12)],
        "addresses": [
            {"street": f"{n} Analytical Row", "city": "London", "code": 10_000 + n}
            for n in range(12)
        ],
        "notes": {f"note {n}": "a short remark on something" for n in range(12)},
    }
)


def typed() -> Iterator[Row]:
    """A typed answer, over the plain answer of the same bytes."""
    client = Client(model_of(answer(RECORD)))
    for made in (JSON(Person), JSONSchema(Person)):
        yield over(
            f"output, {type(made.contract).__name__}, {len(RECORD)} bytes, over call",
            lambda made=made: client.output(ASK, made),
            lambda: client.call(ASK),
            300,
            limit=150,
        )
    yield over(
        "of which reading it with json.loads would be",
        lambda: json.loads(RECORD),
        lambda: None,
        300,
    )


def tools() -> Iterator[Row]:
    """A round of tools, over two plain calls."""

    @tool
    def save(note: str, times: int = 1) -> str:
        """Keep a note."""
        return note

    proposal = answer(ToolCall("1", "save", '{"note": "milk", "times": 2}'))

    @FunctionModel
    def model(request: Request) -> Response:
        return PLAIN if len(request.messages) > 1 else proposal

    plain = Client(model_of(PLAIN))
    client = Client(model, middleware=[SingleBatchTools(save)])

    def twice() -> None:
        plain.call(ASK)
        plain.call(ASK)

    yield over(
        "a round of one tool, over two calls", lambda: client.call(ASK), twice, 500, limit=300
    )


def templates() -> Iterator[Row]:
    """A rendering, over the same text by an f-string."""
    template = Template("Explain {{ topic }} to {{ reader }} in {{ count }} sentences.")
    data = {"topic": "monads", "reader": "a child", "count": 3}
    yield over(
        "Template.render, three names",
        lambda: template.render(data),
        lambda: f"Explain {data['topic']} to {data['reader']} in {data['count']} sentences.",
        2_000,
    )


if __name__ == "__main__":
    sys.exit(main())
