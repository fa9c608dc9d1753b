"""Middleware that keeps forbidden content from a model and from its caller."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Literal, Protocol, cast

from chatport.chat import (
    Message,
    ReasoningDelta,
    ReasoningPart,
    RefusalDelta,
    RefusalPart,
    Request,
    Response,
    ResponseAccumulator,
    ResponseDelta,
    TextDelta,
    TextPart,
    ToolCallDelta,
    ToolCallPart,
    ToolResultPart,
)
from chatport.chat.cancellation import checkpoint
from chatport.client.errors import Block, InvalidSafeguardError, UnsafeContentError
from chatport.client.layer import Ask, Layer, Open
from chatport.tools._dual import Runtime, closing

Scope = Literal["input", "output", "both"]
Screened = Literal["text", "refusal", "reasoning", "tool_arguments", "tool_results"]

_SCREENED: Mapping[str, tuple[type, ...]] = {
    "text": (TextPart, TextDelta),
    "refusal": (RefusalPart, RefusalDelta),
    "reasoning": (ReasoningPart, ReasoningDelta),
    "tool_arguments": (ToolCallPart, ToolCallDelta),
    "tool_results": (ToolResultPart,),
}
"""What can be screened, by the parts that hold it."""


@dataclass(frozen=True, slots=True)
class Match:
    """What a matcher says of a text. `term` is what was found, or None when it may not be told."""

    found: bool
    term: str | None = None


NO_MATCH = Match(found=False)


class Matcher(Protocol):
    """Finds forbidden content. May be asynchronous. To raise is to block."""

    def match(self, text: str, /) -> Match | Awaitable[Match]:
        """Whether the whole text is forbidden, and why."""


class StreamMatcher(Protocol):
    """A matcher that can follow a growing text at a cost that does not grow with it."""

    def follow(self) -> Callable[[str], Match]:
        """A function for the pieces of one text, in order; it finds terms that span pieces."""


class Substrings:
    """Matches any of some terms, without regard to case unless asked.

    Terms are stripped, blank ones dropped, and of those that fold alike the first is kept. The
    first term in order that occurs is the one reported, in the spelling given, or not at all with
    `hide_term`. Comparison is by full Unicode case folding (``ß`` is ``ss``) and without
    normalisation (``é`` is not ``e`` and an accent). Raises `InvalidSafeguardError` when no term
    is left.
    """

    def __init__(self, *terms: str, case_sensitive: bool = False, hide_term: bool = False) -> None:
        self._fold: Callable[[str], str] = str if case_sensitive else str.casefold
        kept: dict[str, str] = {}
        for term in terms:
            if not isinstance(term, str):
                raise InvalidSafeguardError(f"expected text, got {type(term).__name__}", "terms")
            if term.strip():
                kept.setdefault(self._fold(term.strip()), term.strip())
        if not kept:
            raise InvalidSafeguardError("give it at least one term that is not blank", "terms")
        self._terms = kept
        self._overlap = max(map(len, kept)) - 1
        self._hide = hide_term

    def match(self, text: str, /) -> Match:
        """Whether the text holds a term."""
        checkpoint()
        return self._find(self._fold(text))

    def follow(self) -> Callable[[str], Match]:
        """Follow a growing text, looking again only at as much of its end as a term can span."""
        tail = ""

        def look(piece: str) -> Match:
            nonlocal tail
            checkpoint()
            window = tail + self._fold(piece)
            tail = window[-self._overlap :] if self._overlap else ""
            return self._find(window)

        return look

    def _find(self, folded: str) -> Match:
        for key, term in self._terms.items():
            if key in folded:
                return Match(found=True, term=None if self._hide else term)
        return NO_MATCH


class Safeguard(Layer):
    """Blocks requests and responses that a matcher finds unsafe, and fails closed.

    On the way in, system and user messages are screened, each on its own and then all as one
    text, so that a term split over two messages is found. On the way out, the response's text,
    also of a response that comes along with an error. `screen` names what else to look at:
    ``refusal``, ``reasoning``, ``tool_arguments`` on the way out, ``tool_results`` on the way in.
    In a stream nothing is passed on before it has been screened.

    `on_block` is called once per block, before `UnsafeContentError` is raised. An exception of
    the matcher passes as it is. Raises `InvalidSafeguardError` when configured wrongly.
    """

    def __init__(
        self,
        matcher: Matcher,
        *,
        scope: Scope = "both",
        screen: Iterable[Screened] = ("text",),
        on_block: Callable[[Block], object] | None = None,
    ) -> None:
        if not callable(getattr(matcher, "match", None)):
            raise InvalidSafeguardError("a matcher has a method match", "matcher")
        if scope not in ("input", "output", "both"):
            raise InvalidSafeguardError(f"{scope!r} is none of input, output, both", "scope")
        screened = tuple(screen)
        for name in screened:
            if name not in _SCREENED:
                raise InvalidSafeguardError(f"{name!r} is none of {', '.join(_SCREENED)}", "screen")
        self._matcher = matcher
        self._scope = scope
        self._kinds = tuple(kind for name in screened for kind in _SCREENED[name])
        self._results = "tool_results" in screened
        self._on_block = on_block

    async def on_call(self, request: Request, below: Ask, run: Runtime) -> Response:
        await self._screen_input(request, run)
        try:
            response = await below(request)
        except Exception as error:
            await self._screen_response(getattr(error, "response", None), run, cause=error)
            raise
        await self._screen_response(response, run)
        return response

    async def on_stream(
        self,
        request: Request,
        below: Open,
        run: Runtime,
    ) -> AsyncIterator[ResponseDelta]:
        await self._screen_input(request, run)
        accumulator = ResponseAccumulator()
        follow = self._followers(run)
        async with closing(below(request)) as source:
            async for delta in source:
                accumulator.add(delta)
                if self._scope != "input":
                    for part in delta.parts:
                        if isinstance(part, self._kinds):
                            await follow(type(part), _text_of(part))
                yield delta

    async def _screen_input(self, request: Request, run: Runtime) -> None:
        if self._scope == "output":
            return
        texts = [text for message in request.messages if (text := self._input_text(message))]
        if len(texts) > 1:
            texts.append("".join(texts))
        for text in texts:
            self._judge(await run.resolve(self._matcher.match(text)), "input")

    def _input_text(self, message: Message) -> str:
        if message.role in ("system", "user"):
            return message.text()
        if message.role == "tool" and self._results:
            return "".join(_text_of(part) for part in message.parts)
        return ""

    async def _screen_response(
        self, response: object, run: Runtime, cause: Exception | None = None
    ) -> None:
        if self._scope == "input" or not isinstance(response, Response) or not response.message:
            return
        parts = [part for part in response.message.parts if isinstance(part, self._kinds)]
        for kind in dict.fromkeys(map(type, parts)):
            text = "".join(_text_of(part) for part in parts if type(part) is kind)
            if text:
                self._judge(await run.resolve(self._matcher.match(text)), "output", cause)

    def _followers(self, run: Runtime) -> Callable[[type, str], Awaitable[None]]:
        """Screens pieces of text, each kind apart; in linear time when the matcher can follow."""
        follow = getattr(self._matcher, "follow", None)
        looks: dict[type, Callable[[str], Match]] = {}
        seen: dict[type, str] = {}

        async def look(kind: type, piece: str) -> None:
            if follow is not None:
                if kind not in looks:
                    looks[kind] = follow()
                self._judge(looks[kind](piece), "output")
            else:
                seen[kind] = seen.get(kind, "") + piece
                self._judge(await run.resolve(self._matcher.match(seen[kind])), "output")

        return look

    def _judge(
        self, match: Match, side: Literal["input", "output"], cause: Exception | None = None
    ) -> None:
        if not isinstance(match, Match):
            raise InvalidSafeguardError(
                f"a matcher returns a Match, not {type(match).__name__}", "matcher"
            )
        if not match.found:
            return
        block = Block(side, match.term)
        if self._on_block is not None:
            self._on_block(block)
        raise UnsafeContentError(block) from cause


def _text_of(part: object) -> str:
    if isinstance(part, (ToolCallPart, ToolCallDelta)):
        return part.tool_call.arguments
    if isinstance(part, ToolResultPart):
        return part.tool_result.output.text() or ""
    return cast(str, getattr(part, "text", ""))
