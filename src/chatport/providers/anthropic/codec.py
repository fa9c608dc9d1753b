"""The Messages API as a codec: what is sent, what comes back, and what went wrong."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import msgspec

from chatport.providers.anthropic.decode import AnthropicDecoder, response_in
from chatport.providers.anthropic.encode import betas_of, body_of
from chatport.providers.anthropic.failures import failure_of
from chatport.providers.anthropic.words import NEWEST, PROVIDER
from chatport.providers.catalogue import Catalogue
from chatport.providers.codec import WireRequest

if TYPE_CHECKING:
    from chatport.chat import Request, Response
    from chatport.providers.codec import Headers
    from chatport.providers.errors import ProviderError


@dataclass(frozen=True, slots=True)
class Messages:
    """The Messages API. `version` is its date: the newest does without sampling options."""

    version: str = NEWEST

    @property
    def provider(self) -> str:
        """``anthropic``."""
        return PROVIDER

    @property
    def catalogue(self) -> Catalogue:
        """Where the models are listed."""
        return Catalogue(
            "/v1/models?limit=1000",
            page="after_id",
            following="last_id",
            more="has_more",
            headers=(("anthropic-version", self.version),),
        )

    def encode(self, request: Request, *, stream: bool) -> WireRequest:
        """The request; see docs/providers/anthropic.md for what stands for what."""
        body = body_of(request, self.version)
        if stream:
            body["stream"] = True
        headers = (("anthropic-version", self.version), *betas_of(request.options))
        return WireRequest("/v1/messages", msgspec.json.encode(body), stream, headers=headers)

    def decode(self, request: Request, body: bytes, headers: Headers) -> Response:
        """The response in a body."""
        return response_in(request, body)

    def decoder(self, request: Request, headers: Headers) -> AnthropicDecoder:
        """What decodes a stream."""
        return AnthropicDecoder(request)

    def error(self, status: int, body: bytes, headers: Headers) -> ProviderError:
        """The error of an answer that is no success."""
        return failure_of(status, body, headers)
