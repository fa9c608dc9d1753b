"""A model by one string: ``gemini:gemini-2.5-flash``, ``openai+http://localhost:11434/v1:llama3.2``."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING, Any, Final, Protocol, Self

from chatport.chat import ChatError

if TYPE_CHECKING:
    from chatport.chat import Request, Response, ResponseDelta


class UnknownModelError(ChatError, ValueError):
    """A string names no model. The message says what it could be."""


@dataclass(frozen=True, slots=True)
class Provider:
    """A provider by the name a string begins with.

    `module` has its `Model` and `AsyncModel`; `variables` are where a key is looked for; `example`
    is a string; `speaks` says what it is; `settings` are the model's. Only one with `has_address`
    can be at another address. `kind` comes before the names of its classes.
    """

    name: str
    module: str
    speaks: str
    example: str
    variables: tuple[str, ...] = ()
    has_address: bool = True
    settings: tuple[tuple[str, object], ...] = ()
    kind: str = ""


PROVIDERS: Final = {
    provider.name: provider
    for provider in (
        Provider(
            "gemini",
            "chatport.providers.gemini",
            "Google's Gemini",
            "gemini:gemini-2.5-flash",
            ("GOOGLE_API_KEY", "GEMINI_API_KEY"),
        ),
        Provider(
            "vertex",
            "chatport.providers.gemini",
            "Gemini in Google's cloud, of the project in GOOGLE_CLOUD_PROJECT",
            "vertex:gemini-2.5-flash",
            ("GOOGLE_OAUTH_ACCESS_TOKEN", "CLOUDSDK_AUTH_ACCESS_TOKEN"),
            kind="Vertex",
        ),
        Provider(
            "openai",
            "chatport.providers.openai",
            "OpenAI, and every server that speaks its Chat Completions",
            "openai:gpt-4.1-mini",
            ("OPENAI_API_KEY",),
        ),
        Provider(
            "openai-responses",
            "chatport.providers.openai",
            "OpenAI's Responses",
            "openai-responses:gpt-5-mini",
            ("OPENAI_API_KEY",),
            settings=(("api", "responses"),),
        ),
        Provider(
            "anthropic",
            "chatport.providers.anthropic",
            "Anthropic's Claude",
            "anthropic:claude-sonnet-4-5",
            ("ANTHROPIC_API_KEY",),
        ),
        Provider(
            "echo", "chatport.providers.echo", "says again what it is told", "echo",
            has_address=False,
        ),
    )
}  # fmt: skip
"""The providers, by name."""


class AnyModel(Protocol):
    """What every provider's `Model` is: a model and streamer that can be closed."""

    def call(self, request: Request, /) -> Response: ...
    def stream(self, request: Request, /) -> Iterator[ResponseDelta]: ...
    def models(self) -> list[str]: ...
    def close(self) -> None: ...
    def __enter__(self) -> Self: ...
    def __exit__(self, *raised: object) -> None: ...


class AnyAsyncModel(Protocol):
    """What every provider's `AsyncModel` is."""

    async def call(self, request: Request, /) -> Response: ...
    def stream(self, request: Request, /) -> AsyncIterator[ResponseDelta]: ...
    async def models(self) -> list[str]: ...
    async def aclose(self) -> None: ...
    async def __aenter__(self) -> Self: ...
    async def __aexit__(self, *raised: object) -> None: ...


def model(name: str, **settings: Any) -> AnyModel:
    """The model a string names: ``provider:model``, or ``provider+address:model`` for a server.

    ``chatport.model("openai+http://localhost:11434/v1:llama3.2")``. The settings are those of the
    provider's `Model`: `key`, `options`, `timeouts`, `transport` … Use it with ``with``, or close
    it. Raises `UnknownModelError`.
    """
    made: AnyModel = _made("", *parsed(name), settings)
    return made


def async_model(name: str, **settings: Any) -> AnyAsyncModel:
    """The same for asynchronous clients: an `AsyncModel`."""
    made: AnyAsyncModel = _made("Async", *parsed(name), settings)
    return made


def models(name: str, **settings: Any) -> list[str]:
    """The strings of all models that a provider has for a key; it is asked.

    `name` is ``provider`` or ``provider+address``, the settings are those of `model`. Raises
    `UnknownModelError`, and `ProviderError` by its subclasses.
    """
    provider, address, _ = parsed(name, lists=True)
    with _made("", provider, address, provider.name, settings) as model:
        start = provider.name if address is None else f"{provider.name}+{address}"
        return [one if one == start else f"{start}:{one}" for one in model.models()]


def _made(
    twin: str, provider: Provider, address: str | None, name: str, settings: dict[str, Any]
) -> Any:
    if address is not None:
        if "base_url" in settings:
            raise UnknownModelError(f"{address} is the address already; leave out base_url")
        settings = {**settings, "base_url": address}
    kind = getattr(import_module(provider.module), f"{twin}{provider.kind}Model")
    return kind(name, **{**dict(provider.settings), **settings})


def parsed(name: str, *, lists: bool = False) -> tuple[Provider, str | None, str]:
    """The provider, the address if there is one, and the model of a string.

    The model may be left out by what `lists` them. Raises `UnknownModelError`.
    """
    if not isinstance(name, str) or not (found := _NAME.fullmatch(name.strip())):
        raise UnknownModelError(f"{name!r} names no model; {_FORM}")
    word, address, rest = found["provider"], found["address"], found["model"]
    provider = PROVIDERS.get(word)
    if provider is None:
        raise UnknownModelError(f"there is no provider {word!r}; {_meant(word)}{_FORM}")
    if address is not None and not provider.has_address:
        raise UnknownModelError(f"{word} has one address only; leave out +{address}")
    if not rest and not lists and provider.name != "echo":
        raise UnknownModelError(f"{name!r} lacks the model; write for example {provider.example}")
    return provider, address, rest or provider.name


def _meant(word: str) -> str:
    from difflib import get_close_matches

    close = get_close_matches(word, PROVIDERS, n=1)
    return f"did you mean {close[0]!r}? " if close else ""


_NAME: Final = re.compile(
    r"(?P<provider>[a-z][a-z0-9-]*)"
    # An address may have a port, so the model begins at the colon after the host, port and path.
    r"(?:\+(?P<address>https?://(?:\[[^\]\s]+\]|[^/:\s]+)(?::\d+)?(?:/[^:\s]*)?))?"
    r"(?::(?P<model>\S+))?"
)
_FORM: Final = (
    "a model is named provider:model or provider+address:model, with one of the providers "
    + ", ".join(PROVIDERS)
)
