"""A line in the log for every call."""

from __future__ import annotations

import logging
import re
import time
from collections.abc import AsyncIterator, Callable
from typing import Any, Protocol, TypeVar, overload

from chatport.chat import Request, Response, ResponseAccumulator, ResponseDelta
from chatport.client.layer import Ask, Layer, Open
from chatport.tools._dual import Runtime, closing

M = TypeVar("M")

_SECRETS = re.compile(
    r"""(?ix)
    \b(?:sk|pk|rk)-[a-z0-9_-]{8,}          # openai, anthropic and those like them
    | \bAIza[a-z0-9_-]{20,}                # google
    | \bya29\.[a-z0-9_.-]{8,}              # google's access tokens
    | \b(?:gh[pousr]|hf|xai|gsk|r8)_[a-z0-9]{8,}
    | \bAKIA[A-Z0-9]{12,}
    | \beyJ[a-z0-9_-]{8,}\.[a-z0-9_-]+\.[a-z0-9_-]*   # a JSON web token
    | (?<=bearer\ )[^\s"',;]+
    | (?<=[?&]key=)[^\s&"']+
    | (?<=[?&]api_key=)[^\s&"']+
    """
)


def mask_secrets(text: str) -> str:
    """The text with everything that looks like a key or a token replaced by ``***``."""
    return _SECRETS.sub("***", text)


class EventLogger(Protocol):
    """A logger that takes an event and its fields, such as structlog's."""

    def info(self, event: str, /, **fields: Any) -> Any:
        """Log an event."""

    def warning(self, event: str, /, **fields: Any) -> Any:
        """Log an event that is a problem."""


class Log(Layer):
    """See `log`."""

    def __init__(
        self,
        logger: EventLogger | logging.Logger | None = None,
        content: bool = False,
        mask: Callable[[str], str] = mask_secrets,
        clock: Callable[[], float] = time.perf_counter,
    ) -> None:
        if logger is None:
            logger = logging.getLogger("chatport")
        if isinstance(logger, logging.Logger):
            self._emit, self._listened_to = _of_logging(logger), logger.isEnabledFor
        else:
            self._emit, self._listened_to = _of(logger), _always
        self._content = content
        self._mask = mask
        self._clock = clock

    async def on_call(self, request: Request, below: Ask, run: Runtime) -> Response:
        started = self._clock()
        try:
            response = await below(request)
        except BaseException as error:
            self._failed(request, started, error)
            raise
        if self._listened_to(logging.INFO):
            self._answered("call", request, started, response)
        return response

    async def on_stream(
        self, request: Request, below: Open, run: Runtime
    ) -> AsyncIterator[ResponseDelta]:
        started = self._clock()
        accumulator = ResponseAccumulator()
        try:
            async with closing(below(request)) as source:
                async for delta in source:
                    accumulator.add(delta)
                    yield delta
            response = accumulator.response()
        except GeneratorExit:
            self._emit(logging.INFO, "chat stream left", self._asked(request, started))
            raise
        except BaseException as error:
            self._failed(request, started, error)
            raise
        self._answered("stream", request, started, response)

    def _asked(self, request: Request, started: float) -> dict[str, Any]:
        fields: dict[str, Any] = {
            "model": request.options.model,
            "messages": len(request.messages),
            "tools": len(request.tools),
            "seconds": round(self._clock() - started, 6),
        }
        if self._content:
            fields["request"] = self._mask(request.to_json().decode())
        return fields

    def _answered(self, kind: str, request: Request, started: float, response: Response) -> None:
        fields = self._asked(request, started)
        fields["model"] = response.metadata.model or fields["model"]
        fields["finish_reason"] = response.finish_reason
        if response.usage is not None:
            fields["input_tokens"] = response.usage.input_tokens
            fields["output_tokens"] = response.usage.output_tokens
        if self._content:
            fields["response"] = self._mask(response.to_json().decode())
        self._emit(logging.INFO, f"chat {kind}", fields)

    def _failed(self, request: Request, started: float, error: BaseException) -> None:
        fields = self._asked(request, started)
        fields["error"] = type(error).__name__
        fields["problem"] = self._mask(str(error))
        self._emit(logging.WARNING, "chat failed", fields)


Emit = Callable[[int, str, dict[str, Any]], None]


def _always(level: int) -> bool:
    return True


def _of(logger: EventLogger) -> Emit:
    def emit(level: int, event: str, fields: dict[str, Any]) -> None:
        (logger.warning if level == logging.WARNING else logger.info)(event, **fields)

    return emit


def _of_logging(logger: logging.Logger) -> Emit:
    def emit(level: int, event: str, fields: dict[str, Any]) -> None:
        shown = " ".join(f"{name}={value!r}" for name, value in fields.items())
        logger.log(level, "%s %s", event, shown, extra={"chatport": fields})

    return emit


@overload
def log(below: M, /) -> M: ...
@overload
def log(
    *,
    logger: EventLogger | logging.Logger | None = None,
    content: bool = False,
    mask: Callable[[str], str] = mask_secrets,
    clock: Callable[[], float] = time.perf_counter,
) -> Log: ...
def log(below: Any = None, /, **settings: Any) -> Any:
    """Middleware that logs every call when it ends: ``log``, or ``log(logger=…)``.

    To the logger ``chatport`` of the standard library, where the fields are also in the record's
    ``chatport``, or to a logger that takes fields, such as structlog's. What is said is how many
    messages, how long, which end and how many tokens, not their text; `content` adds that. Errors
    and content pass through `mask`, which replaces what looks like a key or a token.
    """
    return Log(**settings) if below is None else Log()(below)
