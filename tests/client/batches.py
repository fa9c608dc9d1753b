"""A kitchen of tools, and the ways its batches are run."""

from __future__ import annotations

import asyncio
from typing import Any

from chatport import (
    Request,
    Response,
    ToolCall,
    ToolResultPart,
    Usage,
    tool,
    user,
)


class Kitchen:
    """Tools that note what they did."""

    def __init__(self, asynchronous: bool = False) -> None:
        self.ran: list[str] = []

        @tool
        def cook(dish: str) -> str:
            self.ran.append(dish)
            return f"{dish} cooked"

        @tool(name="cook")
        async def cook_later(dish: str) -> str:
            await asyncio.sleep(0)
            self.ran.append(dish)
            return f"{dish} cooked"

        self.cook: Any = cook_later if asynchronous else cook

    def failing(self, error: BaseException) -> Any:
        @tool
        def burn(dish: str) -> str:
            self.ran.append(f"{dish}!")
            raise error

        return burn


def cook(id: str, dish: str) -> ToolCall:  # noqa: A002
    return ToolCall(id, "cook", f'{{"dish": "{dish}"}}')


def burn(id: str, dish: str = "toast") -> ToolCall:  # noqa: A002
    return ToolCall(id, "burn", f'{{"dish": "{dish}"}}')


HUNGRY = Request(user("I am hungry."))


def results_of(request: Request) -> list[tuple[str, str | None, bool]]:
    parts = [part for part in request.messages[-1].parts if isinstance(part, ToolResultPart)]
    results = [part.tool_result for part in parts]
    return [(result.id, result.output.text(), result.is_error) for result in results]


class PartialError(Exception):
    def __init__(self, response: Response) -> None:
        super().__init__("interrupted")
        self.response = response


# What the whole costs, and the rounds it took


SMALL, LARGE = Usage(input_tokens=10, output_tokens=2), Usage(input_tokens=30, output_tokens=5)


def texts(*pieces: str, reason: Any = "stop") -> list[Any]:
    from chatport import ResponseDelta, TextDelta

    return [
        *(ResponseDelta(TextDelta(piece)) for piece in pieces),
        ResponseDelta(finish_reason=reason),
    ]
