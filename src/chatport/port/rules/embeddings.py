"""The result of an embedding call: a mapping on the legacy SDK, an object on the new one.

Legacy gave ``{"embedding": [...]}``, one list of numbers for one text and a list of such lists for
several; so every place that reads a result must be known, and with it which of the two it holds, or
the name of what was embedded, which tells.
"""

from __future__ import annotations

import ast
import re
from enum import Enum

from msgspec import Struct
from msgspec.structs import replace

from chatport.port.packs.schema import Embedding
from chatport.port.program.modules import Module
from chatport.port.program.scopes import Variable
from chatport.port.program.values import STR, Atom, Bound, Container, Function, Made, Values
from chatport.port.render.draft import Draft
from chatport.port.render.layout import Element, Sequence, Text, Value
from chatport.port.rules.base import RefusedError, Site, Workspace
from chatport.port.rules.constants import constants_of
from chatport.port.rules.portable import is_bound_once

CODE = "embed_shape"
RULE = "call"
_LIST_NODES = (ast.List, ast.ListComp)
_LISTS = frozenset({"list", "List", "Sequence", "Iterable", "tuple", "Tuple"})


class Shape(Enum):
    """What is embedded."""

    ONE = "one text"
    MANY = "several texts"
    EITHER = "one text, or a list of them"


class Reading(Struct, frozen=True):
    """How what legacy gave is read of the new result."""

    shape: Shape
    params: Embedding
    content: str
    """The name of what was embedded."""

    def around(self, value: Sequence) -> Sequence:
        """The call that gives the result, with the reading around it: it is written once."""
        before, behind = self._affixes(value.opening)
        if self.shape is Shape.EITHER:
            behind += f"[slice(None) if isinstance({self.content}, list) else 0]"
        return replace(value, opening=before + value.opening, closing=value.closing + behind)

    def of(self, owner: str, outer: str, inner: str) -> str:
        """The reading of a result that has a name, in lines indented by `outer` and `inner`."""
        before, behind = self._affixes(owner)
        every = before + owner + behind
        if self.shape is not Shape.EITHER:
            return every
        one = f"{owner}.{self.params.attribute}[0].{self.params.item}"
        pieces = (every, f"if isinstance({self.content}, list)", f"else {one}")
        return "\n".join(["(", *(inner + piece for piece in pieces), outer + ")"])

    def _affixes(self, owner: str) -> tuple[str, str]:
        """What stands before and behind the result to read it."""
        params = self.params
        if self.shape is Shape.ONE:
            return "", f".{params.attribute}[0].{params.item}"
        name = next(n for n in ("item", "embedding", "entry") if n not in owner)
        return f"[{name}.{params.item} for {name} in ", f".{params.attribute}]"


class Read(Struct, frozen=True):
    """A place that reads a result, and how it will."""

    node: ast.Subscript
    reading: Reading

    def around(self, value: Sequence) -> Sequence:
        return self.reading.around(value)


class Kept(Struct, frozen=True):
    """A result that is given back as the mapping it was."""

    node: ast.expr
    reading: Reading
    key: str

    def around(self, value: Sequence) -> Sequence:
        if isinstance(self.node, ast.Await):
            value = replace(value, opening=f"(await {value.opening}", closing=value.closing + ")")
        value = self.reading.around(value)
        return Sequence("{", (Element(value, f"{self.key}: "),), "}")


class _Result(Struct, frozen=True):
    site: Site
    params: Embedding
    shape: Shape
    content: ast.expr
    atom: Made
    coroutine: bool

    @property
    def parent(self) -> ast.AST:
        """What the call stands in."""
        return self.site.module.parents[self.atom.site]


class Embeddings:
    """The results of all embedding calls of a repository."""

    def __init__(self, workspace: Workspace) -> None:
        self.workspace = workspace
        self._results: dict[Made, _Result] = {}
        self._by_call: dict[ast.AST, _Result] = {}
        self._reads: dict[ast.Subscript, Read] = {}
        self._read_behind: dict[ast.AST, Read] = {}
        """What is read -> how."""
        self._whole: set[Atom] = set()
        """The results that stay mappings."""
        self._apart: dict[ast.expr, Shape] = {}
        """What is embedded of which a model may make one embedding."""

    def add(
        self,
        site: Site,
        params: Embedding,
        arguments: dict[str, ast.expr],
        made: str,
        *,
        coroutine: bool,
    ) -> None:
        """A call; raises `RefusedError` when what it embeds is not known."""
        content = arguments.get(params.content)
        if content is None or params.model not in arguments:
            raise RefusedError("unsupported_kwarg", f"`{params.content}` or the model is missing")
        shape = self._shape(site.module, content)
        if shape is None:
            raise RefusedError(
                CODE,
                f"whether `{ast.unparse(content)[:60]}` is one text or several is not known",
            )
        if shape is not Shape.ONE:
            self._note_many(site, params, content, arguments[params.model], shape)
        assert site.call is not None
        self.workspace.embedded[site] = None if shape is Shape.EITHER else shape is Shape.MANY
        atom = Made(made, site.call)
        result = _Result(site, params, shape, content, atom, coroutine)
        self._results[atom] = self._by_call[site.call] = result

    def settle(self) -> None:
        """Find every read of every result; one that goes elsewhere is given back as the mapping it
        was, and so are those that meet it."""
        while True:
            before = len(self._whole)
            self._reads.clear()
            for result in self._results.values():
                if result.atom not in self._whole:
                    self._follow_or_keep(result)
            if len(self._whole) == before:
                break
        for site in self.workspace.sites:
            if site.owners and self._whole.issuperset(site.owners):
                site.rule = RULE
                self.workspace.unchanged.add(site)
        for read in self._reads.values():
            self._read_behind[read.node.value] = read
            if read.node.value not in self._by_call:
                self._draft(read)

    def _follow_or_keep(self, result: _Result) -> None:
        try:
            self._follow(result)
        except RefusedError as error:
            if result.coroutine and not isinstance(result.parent, ast.Await):
                result.site.refuse(error.refusal.code, error.refusal.detail)
            self._whole.add(result.atom)

    def read_of(self, node: ast.Call) -> Read | Kept | None:
        """What stands around a call in its place: a read of its result directly behind it, or the
        mapping it gave."""
        result = self._by_call.get(node)
        if result is not None and result.atom in self._whole:
            replaced = result.parent if result.coroutine else node
            assert isinstance(replaced, ast.expr)
            code, style = ast.unparse(result.content), self.workspace.draft(result.site).style
            reading = Reading(result.shape, result.params, code)
            return Kept(replaced, reading, style.string(result.params.key))
        return self._read_behind.get(node)

    # -- what is embedded

    def _shape(self, module: Module, node: ast.expr) -> Shape | None:
        values = self.workspace.values(node)
        if values == frozenset({STR}):
            return Shape.ONE
        several = [atom for atom in values if isinstance(atom, Container)]
        if not all(self._is_sequence(atom.node) for atom in several):
            return None
        if several and len(several) == len(values):
            return Shape.MANY
        told = _annotated(module, node) if not several else None
        return told or (Shape.EITHER if _variable(module, node) else None)

    def _is_sequence(self, node: ast.AST) -> bool:
        """Whether a container is a list, or anything else that legacy took for several texts."""
        written = isinstance(node, (*_LIST_NODES, ast.Tuple))
        return written or (isinstance(node, ast.Subscript) and not self._is_mapping(node))

    def _is_mapping(self, node: ast.AST) -> bool:
        return node in self.workspace.flow.mappings

    def _are_lists(self, node: ast.expr) -> bool:
        """Whether nothing but a list may hold several texts here, as the new SDK wants."""
        return all(
            isinstance(atom.node, _LIST_NODES) or _names_list(atom.node)
            for atom in self.workspace.values(node)
            if isinstance(atom, Container)
        )

    def _note_many(
        self, site: Site, params: Embedding, content: ast.expr, model: ast.expr, shape: Shape
    ) -> None:
        """Say that several texts are sent at once, and find those of which a model may make one
        embedding: each becomes a content of its own."""
        names = constants_of(self.workspace, model)
        written = content.elts if isinstance(content, ast.List | ast.Tuple) else None
        if written is None or len(written) > params.batch:
            site.warn("embed_batch")
        joined = names is None or any(_joins(name, params.joins) for name in names)
        if joined or not self._are_lists(content):
            self._apart[content] = shape

    def value_of(self, draft: Draft, node: ast.expr) -> Value:
        """What is embedded, as the new call is given it."""
        shape = self._apart.get(node)
        if shape is None:
            return draft.carried(node)
        names = {part.id for part in ast.walk(node) if isinstance(part, ast.Name)}
        name = next(name for name in ("text", "one", "each", "piece") if name not in names)
        code = draft.code(node)
        each = f"[[{name}] for {name} in {code}]"
        written = node.elts if isinstance(node, ast.List | ast.Tuple) else []
        if written and not any(isinstance(part, ast.Starred) for part in written):
            each = f"[{', '.join(f'[{draft.code(part)}]' for part in written)}]"
        either = f"{each} if isinstance({code}, list) else {code}"
        return Text(either if shape is Shape.EITHER else each)

    # -- where the result goes

    def _follow(self, result: _Result) -> None:
        call = result.atom.site
        if call in self.workspace.flow.leaked:
            raise RefusedError(CODE, "the result is handed to code that is not followed")
        for node in (call, *self.workspace.holders.get(result.atom, ())):
            values = self.workspace.flow.values[node]
            module = self.workspace.find_home(node)
            if module is None:
                continue
            parent = module.parents[node]
            if isinstance(parent, ast.Subscript) and parent.value is node:
                self._read(result, parent, values)
            elif not self._travels(module, parent, node):
                raise RefusedError(
                    CODE, f"the result is used in `{ast.unparse(module.statement(node))[:60]}`"
                )

    def _read(self, result: _Result, node: ast.Subscript, values: Values) -> None:
        params = result.params
        key = node.slice.value if isinstance(node.slice, ast.Constant) else None
        if key != params.key or not isinstance(node.ctx, ast.Load):
            raise RefusedError(CODE, f"`{ast.unparse(node)[:60]}` is not a read of {params.key!r}")
        shapes = {
            self._results[a].shape for a in values if isinstance(a, Made) and a in self._results
        }
        if shapes != {result.shape} or any(atom not in self._results for atom in values):
            raise RefusedError(CODE, f"what `{ast.unparse(node.value)[:60]}` holds is not certain")
        self._check_place(result, node)
        self._reads[node] = Read(node, Reading(result.shape, params, ast.unparse(result.content)))

    def _check_place(self, result: _Result, node: ast.Subscript) -> None:
        """What tells one text from several must be at hand where the result is read."""
        if result.shape is not Shape.EITHER:
            return
        module, content = result.site.module, result.content
        if node not in module.parents or not _tells_the_same(module, content, node):
            raise RefusedError(CODE, f"`{ast.unparse(content)}` may be something else at a reading")

    def _travels(self, module: Module, parent: ast.AST, node: ast.AST) -> bool:
        """Whether the value only goes on to where it is looked at again."""
        if isinstance(parent, ast.Assign | ast.AnnAssign | ast.Await | ast.NamedExpr | ast.Expr):
            return True
        if isinstance(parent, ast.Return):
            function = module.function(node)
            flow = self.workspace.flow
            return bool(function and flow.calls.get(function)) and not flow.fact(
                "exposed", function
            )
        if isinstance(parent, ast.keyword):
            parent = module.parents[parent]
        if isinstance(parent, ast.Call) and parent.func is not node:
            known = self.workspace.values(parent.func)
            passes = not self.workspace.values(parent).isdisjoint(self._results)
            return passes or all(isinstance(atom, Function | Bound) for atom in known)
        return isinstance(getattr(node, "ctx", None), ast.Store)

    def _draft(self, read: Read) -> None:
        module = self.workspace.home(read.node)
        draft, owner = self.workspace.drafts[module], read.node.value

        start, end = draft.source.span(read.node)[0], draft.source.span(owner)[1]
        brackets = re.compile(r"(?:\s*\))*").match(draft.source.text, end)
        assert brackets is not None

        def build() -> str:
            outer = draft.source.indent_at(start)
            return read.reading.of(
                draft.span_text(start, brackets.end()), outer, outer + draft.style.indent
            )

        draft.replace(read.node, build)


def _variable(module: Module, node: ast.expr) -> Variable | None:
    """The variable of a name, or of what attributes are read from."""
    while isinstance(node, ast.Attribute):
        node = node.value
    variable = module.scopes.variable.get(node) if isinstance(node, ast.Name) else None
    return variable if variable is not None and not variable.foreign_stores else None


def _tells_the_same(module: Module, content: ast.expr, read: ast.expr) -> bool:
    """Whether the name `content` still holds at `read` what was embedded: it is bound once, or not
    between two statements of one block."""
    variable = _variable(module, content)
    if variable is None or module.function(content) is not module.function(read):
        return False
    if is_bound_once(module, variable):
        return True
    first, last = module.statement(content), module.statement(read)
    lines = range(first.lineno, (last.end_lineno or last.lineno) + 1)
    between = any(getattr(store, "lineno", 0) in lines for store in variable.stores)
    return module.parents[first] is module.parents[last] and not between


def _annotated(module: Module, node: ast.expr) -> Shape | None:
    """What the annotation of a parameter that is never given another value says."""
    variable: Variable | None = module.scopes.variable.get(node)
    if variable is None or len(variable.stores) != 1 or variable.foreign_stores:
        return None
    store = variable.stores[0]
    annotation = store.annotation if isinstance(store, ast.arg) else None
    if isinstance(annotation, ast.Subscript):
        outer = annotation.value
        name = getattr(outer, "attr", None) or getattr(outer, "id", None)
        first = (
            annotation.slice.elts[0]
            if isinstance(annotation.slice, ast.Tuple)
            else annotation.slice
        )
        return Shape.MANY if name in _LISTS and _is_str(first) else None
    return Shape.ONE if _is_str(annotation) else None


def _names_list(annotation: ast.AST) -> bool:
    """Whether an annotation promises a list and nothing else that can be iterated."""
    outer = annotation.value if isinstance(annotation, ast.Subscript) else annotation
    return (getattr(outer, "attr", None) or getattr(outer, "id", None)) in {"list", "List"}


def _is_str(node: ast.expr | None) -> bool:
    return isinstance(node, ast.Name) and node.id == "str"


def _joins(name: object, joins: tuple[str, ...]) -> bool:
    """Whether a model makes one embedding of several texts."""
    return not isinstance(name, str) or name.rpartition("/")[2].startswith(joins)
