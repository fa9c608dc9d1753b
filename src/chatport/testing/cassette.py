"""Exchanges kept in a file, and models that repeat them.

A cassette is one JSON document: ``{"version": 1, "exchanges": [...]}``. An exchange has its
``request``, and one of ``response``, ``deltas`` and ``error``. It holds what the program said and
was told, and nothing of the transport: no key, no header, no host.
"""

from __future__ import annotations

import os
from collections.abc import AsyncIterator, Callable, Iterator
from pathlib import Path
from threading import Lock
from typing import Any, TypeAlias

import msgspec

from chatport.chat import (
    ChatError,
    InvalidJSONError,
    InvalidValueError,
    Request,
    Response,
    ResponseDelta,
    collect,
)
from chatport.chat.document import check_strict
from chatport.client.deltas import deltas_of
from chatport.client.layer import Ask, Layer, Open
from chatport.tools._dual import Runtime, closing

VERSION = 1
PathLike: TypeAlias = "str | os.PathLike[str]"


class CassetteError(ChatError):
    """A cassette cannot be read, or has no such exchange. The message names file and place."""


class ReplayedError(ChatError):
    """An error that was recorded. `kind` is the name its class had."""

    def __init__(self, kind: str, message: str) -> None:
        super().__init__(kind, message)
        self.kind = kind

    def __str__(self) -> str:
        return f"{self.kind}: {self.args[1]}"


class _Error(msgspec.Struct, forbid_unknown_fields=True):
    kind: str
    message: str


class _Exchange(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True):
    """One exchange as it is in the file; the values are read by their own strict decoders."""

    request: msgspec.Raw
    response: msgspec.Raw | msgspec.UnsetType = msgspec.UNSET
    deltas: list[msgspec.Raw] | None = None
    error: _Error | None = None


class _Cassette(msgspec.Struct, forbid_unknown_fields=True):
    version: int
    exchanges: list[_Exchange]


class Recorder(Layer):
    """See `record`."""

    def __init__(self, path: PathLike, mask: Callable[[str], str]) -> None:
        self._path = Path(path)
        self._mask = mask
        self._exchanges: list[_Exchange] = []
        self._lock = Lock()
        try:
            self._write()
        except OSError as error:
            raise CassetteError(f"{path}: {error}") from error

    async def on_call(self, request: Request, below: Ask, run: Runtime) -> Response:
        exchange = _Exchange(self._raw(request.to_json()))
        try:
            response = await below(request)
        except Exception as error:
            exchange.error = self._error(error)
            raise
        else:
            exchange.response = self._raw(response.to_json())
            return response
        finally:
            self._keep(exchange)

    async def on_stream(
        self, request: Request, below: Open, run: Runtime
    ) -> AsyncIterator[ResponseDelta]:
        exchange = _Exchange(self._raw(request.to_json()), deltas=[])
        try:
            async with closing(below(request)) as source:
                async for delta in source:
                    assert exchange.deltas is not None
                    exchange.deltas.append(self._raw(delta.to_json()))
                    yield delta
        except Exception as error:
            exchange.error = self._error(error)
            raise
        finally:
            self._keep(exchange)

    def _raw(self, data: bytes) -> msgspec.Raw:
        return msgspec.Raw(self._mask(data.decode()).encode())

    def _error(self, error: Exception) -> _Error:
        return _Error(type(error).__name__, self._mask(str(error)))

    def _keep(self, exchange: _Exchange) -> None:
        with self._lock:
            self._exchanges.append(exchange)
            self._write()

    def _write(self) -> None:
        data = msgspec.json.encode(_Cassette(VERSION, self._exchanges))
        unfinished = self._path.with_name(self._path.name + ".part")
        unfinished.write_bytes(msgspec.json.format(data, indent=1) + b"\n")
        unfinished.replace(self._path)


def record(path: PathLike, *, mask: Callable[[str], str] | None = None) -> Recorder:
    """Middleware that writes every exchange of its clients into a cassette, as soon as it has
    ended.

    An existing file is overwritten at once. `mask` is given all text on its way into the file, as
    JSON, and takes out what must not be there; unless given, it is what looks like a key or a
    token.
    """
    if mask is None:
        from chatport.client.middleware.log import mask_secrets

        mask = mask_secrets
    return Recorder(path, mask)


class _Tape:
    """The exchanges of a cassette, each to be used once."""

    def __init__(self, path: PathLike) -> None:
        self._path = Path(path)
        self._left = [self._read(index, raw) for index, raw in enumerate(self._load().exchanges)]
        self._lock = Lock()

    def assert_finished(self) -> None:
        """Raise `AssertionError` unless every exchange has been repeated."""
        if self._left:
            raise AssertionError(f"{self._path}: {len(self._left)} exchanges were not asked for")

    def _take(self, request: Request) -> _Recorded:
        with self._lock:
            for recorded in self._left:
                if recorded.request == request:
                    self._left.remove(recorded)
                    return recorded
            if not self._left:
                raise CassetteError(f"{self._path}: all exchanges have been asked for already")
            raise CassetteError(
                f"{self._path}: no exchange left is for this request; "
                f"it has {request.to_json().decode()}\n"
                f"the next left is for {self._left[0].request.to_json().decode()}"
            )

    def _load(self) -> _Cassette:
        try:
            cassette = msgspec.json.decode(check_strict(self._path.read_bytes()), type=_Cassette)
        except (OSError, InvalidJSONError, msgspec.MsgspecError) as error:
            raise CassetteError(f"{self._path}: {error}") from error
        if cassette.version != VERSION:
            raise CassetteError(
                f"{self._path}: version {cassette.version} is not {VERSION}; record it again"
            )
        return cassette

    def _read(self, index: int, raw: _Exchange) -> _Recorded:
        try:
            return _Recorded(
                Request.from_json(bytes(raw.request)),
                None if raw.response is msgspec.UNSET else Response.from_json(bytes(raw.response)),
                tuple(ResponseDelta.from_json(bytes(delta)) for delta in raw.deltas or ()),
                None if raw.error is None else ReplayedError(raw.error.kind, raw.error.message),
            )
        except InvalidValueError as error:
            raise CassetteError(f"{self._path}: exchanges[{index}]: {error}") from error


class _Recorded(msgspec.Struct, frozen=True):
    request: Request
    response: Response | None
    deltas: tuple[ResponseDelta, ...]
    error: Any

    def answer(self) -> Response:
        if self.response is not None:
            return self.response
        return collect(self.steps())

    def steps(self) -> Iterator[ResponseDelta]:
        yield from self.deltas if self.response is None else deltas_of(self.response)
        if self.error is not None:
            raise self.error


class ReplayModel(_Tape):
    """A model and streamer that repeats a cassette.

    An exchange is found by its whole request, and used once; equal ones are used in their order. A
    recorded error is raised as `ReplayedError`, a recorded stream may be called and a recorded
    response streamed. Raises `CassetteError`.
    """

    def call(self, request: Request, /) -> Response:
        """The response that was recorded for this request."""
        return self._take(request).answer()

    def stream(self, request: Request, /) -> Iterator[ResponseDelta]:
        """The deltas that were recorded for this request."""
        yield from self._take(request).steps()


class AsyncReplayModel(_Tape):
    """A `ReplayModel` for asynchronous clients."""

    async def call(self, request: Request, /) -> Response:
        """The response that was recorded for this request."""
        return self._take(request).answer()

    async def stream(self, request: Request, /) -> AsyncIterator[ResponseDelta]:
        """The deltas that were recorded for this request."""
        for delta in self._take(request).steps():
            yield delta


def replay(path: PathLike) -> ReplayModel:
    """A model that repeats the exchanges of a cassette. See `ReplayModel`."""
    return ReplayModel(path)
