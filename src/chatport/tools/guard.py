"""A tool behind a policy that decides, call by call, whether it may run."""

from __future__ import annotations

import inspect
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any

from chatport.chat import ToolDefinition
from chatport.chat.cancellation import checkpoint
from chatport.tools._dual import ASYNC, SYNC, Runtime, run_now
from chatport.tools.contract import Invocation, Tool, is_async, read_definition, run_tool
from chatport.tools.errors import AuthorizationError, Failure, InvalidToolError


@dataclass(frozen=True, slots=True)
class Authorization:
    """What a policy decides on: the tool's definition and the admitted argument text."""

    definition: ToolDefinition
    arguments: str


Authorizer = Callable[[Authorization], bool | Awaitable[bool]]
"""Decides whether a call may run. To raise is not to decide, and the tool does not run."""


class Guard:
    """A tool that runs only when its policy allows the call.

    Raises, when called: `Failure` of kind ``rejected`` when the policy says no,
    `AuthorizationError` when the policy itself raises. A call already cancelled does not reach
    the policy, and one cancelled meanwhile does not run. Raises `InvalidToolError` for an
    unusable tool or policy.
    """

    def __init__(self, tool: Tool, authorizer: Authorizer) -> None:
        if tool is None:
            raise InvalidToolError("a guard needs a tool", "tool")
        if not callable(authorizer):
            raise InvalidToolError("a guard needs a policy that can be called", "authorizer")
        self.wrapped: Tool = tool
        self.definition: ToolDefinition = read_definition(tool)
        self._authorizer = authorizer
        self._inner_is_async = is_async(tool)
        self.is_async: bool = self._inner_is_async or inspect.iscoroutinefunction(authorizer)

    def call(self, invocation: Invocation, /) -> Any:
        """Ask the policy, then run the tool. A coroutine when the tool or the policy is one."""
        if self.is_async:
            return self._call(invocation, ASYNC)
        return run_now(self._call(invocation, SYNC))

    async def _call(self, invocation: Invocation, run: Runtime) -> Any:
        checkpoint()
        if not await self._allowed(invocation, run):
            raise Failure("rejected", f"{self.definition.name} was not allowed to run")
        checkpoint()
        return await run_tool(
            self.wrapped, asynchronous=self._inner_is_async, invocation=invocation, run=run
        )

    async def _allowed(self, invocation: Invocation, run: Runtime) -> bool:
        question = Authorization(self.definition, invocation.arguments)
        try:
            return bool(await run.resolve(self._authorizer(question)))
        except Exception as error:
            reason = error
        # Raised outside the handler: the policy's exception must not become the context of this
        # one.
        checkpoint()
        raise AuthorizationError(self.definition.name, reason)
