"""Options of a request, each absent unless set, and the output formats."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, ClassVar, Final, TypeAlias

from chatport.chat.document import Document
from chatport.chat.errors import InvalidOptionsError, InvalidOutputFormatError
from chatport.chat.metadata import NO_EXTENSIONS, Extensions, ExtensionsField
from chatport.chat.tool import DocumentField, as_document
from chatport.chat.value import (
    Fault,
    Value,
    fields,
    frozen_items,
    instance_of,
    nested,
    put,
    required_text,
    unpadded_text,
    whole_number,
)


class TextFormat(Value, frozen=True, tag="text", tag_field="type"):
    """Free text."""

    fault: ClassVar[Fault] = InvalidOutputFormatError


class JSONFormat(Value, frozen=True, tag="json", tag_field="type"):
    """Any JSON document."""

    fault: ClassVar[Fault] = InvalidOutputFormatError


class JSONSchemaFormat(Value, frozen=True, tag="json_schema", tag_field="type", kw_only=True):
    """A JSON document that conforms to a schema.

    `schema` is a JSON object that compiles; given as a mapping, whose order is kept, or as JSON
    text, which is kept byte for byte. Raises `InvalidOutputFormatError`.
    """

    name: str
    description: str | None = None
    schema: DocumentField

    fault: ClassVar[Fault] = InvalidOutputFormatError

    if TYPE_CHECKING:

        def __init__(
            self,
            *,
            name: str,
            description: str | None = None,
            schema: Document | Mapping[str, object] | bytes | str,
        ) -> None: ...

    def __post_init__(self) -> None:
        from chatport.chat.schema import compiled

        fault = InvalidOutputFormatError
        name = unpadded_text(fault, "name", self.name)
        put(self, "name", required_text(fault, "name", name or ""))
        put(self, "description", unpadded_text(fault, "description", self.description))
        put(self, "schema", as_document(fault, "schema", self.schema))
        if not self.schema.is_object:
            raise fault("must be a JSON object", "schema")
        nested(fault, "schema", lambda: compiled(self.schema))


Format: TypeAlias = TextFormat | JSONFormat | JSONSchemaFormat
"""What the answer must look like. The client's typed formats send one of these."""

FORMATS: Final = (TextFormat, JSONFormat, JSONSchemaFormat)


class Options(Value, frozen=True, kw_only=True):
    """How to generate. None and the empty text mean: the provider's default.

    `frequency_penalty`, `presence_penalty`: -2 to 2. `temperature`: 0 to 2. `top_p`: 0 to 1.
    `max_output_tokens`, `top_k`: 1 or more. `stop`: non-empty texts; no stops at all ``()`` is not
    the same as unset. `reasoning_effort` is the model's own word. Raises `InvalidOptionsError`.
    """

    model: str | None = None
    output_format: Format | None = None
    frequency_penalty: float | None = None
    max_output_tokens: int | None = None
    presence_penalty: float | None = None
    reasoning_effort: str | None = None
    stop: tuple[str, ...] | None = None
    temperature: float | None = None
    top_k: int | None = None
    top_p: float | None = None
    extensions: ExtensionsField = NO_EXTENSIONS

    fault: ClassVar[Fault] = InvalidOptionsError

    if TYPE_CHECKING:

        def __init__(
            self,
            *,
            model: str | None = None,
            output_format: Format | None = None,
            frequency_penalty: float | None = None,
            max_output_tokens: int | None = None,
            presence_penalty: float | None = None,
            reasoning_effort: str | None = None,
            stop: Iterable[str] | None = None,
            temperature: float | None = None,
            top_k: int | None = None,
            top_p: float | None = None,
            extensions: Mapping[str, object] = ...,
        ) -> None: ...

    def __post_init__(self) -> None:
        fault = InvalidOptionsError
        put(self, "model", unpadded_text(fault, "model", self.model))
        if self.output_format is not None:
            instance_of(fault, "output_format", self.output_format, *FORMATS)
        for name, (least, most) in RANGES.items():
            if (number := getattr(self, name)) is not None:
                put(self, name, _number_in(name, number, least, most))
        for name in COUNTS:
            if (count := getattr(self, name)) is not None:
                whole_number(fault, name, count, 1)
        effort = unpadded_text(fault, "reasoning_effort", self.reasoning_effort)
        put(self, "reasoning_effort", effort)
        if self.stop is not None:
            put(self, "stop", _stops(self.stop))
        if self.extensions is not NO_EXTENSIONS:
            put(self, "extensions", _extensions(self.extensions))

    def overlay(self, override: Options) -> Options:
        """These options as defaults under `override`: what it sets wins, extensions merge."""
        instance_of(InvalidOptionsError, "", override, Options)
        changes = {name: value for name, value in fields(override).items() if value is not None}
        changes["extensions"] = self.extensions.merge(override.extensions)
        return self.replace(**changes)


RANGES: Final[Mapping[str, tuple[float, float]]] = {
    "frequency_penalty": (-2.0, 2.0),
    "presence_penalty": (-2.0, 2.0),
    "temperature": (0.0, 2.0),
    "top_p": (0.0, 1.0),
}
"""Inclusive bounds."""
COUNTS: Final = ("max_output_tokens", "top_k")


def _number_in(name: str, number: object, least: float, most: float) -> float:
    if isinstance(number, bool) or not isinstance(number, (int, float)):
        raise InvalidOptionsError(f"expected a number, got {type(number).__name__}", name)
    if not least <= number <= most:  # which no NaN is
        raise InvalidOptionsError(f"must be from {least} to {most}", name)
    return float(number) + 0.0  # -0.0 becomes 0.0: equal values have equal JSON


def _stops(given: Iterable[str]) -> tuple[str, ...]:
    items = frozen_items(InvalidOptionsError, "stop", given)
    return tuple(
        [required_text(InvalidOptionsError, f"stop[{i}]", text) for i, text in enumerate(items)]
    )


def _extensions(given: Mapping[str, object]) -> Extensions:
    made = nested(InvalidOptionsError, "extensions", lambda: Extensions(given))
    return made or NO_EXTENSIONS


NO_OPTIONS: Final = Options()
"""The options every request without options shares."""
