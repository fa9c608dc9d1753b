"""Two stand-ins of legacy that are one now: for the configuration, and for the class of models.

Both are the class of clients. Where a test replaces both, the one for the configuration goes, and
what is asked of it is asked of the other.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping

from msgspec import Struct

from chatport.port.program.modules import Module
from chatport.port.render.draft import Draft
from chatport.port.rules.base import Workspace
from chatport.port.rules.mocks.births import Birth
from chatport.port.rules.mocks.extents import Extents
from chatport.port.rules.mocks.stand import Slot
from chatport.port.rules.mocks.targets import Patch, Role
from chatport.port.source.text import SourceFile


class Injected(Struct, frozen=True):
    """Where the stand-in of a patch arrives: in a parameter of the function it decorates."""

    function: ast.FunctionDef | ast.AsyncFunctionDef | None = None
    parameter: ast.arg | None = None


def injected(module: Module, call: ast.AST) -> Injected | None:
    """The parameter that a patch fills, nothing where it is no decorator; None when that cannot
    be told."""
    parent = module.parents[call]
    if isinstance(parent, ast.ClassDef) and call in parent.decorator_list:
        return None
    if not isinstance(parent, ast.FunctionDef | ast.AsyncFunctionDef):
        return Injected()
    if call not in parent.decorator_list:
        return Injected()
    filling = [node for node in reversed(parent.decorator_list) if _fills(node)]
    if call not in filling:
        return Injected(parent)
    own = module.class_of(parent) is not None and not _is_static(parent)
    arguments = parent.args.args[1 if own else 0 :]
    index = filling.index(call)
    if any(_is_multiple(node) for node in parent.decorator_list) or index >= len(arguments):
        return None
    return Injected(parent, arguments[index])


def _fills(node: ast.expr) -> bool:
    """Whether a decorator passes its stand-in as an argument."""
    if not isinstance(node, ast.Call):
        return False
    name = ast.unparse(node.func)
    given = any(keyword.arg == "new" for keyword in node.keywords)
    if name == "patch" or name.endswith(".patch"):
        return len(node.args) < 2 and not given
    if name.endswith("patch.object"):
        return len(node.args) < 3 and not given
    return False


def _is_multiple(node: ast.expr) -> bool:
    return isinstance(node, ast.Call) and ast.unparse(node.func).endswith("patch.multiple")


def _is_static(function: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    return any(getattr(node, "id", "") == "staticmethod" for node in function.decorator_list)


class Merger:
    """Takes out the replacements of the configuration that are doubled."""

    def __init__(
        self,
        workspace: Workspace,
        module: Module,
        patches: list[Patch],
        births: Mapping[Patch, Birth],
        uses: Mapping[Slot, list[ast.AST]],
        extents: Extents,
        shared: list[tuple[str, Birth]],
    ) -> None:
        self.draft: Draft = workspace.drafts[module]
        self.module: Module = module
        self.uses: Mapping[Slot, list[ast.AST]] = uses
        self.extents: Extents = extents
        self.shared: list[tuple[str, Birth]] = shared
        """Fixtures of other modules that replace the class of models, and by what."""
        self.source: SourceFile = module.source
        self.mine: list[Patch] = [p for p in patches if p.target.role is Role.CONFIGURE]
        self.others: list[Patch] = [
            p for p in patches if p.target.role is Role.CONSTRUCTOR and births[p].called
        ]
        self.births = births

    def plan(self) -> tuple[set[Patch], tuple[Patch, str] | None]:
        """The replacements that go, and the first that can neither go nor stay."""
        gone: set[Patch] = set()
        for patch in self.mine:
            same = [o for o in self.others if self.births[o] == self.births[patch]]
            other = next((o for o in same if self._beside(patch, o)), None)
            if other is None and self._is_inside(patch, same) and not self._uses(patch):
                other = patch  # the client is replaced already
            if other is not None:
                if not self._merge(patch, other):
                    return gone, (patch, "two stand-ins would be one")
                gone.add(patch)
            elif self._is_inside(patch, same):
                return gone, (patch, "it would hide the stand-in for the client")
            elif self._uses(patch) and self._is_outside(patch, same):
                return gone, (patch, "the stand-in for the client would hide it")
        return gone, None

    def _is_inside(self, patch: Patch, others: list[Patch]) -> bool:
        """Whether a replacement comes into force while one of others is: further down in its
        function, or in one that a fixture with the other is for."""
        function = self._function(patch)
        if any(
            birth == self.births[patch] and function in self.extents.asking(self.module, name)
            for name, birth in self.shared
        ):
            return True
        return any(
            self._start(other) < self._start(patch)
            if self._function(other) is function
            else function in (self.extents.users(other) or ())
            for other in others
        )

    def _is_outside(self, patch: Patch, others: list[Patch]) -> bool:
        users = self.extents.users(patch) or ()
        return any(self._function(other) in users for other in others)

    def _uses(self, patch: Patch) -> list[ast.AST]:
        """Where the stand-in of a replacement is read."""
        variable = self._variable(patch)
        slot = self.module.scopes.variable.get(variable) if variable is not None else None
        return self.uses.get(slot, []) if slot is not None else []

    def _function(self, patch: Patch) -> ast.AST | None:
        return self.module.function(patch.call) or self.module.parents[patch.call]

    def _start(self, patch: Patch) -> int:
        return self.source.span(patch.node)[0]

    def _beside(self, one: Patch, other: Patch) -> bool:
        """Whether two replacements are decorators of one function, items of one ``with``, or
        statements of one block."""
        first, second = self._home(one), self._home(other)
        return first is not None and first is second

    def _home(self, patch: Patch) -> ast.AST | None:
        parent = self.module.parents[patch.call]
        if isinstance(parent, ast.withitem | ast.Expr | ast.Assign):
            return self.module.parents[parent]
        return parent if isinstance(parent, ast.FunctionDef | ast.AsyncFunctionDef) else None

    def _merge(self, patch: Patch, other: Patch) -> bool:
        mine, theirs = self._variable(patch), self._variable(other)
        uses = self._uses(patch)
        name = getattr(theirs, "id", getattr(theirs, "arg", None))
        if uses and not isinstance(name, str):
            return False
        for node in uses:
            assert isinstance(node, ast.Name)
            assert isinstance(name, str)
            self.draft.replace_with(node, name)
        parent = self.module.parents[patch.call]
        if isinstance(parent, ast.withitem):
            return self._drop_item(parent)
        if isinstance(parent, ast.Expr | ast.Assign):
            assert isinstance(patch.call, ast.Call)
            by = ast.unparse(patch.call.func)
            if "mocker" not in by and not by.endswith(".setattr"):
                return False  # a patcher that is started, and stopped, by its name
            if isinstance(patch.new, ast.Name | ast.Attribute):
                return False  # it may be asked, by its name
            self.draft.delete(parent)
            return True
        return self._drop_decorator(patch, mine)

    def _variable(self, patch: Patch) -> ast.AST | None:
        parent = self.module.parents[patch.call]
        if isinstance(parent, ast.withitem):
            return parent.optional_vars
        if isinstance(parent, ast.Assign):
            return parent.targets[0]
        decorated = injected(self.module, patch.call)
        return decorated.parameter if decorated is not None else None

    def _drop_item(self, item: ast.withitem) -> bool:
        statement = self.module.parents[item]
        assert isinstance(statement, ast.With | ast.AsyncWith)
        if len(statement.items) == 1:
            return False
        index = statement.items.index(item)
        if index == 0:
            start = self.source.span(item.context_expr)[0]
            end = self.source.span(statement.items[1].context_expr)[0]
        else:
            start = self._end_of(statement.items[index - 1])
            end = self._end_of(item)
        self.draft.replace_span(start, end, lambda: "")
        return True

    def _end_of(self, item: ast.withitem) -> int:
        return self.source.span(item.optional_vars or item.context_expr)[1]

    def _drop_decorator(self, patch: Patch, parameter: ast.AST | None) -> bool:
        assert isinstance(patch.call, ast.Call)
        function = self.module.parents[patch.call]
        assert isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef)
        start, end = self.source.span(patch.call)
        line = self.source.line_start(start)
        rest = re.compile(r"[ \t]*(\r\n|\r|\n)").match(self.source.text, end)
        if self.source.text[line:start].strip() != "@" or rest is None:
            return False
        below = rest.end()
        self.draft.replace_span(line, below, lambda: "")
        if isinstance(parameter, ast.arg):
            arguments = function.args.args
            index = arguments.index(parameter)
            if index + 1 < len(arguments):
                span = self.source.span(parameter)[0], self.source.span(arguments[index + 1])[0]
            elif index:
                span = self.source.span(arguments[index - 1])[1], self.source.span(parameter)[1]
            else:
                span = self.source.span(parameter)
            self.draft.replace_span(*span, lambda: "")
        return True
