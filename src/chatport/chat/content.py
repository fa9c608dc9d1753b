"""Text and media, the two kinds of content that models and tools alike may show."""

from __future__ import annotations

from typing import ClassVar, Final, Literal, TypeAlias

from chatport.chat.errors import InvalidCitationError, InvalidPartError
from chatport.chat.media import Media, has_host
from chatport.chat.metadata import NO_METADATA, MetadataField
from chatport.chat.value import (
    Fault,
    Value,
    frozen_items,
    frozen_metadata,
    instance_of,
    one_of,
    optional_text,
    put,
    required_text,
    shown,
    unpadded_text,
)

CITATION_KINDS: Final = ("uri", "reference")


class CitationSource(Value, frozen=True):
    """What is cited: a URI with a host, or a reference such as a document's name."""

    kind: Literal["uri", "reference"]
    value: str

    fault: ClassVar[Fault] = InvalidCitationError

    def __post_init__(self) -> None:
        put(self, "kind", one_of(InvalidCitationError, "kind", self.kind, CITATION_KINDS))
        value = unpadded_text(InvalidCitationError, "value", self.value)
        if value is None:
            raise InvalidCitationError("must not be empty", "value")
        if self.kind == "uri" and not has_host(value):
            raise InvalidCitationError(f"{shown(value)} is not a URI with a host", "value")
        put(self, "value", value)


class Citation(Value, frozen=True):
    """Where a text has its statement from, with the source's title and the quoted words."""

    source: CitationSource
    title: str | None = None
    quote: str | None = None

    fault: ClassVar[Fault] = InvalidCitationError

    def __post_init__(self) -> None:
        instance_of(InvalidCitationError, "source", self.source, CitationSource)
        put(self, "title", unpadded_text(InvalidCitationError, "title", self.title))
        put(self, "quote", optional_text(InvalidCitationError, "quote", self.quote))

    @classmethod
    def of_uri(cls, uri: str, *, title: str | None = None, quote: str | None = None) -> Citation:
        """A citation of something on the web."""
        return cls(CitationSource("uri", uri), title, quote)

    @classmethod
    def of_reference(
        cls, value: str, *, title: str | None = None, quote: str | None = None
    ) -> Citation:
        """A citation of something the provider or the program knows by name."""
        return cls(CitationSource("reference", value), title, quote)


class TextPart(Value, frozen=True, tag="text", tag_field="kind"):
    """Visible text; never empty, whitespace is fine."""

    text: str
    citations: tuple[Citation, ...] = ()
    metadata: MetadataField = NO_METADATA

    fault: ClassVar[Fault] = InvalidPartError

    def __post_init__(self) -> None:
        put(self, "text", required_text(InvalidPartError, "text", self.text))
        if self.citations != ():
            put(
                self,
                "citations",
                frozen_items(InvalidPartError, "citations", self.citations, Citation),
            )
        if self.metadata is not NO_METADATA:
            put(self, "metadata", frozen_metadata(InvalidPartError, "metadata", self.metadata))


class MediaPart(Value, frozen=True, tag="media", tag_field="kind"):
    """One piece of media."""

    media: Media
    metadata: MetadataField = NO_METADATA

    fault: ClassVar[Fault] = InvalidPartError

    def __post_init__(self) -> None:
        instance_of(InvalidPartError, "media", self.media, Media)
        put(self, "metadata", frozen_metadata(InvalidPartError, "metadata", self.metadata))


Content: TypeAlias = TextPart | MediaPart
CONTENT_PARTS: Final = (TextPart, MediaPart)
