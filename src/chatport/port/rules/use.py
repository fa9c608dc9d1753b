"""A call of a method of a model or a chat, as the rules about such calls share it."""

from __future__ import annotations

import ast

from msgspec import Struct, field

from chatport.port.packs.schema import MethodRewrite
from chatport.port.rules.base import Site
from chatport.port.rules.carriers import Ctor
from chatport.port.rules.config import Config


class Use(Struct, eq=False):
    """A call of a method of a model or a chat."""

    site: Site
    rewrite: MethodRewrite
    arguments: dict[str, ast.expr]
    config: Config
    """What the call itself states."""
    stream: bool = False
    ctors: list[Ctor] = field(default_factory=list)
    """The models it may be called on, through the chat when it is a chat's."""
    chats: list[Use] = field(default_factory=list)
    """The calls that made the chats it may be called on."""
    flag: ast.expr | None = None
    """What decides whether it streams, where that is not known and only suggested."""
    must_send: bool = False
    """It is a stream that must send its request here, and not where it is read."""
    started_by: str = ""
    """The function of the program that makes it do so."""
    joined_by: str = ""
    """The function of the program that streams it and keeps its answer as one turn."""
    merged: Config | None = None
    """What the new call restates; None when the carrier's sibling says it."""

    @property
    def call(self) -> ast.Call:
        assert self.site.call is not None
        return self.site.call

    @property
    def callee(self) -> ast.expr:
        """The method, as it is read from its object."""
        assert isinstance(self.site.node, ast.expr)
        return self.site.node


def receiver(site: Site) -> ast.expr:
    """What a member is read from."""
    assert isinstance(site.node, ast.Attribute)
    return site.node.value


def is_plain(node: ast.expr) -> bool:
    """Whether an expression only reads names, so that it may be evaluated again."""
    return isinstance(node, ast.Name) or (isinstance(node, ast.Attribute) and is_plain(node.value))
