"""What is known of a stand-in, and what following it gives."""

from __future__ import annotations

import ast

from msgspec import Struct, field

from chatport.port.program.scopes import Variable
from chatport.port.rules.mocks.births import Birth
from chatport.port.rules.mocks.targets import Patch, Role

Slot = Variable | tuple[ast.ClassDef, str]

SILENT = {
    *("assert_called", "assert_called_once", "assert_not_called", "called", "call_count"),
    *("reset_mock", "assert_awaited", "assert_awaited_once", "assert_not_awaited", "await_count"),
}
"""What may be asked of a stand-in without saying how it was called."""
SPOKEN = {"assert_called_with", "assert_called_once_with", "assert_any_call"} | {
    "assert_awaited_with",
    "assert_awaited_once_with",
    "assert_any_await",
}

ONCE = {"assert_called_once_with", "assert_awaited_once_with"}


class Stand(Struct, frozen=True):
    """What a variable of a test stands for."""

    role: Role
    birth: Birth
    patch: Patch
    member: str = ""
    beside: str = ""
    """The name of what a call was given by keyword, where it was taken apart."""


class Parts(Struct, frozen=True):
    """An argument that is a call of its own."""

    opening: str
    parts: tuple[str, ...]

    def __str__(self) -> str:
        return f"{self.opening}{', '.join(self.parts)})"


Items = tuple[str | Parts, ...]


class Change(Struct):
    """A stretch of the test that is written anew."""

    start: int
    end: int
    text: str
    items: Items = ()
    """The arguments that `text` is made of, where it may be broken between them."""


class Given(Struct, frozen=True):
    """A stand-in that a fixture gives to other files, or one of the things it gives."""

    fixture: str
    stand: Stand
    place: tuple[int, int] | None = None
    """Its index among how many; None where it is all that is given."""


class Outcome(Struct):
    """What following a test's stand-ins gave."""

    changes: list[Change] = field(default_factory=list)
    troubles: list[tuple[Patch, ast.AST, str]] = field(default_factory=list)
    needs_types: bool = False
    needs_any: bool = False
    needs_mock: bool = False
    given: list[Given] = field(default_factory=list)
    uses: dict[Slot, list[ast.AST]] = field(default_factory=dict)
    effects: list[ast.AST] = field(default_factory=list)
    """What stand-ins do when they are called: errors, lists, functions, methods of classes."""
