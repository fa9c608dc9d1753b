"""What can go wrong between a client and a provider, by class.

::

    ChatError
    └── ProviderError                   whatever came of one exchange with a provider
        ├── AuthenticationError         the key is missing or refused
        │   └── MissingKeyError         … no key was given and none found; nothing was sent
        ├── PermissionDeniedError       the key is fine and may not do this
        ├── NotFoundError               no such model, or no such address
        ├── InvalidRequestError         the provider finds the request faulty
        │   └── ContextLengthError      … because it is longer than the model's context
        ├── ContentBlockedError         a policy blocked the prompt, or the whole answer
        ├── RateLimitedError            too many requests or tokens at the moment
        │   └── QuotaExceededError      … and waiting does not help: what was paid for is used up
        ├── OverloadedError             the provider has too much to do
        ├── ServerError                 the provider failed
        ├── UnexpectedAnswerError       what came is not what the protocol says
        │   └── CutStreamError          … a stream ended before the provider said it was whole
        └── TransportError              nothing came, or the connection broke
            ├── TimeoutError            … in the time there was
            ├── RedirectError           … but a redirect, which is not followed
            └── ClosedError             … because the model was closed

None of them holds the key, neither in its message nor in its causes.
"""

from __future__ import annotations

import builtins
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Final

from chatport.chat import ChatError, IncompleteStreamError
from chatport.chat import InvalidRequestError as FaultyRequestError

if TYPE_CHECKING:
    from chatport.chat import Message, Usage


class ProviderError(ChatError):
    """An exchange with a provider failed.

    `message` is the provider's own, or what happened. `provider` is its name; `status` the HTTP
    status, None when none came or the error came inside a stream; `code` the provider's word for
    the error; `param` its word for what is wrong in the request; `request_id` what its support asks
    for; `retry_after` seconds it wants to be left alone. `partial` is the message received until
    then and `usage` its cost, when a stream had begun.
    """

    retryable: ClassVar[bool] = False
    """Whether the same request may succeed later."""

    def __init__(
        self,
        message: str,
        *,
        provider: str = "",
        status: int | None = None,
        code: str | None = None,
        param: str | None = None,
        request_id: str | None = None,
        retry_after: float | None = None,
    ) -> None:
        # Not cooperative: the other bases of some of these classes take other arguments.
        Exception.__init__(self, message)
        self.message: str = message
        self.provider: str = provider
        self.status: int | None = status
        self.code: str | None = code
        self.param: str | None = param
        self.request_id: str | None = request_id
        self.retry_after: float | None = retry_after
        self.partial: Message | None = None
        self.usage: Usage | None = None

    def redact(self, secret: str) -> None:
        """Take a secret out of everything the provider said."""
        for name, said in tuple(vars(self).items()):
            if isinstance(said, str):
                setattr(self, name, said.replace(secret, "[key]"))
        self.args: tuple[Any, ...] = (self.message,)

    def __str__(self) -> str:
        known = [str(fact) for fact in (self.status, self.code) if fact is not None]
        what = " ".join(filter(None, (self.provider, *known)))
        request = f" (request {self.request_id})" if self.request_id else ""
        return f"{what}: {self.message}{request}" if what else f"{self.message}{request}"


class AuthenticationError(ProviderError):
    """The provider does not accept the key."""


class MissingKeyError(AuthenticationError):
    """No key was given and the environment has none. Nothing was sent.

    `variables` are the names that were looked up in it.
    """

    variables: tuple[str, ...] = ()


class PermissionDeniedError(ProviderError):
    """The key may not do this."""


class NotFoundError(ProviderError):
    """The provider has no such model, or the address is wrong."""


class InvalidRequestError(ProviderError, FaultyRequestError):
    """The provider finds the request faulty; it is of the class that faulty requests raise here.

    `problem` is the provider's message, `path` what it says is wrong.
    """

    def __init__(
        self,
        message: str,
        *,
        provider: str = "",
        status: int | None = None,
        code: str | None = None,
        param: str | None = None,
        request_id: str | None = None,
        retry_after: float | None = None,
    ) -> None:
        super().__init__(
            message,
            provider=provider,
            status=status,
            code=code,
            param=param,
            request_id=request_id,
            retry_after=retry_after,
        )
        self.problem: str = message
        self.path: str = param or ""


class ContextLengthError(InvalidRequestError):
    """The request, or request and answer together, are longer than the model's context."""


class ContentBlockedError(ProviderError):
    """A policy of the provider's blocked the prompt, or an answer of which nothing came."""


class RateLimitedError(ProviderError):
    """Too many requests or tokens for now."""

    retryable = True


class QuotaExceededError(RateLimitedError):
    """What the account may use is used up; the same request fails until that is changed."""

    retryable = False


class OverloadedError(ProviderError):
    """The provider has too much to do at the moment."""

    retryable = True


class ServerError(ProviderError):
    """The provider failed."""

    retryable = True


class UnexpectedAnswerError(ProviderError):
    """What came is not what the protocol says: no JSON, a page of HTML, no answer in it."""


class CutStreamError(UnexpectedAnswerError, IncompleteStreamError):
    """A stream ended and the provider had not said that the answer was whole."""

    retryable = True


class TransportError(ProviderError):
    """The provider could not be reached, or the connection broke."""

    retryable = True


class TimeoutError(TransportError, builtins.TimeoutError):  # noqa: A001
    """Connecting, the next bytes, or the whole took longer than allowed."""


class ClosedError(TransportError):
    """The model has been closed."""

    retryable = False


class RedirectError(TransportError):
    """The server redirects. That is not followed: the key would go where it was not meant for."""

    retryable = False


BY_STATUS: Final[Mapping[int, type[ProviderError]]] = {
    400: InvalidRequestError,
    401: AuthenticationError,
    403: PermissionDeniedError,
    404: NotFoundError,
    405: NotFoundError,
    408: TimeoutError,
    409: ServerError,
    413: InvalidRequestError,
    422: InvalidRequestError,
    425: OverloadedError,
    429: RateLimitedError,
    503: OverloadedError,
    504: ServerError,
    529: OverloadedError,
}
"""What a status means when the provider's own code says nothing more exact."""


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """What one provider's words for an error mean: its codes, and phrases where it has no code."""

    codes: Mapping[str, type[ProviderError]]
    phrases: Mapping[str, type[ProviderError]]
    """Patterns of a message, whatever its case, that make of a faulty request another class."""

    def kind(
        self, words: Iterable[str | None], fallback: type[ProviderError], message: str
    ) -> type[ProviderError]:
        """The class of an error: of the first of its words that is known, else the fallback."""
        known = (self.codes[word] for word in words if word and word in self.codes)
        found = next(known, fallback)
        if issubclass(found, InvalidRequestError):
            for pattern, meant in self.phrases.items():
                if re.search(pattern, message, re.IGNORECASE):
                    return meant
        return found


def class_of_status(status: int) -> type[ProviderError]:
    """The class of error for an HTTP status that is not 2xx."""
    found = BY_STATUS.get(status)
    if found is not None:
        return found
    if 300 <= status < 400:
        return RedirectError
    if status < 200:
        return UnexpectedAnswerError
    return ServerError if status >= 500 else InvalidRequestError
