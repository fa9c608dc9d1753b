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
    ) -> None:
        self.draft: Draft = workspace.drafts[module]
        self.module: Module = module
        self.uses: Mapping[Slot, list[ast.AST]] = uses
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
            if other is not None:
                if not self._merge(patch, other):
                    return gone, (patch, "two stand-ins would be one")
                gone.add(patch)
                continue
            around = [o for o in same if self._function(o) is self._function(patch)]
            if any(self._start(o) < self._start(patch) for o in around):
                return gone, (patch, "it would hide the stand-in for the client")
        return gone, None

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
        slot = self.module.scopes.variable.get(mine) if mine is not None else None
        uses = self.uses.get(slot, []) if slot is not None else []
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
