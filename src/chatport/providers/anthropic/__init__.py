"""Anthropic's Messages API.

    from chatport import Client, Request, user
    from chatport.providers import anthropic

    with anthropic.Model("claude-opus-5") as model:
        print(Client(model).call(Request(user("Why?"))).text())

docs/providers/anthropic.md says what becomes what, and what is refused.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Final

from chatport.chat import Options
from chatport.providers.anthropic.codec import Messages
from chatport.providers.anthropic.words import NEWEST
from chatport.providers.connection import Connection, Endpoint
from chatport.providers.http_model import AsyncProviderModel, ProviderModel
from chatport.providers.transport import as_async_transport, as_transport

if TYPE_CHECKING:
    import httpx2

    from chatport.providers.connection import Key
    from chatport.providers.transport import AsyncTransport, Timeouts, Transport

__all__ = ["AsyncModel", "Messages", "Model"]

BASE_URL: Final = "https://api.anthropic.com"
KEY_VARIABLES: Final = ("ANTHROPIC_API_KEY",)
BASE_URL_VARIABLE: Final = "ANTHROPIC_BASE_URL"
KEY_HEADER: Final = "x-api-key"


class Model(ProviderModel):
    """A model of Anthropic's, or of a server that speaks as it does at `base_url`.

    `key` is one, or a function that gives one for each call; without, it comes from
    ``ANTHROPIC_API_KEY``. A server at a `base_url` given here never gets that one: it gets the
    `key` given here, or none. `options` are defaults under those of each request. `transport` is a
    `Transport` or an `httpx2.Client` of yours. `version` is the API's: the newest takes no
    temperature, top_p or top_k, ``2023-06-01`` does.
    """

    def __init__(
        self,
        name: str,
        *,
        key: Key = None,
        base_url: str | None = None,
        options: Options | None = None,
        timeouts: Timeouts | None = None,
        transport: Transport | httpx2.Client | None = None,
        version: str = NEWEST,
    ) -> None:
        connection = connected(name, key, base_url, options, timeouts, version)
        super().__init__(connection, as_transport(transport))


class AsyncModel(AsyncProviderModel):
    """The same for asynchronous clients; `key` may be asynchronous too."""

    def __init__(
        self,
        name: str,
        *,
        key: Key = None,
        base_url: str | None = None,
        options: Options | None = None,
        timeouts: Timeouts | None = None,
        transport: AsyncTransport | httpx2.AsyncClient | None = None,
        version: str = NEWEST,
    ) -> None:
        connection = connected(name, key, base_url, options, timeouts, version)
        super().__init__(connection, as_async_transport(transport))


def connected(
    name: str,
    key: Key,
    base_url: str | None,
    options: Options | None,
    timeouts: Timeouts | None,
    version: str = NEWEST,
) -> Connection:
    """The connection of a model."""
    if base_url is None:
        url = os.environ.get(BASE_URL_VARIABLE) or BASE_URL
        endpoint = Endpoint(url, KEY_VARIABLES, header=KEY_HEADER, prefix="")
    else:
        endpoint = Endpoint(base_url, header=KEY_HEADER, prefix="", demands_key=False)
    defaults = (options or Options()).replace(model=name)
    return Connection(Messages(version), endpoint, key=key, options=defaults, timeouts=timeouts)
