"""Stand-ins of legacy that are one now: for the configuration, the class of models, free functions.

All are the class of clients, or of it. Where a test replaces several, those for the configuration
and for functions go, and what is asked of them is asked of the other.
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

Decorated = ast.FunctionDef | ast.AsyncFunctionDef


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
    """Takes out the replacements that are doubled, and those that nothing is asked of."""

    def __init__(
        self,
        workspace: Workspace,
        module: Module,
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
        self.births: Mapping[Patch, Birth] = births
        self.gone: dict[Patch, Patch] = {}
        """Replacements that go, each with the one whose stand-in is asked instead."""

    def plan(self) -> tuple[set[Patch], tuple[Patch, str] | None]:
        """The replacements that go, and the first that can neither go nor stay."""
        for settle, role in (
            (self._configuration, Role.CONFIGURE),
            (self._function, Role.FUNCTION),
            (self._value, Role.VALUE),
        ):
            for patch in self._of(role):
                why = settle(patch)
                if why is not None:
                    return set(), (patch, why)
        for patch, other in self.gone.items():
            if not self._can_go(patch) or not self._rename(patch, other):
                return set(), (patch, "two stand-ins would be one")
        self._draw()
        return set(self.gone), None

    def _of(self, role: Role) -> list[Patch]:
        return [patch for patch in self.births if patch.target.role is role]

    # -- what goes

    def _configuration(self, patch: Patch) -> str | None:
        """The configuration is the client's class too: why its replacement can neither go nor
        stay."""
        birth = self.births[patch]
        same = [o for o in self._of(Role.CONSTRUCTOR) if self.births[o] == birth and birth.called]
        beside = [o for o in same if self.extents.are_beside(patch, o)]
        inside, asked = self._is_inside(patch, same), self._uses(patch)
        if beside:
            self.gone[patch] = beside[0]
        elif inside and not asked:
            self.gone[patch] = patch  # the client is replaced already
        elif inside:
            return "it would hide the stand-in for the client"
        elif asked and any(self.extents.runs_in(o, patch) for o in same):
            return "the stand-in for the client would hide it"
        return None

    def _function(self, patch: Patch) -> str | None:
        """A free function that is a method of what is replaced beside it."""
        birth = self.births[patch]
        if not birth.name:
            return None
        others = [*self._of(Role.CONSTRUCTOR), *self._of(Role.CONFIGURE)]
        beside = [o for o in others if o not in self.gone and self.extents.are_beside(patch, o)]
        same = [o for o in beside if self.births[o] == birth]
        if not same:
            return "the stand-in for the client is another"
        if self._variable(same[0]) is None and same[0].target.role is Role.CONFIGURE:
            self.gone[same[0]] = patch  # nothing can be asked of it
        else:
            self.gone[patch] = same[0]
        return None

    def _value(self, patch: Patch) -> str | None:
        """A class of values: nothing is asked of its stand-in, and the new one is made as well."""
        given = patch.new or patch.gives or patch.effect
        if self._uses(patch) or given is not None or not self._can_go(patch):
            return f"`{patch.target.symbol}` is replaced here"
        self.gone[patch] = patch
        return None

    def _is_inside(self, patch: Patch, others: list[Patch]) -> bool:
        """Whether a replacement comes into force while one of others is: further down in its
        function, or in one that a fixture with the other is for."""
        function = self.extents.function_of(patch)
        below = any(
            birth == self.births[patch] and function in self.extents.asking(self.module, name)
            for name, birth in self.shared
        )
        return below or any(
            self._start(other) < self._start(patch)
            if self.extents.function_of(other) is function
            else self.extents.runs_in(patch, other)
            for other in others
        )

    def _uses(self, patch: Patch) -> list[ast.AST]:
        """Where the stand-in of a replacement is read."""
        variable = self._variable(patch)
        slot = self.module.scopes.variable.get(variable) if variable is not None else None
        return self.uses.get(slot, []) if slot is not None else []

    def _start(self, patch: Patch) -> int:
        return self.source.span(patch.node)[0]

    def _variable(self, patch: Patch) -> ast.AST | None:
        parent = self.module.parents[patch.call]
        if isinstance(parent, ast.withitem):
            return parent.optional_vars
        if isinstance(parent, ast.Assign):
            return parent.targets[0]
        decorated = injected(self.module, patch.call)
        return decorated.parameter if decorated is not None else None

    def _rename(self, patch: Patch, other: Patch) -> bool:
        """Ask the other stand-in what the one that goes was asked."""
        uses, theirs = self._uses(patch), self._variable(other)
        name = getattr(theirs, "id", getattr(theirs, "arg", None))
        if not uses:
            return True
        if not isinstance(name, str) or not all(isinstance(node, ast.Name) for node in uses):
            return False
        for node in uses:
            assert isinstance(node, ast.Name)
            self.draft.replace_with(node, name)
        return True

    # -- how it goes

    def _can_go(self, patch: Patch) -> bool:
        parent = self.module.parents[patch.call]
        if not isinstance(patch.call, ast.Call):
            return False
        if isinstance(parent, ast.withitem):
            statement = self.module.parents[parent]
            assert isinstance(statement, ast.With | ast.AsyncWith)
            return any(item not in self._items() for item in statement.items if item is not parent)
        if isinstance(parent, ast.Expr | ast.Assign):
            by = ast.unparse(patch.call.func)
            if "mocker" not in by and not by.endswith(".setattr"):
                return False  # a patcher that is started, and stopped, by its name
            return not isinstance(patch.new, ast.Name | ast.Attribute)  # it may be asked
        return isinstance(parent, ast.FunctionDef | ast.AsyncFunctionDef) and self._has_line(patch)

    def _items(self) -> set[ast.AST]:
        return {self.module.parents[patch.call] for patch in self.gone}

    def _has_line(self, patch: Patch) -> bool:
        """Whether a decorator has its lines to itself."""
        start, end = self.source.span(patch.call)
        line = self.source.line_start(start)
        return self.source.text[line:start].strip() == "@" and self._below(end) is not None

    def _below(self, end: int) -> int | None:
        rest = re.compile(r"[ \t]*(\r\n|\r|\n)").match(self.source.text, end)
        return rest.end() if rest is not None else None

    def _draw(self) -> None:
        """Take the replacements out, with the variables they fill."""
        groups: dict[ast.AST, set[ast.AST]] = {}
        for patch in self.gone:
            parent = self.module.parents[patch.call]
            if isinstance(parent, ast.withitem):
                groups.setdefault(self.module.parents[parent], set()).add(parent)
            elif isinstance(parent, ast.stmt) and not isinstance(parent, Decorated):
                self.draft.delete(parent)
            else:
                start, end = self.source.span(patch.call)
                below = self._below(end)
                assert below is not None
                self.draft.replace_span(self.source.line_start(start), below, lambda: "")
                if (parameter := self._variable(patch)) is not None:
                    groups.setdefault(parent, set()).add(parameter)
        for owner, gone in groups.items():
            if isinstance(owner, ast.With | ast.AsyncWith):
                self._drop([(item, self._span(item)) for item in owner.items], gone)
            elif isinstance(owner, Decorated):
                arguments = owner.args.args
                self._drop([(one, self.source.span(one)) for one in arguments], gone)

    def _span(self, item: ast.withitem) -> tuple[int, int]:
        last = item.optional_vars or item.context_expr
        return self.source.span(item.context_expr)[0], self.source.span(last)[1]

    def _drop(self, parts: list[tuple[ast.AST, tuple[int, int]]], gone: set[ast.AST]) -> None:
        """Take parts of a list out, each with the comma before it, or behind it at its start."""
        kept = False
        for index, (part, (start, end)) in enumerate(parts):
            if part not in gone:
                kept = True
                continue
            if kept:
                start = parts[index - 1][1][1]
            elif index + 1 < len(parts):
                end = parts[index + 1][1][0]
            self.draft.replace_span(start, end, lambda: "")
