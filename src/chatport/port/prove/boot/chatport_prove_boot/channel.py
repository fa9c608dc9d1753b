"""A gRPC channel, sync and asyncio, whose calls go to the loopback server as REST requests.

Only what the generated clients and google.api_core use of a channel is here: unary and
server-streaming calls. api_core tells an async stream by the base class of its multi-callable, and
its interceptors want `with_call`, `_unary_unary_interceptors` and an error that is its own outcome.
"""

from __future__ import annotations

import asyncio
import http.client
import importlib
import json
import math
import re
import socket
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import AsyncIterator, Iterator
from typing import Any, Callable

import grpc
from google.api_core import path_template
from google.protobuf import json_format
from grpc import aio

from chatport_prove_boot import place

_STATUS = {code.name: code for code in grpc.StatusCode}
_STATUS["INVALID_ARGUMENT"] = grpc.StatusCode.INVALID_ARGUMENT
_OPENER = urllib.request.build_opener(urllib.request.ProxyHandler({}))
DEFAULT_HOST = "generativelanguage.googleapis.com"


class RpcError(grpc.RpcError, grpc.Call):  # type: ignore[misc]
    """An error status; also the finished call that the interceptors ask for its outcome."""

    def __init__(self, code: grpc.StatusCode, details: str) -> None:
        super().__init__(code, details)
        self._code, self._details = code, details

    def code(self) -> grpc.StatusCode:
        return self._code

    def details(self) -> str:
        return self._details

    def result(self, timeout: Any = None) -> Any:
        raise self

    def exception(self, timeout: Any = None) -> RpcError:
        return self

    def traceback(self, timeout: Any = None) -> Any:
        return None

    def add_done_callback(self, callback: Callable[[Any], None]) -> None:
        callback(self)

    def done(self) -> bool:
        return True

    def initial_metadata(self) -> Any:
        return ()

    def trailing_metadata(self) -> Any:
        return ()

    def is_active(self) -> bool:
        return False

    def time_remaining(self) -> Any:
        return None

    def cancel(self) -> bool:
        return False

    def add_callback(self, callback: Any) -> bool:
        return False

    def __str__(self) -> str:
        return f"{self._code}: {self._details}"


class Wire:
    """Turns one RPC into one REST request to the loopback server, and its answer into messages."""

    def __init__(self, server: str, host: str, credentials: Any, *, asynchronous: bool) -> None:
        self.server: str = server
        self.credentials: Any = credentials
        self.asynchronous: bool = asynchronous
        self.host: str = host.partition(":")[0]

    def request(self, method: str, message: Any, metadata: Any, timeout: Any) -> Any:
        """The request of an RPC. Made where the program calls, which is what its headers tell."""
        binding = _binding(method)
        plain = type(message).pb(message) if hasattr(type(message), "pb") else message
        parts = path_template.transcode(binding._get_http_options(), plain)
        query = _document(parts.get("query_params")) or {}
        if method.rpartition("/")[2].startswith("Stream"):
            query["alt"] = "sse"
        body = _document(parts.get("body"))
        address = self.server + parts["uri"]
        if query:
            address += "?" + urllib.parse.urlencode(sorted(query.items()), doseq=True)
        made = urllib.request.Request(
            address,
            None if body is None else json.dumps(body).encode(),
            {
                "Content-Type": "application/json",
                **place.headers(asynchronous=self.asynchronous),
            },
            method=parts["method"].upper(),
        )
        for name, value in self._headers(metadata, timeout).items():
            made.add_unredirected_header(name, value)
        return made, timeout

    def _headers(self, metadata: Any, timeout: Any) -> dict[str, str]:
        found: dict[str, str] = {}
        if self.credentials is not None and hasattr(self.credentials, "apply"):
            self.credentials.apply(found)
        given = {name: value for name, value in metadata or () if isinstance(value, str)}
        given.pop("x-goog-request-params", None)
        found.update(given)
        if timeout is not None:
            # Whole seconds, rounded up, as google-genai says them; what has passed is taken off.
            found[place.DEADLINE_HEADER] = str(math.ceil(timeout))
        if self.host != DEFAULT_HOST:
            found[place.HOST_HEADER] = self.host
        return found

    def messages(self, asked: Any, deserialize: Any) -> Iterator[Any]:
        """Send, and yield each message of the answer as it comes. Raises RpcError."""
        request, timeout = asked
        try:
            with _OPENER.open(request, timeout=timeout or 600) as response:
                for document in _documents(response):
                    yield _message(document, deserialize)
        except urllib.error.HTTPError as refusal:
            raise _refusal(refusal) from None
        except (socket.timeout, TimeoutError):
            raise RpcError(grpc.StatusCode.DEADLINE_EXCEEDED, "Deadline Exceeded") from None
        except (OSError, http.client.HTTPException):
            raise RpcError(grpc.StatusCode.UNAVAILABLE, "Socket closed") from None
        except (ValueError, json_format.ParseError):
            raise RpcError(grpc.StatusCode.INTERNAL, "Exception deserializing response!") from None


def _binding(method: str) -> Any:
    """The REST binding of `/google.ai.generativelanguage.v1beta.GenerativeService/CountTokens`."""
    service, _, rpc = method.lstrip("/").partition("/")
    package, _, name = service.rpartition(".")
    if name == "Operations":
        name, package = "ModelService", "google.ai.generativelanguage.v1beta"
    version = package.rpartition(".")[2]
    folder = re.sub(r"(?<!^)(?=[A-Z])", "_", name).lower()
    module = importlib.import_module(
        f"google.ai.generativelanguage_{version}.services.{folder}.transports.rest_base"
    )
    return getattr(getattr(module, f"_Base{name}RestTransport"), f"_Base{rpc}")


def _document(message: Any) -> Any:
    if message is None:
        return None
    return json_format.MessageToDict(message, use_integers_for_enums=False)


def _documents(response: Any) -> Iterator[Any]:
    if "event-stream" not in response.headers.get("Content-Type", ""):
        yield json.loads(response.read() or b"{}")
        return
    for raw in response:
        if raw.startswith(b"data: "):
            yield json.loads(raw[6:])


def _message(document: Any, deserialize: Any) -> Any:
    made = deserialize(b"")
    plain = type(made).pb(made) if hasattr(type(made), "pb") else made
    json_format.ParseDict(document, plain, ignore_unknown_fields=True)
    return made


def _refusal(refusal: urllib.error.HTTPError) -> RpcError:
    try:
        said = json.loads(refusal.read() or b"{}").get("error", {})
    except ValueError:
        said = {}
    status = _STATUS.get(said.get("status", ""), grpc.StatusCode.UNKNOWN)
    return RpcError(status, said.get("message", ""))


class _Call:
    """A finished call with its result."""

    def __init__(self, outcome: Any) -> None:
        self._outcome = outcome

    def result(self, timeout: Any = None) -> Any:
        return self._outcome

    def exception(self, timeout: Any = None) -> Any:
        return None

    def traceback(self, timeout: Any = None) -> Any:
        return None

    def code(self) -> grpc.StatusCode:
        return grpc.StatusCode.OK

    def details(self) -> str:
        return ""

    def initial_metadata(self) -> Any:
        return ()

    def trailing_metadata(self) -> Any:
        return ()

    def add_done_callback(self, callback: Callable[[Any], None]) -> None:
        callback(self)

    def add_callback(self, callback: Any) -> bool:
        return False

    def done(self) -> bool:
        return True

    def running(self) -> bool:
        return False

    def cancel(self) -> bool:
        return False

    def cancelled(self) -> bool:
        return False

    def is_active(self) -> bool:
        return False

    def time_remaining(self) -> Any:
        return None


class _Stream(_Call):
    """A streaming answer. The request has been sent when this exists, as gRPC does it."""

    def __init__(self, messages: Iterator[Any]) -> None:
        super().__init__(None)
        self._messages = _started(messages)

    def __iter__(self) -> _Stream:
        return self

    def __next__(self) -> Any:
        return next(self._messages)


def _started(messages: Iterator[Any]) -> Iterator[Any]:
    """The same messages, with the first (or the error in its place) fetched now."""
    try:
        first = next(messages)
    except StopIteration:
        return iter(())
    except RpcError as error:
        return _failing(error)
    return _chained(first, messages)


def _chained(first: Any, rest: Iterator[Any]) -> Iterator[Any]:
    yield first
    yield from rest


def _failing(error: RpcError) -> Iterator[Any]:
    raise error
    yield  # makes this a generator: the error comes at the first message


class _Unary:
    def __init__(self, wire: Wire, method: str, deserialize: Any) -> None:
        self.wire, self.method, self.deserialize = wire, method, deserialize

    def messages(self, message: Any, timeout: Any, metadata: Any) -> Iterator[Any]:
        asked = self.wire.request(self.method, message, metadata, timeout)
        return self.wire.messages(asked, self.deserialize)

    def with_call(
        self, request: Any, timeout: Any = None, metadata: Any = None, *_: Any, **__: Any
    ) -> tuple[Any, _Call]:
        answer = next(self.messages(request, timeout, metadata))
        return answer, _Call(answer)

    def __call__(self, request: Any, *options: Any, **named: Any) -> Any:
        return self.with_call(request, *options, **named)[0]

    def future(self, request: Any, *options: Any, **named: Any) -> Any:
        return self.with_call(request, *options, **named)[1]


class _Streaming(_Unary, grpc.UnaryStreamMultiCallable):  # type: ignore[misc]
    def __call__(
        self, request: Any, timeout: Any = None, metadata: Any = None, *_: Any, **__: Any
    ) -> Any:
        return _Stream(self.messages(request, timeout, metadata))


def _unsupported(method: str) -> Callable[..., Any]:
    def refuse(*_: Any, **__: Any) -> Any:
        raise RpcError(grpc.StatusCode.UNIMPLEMENTED, f"{method} has no REST form")

    return refuse


class _Methods:
    """What a channel of either form hands out: two kinds of method; the others have no REST form.
    The parameters are named as grpc's are, which generated stubs give by keyword."""

    unary: Callable[..., Any]
    streaming: Callable[..., Any]

    def __init__(self, wire: Wire) -> None:
        self.wire = wire

    def unary_unary(
        self,
        method: str,
        request_serializer: Any = None,
        response_deserializer: Any = None,
        *_: Any,
        **__: Any,
    ) -> Any:
        return self.unary(self.wire, method, response_deserializer)

    def unary_stream(
        self,
        method: str,
        request_serializer: Any = None,
        response_deserializer: Any = None,
        *_: Any,
        **__: Any,
    ) -> Any:
        return self.streaming(self.wire, method, response_deserializer)

    def stream_unary(self, method: str, *_: Any, **__: Any) -> Any:
        return _unsupported(method)

    def stream_stream(self, method: str, *_: Any, **__: Any) -> Any:
        return _unsupported(method)


class Channel(_Methods, grpc.Channel):  # type: ignore[misc]
    """The blocking form."""

    unary, streaming = _Unary, _Streaming

    def subscribe(self, *_: Any, **__: Any) -> None: ...

    def unsubscribe(self, *_: Any) -> None: ...

    def close(self) -> None: ...

    def __enter__(self) -> Channel:
        return self

    def __exit__(self, *_: Any) -> None: ...


_END = object()


class _AsyncCall:
    """One call under way. Blocking work is done on a thread, so that calls can overlap."""

    def __init__(self, wire: Wire, asked: Any, deserialize: Any) -> None:
        self._messages = wire.messages(asked, deserialize)
        self._ahead: list[Any] = []

    def __await__(self) -> Any:
        return self._next().__await__()

    async def _next(self) -> Any:
        if self._ahead:
            return self._ahead.pop()
        try:
            return await asyncio.get_running_loop().run_in_executor(
                None, next, self._messages, _END
            )
        except RpcError as error:
            none = aio.Metadata()
            raise aio.AioRpcError(error.code(), none, none, details=error.details()) from None

    async def wait_for_connection(self) -> None:
        self._ahead.append(await self._next())

    async def read(self) -> Any:
        message = await self._next()
        return aio.EOF if message is _END else message

    async def __aiter__(self) -> AsyncIterator[Any]:
        while (message := await self._next()) is not _END:
            yield message

    async def initial_metadata(self) -> Any:
        return aio.Metadata()

    async def trailing_metadata(self) -> Any:
        return aio.Metadata()

    async def code(self) -> grpc.StatusCode:
        return grpc.StatusCode.OK

    async def details(self) -> str:
        return ""

    def add_done_callback(self, callback: Any) -> None: ...

    def cancel(self) -> bool:
        return False

    def cancelled(self) -> bool:
        return False

    def done(self) -> bool:
        return True

    def time_remaining(self) -> Any:
        return None


class _AsyncMethod:
    def __init__(self, wire: Wire, method: str, deserialize: Any) -> None:
        self.wire, self.method, self.deserialize = wire, method, deserialize

    def __call__(self, request: Any, *, timeout: Any = None, metadata: Any = None, **_: Any) -> Any:
        asked = self.wire.request(self.method, request, metadata, timeout)
        return _AsyncCall(self.wire, asked, self.deserialize)


class _AsyncUnary(_AsyncMethod, aio.UnaryUnaryMultiCallable):  # type: ignore[misc]
    """Told from the streaming one by its base class."""


class _AsyncStreaming(_AsyncMethod, aio.UnaryStreamMultiCallable):  # type: ignore[misc]
    """Told from the unary one by its base class."""


class AsyncChannel(_Methods, aio.Channel):  # type: ignore[misc]
    """The asyncio form."""

    unary, streaming = _AsyncUnary, _AsyncStreaming

    def __init__(self, wire: Wire) -> None:
        super().__init__(wire)
        self._unary_unary_interceptors: list[Any] = []

    def get_state(self, try_to_connect: bool = False) -> Any:
        return grpc.ChannelConnectivity.READY

    async def wait_for_state_change(self, last_observed_state: Any) -> None: ...

    async def channel_ready(self) -> None: ...

    async def close(self, grace: Any = None) -> None: ...

    async def __aenter__(self) -> AsyncChannel:
        return self

    async def __aexit__(self, *_: Any) -> None: ...
