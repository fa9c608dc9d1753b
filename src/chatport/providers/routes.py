"""How a server is reached: directly or through a proxy, and whom its certificate has to satisfy.

The environment decides, as it does for the standard library: ``HTTPS_PROXY``, ``HTTP_PROXY``,
``ALL_PROXY``, ``NO_PROXY`` and the settings of the system, ``SSL_CERT_FILE`` and ``SSL_CERT_DIR``.
"""

from __future__ import annotations

import os
import ssl
from base64 import b64encode
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TYPE_CHECKING, Final, NamedTuple
from urllib.parse import SplitResult, unquote, urlsplit
from urllib.request import getproxies, proxy_bypass

from chatport.providers.errors import TransportError
from chatport.providers.heads import Fields, request_line

if TYPE_CHECKING:
    from ssl import SSLContext


@dataclass(frozen=True, slots=True)
class Proxy:
    """An HTTP proxy. Its text does not show the password."""

    host: str
    port: int
    authorization: str | None = field(default=None, repr=False)
    """The value of ``proxy-authorization``."""

    @property
    def fields(self) -> Fields:
        """What it wants to be shown."""
        return (("proxy-authorization", self.authorization),) if self.authorization else ()

    @property
    def url(self) -> str:
        """Its address, without the password."""
        return f"http://{f'[{self.host}]' if ':' in self.host else self.host}:{self.port}"


def proxy_for(parts: SplitResult) -> Proxy | None:
    """The proxy that the environment has for an address; None to connect directly.

    Raises `TransportError` for a proxy that is not spoken to over plain HTTP.
    """
    proxies = getproxies()
    given = proxies.get(parts.scheme) or proxies.get("all")
    if not given or proxy_bypass(parts.netloc.rpartition("@")[2]):
        return None
    told = urlsplit(given if "://" in given else f"http://{given}")
    if told.scheme != "http" or not told.hostname:
        raise TransportError(
            f"the environment's proxy for {parts.scheme} is {told.scheme}://{told.hostname}, and "
            "only http:// is known here; give an httpx2.Client with that proxy as `transport`"
        )
    return Proxy(told.hostname, told.port or 80, _authorization(told))


def _authorization(told: SplitResult) -> str | None:
    if told.username is None:
        return None
    pair = f"{unquote(told.username)}:{unquote(told.password or '')}"
    return f"Basic {b64encode(pair.encode()).decode()}"


Origin = tuple[str, int, bool]
"""A host, a port, and whether it is spoken to over TLS: what connections have in common."""


class Way(NamedTuple):
    """How an address is reached, and what is asked there.

    `netloc` is what the server is told of itself, `target` what stands in the request line, and
    `fields` are those the way needs.
    """

    host: str
    port: int
    tls: SSLContext | None
    proxy: Proxy | None
    netloc: str
    target: str
    fields: Fields

    @property
    def origin(self) -> Origin:
        """What connections to it have in common."""
        return self.host, self.port, self.tls is not None

    def tunnel(self) -> bytes:
        """What its proxy is asked first, when the way leads through one."""
        assert self.proxy is not None
        at = f"{f'[{self.host}]' if ':' in self.host else self.host}:{self.port}"
        lines = [request_line("CONNECT", at), f"host: {at}"]
        lines += [f"{name}: {value}" for name, value in self.proxy.fields]
        return "\r\n".join([*lines, "", ""]).encode("ascii")

    def opened(self, status: int) -> None:
        """Raise `TransportError` unless the proxy's answer to that says it has a connection."""
        if not 200 <= status < 300 and self.proxy is not None:
            raise TransportError(f"the proxy at {self.proxy.url} answers with {status}")


class Ways:
    """The ways to addresses, each found once. `tls` is how certificates are verified, if not as
    the system says."""

    def __init__(self, tls: SSLContext | None) -> None:
        self._tls = tls
        self._known: dict[str, Way] = {}

    def to(self, address: str) -> Way:
        """The way to an address, which is a valid one."""
        way = self._known.get(address)
        if way is None:
            way = self._found(address)
            if len(self._known) < MAX_WAYS:
                self._known[address] = way
        return way

    def forget(self) -> None:
        """Find them anew."""
        self._known.clear()

    def _found(self, address: str) -> Way:
        parts = urlsplit(address)
        secure = parts.scheme == "https"
        netloc = parts.netloc if parts.netloc.isascii() else parts.netloc.encode("idna").decode()
        proxy = proxy_for(parts)
        in_full = proxy is not None and not secure
        return Way(
            parts.hostname or "",
            parts.port or (443 if secure else 80),
            (self._tls or tls_context()) if secure else None,
            proxy,
            netloc,
            # Plain requests go to the proxy itself, others through a tunnel.
            address if in_full else address.partition(parts.netloc)[2] or "/",
            proxy.fields if in_full and proxy is not None else (),
        )


MAX_WAYS: Final = 1000
"""Addresses whose ways are kept: a model has a few."""


@lru_cache(1)
def tls_context() -> SSLContext:
    """Verifies with the system's certificates, or with those that ``SSL_CERT_FILE`` names."""
    file, folder = os.environ.get("SSL_CERT_FILE"), os.environ.get("SSL_CERT_DIR")
    if file or folder:
        context = ssl.create_default_context(cafile=file or None, capath=folder or None)
    else:
        import truststore

        context = truststore.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.set_alpn_protocols(["http/1.1"])
    return context
