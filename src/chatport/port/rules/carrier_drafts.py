"""What carriers leave in the text: names, mappings, configurations beside names, annotations."""

from __future__ import annotations

import ast

from chatport.port.findings import Kind
from chatport.port.packs.schema import ModelCallsParams
from chatport.port.program.modules import Module
from chatport.port.program.scopes import FUNCTIONS, Scope, Variable
from chatport.port.program.values import NOTHING, Container, Made, Values
from chatport.port.render.authored import is_broken
from chatport.port.render.layout import Element, Sequence, Text, Value, render, shift
from chatport.port.rules.base import Site, Workspace
from chatport.port.rules.carriers import WHY_TRAVELS, Carriers, Ctor


class CarrierDrafts:
    """Writes the constructors and the annotations of models anew."""

    def __init__(self, workspace: Workspace, params: ModelCallsParams, carriers: Carriers) -> None:
        self.workspace = workspace
        self.params = params
        self.carriers = carriers
        self._declared: set[tuple[object, str]] = set()
        """Siblings a declaration or a scope has been given."""

    def draft(self) -> None:
        """The constructors and annotations themselves."""
        for ctor in self.carriers.ctors:
            if ctor.folded:
                self._draft_folded(ctor)
            else:
                self._draft_named(ctor)
        self._draft_annotations()

    def _draft_folded(self, ctor: Ctor) -> None:
        draft = self.workspace.draft(ctor.site)
        if ctor.statement is not None:
            draft.delete(ctor.statement)

    def _draft_named(self, ctor: Ctor) -> None:
        if ctor.model is None:
            return
        draft, model = self.workspace.draft(ctor.site), ctor.model
        if ctor.bundled:
            draft.replace_value(ctor.call, lambda: self._bundle(ctor))
            return
        statement, target = ctor.statement, ctor.target
        held = target is not None and ast.unparse(target) == ast.unparse(model)
        if not (held and statement is not None and len(_targets(statement)) == 1):
            draft.replace(ctor.call, lambda: draft.code(model))
        elif not ctor.sibling:
            draft.delete(statement)  # the variable holds the name already
        if not ctor.sibling:
            return
        assert statement is not None
        assert target is not None
        name = self.carriers.sibling_text(draft.source.segment(target))
        indent = draft.source.indent_at(draft.source.span(statement)[0])

        def sibling() -> str:
            if not ctor.config:
                empty = self.workspace.types(ctor.site.module, self.params.config_class)
                return f"{name} = {f'{empty}()' if ctor.written_over else None}"
            value = ctor.config.value(self.workspace, ctor.site.module, self.params.config_class)
            code = render(value, draft.style, "", len(indent) + len(name) + 3)
            return f"{name} = {code}"

        if held:
            draft.replace(statement, lambda: shift(sibling(), "", indent))
        else:
            draft.insert_after(statement, sibling)
        if isinstance(target, ast.Name):
            self._declare_forwarded(ctor.site.module, target)

    def _bundle(self, ctor: Ctor) -> Value:
        """``{"model": ..., "config": ...}``."""
        assert ctor.model is not None
        draft = self.workspace.draft(ctor.site)
        name, config = self.params.model_keyword, self.params.config_keyword
        value: Value = Text("None")
        if ctor.config:
            value = ctor.config.value(self.workspace, ctor.site.module, self.params.config_class)
        items = (
            Element(draft.carried(ctor.model), f"{draft.style.string(name)}: "),
            Element(value, f"{draft.style.string(config)}: "),
        )
        return Sequence("{", items, "}", is_broken(draft, ctor.call))

    def _declare_forwarded(self, module: Module, target: ast.Name) -> None:
        """A sibling of a variable declared ``global`` or ``nonlocal`` is declared too; a
        ``nonlocal`` one needs a binding where the variable has its own."""
        scope: Scope | None = module.scopes.around.get(target)
        if scope is None or target.id not in scope.forwarded:
            return
        draft, sibling = self.workspace.drafts[module], self.carriers.sibling_text(target.id)
        declaration = next(
            node
            for node in ast.walk(scope.node)
            if isinstance(node, ast.Global | ast.Nonlocal) and target.id in node.names
        )
        if (declaration, sibling) in self._declared:
            return
        self._declared.add((declaration, sibling))
        _, end = draft.source.span(declaration)
        draft.insert(end, f", {sibling}")
        if isinstance(declaration, ast.Nonlocal):
            self._bind_outside(module, module.scopes.variable[target], sibling)

    def _bind_outside(self, module: Module, variable: Variable, sibling: str) -> None:
        """``sibling = None`` beside what first binds a variable that functions inside change."""
        own = [s for s in variable.stores if module.scopes.around.get(s) is variable.scope]
        if any(self.carriers.is_ctor_store(module, store) for store in own):
            return  # a sibling stands there already
        if (variable, sibling) in self._declared:
            return
        self._declared.add((variable, sibling))
        first = own[0] if own else None
        statement = module.statement(first) if isinstance(first, ast.Name) else None
        if not isinstance(statement, ast.Assign | ast.AnnAssign):
            for ctor in self.carriers.ctors:
                if ctor.target in variable.stores:
                    ctor.site.refuse("model_object_escapes", WHY_TRAVELS)
            return
        self.workspace.drafts[module].insert_after(statement, lambda: f"{sibling} = None")

    def _draft_annotations(self) -> None:
        """An annotation that named the legacy model says that the variable holds its name."""
        for site in self.workspace.sites:
            if site.symbol != self.params.ctor_symbol or site.kind is not Kind.TYPE:
                continue
            if not _is_annotation(site):
                site.refuse("type_reference", "the class itself is used as a value")
                continue
            draft = self.workspace.draft(site)
            node = site.node
            assert isinstance(node, ast.expr)
            said = self._said_of(site)
            if said is None:
                site.refuse("type_reference", "some of the models become names, some mappings")
                continue
            quoted = isinstance(node, ast.Constant)
            draft.replace_with(node, draft.style.string(site.in_quotes(said)) if quoted else said)

    def _said_of(self, site: Site) -> str | None:
        """The type of what an annotated variable, parameter or result holds now."""
        bundled = {ctor.bundled for ctor in self._annotated(site) or self.carriers.ctors}
        if len(bundled) > 1:
            return None
        return "dict" if True in bundled else "str"

    def _annotated(self, site: Site) -> list[Ctor]:
        """The models that get to what an annotation is of, also inside containers."""
        flow, parents = self.workspace.flow, site.module.parents
        node: ast.AST = site.node
        while isinstance(node, ast.expr):
            node = parents[node]
        values: Values = NOTHING
        if isinstance(node, ast.arg):
            values = flow.fact("parameter", node)
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            values = flow.fact("returns", node)
        elif isinstance(node, ast.AnnAssign):
            values = flow.values.get(node.target, NOTHING)
            owner = parents[node]
            if isinstance(owner, ast.ClassDef) and isinstance(node.target, ast.Name):
                values |= flow.fact("attribute", owner, node.target.id)
        inside = NOTHING.union(
            *(
                flow.fact("element", atom.node) | flow.fact("any item", atom.node)
                for atom in values
                if isinstance(atom, Container)
            )
        )
        made = {atom.site for atom in values | inside if isinstance(atom, Made)}
        return [ctor for ctor in self.carriers.ctors if ctor.call in made]


def _targets(statement: ast.Assign | ast.AnnAssign) -> list[ast.expr]:
    return statement.targets if isinstance(statement, ast.Assign) else [statement.target]


def _is_annotation(site: Site) -> bool:
    parents = site.module.parents
    node: ast.AST = site.node
    while True:
        parent = parents.get(node)
        if isinstance(parent, ast.arg | ast.AnnAssign):
            return parent.annotation is node
        if isinstance(parent, FUNCTIONS):
            return getattr(parent, "returns", None) is node
        if not isinstance(parent, ast.Subscript | ast.BinOp | ast.Tuple):
            return False
        node = parent
