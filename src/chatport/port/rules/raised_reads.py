"""Reads that raised where the new value is None, under handlers that waited for it.

A test is put before the statement that reads: it raises the same. Where there is no place for one
the read is refused.
"""

from __future__ import annotations

import ast

from msgspec import Struct

from chatport.port.program.modules import Module
from chatport.port.program.scopes import FUNCTIONS
from chatport.port.program.values import Container, External
from chatport.port.rules.base import Site, Workspace
from chatport.port.rules.evaluation import SIMPLE, is_first, runs_always, was_tested
from chatport.port.rules.naming import free_name
from chatport.port.rules.use import is_plain


class Read(Struct, frozen=True):
    """An attribute that is read, by its name or by a string."""

    module: Module
    node: ast.expr
    """The expression that reads it: ``answer.text``, ``getattr(answer, "text", "")``."""
    owner: ast.expr
    name: str

    @property
    def text(self) -> str:
        return f"{ast.unparse(self.owner)}.{self.name}"

    @property
    def is_tested(self) -> bool:
        """Whether the attribute or its owner was tested on the way to it."""
        wanted = {ast.unparse(self.owner), self.text, ast.unparse(self.node)}
        return was_tested(self.module, self.node, wanted)


class RaisedReads:
    """Keeps the exception of a read where a handler waits for it."""

    def __init__(self, workspace: Workspace) -> None:
        self.workspace = workspace
        self._guards: dict[tuple[ast.AST, str], ast.stmt] = {}

    def is_caught(self, read: Read, exception: str) -> bool:
        """Whether a handler met what reading raised. One of everything counts where None would go
        on and a test can say so: None that is used at once fails, and comes there by itself."""
        module, node = read.module, read.node
        if is_waited_for(self.workspace, module, node, exception):
            return True
        statement = module.statement(node)
        return (
            isinstance(statement, SIMPLE | ast.If | ast.While)
            and not _raises_by_itself(statement)
            and (runs_always(module, statement, node) or self._is_asked_for(statement, read))
            and not isinstance(module.parents[node], ast.Attribute | ast.Subscript)
            and is_waited_for(self.workspace, module, node, "Exception")
        )

    def keep(self, site: Site, read: Read, exception: str) -> bool:
        """Put the test before the statement, or refuse; whether one was put."""
        module, node = read.module, read.node
        statement = module.statement(node)
        draft = self.workspace.draft(site)
        is_if = isinstance(statement, ast.If) and draft.starts(statement, "if")
        name = self._called(read.owner)
        if (
            not (is_if or isinstance(statement, SIMPLE))
            or not draft.starts_line(statement)
            or not (runs_always(module, statement, node) or self._is_asked_for(statement, read))
        ):
            name = None
        elif name is None:
            name = self._name(statement, read)
        if name is None:
            asked_again = isinstance(statement, ast.While)
            if asked_again or is_waited_for(self.workspace, module, node, exception):
                said = ast.unparse(node)
                site.refuse("text_no_longer_raises", f"`{said}` is read under a handler")
            return False
        if read.is_tested or self._stands_guarded(module, statement, name):
            return False
        message = draft.style.string("the answer holds no text")
        draft.insert_before(
            statement,
            f"if {name}.{read.name} is None:\n{draft.style.indent}raise {exception}({message})",
        )
        return True

    def _name(self, statement: ast.stmt, read: Read) -> str | None:
        """Give an answer that is read where it comes a name before the statement, when nothing in
        the statement runs before it."""
        call = read.owner.value if isinstance(read.owner, ast.Await) else read.owner
        node = read.node
        if not (isinstance(call, ast.Call) and isinstance(node, ast.Attribute)):
            return None
        if not is_first(read.module, statement, node):
            return None
        draft = self.workspace.drafts[read.module]
        if draft.in_f_string(node):
            return None
        name = free_name(self.workspace, read.module, node)
        draft.name_before(statement, name, read.owner)
        draft.replace_with(node, f"{name}.{read.name}")
        return name

    def _is_asked_for(self, statement: ast.stmt, read: Read) -> bool:
        """Whether the statement asks first whether there is such an attribute, which reads it:
        ``r.text if hasattr(r, "text") else ""``."""
        for call in ast.walk(statement):
            if not (isinstance(call, ast.Call) and len(call.args) == 2):
                continue
            owner, name = call.args
            if (
                External("builtins.hasattr") in self.workspace.values(call.func)
                and isinstance(name, ast.Constant)
                and name.value == read.name
                and ast.unparse(owner) == ast.unparse(read.owner)
            ):
                return runs_always(self.workspace.flow.module_of[call], statement, call)
        return False

    def _stands_guarded(self, module: Module, statement: ast.stmt, name: str) -> bool:
        """Whether a test of the same answer was put before, in the same block or in one around."""
        here, found = statement, False
        while not found and isinstance(here, ast.stmt) and not isinstance(here, FUNCTIONS):
            around = module.parents[here]
            before = self._guards.get((around, name))
            block = _block(around, here)
            if before in block:
                since = block[block.index(before) : block.index(here)]
                since += [here] if here is not statement else []
                again = (self._brings_answer(node, name) for s in since for node in ast.walk(s))
                found = not any(again)
            if not isinstance(around, ast.stmt):
                break
            here = around
        self._guards[module.parents[statement], name] = statement
        return found

    def _brings_answer(self, node: ast.AST, name: str) -> bool:
        """Whether `name` may hold another answer after `node`."""
        if isinstance(node, ast.Name | ast.Attribute) and not isinstance(node.ctx, ast.Load):
            return ast.unparse(node) == name
        return node in self.workspace.by_node and isinstance(node, ast.Call)

    def _called(self, node: ast.expr) -> str | None:
        """The name an answer is read by, its own or the one it was given."""
        called = self.workspace.called.get(node)
        if called is not None:
            return called.name
        return ast.unparse(node) if is_plain(node) else None


def _raises_by_itself(statement: ast.stmt) -> bool:
    """Whether a question raises where there is nothing, so that a handler of everything meets an
    exception in any case."""
    if not isinstance(statement, ast.If):
        return False
    test = statement.test
    denies = isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not)
    denies = denies or (isinstance(test, ast.Compare) and isinstance(test.ops[0], ast.Is))
    otherwise = statement.body if denies else statement.orelse
    return bool(otherwise) and isinstance(otherwise[-1], ast.Raise)


def _block(around: ast.AST, statement: ast.stmt) -> list[ast.stmt]:
    """The statements beside one in its block."""
    blocks = (value for _, value in ast.iter_fields(around) if isinstance(value, list))
    return next((block for block in blocks if statement in block), [])


def is_waited_for(workspace: Workspace, module: Module, node: ast.AST, exception: str) -> bool:
    """Whether a handler for `exception` stands around a node, or around a call that leads to it."""
    todo, seen = [(module, node)], {node}
    while todo:
        module, child = todo.pop()
        here = module.parents.get(child)
        while here is not None and not isinstance(here, FUNCTIONS):
            tried = isinstance(here, ast.Try) and child in here.body
            if tried and _catches(workspace, here, exception):
                return True
            if isinstance(here, ast.With) and _suppresses(workspace, here, exception):
                return True
            child, here = here, module.parents.get(here)
        for call in workspace.flow.calls.get(here, ()) if isinstance(here, FUNCTIONS) else ():
            if call not in seen:
                seen.add(call)
                todo.append((workspace.home(call), call))
    return False


def _catches(workspace: Workspace, statement: ast.AST, exception: str) -> bool:
    for handler in getattr(statement, "handlers", ()):
        caught = handler.type
        names = caught.elts if isinstance(caught, ast.Tuple) else [caught]
        if any(name is not None and _names(workspace, name, exception) for name in names):
            return True
        if caught is None and exception == "Exception":
            return True
    return False


def _names(workspace: Workspace, node: ast.expr, exception: str) -> bool:
    """Whether an expression names an exception, also as one of those that have a name together."""
    if isinstance(node, ast.Name) and node.id == exception:
        return True
    atoms = workspace.flow.values.get(node, frozenset())
    for atom in atoms:
        if isinstance(atom, Container):
            atoms |= workspace.flow.fact("element", atom.node)
            atoms |= workspace.flow.fact("any item", atom.node)
    return External(f"builtins.{exception}") in atoms


def _suppresses(workspace: Workspace, statement: ast.With, exception: str) -> bool:
    """Whether a block is one of ``contextlib.suppress`` for an exception."""
    return any(
        isinstance(call := item.context_expr, ast.Call)
        and External("contextlib.suppress") in workspace.values(call.func)
        and any(isinstance(name, ast.Name) and name.id == exception for name in call.args)
        for item in statement.items
    )
