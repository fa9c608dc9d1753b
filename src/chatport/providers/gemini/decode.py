"""What the Gemini API answers, as deltas; a plain answer is a stream of one event."""

from __future__ import annotations

import base64
import binascii
from collections.abc import Sequence
from datetime import datetime
from typing import Any, Final, TypeAlias

import msgspec

from chatport.chat import (
    CitationDelta,
    InvalidValueError,
    Media,
    MediaDelta,
    Metadata,
    OutputMetadata,
    PartDelta,
    ReasoningDelta,
    Response,
    ResponseAccumulator,
    ResponseDelta,
    ResponseMetadata,
    TextDelta,
    ToolCall,
    ToolCallDelta,
    Usage,
)
from chatport.chat.metadata import NO_METADATA
from chatport.providers.codec import NOT_JSON, not_json
from chatport.providers.errors import ContentBlockedError, UnexpectedAnswerError
from chatport.providers.gemini.citations import citations_of
from chatport.providers.gemini.encode import made_up_id
from chatport.providers.gemini.failures import failure_in
from chatport.providers.gemini.words import FINISH_REASONS, PROVIDER, UNSPECIFIED, snake
from chatport.providers.native import line_of, metadata_of
from chatport.providers.sse import Event

Raws: TypeAlias = dict[str, msgspec.Raw]

FAULTS: Final = (*NOT_JSON, InvalidValueError, binascii.Error)
"""What reading an answer raises when it is not what the API says."""


class _Blob(msgspec.Struct, rename="camel"):
    mime_type: str = "application/octet-stream"
    data: str = ""
    file_uri: str = ""
    display_name: str | None = None


class _Call(msgspec.Struct, rename="camel"):
    name: str
    args: msgspec.Raw = msgspec.Raw()
    id: str = ""
    partial_args: msgspec.Raw = msgspec.Raw()
    will_continue: bool = False


class _Counts(msgspec.Struct, rename="camel"):
    prompt_token_count: int = 0
    tool_use_prompt_token_count: int = 0
    candidates_token_count: int = 0
    thoughts_token_count: int | None = None
    cached_content_token_count: int | None = None


class _Content(msgspec.Struct):
    parts: list[Raws] = []
    role: str = ""


_TOP = msgspec.json.Decoder(Raws)
_CANDIDATES = msgspec.json.Decoder(list[Raws])
_CONTENT = msgspec.json.Decoder(_Content)
_COUNTS = msgspec.json.Decoder(_Counts)
_TEXT = msgspec.json.Decoder(str)
_BLOB = msgspec.json.Decoder(_Blob)
_CALL = msgspec.json.Decoder(_Call)
_FEEDBACK = msgspec.json.Decoder(dict[str, Any])
_TRUE: Final = b"true"
_FIRST: Final = msgspec.Raw(b"0")
FIRST: Final = (b"0", b"null")
"""The index of the candidate that is the answer; JSON of protocol buffers may leave it out."""


def response_in(body: bytes) -> Response:
    """The response in the body of a plain answer. Raises as `Codec.decode` says."""
    decoder = GeminiDecoder()
    accumulator = ResponseAccumulator()
    deltas = [*decoder.feed(Event(body)), *decoder.finish()]
    try:
        for delta in deltas:
            accumulator.add(delta)
        if decoder.reason is not None:
            return accumulator.response()
    except InvalidValueError as fault:
        raise _unexpected(f"the answer is no response: {fault}") from fault
    error = _unexpected("the answer holds no candidate that came to an end")
    error.partial = accumulator.message()
    raise error


class GeminiDecoder:
    """A `StreamDecoder` of `streamGenerateContent`."""

    __slots__ = (
        "_blocked",
        "_calls",
        "_created",
        "_extra",
        "_held",
        "_id",
        "_last_text",
        "_model",
        "_native",
        "_said",
        "_signed",
        "_texts",
        "_usage",
        "reason",
    )

    def __init__(self) -> None:
        self.reason: str | None = None
        """The API's word for why the answer ended, once it has said so."""
        self._blocked: ContentBlockedError | None = None
        self._calls = 0
        self._signed = 0
        self._id = ""
        self._model: str | None = None
        self._created: datetime | None = None
        self._said = False
        self._last_text = False
        self._texts: list[str] = []
        self._usage: bytes = b""
        self._held: list[PartDelta] = []
        self._native: Raws = {}
        self._extra: Raws = {}

    @property
    def done(self) -> bool:
        """Never: the API says nothing after its last chunk, and what looks like one may not be."""
        return False

    def feed(self, event: Event) -> Sequence[ResponseDelta]:
        """The deltas of one chunk; one, or none."""
        try:
            chunk = _TOP.decode(event.data)
        except NOT_JSON as fault:
            raise not_json(event.data, PROVIDER, fault) from None
        if "error" in chunk:
            raise failure_in(event.data)
        try:
            return self._chunk(_present(chunk))
        except FAULTS as fault:
            raise _unexpected(f"the answer is not one of generateContent: {fault}") from fault

    def finish(self) -> Sequence[ResponseDelta]:
        """The last delta, when a reason for the end has been given.

        Raises `ContentBlockedError` when the prompt was blocked; what that cost has been told then.
        """
        if self._blocked is not None:
            raise self._blocked
        if self.reason is None:
            return ()
        reason = FINISH_REASONS.get(self.reason)
        if reason is None:
            raise _unexpected(f"the answer ended for a reason that is not known: {self.reason!a}")
        if reason == "stop" and self._calls:
            reason = "tool_calls"
        try:
            parts = [*self._citations(), *self._held]
            native = {snake(name): value for name, value in self._native.items()}
            extra = metadata_of(PROVIDER, {"finish_reason": self.reason, **native})
            return [
                ResponseDelta(
                    *parts,
                    finish_reason=reason,
                    output_metadata=OutputMetadata(extra),
                    metadata=self._response_extra(),
                )
            ]
        except FAULTS as fault:
            raise _unexpected(f"the end of the answer cannot be read: {fault}") from fault

    # --- chunks ---------------------------------------------------------------------------------

    def _chunk(self, chunk: Raws) -> Sequence[ResponseDelta]:
        metadata = self._response_metadata(chunk)
        parts: list[PartDelta] = []
        if (given := chunk.pop("candidates", None)) is not None:
            for candidate in _CANDIDATES.decode(given):
                if bytes(candidate.pop("index", _FIRST)) not in FIRST:
                    self._native["otherCandidates"] = given
                    continue
                parts += self._candidate(candidate)
        self._extra.update(chunk)
        if not self._said and "promptFeedback" in chunk:
            self._blocked = self._blocking(_FEEDBACK.decode(chunk["promptFeedback"]))
        if not parts and metadata is None:
            return ()
        return [ResponseDelta(*parts, metadata=metadata)]

    def _candidate(self, candidate: Raws) -> list[PartDelta]:
        candidate = _present(candidate)
        content = candidate.pop("content", None)
        reason = candidate.pop("finishReason", None)
        if reason is not None and (word := _TEXT.decode(reason)) not in UNSPECIFIED:
            self.reason = word
        self._native.update(candidate)
        if content is None:
            return []
        parts: list[PartDelta] = []
        for fields in _CONTENT.decode(content).parts:
            if (part := self._part(fields)) is not None:
                parts += [*self._held, part]
                self._held.clear()
                self._last_text = type(part) is TextDelta
        self._said = self._said or bool(parts) or bool(self._held)
        return parts

    def _part(self, fields: Raws) -> PartDelta | None:
        if "text" in fields:
            return self._text(_TEXT.decode(fields.pop("text")), fields)
        if "inlineData" in fields:
            blob = _BLOB.decode(fields.pop("inlineData"))
            content = base64.b64decode(_standard(blob.data))
            media = Media.of_bytes(blob.mime_type, content, name=blob.display_name)
            return MediaDelta(media, _members(fields))
        if "fileData" in fields:
            blob = _BLOB.decode(fields.pop("fileData"))
            media = Media.of_uri(blob.mime_type, blob.file_uri, name=blob.display_name)
            return MediaDelta(media, _members(fields))
        if "functionCall" in fields:
            return self._call(_CALL.decode(fields.pop("functionCall")), fields)
        if not fields:
            return None
        kinds = metadata_of(PROVIDER, {"parts": True})
        return ReasoningDelta("", line_of(msgspec.json.encode(fields)), kinds)

    def _text(self, text: str, beside: Raws) -> PartDelta | None:
        if not beside:
            if not text:
                return None
            self._texts.append(text)
            return TextDelta(text)
        thought = bytes(beside.pop("thought", b"false")) == _TRUE
        if thought or not text:
            return self._reasoning(text, beside, thought)
        self._texts.append(text)
        return TextDelta(text, _members(beside))

    def _reasoning(self, text: str, beside: Raws, thought: bool) -> PartDelta | None:
        signature = b""
        marks: dict[str, object] = {}
        if "thoughtSignature" in beside:
            signature = _TEXT.decode(beside.pop("thoughtSignature")).encode()
            # What has a signature of its own must not run together with its neighbour.
            marks["signed"] = self._signed
            self._signed += 1
        if not text and not signature:
            return None
        if not thought:
            marks["empty_text"] = True
        others = {snake(name): value for name, value in beside.items()}
        part = ReasoningDelta(text, signature, metadata_of(PROVIDER, others | marks))
        if thought:
            return part
        # An empty text with a signature ends an answer; the citations of the text go before it.
        self._held.append(part)
        return None

    def _call(self, call: _Call, beside: Raws) -> PartDelta:
        if bytes(call.partial_args) or call.will_continue:
            raise _unexpected("arguments of a call in pieces were not asked for and are not read")
        given = bytes(call.args)
        arguments = msgspec.json.format(given, indent=-1).decode() if given else ""
        known = call.id or made_up_id(self._id, self._calls, call.name, arguments)
        self._calls += 1
        return ToolCallDelta(ToolCall(known, call.name, arguments), _members(beside))

    # --- what stands around the parts -----------------------------------------------------------

    def _response_metadata(self, chunk: Raws) -> ResponseMetadata | None:
        """What a chunk says about the response, when it says something new."""
        known: dict[str, Any] = {}
        if (given := chunk.pop("responseId", None)) is not None and not self._id:
            self._id = _TEXT.decode(given)
            known["id"] = self._id.strip()
        if (given := chunk.pop("modelVersion", None)) is not None and self._model is None:
            known["model"] = self._model = _TEXT.decode(given).strip()
        if (given := chunk.pop("createTime", None)) is not None and self._created is None:
            self._created = msgspec.json.decode(given, type=datetime)
            known["created_at"] = self._created
        counts = chunk.pop("usageMetadata", None)
        if counts is not None and (text := bytes(counts)) != self._usage:
            self._usage = text
            known["usage"] = usage_of(_COUNTS.decode(text))
        return ResponseMetadata(**known) if known else None

    def _response_extra(self) -> ResponseMetadata | None:
        extra = {snake(name): value for name, value in self._extra.items()}
        if self._usage:
            extra["usage_metadata"] = msgspec.Raw(self._usage)
        return ResponseMetadata(extra=metadata_of(PROVIDER, extra)) if extra else None

    def _blocking(self, feedback: dict[str, Any]) -> ContentBlockedError | None:
        """The error for a prompt that was blocked, so that no answer was begun."""
        reason = str(feedback.get("blockReason") or "")
        if reason in UNSPECIFIED:
            return None
        said = feedback.get("blockReasonMessage") or f"the prompt was blocked: {reason}"
        error = ContentBlockedError(str(said), provider=PROVIDER, code=reason)
        error.usage = usage_of(_COUNTS.decode(self._usage)) if self._usage else None
        return error

    def _citations(self) -> list[PartDelta]:
        if not self._last_text:
            return []
        return [CitationDelta(one) for one in citations_of("".join(self._texts), self._native)]


def usage_of(counts: _Counts) -> Usage:
    """The counts as usage; a breakdown that contradicts its total is left out."""
    asked = counts.prompt_token_count + counts.tool_use_prompt_token_count
    answered = counts.candidates_token_count + (counts.thoughts_token_count or 0)
    cached = counts.cached_content_token_count
    return Usage(
        input_tokens=asked,
        output_tokens=answered,
        reasoning_tokens=counts.thoughts_token_count,
        cache_read_input_tokens=cached if cached is not None and cached <= asked else None,
    )


def _present(fields: Raws) -> Raws:
    """The fields that are there: null is JSON's way to leave one out, which other servers use."""
    return {name: value for name, value in fields.items() if bytes(value) != b"null"}


def _members(beside: Raws) -> Metadata:
    if not beside:
        return NO_METADATA
    return metadata_of(PROVIDER, {snake(name): value for name, value in beside.items()})


def _standard(data: str) -> str:
    """Base64 in the standard alphabet, padded: JSON of protocol buffers knows both."""
    plain = data.replace("-", "+").replace("_", "/").rstrip("=")
    return plain + "=" * (-len(plain) % 4)


def _unexpected(problem: str) -> UnexpectedAnswerError:
    return UnexpectedAnswerError(problem, provider=PROVIDER)
