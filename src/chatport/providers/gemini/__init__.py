"""The Gemini API, as Google's Developer API and its cloud, Vertex AI, serve it.

    from chatport import Client, Request, user
    from chatport.providers import gemini

    with gemini.Model("gemini-2.5-flash") as model:
        print(Client(model).call(Request(user("Why?"))).text())

docs/providers/gemini.md says what becomes what, and what is refused.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Final

from chatport.chat import Options
from chatport.providers.connection import Connection, Endpoint
from chatport.providers.gemini.codec import GenerateContent
from chatport.providers.gemini.credentials import CloudKey
from chatport.providers.http_model import AsyncProviderModel, ProviderModel
from chatport.providers.transport import as_async_transport, as_transport

if TYPE_CHECKING:
    import httpx2

    from chatport.providers.connection import Key
    from chatport.providers.transport import AsyncTransport, Timeouts, Transport

__all__ = ["AsyncModel", "AsyncVertexModel", "GenerateContent", "Model", "VertexModel"]

BASE_URL: Final = "https://generativelanguage.googleapis.com"
KEY_VARIABLES: Final = ("GOOGLE_API_KEY", "GEMINI_API_KEY")
BASE_URL_VARIABLE: Final = "GOOGLE_GEMINI_BASE_URL"
KEY_HEADER: Final = "x-goog-api-key"
VERTEX_VERSION: Final = "v1beta1"
PROJECT_VARIABLE: Final = "GOOGLE_CLOUD_PROJECT"
LOCATION_VARIABLE: Final = "GOOGLE_CLOUD_LOCATION"
MULTI_REGIONS: Final = frozenset({"us", "eu"})
"""Locations that are several regions, and have addresses of another form."""


class Model(ProviderModel):
    """A model of the Developer API, or of a server that speaks as it does at `base_url`.

    `key` is one, or a function that gives one for each call; without, it comes from
    ``GOOGLE_API_KEY`` or ``GEMINI_API_KEY``. A server at a `base_url` given here never gets that
    one: it gets the `key` given here, or none. `options` are defaults under those of each request.
    `transport` is a `Transport` or an `httpx2.Client` of yours. `version` is the API's.
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
        version: str = "v1",
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
        version: str = "v1",
    ) -> None:
        connection = connected(name, key, base_url, options, timeouts, version)
        super().__init__(connection, as_async_transport(transport))


class VertexModel(ProviderModel):
    """A model of Google's cloud.

    `key` is an access token, or a function that gives one for each call. Without, it comes from
    ``GOOGLE_OAUTH_ACCESS_TOKEN`` or ``CLOUDSDK_AUTH_ACCESS_TOKEN``, or is made of the application
    default credentials by google-auth, when that is installed. `project` and `location` come from
    ``GOOGLE_CLOUD_PROJECT`` and ``GOOGLE_CLOUD_LOCATION`` when not given, the location is else
    ``global``. Otherwise a `Model`.
    """

    def __init__(
        self,
        name: str,
        *,
        key: Key = None,
        project: str | None = None,
        location: str | None = None,
        base_url: str | None = None,
        options: Options | None = None,
        timeouts: Timeouts | None = None,
        transport: Transport | httpx2.Client | None = None,
        version: str = VERTEX_VERSION,
    ) -> None:
        place = vertex(project, location, base_url, version)
        connection = _connection(name, place, key or CloudKey(), options, timeouts)
        super().__init__(connection, as_transport(transport))


class AsyncVertexModel(AsyncProviderModel):
    """The same for asynchronous clients; `key` may be asynchronous too."""

    def __init__(
        self,
        name: str,
        *,
        key: Key = None,
        project: str | None = None,
        location: str | None = None,
        base_url: str | None = None,
        options: Options | None = None,
        timeouts: Timeouts | None = None,
        transport: AsyncTransport | httpx2.AsyncClient | None = None,
        version: str = VERTEX_VERSION,
    ) -> None:
        place = vertex(project, location, base_url, version)
        connection = _connection(name, place, key or CloudKey().in_a_loop, options, timeouts)
        super().__init__(connection, as_async_transport(transport))


def connected(
    name: str,
    key: Key,
    base_url: str | None,
    options: Options | None,
    timeouts: Timeouts | None,
    version: str = "v1",
) -> Connection:
    """The connection of a model of the Developer API."""
    if base_url is None:
        url = os.environ.get(BASE_URL_VARIABLE) or BASE_URL
        endpoint = Endpoint(url, KEY_VARIABLES, header=KEY_HEADER, prefix="")
    else:
        endpoint = Endpoint(base_url, header=KEY_HEADER, prefix="", demands_key=False)
    return _connection(name, (GenerateContent(version), endpoint), key, options, timeouts)


def vertex(
    project: str | None, location: str | None, base_url: str | None, version: str
) -> tuple[GenerateContent, Endpoint]:
    """The codec and the address of a project in a location. Raises `ValueError` without one."""
    project = project or os.environ.get(PROJECT_VARIABLE)
    location = location or os.environ.get(LOCATION_VARIABLE) or "global"
    if not project:
        raise ValueError(
            f"there is no project: set {PROJECT_VARIABLE} in the environment, or give `project`"
        )
    codec = GenerateContent(version, f"projects/{project}/locations/{location}")
    return codec, Endpoint(base_url or f"https://{_host(location)}")


def _host(location: str) -> str:
    if location == "global":
        return "aiplatform.googleapis.com"
    if location in MULTI_REGIONS:
        return f"aiplatform.{location}.rep.googleapis.com"
    return f"{location}-aiplatform.googleapis.com"


def _connection(
    name: str,
    place: tuple[GenerateContent, Endpoint],
    key: Key,
    options: Options | None,
    timeouts: Timeouts | None,
) -> Connection:
    codec, endpoint = place
    defaults = (options or Options()).replace(model=name)
    return Connection(codec, endpoint, key=key, options=defaults, timeouts=timeouts)
