"""Enumerations: legacy's members were numbers, the new ones are strings.

Wherever the value flow carries such a value, a comparison with a number is silently false now. It
is written with the member's name; an order between members, arithmetic, a number made of one or a
look-up by one is refused, and so is every use that is not known to mean the same.
"""

from __future__ import annotations

import ast

from msgspec import Struct

from chatport.port.packs.schema import MemberRead, MemberReads
from chatport.port.program.modules import Module
from chatport.port.program.values import Bound, Class, External, Function, Made
from chatport.port.rules.base import Site, Workspace
from chatport.port.rules.shown import is_shown

RULE = "member_reads"
CODE = "enum_value_changed"
NUMBERS = {"builtins.int", "builtins.float", "builtins.bool", "builtins.hash"}
TEXTS = {"builtins.str", "builtins.repr", "builtins.format"}
"""What makes text of a member that the program may go on with."""
COMPARED = ast.Compare | ast.Subscript | ast.Attribute
"""Where a text decides something."""
TRAVELS = (
    ast.Assign
    | ast.AnnAssign
    | ast.NamedExpr
    | ast.Return
    | ast.Expr
    | ast.If
    | ast.While
    | ast.Assert
    | ast.IfExp
    | ast.BoolOp
    | ast.Await
)
"""Where a value is only passed on, or only its truth is asked."""
JUDGED = ast.Compare | ast.BinOp | ast.Subscript | ast.FormattedValue | ast.Attribute
"""Uses with a judgement of their own."""
ALIKE = ast.Eq | ast.NotEq | ast.In | ast.NotIn | ast.Is | ast.IsNot


class Enumeration(Struct, frozen=True):
    """A legacy enumeration: the type the flow gives its values, and how the new one names them."""

    type: str
    member: MemberRead


class EnumRule:
    """The enumerations of a ``member_reads`` change."""

    def __init__(self, change: MemberReads) -> None:
        self.change = change

    def run(self, workspace: Workspace) -> None:
        self.workspace = workspace
        self.enumerations: dict[str, MemberRead] = enumerations(workspace, self.change)
        if not any(atom.type in self.enumerations for atom in workspace.holders):
            return
        for module in workspace.modules:
            for node in module.parents:
                self._visit(module, node)
        self._refuse_the_rest()

    def _refuse_the_rest(self) -> None:
        """What is neither compared nor shown nor only passed on may do anything with a value."""
        homes = self.workspace.homes
        for atom, nodes in self.workspace.holders.items():
            for node in nodes if atom.type in self.enumerations else ():
                home = homes.get(node)
                stored = isinstance(getattr(node, "ctx", None), ast.Store | ast.Del)
                if home is None or stored or not isinstance(node, ast.expr):
                    continue
                parent = home.parents[node]
                parent = home.parents[parent] if isinstance(parent, ast.keyword) else parent
                if not isinstance(parent, JUDGED | TRAVELS) and not self._is_passed(parent, node):
                    self._refuse_each(parent, node)

    def _is_passed(self, parent: ast.AST, node: ast.expr) -> bool:
        """Whether a value is an argument of the repository's own functions, where it is followed,
        or of what shows it or asks for its truth."""
        if is_shown(self.workspace, parent, node):
            return True
        if isinstance(parent, ast.UnaryOp):
            return isinstance(parent.op, ast.Not)
        if not isinstance(parent, ast.Call):
            return False
        callees = self.workspace.flow.values.get(parent.func, frozenset())
        return bool(callees) and all(isinstance(c, Function | Bound | Class) for c in callees)

    def _visit(self, module: Module, node: ast.AST) -> None:
        if isinstance(node, ast.Compare):
            self._compare(module, node)
        elif isinstance(node, ast.BinOp) and is_shown(self.workspace, node, node.right):
            self._note(node.right)
        elif isinstance(node, ast.BinOp):
            self._refuse_each(node, node.left, node.right)
        elif isinstance(node, ast.Subscript):
            self._refuse_each(node, node.slice)
        elif isinstance(node, ast.FormattedValue):
            self._note(node.value)
        elif isinstance(node, ast.Call):
            self._call(module, node)

    def _found(self, node: ast.AST) -> Enumeration | None:
        """The enumeration an expression may hold a member of."""
        for atom in self.workspace.flow.values.get(node, ()):
            if isinstance(atom, Made) and atom.type in self.enumerations:
                return Enumeration(atom.type, self.enumerations[atom.type])
        return None

    def _call(self, home: Module, node: ast.Call) -> None:
        names = {a.name for a in self.workspace.values(node.func) if isinstance(a, External)}
        if names & TEXTS and isinstance(home.parents[node], COMPARED):
            self._refuse_each(home.parents[node], *node.args[:1])
        elif any(is_shown(self.workspace, node, argument) for argument in node.args[:1]):
            for argument in node.args:
                self._note(argument)
        elif names & NUMBERS:
            self._refuse_each(node, *node.args)
        elif isinstance(node.func, ast.Attribute) and node.func.attr in {"get", "index", "count"}:
            self._refuse_each(node, *node.args[:1])

    def _compare(self, module: Module, node: ast.Compare) -> None:
        operands = [node.left, *node.comparators]
        found = next((e for operand in operands if (e := self._found(operand))), None)
        if found is None:
            return
        enumerated = [operand for operand in operands if self._found(operand)]
        others = [operand for operand in operands if operand not in enumerated]
        constants = [c for other in others for c in _constants(other)]
        numbered = [c for c in constants if c.value is not None]
        known = all(
            type(c.value) is int and str(c.value) in found.member.numbers for c in numbered
        ) and all(_is_constant(other) for other in others)
        if not known or not all(isinstance(op, ALIKE) for op in node.ops):
            self._refuse_each(node, *enumerated)
            return
        for operand in enumerated:
            site = self.workspace.by_node.get(operand)
            if site is not None:
                site.rule = RULE
        draft = self.workspace.drafts[module]
        for constant in numbered:
            name = found.member.numbers[str(constant.value)]
            text = self.workspace.types(module, f"{found.member.enum}.{name}")
            draft.replace_with(constant, text)

    def _refuse_each(self, around: ast.AST, *nodes: ast.expr) -> None:
        for node in nodes:
            for site in self._sites(node):
                site.refuse(CODE, f"`{_line(around)}` sees another value now")

    def _note(self, node: ast.expr) -> None:
        for site in self._sites(node):
            site.rule = site.rule or RULE
            site.warn("enum_text_changed")

    def _sites(self, node: ast.expr) -> list[Site]:
        """Where a value is read, or the call it comes from."""
        if self._found(node) is None:
            return []
        site = self.workspace.by_node.get(node)
        if site is not None:
            return [site]
        makers = [
            self.workspace.by_node.get(atom.site)
            for atom in self.workspace.values(node)
            if isinstance(atom, Made)
        ]
        return [maker for maker in makers if maker is not None]


def enumerations(workspace: Workspace, change: MemberReads) -> dict[str, MemberRead]:
    """Type of a value -> the member it is read from, for each enumeration."""
    return {
        workspace.surface.reads[name]: member
        for name, member in change.members.items()
        if member.numbers
    }


def _line(node: ast.AST) -> str:
    return ast.unparse(node).splitlines()[0][:60]


def _is_constant(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) or (
        isinstance(node, ast.Tuple | ast.List | ast.Set)
        and all(isinstance(element, ast.Constant) for element in node.elts)
    )


def _constants(node: ast.expr) -> list[ast.Constant]:
    parts = node.elts if isinstance(node, ast.Tuple | ast.List | ast.Set) else [node]
    return [part for part in parts if isinstance(part, ast.Constant)]
