"""JSON schemas (Draft 2020-12), compiled once and checked against exact numbers."""

from __future__ import annotations

from chatport.chat.document import Document


class Schema:
    """A compiled JSON schema. `compiled` makes and remembers them."""

    __slots__ = ("document",)

    def __init__(self, document: Document) -> None:
        self.document = document

    def validate(self, text: bytes | str) -> None:
        """Raise unless the text is a conforming JSON document.

        `InvalidJSONError`: it is not strict JSON. `SchemaMismatchError`: it does not conform; the
        path leads to the first fault.
        """
        raise NotImplementedError


def compiled(document: Document) -> Schema:
    """The schema of a document. Raises `InvalidSchemaError`."""
    return Schema(document)
