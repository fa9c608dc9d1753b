"""The Gemini API's error bodies: google.rpc.Status, as error classes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from chatport.providers import errors
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
from chatport.providers.gemini.words import PROVIDER
from chatport.providers.native import json_in, message_of, text_or_empty

_STATUSES: Final[Mapping[str, type[ProviderError]]] = {
    "INVALID_ARGUMENT": InvalidRequestError,
    "FAILED_PRECONDITION": PermissionDeniedError,  # the API is not to be had from where one is
    "OUT_OF_RANGE": InvalidRequestError,
    "UNAUTHENTICATED": AuthenticationError,
    "PERMISSION_DENIED": PermissionDeniedError,
    "NOT_FOUND": NotFoundError,
    "RESOURCE_EXHAUSTED": RateLimitedError,
    "UNAVAILABLE": OverloadedError,
    "DEADLINE_EXCEEDED": errors.TimeoutError,
    "INTERNAL": ServerError,
    "UNKNOWN": ServerError,
    "ABORTED": ServerError,
}
"""What the status names of google.rpc.Code mean."""

BAD_KEY: Final = frozenset({"API_KEY_INVALID", "API_KEY_EXPIRED", "ACCESS_TOKEN_EXPIRED"})
"""Reasons in google.rpc.ErrorInfo: the API answers a bad key with 400."""
WORDS: Final = Vocabulary(
    _STATUSES,
    {"exceeds the maximum number of tokens|input token count": ContextLengthError},
)
DAILY: Final = "perday"
"""In the id of a quota that is used up for today, without regard to case."""


def failure_of(status: int | None, body: bytes, headers: Headers) -> ProviderError:
    """The error of an answer that is no success."""
    told = _told(body)
    code = text_or_empty(told.get("status"))
    message = message_of(told.get("message"), body, status)
    details = [one for one in _list(told.get("details")) if isinstance(one, dict)]
    kind = _kind(status, told, message, details)
    wait = retry_after(headers)
    return kind(
        message,
        provider=PROVIDER,
        status=status,
        code=code or None,
        param=_field(details),
        request_id=headers.get("x-request-id") or _request_id(details),
        retry_after=_delay(details) if wait is None else wait,
    )


def failure_in(event: bytes) -> ProviderError:
    """The error that an event of a stream, or a body in spite of its status, tells of."""
    return failure_of(None, event, {})


def _told(body: bytes) -> Mapping[str, Any]:
    value = json_in(body)
    if isinstance(value, list) and value:  # a stream without alt=sse is an array
        value = value[0]
    error = value.get("error") if isinstance(value, dict) else None
    return error if isinstance(error, dict) else {}


def _kind(
    status: int | None, told: Mapping[str, Any], message: str, details: list[dict[str, Any]]
) -> type[ProviderError]:
    if any(detail.get("reason") in BAD_KEY for detail in details):
        return AuthenticationError
    code = told.get("code")
    fallback = class_of_status(status or (code if type(code) is int else 500))
    kind = WORDS.kind((text_or_empty(told.get("status")),), fallback, message)
    if kind is RateLimitedError and any(DAILY in one for one in _quotas(details)):
        return QuotaExceededError
    return kind


def _quotas(details: list[dict[str, Any]]) -> list[str]:
    violations = [one for detail in details for one in _list(detail.get("violations"))]
    return [
        text_or_empty(one.get("quotaId")).lower() for one in violations if isinstance(one, dict)
    ]


def _field(details: list[dict[str, Any]]) -> str | None:
    """What google.rpc.BadRequest says is wrong."""
    violations = [one for detail in details for one in _list(detail.get("fieldViolations"))]
    fields = [text_or_empty(one.get("field")) for one in violations if isinstance(one, dict)]
    return next((field for field in fields if field), None)


def _request_id(details: list[dict[str, Any]]) -> str | None:
    return next((found for one in details if (found := text_or_empty(one.get("requestId")))), None)


def _delay(details: list[dict[str, Any]]) -> float | None:
    """The seconds of google.rpc.RetryInfo, which JSON spells ``"1.5s"``."""
    for detail in details:
        said = text_or_empty(detail.get("retryDelay"))
        if said.endswith("s"):
            try:
                seconds = float(said[:-1])
            except ValueError:
                continue
            if 0 <= seconds < float("inf"):
                return seconds
    return None


def _list(value: object) -> list[Any]:
    return value if isinstance(value, list) else []
