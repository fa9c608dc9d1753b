"""Typed output: what a request asks the model for, together with how the answer becomes a value."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, Generic, TypeVar, overload

from chatport.chat import (
    Document,
    Format,
    InvalidOutputFormatError,
    InvalidResponseError,
    InvalidValueError,
    JSONFormat,
    JSONSchemaFormat,
    ReasoningPart,
    RefusalPart,
    Request,
    Response,
    TextFormat,
    TextPart,
    compiled,
)
from chatport.client.errors import InvalidOutputError, OutputCompletionError
from chatport.tools.codec import Codec, DecodeError, NoJSONFormError, Unknown, codec_for

T = TypeVar("T")


class OutputFormat(Generic[T]):
    """A contract for the request and the decoder of its answer, immutable and reusable.

    `Text`, `JSON` and `JSONSchema` make one.
    """

    __slots__ = ("_decode", "contract")

    contract: Format
    """What is sent to the model."""
    _decode: Callable[[str], T]

    def __init__(self, contract: Format, decode: Callable[[str], T]) -> None:
        object.__setattr__(self, "contract", contract)
        object.__setattr__(self, "_decode", decode)

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"an OutputFormat is immutable; {name} cannot be set")

    def __repr__(self) -> str:
        return f"OutputFormat({self.contract!r})"

    @property
    def is_json(self) -> bool:
        """Whether the answer is JSON, rather than text."""
        return not isinstance(self.contract, TextFormat)

    def prepare(self, request: Request) -> Request:
        """The request with this contract added.

        Raises `InvalidOutputFormatError` when it has one already.
        """
        if request.options.output_format is not None:
            raise InvalidOutputFormatError(
                "the request has an output format already; leave it to the client",
                "options.output_format",
            )
        return request.replace(options=request.options.replace(output_format=self.contract))

    def parse(self, response: Response) -> T:
        """The value a complete response is.

        Raises `OutputCompletionError` unless the model ended with ``stop`` and without a refusal,
        and `InvalidOutputError` for anything but text that decodes.
        """
        try:
            text = _answer_text(checked_response(response))
        except InvalidResponseError as error:
            raise InvalidOutputError(str(error)) from error
        try:
            value: T = self._decode(text)
        except DecodeError as error:
            raise InvalidOutputError(
                f"the answer is not the value asked for: {error}", response
            ) from error
        return value


def checked_response(response: Response) -> Response:
    """The response, valid because it exists; anything else is an `InvalidResponseError`."""
    if not isinstance(response, Response):
        raise InvalidResponseError(f"the model returned {type(response).__name__}, not a Response")
    return response


def _answer_text(response: Response) -> str:
    texts: list[str] = []
    refusals: list[str] = []
    other: str | None = None
    for part in response.message.parts if response.message else ():
        if isinstance(part, TextPart):
            texts.append(part.text)
        elif isinstance(part, RefusalPart):
            refusals.append(part.text)
        elif not isinstance(part, ReasoningPart):
            other = type(part).__name__
    if response.finish_reason != "stop" or refusals:
        raise OutputCompletionError(response.finish_reason, "".join(refusals), response)
    if other is not None:
        raise InvalidOutputError(
            f"the answer holds a {other}, which is no part of a value", response
        )
    if not texts:
        raise InvalidOutputError("the answer has no text", response)
    return "".join(texts)


def _verbatim(text: str) -> str:
    return text


_TEXT: Final[OutputFormat[str]] = OutputFormat(TextFormat(), _verbatim)


def Text() -> OutputFormat[str]:  # noqa: N802
    """The answer's text, byte for byte."""
    return _TEXT


@overload
def JSON(kind: type[T], /, *, unknown: Unknown = "refuse") -> OutputFormat[T]: ...
@overload
def JSON(kind: Any, /, *, unknown: Unknown = "refuse") -> OutputFormat[Any]: ...
def JSON(kind: Any, /, *, unknown: Unknown = "refuse") -> OutputFormat[Any]:  # noqa: N802
    """JSON that is a value of the type; the model is told only that JSON is wanted.

    The type is anything that pydantic or msgspec decodes: a model, dataclass, ``TypedDict``,
    `msgspec.Struct`, ``list[int]`` … ``unknown="allow"`` leaves members the type does not declare
    to the type's own settings. The decoder is made with the first answer; a type without one
    raises `InvalidOutputFormatError` then.
    """
    _check_unknown(unknown)
    made: list[Codec[Any]] = []

    def decode(text: str) -> Any:
        if not made:
            made.append(_codec(kind, unknown))
        return made[0].decode(text)

    return OutputFormat(JSONFormat(), decode)


@overload
def JSONSchema(
    kind: type[T],
    /,
    *,
    name: str | None = None,
    description: str | None = None,
    unknown: Unknown = "refuse",
) -> OutputFormat[T]: ...
@overload
def JSONSchema(
    kind: Any,
    /,
    *,
    name: str | None = None,
    description: str | None = None,
    unknown: Unknown = "refuse",
) -> OutputFormat[Any]: ...
def JSONSchema(  # noqa: N802
    kind: Any,
    /,
    *,
    name: str | None = None,
    description: str | None = None,
    unknown: Unknown = "refuse",
) -> OutputFormat[Any]:
    """JSON that conforms to the schema of the type, which the model is sent; otherwise like `JSON`.

    `name` and `description` identify the schema to the provider; the name is the type's unless
    given. Raises `InvalidOutputFormatError` for a type without a schema.
    """
    _check_unknown(unknown)
    codec = _codec(kind, unknown)
    try:
        schema = Document.of(codec.schema())
    except NoJSONFormError as error:
        raise InvalidOutputFormatError(str(error), "schema") from error
    if name is None:
        name = kind.__name__ if isinstance(kind, type) else "answer"
    contract = JSONSchemaFormat(name=name, description=description, schema=schema)
    validate = compiled(schema).validate

    def decode(text: str) -> Any:
        try:
            validate(text)
        except InvalidValueError as error:
            raise DecodeError(str(error)) from error
        return codec.decode(text)

    return OutputFormat(contract, decode)


def _check_unknown(unknown: Unknown) -> None:
    if unknown not in ("refuse", "allow"):
        raise InvalidOutputFormatError(f"{unknown!r} is neither refuse nor allow", "unknown")


def _codec(kind: Any, unknown: Unknown) -> Codec[Any]:
    try:
        return codec_for(kind, unknown)
    except NoJSONFormError as error:
        raise InvalidOutputFormatError(str(error), "type") from error
