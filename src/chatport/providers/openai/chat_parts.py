"""What the members of a message of Chat Completions become.

A whole message and the deltas of a stream are read alike: member by member, in the order in which
the parts of a whole one stand. What has no place in the protocol is kept as it is.
"""

from __future__ import annotations

from base64 import b64decode
from binascii import Error as Base64Error
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

import msgspec

from chatport.chat import (
    Citation,
    CitationDelta,
    InvalidValueError,
    Media,
    MediaDelta,
    Metadata,
    PartDelta,
    ReasoningDelta,
    RefusalDelta,
    TextDelta,
)
from chatport.providers.openai.chat_calls import Calls
from chatport.providers.openai.fields import Json, bytes_of

SILENT: Final = frozenset({"role", "name", "object", "index"})
"""Members of a message that say nothing new."""


@dataclass(slots=True)
class Gathered:
    """What has to be remembered of a message while its pieces come."""

    calls: Calls = field(default_factory=Calls)
    has_text: bool = False
    has_refused: bool = False
    details: list[Any] = field(default_factory=list)
    sound: Json = field(default_factory=dict)
    extra: Json = field(default_factory=dict)

    def take(self, said: Json, parts: list[PartDelta]) -> None:
        """Add the parts that a piece of the message amounts to."""
        content = said.get("content")
        if len(said) == 1 and type(content) is str:  # most pieces by far
            if content:
                self.has_text = True
                parts.append(TextDelta(content))
            return
        for name, read in READERS.items():
            if value := said.get(name):
                read(self, value, parts)
        for name, value in said.items():
            if name not in READERS and name not in SILENT and value not in (None, [], {}):
                self.extra[f"openai/{name}"] = value

    def keep(self, name: str, value: Any) -> None:
        """Keep one of several things of a name that have no place."""
        self.extra.setdefault(f"openai/{name}", []).append(value)

    def late(self) -> Iterator[PartDelta]:
        """Parts that are whole only at the end."""
        self.calls.check()
        if self.details:
            state = msgspec.json.encode(merged(self.details))
            yield ReasoningDelta(reasoning_state=state, metadata=came_in("reasoning_details"))
        if self.sound.get("data"):
            yield MediaDelta(_sound_of(self.sound))


def _reasoning(came: str) -> Reader:
    def read(gathered: Gathered, value: Any, parts: list[PartDelta]) -> None:
        # Some servers say the same under both names.
        told_already = any(type(part) is ReasoningDelta for part in parts)
        if isinstance(value, str) and not told_already:
            parts.append(ReasoningDelta(value, metadata=came_in(came)))

    return read


def _reasoning_details(gathered: Gathered, value: Any, parts: list[PartDelta]) -> None:
    gathered.details += value if isinstance(value, list) else [value]


def _content(gathered: Gathered, value: Any, parts: list[PartDelta]) -> None:
    for piece in value if isinstance(value, list) else [value]:
        kind, text = _piece(piece)
        if kind is None:
            gathered.keep("content", piece)
        elif text and kind == "text":
            gathered.has_text = True
            parts.append(TextDelta(text))
        elif text and kind == "refusal":
            _refusal(gathered, text, parts)
        elif text:
            parts.append(ReasoningDelta(text))


def _piece(piece: Any) -> tuple[str | None, str]:
    """The kind and the text of a piece of content; None for a kind that is not known."""
    if isinstance(piece, str):
        return "text", piece
    kind = piece.get("type") if isinstance(piece, dict) else None
    if kind not in ("text", "thinking", "refusal"):
        return None, ""
    text = piece.get(kind)
    if isinstance(text, list):  # Mistral's thinking is a list of texts
        text = "".join([str(inner.get("text", "")) for inner in text])
    return (kind, text) if isinstance(text, str) else (None, "")


def _refusal(gathered: Gathered, value: Any, parts: list[PartDelta]) -> None:
    gathered.has_refused = True
    parts.append(RefusalDelta(str(value)))


def _annotations(gathered: Gathered, value: Any, parts: list[PartDelta]) -> None:
    for annotation in value:
        citation = _citation(annotation)
        last = parts[-1] if parts else None
        after_text = (
            gathered.has_text and not gathered.calls
            if last is None
            else (isinstance(last, (TextDelta, CitationDelta)))
        )
        if citation is not None and after_text:
            parts.append(CitationDelta(citation))
        else:
            gathered.keep("annotations", annotation)


def _tool_calls(gathered: Gathered, value: Any, parts: list[PartDelta]) -> None:
    for fragment in value:
        parts += gathered.calls.take(fragment)


def _function_call(gathered: Gathered, value: Any, parts: list[PartDelta]) -> None:
    parts += gathered.calls.take({"index": 0, "function": value})


def _images(gathered: Gathered, value: Any, parts: list[PartDelta]) -> None:
    for image in value:
        url = (image.get("image_url") or {}).get("url", "")
        head, _, data = url.partition(";base64,")
        try:
            made = Media.of_bytes(head.removeprefix("data:"), b64decode(data, validate=True))
        except (InvalidValueError, Base64Error):
            gathered.keep("images", image)
        else:
            parts.append(MediaDelta(made))


def _sound(gathered: Gathered, value: Any, parts: list[PartDelta]) -> None:
    sound = gathered.sound
    for name in ("data", "transcript"):
        sound[name] = sound.get(name, "") + (value.get(name) or "")
    sound |= {name: value[name] for name in ("id", "expires_at") if value.get(name)}


Reader = Callable[[Gathered, Any, list[PartDelta]], None]
READERS: Final[Mapping[str, Reader]] = {
    "reasoning_content": _reasoning("reasoning_content"),
    "reasoning": _reasoning("reasoning"),
    "reasoning_details": _reasoning_details,
    "content": _content,
    "refusal": _refusal,
    "annotations": _annotations,
    "images": _images,
    "tool_calls": _tool_calls,
    "function_call": _function_call,
    "audio": _sound,
}


def _sound_of(sound: Json) -> Media:
    """A sound whose pieces are all there; it is said again by its id."""
    data = bytes_of(sound["data"])
    told = {
        f"openai/{name}": sound[name] for name in ("transcript", "expires_at") if sound.get(name)
    }
    mime = "audio/wav" if data.startswith(b"RIFF") else "audio/mpeg"
    return Media.of_bytes(mime, data, metadata=told).replace(id=sound.get("id"))


def came_in(name: str) -> Metadata:
    """Marks reasoning with the member it came in, and goes back in."""
    made = _FIELDS.get(name)
    if made is None:
        made = _FIELDS[name] = Metadata({"openai/field": name})
    return made


_FIELDS: Final[dict[str, Metadata]] = {}


def merged(details: list[Any]) -> list[Any]:
    """The details of reasoning as one list: texts of the same kind and index are one text."""
    whole: list[Any] = []
    for detail in details:
        last = whole[-1] if whole else None
        if not isinstance(last, dict) or not isinstance(detail, dict):
            whole.append(detail)
        elif (last.get("type"), last.get("index")) != (detail.get("type"), detail.get("index")):
            whole.append(dict(detail))
        else:
            joined = {
                name: last[name] + detail[name]
                for name in ("text", "summary", "data")
                if isinstance(last.get(name), str) and isinstance(detail.get(name), str)
            }
            whole[-1] = last | {k: v for k, v in detail.items() if v is not None} | joined
    return whole


def _citation(annotation: Any) -> Citation | None:
    cited = annotation.get("url_citation") if isinstance(annotation, dict) else None
    if not isinstance(cited, dict):
        return None
    title = cited.get("title")
    try:
        return Citation.of_uri(
            str(cited.get("url", "")), title=str(title).strip() if title else None
        )
    except InvalidValueError:
        return None
