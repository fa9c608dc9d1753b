"""Errors of the transport that stand-ins raise, and that tests wait for.

A stand-in raises what the new SDK would have raised for the same status, which the program's
handlers know it by::

    model.generate_content.side_effect = ResourceExhausted("quota")
    client.models.generate_content.side_effect = errors.ClientError(
        429, {"error": {"message": "quota", "status": "RESOURCE_EXHAUSTED"}}
    )

A test that waits for one asks for the status too, which begins the new error's text.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from chatport.port.packs.schema import Exceptions, NewError
from chatport.port.program.modules import Module
from chatport.port.render.draft import Draft
from chatport.port.render.layout import Element, Sequence, Text
from chatport.port.render.layout import call as new_call
from chatport.port.rules.base import Workspace
from chatport.port.rules.error_classes import ErrorTable, NotConvertedError
from chatport.port.rules.error_module import ModuleErrors

WAITS = {"raises": "raises", "assertRaises": "assertRaisesRegex"}
"""What waits for a class -> what waits for a class and a text."""


class Raised:
    """The errors of the transport in one test module."""

    def __init__(self, workspace: Workspace, module: Module, effects: list[ast.AST]) -> None:
        self.workspace = workspace
        self.module = module
        self.draft: Draft = workspace.drafts[module]
        self.effects = effects
        """What stand-ins do when they are called."""
        change = workspace.surface.change(Exceptions)
        assert change is not None
        self.errors: ModuleErrors = ModuleErrors(workspace, change.params, module)
        self.table: ErrorTable = self.errors.table

    def convert(self) -> None:
        """Draft every reference.

        Raises:
            NotConvertedError: one of them does something else, or the test says how errors read.
        """
        for name in self.errors.imports_in_use():
            raise NotConvertedError(f"what `{name}` is for is not seen")
        shared = self.errors.shared()
        if self.errors.references and shared is not None:
            raise NotConvertedError(f"`{shared}` raises the same errors")
        said = [self._one(node) for node in self.errors.references]
        self._check_texts(said)
        self.errors.drop_imports()

    def _one(self, node: ast.expr) -> tuple[ast.AST | None, NewError]:
        """Draft one reference; what the error says, and how it is known now."""
        caught = self.table.caught(node)
        if caught.missing or len(caught.mapped) != 1:
            raise NotConvertedError(f"`{ast.unparse(node)}` has no counterpart")
        (error,) = caught.mapped
        call = self.module.parents[node]
        if isinstance(call, ast.Call) and call.func is node:
            return self._made(call, error), error
        if isinstance(call, ast.Call) and call.args[:1] == [node]:
            self._waited_for(call, node, error)
            return None, error
        raise NotConvertedError(f"`{ast.unparse(node)}` is not only raised by stand-ins")

    # -- what is raised

    def _made(self, call: ast.Call, error: NewError) -> ast.AST:
        """``ResourceExhausted("quota")``."""
        code, word = self._status(error)
        if len(call.args) != 1 or call.keywords or isinstance(call.args[0], ast.Starred):
            raise NotConvertedError(f"`{ast.unparse(call)[:60]}` says more than a message")
        if not code:
            raise NotConvertedError(f"`{ast.unparse(call.func)}` has no status of its own")
        if not self._is_raised(call):
            raise NotConvertedError(f"`{ast.unparse(call)[:60]}` is not only raised by stand-ins")
        text, style = call.args[0], self.draft.style
        name = self.table.written(self.module, [error])

        def build() -> Sequence:
            says = {"message": self.draft.carried(text), "status": Text(style.string(word))}
            rows = (Element(value, f"{style.string(key)}: ") for key, value in says.items())
            answer = Sequence("{", tuple(rows), "}")
            body = Sequence("{", (Element(answer, f"{style.string('error')}: "),), "}")
            return new_call(name, (Element(Text(str(code))), Element(body)))

        self.draft.replace_value(call, build)
        return text

    def _status(self, error: NewError) -> tuple[int, str]:
        """The HTTP status of an error and its word; 0 where it is of no one status."""
        statuses = self.table.table.statuses
        if error.status:
            return statuses.get(error.status, 0), error.status
        word = next((word for word, code in statuses.items() if code == error.code), "")
        return (error.code, word) if word else (0, "")

    def _is_raised(self, call: ast.Call) -> bool:
        """Whether an error is only what stand-ins do: made there, or under a name that they are
        given."""
        if self._is_within(call):
            return True
        statement = self.module.parents[call]
        if not isinstance(statement, ast.Assign) or len(statement.targets) != 1:
            return False
        variable = self.module.scopes.variable.get(statement.targets[0])
        loads = variable.loads if variable is not None else []
        return bool(loads) and all(self._is_within(load) for load in loads)

    def _is_within(self, node: ast.AST) -> bool:
        while not isinstance(node, ast.Module):
            if node in self.effects:
                return True
            node = self.module.parents[node]
        return False

    # -- what is waited for

    def _waited_for(self, call: ast.Call, node: ast.expr, error: NewError) -> None:
        """``pytest.raises(NotFound)``, ``self.assertRaises(NotFound)``."""
        last = getattr(call.func, "attr", None) or getattr(call.func, "id", "")
        context = isinstance(self.module.parents[call], ast.withitem)
        if last not in WAITS or len(call.args) != 1 or not context:
            raise NotConvertedError(f"`{ast.unparse(call)[:60]}` asks for more")
        pattern = self._pattern(call, error)
        self._check_kept(call)
        name = self.table.written(self.module, [error])
        start, end = self.draft.source.span(node)[0], self.draft.source.span(call)[1] - 1
        if pattern is None:
            self.draft.replace_span(start, end, lambda: name)
            return
        keyword = "match=" if last == "raises" else ""
        quoted = self.draft.style.string(pattern)
        self.draft.replace_span(start, end, lambda: f"{name}, {keyword}{quoted}")
        if WAITS[last] != last:
            span = self.draft.source.span(call.func)
            self.draft.replace_span(span[1] - len(last), span[1], lambda: WAITS[last])

    def _pattern(self, call: ast.Call, error: NewError) -> str | None:
        """What the text of the error begins with, and what the test looks for in it."""
        said = ""
        for keyword in call.keywords:
            value = keyword.value
            if keyword.arg != "match" or not isinstance(value, ast.Constant):
                raise NotConvertedError(f"`{ast.unparse(call)[:60]}` asks for more")
            said = str(value.value)
        if not re.fullmatch(r"[\w ,.:-]*", said) or re.match(r"\d", said):
            raise NotConvertedError(f"{said!r} may not be found in the new text")
        if not error.code and not error.status:
            return said or None
        code, word = self._status(error)
        if not code:
            raise NotConvertedError(f"`{ast.unparse(call.args[0])}` has no status of its own")
        begins = f"^{code} {word}" if error.status else f"^{code} "
        return f"{begins}.*{said}" if said else begins

    def _check_kept(self, call: ast.Call) -> None:
        """What is read of the error that was met must be on the new one."""
        item = self.module.parents[call]
        target = item.optional_vars if isinstance(item, ast.withitem) else None
        variable = self.module.scopes.variable.get(target) if target is not None else None
        if target is not None and variable is None:
            raise NotConvertedError("the error is kept where it is not followed")
        for load in variable.loads if variable is not None else ():
            error = self.module.parents[load]
            read = self.module.parents[error]
            allowed = (
                isinstance(error, ast.Attribute)
                and error.attr in {"value", "exception"}
                and isinstance(read, ast.Attribute)
                and read.attr in self.table.table.attributes
            )
            if not allowed:
                raise NotConvertedError(f"`{ast.unparse(read)[:60]}` is read of an error")

    # -- what is shown

    def _check_texts(self, said: list[tuple[ast.AST | None, NewError]]) -> None:
        """The new errors read otherwise: no text of the test may be one that was shown."""
        own = {node for node, _ in said if node is not None}
        shown = [*self._shown(said)]
        for node in self.module.nodes(ast.Constant):
            if node in own or not isinstance(node.value, str) or self._is_note(node):
                continue
            if any(text in node.value for text in shown):
                raise NotConvertedError(f"{node.value[:60]!r} is how the old error reads")

    def _shown(self, said: list[tuple[ast.AST | None, NewError]]) -> Iterator[str]:
        for text, error in said:
            code, _ = self._status(error)
            known = str(text.value) if isinstance(text, ast.Constant) else ""
            if text is not None and code:
                yield f"{code} {known}"
        for node in self.errors.references:
            yield node.attr if isinstance(node, ast.Attribute) else getattr(node, "id", "")

    def _is_note(self, node: ast.Constant) -> bool:
        return isinstance(self.module.parents[node], ast.Expr)
