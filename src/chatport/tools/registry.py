"""Tools by name."""

from __future__ import annotations

from collections.abc import Container, Iterable
from threading import Lock

from chatport.chat import ToolDefinition
from chatport.tools.contract import Binding, Tool, bind
from chatport.tools.errors import DuplicateToolError, InvalidToolError


class Registry:
    """Bound tools by name. Safe to use from several threads."""

    def __init__(self, *tools: Tool) -> None:
        self._bindings: dict[str, Binding] = {}
        self._lock = Lock()
        self.register(*tools)

    def register(self, *tools: Tool) -> None:
        """Add tools, all or none.

        Raises `InvalidToolError` or `DuplicateToolError` with the position of the first at fault.
        """
        with self._lock:
            self._bindings = {**self._bindings, **bind_all(tools, taken=self._bindings)}

    def resolve(self, name: str) -> Binding | None:
        """The bound tool of this name, if there is one."""
        return self._bindings.get(name)

    def definitions(self) -> tuple[ToolDefinition, ...]:
        """What a model is told of every tool, sorted by name."""
        return tuple(binding.definition for _, binding in sorted(self._bindings.items()))


def bind_all(tools: Iterable[Tool], taken: Container[str] = ()) -> dict[str, Binding]:
    """The tools bound, by name, in order; `taken` are names they may not have.

    Raises `InvalidToolError` or `DuplicateToolError` for the first at fault.
    """
    bindings: dict[str, Binding] = {}
    for position, tool in enumerate(tools):
        try:
            binding = bind(tool)
        except InvalidToolError as error:
            raise type(error).around(error, f"tools[{position}]") from error
        name = binding.definition.name
        if name in taken or name in bindings:
            raise DuplicateToolError(f"there is a tool {name} already", f"tools[{position}]")
        bindings[name] = binding
    return bindings
