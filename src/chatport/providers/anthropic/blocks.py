"""The blocks of an answer while they arrive: what each kind makes of its beginning and its pieces.

A plain answer has the same blocks, whole at their beginning.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final, Protocol, TypeAlias

import msgspec

from chatport.chat import (
    Citation,
    CitationDelta,
    Metadata,
    PartDelta,
    ReasoningDelta,
    TextDelta,
    ToolCall,
    ToolCallDelta,
)
from chatport.chat.media import has_host
from chatport.chat.metadata import NO_METADATA
from chatport.providers.anthropic.words import JSON_TOOL, PROVIDER
from chatport.providers.native import line_of, metadata_of

Raws: TypeAlias = dict[str, msgspec.Raw]
Delta: TypeAlias = Mapping[str, Any]

NOTHING: Final[Sequence[PartDelta]] = ()


class Block(Protocol):
    """One block of an answer."""

    def start(self) -> Sequence[PartDelta]:
        """What the block begins with, in a plain answer all of it."""
        ...

    def feed(self, delta: Delta) -> Sequence[PartDelta]:
        """What a piece adds; pieces of a kind that is not known add nothing."""
        ...

    def stop(self) -> Sequence[PartDelta]:
        """What its end adds."""
        ...


class TextBlock:
    """Visible text and the citations of it, which come before or after it."""

    __slots__ = ("_metadata", "_said", "_text", "native")

    def __init__(self, fields: Raws, metadata: Metadata) -> None:
        self._metadata = metadata
        self._text = text_in(fields, "text")
        self._said = False
        self.native: list[dict[str, Any]] = []
        """The API's own citations."""
        if (given := fields.get("citations")) is not None:
            self.native += msgspec.json.decode(given, type=list[dict[str, Any]] | None) or []

    @property
    def said(self) -> bool:
        """Whether there was any text."""
        return self._said

    def start(self) -> Sequence[PartDelta]:
        return self._more(self._text)

    def feed(self, delta: Delta) -> Sequence[PartDelta]:
        kind = delta.get("type")
        if kind == "text_delta":
            return self._more(delta.get("text", ""))
        if kind == "citations_delta" and isinstance(delta.get("citation"), dict):
            self.native.append(delta["citation"])
        return NOTHING

    def stop(self) -> Sequence[PartDelta]:
        if not self._said:
            return NOTHING
        return [CitationDelta(made) for one in self.native if (made := citation_of(one))]

    def _more(self, text: Any) -> Sequence[PartDelta]:
        if text == "":
            return NOTHING
        self._said = True
        return (TextDelta(text, self._metadata),)


class ThinkingBlock:
    """Readable thinking, and the signature it goes back with."""

    __slots__ = ("_fields", "_metadata")

    def __init__(self, fields: Raws, number: int) -> None:
        self._fields = fields
        self._metadata = metadata_of(PROVIDER, {"block": number})

    def start(self) -> Sequence[PartDelta]:
        signature = text_in(self._fields, "signature")
        return self._more(text_in(self._fields, "thinking"), signature)

    def feed(self, delta: Delta) -> Sequence[PartDelta]:
        match delta.get("type"):
            case "thinking_delta":
                return self._more(delta.get("thinking", ""), "")
            case "signature_delta":
                return self._more("", delta.get("signature", ""))
        return NOTHING

    def stop(self) -> Sequence[PartDelta]:
        return NOTHING

    def _more(self, text: Any, signature: Any) -> Sequence[PartDelta]:
        if text == "" and signature == "":
            return NOTHING
        return (ReasoningDelta(text, str(signature).encode(), self._metadata),)


class RedactedBlock:
    """Thinking nobody may read, which goes back as it is."""

    __slots__ = ("_data", "_metadata")

    def __init__(self, fields: Raws, number: int) -> None:
        self._data = text_in(fields, "data")
        self._metadata = metadata_of(PROVIDER, {"block": number, "redacted": True})

    def start(self) -> Sequence[PartDelta]:
        return (ReasoningDelta("", self._data.encode(), self._metadata),)

    def feed(self, delta: Delta) -> Sequence[PartDelta]:
        return NOTHING

    def stop(self) -> Sequence[PartDelta]:
        return NOTHING


class ToolBlock:
    """A call; its input arrives as pieces of JSON text."""

    __slots__ = ("_beside", "_given", "_id", "_name", "_pieces")

    def __init__(self, fields: Raws) -> None:
        self._id = text_in(fields, "id")
        self._name = text_in(fields, "name")
        self._given = _object_text(fields.get("input"))
        others = fields.keys() - {"type", "id", "name", "input"}
        beside = {name: fields[name] for name in others if bytes(fields[name]) != b"null"}
        self._beside = metadata_of(PROVIDER, beside) if beside else NO_METADATA
        self._pieces = False

    def start(self) -> Sequence[PartDelta]:
        return (ToolCallDelta(ToolCall(self._id, self._name), self._beside),)

    def feed(self, delta: Delta) -> Sequence[PartDelta]:
        piece = delta.get("partial_json", "")
        if delta.get("type") != "input_json_delta" or piece == "":
            return NOTHING
        self._pieces = True
        return self._more(piece)

    def stop(self) -> Sequence[PartDelta]:
        return NOTHING if self._pieces else self._more(self._given)

    def _more(self, piece: str) -> Sequence[PartDelta]:
        return (ToolCallDelta(ToolCall(self._id, self._name, piece)),)


class AnswerBlock(ToolBlock):
    """A call that is the answer itself: the JSON that was asked for."""

    __slots__ = ()

    def start(self) -> Sequence[PartDelta]:
        return NOTHING

    def _more(self, piece: str) -> Sequence[PartDelta]:
        return (TextDelta(piece),)


class OpaqueBlock:
    """A block the protocol has no word for: what a tool of the provider's did, or a new kind.

    It goes back as it came. Pieces are put into it by the names they have.
    """

    __slots__ = ("_block", "_json")

    def __init__(self, fields: Raws) -> None:
        self._block: dict[str, Any] = dict(fields)
        self._json: list[str] = []

    def start(self) -> Sequence[PartDelta]:
        return NOTHING

    def feed(self, delta: Delta) -> Sequence[PartDelta]:
        if delta.get("type") == "input_json_delta":
            self._json.append(str(delta.get("partial_json", "")))
            return NOTHING
        for name, value in delta.items():
            if name != "type":
                self._put(name, value)
        return NOTHING

    def _put(self, name: str, value: Any) -> None:
        here = self._block.get(name)
        if isinstance(here, msgspec.Raw):
            here = msgspec.json.decode(here)
        both = isinstance(here, str) and isinstance(value, str)
        self._block[name] = here + value if both else value

    def stop(self) -> Sequence[PartDelta]:
        if whole := "".join(self._json):
            self._block["input"] = msgspec.Raw(whole.encode())
        line = line_of(msgspec.json.encode(self._block))
        return (ReasoningDelta("", line, _OPAQUE),)


_OPAQUE: Final = metadata_of(PROVIDER, {"blocks": True})


class Blocks:
    """Opens the blocks of one answer, in order."""

    __slots__ = ("_after_text", "_asked_json", "_number", "_texts", "citations")

    def __init__(self, asked_json: bool) -> None:
        self._asked_json = asked_json
        self._number = -1
        self._texts = 0
        self._after_text = False
        self.citations: dict[str, list[dict[str, Any]]] = {}
        """The API's own citations so far, by the number of the text they are of."""

    def open(self, fields: Raws) -> Block:
        """The next block."""
        self._number += 1
        kind = text_in(fields, "type")
        after_text, self._after_text = self._after_text, kind == "text"
        match kind:
            case "text":
                # Two in a row stay two, or the citations of one would be those of both.
                mark = metadata_of(PROVIDER, {"block": self._number}) if after_text else NO_METADATA
                return TextBlock(fields, mark)
            case "thinking":
                return ThinkingBlock(fields, self._number)
            case "redacted_thinking":
                return RedactedBlock(fields, self._number)
            case "tool_use" if self._asked_json and text_in(fields, "name") == JSON_TOOL:
                return AnswerBlock(fields)
            case "tool_use":
                return ToolBlock(fields)
        return OpaqueBlock(fields)

    def closed(self, block: Block) -> Metadata:
        """What the message's metadata gains when a block has ended."""
        if not isinstance(block, TextBlock) or not block.said:
            return NO_METADATA
        self._texts += 1
        if not block.native:
            return NO_METADATA
        self.citations[str(self._texts - 1)] = block.native
        return metadata_of(PROVIDER, {"citations": self.citations})


def citation_of(native: Mapping[str, Any]) -> Citation | None:
    """A citation of the API's as one of the protocol's; None when it names no source."""
    quote = _text(native.get("cited_text")) or None
    title = (_text(native.get("title")) or _text(native.get("document_title"))).strip() or None
    address = _text(native.get("url")).strip() or _text(native.get("source")).strip()
    if has_host(address):
        return Citation.of_uri(address, title=title, quote=quote)
    number = native.get("document_index", native.get("search_result_index"))
    named = address or title or (f"document {number}" if number is not None else "")
    return Citation.of_reference(named, title=title, quote=quote) if named else None


def text_in(fields: Raws, name: str) -> str:
    """A member that is text; empty when it is absent or null. Raises what msgspec raises."""
    given = fields.get(name)
    return "" if given is None else msgspec.json.decode(given, type=str | None) or ""


def _object_text(given: msgspec.Raw | None) -> str:
    return "" if given is None else msgspec.json.format(bytes(given), indent=-1).decode()


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""
