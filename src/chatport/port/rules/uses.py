"""Finding the uses: every place of a module that reads the legacy SDK or one of its objects."""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterator

from chatport.port.findings import Kind
from chatport.port.program.flow import legacy_name
from chatport.port.program.modules import Module
from chatport.port.program.passing import names_of, passes_on
from chatport.port.program.threads import Runner, runner
from chatport.port.program.values import (
    NONE,
    NOTHING,
    UNKNOWN,
    Atom,
    Bound,
    Class,
    External,
    Function,
    Instance,
    Made,
    Project,
    Shape,
    Values,
)
from chatport.port.rules.base import Site, StandIn, Workspace
from chatport.port.rules.sessions import SESSION

_PLAIN = {kind.__name__: kind for kind in (str, bytes, int, float, bool)}
_IN_TESTS = re.compile(r"(^|/)(tests?/|(test_\w*|\w*_test|conftest)\.py$)")
OF_MOCKS = {
    *("return_value", "side_effect", "called", "call_count", "call_args", "call_args_list"),
    *("mock_calls", "method_calls", "reset_mock", "await_count", "await_args", "await_args_list"),
    *("assert_called", "assert_called_once", "assert_called_with", "assert_called_once_with"),
    *("assert_any_call", "assert_has_calls", "assert_not_called", "assert_awaited"),
    *("assert_awaited_once", "assert_awaited_with", "assert_awaited_once_with"),
    *("assert_any_await", "assert_has_awaits", "assert_not_awaited"),
}
"""Attributes of mocks that a method has not."""
_MADE_BY_A_CLASS = re.compile(r"(^|\.)[A-Z]\w*\(\)")


def collect(workspace: Workspace) -> None:
    """Add every site of every module, in the order of the text."""
    workspace.importers = {
        module
        for module in workspace.modules
        if any(_imports(workspace, module, node) for node in _import_statements(module))
    }
    for module in workspace.modules:
        sites = list(_of_module(workspace, module))
        sites.sort(key=lambda site: _position(site.node) + _end(site.node))
        for site in sites:
            if site.node not in workspace.stays.nodes:
                workspace.add(site)


def _import_statements(module: Module) -> list[ast.Import | ast.ImportFrom]:
    return [*module.nodes(ast.Import), *module.nodes(ast.ImportFrom)]


def _position(node: ast.AST) -> tuple[int, int]:
    return getattr(node, "lineno", 0), getattr(node, "col_offset", 0)


def _end(node: ast.AST) -> tuple[int, int]:
    """Sorts ``chat.history`` before ``chat.history.clear``, which is read through it."""
    return getattr(node, "end_lineno", 0), getattr(node, "end_col_offset", 0)


def _of_module(workspace: Workspace, module: Module) -> Iterator[Site]:
    for statement in _import_statements(module):
        yield from _imports(workspace, module, statement)
        if isinstance(statement, ast.ImportFrom):
            yield from _handed_on(workspace, module, statement)
    workspace.stood_for |= {
        call.args[0] for call in module.nodes(ast.Call) if _replaces_a_method(workspace, call)
    }
    whole: set[ast.AST] = set()
    """Expressions that are one use, whatever they are made of; they come before their parts."""
    named: list[ast.Name | ast.Attribute]
    named = [*module.nodes(ast.Attribute), *module.nodes(ast.Name)]
    for node in named:
        if isinstance(node.ctx, ast.Load):
            site = _reference(workspace, module, node)
        elif isinstance(node, ast.Attribute):
            site = _mocked(workspace, module, node) or _member(workspace, module, node)
        else:
            continue
        if site is not None and not _is_inside(module, node, whole):
            yield site
            if site.member is None and isinstance(node.ctx, ast.Load):
                whole.add(node)
    for constant in module.nodes(ast.Constant):
        site = _string(workspace, module, constant) if isinstance(constant.value, str) else None
        if site is not None and not _is_inside(module, constant, whole):
            yield site


def _is_inside(module: Module, node: ast.AST, whole: set[ast.AST]) -> bool:
    """Whether a node is a part of one of some expressions."""
    if not whole:
        return False
    while not isinstance(node, ast.stmt | ast.Module):
        node = module.parents[node]
        if node in whole:
            return True
    return False


def _imports(workspace: Workspace, module: Module, node: ast.Import | ast.ImportFrom) -> list[Site]:
    found = []
    for alias in node.names:
        if isinstance(node, ast.Import):
            name = alias.name
        elif node.level or node.module is None:
            continue
        else:
            name = node.module if alias.name == "*" else f"{node.module}.{alias.name}"
        if workspace.surface.is_legacy(name):
            symbol = workspace.surface.canonical(name)
            found.append(Site(module, alias, symbol, Kind.IMPORT))
        elif isinstance(node, ast.Import) and alias.asname is None:
            continue  # its names begin with another module's
        elif (known := legacy_name(workspace.surface, module, name)) is not None:
            found.append(Site(module, alias, known, Kind.IMPORT))
    return found


def _handed_on(workspace: Workspace, module: Module, node: ast.ImportFrom) -> Iterator[Site]:
    """Legacy names that another module of the repository imported, which has them no more when
    it is ported: the two go together."""
    for alias in node.names:
        variable = module.scopes.variable.get(alias)
        values = workspace.flow.fact("variable", variable) if variable is not None else NOTHING
        symbol = _legacy_symbol(workspace, values)
        home = workspace.imported_module(module, node)
        if home is None or symbol in {None, workspace.surface.module} or len(values) != 1:
            continue
        workspace.depend(module, home)
        yield Site(module, alias, symbol or "", Kind.IMPORT)


def _reference(workspace: Workspace, module: Module, node: ast.Name | ast.Attribute) -> Site | None:
    symbol = _legacy_symbol(workspace, workspace.values(node))
    if symbol is None:
        foreign = _gone(workspace, module, node) or _of_the_wire(workspace, module, node)
        if foreign is not None:
            return foreign
    if symbol is None:
        return _member(workspace, module, node) if isinstance(node, ast.Attribute) else None
    parent = module.parents[node]
    if isinstance(parent, ast.Attribute) and _legacy_symbol(workspace, workspace.values(parent)):
        return None
    call = parent if isinstance(parent, ast.Call) and parent.func is node else None
    if call is None and (not _is_imported(module, node) or _is_test(parent, node)):
        return None  # a variable that holds it: where it got it is a use already
    kind = _reference_kind(symbol, call)
    owner, _, last = symbol.rpartition(".")
    if kind is Kind.ATTRIBUTE and owner.rpartition(".")[2][:1].isupper():
        return Site(module, node, owner, kind, call, attribute=last)
    mixed = UNKNOWN in workspace.values(node)
    return Site(module, node, symbol, kind, call, mixed=mixed)


def _gone(workspace: Workspace, module: Module, node: ast.Name | ast.Attribute) -> Site | None:
    """A name of the legacy module that is read from the new one, which has it not."""
    new, surface = workspace.surface.pack.target.module, workspace.surface
    for atom in workspace.values(node):
        if not isinstance(atom, External) or not atom.name.startswith(new):
            continue
        owner, _, name = atom.name.rpartition(".")
        if owner == new and name in surface.pack.match.gone:
            parent = module.parents[node]
            call = parent if isinstance(parent, ast.Call) and parent.func is node else None
            symbol = surface.canonical(f"{surface.module}.{name}")
            site = Site(module, node, symbol, _reference_kind(symbol, call), call)
            site.refuse("half_migrated", f"`{ast.unparse(node)}`")
            return site
    return None


def _of_the_wire(
    workspace: Workspace, module: Module, node: ast.Name | ast.Attribute
) -> Site | None:
    """A message of the wire format that was made where the legacy SDK is not imported: legacy took
    it, and the new SDK does not."""
    surface = workspace.surface
    for atom in workspace.values(node) if module in workspace.importers else ():
        known = surface.by_wire(atom.name.partition("(")[0]) if isinstance(atom, External) else None
        if known is not None:
            site = Site(module, node, known, _reference_kind(known, None))
            site.refuse(
                "flag_only_surface", f"`{ast.unparse(node)[:60]}` is a message of the wire format"
            )
            return site
    return None


def _reference_kind(symbol: str, call: ast.Call | None) -> Kind:
    """A class is a type, its members and everything else are attributes."""
    owner, _, last = symbol.rpartition(".")
    if call is not None:
        return Kind.CALL
    in_class = owner.rpartition(".")[2][:1].isupper()
    return Kind.TYPE if last[:1].isupper() and not in_class else Kind.ATTRIBUTE


def _is_imported(module: Module, node: ast.expr) -> bool:
    """Whether a dotted expression starts at an imported name."""
    while isinstance(node, ast.Attribute):
        node = node.value
    variable = module.scopes.variable.get(node)
    return variable is not None and any(isinstance(s, ast.alias) for s in variable.stores)


def _is_test(parent: ast.AST, node: ast.expr) -> bool:
    """Whether only the presence of what is imported is asked, as under an import guard."""
    if not isinstance(node, ast.Name):
        return False
    if isinstance(parent, ast.Compare):
        others = [part for part in (parent.left, *parent.comparators) if part is not node]
        return all(isinstance(part, ast.Constant) and part.value is None for part in others)
    return isinstance(parent, ast.BoolOp | ast.UnaryOp | ast.If | ast.IfExp | ast.Assert)


def _legacy_symbol(workspace: Workspace, values: Values) -> str | None:
    """The one legacy symbol among `values`."""
    surface = workspace.surface
    names = [
        surface.canonical(atom.name)
        for atom in values
        if isinstance(atom, External)
        and surface.is_legacy(atom.name)
        and "(" not in atom.name
        and "[" not in atom.name
    ]
    return min(names) if names else None


def _member(workspace: Workspace, module: Module, node: ast.Attribute) -> Site | None:
    """A read, write or call of a member of a legacy object."""
    owners = tuple(atom for atom in workspace.values(node.value) if isinstance(atom, Made))
    if not owners and node.attr not in workspace.surface.pack.match.distinctive:
        return None
    parent = module.parents[node]
    call = parent if isinstance(parent, ast.Call) and parent.func is node else None
    if not owners:
        return _likely(workspace, module, node, call)
    owners = tuple(sorted(owners, key=lambda owner: (owner.type, _position(owner.site))))
    runs = None
    made = f"{owners[0].type}.{node.attr}" in workspace.surface.makes
    if made and call is None and isinstance(parent, ast.Call):
        runs = _runner(workspace, parent, node)
        call = parent if runs is not None else None
    kind = Kind.METHOD_CALL if call is not None else Kind.ATTRIBUTE
    name = owners[0].type
    symbol = workspace.surface.member_symbol(name, node.attr)
    rest = workspace.values(node.value) - frozenset(owners)
    harmless = all(_is_harmless(atom) or _lacks(workspace, atom, node.attr) for atom in rest)
    mixed = not harmless or len({o.type for o in owners}) > 1
    member = f"{name}.{node.attr}"
    if made and call is None and _is_stand_in(workspace, module, node):
        site = Site(module, node, symbol, kind)
        workspace.stand_ins[site] = StandIn(owners[0], member)
        workspace.stood_for.add(node.value)
        return site
    site = Site(module, node, symbol, kind, call, member=member, owners=owners, mixed=mixed)
    site.runner = runs
    return site


def _runner(workspace: Workspace, call: ast.Call, node: ast.expr) -> Runner | None:
    """How a call runs a method it is given in a thread; None where it does something else."""
    for atom in workspace.values(call.func):
        runs = runner(atom.name) if isinstance(atom, External) else _passing(atom)
        if runs is not None and call.args[runs.callee : runs.callee + 1] == [node]:
            return runs if runs.named or not call.keywords else None
    return None


def _passing(atom: Atom) -> Runner | None:
    """How a function of the program calls what it is given, with all that comes behind it."""
    if isinstance(atom, Function | Bound):
        function = atom.node if isinstance(atom, Function) else atom.function
        index = passes_on(function)
        if index is not None:
            return Runner(index - isinstance(atom, Bound), takes=names_of(function))
    return None


def _is_stand_in(workspace: Workspace, module: Module, node: ast.Attribute) -> bool:
    """Whether a method of a legacy object is a stand-in here: a mock, or something else that a
    test puts there, or what is asked as only mocks can be."""
    if isinstance(node.ctx, ast.Store):
        return node in workspace.flow.mocked or bool(_IN_TESTS.search(module.path))
    parent = module.parents[node]
    return isinstance(parent, ast.Attribute) and parent.attr in OF_MOCKS


def _replaces_a_method(workspace: Workspace, call: ast.Call) -> bool:
    """``patch.object(service.model, "generate_content")``, ``monkeypatch.setattr(...)``."""
    if len(call.args) < 2 or not isinstance(call.func, ast.Attribute):
        return False
    owner, name = call.args[:2]
    if call.func.attr not in {"object", "setattr"} or not isinstance(name, ast.Constant):
        return False
    return any(
        isinstance(atom, Made) and f"{atom.type}.{name.value!s}" in workspace.surface.makes
        for atom in workspace.values(owner)
    )


def _mocked(workspace: Workspace, module: Module, node: ast.Attribute) -> Site | None:
    """A test that puts a mock where the program keeps a legacy object."""
    if node not in workspace.flow.mocked:
        return None
    kept = _kept(workspace, workspace.values(node.value), node.attr)
    if kept is None:
        return None
    if isinstance(kept, Made):
        symbol = workspace.surface.symbol_of_type.get(kept.type, kept.type)
        site = Site(module, node, symbol, Kind.ATTRIBUTE)
        workspace.stand_ins[site] = StandIn(kept)
    else:
        site = Site(module, node, kept, Kind.ATTRIBUTE)
        site.refuse("mock_target", f"`{ast.unparse(node)}` is replaced here")
    return site


def _kept(workspace: Workspace, owners: Values, name: str) -> str | Made | None:
    """What the program keeps under an attribute: an object, or something by its symbol."""
    for owner in owners:
        values: Values = frozenset()
        if isinstance(owner, Instance | Class):
            values = workspace.flow.fact("attribute", owner.node, name)
        elif isinstance(owner, Project):
            home = next((m for m in workspace.modules if m.path == owner.name), None)
            variable = home.scopes.module.variables.get(name) if home is not None else None
            values = workspace.flow.fact("variable", variable) if variable else frozenset()
        elif isinstance(owner, External) and workspace.surface.is_legacy(owner.name):
            return workspace.surface.canonical(f"{owner.name}.{name}")
        for atom in values:
            if isinstance(atom, Made):
                return atom
            if isinstance(atom, External) and workspace.surface.is_legacy(atom.name):
                return workspace.surface.canonical(atom.name)
    return None


def _is_harmless(atom: Atom) -> bool:
    """What may stand beside a legacy object: None, which has no members either, and what a page's
    session holds before the program puts something there, which is nothing."""
    return atom == NONE or (isinstance(atom, External) and atom.name.startswith(f"{SESSION}."))


def _lacks(workspace: Workspace, atom: Atom, name: str) -> bool:
    """Whether an atom is a plain value, or another library's object, without such a member: where
    it is read, the object must have taken its place."""
    if isinstance(atom, External):
        given = workspace.flow.fact("attribute", atom.name, name)
        return not given and workspace.surface.has_not(atom.name, name)
    kind = _PLAIN.get(atom.name) if isinstance(atom, Shape) else None
    return kind is not None and not hasattr(kind, name)


def _likely(
    workspace: Workspace, module: Module, node: ast.Attribute, call: ast.Call | None
) -> Site | None:
    """A method named as only the legacy SDK names it, on a receiver nobody could follow."""
    if call is None or module not in workspace.importers:
        return None
    if any(isinstance(atom, Bound | Function) for atom in workspace.values(node)):
        return None  # a method of the program's own
    if any(not _may_be_anything(atom) for atom in workspace.values(node.value)):
        return None
    kind = Kind.METHOD_CALL if call is not None else Kind.ATTRIBUTE
    makers = [name for name in workspace.surface.makes if name.endswith("." + node.attr)]
    kind_of_owner = makers[0].partition(".")[0] if makers else node.attr
    symbol = workspace.surface.member_symbol(kind_of_owner, node.attr)
    site = Site(module, node, symbol, kind, call)
    site.refuse("receiver_unresolved", f"what `{ast.unparse(node.value)}` holds is not known")
    return site


def _may_be_anything(atom: Atom) -> bool:
    """Whether a legacy object may have got there. An object made by a class of another library has
    methods of its own; what the standard library gives back somebody has put into it."""
    if not isinstance(atom, External):
        return not isinstance(atom, Class | Instance)
    if atom.name.partition(".")[0] in {"builtins", *sys.stdlib_module_names}:
        return True
    return _MADE_BY_A_CLASS.search(atom.name) is None


def _is_annotation(module: Module, node: ast.expr) -> bool:
    """Whether an expression is an annotation, or a part of one that names types."""
    child: ast.AST = node
    while isinstance(module.parents[child], ast.Subscript | ast.BinOp | ast.Tuple | ast.List):
        child = module.parents[child]
        named = ast.unparse(child.value) if isinstance(child, ast.Subscript) else ""
        if named.endswith(("Literal", "Annotated")):
            return False
    parent = module.parents[child]
    if isinstance(parent, ast.arg | ast.AnnAssign):
        return parent.annotation is child
    return getattr(parent, "returns", None) is child


def _quoted_annotation(workspace: Workspace, module: Module, node: ast.Constant) -> Site | None:
    """An annotation in quotes that names a legacy class, by itself or among others."""
    try:
        quoted = ast.parse(str(node.value), mode="eval").body
    except (SyntaxError, ValueError):
        return None
    scope = module.scopes.around.get(module.statement(node), module.scopes.module)
    found: dict[str, str] = {}
    for part in ast.walk(quoted):
        name = ast.unparse(part) if isinstance(part, ast.Name | ast.Attribute) else ""
        head, *rest = name.split(".")
        variable = scope.lookup(head)
        for atom in workspace.flow.fact("variable", variable) if variable is not None else ():
            if isinstance(atom, External):
                symbol = workspace.surface.canonical(".".join([atom.name, *rest]))
                if workspace.surface.is_legacy(symbol) and symbol != workspace.surface.module:
                    found[name] = symbol
    names = [name for name in found if not any(other.startswith(f"{name}.") for other in found)]
    if not names:
        return None
    site = Site(module, node, found[names[0]], Kind.TYPE, quoted=names[0])
    if len(names) > 1:
        site.refuse("type_reference", f"`{node.value!s}` names several classes in quotes")
    return site


def _string(workspace: Workspace, module: Module, node: ast.Constant) -> Site | None:
    """A string that names the legacy module, as mock targets and dynamic imports do."""
    name = node.value
    surface = workspace.surface
    if _is_annotation(module, node):
        return _quoted_annotation(workspace, module, node)
    if not isinstance(name, str) or not surface.is_legacy(name) or " " in name:
        return None
    parent = module.parents[node]
    if isinstance(parent, ast.Expr | ast.JoinedStr):
        return None
    return Site(module, node, surface.canonical(name), Kind.STRING)
