"""Answers legacy did not give back but raised: blocked prompts, and answers that were stopped.

The new SDK gives them back. Where the program waits for one of those exceptions it keeps them as
classes of its own, and a test behind each message raises them as legacy did.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence

from chatport.port.packs.schema import RaisedAnswers
from chatport.port.program.modules import Module
from chatport.port.program.values import Made
from chatport.port.render.draft import Draft
from chatport.port.rules.base import Called, Site, Workspace
from chatport.port.rules.error_classes import NotConvertedError
from chatport.port.rules.evaluation import SIMPLE, is_first, runs_always
from chatport.port.rules.import_places import end_of_imports
from chatport.port.rules.naming import free_name, take
from chatport.port.rules.use import is_plain, receiver

RULE = "exceptions"
TEXT = "error_text_changed"


class AnswerChecks:
    """The legacy exceptions of one module that stand for answers."""

    def __init__(self, workspace: Workspace, params: RaisedAnswers, module: Module) -> None:
        self.workspace = workspace
        self.params = params
        self.module = module
        self.draft: Draft = workspace.drafts[module]
        self.sites: list[Site] = [
            site
            for site in workspace.sites
            if site.module is module and site.symbol in {params.blocked, params.stopped}
        ]
        self.references: list[Site] = [s for s in self.sites if not isinstance(s.node, ast.alias)]
        self._is_read = False
        """Whether a handler reads the exception."""

    def convert(self, requests: Sequence[Site]) -> None:
        """Define the classes, raise them behind the messages among `requests`.

        Raises `NotConvertedError` before anything is drafted.
        """
        names = {site.symbol: site.symbol.rpartition(".")[2] for site in self.references}
        for symbol, name in names.items():
            self._check_name(symbol, name)
        for site in self.references:
            self._check_reference(site)
        plans = [(site, self._plan(site)) for site in self._sends(requests)]
        for site in self.references:
            site.rule = RULE
            assert isinstance(site.node, ast.expr)
            self.draft.replace_with(site.node, names[site.symbol])
        for site, name in plans:
            self._raise_behind(site, name, names)
            if self._is_read:
                site.warn(TEXT)
        anchor = self._anchor()
        assert anchor is not None
        code = _classes(names, self.params, self.draft.style.indent)
        self.draft.insert_after(
            anchor, lambda: code + "\n" * max(0, 2 - self.draft.blank_lines_below(anchor))
        )

    # -- deciding

    def _check_name(self, symbol: str, name: str) -> None:
        variable = self.module.scopes.module.variables.get(name)
        own = {site.node for site in self.sites if site.symbol == symbol}
        if variable is not None and not own.issuperset(variable.stores):
            raise NotConvertedError(f"`{name}` is also something else")
        if self._anchor() is None:
            raise NotConvertedError("the module has no imports to put the classes behind")

    def _anchor(self) -> ast.stmt | None:
        """The import the classes are put behind: the last of those the module starts with, or of
        those in the block that imports the SDK."""
        at_top = end_of_imports(self.module)
        if at_top is not None:
            return at_top
        aliases = [s.node for s in self.workspace.sites if s.module is self.module]
        first = next((a for a in aliases if isinstance(a, ast.alias)), None)
        if first is None:
            return None
        statement = self.module.statement(first)
        block = getattr(self.module.parents[statement], "body", [])
        imports = [s for s in block if isinstance(s, ast.Import | ast.ImportFrom)]
        return imports[-1] if statement in imports else None

    def _check_reference(self, site: Site) -> None:
        """The class may be waited for and asked about; what it carried is of another kind now."""
        parent = self.module.parents[site.node]
        if isinstance(parent, ast.Attribute) or site.attribute is not None:
            raise NotConvertedError(f"`{ast.unparse(parent)}` is not known")
        handler = self.module.parents[parent] if isinstance(parent, ast.Tuple) else parent
        if not isinstance(handler, ast.ExceptHandler) or handler.name is None:
            return
        for statement in handler.body:
            for node in ast.walk(statement):
                if not (isinstance(node, ast.Name) and node.id == handler.name):
                    continue
                above = self.module.parents[node]
                self._is_read = True
                if isinstance(above, ast.Attribute | ast.Subscript):
                    raise NotConvertedError(f"`{ast.unparse(above)}` is of another kind now")

    def _sends(self, requests: Sequence[Site]) -> list[Site]:
        """The messages of chats among requests: only those raised instead of giving back."""
        for site in requests:
            if site.call in self.workspace.streams:
                raise NotConvertedError("a stream is blocked where it is iterated")
        sends = [site for site in requests if site.member in self.params.members]
        for site in sends:
            if site.module is not self.module:
                raise NotConvertedError("the message is sent in another module")
            if any(self._has_extras(owner.site) for owner in site.owners):
                raise NotConvertedError("the chat was made with more than a history")
            if self._goes_on(site) and not is_plain(receiver(site)):
                raise NotConvertedError("the chat goes on and has no name")
        return list(dict.fromkeys(sends))

    def _has_extras(self, maker: ast.AST) -> bool:
        """Whether a chat may call functions by itself, which takes turns of its own."""
        named = maker.keywords if isinstance(maker, ast.Call) else []
        return not isinstance(maker, ast.Call) or any(k.arg != self.params.history for k in named)

    def _goes_on(self, site: Site) -> bool:
        """Whether a chat may be used after the message: what was not given back must not be in
        what it remembers."""
        here = self.module.function(site.node)
        others = [
            other
            for owner in site.owners
            for other in self.workspace.uses_of(owner.site)
            if other is not site and set(other.owners) & set(site.owners)
        ]
        makers = [owner.site for owner in site.owners]
        node, loop = site.node, None
        while node in self.module.parents and node is not here:
            node = self.module.parents[node]
            if isinstance(node, ast.For | ast.AsyncFor | ast.While):
                loop = loop or node
        stays = loop is not None and not all(m in set(ast.walk(loop)) for m in makers)
        return stays or bool(others) or any(self._function(maker) is not here for maker in makers)

    def _function(self, maker: ast.AST) -> ast.AST | None:
        return self.module.function(maker) if maker in self.module.parents else maker

    def _plan(self, site: Site) -> str:
        """The name the answer has or gets."""
        call = site.call
        assert call is not None
        statement = self.module.statement(call)
        if not self.draft.starts_line(statement):
            raise NotConvertedError("a message shares its line with other statements")
        if (given := self.workspace.answer_names.get(call)) is not None:
            return given
        value = getattr(statement, "value", None)
        if isinstance(statement, ast.Assign | ast.AnnAssign) and self._is_answer(value, site):
            targets = statement.targets if isinstance(statement, ast.Assign) else [statement.target]
            if len(targets) == 1 and isinstance(targets[0], ast.Name):
                return targets[0].id
        bare = isinstance(statement, ast.Expr) and self._is_answer(value, site)
        read = self._read(site)
        if not bare and not (
            isinstance(statement, SIMPLE)
            and isinstance(self.module.parents[read], ast.Attribute)
            and runs_always(self.module, statement, read)
            and is_first(self.module, statement, read)
        ):
            raise NotConvertedError("a message stands inside another expression")
        return free_name(self.workspace, self.module, call)

    def _is_answer(self, value: ast.expr | None, site: Site) -> bool:
        """Whether an expression gives just what the call gives."""
        made = self.workspace.surface.makes[site.member or ""]
        assert site.call is not None
        return value is not None and self.workspace.values(value) == {Made(made, site.call)}

    def _read(self, site: Site) -> ast.expr:
        """The message, with the ``await`` before it."""
        assert site.call is not None
        parent = self.module.parents[site.call]
        return parent if isinstance(parent, ast.Await) else site.call

    # -- drafting

    def _raise_behind(self, site: Site, name: str, names: dict[str, str]) -> None:
        assert site.call is not None
        statement = self.module.statement(site.call)
        test = self._test(site, name, names)
        if isinstance(statement, ast.Assign | ast.AnnAssign) and self._is_answer(
            statement.value, site
        ):
            self.draft.insert_after(statement, lambda: test)
            return
        if isinstance(statement, ast.Expr) and self._is_answer(statement.value, site):
            if site.call not in self.workspace.answer_names:
                self.draft.put_before(statement, f"{name} = ")
                take(self.workspace, self.module, site.call, name)
            self.draft.insert_after(statement, lambda: test)
            return
        read = self._read(site)
        attribute = self.module.parents[read]
        assert isinstance(attribute, ast.Attribute)
        self.draft.name_before(statement, name, read)
        self.draft.replace_with(attribute, f"{name}.{attribute.attr}")
        self.workspace.called[read] = Called(name, site)
        self.draft.insert_before(statement, test)

    def _test(self, site: Site, name: str, names: dict[str, str]) -> str:
        params, indent = self.params, self.draft.style.indent
        lines: list[str] = []
        if (blocked := names.get(params.blocked)) is not None:
            feedback = f"{name}.{params.feedback}"
            lines += [
                f"if {feedback} and {feedback}.{params.reason}:",
                f"{indent}raise {blocked}({feedback})",
            ]
        if (stopped := names.get(params.stopped)) is not None:
            candidate = f"{name}.{params.candidates}[0]"
            ends = [self.workspace.types(self.module, f"{params.enum}.{m}") for m in params.ends]
            sent = f"{self.draft.source.segment(receiver(site))}.{params.sent}"
            forget = [
                f"{indent}if {candidate}.{params.content} in {sent}[-1:]:",
                f"{indent}{indent}del {sent}[-2:]",
            ]
            lines += [
                f"if {candidate}.{params.finish} not in (",
                *(f"{indent}{end}," for end in ("None", *ends)),
                "):",
                *(forget if self._goes_on(site) else ()),
                f"{indent}raise {stopped}({candidate})",
            ]
        return "\n".join(lines)


def _classes(names: dict[str, str], params: RaisedAnswers, indent: str) -> str:
    said = {
        params.blocked: "The prompt was blocked.",
        params.stopped: "The answer ended for another reason than its own end or its length.",
    }
    return "\n".join(
        f'\n\nclass {name}(Exception):\n{indent}"""{said[symbol]}"""'
        for symbol, name in sorted(names.items())
    )
