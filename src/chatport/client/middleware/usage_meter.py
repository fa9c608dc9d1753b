"""What the calls have cost, in tokens."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass
from threading import Lock

from chatport.chat import Request, Response, ResponseDelta, Usage
from chatport.client.layer import Ask, Layer, Open
from chatport.tools._dual import Runtime, closing

NO_USAGE = Usage()


@dataclass(frozen=True, slots=True)
class Metered:
    """Calls of one model and their tokens. `unreported` of the calls did not say what they cost."""

    calls: int = 0
    unreported: int = 0
    usage: Usage = NO_USAGE


class UsageMeter(Layer):
    """See `usage_meter`."""

    def __init__(self) -> None:
        self._tallies: dict[str, _Tally] = {}
        self._lock = Lock()

    @property
    def models(self) -> Mapping[str, Metered]:
        """What was metered, by the model that answered, or was asked, or the empty text."""
        with self._lock:
            return {name: tally.metered() for name, tally in self._tallies.items()}

    @property
    def total(self) -> Metered:
        """All models together."""
        every = self.models.values()
        return Metered(
            sum(model.calls for model in every),
            sum(model.unreported for model in every),
            sum((model.usage for model in every), NO_USAGE),
        )

    async def on_call(self, request: Request, below: Ask, run: Runtime) -> Response:
        response = await below(request)
        self._add(response.metadata.model or request.options.model, response.usage)
        return response

    async def on_stream(
        self, request: Request, below: Open, run: Runtime
    ) -> AsyncIterator[ResponseDelta]:
        model, usage = request.options.model, None
        async with closing(below(request)) as source:
            try:
                async for delta in source:
                    if delta.metadata is not None:
                        model = delta.metadata.model or model
                        usage = delta.metadata.usage or usage
                    yield delta
            finally:
                # A stream that is left or breaks has cost what it said so far.
                self._add(model, usage)

    def _add(self, model: str | None, usage: Usage | None) -> None:
        with self._lock:
            tally = self._tallies.get(model or "")
            if tally is None:
                tally = self._tallies[model or ""] = _Tally()
            tally.calls += 1
            if usage is None:
                tally.unreported += 1
            else:
                tally.usage += usage


class _Tally:
    """A `Metered` in the making."""

    __slots__ = ("calls", "unreported", "usage")

    def __init__(self) -> None:
        self.calls = 0
        self.unreported = 0
        self.usage = NO_USAGE

    def metered(self) -> Metered:
        return Metered(self.calls, self.unreported, self.usage)


def usage_meter() -> UsageMeter:
    """Middleware that adds up the tokens of everything below it; safe to share between clients.

    Read ``meter.total`` and ``meter.models``. Calls that fail are not counted.
    """
    return UsageMeter()
