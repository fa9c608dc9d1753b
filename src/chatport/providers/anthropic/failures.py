"""The Messages API's error bodies, as error classes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from chatport.providers import errors
from chatport.providers.anthropic.words import PROVIDER
from chatport.providers.codec import Headers, retry_after
from chatport.providers.errors import (
    AuthenticationError,
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
from chatport.providers.native import json_in, message_of, text_or_empty

_TYPES: Final[Mapping[str, type[ProviderError]]] = {
    "invalid_request_error": InvalidRequestError,
    "request_too_large": InvalidRequestError,
    "authentication_error": AuthenticationError,
    "billing_error": QuotaExceededError,
    "permission_error": PermissionDeniedError,
    "not_found_error": NotFoundError,
    "conflict_error": InvalidRequestError,
    "rate_limit_error": RateLimitedError,
    "timeout_error": errors.TimeoutError,
    "overloaded_error": OverloadedError,
    "api_error": ServerError,
}
"""The types of errors of the API's reference."""

WORDS: Final = Vocabulary(
    _TYPES,
    {
        "prompt is too long|exceed context limit|exceeds the maximum context": ContextLengthError,
        "credit balance is too low": QuotaExceededError,
    },
)


def failure_of(status: int | None, body: bytes, headers: Headers) -> ProviderError:
    """The error of an answer that is no success."""
    told = json_in(body)
    told = told if isinstance(told, dict) else {}
    error = told.get("error")
    error = error if isinstance(error, dict) else {}
    code = text_or_empty(error.get("type"))
    message = message_of(error.get("message"), body, status)
    kind = WORDS.kind((code,), class_of_status(status or 500), message)
    return kind(
        message,
        provider=PROVIDER,
        status=status,
        code=code or None,
        request_id=headers.get("request-id") or text_or_empty(told.get("request_id")) or None,
        retry_after=retry_after(headers),
    )


def failure_in(event: bytes) -> ProviderError:
    """The error that an event of a stream, or a body in spite of its status, tells of."""
    return failure_of(None, event, {})
