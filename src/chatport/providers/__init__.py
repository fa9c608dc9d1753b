# ruff: noqa: I001  (the sorter would give every re-exported name an import of its own)
"""Providers: pure wire codecs, one package a wire protocol, over one shared transport.

The names are imported on first use; `openai` and its siblings are modules of their own.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from chatport.providers.asyncio_transport import AsyncioTransport as AsyncioTransport
    from chatport.providers.codec import (
        Codec as Codec,
        StreamDecoder as StreamDecoder,
        WireRequest as WireRequest,
    )
    from chatport.providers.connection import (
        Connection as Connection,
        Endpoint as Endpoint,
        Key as Key,
    )
    from chatport.providers.discovery import (
        AnyAsyncModel as AnyAsyncModel,
        AnyModel as AnyModel,
        UnknownModelError as UnknownModelError,
        async_model as async_model,
        model as model,
        models as models,
    )
    from chatport.providers.errors import (
        AuthenticationError as AuthenticationError,
        ClosedError as ClosedError,
        ContentBlockedError as ContentBlockedError,
        ContextLengthError as ContextLengthError,
        CutStreamError as CutStreamError,
        InvalidRequestError as InvalidRequestError,
        MissingKeyError as MissingKeyError,
        NotFoundError as NotFoundError,
        OverloadedError as OverloadedError,
        PermissionDeniedError as PermissionDeniedError,
        ProviderError as ProviderError,
        QuotaExceededError as QuotaExceededError,
        RateLimitedError as RateLimitedError,
        RedirectError as RedirectError,
        ServerError as ServerError,
        TimeoutError as TimeoutError,  # noqa: A004
        TransportError as TransportError,
        UnexpectedAnswerError as UnexpectedAnswerError,
    )
    from chatport.providers.http_model import (
        AsyncProviderModel as AsyncProviderModel,
        ProviderModel as ProviderModel,
    )
    from chatport.providers.httpx2_transport import (
        AsyncHttpx2Transport as AsyncHttpx2Transport,
        Httpx2Transport as Httpx2Transport,
    )
    from chatport.providers.sse import Event as Event
    from chatport.providers.standard_transport import StandardTransport as StandardTransport
    from chatport.providers.transport import (
        Answer as Answer,
        AsyncAnswer as AsyncAnswer,
        AsyncTransport as AsyncTransport,
        Call as Call,
        Timeouts as Timeouts,
        Transport as Transport,
    )

_NAMES: Final = {
    "asyncio_transport": "AsyncioTransport",
    "codec": "Codec StreamDecoder WireRequest",
    "connection": "Connection Endpoint Key",
    "discovery": "AnyAsyncModel AnyModel UnknownModelError async_model model models",
    "errors": (
        "AuthenticationError ClosedError ContentBlockedError ContextLengthError CutStreamError "
        "InvalidRequestError MissingKeyError NotFoundError OverloadedError PermissionDeniedError "
        "ProviderError QuotaExceededError RateLimitedError RedirectError ServerError TimeoutError "
        "TransportError UnexpectedAnswerError"
    ),
    "http_model": "AsyncProviderModel ProviderModel",
    "httpx2_transport": "AsyncHttpx2Transport Httpx2Transport",
    "sse": "Event",
    "standard_transport": "StandardTransport",
    "transport": "Answer AsyncAnswer AsyncTransport Call Timeouts Transport",
}
_HOME: Final = {name: module for module, names in _NAMES.items() for name in names.split()}

__all__ = sorted(_HOME)


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(f"{__name__}.{_HOME[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *_HOME})
