"""Other models to ask when the first cannot answer."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any, TypeVar

from chatport.chat import InvalidMiddlewareError, Request, Response, ResponseDelta
from chatport.chat.cancellation import checkpoint
from chatport.client.layer import Ask, Layer, Open, opener
from chatport.client.middleware.failing import RetryOn, decider, is_transient
from chatport.client.middleware.retry import open_stream, opened_stream
from chatport.tools._dual import Runtime

M = TypeVar("M")
_CAPABILITIES = ("call", "stream")


class Fallback(Layer):
    """See `fallback`."""

    def __init__(self, models: tuple[Any, ...], on: RetryOn) -> None:
        if not models:
            raise InvalidMiddlewareError("fallback needs at least one model to fall back on")
        self._models = models
        self._decide = decider(on)

    def __call__(self, inner: M, /) -> M:
        for position, model in enumerate(self._models):
            if not any(hasattr(model, can) for can in _CAPABILITIES if hasattr(inner, can)):
                raise InvalidMiddlewareError(
                    f"models[{position}] cannot do what the model it stands in for can: {model!r}"
                )
        return super().__call__(inner)

    async def on_call(self, request: Request, below: Ask, run: Runtime) -> Response:
        failures: list[Exception] = []
        try:
            return await below(request)
        except Exception as error:
            self._note(error, failures)
        for model in self._models[:-1]:
            checkpoint()
            try:
                return await run.resolve(model.call(request))
            except Exception as error:
                self._note(error, failures)
        checkpoint()
        try:
            return await run.resolve(self._models[-1].call(request))
        except Exception as error:
            _tell(error, failures)
            raise

    async def on_stream(
        self, request: Request, below: Open, run: Runtime
    ) -> AsyncIterator[ResponseDelta]:
        failures: list[Exception] = []
        for position in range(len(self._models) + 1):
            streamer = opener(self._models[position - 1].stream, run) if position else below
            checkpoint()
            try:
                opened = await open_stream(request, streamer)
            except Exception as error:
                if position == len(self._models):
                    _tell(error, failures)
                    raise
                self._note(error, failures)
            else:
                async for delta in opened_stream(*opened):
                    yield delta
                return

    def _note(self, error: Exception, failures: list[Exception]) -> None:
        """Keep an error and go on, or raise it when another model is no remedy."""
        if not self._decide(error):
            _tell(error, failures)
            raise error
        failures.append(error)


def _tell(error: Exception, failures: list[Exception]) -> None:
    for position, failure in enumerate(failures):
        error.add_note(f"model {position + 1} failed before: {failure!r}")


def fallback(*models: Any, on: RetryOn = is_transient) -> Fallback:
    """Middleware that asks other models, in order, when the one below it fails.

    The models are of the client's kind: to call or to stream, synchronous or not. `on` says after
    which errors another model is asked; any other is raised. When all fail, the last error is
    raised with a note on each before it. A stream changes models only until its first delta.
    Raises `InvalidMiddlewareError`.
    """
    return Fallback(models, on)
