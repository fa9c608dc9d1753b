"""The Gemini API as a codec: what is sent, what comes back, and what went wrong."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING
from urllib.parse import quote

import msgspec

from chatport.chat import UnsupportedOptionError
from chatport.providers.catalogue import Catalogue
from chatport.providers.codec import WireRequest
from chatport.providers.gemini.decode import GeminiDecoder, response_in
from chatport.providers.gemini.encode import body_of
from chatport.providers.gemini.failures import failure_of
from chatport.providers.gemini.words import PROVIDER

if TYPE_CHECKING:
    from chatport.chat import Request, Response
    from chatport.providers.codec import Headers
    from chatport.providers.errors import ProviderError


@dataclass(frozen=True, slots=True)
class GenerateContent:
    """`generateContent` and `streamGenerateContent` of the Developer API, or of the cloud's.

    `version` leads the path. `parent` is the cloud's ``projects/P/locations/L``; without one the
    request is the Developer API's.
    """

    version: str = "v1"
    parent: str = ""

    @property
    def provider(self) -> str:
        """``gemini``."""
        return PROVIDER

    @property
    def catalogue(self) -> Catalogue:
        """Where the models are listed."""
        if self.parent:
            return replace(
                _LISTED,
                path=f"/{self.version}/publishers/google/models?pageSize=100",
                models="publisherModels",
                prefix="publishers/google/models/",
            )
        return replace(_LISTED, path=f"/{self.version}/models?pageSize=1000")

    def encode(self, request: Request, *, stream: bool) -> WireRequest:
        """The request; see docs/providers/gemini.md for what stands for what."""
        method = "streamGenerateContent?alt=sse" if stream else "generateContent"
        path = f"/{self.version}/{self._model(request.options.model)}:{method}"
        return WireRequest(path, msgspec.json.encode(body_of(request)), stream)

    def decode(self, request: Request, body: bytes, headers: Headers) -> Response:
        """The response in a body."""
        return response_in(body)

    def decoder(self, request: Request, headers: Headers) -> GeminiDecoder:
        """What decodes a stream."""
        return GeminiDecoder()

    def error(self, status: int, body: bytes, headers: Headers) -> ProviderError:
        """The error of an answer that is no success."""
        return failure_of(status, body, headers)

    def _model(self, name: str | None) -> str:
        """The model's place in the path."""
        if name is None:
            raise UnsupportedOptionError("gemini: a request needs the name of a model", _MODEL)
        if any(step in ("", ".", "..") for step in name.split("/")):
            raise UnsupportedOptionError(f"gemini: {name[:60]!a} is no name of a model", _MODEL)
        known = ("publishers/", "projects/") if self.parent else ("models/", "tunedModels/")
        if not name.startswith(known):
            name = f"publishers/google/models/{name}" if self.parent else f"models/{name}"
        if self.parent and not name.startswith("projects/"):
            name = f"{self.parent}/{name}"
        return quote(name, safe="/")


_MODEL = "options.model"
_LISTED = Catalogue(
    "",
    models="models",
    name="name",
    prefix="models/",
    page="pageToken",
    following="nextPageToken",
    methods="supportedGenerationMethods",
    method="generateContent",
)
