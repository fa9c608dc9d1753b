"""OpenAI, and the many servers that speak its Chat Completions.

    from chatport import Client, Request, user
    from chatport.providers import openai

    with openai.Model("gpt-4.1-mini") as model:
        print(Client(model).call(Request(user("Why?"))).text())

docs/providers/openai.md says what becomes what, and what is refused.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Literal, TypeAlias

from chatport.chat import Options
from chatport.providers.catalogue import Catalogue
from chatport.providers.codec import WireRequest
from chatport.providers.connection import Connection, Endpoint
from chatport.providers.http_model import AsyncProviderModel, ProviderModel
from chatport.providers.openai import (
    chat_answer,
    chat_request,
    failures,
    responses_answer,
    responses_request,
)
from chatport.providers.openai.fields import PROVIDER
from chatport.providers.transport import as_async_transport, as_transport

if TYPE_CHECKING:
    import httpx2

    from chatport.chat import Request, Response
    from chatport.providers.codec import Codec, Headers, StreamDecoder
    from chatport.providers.connection import Key
    from chatport.providers.errors import ProviderError
    from chatport.providers.transport import AsyncTransport, Timeouts, Transport

API: TypeAlias = Literal["chat", "responses"]

BASE_URL: Final = "https://api.openai.com/v1"
KEY_VARIABLES: Final = ("OPENAI_API_KEY",)
BASE_URL_VARIABLE: Final = "OPENAI_BASE_URL"
CATALOGUE: Final = Catalogue("/models")
_ACCOUNT: Final[Mapping[str, str]] = {
    "openai-organization": "OPENAI_ORG_ID",
    "openai-project": "OPENAI_PROJECT_ID",
}
"""Headers that say for which account a key is used, and the variables they are taken from."""


@dataclass(frozen=True, slots=True)
class Chat:
    """The codec of Chat Completions. `limit` is the server's name for the limit of an answer."""

    limit: str = "max_completion_tokens"

    provider = PROVIDER
    catalogue = CATALOGUE

    def encode(self, request: Request, *, stream: bool) -> WireRequest:
        """See `Codec.encode`."""
        body = chat_request.encode(request, stream=stream, limit=self.limit)
        return WireRequest("/chat/completions", body, stream)

    def decode(self, request: Request, body: bytes, headers: Headers) -> Response:
        """See `Codec.decode`."""
        return chat_answer.decode(body)

    def decoder(self, request: Request, headers: Headers) -> StreamDecoder:
        """See `Codec.decoder`."""
        return chat_answer.ChatDecoder()

    def error(self, status: int, body: bytes, headers: Headers) -> ProviderError:
        """See `Codec.error`."""
        return failures.failure_of(status, body, headers)


@dataclass(frozen=True, slots=True)
class Responses:
    """The codec of Responses."""

    provider = PROVIDER
    catalogue = CATALOGUE

    def encode(self, request: Request, *, stream: bool) -> WireRequest:
        """See `Codec.encode`."""
        return WireRequest("/responses", responses_request.encode(request, stream=stream), stream)

    def decode(self, request: Request, body: bytes, headers: Headers) -> Response:
        """See `Codec.decode`."""
        return responses_answer.decode(body)

    def decoder(self, request: Request, headers: Headers) -> StreamDecoder:
        """See `Codec.decoder`."""
        return responses_answer.ResponsesDecoder()

    def error(self, status: int, body: bytes, headers: Headers) -> ProviderError:
        """See `Codec.error`."""
        return failures.failure_of(status, body, headers)


class Model(ProviderModel):
    """A model of OpenAI's, or of a server that speaks as OpenAI does at `base_url`.

    `api` is which of OpenAI's two protocols: ``chat``, Chat Completions, which others speak too, or
    ``responses``. `key` is one, or a function that gives one for each call; without, it comes from
    ``OPENAI_API_KEY``. A server at a `base_url` given here never gets that one: it gets the `key`
    given here, or none. `options` are defaults under those of each request. `transport` is a
    `Transport` or an `httpx2.Client` of yours.
    """

    def __init__(
        self,
        name: str,
        *,
        api: API = "chat",
        key: Key = None,
        base_url: str | None = None,
        options: Options | None = None,
        timeouts: Timeouts | None = None,
        transport: Transport | httpx2.Client | None = None,
    ) -> None:
        connection = connected(name, api, key, base_url, options, timeouts)
        super().__init__(connection, as_transport(transport))


class AsyncModel(AsyncProviderModel):
    """The same for asynchronous clients; `key` may be asynchronous too."""

    def __init__(
        self,
        name: str,
        *,
        api: API = "chat",
        key: Key = None,
        base_url: str | None = None,
        options: Options | None = None,
        timeouts: Timeouts | None = None,
        transport: AsyncTransport | httpx2.AsyncClient | None = None,
    ) -> None:
        connection = connected(name, api, key, base_url, options, timeouts)
        super().__init__(connection, as_async_transport(transport))


def connected(
    name: str,
    api: API,
    key: Key,
    base_url: str | None,
    options: Options | None,
    timeouts: Timeouts | None,
) -> Connection:
    """The connection of a model."""
    if api not in ("chat", "responses"):
        raise ValueError(f"api is 'chat' or 'responses', not {api!r}")
    codec: Codec = Chat() if base_url is None else Chat(limit="max_tokens")
    if api == "responses":
        codec = Responses()
    return Connection(
        codec,
        official() if base_url is None else Endpoint(base_url, demands_key=False),
        key=key,
        options=(options or Options()).replace(model=name),
        timeouts=timeouts,
    )


def official() -> Endpoint:
    """OpenAI itself, or what the environment has in its place."""
    headers = tuple(
        (header, value)
        for header, variable in _ACCOUNT.items()
        if (value := os.environ.get(variable))
    )
    return Endpoint(os.environ.get(BASE_URL_VARIABLE) or BASE_URL, KEY_VARIABLES, headers=headers)
