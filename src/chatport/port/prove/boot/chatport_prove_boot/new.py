"""google-genai: `GOOGLE_GEMINI_BASE_URL` leads it to the loopback server; the rest is done here.

Requests are marked with the line that sent them, and a client that was given an address of its own
is led to the loopback server too, with that address in a header so that it is compared.
"""

from __future__ import annotations

from types import ModuleType
from typing import Any

from chatport_prove_boot import place
from chatport_prove_boot.imports import after_import


def begin(settings: Any) -> None:
    """Mark and lead the requests of the HTTP clients that google-genai uses."""
    server = settings.server

    def patch(module: ModuleType) -> None:
        plain: Any = module.HTTPTransport.handle_request
        asynchronous: Any = module.AsyncHTTPTransport.handle_async_request

        def handle_request(self: Any, request: Any) -> Any:
            _lead(request, server, asynchronous=False)
            return plain(self, request)

        async def handle_async_request(self: Any, request: Any) -> Any:
            _lead(request, server, asynchronous=True)
            return await asynchronous(self, request)

        module.HTTPTransport.handle_request = handle_request  # type: ignore[attr-defined]
        module.AsyncHTTPTransport.handle_async_request = (  # type: ignore[attr-defined]
            handle_async_request
        )

    after_import(r"httpx2?\._transports\.default", patch)


WARM = (
    "HttpOptions",
    "GenerateContentConfig",
    "GenerateContentResponse",
    "CountTokensConfig",
    "EmbedContentConfig",
)


def warm() -> None:
    """Build the models that most programs use, which google-genai leaves to their first use."""
    from google.genai import types

    for name in WARM:
        getattr(types, name).model_rebuild()


def _lead(request: Any, server: str, *, asynchronous: bool) -> None:
    if "google-genai-sdk" not in request.headers.get("x-goog-api-client", ""):
        return
    request.headers.update(place.headers(asynchronous=asynchronous))
    target = str(request.url)
    if not target.startswith(f"{server}/"):
        address = f"{request.url.scheme}://{request.url.netloc.decode()}"
        request.headers[place.HOST_HEADER] = request.url.host
        request.url = type(request.url)(server + target[len(address) :])
        request.headers["host"] = request.url.netloc.decode()
