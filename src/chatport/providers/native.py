"""What belongs to one provider inside the values that all of them share.

A member of a provider's own that stands beside a part on the wire, such as a signature or a cache
mark, stands in the part's metadata under ``provider/name``, and goes back from there. A whole part
that the protocol has no word for is kept as a reasoning part without text: its state is the part's
JSON, a line each, so that two of them in a row stay two.
"""

from __future__ import annotations

import base64
import binascii
from collections.abc import Iterator, Mapping
from typing import Any, Final, NamedTuple, TypeVar
from urllib.parse import unquote_to_bytes

import msgspec

from chatport.chat import (
    Document,
    InvalidJSONError,
    JSONSchemaFormat,
    Media,
    Metadata,
    UnsupportedError,
)
from chatport.chat.errors import join_path
from chatport.chat.media import BytesSource, URISource
from chatport.providers.codec import NOT_JSON, SHOWN

U = TypeVar("U", bound=UnsupportedError)


def members_of(metadata: Metadata, provider: str) -> dict[str, msgspec.Raw]:
    """The members of the provider's own in some metadata, without its name before them."""
    start = f"{provider}/"
    return {
        key.removeprefix(start): msgspec.Raw(text)
        for key, text in metadata.texts.items()
        if key.startswith(start)
    }


def metadata_of(provider: str, members: Mapping[str, object]) -> Metadata:
    """The members as metadata: the other way round."""
    return Metadata({f"{provider}/{name}": value for name, value in members.items()})


def is_foreign(metadata: Metadata, provider: str) -> bool:
    """Whether a value was made by another provider: it has members of that one's and none of ours.

    Nobody but the provider that wrote it can read the reasoning of a model.
    """
    owners = {key.partition("/")[0] for key in metadata if "/" in key}
    return bool(owners) and provider not in owners


def line_of(part: msgspec.Raw | bytes) -> bytes:
    """A part's JSON as one line of the state of a reasoning part."""
    return msgspec.json.format(bytes(part), indent=-1) + b"\n"


def lines_in(state: bytes, path: str) -> Iterator[msgspec.Raw]:
    """The parts in the state of a reasoning part. Raises `UnsupportedError`."""
    for line in state.splitlines():
        try:
            part = Document(line)
        except InvalidJSONError as fault:
            raise UnsupportedError(f"is not the JSON of a part: {fault.problem}", path) from None
        if not part.is_object:
            raise UnsupportedError("is not the JSON of a part, which is an object", path)
        yield msgspec.Raw(part.to_json())


def located(fault: U, outer: str) -> U:
    """The same refusal, seen from the value around."""
    return type(fault)(fault.problem, join_path(outer, fault.path))


def arguments_of(text: str, path: str) -> msgspec.Raw:
    """The arguments of a call as the JSON object the wire wants; blank text is none.

    Raises `UnsupportedError` for text that is no JSON object: the wire has no place for it.
    """
    if not text.strip():
        return NO_MEMBERS
    try:
        document = Document(text)
    except InvalidJSONError as fault:
        raise UnsupportedError(f"arguments must be a JSON object: {fault.problem}", path) from None
    if not document.is_object:
        raise UnsupportedError("arguments must be a JSON object", path)
    return msgspec.Raw(document.to_json())


NO_MEMBERS: Final = msgspec.Raw(b"{}")


class Inline(NamedTuple):
    """Media that travels in the request: its MIME type and its bytes in base64."""

    mime: str
    base64: str

    def content(self) -> bytes:
        """The bytes."""
        return base64.b64decode(self.base64)


def inline(media: Media, path: str) -> Inline | None:
    """The media's own bytes, given as bytes or in a ``data:`` URI; None when it is elsewhere.

    Raises `UnsupportedError` for a ``data:`` URI that cannot be read or holds nothing.
    """
    if isinstance(media.source, BytesSource):
        return Inline(media.mime, base64.b64encode(media.source.data).decode())
    if not isinstance(media.source, URISource) or not media.source.uri.startswith("data:"):
        return None
    head, comma, data = media.source.uri.removeprefix("data:").partition(",")
    try:
        content = unquote_to_bytes(data)
        if head.endswith(";base64"):
            content = base64.b64decode(content, validate=True)
    except (binascii.Error, ValueError):
        content = b""
    if not comma or not content:
        raise UnsupportedError("is not a data: URI that holds anything", f"{path}.source.uri")
    return Inline(media.mime, base64.b64encode(content).decode())


def schema_of(asked: JSONSchemaFormat) -> msgspec.Raw:
    """The schema of a format, with the format's description in it: the wire has no other place."""
    if asked.description is None:
        return msgspec.Raw(asked.schema.to_json())
    members = asked.schema.decode(dict[str, msgspec.Raw])
    texts = [asked.description]
    if (own := members.get("description")) is not None:
        described = msgspec.json.decode(own)
        if isinstance(described, str) and described.strip() != asked.description:
            texts.append(described)
    return msgspec.Raw(
        msgspec.json.encode(
            {"description": msgspec.Raw(msgspec.json.encode("\n\n".join(texts)))}
            | {name: value for name, value in members.items() if name != "description"}
        )
    )


def json_in(body: bytes) -> Any:
    """The JSON of an error's body, None when it is none."""
    try:
        return msgspec.json.decode(body)
    except NOT_JSON:
        return None


def text_or_empty(value: object) -> str:
    """A member of an error's body that should be text."""
    return value if isinstance(value, str) else ""


def message_of(told: object, body: bytes, status: int | None) -> str:
    """The provider's own message, else the beginning of the body, else the status."""
    beginning = body[:SHOWN].decode(errors="replace").strip()
    return text_or_empty(told) or beginning or f"HTTP status {status}"
