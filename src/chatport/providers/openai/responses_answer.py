"""What Responses answers, whole or as events.

https://platform.openai.com/docs/api-reference/responses-streaming. A whole answer is read item by
item, by what also reads the items of a stream. What has no place in the protocol is kept in the
output's metadata, under ``openai/``.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, Final

import msgspec

from chatport.chat import (
    Citation,
    CitationDelta,
    FinishReason,
    InvalidValueError,
    Media,
    MediaDelta,
    Metadata,
    OutputMetadata,
    PartDelta,
    ReasoningDelta,
    RefusalDelta,
    Response,
    ResponseDelta,
    ResponseMetadata,
    TextDelta,
    ToolCall,
    ToolCallDelta,
    collect,
)
from chatport.providers.codec import read_json
from chatport.providers.errors import ServerError, UnexpectedAnswerError
from chatport.providers.openai.failures import failure_in
from chatport.providers.openai.fields import PROVIDER, Json, bytes_of, moment, usage_of
from chatport.providers.openai.responses_request import ITEM

if TYPE_CHECKING:
    from chatport.providers.sse import Event

USAGE: Final = (
    "input_tokens",
    "output_tokens",
    "input_tokens_details",
    "output_tokens_details",
)
ABOUT: Final = ("service_tier", "conversation", "previous_response_id", "background")
CUT: Final[dict[str, FinishReason]] = {
    "max_output_tokens": "length",
    "content_filter": "content_filter",
}
"""Why an answer is incomplete. Other reasons are ``other``."""
ENDS: Final = frozenset({"response.completed", "response.incomplete", "response.failed"})


def decode(body: bytes) -> Response:
    """The response in a whole answer."""
    told = read_json(body, PROVIDER)
    if not isinstance(told, dict):
        raise UnexpectedAnswerError("the answer is not what the protocol says: no object")
    if not isinstance(told.get("output"), list):
        raise failure_in(told) or UnexpectedAnswerError("the answer holds no output")
    if told.get("status") in ("queued", "in_progress"):
        raise UnexpectedAnswerError(f"the answer is {told['status']}: it is made in the background")
    decoder = ResponsesDecoder()
    try:
        parts = [part for item in told["output"] for part in decoder.whole(item)]
        deltas = [ResponseDelta(part) for part in parts]
        return collect([*decoder.begin(told), *deltas, *decoder.end(told)])
    except (AttributeError, KeyError, TypeError) as fault:
        raise _malformed(fault) from fault


class ResponsesDecoder:
    """Reads the events of one answer."""

    __slots__ = ("_calls", "_extra", "_has_calls", "_has_refused", "_has_text", "_seen", "done")

    def __init__(self) -> None:
        self.done: bool = False
        self._calls: dict[str, ToolCall] = {}
        self._seen: set[str] = set()
        self._has_calls = False
        self._has_refused = False
        self._has_text = False
        self._extra: Json = {}

    def feed(self, event: Event) -> Sequence[ResponseDelta]:
        """The deltas of one event."""
        told = read_json(event.data, PROVIDER)
        if not isinstance(told, dict):
            raise UnexpectedAnswerError("an event that is no object")
        try:
            return self._take(str(told.get("type") or event.name), told)
        except (AttributeError, KeyError, TypeError) as fault:
            raise _malformed(fault) from fault

    def finish(self) -> Sequence[ResponseDelta]:
        """Nothing: the event that ends the answer has said it all."""
        return ()

    def _take(self, kind: str, told: Json) -> Sequence[ResponseDelta]:
        if kind == "response.output_text.delta":
            return _delta(self._text(told["delta"]))
        if kind in ENDS:
            self.done = True
            return self.end(told["response"])
        if kind == "response.created":
            return self.begin(told["response"])
        if kind == "error" or (not kind and "error" in told):
            # Something in between may tell of it as it does in a document.
            nested = isinstance(told.get("error"), dict)
            raise failure_in(told if nested else {"error": told}) or ServerError(
                "an error that says nothing"
            )
        part = self._part(kind, told)
        return part if isinstance(part, tuple) else _delta(part)

    def _part(self, kind: str, told: Json) -> PartDelta | tuple[ResponseDelta, ...] | None:
        match kind:
            case "response.refusal.delta":
                return self._refusal(told["delta"])
            case "response.reasoning_summary_text.delta" | "response.reasoning_text.delta":
                self._seen.add(told["item_id"])
                return _thought(told["item_id"], told["delta"])
            case "response.reasoning_summary_part.added" if told.get("summary_index"):
                return _thought(told["item_id"], "\n\n")
            case "response.function_call_arguments.delta":
                self._seen.add(told["item_id"])
                return _fragment(self._calls[told["item_id"]], told["item_id"], told["delta"])
            case "response.output_text.annotation.added":
                return self._annotation(told["annotation"])
            case "response.output_item.added" if told["item"].get("type") == "function_call":
                return self._call(told["item"])
            case "response.output_item.done":
                parts = list(self._done(told["item"]))
                return (ResponseDelta(*parts),) if parts else ()
            case _ if not kind.startswith("response."):
                self._extra.setdefault("openai/events", []).append(told)
        return None

    def begin(self, response: Json) -> Sequence[ResponseDelta]:
        """What is known of the response before anything is said."""
        about = ResponseMetadata(
            id=response.get("id"),
            model=response.get("model"),
            created_at=moment(response.get("created_at")),
        )
        return (ResponseDelta(metadata=about),)

    def end(self, response: Json) -> Sequence[ResponseDelta]:
        """The last delta. Raises the error of a response that failed."""
        status = response.get("status")
        if status == "failed":
            raise failure_in(response) or ServerError("the response failed, and does not say why")
        cut = response.get("incomplete_details") or {}
        self._extra["openai/status"] = status
        if cut:
            self._extra["openai/incomplete_details"] = cut
        usage = response.get("usage")
        about = {f"openai/{name}": response[name] for name in ABOUT if response.get(name)}
        if usage is not None:
            about["openai/usage"] = usage
        metadata = ResponseMetadata(usage=usage_of(usage, USAGE), extra=Metadata(about))
        return (
            ResponseDelta(
                finish_reason=self._reason(status, cut.get("reason")),
                output_metadata=OutputMetadata(Metadata(self._extra)),
                metadata=metadata,
            ),
        )

    def _reason(self, status: object, cut: str | None) -> FinishReason:
        if status == "incomplete":
            return CUT.get(cut or "", "other")
        if status != "completed":
            return "other"
        if self._has_calls:
            return "tool_calls"
        return "refusal" if self._has_refused else "stop"

    def whole(self, item: Json) -> Iterator[PartDelta]:
        """The parts of an item that comes as a whole."""
        kind = item.get("type")
        if kind == "message":
            for content in item.get("content") or ():
                yield from self._content(content)
        elif kind == "function_call":
            yield self._call(item)
            yield _fragment(self._calls[item["id"]], item["id"], item.get("arguments") or "")
        elif kind == "reasoning":
            pieces = [*(item.get("summary") or ()), *(item.get("content") or ())]
            yield _thought(item["id"], "\n\n".join([piece["text"] for piece in pieces]), item)
        elif kind == "image_generation_call" and item.get("result"):
            yield MediaDelta(_image(item))
        else:
            self._extra.setdefault("openai/items", []).append(item)

    def _done(self, item: Json) -> Iterator[PartDelta]:
        """What an item that is whole now adds to what its events have told."""
        kind, seen = item.get("type"), item.get("id") in self._seen
        if kind == "reasoning" and seen:
            yield _thought(item["id"], "", item)
        elif kind == "function_call":
            if not seen and item.get("arguments"):
                yield _fragment(self._calls[item["id"]], item["id"], item["arguments"])
        elif kind != "message":
            yield from self.whole(item)

    def _content(self, content: Json) -> Iterator[PartDelta]:
        kind = content.get("type")
        if kind == "output_text":
            if (text := self._text(content.get("text") or "")) is not None:
                yield text
            for annotation in content.get("annotations") or ():
                if (cited := self._annotation(annotation)) is not None:
                    yield cited
            if content.get("logprobs"):
                self._extra.setdefault("openai/logprobs", []).extend(content["logprobs"])
        elif kind == "refusal":
            if (refusal := self._refusal(content.get("refusal") or "")) is not None:
                yield refusal
        else:
            self._extra.setdefault("openai/content", []).append(content)

    def _text(self, text: str) -> PartDelta | None:
        self._has_text = self._has_text or bool(text)
        return TextDelta(text) if text else None

    def _refusal(self, text: str) -> PartDelta | None:
        self._has_refused = True
        return RefusalDelta(text) if text else None

    def _call(self, item: Json) -> PartDelta:
        self._has_calls = True
        call = self._calls[item["id"]] = ToolCall(item["call_id"], item["name"])
        return _fragment(call, item["id"], "")

    def _annotation(self, annotation: Json) -> PartDelta | None:
        try:
            if self._has_text:
                return CitationDelta(_citation(annotation))
        except InvalidValueError:
            pass
        self._extra.setdefault("openai/annotations", []).append(annotation)
        return None


def _delta(part: PartDelta | None) -> Sequence[ResponseDelta]:
    return () if part is None else (ResponseDelta(part),)


def _fragment(call: ToolCall, item: str, arguments: str) -> PartDelta:
    metadata = Metadata({"openai/id": item})
    return ToolCallDelta(call.replace(arguments=arguments) if arguments else call, metadata)


def _thought(identity: str, text: str, item: Json | None = None) -> PartDelta:
    """Reasoning; its state is the item itself, which goes back as it is."""
    state = b"" if item is None else msgspec.json.encode(item)
    return ReasoningDelta(text, state, Metadata({ITEM: identity}))


def _citation(annotation: Json) -> Citation:
    title = str(annotation.get("title") or annotation.get("filename") or "").strip() or None
    if annotation.get("type") == "url_citation":
        return Citation.of_uri(str(annotation.get("url")), title=title)
    return Citation.of_reference(str(annotation.get("file_id") or ""), title=title)


def _image(item: Json) -> Media:
    kind = item.get("output_format") or "png"
    return Media.of_bytes(f"image/{kind}", bytes_of(item["result"])).replace(id=item.get("id"))


def _malformed(fault: Exception) -> Exception:
    told: Any = fault.args[0] if fault.args else fault
    return UnexpectedAnswerError(
        f"a part of the answer is malformed: {type(fault).__name__}: {told}"
    )
