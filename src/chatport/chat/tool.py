"""Tools as the protocol sees them: definition, choice, call, output and result."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, ClassVar, Final, Literal, TypeAlias

import msgspec

from chatport.chat.content import CONTENT_PARTS, Content, TextPart
from chatport.chat.document import Document
from chatport.chat.errors import (
    InvalidToolCallError,
    InvalidToolChoiceError,
    InvalidToolDefinitionError,
    InvalidToolOutputError,
    InvalidToolResultError,
)
from chatport.chat.value import (
    Fault,
    Value,
    clean_text,
    frozen_items,
    instance_of,
    nested,
    one_of,
    optional_text,
    put,
    required_text,
)

TOOL_NAME: Final = re.compile(r"[A-Za-z0-9_-]{1,64}")
CHOICE_MODES: Final = ("auto", "none", "required", "named")
PARALLELISM: Final = ("allow", "single")

# The decoder fills these fields with undecoded text; the value's own check makes it a Document.
if TYPE_CHECKING:
    DocumentField = Document
    OptionalDocumentField: TypeAlias = Document | None
else:
    DocumentField = msgspec.Raw
    OptionalDocumentField = msgspec.Raw  # not "or None": null is a document too


class ToolDefinition(Value, frozen=True, kw_only=True):
    """What a model is told about a tool.

    `name` is 1 to 64 letters, digits, ``_`` and ``-``. `input_schema` is a JSON schema whose
    ``type`` is ``"object"``; it may be given as a mapping, whose order is kept, or as JSON text,
    which is kept byte for byte. The schema is not compiled here.

    Raises `InvalidToolDefinitionError`.
    """

    name: str
    description: str | None = None
    input_schema: DocumentField

    fault: ClassVar[Fault] = InvalidToolDefinitionError

    if TYPE_CHECKING:

        def __init__(
            self,
            *,
            name: str,
            description: str | None = None,
            input_schema: Document | Mapping[str, object] | bytes | str,
        ) -> None: ...

    def __post_init__(self) -> None:
        fault = InvalidToolDefinitionError
        put(self, "name", _tool_name(fault, self.name))
        put(self, "description", optional_text(fault, "description", self.description))
        put(self, "input_schema", as_document(fault, "input_schema", self.input_schema))
        if not self.input_schema.is_object:
            raise fault("must be a JSON object", "input_schema")
        if self.input_schema.decode(_Head).type != "object":
            raise fault('must have the member "type": "object"', "input_schema")


class _Head(msgspec.Struct):
    """Of a schema, the one member that is looked at."""

    type: object = None


class ToolChoice(Value, frozen=True):
    """Whether the model may or must call tools, and whether several at once.

    ``named`` needs a name, no other mode has one; ``none`` has no parallelism. Without
    `parallelism` the provider decides. Raises `InvalidToolChoiceError`.
    """

    mode: Literal["auto", "none", "required", "named"]
    name: str | None = None
    parallelism: Literal["allow", "single"] | None = None

    fault: ClassVar[Fault] = InvalidToolChoiceError

    def __post_init__(self) -> None:
        fault = InvalidToolChoiceError
        put(self, "mode", one_of(fault, "mode", self.mode, CHOICE_MODES))
        if self.parallelism is not None:
            put(self, "parallelism", one_of(fault, "parallelism", self.parallelism, PARALLELISM))
            if self.mode == "none":
                raise fault('must be absent with mode "none"', "parallelism")
        if self.mode == "named":
            put(self, "name", _tool_name(fault, self.name))
        elif self.name:
            raise fault(f'must be absent with mode "{self.mode}"', "name")
        else:
            put(self, "name", None)


class ToolCall(Value, frozen=True):
    """A call the model proposes, or one fragment of it in a stream.

    `arguments` is the model's own text, kept exactly: it may be empty or not JSON at all.
    Raises `InvalidToolCallError`.
    """

    id: str
    name: str
    arguments: str = ""

    fault: ClassVar[Fault] = InvalidToolCallError

    def __post_init__(self) -> None:
        fault = InvalidToolCallError
        put(self, "id", required_text(fault, "id", self.id))
        put(self, "name", required_text(fault, "name", self.name))
        put(self, "arguments", clean_text(fault, "arguments", self.arguments))


class ToolOutput(Value, frozen=True):
    """What a tool returned: text and media, or a JSON document, or both, or nothing.

    The model sees `details` only when there is no `content`. Raises `InvalidToolOutputError`.
    """

    content: tuple[Content, ...] = ()
    details: OptionalDocumentField = None

    fault: ClassVar[Fault] = InvalidToolOutputError

    def __post_init__(self) -> None:
        fault = InvalidToolOutputError
        put(self, "content", frozen_items(fault, "content", self.content, *CONTENT_PARTS))
        if self.details is not None:
            put(self, "details", as_document(fault, "details", self.details))

    @classmethod
    def of_text(cls, text: str) -> ToolOutput:
        """One text; the empty output for empty text."""
        if text == "":
            return cls()
        return cls((nested(InvalidToolOutputError, "content[0]", lambda: TextPart(text)),))

    @classmethod
    def of_json(cls, value: object) -> ToolOutput:
        """The JSON document of a plain Python value, or a `Document` as it is."""
        return cls(details=nested(InvalidToolOutputError, "details", lambda: Document.of(value)))

    def text(self) -> str | None:
        """What the model sees as text: the content's, else the details'. None if there is media."""
        if not self.content:
            return "" if self.details is None else self.details.text
        texts = [part.text for part in self.content if isinstance(part, TextPart)]
        return "".join(texts) if len(texts) == len(self.content) else None


class ToolResult(Value, frozen=True):
    """The answer to the call `id` of the tool `name`. Raises `InvalidToolResultError`."""

    id: str
    name: str
    output: ToolOutput
    is_error: bool = False

    fault: ClassVar[Fault] = InvalidToolResultError

    def __post_init__(self) -> None:
        fault = InvalidToolResultError
        put(self, "id", required_text(fault, "id", self.id))
        put(self, "name", required_text(fault, "name", self.name))
        instance_of(fault, "output", self.output, ToolOutput)
        instance_of(fault, "is_error", self.is_error, bool)


def as_document(fault: Fault, path: str, given: object) -> Document:
    """A document out of one, JSON text, or a mapping."""
    if isinstance(given, Document):
        return given
    if isinstance(given, msgspec.Raw):
        given = bytes(given)
    if isinstance(given, (bytes, str)):
        text = given
        return nested(fault, path, lambda: Document(text))
    if isinstance(given, Mapping):
        return nested(fault, path, lambda: Document.of(given))
    raise fault(f"expected JSON, got {type(given).__name__}", path)


def _tool_name(fault: Fault, name: object) -> str:
    name = required_text(fault, "name", name)
    if not TOOL_NAME.fullmatch(name):
        raise fault("must be 1 to 64 of the letters, digits, '_' and '-' of ASCII", "name")
    return name
