"""What grounding and recitation say about an answer, as citations of its text."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import msgspec

from chatport.chat import Citation
from chatport.chat.media import has_host


class _Segment(msgspec.Struct, rename="camel"):
    text: str = ""


class _Support(msgspec.Struct, rename="camel"):
    grounding_chunk_indices: list[int] = []
    segment: _Segment = msgspec.field(default_factory=_Segment)


class _Grounding(msgspec.Struct, rename="camel"):
    grounding_chunks: list[dict[str, Any]] = []
    grounding_supports: list[_Support] = []


class _Recited(msgspec.Struct, rename="camel"):
    """Offsets are in bytes of the text's UTF-8."""

    uri: str = ""
    title: str = ""
    start_index: int = 0
    end_index: int = 0


class _Recitation(msgspec.Struct, rename="camel"):
    """The Developer API says `citationSources` where the cloud's says `citations`."""

    citation_sources: list[_Recited] = []
    citations: list[_Recited] = []


def citations_of(text: str, candidate: Mapping[str, msgspec.Raw]) -> list[Citation]:
    """The citations in a candidate's metadata, each once, in the order of the text.

    Raises what msgspec raises for metadata of another shape.
    """
    found: dict[Citation, None] = {}
    if (grounding := candidate.get("groundingMetadata")) is not None:
        grounds = msgspec.json.decode(grounding, type=_Grounding)
        found |= dict.fromkeys(_grounded(grounds))
    if (recitation := candidate.get("citationMetadata")) is not None:
        recited = msgspec.json.decode(recitation, type=_Recitation)
        found |= dict.fromkeys(_recited(text, recited))
    return list(found)


def _grounded(grounds: _Grounding) -> Iterator[Citation]:
    chunks = grounds.grounding_chunks
    supported = [
        (index, support.segment.text)
        for support in grounds.grounding_supports
        for index in support.grounding_chunk_indices
        if 0 <= index < len(chunks)
    ]
    for index, quote in supported or [(index, "") for index in range(len(chunks))]:
        for source in chunks[index].values():
            if isinstance(source, dict):
                uri, title = source.get("uri"), source.get("title") or source.get("documentName")
                yield from _citation(uri, title, quote)


def _recited(text: str, recitation: _Recitation) -> Iterator[Citation]:
    content = text.encode()
    for one in (*recitation.citation_sources, *recitation.citations):
        quote = content[one.start_index : one.end_index].decode(errors="ignore")
        yield from _citation(one.uri, one.title, quote)


def _citation(uri: object, title: object, quote: str) -> Iterator[Citation]:
    """A citation of what has an address on the web, or at least a name."""
    address = uri.strip() if isinstance(uri, str) else ""
    named = title.strip() if isinstance(title, str) else ""
    if has_host(address):
        yield Citation.of_uri(address, title=named or None, quote=quote or None)
    elif address or named:
        yield Citation.of_reference(address or named, title=named or None, quote=quote or None)
