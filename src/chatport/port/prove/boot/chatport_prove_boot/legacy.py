"""google-generativeai: its gRPC transports get a channel to the loopback server.

`create_channel` of the generated transports is the one place where a client becomes a connection:
this also reaches programs that build the low-level clients themselves. Each call is transcoded with
the SDK's own REST bindings. The REST transport and the discovery document of the upload client are
led to the loopback server by their addresses.
"""

from __future__ import annotations

from types import ModuleType
from typing import Any

from chatport_prove_boot.imports import after_import

TRANSPORTS = (
    r"google\.ai\.generativelanguage_\w+\.services\.\w+\.transports\.(grpc|grpc_asyncio|rest)"
)
DISCOVERY = "/$discovery/rest"


def begin(settings: Any) -> None:
    """Redirect every transport of the API as its module is imported."""
    server = settings.server

    def redirect(module: ModuleType) -> None:
        kind = module.__name__.rpartition(".")[2]
        for name in dir(module):
            if name.startswith("_"):
                continue
            if kind == "rest" and name.endswith("RestTransport"):
                _give_address(getattr(module, name), server)
            elif kind == "grpc" and name.endswith("GrpcTransport"):
                _give_channel(getattr(module, name), server, asynchronous=False)
            elif kind == "grpc_asyncio" and name.endswith("GrpcAsyncIOTransport"):
                _give_channel(getattr(module, name), server, asynchronous=True)

    def discover(module: ModuleType) -> None:
        module.GENAI_API_DISCOVERY_URL = server + DISCOVERY  # type: ignore[attr-defined]

    after_import(TRANSPORTS, redirect)
    after_import(r"google\.generativeai\.client", discover)


def _give_channel(transport: Any, server: str, *, asynchronous: bool) -> None:
    def create_channel(host: str, credentials: Any = None, **_: Any) -> Any:
        from chatport_prove_boot import channel

        kind = channel.AsyncChannel if asynchronous else channel.Channel
        return kind(channel.Wire(server, host, credentials, asynchronous=asynchronous))

    transport.create_channel = staticmethod(create_channel)


def _give_address(transport: Any, server: str) -> None:
    plain = transport.__init__

    def initialise(self: Any, *, host: str = "", **options: Any) -> None:
        plain(self, host=server, **options)

    transport.__init__ = initialise
