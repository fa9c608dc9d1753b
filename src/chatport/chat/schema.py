"""JSON schemas, compiled once, and documents checked against them with exact numbers."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Final, NoReturn

from chatport.chat.document import Document, parse_exact
from chatport.chat.errors import InvalidSchemaError, SchemaMismatchError, path_of

if TYPE_CHECKING:
    from jsonschema_rs import Validator

MAX_SCHEMA_BYTES: Final = 1024 * 1024
MAX_PROBLEM: Final = 300
"""Characters of a validator's message that are kept: it quotes what it refuses."""


class Schema:
    """A JSON schema that compiles. `compiled` makes them, once for each document."""

    __slots__ = ("_validator", "document")

    def __init__(self, document: Document, validator: Validator) -> None:
        self.document: Document = document
        self._validator = validator

    def validate(self, text: bytes | str) -> None:
        """Raise unless the text is a conforming JSON document.

        Numbers are compared exactly, ``format`` is checked. `InvalidJSONError`: the text is not
        strict JSON. `SchemaMismatchError`: it does not conform; the path leads to the first fault.
        """
        from jsonschema_rs import ValidationError

        value = parse_exact(text)
        try:
            self._validator.validate(value)
        except ValidationError as error:
            raise SchemaMismatchError(
                error.message[:MAX_PROBLEM], path_of(error.instance_path)
            ) from None


@lru_cache(maxsize=128)
def compiled(document: Document) -> Schema:
    """The schema of a document: Draft 2020-12 unless its ``$schema`` says otherwise.

    Raises `InvalidSchemaError` for a document over 1 MiB, one that is no schema, and a ``$ref``
    that leads out of it: nothing is ever fetched.
    """
    import jsonschema_rs  # loaded with the first schema compiled, not with the values

    if len(document.to_json()) > MAX_SCHEMA_BYTES:
        raise InvalidSchemaError(f"the schema has more than {MAX_SCHEMA_BYTES} bytes")
    try:
        validator = jsonschema_rs.validator_for(
            parse_exact(document.to_json()), validate_formats=True, retriever=_refuse
        )
    except (ValueError, jsonschema_rs.ReferencingError) as error:
        message: str = getattr(error, "message", str(error))
        path = path_of(getattr(error, "instance_path", ()))
        raise InvalidSchemaError(message[:MAX_PROBLEM], path) from None
    return Schema(document, validator)


def _refuse(uri: str) -> NoReturn:
    raise ValueError("a schema must not refer to anything outside itself")
