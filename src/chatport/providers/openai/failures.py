"""What OpenAI's errors, and those of servers that speak like it, mean."""

from __future__ import annotations

from collections.abc import Mapping
from http import HTTPStatus
from typing import TYPE_CHECKING, Any, Final

import msgspec

from chatport.providers.codec import SHOWN, retry_after
from chatport.providers.errors import (
    AuthenticationError,
    ContentBlockedError,
    ContextLengthError,
    InvalidRequestError,
    NotFoundError,
    OverloadedError,
    PermissionDeniedError,
    ProviderError,
    QuotaExceededError,
    RateLimitedError,
    ServerError,
    Vocabulary,
    class_of_status,
)
from chatport.providers.native import json_in

if TYPE_CHECKING:
    from chatport.providers.codec import Headers

_CODES: Final[Mapping[str, type[ProviderError]]] = {
    "context_length_exceeded": ContextLengthError,
    "exceed_context_size_error": ContextLengthError,
    "string_above_max_length": ContextLengthError,
    "insufficient_quota": QuotaExceededError,
    "billing_hard_limit_reached": QuotaExceededError,
    "content_filter": ContentBlockedError,
    "content_policy_violation": ContentBlockedError,
    "invalid_prompt": ContentBlockedError,
    "model_not_found": NotFoundError,
    "invalid_api_key": AuthenticationError,
    "rate_limit_exceeded": RateLimitedError,
    "rate_limit_error": RateLimitedError,
    "overloaded_error": OverloadedError,
    "engine_overloaded": OverloadedError,
    "server_is_overloaded": OverloadedError,
    "server_error": ServerError,
    "internal_error": ServerError,
    "invalid_request_error": InvalidRequestError,
    "authentication_error": AuthenticationError,
    "permission_error": PermissionDeniedError,
    "not_found_error": NotFoundError,
}
"""Codes and types that say more than the status; a code counts before a type.

https://platform.openai.com/docs/guides/error-codes; llama.cpp and Azure for those OpenAI lacks.
"""
WORDS: Final = Vocabulary(
    _CODES,
    {
        r"(maximum|exceeds?\b.*) context (length|window|size)|context length exceeded": (
            ContextLengthError
        ),
    },
)
"""The phrase is that of servers without a code for it: vLLM, Mistral, Ollama."""
VAGUE: Final = frozenset({"invalid_request_error"})
"""Types that say less than a status does, other than 400."""
_REQUEST_IDS: Final = ("x-request-id", "request-id", "apim-request-id")


def failure_of(status: int, body: bytes, headers: Headers) -> ProviderError:
    """The error of an answer with this status."""
    error = failure_in(json_in(body), status)
    if error is None:
        phrase = next((known.phrase for known in HTTPStatus if known == status), "unknown status")
        start = body[:SHOWN].decode(errors="replace").strip()
        error = class_of_status(status)(
            f"{phrase}, and not in JSON: {start!a}" if start else phrase, status=status
        )
    error.retry_after = retry_after(headers)
    error.request_id = next((headers[name] for name in _REQUEST_IDS if name in headers), None)
    return error


def failure_in(told: Any, status: int | None = None) -> ProviderError | None:
    """The error that a document tells of; None when it tells of none."""
    if not isinstance(told, dict):
        return None
    said = told.get("error")
    if said is None and status is not None:
        said = told  # Mistral, vLLM, FastAPI: the error is the document
    if isinstance(said, str):
        said = {"message": said}
    if not isinstance(said, dict):
        return None
    message = _text(said, "message") or _text(said, "detail") or _text(said, "error")
    if message is None:
        message = msgspec.json.encode(said).decode()[:SHOWN]
    code, kind = _text(said, "code"), _text(said, "type")
    number = status if status is not None else _status(said)
    fallback = class_of_status(number) if number is not None else ServerError
    words = [word for word in (code, kind) if status in (None, 400) or word not in VAGUE]
    found = WORDS.kind(words, fallback, message)
    return found(message, status=status, code=code or kind, param=_text(said, "param"))


def _text(said: Mapping[str, Any], name: str) -> str | None:
    given = said.get(name)
    if isinstance(given, int) and not isinstance(given, bool):
        return str(given)
    return given if isinstance(given, str) and given else None


def _status(said: Mapping[str, Any]) -> int | None:
    """A status told inside a stream, where there is none of HTTP's: OpenRouter's `code`."""
    code = said.get("code") or said.get("status")
    return code if isinstance(code, int) and 400 <= code < 600 else None
