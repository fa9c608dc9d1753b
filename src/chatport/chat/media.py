"""Media: an image, a sound, a document, given as bytes, as a URI or as a provider's reference."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import ClassVar, Final, TypeAlias

import msgspec

from chatport.chat.errors import InvalidMediaError, InvalidMIMEError, InvalidSourceError
from chatport.chat.metadata import NO_METADATA, MetadataField
from chatport.chat.value import (
    Fault,
    Value,
    clean_text,
    frozen_metadata,
    instance_of,
    nested,
    optional_text,
    put,
    required_text,
    shown,
)

_TOKEN = r"[!#$%&'*+.^_`|~0-9A-Za-z-]+"
_MIME: Final = re.compile(
    rf"{_TOKEN}/{_TOKEN}"
    rf"""(?:[ \t]*;[ \t]*{_TOKEN}=(?:{_TOKEN}|"(?:[^"\\\x00-\x1f\x7f]|\\[^\x00-\x1f\x7f])*+"))*+"""
    r"[ \t]*;?"
)
"""RFC 2045: type/subtype and parameters whose values are tokens or quoted strings."""

SHOWN_OF_A_URI: Final = 200
_SCHEME: Final = re.compile(r"([A-Za-z][A-Za-z0-9+.-]*):")
_CONTROL: Final = re.compile(r"[\x00-\x1f\x7f]")
_HOST: Final = re.compile(r"//(?:[^/?#@]*@)?([^/?#:@\s]+|\[[^\]/?#@\s]+\])(?::\d*)?(?=[/?#]|$)")


class BytesSource(Value, frozen=True, tag="bytes", tag_field="kind"):
    """The media itself, as non-empty bytes (base64 on the wire)."""

    data: bytes = msgspec.field(name="bytes")

    fault: ClassVar[Fault] = InvalidSourceError

    def __post_init__(self) -> None:
        if type(self.data) is not bytes:
            if not isinstance(self.data, (bytearray, memoryview)):
                raise InvalidSourceError(f"expected bytes, got {type(self.data).__name__}", "bytes")
            put(self, "data", bytes(self.data))
        if not self.data:
            raise InvalidSourceError("must not be empty", "bytes")

    def __repr__(self) -> str:
        return f"BytesSource(<{len(self.data)} bytes>)"


class URISource(Value, frozen=True, tag="uri", tag_field="kind"):
    """An absolute URI: a scheme and something after it. ``data:`` URIs are fine."""

    uri: str

    fault: ClassVar[Fault] = InvalidSourceError

    def __post_init__(self) -> None:
        uri = required_text(InvalidSourceError, "uri", self.uri)
        if not is_absolute_uri(uri):
            raise InvalidSourceError(f"{shown(uri)} is not an absolute URI", "uri")
        put(self, "uri", uri)

    def __repr__(self) -> str:
        # A data: URI may hold a whole film.
        rest = len(self.uri) - SHOWN_OF_A_URI
        cut = f", {rest} characters more" if rest > 0 else ""
        return f"URISource(uri={self.uri[:SHOWN_OF_A_URI]!r}{cut})"


class ReferenceSource(Value, frozen=True, tag="reference", tag_field="kind"):
    """A name the provider gave to media it already holds; not blank."""

    ref: str

    fault: ClassVar[Fault] = InvalidSourceError

    def __post_init__(self) -> None:
        ref = clean_text(InvalidSourceError, "ref", self.ref)
        if not ref.strip():
            raise InvalidSourceError("must not be blank", "ref")
        put(self, "ref", ref)


Source: TypeAlias = BytesSource | URISource | ReferenceSource


class Media(Value, frozen=True):
    """Media with its MIME type, e.g. ``Media.of_bytes("image/png", data)``.

    Raises `InvalidMIMEError`, `InvalidSourceError`, or `InvalidMediaError` for the rest.
    """

    mime: str
    source: Source
    id: str | None = None
    name: str | None = None
    metadata: MetadataField = NO_METADATA

    fault: ClassVar[Fault] = InvalidMediaError

    def __post_init__(self) -> None:
        mime = clean_text(InvalidMIMEError, "mime", self.mime)
        if not _MIME.fullmatch(mime):
            raise InvalidMIMEError(f"{shown(mime)} is not of the form type/subtype", "mime")
        put(self, "mime", mime)
        instance_of(InvalidSourceError, "source", self.source, *SOURCES)
        put(self, "id", optional_text(InvalidMediaError, "id", self.id))
        put(self, "name", optional_text(InvalidMediaError, "name", self.name))
        put(self, "metadata", frozen_metadata(InvalidMediaError, "metadata", self.metadata))

    @classmethod
    def of_bytes(
        cls,
        mime: str,
        data: bytes,
        *,
        name: str | None = None,
        metadata: Mapping[str, object] | None = None,
    ) -> Media:
        """Media that travels in the request itself."""
        return cls._of(mime, lambda: BytesSource(data), name, metadata)

    @classmethod
    def of_uri(
        cls,
        mime: str,
        uri: str,
        *,
        name: str | None = None,
        metadata: Mapping[str, object] | None = None,
    ) -> Media:
        """Media the provider fetches."""
        return cls._of(mime, lambda: URISource(uri), name, metadata)

    @classmethod
    def of_reference(
        cls,
        mime: str,
        ref: str,
        *,
        name: str | None = None,
        metadata: Mapping[str, object] | None = None,
    ) -> Media:
        """Media the provider already holds."""
        return cls._of(mime, lambda: ReferenceSource(ref), name, metadata)

    @classmethod
    def _of(
        cls,
        mime: str,
        source: Callable[[], Source],
        name: str | None,
        metadata: Mapping[str, object] | None,
    ) -> Media:
        settled = frozen_metadata(InvalidMediaError, "metadata", metadata)
        return cls(mime, nested(InvalidSourceError, "source", source), None, name, settled)

    def as_bytes(self) -> bytes:
        """The bytes. Raises `InvalidSourceError` when the source is of another kind."""
        if isinstance(self.source, BytesSource):
            return self.source.data
        raise InvalidSourceError("is not given as bytes", "source")

    def as_uri(self) -> str:
        """The URI. Raises `InvalidSourceError` when the source is of another kind."""
        if isinstance(self.source, URISource):
            return self.source.uri
        raise InvalidSourceError("is not given as a URI", "source")

    def as_reference(self) -> str:
        """The reference. Raises `InvalidSourceError` when the source is of another kind."""
        if isinstance(self.source, ReferenceSource):
            return self.source.ref
        raise InvalidSourceError("is not given as a reference", "source")


SOURCES: Final = (BytesSource, URISource, ReferenceSource)


def is_absolute_uri(uri: str) -> bool:
    """A scheme, then an opaque part, a host or a path; no control characters."""
    scheme = _SCHEME.match(uri)
    if scheme is None or _CONTROL.search(uri):
        return False
    rest = uri[scheme.end() :]
    if not rest.startswith("//"):
        return bool(rest) and rest[0] not in "?#"
    return rest.startswith("///") or _HOST.match(rest) is not None


def has_host(uri: str) -> bool:
    """An absolute URI of the form ``scheme://host…``."""
    scheme = _SCHEME.match(uri)
    return (
        scheme is not None
        and not _CONTROL.search(uri)
        and _HOST.match(uri, scheme.end()) is not None
    )
