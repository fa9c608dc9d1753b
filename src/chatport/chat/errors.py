"""What the chat protocol refuses, by class. Messages are for people; programs look at the type.

A fault inside a nested value raises the error of the outermost value, whose ``path`` leads to the
fault (``messages[2].parts[0].text``); the errors of the values between are its causes. So
``except InvalidRequestError`` catches every faulty request, and `find_cause` tells whether, say, an
`InvalidMIMEError` was at the bottom of it.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, Self, TypeVar

if TYPE_CHECKING:
    from chatport.chat.message import Message

E = TypeVar("E", bound=BaseException)


class ChatError(Exception):
    """Base of every error chatport raises on its own account."""


class InvalidValueError(ChatError, ValueError):
    """A value breaks a rule of the protocol.

    `problem` says which rule and what to do; `path` says where, seen from the value whose class of
    error this is. The path is empty when the fault is the value itself.
    """

    def __init__(self, problem: str, path: str = "") -> None:
        super().__init__(problem, path)
        self.problem = problem
        self.path = path

    def __str__(self) -> str:
        return f"{self.path}: {self.problem}" if self.path else self.problem

    @classmethod
    def around(cls, fault: InvalidValueError, path: str) -> Self:
        """The error of the enclosing value, for a fault in its member at `path`."""
        error = cls(fault.problem, join_path(path, fault.path))
        error.__cause__ = fault
        return error


class InvalidJSONError(InvalidValueError):
    """Text is not exactly one JSON document under the strict rules.

    Refused are malformed or trailing text, invalid UTF-8, lone surrogates, duplicate members,
    numbers no float can hold, and nesting deeper than 200.
    """


class InvalidSchemaError(InvalidValueError):
    """A JSON schema is malformed, too large, or refers to something outside itself."""


class SchemaMismatchError(InvalidValueError):
    """A JSON document does not conform to a schema."""


class InvalidMetadataError(InvalidValueError):
    """Metadata or extensions hold something they must not."""


class InvalidMetadataKeyError(InvalidMetadataError):
    """A metadata key is not clean text, or an extension key is not ``namespace/name``."""


class EmptyKeyError(InvalidMetadataKeyError):
    """A metadata key is the empty text."""


class InvalidMetadataValueError(InvalidMetadataError):
    """A metadata value has no JSON form."""


class InvalidMediaError(InvalidValueError):
    """A media value is faulty outside its MIME type and its source."""


class InvalidMIMEError(InvalidMediaError):
    """A MIME type is not of the form ``type/subtype``, with or without parameters."""


class InvalidSourceError(InvalidMediaError):
    """A media source is empty, relative, or of another kind than the one asked for."""


class InvalidCitationError(InvalidValueError):
    """A citation names no proper source, or its title is padded with whitespace."""


class InvalidPartError(InvalidValueError):
    """A part of a message is faulty."""


class InvalidMessageError(InvalidValueError):
    """A message is empty, of no known role, or holds a part its role does not allow."""


class InvalidToolCallError(InvalidValueError):
    """A tool call lacks its id or its name, or holds text that is not Unicode."""


class InvalidToolOutputError(InvalidValueError):
    """A tool output holds content other than text and media, or details that are not JSON."""


class InvalidToolResultError(InvalidValueError):
    """A tool result lacks its id, its name or its output."""


class InvalidToolDefinitionError(InvalidValueError):
    """A tool definition has an unusable name or a schema that is not for an object."""


class InvalidToolChoiceError(InvalidValueError):
    """A tool choice contradicts itself."""


class InvalidOptionsError(InvalidValueError):
    """A generation option is out of its range."""


class InvalidOutputFormatError(InvalidValueError):
    """An output format is of no known type, or its name or schema is unusable."""


class InvalidUsageError(InvalidValueError):
    """Token counts are negative, too large, or a breakdown exceeds its total."""


class InvalidRequestError(InvalidValueError):
    """A request is faulty."""


class InvalidResponseError(InvalidValueError):
    """A response, or a delta of a streamed one, is faulty."""


class IncompleteStreamError(InvalidResponseError):
    """A stream ended before a finish reason; `partial` is the message received until then."""

    def __init__(self, problem: str, path: str = "", partial: Message | None = None) -> None:
        super().__init__(problem, path)
        self.args: tuple[Any, ...] = (problem, path, partial)
        self.partial = partial


class InvalidMiddlewareError(ChatError, TypeError):
    """A middleware returned nothing in place of the model it was given."""


class UnsupportedError(ChatError):
    """A valid request asks for something an adapter's endpoint cannot do; `path` says what."""

    def __init__(self, problem: str, path: str = "") -> None:
        super().__init__(problem, path)
        self.problem = problem
        self.path = path

    def __str__(self) -> str:
        return f"{self.path}: {self.problem}" if self.path else self.problem


class UnsupportedOptionError(UnsupportedError):
    """An option is set that the endpoint does not have."""


class UnsupportedOutputFormatError(UnsupportedError):
    """The endpoint cannot enforce a valid output format."""


def find_cause(error: BaseException, kind: type[E]) -> E | None:
    """The error itself or the nearest of its causes that is a `kind`; None if there is none.

    Follows ``__cause__`` only: what merely happened to be handled at the time is not a cause.
    """
    link: BaseException | None = error
    seen: set[int] = set()
    while link is not None and id(link) not in seen:
        if isinstance(link, kind):
            return link
        seen.add(id(link))
        link = link.__cause__
    return None


def join_path(outer: str, inner: str) -> str:
    """One path out of two: ``parts[0]`` and ``text`` give ``parts[0].text``."""
    if not outer or not inner or inner.startswith("["):
        return outer + inner
    return f"{outer}.{inner}"


def path_of(steps: Iterable[str | int], start: str = "") -> str:
    """A path out of member names and indices: ``a``, 2, ``x/y`` give ``a[2]['x/y']``."""
    path = start
    for step in steps:
        if isinstance(step, str) and step.isascii() and step.isidentifier():
            path = join_path(path, step)
        else:
            path += f"[{step!a}]"
    return path
