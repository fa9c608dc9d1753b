"""Layers that remember: caches, usage, logs and traces."""

from __future__ import annotations

import logging
from typing import Any

import pytest
import structlog
from opentelemetry.sdk.metrics import MeterProvider
from opentelemetry.sdk.metrics.export import InMemoryMetricReader
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from opentelemetry.trace import SpanKind, StatusCode

from chatport import (
    JSON,
    Media,
    Options,
    ReasoningPart,
    RefusalPart,
    Request,
    Response,
    ResponseDelta,
    ResponseMetadata,
    SingleBatchTools,
    TextDelta,
    ToolCall,
    ToolOutput,
    ToolResult,
    Usage,
    assistant,
    cache,
    conversation,
    log,
    system,
    tool,
    tool_results,
    trace,
    usage_meter,
    user,
)
from chatport.client.middleware.log import mask_secrets
from chatport.testing import answer
from tests.client.layers import ASK, ProviderError, both

from .conftest import Half

# Cache


def test_an_answer_is_asked_for_once(half: Half) -> None:
    store: dict[str, bytes] = {}
    model = half.script("42", "43")
    client = half.client(model, cache(store))
    first, second = half.call(client, ASK), half.call(client, ASK)
    assert first.text() == second.text() == "42"
    assert first.output == second.output
    assert "chatport/cached" not in first.metadata.extra
    assert second.metadata.extra["chatport/cached"] is True
    assert half.call(client, ASK.extend(user("more"))).text() == "43"
    streamed = half.run(half.stream_client(half.script(), cache(store)).stream(ASK).response())
    assert streamed == second


def test_a_streamed_answer_is_remembered_when_whole(half: Half) -> None:
    store: dict[str, bytes] = {}
    wanted = answer("some text in pieces", usage=Usage(input_tokens=1))
    half.read(half.stream_client(half.script(wanted), cache(store)).stream(ASK), [], limit=1)
    assert store == {}
    half.read(half.stream_client(half.script(wanted), cache(store)).stream(ASK), [])
    known = half.call(half.client(half.script(), cache(store)), ASK)
    assert (known.text(), known.usage) == (wanted.text(), wanted.usage)


def test_only_finished_answers_are_remembered(half: Half) -> None:
    store: dict[str, bytes] = {}
    cut = answer("cu", finish_reason="length")
    assert both(half, lambda: half.script(cut), cache(store)) == ["cu", "cu"]
    half.call(half.client(half.script(ToolCall("1", "x")), cache(store)), ASK)
    assert store == {}


def test_a_spoiled_entry_is_written_again(half: Half) -> None:
    kept = cache(store := {}, namespace="m")
    store[kept.key(ASK)] = b"{spoiled"
    assert half.call(half.client(half.script("42"), kept), ASK).text() == "42"
    assert Response.from_json(store[kept.key(ASK)]).text() == "42"
    assert kept.key(ASK) != cache(store).key(ASK)


# Usage


def test_tokens_are_added_up_by_model(half: Half) -> None:
    meter = usage_meter()
    usage = Usage(input_tokens=10, output_tokens=5, reasoning_tokens=2)
    named = answer("x", usage=usage)
    named = named.replace(metadata=named.metadata.replace(model="m1-2024"))
    both(half, lambda: half.script(named), meter)
    both(half, lambda: half.script("unreported"), meter)
    half.call(half.client(half.script("x"), meter), Request(user("no model named")))
    with pytest.raises(ConnectionError):
        half.call(half.client(half.script(ConnectionError()), meter), ASK)
    assert meter.models["m1-2024"].usage == usage + usage
    assert (meter.models["m1"].calls, meter.models["m1"].unreported) == (2, 2)
    assert meter.models[""].calls == 1
    assert (meter.total.calls, meter.total.unreported) == (5, 3)
    assert meter.total.usage.total_tokens == 30


def test_a_stream_that_is_left_is_counted(half: Half) -> None:
    meter = usage_meter()
    deltas = [
        ResponseDelta(TextDelta("a"), metadata=ResponseMetadata(usage=Usage(output_tokens=1))),
        ResponseDelta(TextDelta("b"), finish_reason="stop"),
    ]
    half.read(half.stream_client(half.script(deltas), meter).stream(ASK), [], limit=1)
    assert (meter.total.calls, meter.total.usage.output_tokens) == (1, 1)


# Log


class Events(list[tuple[str, str, dict[str, Any]]]):
    """A logger in the manner of structlog."""

    def info(self, event: str, **fields: Any) -> None:
        self.append(("info", event, fields))

    def warning(self, event: str, **fields: Any) -> None:
        self.append(("warning", event, fields))


def test_a_call_is_logged_with_its_measures(half: Half) -> None:
    events = Events()
    logged = log(logger=events, clock=lambda: 1.5)
    both(half, lambda: half.script(answer("secret", usage=Usage(output_tokens=3))), logged)
    fields = {
        "model": "m1",
        "messages": 1,
        "tools": 0,
        "seconds": 0.0,
        "finish_reason": "stop",
        "input_tokens": 0,
        "output_tokens": 3,
    }
    assert events == [("info", "chat call", fields), ("info", "chat stream", fields)]


def test_a_failure_is_logged_without_its_secrets(half: Half) -> None:
    events = Events()
    error = ConnectionError("key sk-abcdefghijkl refused")
    both(half, lambda: half.script(error), log(logger=events))
    for level, event, fields in events:
        assert (level, event, fields["error"]) == ("warning", "chat failed", "ConnectionError")
        assert fields["problem"] == "key *** refused"
    assert len(events) == 2


def test_a_stream_that_is_left_is_logged(half: Half) -> None:
    events = Events()
    client = half.stream_client(half.script("some text in several pieces"), log(logger=events))
    half.read(client.stream(ASK), [], limit=1)
    assert [event for _, event, _ in events] == ["chat stream left"]


def test_content_is_logged_when_asked_and_masked(half: Half) -> None:
    events = Events()
    client = half.client(half.script("token ghp_0123456789"), log(logger=events, content=True))
    half.call(client, Request(user("my key is sk-0123456789")))
    fields = events[0][2]
    assert "my key is ***" in fields["request"]
    assert "token ***" in fields["response"]


def test_structlog_is_given_events_and_fields(half: Half) -> None:
    written: list[dict[str, Any]] = []

    def keep(logger: Any, method: str, event: Any) -> Any:
        written.append(dict(event))
        raise structlog.DropEvent

    add_level = structlog.processors.add_log_level
    logger = structlog.wrap_logger(None, processors=[add_level, keep], answers="desk")
    stdlib = structlog.wrap_logger(
        logging.getLogger("of structlog"),
        processors=[add_level, keep],
        wrapper_class=structlog.stdlib.BoundLogger,
    )
    both(half, lambda: half.script("42"), log(logger=logger))
    both(half, lambda: half.script(ConnectionError("Bearer abc cut")), log(logger=stdlib))
    assert [(line["level"], line["event"]) for line in written] == [
        ("info", "chat call"),
        ("info", "chat stream"),
        ("warning", "chat failed"),
        ("warning", "chat failed"),
    ]
    assert written[0]["answers"] == "desk"
    assert written[0]["finish_reason"] == "stop"
    assert written[3]["problem"] == "Bearer *** cut"


def test_the_standard_library_logs_too(half: Half, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.WARNING, "chatport"):
        both(half, lambda: half.script("quiet"), log)
    assert caplog.records == []
    with caplog.at_level(logging.INFO, "chatport"):
        both(half, lambda: half.script("42"), log)
    assert [record.getMessage().split(" model=")[0] for record in caplog.records] == [
        "chat call",
        "chat stream",
    ]
    assert caplog.records[0].chatport["finish_reason"] == "stop"  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    "secret",
    [
        "sk-proj-abc_DEF-123456",
        "AIzaSyA-0123456789_0123456789abcdef",
        "ya29.a0AfH6SMB-xyz",
        "hf_abcdefghijkl",
        "AKIAIOSFODNN7EXAMPLE",
        "eyJhbGciOiJI.eyJzdWIiOiIx.c2lnbmF0dXJl",
    ],
)
def test_what_looks_like_a_key_is_masked(secret: str) -> None:
    assert mask_secrets(f"<{secret}>") == "<***>"
    assert mask_secrets("Authorization: Bearer abc.def") == "Authorization: Bearer ***"
    assert mask_secrets("https://h/?key=abc&x=1") == "https://h/?key=***&x=1"
    assert (
        mask_secrets("a task-force of risk-averse people") == "a task-force of risk-averse people"
    )


# Trace


class Telemetry:
    def __init__(self) -> None:
        self.exporter = InMemorySpanExporter()
        self.tracers = TracerProvider()
        self.tracers.add_span_processor(SimpleSpanProcessor(self.exporter))
        self.reader = InMemoryMetricReader()
        self.meters = MeterProvider(metric_readers=[self.reader])

    def middleware(self, **settings: Any) -> Any:
        return trace(tracer_provider=self.tracers, meter_provider=self.meters, **settings)

    @property
    def spans(self) -> Any:
        return self.exporter.get_finished_spans()

    def metrics(self) -> dict[str, Any]:
        data: Any = self.reader.get_metrics_data()
        metrics = data.resource_metrics[0].scope_metrics[0].metrics
        return {metric.name: list(metric.data.data_points) for metric in metrics}


def test_a_span_tells_its_conversation(half: Half) -> None:
    telemetry = Telemetry()
    client = half.client(half.script("hi", "hi"), telemetry.middleware())
    with conversation("ada"):
        half.call(client, ASK)
    half.call(client, ASK)
    told = [span.attributes.get("gen_ai.conversation.id") for span in telemetry.spans]
    assert told == ["ada", None]


def test_a_call_is_a_span_by_the_conventions(half: Half) -> None:
    telemetry = Telemetry()
    request = Request(
        user("hello"),
        options=Options(model="m1", temperature=0.5, max_output_tokens=9, stop=["x"]),
    )
    given = answer("hi", usage=Usage(input_tokens=4, output_tokens=2, cache_read_input_tokens=1))
    given = given.replace(metadata=given.metadata.replace(id="r1", model="m1-2024"))
    middleware = telemetry.middleware(provider="acme")
    half.output(half.client(half.script('{"a": 1}'), middleware), request, JSON(dict[str, int]))
    half.call(half.client(half.script(given), middleware), request)
    half.run(half.stream_client(half.script(given), middleware).stream(request).response())
    typed, *plain = telemetry.spans
    assert typed.attributes["gen_ai.output.type"] == "json"
    for span in plain:
        assert (span.name, span.kind) == ("chat m1", SpanKind.CLIENT)
        assert span.status.status_code is StatusCode.UNSET
        assert dict(span.attributes) == {
            "gen_ai.operation.name": "chat",
            "gen_ai.provider.name": "acme",
            "gen_ai.request.model": "m1",
            "gen_ai.request.temperature": 0.5,
            "gen_ai.request.max_tokens": 9,
            "gen_ai.request.stop_sequences": ("x",),
            "gen_ai.response.finish_reasons": ("stop",),
            "gen_ai.response.id": "r1",
            "gen_ai.response.model": "m1-2024",
            "gen_ai.usage.input_tokens": 4,
            "gen_ai.usage.output_tokens": 2,
            "gen_ai.usage.cache_read.input_tokens": 1,
        }
    metrics = telemetry.metrics()
    assert sum(point.count for point in metrics["gen_ai.client.operation.duration"]) == 3
    tokens = {
        point.attributes["gen_ai.token.type"]: point.sum
        for point in metrics["gen_ai.client.token.usage"]
    }
    assert tokens == {"input": 8, "output": 4}


def test_a_failure_is_told_by_its_type_only(half: Half) -> None:
    telemetry = Telemetry()
    both(half, lambda: half.script(ConnectionError("a secret")), telemetry.middleware())
    both(half, lambda: half.script(ProviderError()), telemetry.middleware())
    assert len(telemetry.spans) == 4
    for span in telemetry.spans:
        assert span.status.status_code is StatusCode.ERROR
        assert not span.events
        assert "secret" not in str(span.to_json())
    types = [span.attributes["error.type"] for span in telemetry.spans]
    assert types[0] == "ConnectionError"
    assert types[2].endswith("layers.ProviderError")


def test_a_stream_that_is_left_ends_its_span_without_an_error(half: Half) -> None:
    telemetry = Telemetry()
    client = half.stream_client(
        half.script("in pieces, of which one is read"), telemetry.middleware()
    )
    half.read(client.stream(ASK), [], limit=1)
    (span,) = telemetry.spans
    assert span.status.status_code is StatusCode.UNSET


def test_what_the_model_does_is_inside_the_span(half: Half) -> None:
    telemetry = Telemetry()

    def model(request: Request) -> Response:
        with telemetry.tracers.get_tracer("inner").start_as_current_span("http"):
            return answer("x")

    half.call(half.client(half.model(model), telemetry.middleware()), Request(user("x")))
    inner, outer = telemetry.spans
    assert outer.name == "chat"
    assert inner.parent.span_id == outer.context.span_id


def test_messages_are_recorded_only_when_asked(half: Half) -> None:
    telemetry = Telemetry()
    request = Request(
        system("Be brief."),
        user("What?", Media.of_bytes("image/png", b"x")),
        assistant(
            ReasoningPart("hm"),
            ToolCall("1", "f", '{"x":1}'),
            ToolCall("2", "f", "{"),
            RefusalPart("no"),
        ),
        tool_results(ToolResult("1", "f", ToolOutput.of_text("42"))),
    )
    half.call(half.client(half.script("x"), telemetry.middleware()), request)
    half.call(half.client(half.script("x"), telemetry.middleware(content=True)), request)
    quiet, told = telemetry.spans
    assert "gen_ai.input.messages" not in quiet.attributes
    assert told.attributes["gen_ai.output.messages"] == (
        '[{"role":"assistant","parts":[{"type":"text","content":"x"}],"finish_reason":"stop"}]'
    )
    assert told.attributes["gen_ai.input.messages"] == (
        '[{"role":"system","parts":[{"type":"text","content":"Be brief."}]},'
        '{"role":"user","parts":[{"type":"text","content":"What?"},'
        '{"type":"media","mime_type":"image/png"}]},'
        '{"role":"assistant","parts":[{"type":"reasoning","content":"hm"},'
        '{"type":"tool_call","id":"1","name":"f","arguments":{"x":1}},'
        '{"type":"tool_call","id":"2","name":"f","arguments":"{"},'
        '{"type":"text","content":"no"}]},'
        '{"role":"tool","parts":[{"type":"tool_call_response","id":"1","response":"42"}]}]'
    )


@tool(parallel=True)
def weigh(dish: str) -> str:
    """Weigh a dish."""
    if dish == "cake":
        raise OSError("secret scales")
    return "2 kg"


@pytest.mark.parametrize("how", ["call", "stream"])
def test_a_tool_is_a_span_in_that_of_the_call(half: Half, how: str) -> None:
    telemetry = Telemetry()
    dishes = [ToolCall(name, "weigh", f'{{"dish": "{name}"}}') for name in ("soup", "cake")]
    tools = SingleBatchTools(weigh, on_error="report")
    model, middleware = half.script(dishes, "done"), (telemetry.middleware(), tools)
    if how == "call":
        half.call(half.client(model, *middleware), ASK)
    else:
        half.run(half.stream_client(model, *middleware).stream(ASK).response())
    by_call = {span.attributes.get("gen_ai.tool.call.id"): span for span in telemetry.spans}
    soup, cake, chat = by_call["soup"], by_call["cake"], by_call[None]
    assert [span.name for span in (soup, cake)] == ["execute_tool weigh"] * 2
    assert soup.kind is SpanKind.INTERNAL
    assert soup.parent == cake.parent == chat.context
    assert dict(soup.attributes) == {
        "gen_ai.operation.name": "execute_tool",
        "gen_ai.tool.name": "weigh",
        "gen_ai.tool.call.id": "soup",
        "gen_ai.tool.type": "function",
        "gen_ai.tool.description": "Weigh a dish.",
    }
    assert (cake.attributes["error.type"], cake.status.status_code) == ("OSError", StatusCode.ERROR)
    assert cake.events == ()
    assert "secret" not in str(cake.attributes)
    assert chat.status.status_code is StatusCode.UNSET


def test_what_a_tool_is_given_and_gives_is_recorded_when_asked(half: Half) -> None:
    telemetry = Telemetry()
    model = half.script(ToolCall("1", "weigh", '{"dish": "soup"}'), "done")
    traced = telemetry.middleware(content=True)
    half.call(half.client(model, traced, SingleBatchTools(weigh), telemetry.middleware()), ASK)
    told = [span.attributes for span in telemetry.spans if span.name.startswith("execute_tool")]
    assert [attributes["gen_ai.tool.call.arguments"] for attributes in told] == ['{"dish": "soup"}']
    assert [attributes["gen_ai.tool.call.result"] for attributes in told] == ["2 kg"]


def test_a_span_of_a_tool_is_the_parent_of_what_it_does(half: Half) -> None:
    telemetry = Telemetry()

    @tool
    def search() -> str:
        with telemetry.tracers.get_tracer("inner").start_as_current_span("http"):
            return "found"

    model = half.script(ToolCall("1", "search", "{}"), "done")
    half.call(half.client(model, telemetry.middleware(), SingleBatchTools(search)), ASK)
    inner, outer, _ = telemetry.spans
    assert (inner.name, inner.parent) == ("http", outer.context)


def test_tools_inside_no_trace_are_no_spans(half: Half) -> None:
    telemetry = Telemetry()
    model = half.script(ToolCall("1", "weigh", '{"dish": "soup"}'), "done")
    half.call(half.client(model, SingleBatchTools(weigh), telemetry.middleware()), ASK)
    assert [span.name for span in telemetry.spans] == ["chat m1", "chat m1"]


def test_trace_works_bare_and_says_what_it_needs(
    half: Half, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert both(half, lambda: half.script("42"), trace) == ["42", "42"]
    import sys

    monkeypatch.setitem(sys.modules, "opentelemetry", None)
    with pytest.raises(ImportError, match="pip install opentelemetry-api"):
        trace()
