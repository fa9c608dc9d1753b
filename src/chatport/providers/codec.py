"""The seam between a wire protocol and the transport they all share.

A codec knows how a provider spells a request and what its answers mean. It is pure: no input or
output, no clock, no key. The transport sends what a codec encodes and hands it what comes back.
docs/providers/write-a-provider.md builds one from nothing.
"""

from __future__ import annotations

import email.utils
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, Protocol

import msgspec

from chatport.chat import UnsupportedOptionError
from chatport.providers.errors import UnexpectedAnswerError

if TYPE_CHECKING:
    from chatport.chat import Options, Request, Response, ResponseDelta
    from chatport.providers.errors import ProviderError
    from chatport.providers.sse import Event

Headers = Mapping[str, str]
"""Headers of an answer, names in lower case."""


@dataclass(frozen=True, slots=True)
class WireRequest:
    """What is to be sent, except for the address of the provider and the key.

    `path` is appended to the base address and may have a query. `body` is JSON. `headers` are those
    the protocol itself needs beside the content type.
    """

    path: str
    body: bytes
    streaming: bool = False
    method: str = "POST"
    headers: tuple[tuple[str, str], ...] = ()


class StreamDecoder(Protocol):
    """Turns the events of one stream into deltas. Made for one stream, used once.

    The last delta, and only that, has the finish reason; a decoder holds it back until the usage is
    known, at the latest until `finish`. When it never had one, it gives none: the transport tells
    the caller that the stream was cut.
    """

    @property
    def done(self) -> bool:
        """Whether the provider has said that nothing follows."""
        ...

    def feed(self, event: Event) -> Sequence[ResponseDelta]:
        """The deltas an event amounts to; often one, or none.

        Raises a `ProviderError` for an event that tells of one, and `UnexpectedAnswerError` for
        one that is not JSON. Kinds of events that are not known are no error.
        """
        ...

    def finish(self) -> Sequence[ResponseDelta]:
        """What is left when `done`, or when the body has ended without it."""
        ...


class Codec(Protocol):
    """One wire protocol. Frozen; used by many threads at once."""

    @property
    def provider(self) -> str:
        """The provider's name: in errors, and the namespace of its extensions and metadata."""
        ...

    def encode(self, request: Request, *, stream: bool) -> WireRequest:
        """The request as this provider spells it. Its options name the model.

        Raises `UnsupportedError`, by its subclasses where they fit, for everything that the
        provider cannot express: nothing is left out in silence.
        """
        ...

    def decode(self, request: Request, body: bytes, headers: Headers) -> Response:
        """The response in the body of a successful answer to `request`.

        Raises `ContentBlockedError` when a policy left nothing of it, a `ProviderError` when the
        body tells of one in spite of the status, and `UnexpectedAnswerError` when it is none.
        """
        ...

    def decoder(self, request: Request, headers: Headers) -> StreamDecoder:
        """What decodes the stream that answers `request`."""
        ...

    def error(self, status: int, body: bytes, headers: Headers) -> ProviderError:
        """The error that an answer with this status, not a successful one, amounts to."""
        ...


OPTIONS: Final = (
    "output_format",
    "frequency_penalty",
    "max_output_tokens",
    "presence_penalty",
    "reasoning_effort",
    "stop",
    "temperature",
    "top_k",
    "top_p",
)
"""The options a codec has to express or to refuse; the model and the extensions aside."""


def refuse_options(options: Options, provider: str, unsupported: Mapping[str, str]) -> None:
    """Raise `UnsupportedOptionError` for the first option set among those with a reason here.

    The reasons say what the endpoint has instead: ``{"top_k": "the endpoint has top_p only"}``.
    """
    for name, reason in unsupported.items():
        if getattr(options, name) is not None:
            raise UnsupportedOptionError(f"{provider}: {reason}", f"options.{name}")


def extension_members(options: Options, provider: str) -> dict[str, msgspec.Raw]:
    """The extensions of this provider, without its name before them, as JSON text.

    Raises `UnsupportedOptionError` for one of another provider: it asks for something that will not
    happen. Defaults that only one of several models understands belong to that model's own options.
    """
    members = {}
    for key, text in options.extensions.texts.items():
        namespace, _, name = key.partition("/")
        if namespace != provider:
            raise UnsupportedOptionError(
                f"the provider is {provider}; give extensions of another to that one's model",
                f"options.extensions['{key}']",
            )
        members[name] = msgspec.Raw(text)
    return members


NOT_JSON: Final = (msgspec.MsgspecError, UnicodeDecodeError, RecursionError)
"""What reading JSON raises: it is none, no text, or nested deeper than anything is."""

_LOOSE: Final = msgspec.json.Decoder()


def read_json(body: bytes, provider: str) -> Any:
    """The JSON of an answer, as plain values.

    Raises `UnexpectedAnswerError`, which quotes the beginning of what is no JSON.
    """
    try:
        return _LOOSE.decode(body)
    except NOT_JSON as fault:
        raise not_json(body, provider, fault) from None


def not_json(body: bytes, provider: str, fault: Exception) -> UnexpectedAnswerError:
    """The error for an answer, or an event, that is not the JSON it should be."""
    start = body[:SHOWN].decode(errors="replace").strip()
    what = f"not JSON ({fault}): {start!a}" if start else "an empty body"
    return UnexpectedAnswerError(f"the answer is {what}", provider=provider)


SHOWN: Final = 200
"""Bytes of a faulty answer that its error quotes."""


def retry_after(headers: Headers) -> float | None:
    """Seconds the answer asks to wait: milliseconds, seconds, or a date beside the answer's own.

    A date without the answer's own date says nothing here, where there is no clock.
    """
    if (milliseconds := _number(headers.get("retry-after-ms"))) is not None:
        return milliseconds / 1000
    said = headers.get("retry-after")
    if said is None or (seconds := _number(said)) is not None:
        return seconds if said is not None else None
    try:
        until = email.utils.parsedate_to_datetime(said)
        now = email.utils.parsedate_to_datetime(headers["date"])
        return max(0.0, (until - now).total_seconds())
    except (KeyError, TypeError, ValueError):
        return None


def _number(text: str | None) -> float | None:
    try:
        number = float(text) if text is not None else None
    except ValueError:
        return None
    return number if number is not None and 0 <= number < float("inf") else None
