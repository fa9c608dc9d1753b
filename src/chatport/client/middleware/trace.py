"""OpenTelemetry spans and metrics by the semantic conventions for generative AI. Extra ``otel``."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import contextmanager
from time import perf_counter
from typing import TYPE_CHECKING, Any, TypeVar, overload

import msgspec

from chatport.chat import (
    InvalidJSONError,
    MediaPart,
    Message,
    Part,
    ReasoningPart,
    RefusalPart,
    Request,
    Response,
    ResponseAccumulator,
    ResponseDelta,
    TextFormat,
    TextPart,
    ToolCall,
    ToolCallPart,
    ToolOutput,
    ToolResultPart,
    parse_strict,
)
from chatport.client.conversations import current
from chatport.client.layer import Ask, Layer, Open
from chatport.client.tool_batch import watcher
from chatport.tools._dual import Runtime, closing

if TYPE_CHECKING:
    from opentelemetry.metrics import MeterProvider
    from opentelemetry.trace import Span, TracerProvider

    from chatport.tools.contract import Binding

M = TypeVar("M")
Attributes = dict[str, Any]

_OPTIONS = {
    "frequency_penalty": "gen_ai.request.frequency_penalty",
    "max_output_tokens": "gen_ai.request.max_tokens",
    "presence_penalty": "gen_ai.request.presence_penalty",
    "stop": "gen_ai.request.stop_sequences",
    "temperature": "gen_ai.request.temperature",
    "top_k": "gen_ai.request.top_k",
    "top_p": "gen_ai.request.top_p",
}
_USAGE = {
    "input_tokens": "gen_ai.usage.input_tokens",
    "output_tokens": "gen_ai.usage.output_tokens",
    "cache_read_input_tokens": "gen_ai.usage.cache_read.input_tokens",
    "cache_write_input_tokens": "gen_ai.usage.cache_creation.input_tokens",
}
_TOKEN_KINDS = {"input": "input_tokens", "output": "output_tokens"}


class Trace(Layer):
    """See `trace`."""

    def __init__(
        self,
        provider: str | None = None,
        content: bool = False,
        tracer_provider: TracerProvider | None = None,
        meter_provider: MeterProvider | None = None,
    ) -> None:
        try:
            from opentelemetry import metrics, trace
        except ImportError as error:
            raise ImportError("trace needs OpenTelemetry: pip install opentelemetry-api") from error

        self._provider = provider
        self._content = content
        self._otel = trace
        self._tracer = trace.get_tracer("chatport", tracer_provider=tracer_provider)
        meter = metrics.get_meter("chatport", meter_provider=meter_provider)
        self._duration = meter.create_histogram(
            "gen_ai.client.operation.duration", unit="s", description="Time of a chat call"
        )
        self._tokens = meter.create_histogram(
            "gen_ai.client.token.usage", unit="{token}", description="Tokens of a chat call"
        )

    async def on_call(self, request: Request, below: Ask, run: Runtime) -> Response:
        span, common, started = self._begin(request)
        with self._current(span):
            try:
                response = await below(request)
            except BaseException as error:
                self._fail(span, common, error)
                raise
            else:
                self._answer(span, common, response)
                return response
            finally:
                self._end(span, common, started)

    async def on_stream(
        self, request: Request, below: Open, run: Runtime
    ) -> AsyncIterator[ResponseDelta]:
        span, common, started = self._begin(request)
        accumulator = ResponseAccumulator()
        try:
            async with closing(below(request)) as source:
                while True:
                    # The span is current only while the model works, not while the caller does.
                    with self._current(span):
                        delta = await anext(source, None)
                    if delta is None:
                        break
                    accumulator.add(delta)
                    yield delta
            self._answer(span, common, accumulator.response())
        except GeneratorExit:
            raise
        except BaseException as error:
            self._fail(span, common, error)
            raise
        finally:
            self._end(span, common, started)

    @contextmanager
    def _current(self, span: Span) -> Iterator[None]:
        """The span is the parent of what happens inside, tools that are run among it."""
        watching = watcher.set(self._run_tool)
        try:
            with self._otel.use_span(span, record_exception=False, set_status_on_exception=False):
                yield
        finally:
            watcher.reset(watching)

    async def _run_tool(
        self, call: ToolCall, binding: Binding, execute: Callable[[], Awaitable[ToolOutput]]
    ) -> ToolOutput:
        attributes = {
            "gen_ai.operation.name": "execute_tool",
            "gen_ai.tool.name": call.name,
            "gen_ai.tool.call.id": call.id,
            "gen_ai.tool.type": "function",
        }
        if binding.definition.description:
            attributes["gen_ai.tool.description"] = binding.definition.description
        if self._content:
            attributes["gen_ai.tool.call.arguments"] = call.arguments
        with self._tracer.start_as_current_span(
            f"execute_tool {call.name}",
            attributes=attributes,
            record_exception=False,
            set_status_on_exception=False,
        ) as span:
            try:
                output = await execute()
            except BaseException as error:
                self._mark(span, error)
                raise
            if self._content:
                span.set_attribute("gen_ai.tool.call.result", output.text())
            return output

    def _begin(self, request: Request) -> tuple[Span, Attributes, float]:
        options = request.options
        common: Attributes = {"gen_ai.operation.name": "chat"}
        if self._provider:
            common["gen_ai.provider.name"] = self._provider
        if options.model:
            common["gen_ai.request.model"] = options.model
        attributes = dict(common)
        if conversation := current.get():
            attributes["gen_ai.conversation.id"] = conversation
        for name, attribute in _OPTIONS.items():
            if (value := getattr(options, name)) is not None:
                attributes[attribute] = value
        if options.output_format is not None:
            is_text = isinstance(options.output_format, TextFormat)
            attributes["gen_ai.output.type"] = "text" if is_text else "json"
        span = self._tracer.start_span(
            f"chat {options.model}" if options.model else "chat",
            kind=self._otel.SpanKind.CLIENT,
            attributes=attributes,
        )
        if self._content and span.is_recording():
            span.set_attribute("gen_ai.input.messages", _messages(request.messages))
        return span, common, perf_counter()

    def _answer(self, span: Span, common: Attributes, response: Response) -> None:
        metadata = response.metadata
        span.set_attribute("gen_ai.response.finish_reasons", [response.finish_reason])
        if metadata.id:
            span.set_attribute("gen_ai.response.id", metadata.id)
        if metadata.model:
            span.set_attribute("gen_ai.response.model", metadata.model)
            common["gen_ai.response.model"] = metadata.model
        if metadata.usage is not None:
            for name, attribute in _USAGE.items():
                if (count := getattr(metadata.usage, name)) is not None:
                    span.set_attribute(attribute, count)
            for kind, name in _TOKEN_KINDS.items():
                attributes = {**common, "gen_ai.token.type": kind}
                self._tokens.record(getattr(metadata.usage, name), attributes)
        if self._content and response.message and span.is_recording():
            span.set_attribute(
                "gen_ai.output.messages", _messages((response.message,), response.finish_reason)
            )

    def _fail(self, span: Span, common: Attributes, error: BaseException) -> None:
        common["error.type"] = self._mark(span, error)

    def _mark(self, span: Span, error: BaseException) -> str:
        """Record an error by its type, which is returned."""
        kind = type(error)
        is_builtin = kind.__module__ == "builtins"
        name = kind.__qualname__ if is_builtin else f"{kind.__module__}.{kind.__qualname__}"
        span.set_attribute("error.type", name)
        span.set_status(self._otel.StatusCode.ERROR)
        return name

    def _end(self, span: Span, common: Attributes, started: float) -> None:
        self._duration.record(perf_counter() - started, common)
        span.end()


def _messages(messages: tuple[Message, ...], finish_reason: str | None = None) -> str:
    """Messages in the form the conventions give them, which is not ours."""
    told: list[Attributes] = [
        {"role": message.role, "parts": [_part(part) for part in message.parts]}
        for message in messages
    ]
    if finish_reason is not None:
        told[-1]["finish_reason"] = finish_reason
    return msgspec.json.encode(told).decode()


def _part(part: Part) -> Attributes:
    match part:
        case TextPart(text=text) | RefusalPart(text=text):
            return {"type": "text", "content": text}
        case ReasoningPart(text=text):
            return {"type": "reasoning", "content": text}
        case ToolCallPart(tool_call=call):
            text = call.arguments
            arguments = msgspec.Raw(text.encode()) if _is_json(text) else text
            return {"type": "tool_call", "id": call.id, "name": call.name, "arguments": arguments}
        case ToolResultPart(tool_result=result):
            return {"type": "tool_call_response", "id": result.id, "response": result.output.text()}
        case MediaPart(media=media):
            return {"type": "media", "mime_type": media.mime}


def _is_json(text: str) -> bool:
    try:
        parse_strict(text)
    except InvalidJSONError:
        return False
    return True


@overload
def trace(below: M, /) -> M: ...
@overload
def trace(
    *,
    provider: str | None = None,
    content: bool = False,
    tracer_provider: TracerProvider | None = None,
    meter_provider: MeterProvider | None = None,
) -> Trace: ...
def trace(below: Any = None, /, **settings: Any) -> Any:
    """Middleware that makes an OpenTelemetry span of every call: ``trace``, or
    ``trace(provider=…)``.

    Names and attributes follow the semantic conventions for generative AI: request options, finish
    reason, model, token counts, error type, and the histograms of duration and tokens. `provider`
    is their ``gen_ai.provider.name``, such as ``openai`` or ``gcp.gemini``, and the block
    `conversation` around a call gives its ``gen_ai.conversation.id``. Outside a middleware
    that runs tools, each tool is a span ``execute_tool`` in that of the call; inside it, each round
    of the model is a call. What is said, to models and tools, is recorded only with `content`, and
    errors by type only, because an error's text may quote a message.
    Raises `ImportError` without the extra ``otel``.
    """
    return Trace(**settings) if below is None else Trace()(below)
