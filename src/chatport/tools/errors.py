"""What can go wrong with a tool, by class.

::

    ChatError
    ├── InvalidToolError            the tool itself is unusable
    │   └── InvalidWrappingError    its wrappers form a cycle or go too deep
    ├── InvalidInvocationError      a proposed call is not admitted; nothing has run
    ├── DuplicateToolError          two tools of one name
    ├── InvalidFailureError         a Failure or CallError was made wrongly
    ├── Failure                     the tool ran, or was refused, and definitely did not succeed
    ├── CallError                   the tool broke off; evidence, but no verdict
    └── AuthorizationError          the policy itself broke off
"""

from __future__ import annotations

from typing import Any, Literal

from chatport.chat import ChatError, InvalidValueError, ToolOutput

FailureKind = Literal["failed", "rejected"]


class InvalidToolError(InvalidValueError):
    """A tool cannot be bound: its definition, schema, function or validator is unusable."""


class InvalidWrappingError(InvalidToolError):
    """A tool is wrapped more than 64 times, or wraps itself."""


class InvalidInvocationError(InvalidValueError):
    """A proposed call is not admitted.

    The name is another tool's, or the arguments are not strict JSON or do not fit the schema.
    """


class DuplicateToolError(InvalidValueError):
    """Two tools have the same name."""


class InvalidFailureError(InvalidValueError):
    """A `Failure` or a `CallError` is made of the wrong things."""


class Failure(ChatError):  # noqa: N818  # an outcome that is raised
    """A definite, unsuccessful outcome of a tool, raised by the tool.

    `kind` is ``failed`` (it ran and did not succeed; needs a `reason`) or ``rejected`` (it was
    not run). `output` may be shown to the model. `reason` is for diagnosis only and is
    deliberately no ``__cause__``: neither chain inspection nor a traceback reaches it. Raises
    `InvalidFailureError`.
    """

    def __init__(
        self,
        kind: FailureKind = "failed",
        output: ToolOutput | str = "",
        *,
        reason: BaseException | None = None,
    ) -> None:
        if kind not in ("failed", "rejected"):
            raise InvalidFailureError(f"{kind!r} is neither failed nor rejected", "kind")
        if kind == "failed" and reason is None:
            raise InvalidFailureError("a failure needs the exception that is its reason", "reason")
        if reason is not None and not isinstance(reason, BaseException):
            raise InvalidFailureError(
                f"expected an exception, got {type(reason).__name__}", "reason"
            )
        self.kind: FailureKind = kind
        self.output: ToolOutput = _output(output)
        self.reason: BaseException | None = reason
        super().__init__(kind, self.output)

    def __reduce__(self) -> tuple[Any, ...]:
        return _restored_failure, (type(self), self.kind, self.output, self.reason)

    def __str__(self) -> str:
        text = self.output.text()
        return (
            f"the tool call was {self.kind}: {text}" if text else f"the tool call was {self.kind}"
        )


class CallError(ChatError):
    """A tool broke off with an exception, raised by the tool to add evidence of how far it came.

    The exception is the ``__cause__``. `evidence` is no result and is never sent to a model.
    Raises `InvalidFailureError`.
    """

    def __init__(self, cause: BaseException, evidence: ToolOutput | str = "") -> None:
        if not isinstance(cause, BaseException):
            raise InvalidFailureError(f"expected an exception, got {type(cause).__name__}", "cause")
        super().__init__(cause)
        self.__cause__: BaseException | None = cause
        self.evidence: ToolOutput = _output(evidence)

    def __str__(self) -> str:
        return f"the tool broke off: {self.__cause__}"


class AuthorizationError(ChatError):
    """The policy that decides on a tool call broke off; the tool has not run.

    `reason` is the policy's exception, deliberately no ``__cause__``: its text may hold what only
    the policy may know.
    """

    def __init__(self, tool: str, reason: BaseException) -> None:
        super().__init__(tool)
        self.tool: str = tool
        self.reason: BaseException = reason

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.tool, self.reason)

    def __str__(self) -> str:
        return f"whether {self.tool} may run could not be decided"


def _restored_failure(
    kind: type[Failure], how: FailureKind, output: ToolOutput, reason: BaseException | None
) -> Failure:
    return kind(how, output, reason=reason)


def _output(output: object) -> ToolOutput:
    if isinstance(output, str):
        return ToolOutput.of_text(output)
    if not isinstance(output, ToolOutput):
        raise InvalidFailureError(
            f"expected ToolOutput or text, got {type(output).__name__}", "output"
        )
    return output
