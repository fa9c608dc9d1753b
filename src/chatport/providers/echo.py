"""A model that says again what it is told: no key, no network. For a first try, and for tests."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator, Iterator
from typing import TYPE_CHECKING, Self

from chatport.chat import (
    InvalidRequestError,
    Options,
    Request,
    Response,
    ResponseDelta,
    ResponseMetadata,
    TextDelta,
    Usage,
    collect,
)
from chatport.providers.codec import OPTIONS, extension_members, refuse_options

if TYPE_CHECKING:
    from chatport.providers.connection import Key
    from chatport.providers.transport import Timeouts

_WORD = re.compile(r"\s*\S+\s*?")
_IGNORED = ("output_format", "max_output_tokens")
_UNSUPPORTED = {name: f"an echo has no {name}" for name in OPTIONS if name not in _IGNORED}


class Model:
    """Answers with the text of the last message, word by word; a word counts as a token.

    It stops at `max_output_tokens`, and refuses what would change nothing. An output format is
    satisfied when the text is.
    """

    def __init__(
        self,
        name: str = "echo",
        *,
        key: Key = None,
        options: Options | None = None,
        timeouts: Timeouts | None = None,
    ) -> None:
        self._name = name
        self._options = options or Options()

    def call(self, request: Request, /) -> Response:
        """The whole echo."""
        return collect(self.stream(request))

    def stream(self, request: Request, /) -> Iterator[ResponseDelta]:
        """The echo, word by word."""
        yield from _said_again(self._name, request, self._options)

    def models(self) -> list[str]:
        """There is one."""
        return ["echo"]

    def close(self) -> None:
        """Nothing is open."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *raised: object) -> None:
        self.close()

    def __repr__(self) -> str:
        return "<Model echo>"


class AsyncModel:
    """The same for asynchronous clients."""

    def __init__(
        self,
        name: str = "echo",
        *,
        key: Key = None,
        options: Options | None = None,
        timeouts: Timeouts | None = None,
    ) -> None:
        self._name = name
        self._options = options or Options()

    async def call(self, request: Request, /) -> Response:
        """The whole echo."""
        return collect(_said_again(self._name, request, self._options))

    async def stream(self, request: Request, /) -> AsyncIterator[ResponseDelta]:
        """The echo, word by word."""
        for delta in _said_again(self._name, request, self._options):
            yield delta

    async def models(self) -> list[str]:
        """There is one."""
        return ["echo"]

    async def aclose(self) -> None:
        """Nothing is open."""

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *raised: object) -> None:
        await self.aclose()

    def __repr__(self) -> str:
        return "<AsyncModel echo>"


def _said_again(name: str, request: Request, defaults: Options) -> Iterator[ResponseDelta]:
    if not isinstance(request, Request):
        raise InvalidRequestError(f"expected a Request, got {type(request).__name__}")
    options = defaults.overlay(request.options)
    refuse_options(options, "echo", _UNSUPPORTED)
    extension_members(options, "echo")
    words = _WORD.findall(request.messages[-1].text())
    limit = options.max_output_tokens or len(words)
    for word in words[:limit]:
        yield ResponseDelta(TextDelta(word))
    asked = sum(len(message.text().split()) for message in request.messages)
    yield ResponseDelta(
        finish_reason="length" if len(words) > limit else "stop",
        metadata=ResponseMetadata(
            model=name,
            usage=Usage(input_tokens=asked, output_tokens=min(limit, len(words))),
        ),
    )
