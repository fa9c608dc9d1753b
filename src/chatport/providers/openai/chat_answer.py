"""What Chat Completions answers, whole or in chunks: a whole answer is read as one chunk.

https://platform.openai.com/docs/api-reference/chat/object, and what servers that speak it add:
`reasoning_content` (DeepSeek, vLLM), `reasoning_details` (OpenRouter), lists as content (Mistral).
What has no place in the protocol is kept in the output's metadata, under ``openai/``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

import msgspec

from chatport.chat import (
    FinishReason,
    Metadata,
    OutputMetadata,
    PartDelta,
    Response,
    ResponseDelta,
    ResponseMetadata,
    collect,
)
from chatport.providers.codec import NOT_JSON, not_json
from chatport.providers.errors import ServerError, UnexpectedAnswerError
from chatport.providers.openai.chat_parts import Gathered
from chatport.providers.openai.failures import failure_in
from chatport.providers.openai.fields import PROVIDER, Json, moment, usage_of

if TYPE_CHECKING:
    from chatport.providers.sse import Event

FINISH: Final[Mapping[str, FinishReason]] = {
    "stop": "stop",
    "eos": "stop",
    "eos_token": "stop",
    "stop_sequence": "stop",
    "length": "length",
    "max_tokens": "length",
    "model_length": "length",
    "tool_calls": "tool_calls",
    "function_call": "tool_calls",
    "content_filter": "content_filter",
    "refusal": "refusal",
}
"""Why an answer ended, in words of OpenAI, Together, Mistral and TGI. Others are ``other``."""
USAGE: Final = (
    "prompt_tokens",
    "completion_tokens",
    "prompt_tokens_details",
    "completion_tokens_details",
)
ABOUT: Final = (
    "system_fingerprint",
    "service_tier",
    "citations",
    "search_results",
    "prompt_filter_results",
    "provider",
    "x_groq",
)
"""What servers say about a response beside its id, model and time; kept as it is."""


NOTHING: Final = msgspec.Raw()


class Choice(msgspec.Struct):
    """One of the answers in a document: whole as `message`, in a chunk as `delta`."""

    index: int = 0
    message: dict[str, Any] | None = None
    delta: dict[str, Any] | None = None
    finish_reason: str | None = None
    logprobs: Any = None
    content_filter_results: Any = None


class Completion(msgspec.Struct):
    """A whole answer, or a chunk of one."""

    id: str | None = None
    model: str | None = None
    created: Any = None
    choices: list[Choice] | None = None
    usage: msgspec.Raw = NOTHING
    error: Any = None
    system_fingerprint: Any = None
    service_tier: Any = None
    citations: Any = None
    search_results: Any = None
    prompt_filter_results: Any = None
    provider: Any = None
    x_groq: Any = None


_JSON: Final = msgspec.json.Decoder()
_DECODER: Final = msgspec.json.Decoder(Completion)


def read(data: bytes) -> Completion:
    """A document out of its JSON. Raises the error it tells of, or `UnexpectedAnswerError`."""
    try:
        document = _DECODER.decode(data)
    except NOT_JSON as fault:
        raise _told_or(data, fault) from None
    if document.error:
        raise failure_in({"error": document.error}) or ServerError(str(document.error))
    return document


def _told_or(data: bytes, fault: Exception) -> Exception:
    """What a document that is no completion tells of, or else the fault of that it is none."""
    try:
        return failure_in(msgspec.json.decode(data)) or UnexpectedAnswerError(
            f"the answer is not what the protocol says: {fault}"
        )
    except NOT_JSON:
        return not_json(data, PROVIDER, fault)


def decode(body: bytes) -> Response:
    """The response in a whole answer."""
    document = read(body)
    if not document.choices:
        raise UnexpectedAnswerError("the answer holds no choices")
    if document.choices[0].finish_reason is None:
        raise UnexpectedAnswerError("the answer does not say why it ended")
    return collect(ChatDecoder().whole(document))


class ChatDecoder:
    """Reads the chunks of one answer. The last delta waits for the usage, which comes after it."""

    __slots__ = ("_about", "_finish", "_gathered", "_logprobs", "_started", "_usage", "done")

    def __init__(self) -> None:
        self.done: bool = False
        self._started = False
        self._finish: str | None = None
        self._gathered = Gathered()
        self._usage: msgspec.Raw | None = None
        self._about: Json = {}
        self._logprobs: Json = {}

    def feed(self, event: Event) -> Sequence[ResponseDelta]:
        """The deltas of one event."""
        if event.data == b"[DONE]":
            self.done = True
            return ()
        return self.take(read(event.data))

    def take(self, chunk: Completion) -> Sequence[ResponseDelta]:
        """The delta of a chunk, or none."""
        parts, about = self._read(chunk)
        if about:
            return (ResponseDelta(*parts, metadata=ResponseMetadata(**about)),)
        return (ResponseDelta(*parts),) if parts else ()

    def whole(self, document: Completion) -> Sequence[ResponseDelta]:
        """An answer that came in one piece, as one delta."""
        return self._last(*self._read(document))

    def _read(self, chunk: Completion) -> tuple[list[PartDelta], Json]:
        """The parts of a chunk, and what it says about the response."""
        parts: list[PartDelta] = []
        try:
            about = self._told(chunk)
            for choice in chunk.choices or ():
                if choice.index == 0:
                    self._choice(choice, parts)
        except (AttributeError, TypeError) as fault:
            raise UnexpectedAnswerError(f"a part of the answer is malformed: {fault}") from fault
        return parts, about

    def _told(self, chunk: Completion) -> Json:
        """What a chunk says about the response, as members of its metadata."""
        about: Json = {}
        if not self._started and (chunk.id or chunk.model):
            self._started = True
            about["id"] = (chunk.id or "").strip()
            about["model"] = (chunk.model or "").strip()
            about["created_at"] = moment(chunk.created)
        if chunk.usage != NOTHING and (usage := usage_of(_JSON.decode(chunk.usage), USAGE)):
            about["usage"] = usage
            self._usage = chunk.usage
        for name in ABOUT:
            if (value := getattr(chunk, name)) is not None:
                self._about[f"openai/{name}"] = value
        return about

    def finish(self) -> Sequence[ResponseDelta]:
        """What is left, and why the answer ended, when that was said."""
        return self._last([], {})

    def _last(self, parts: list[PartDelta], about: Json) -> Sequence[ResponseDelta]:
        parts += self._gathered.late()
        if self._finish is None:
            return (ResponseDelta(*parts),) if parts else ()
        extra = self._gathered.extra
        if self._logprobs:
            extra["openai/logprobs"] = self._logprobs
        if self._usage is not None:
            self._about["openai/usage"] = self._usage
        return (
            ResponseDelta(
                *parts,
                finish_reason=self._reason(self._finish),
                output_metadata=ended(self._finish, extra),
                metadata=ResponseMetadata(**about, extra=Metadata(self._about)),
            ),
        )

    def _reason(self, native: str) -> FinishReason:
        reason = FINISH.get(native.lower(), "other")
        if reason == "stop" and self._gathered.calls:
            return "tool_calls"  # a tool that was named is called with "stop"
        if reason == "stop" and self._gathered.has_refused:
            return "refusal"
        return reason

    def _choice(self, choice: Choice, parts: list[PartDelta]) -> None:
        if choice.finish_reason is not None:
            self._finish = choice.finish_reason
        if choice.logprobs is not None:
            self._take_logprobs(choice.logprobs)
        if choice.content_filter_results:
            self._gathered.extra["openai/content_filter_results"] = choice.content_filter_results
        if said := choice.delta or choice.message:
            self._gathered.take(said, parts)

    def _take_logprobs(self, given: Any) -> None:
        for name, items in given.items() if isinstance(given, dict) else ():
            if isinstance(items, list):
                self._logprobs.setdefault(name, []).extend(items)


def ended(native: str, extra: Json) -> OutputMetadata:
    """The provider's own word for the end, and what else there is to keep."""
    if extra or native not in FINISH:
        return OutputMetadata(Metadata(extra | {"openai/finish_reason": native}))
    made = _ENDED.get(native)
    if made is None:
        made = _ENDED[native] = OutputMetadata(Metadata({"openai/finish_reason": native}))
    return made


_ENDED: Final[dict[str, OutputMetadata]] = {}
"""The metadata of an answer with nothing else to keep, which is most of them."""
