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
    class_of_status,
)
from chatport.providers.native import json_in, message_of, text_or_empty

BY_TYPE: Final[Mapping[str, type[ProviderError]]] = {
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

TOO_LONG: Final = ("prompt is too long", "exceed context limit", "exceeds the maximum context")
"""Words of the message for a prompt that is too long: it has no type of its own."""
USED_UP: Final = "credit balance is too low"


def failure_of(status: int | None, body: bytes, headers: Headers) -> ProviderError:
    """The error of an answer that is no success."""
    told = json_in(body)
    told = told if isinstance(told, dict) else {}
    error = told.get("error")
    error = error if isinstance(error, dict) else {}
    code = text_or_empty(error.get("type"))
    message = message_of(error.get("message"), body, status)
    kind = _kind(status, code, message)
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


def _kind(status: int | None, code: str, message: str) -> type[ProviderError]:
    kind = BY_TYPE.get(code, class_of_status(status or 500))
    said = message.lower()
    if kind is InvalidRequestError and any(words in said for words in TOO_LONG):
        return ContextLengthError
    if kind is InvalidRequestError and USED_UP in said:
        return QuotaExceededError
    return kind
