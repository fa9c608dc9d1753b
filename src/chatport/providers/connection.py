"""What a synchronous and an asynchronous model have in common: everything but the waiting."""

from __future__ import annotations

import os
import re
from collections.abc import Awaitable, Callable, Iterator, Mapping
from dataclasses import dataclass
from email.utils import formatdate
from typing import TYPE_CHECKING, Final, TypeAlias
from urllib.parse import urlsplit

from chatport.chat import (
    InvalidRequestError,
    InvalidValueError,
    Options,
    Request,
    Response,
    ResponseAccumulator,
    ResponseDelta,
    UnsupportedError,
)
from chatport.chat.cancellation import checkpoint, remaining
from chatport.chat.options import NO_OPTIONS
from chatport.providers import errors
from chatport.providers.catalogue import Catalogue
from chatport.providers.codec import NOT_JSON
from chatport.providers.errors import (
    AuthenticationError,
    CutStreamError,
    MissingKeyError,
    ProviderError,
    RedirectError,
    TransportError,
    UnexpectedAnswerError,
)
from chatport.providers.sse import EventParser
from chatport.providers.transport import MAX_BODY, Call, Timeouts

if TYPE_CHECKING:
    from chatport.chat import Usage
    from chatport.providers.codec import Codec, Headers, WireRequest
    from chatport.providers.sse import Event

Key: TypeAlias = "str | Callable[[], str | Awaitable[str]] | None"
"""A key, or what gives one for each call: a token that is renewed, say. Awaited where possible."""

USER_AGENT: Final = "chatport"
_FORBIDDEN: Final = re.compile(r"[^\x21-\x7e]")


@dataclass(frozen=True, slots=True)
class Endpoint:
    """Where a provider is and how it wants to be shown the key.

    `variables` are looked up in this order when no key is given. `header` and `prefix` say how the
    key travels; `headers` are sent with every call. Without `demands_key` a call may go without.
    """

    base_url: str
    variables: tuple[str, ...] = ()
    header: str = "authorization"
    prefix: str = "Bearer "
    headers: tuple[tuple[str, str], ...] = ()
    demands_key: bool = True

    def __post_init__(self) -> None:
        parts = urlsplit(self.base_url)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise ValueError(
                f"{self.base_url!r} is no address; it looks like https://host/v1, as the provider "
                "documents it"
            )
        if parts.username or parts.password:
            raise ValueError("an address holds no user name or password; give the key as `key`")


class Connection:
    """A codec at an endpoint: prepares calls, and reads answers."""

    __slots__ = ("_key", "codec", "endpoint", "options", "timeouts")

    def __init__(
        self,
        codec: Codec,
        endpoint: Endpoint,
        *,
        key: Key = None,
        options: Options | None = None,
        timeouts: Timeouts | None = None,
    ) -> None:
        self.codec: Codec = codec
        self.endpoint: Endpoint = endpoint
        self.options: Options = options or Options()
        self.timeouts: Timeouts = timeouts or Timeouts()
        self._key = key

    def resolved(self, request: Request) -> Request:
        """The request with the model's defaults under its own options."""
        if not isinstance(request, Request):
            raise InvalidRequestError(f"expected a Request, got {type(request).__name__}")
        own = request.options
        options = self.options if own == NO_OPTIONS else self.options.overlay(own)
        request = request.replace(options=options)
        if request.options.model is None:
            raise InvalidRequestError("is missing: name a model", "options.model")
        return request

    def key(self) -> str | Awaitable[str]:
        """The key as given, or from the environment; empty when there is none and none is needed.

        Raises `MissingKeyError`, which names the variables.
        """
        if self._key is not None:
            return self._key() if callable(self._key) else self._key
        for name in self.endpoint.variables:
            if found := os.environ.get(name):
                return found
        if not self.endpoint.demands_key:
            return ""
        variables = self.endpoint.variables
        where = f"set {' or '.join(variables)}, or " if variables else ""
        error = MissingKeyError(
            f"there is no key: {where}give one as `key`", provider=self.codec.provider
        )
        error.variables = variables
        raise error

    def prepare(self, request: Request, key: str, *, stream: bool) -> Call:
        """The call for a resolved request. Raises `UnsupportedError` before anything is sent."""
        return self._call(self.codec.encode(request, stream=stream), key)

    def asked_models(self, page: str | None, key: str) -> Call:
        """The call for a page of the list of models. Raises `UnsupportedError` without one."""
        return self._call(self._catalogue().request(page), key)

    def models(
        self, status: int, body: bytes, headers: Headers, key: str
    ) -> tuple[list[str], str | None]:
        """The names in the answer to that, and what asks for the next page."""
        if not 200 <= status < 300:
            raise self.failure(status, body, headers, key)
        return self._catalogue().read(body, self.codec.provider)

    def _catalogue(self) -> Catalogue:
        found = getattr(self.codec, "catalogue", None)
        if not isinstance(found, Catalogue):
            raise UnsupportedError(f"{self.codec.provider}: there is no list of models")
        return found

    def _call(self, wire: WireRequest, key: str) -> Call:
        headers = [
            ("content-type", "application/json"),
            ("accept", "text/event-stream" if wire.streaming else "application/json"),
            # A compressed stream comes in blocks, late; and a plain answer is short.
            ("accept-encoding", "identity"),
            ("user-agent", USER_AGENT),
            *self.endpoint.headers,
            *wire.headers,
        ]
        if key or self.endpoint.demands_key:
            headers.append((self.endpoint.header, self.endpoint.prefix + self._checked(key)))
        checkpoint()
        return Call(
            wire.method,
            self.endpoint.base_url.rstrip("/") + wire.path,
            tuple(headers),
            wire.body,
            self.timeouts.within(remaining()),
            wire.streaming,
        )

    def _checked(self, key: object) -> str:
        """A key that can travel in a header; what is wrong with it is told without quoting it."""
        if not isinstance(key, str) or not key:
            problem = f"is {'empty' if key == '' else type(key).__name__}, not text"
        elif wrong := _FORBIDDEN.search(key):
            problem = f"holds the character {wrong[0]!a} at position {wrong.start()}"
            if key.strip() != key:
                problem += "; strip the whitespace around it"
        else:
            return key
        raise AuthenticationError(f"the key {problem}", provider=self.codec.provider)

    def decode(
        self, request: Request, status: int, body: bytes, headers: Headers, key: str
    ) -> Response:
        """The response in an answer. Raises the error it amounts to instead."""
        if not 200 <= status < 300:
            raise self.failure(status, body, headers, key)
        try:
            return self.codec.decode(request, body, headers)
        except ProviderError as error:
            raise self._signed(error, key) from error.__cause__
        except ANSWER_FAULTS as fault:
            raise self._signed(unexpected(fault), key) from fault

    def failure(self, status: int, body: bytes, headers: Headers, key: str) -> ProviderError:
        """The error of an answer that is not a successful one."""
        if 300 <= status < 400:
            host = urlsplit(headers.get("location", "")).hostname or "an unknown place"
            error: ProviderError = RedirectError(
                f"the server redirects to {host}, which is not followed; give the address "
                "that answers",
                status=status,
            )
        else:
            # A date to wait for counts from the answer's own; codecs have no clock.
            dated = headers if "date" in headers else {**headers, "date": formatdate(usegmt=True)}
            error = self.codec.error(status, body, dated)
        return self._signed(error, key)

    def told(self, error: ProviderError, key: str) -> ProviderError:
        """An error as it leaves: of this provider and its address, without the key.

        A deadline of the caller's own comes before what it made of the transport, and is raised.
        """
        if isinstance(error, errors.TimeoutError):
            checkpoint()
        if type(error) in (TransportError, errors.TimeoutError) and error.status is None:
            error.message = f"{error.message} ({self.endpoint.base_url})"
            error.args = (error.message,)
        return self._signed(error, key)

    def _signed(self, error: ProviderError, key: str) -> ProviderError:
        error.provider = error.provider or self.codec.provider
        if key:
            error.redact(key)
        return error


class Reading:
    """One streamed answer as it is read: pieces in, deltas out, and what was received so far."""

    __slots__ = ("_accumulator", "_decoder", "_is_whole", "_left", "_parser", "_usage")

    def __init__(self, connection: Connection, request: Request, headers: Headers) -> None:
        self._decoder = connection.codec.decoder(request, headers)
        self._parser = EventParser()
        self._accumulator = ResponseAccumulator()
        self._left = MAX_BODY
        self._is_whole = False
        self._usage: Usage | None = None

    @property
    def done(self) -> bool:
        """Whether the provider has said that nothing follows."""
        return self._decoder.done

    def take(self, piece: bytes) -> Iterator[ResponseDelta]:
        """The deltas a piece of the body completes."""
        self._left -= len(piece)
        if self._left < 0:
            raise UnexpectedAnswerError(f"an answer of more than {MAX_BODY} bytes")
        try:
            yield from self._fed(self._parser.feed(piece))
        except ProviderError:
            raise
        except ANSWER_FAULTS as fault:
            raise unexpected(fault) from fault

    def finish(self) -> Iterator[ResponseDelta]:
        """The rest, at the end of the body. Raises `CutStreamError` when it ends too soon."""
        try:
            yield from self._fed(self._parser.finish())
            for delta in self._decoder.finish():
                self._note(delta)
                yield delta
        except ProviderError:
            raise
        except ANSWER_FAULTS as fault:
            raise unexpected(fault) from fault
        if not self._is_whole:
            raise CutStreamError("the stream ended and the answer was not whole")

    def _fed(self, events: list[Event]) -> Iterator[ResponseDelta]:
        decoder = self._decoder
        for event in events:
            if decoder.done:
                return
            for delta in decoder.feed(event):
                self._note(delta)
                yield delta

    def _note(self, delta: ResponseDelta) -> None:
        self._accumulator.add(delta)
        if delta.metadata is not None and delta.metadata.usage is not None:
            self._usage = delta.metadata.usage
        if delta.finish_reason is not None:
            self._is_whole = True

    def mark(self, error: ProviderError) -> None:
        """Put on an error what was received before it."""
        error.partial = self._accumulator.message()
        error.usage = self._usage


ANSWER_FAULTS: Final = (InvalidValueError, *NOT_JSON)
"""What is raised for values that cannot be made of an answer, or that lie too deep in it; also
where a part that was left as it came holds no text."""


def unexpected(fault: Exception) -> UnexpectedAnswerError:
    """A fault in the making of an answer's values as the answer's own."""
    return UnexpectedAnswerError(f"the answer is not what the protocol says: {fault}")


def is_stream(headers: Mapping[str, str]) -> bool:
    """Whether a body may be events. Servers call them many things, but not JSON or HTML."""
    kind = headers.get("content-type", "").partition(";")[0].strip().lower()
    return kind not in ("application/json", "text/html")
