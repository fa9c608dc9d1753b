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
from typing import TYPE_CHECKING
from urllib.parse import SplitResult, unquote, urlsplit
from urllib.request import getproxies, proxy_bypass

from chatport.providers.errors import TransportError

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
