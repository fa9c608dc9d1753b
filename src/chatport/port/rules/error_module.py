"""The exceptions of the transport in one module: all of its references change, or none does."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Sequence

from msgspec import Struct

from chatport.port.packs.schema import ExceptionParams
from chatport.port.program.modules import Module
from chatport.port.program.scopes import Variable
from chatport.port.program.values import External
from chatport.port.render.draft import Draft
from chatport.port.rules.base import Workspace
from chatport.port.rules.error_classes import Caught, ErrorTable, NotConvertedError
from chatport.port.rules.error_handlers import Arm, HandlerWriter, arms_of, chains, is_asked

STANDS_ALONE = (
    ast.If | ast.While | ast.Assign | ast.Return | ast.keyword | ast.Lambda | ast.Call | ast.IfExp
)
"""Where a condition of several parts needs no parentheses."""


class Step(Struct, frozen=True):
    """A rewrite and the references it takes care of."""

    settles: Sequence[ast.AST]
    draft: Callable[[], None]


class ModuleErrors:
    """Every reference of one module to the exceptions of the transport."""

    def __init__(self, workspace: Workspace, params: ExceptionParams, module: Module) -> None:
        self.workspace = workspace
        self.table: ErrorTable = ErrorTable(workspace, params)
        self.module = module
        self.draft: Draft = workspace.drafts[module]
        self.references: list[ast.expr] = self.table.references(module)
        self.is_read: bool = False
        """Whether a handler reads the error."""
        self.is_apart: bool = False
        """Whether a handler met broken connections too."""

    def convert(self) -> None:
        """Draft every reference; raises `NotConvertedError` before anything is drafted."""
        steps = [*self._tries(), *self._calls()]
        settled = {node for step in steps for node in step.settles}
        left = [node for node in self.references if node not in settled]
        if left:
            first = min(left, key=lambda node: (node.lineno, node.col_offset))
            raise NotConvertedError(f"`{ast.unparse(first)}` is not only waited for")
        for alias in self.module.nodes(ast.alias):
            name = alias.asname or alias.name
            if name in self.module.offered and self._is_imported(alias):
                raise NotConvertedError(f"`{name}` is offered to others by `__all__`")
        for step in steps:
            step.draft()
        for statement in self._lists():
            self.draft.delete(statement)
        self.drop_imports()

    def _lists(self) -> set[ast.stmt]:
        """The statements that gave several classes a name, which nothing reads any more."""
        found = (self.table.listed(node) for node in self.module.nodes(ast.Name))
        return {statement for statement in found if statement is not None}

    def shared(self) -> str | None:
        """An import of another library that raises what is waited for here."""
        for node in self.module.nodes(ast.Import, ast.ImportFrom):
            names: list[str] = []
            if isinstance(node, ast.Import):
                names = [alias.name for alias in node.names]
            elif isinstance(node, ast.ImportFrom) and not node.level:
                names = [f"{node.module}.{alias.name}" for alias in node.names]
            for name in names:
                if any(f"{name}.".startswith(f"{one}.") for one in self.table.table.shared):
                    return name
        return None

    def meets_all(self, guard: ast.AST) -> bool:
        """Whether a handler names, beside its classes, one that meets whatever is raised, and asks
        nothing of the error."""
        if not isinstance(guard, ast.ExceptHandler) or not isinstance(guard.type, ast.Tuple):
            return False
        arm = Arm(guard, self.table.caught(guard.type))
        return arm.caught.broad and not is_asked(self.module, arm)

    # -- handlers

    def _tries(self) -> Iterator[Step]:
        writer = HandlerWriter(self.table, self.module, self.draft)
        for node in self.module.nodes(ast.Try):
            arms = arms_of(self.table, node)
            for arm in arms:
                if arm.caught.missing:
                    raise NotConvertedError(f"`{arm.caught.missing}` has no counterpart")
            if not any(arm.caught.mapped for arm in arms):
                continue
            found = chains(self.table, arms)
            for chain in found:
                writer.check(chain, arms)
                for arm in chain:
                    self._note(arm.caught)
                    self.is_read = self.is_read or writer.shows(arm)
            settled = [part for arm in arms for part in self.table.parts(arm.node.type)]

            def draft(found: list[list[Arm]] = found, arms: list[Arm] = arms) -> None:
                for chain in found:
                    writer.write(chain, arms)

            yield Step(settled, draft)

    def _note(self, caught: Caught) -> None:
        if any(error.name in self.table.table.apart for error in caught.mapped):
            self.is_apart = True

    # -- questions and conditions

    def _calls(self) -> Iterator[Step]:
        """``isinstance`` and the conditions of libraries that retry."""
        for node in self.module.nodes(ast.Call):
            names = {a.name for a in self.workspace.values(node.func) if isinstance(a, External)}
            for name in names & CONDITIONS.keys():
                index, keyword, write = CONDITIONS[name]
                said = next((k.value for k in node.keywords if k.arg == keyword), None)
                argument = said or (node.args[index] if len(node.args) > index else None)
                parts = self.table.parts(argument)
                if argument is None or not any(map(self.table.is_transport, parts)):
                    continue
                caught = self.table.caught(argument)
                if caught.unknown or caught.missing:
                    continue
                self._note(caught)
                yield Step(parts, write(self, node, argument, caught))

    def in_question(self, node: ast.Call, kind: ast.expr, caught: Caught) -> Callable[[], None]:
        """``isinstance(error, X)``."""
        if not caught.asks:
            return self._replaced(kind, caught)
        asked = node.args[0]
        if caught.foreign or not isinstance(asked, ast.Name | ast.Attribute):
            raise NotConvertedError(f"`{ast.unparse(node)}` asks for several things")
        bare = isinstance(self.module.parents[node], STANDS_ALONE)

        def text() -> str:
            test = self._question(self.draft.text(asked), caught)
            return test if bare else f"({test})"

        return lambda: self.draft.replace(node, text)

    def in_tenacity(self, node: ast.Call, kind: ast.expr, caught: Caught) -> Callable[[], None]:
        """``retry_if_exception_type(X)``: a class that must be asked needs another condition."""
        if not caught.asks:
            return self._replaced(kind, caught)
        if caught.foreign or len(node.args) + len(node.keywords) != 1:
            raise NotConvertedError(f"`{ast.unparse(node)}` asks for several things")

        def draft() -> None:
            function = node.func
            if isinstance(function, ast.Name):
                imports = self.workspace.extra_imports.setdefault(self.module, [])
                if ("tenacity", ASKS) not in imports:
                    imports.append(("tenacity", ASKS))
            owner = function.value if isinstance(function, ast.Attribute) else None
            head = f"{self.draft.source.segment(owner)}." if owner is not None else ""
            self.draft.replace(
                node, lambda: f"{head}{ASKS}(lambda e: {self._question('e', caught)})"
            )

        return draft

    def in_backoff(self, node: ast.Call, kind: ast.expr, caught: Caught) -> Callable[[], None]:
        """``on_exception(wait, X)``: what the class must be asked is a reason to give up."""
        if not caught.asks:
            return self._replaced(kind, caught)
        if caught.foreign or any(keyword.arg in {"giveup", None} for keyword in node.keywords):
            raise NotConvertedError(f"`{ast.unparse(node)[:60]}` asks for several things")
        last = [*node.args, *(keyword.value for keyword in node.keywords)][-1]

        def draft() -> None:
            self.draft.replace(kind, lambda: self.table.written(self.module, caught.mapped))
            test = self.table.test("e", caught.mapped, self.draft.style, negated=True)
            end = self.draft.source.span(last)[1]
            self.draft.insert(end, f", giveup=lambda e: {test}")

        return draft

    def _question(self, name: str, caught: Caught) -> str:
        test = self.table.test(name, caught.mapped, self.draft.style)
        test = f"({test})" if " or " in test else test
        return f"isinstance({name}, {self.table.written(self.module, caught.mapped)}) and {test}"

    def _replaced(self, kind: ast.expr, caught: Caught) -> Callable[[], None]:
        """Classes that need not be asked take the place of the old ones."""

        def text() -> str:
            new = self.table.written(self.module, caught.mapped)
            others = [self.draft.text(part) for part in caught.foreign]
            return f"({', '.join([new, *others])})" if others else new

        return lambda: self.draft.replace(kind, text)

    # -- imports

    def drop_imports(self) -> None:
        """Take out the imports of what nothing names any more: the library they name came with the
        legacy SDK and goes with it."""
        inside = {part for node in self.references for part in ast.walk(node)}
        gone: dict[ast.stmt, list[ast.alias]] = {}
        for node in self.module.nodes(ast.alias):
            if self._is_unused(node, inside):
                gone.setdefault(self.module.statement(node), []).append(node)
        for statement, aliases in gone.items():
            assert isinstance(statement, ast.Import | ast.ImportFrom)
            kept = [self.draft.source.segment(a) for a in statement.names if a not in aliases]
            if kept:
                module = f"from {getattr(statement, 'module', '')} " if _is_from(statement) else ""
                self.draft.replace_with(statement, f"{module}import {', '.join(kept)}")
            elif not self._is_alone(statement):
                self.draft.delete(statement)

    def imports_in_use(self) -> list[str]:
        """The names imported from the transport that are more than what its classes are read
        from."""
        inside = {part for node in self.references for part in ast.walk(node)}
        return [
            alias.asname or alias.name
            for alias in self.module.nodes(ast.alias)
            if self._is_imported(alias) and not self._is_unused(alias, inside)
        ]

    def _is_imported(self, alias: ast.alias) -> bool:
        """Whether an alias is of the transport's."""
        statement, name = self.module.parents[alias], alias.name
        if isinstance(statement, ast.ImportFrom):
            name = f"{statement.module}.{alias.name}"
        return f"{name}.".startswith(self.table.modules)

    def _is_unused(self, alias: ast.alias, inside: set[ast.AST]) -> bool:
        statement = self.module.parents[alias]
        if not self._is_imported(alias):
            return False
        variable = self.module.scopes.variable[alias]
        if isinstance(statement, ast.Import) and alias.asname is None:
            return True  # it binds the first part only, which other imports bind as well
        return all(load in inside for load in variable.loads) and not self._is_offered(variable)

    def _is_offered(self, variable: Variable) -> bool:
        """Whether others may read a name of this module."""
        module = self.module
        if variable.scope is not module.scopes.module:
            return False
        if variable.name in module.offered:
            return True
        return any(
            node.name in {variable.name, "*"}
            and isinstance(other.parents[node], ast.ImportFrom)
            and not self._is_of_transport(other.parents[node])
            for other in self.workspace.modules
            if other is not module
            for node in other.nodes(ast.alias)
        )

    def _is_of_transport(self, statement: ast.AST) -> bool:
        named = getattr(statement, "module", None) or ""
        return f"{named}.".startswith(self.table.modules)

    def _is_alone(self, statement: ast.stmt) -> bool:
        """Whether an import is all that a block tries."""
        parent = self.module.parents[statement]
        return not isinstance(parent, ast.Module) and getattr(parent, "body", None) == [statement]


def _is_from(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.ImportFrom)


ASKS = "retry_if_exception"
Writer = Callable[[ModuleErrors, ast.Call, ast.expr, Caught], Callable[[], None]]
CONDITIONS: dict[str, tuple[int, str, Writer]] = {
    "builtins.isinstance": (1, "class_or_tuple", ModuleErrors.in_question),
    "tenacity.retry_if_exception_type": (0, "exception_types", ModuleErrors.in_tenacity),
    "tenacity.retry.retry_if_exception_type": (0, "exception_types", ModuleErrors.in_tenacity),
    "backoff.on_exception": (1, "exception", ModuleErrors.in_backoff),
}
"""Function -> where it takes the classes it waits for, and how such a call is written."""
