"""Imports: the legacy module's give way to the new one's, where they stand.

What the new code needs is known only when everything else is drafted, so this rule names things
first (`choose_names`) and edits the import statements last (`ImportRule.finish`).
"""

from __future__ import annotations

import ast
import re
from functools import partial

from chatport.port.findings import Kind
from chatport.port.packs.schema import Exceptions, RenameImport
from chatport.port.program.modules import Module
from chatport.port.program.scopes import FunctionNode, ScopeKind
from chatport.port.program.values import NOTHING, External, Made, Values
from chatport.port.render.draft import Draft
from chatport.port.rules.base import Names, Site, Workspace
from chatport.port.rules.evaluation import is_never_evaluated
from chatport.port.rules.identity import named_in_text
from chatport.port.rules.import_places import end_of_imports, first_code, plain_imports
from chatport.port.rules.messages import Messages

RULE = "rename_import"
PLAIN = {"functools", "itertools", "os"}
"""Modules of the standard library that emitted code reads."""
FunctionDef = ast.FunctionDef | ast.AsyncFunctionDef


def choose_names(workspace: Workspace, change: RenameImport) -> None:
    """How each module will write the new package and its types."""
    own = change.types_module.rpartition(".")[2]
    for module in workspace.modules:
        imports = [s for s in workspace.sites if s.module is module and s.kind is Kind.IMPORT]
        replaced = {site.node for site in imports}
        package = _standing_alias(module, change) or next(
            (alias for site in imports if (alias := _module_alias(workspace, site))), change.name
        )
        workspace.names[module] = Names(
            _free(module, package, replaced, change, f"{change.package}_{change.name}"),
            _free(module, own, replaced, change, f"{change.name}_{own}"),
            {
                service: _free(module, service, replaced, change, f"{change.name}_{service}")
                for service in _services(workspace, change)
            },
        )


def _services(workspace: Workspace, change: RenameImport) -> set[str]:
    """The modules beside the types that the pack's tables name."""
    heads = {new.partition(".")[0] for new in change.types.values() if "." in new}
    exceptions = workspace.surface.change(Exceptions)
    errors = {exceptions.params.errors.service} if exceptions is not None else set()
    return {head for head in heads if not head[:1].isupper()} | errors


def _standing_alias(module: Module, change: RenameImport) -> str | None:
    """The name under which the module already imports the new SDK."""
    for statement in module.tree.body:
        if isinstance(statement, ast.ImportFrom) and statement.module == change.package:
            for alias in statement.names:
                if alias.name == change.name:
                    return alias.asname or alias.name
    return None


def _module_alias(workspace: Workspace, site: Site) -> str | None:
    """The author's name for the legacy module itself."""
    node = site.node
    if site.symbol != workspace.surface.module or not isinstance(node, ast.alias):
        return None
    return node.asname


def _free(
    module: Module, name: str, replaced: set[ast.AST], change: RenameImport, fallback: str
) -> str:
    """`name` unless the module binds it to something that stays."""
    for scope in module.scopes.of.values():
        variable = scope.variables.get(name)
        if variable is None or scope.kind is ScopeKind.CLASS:
            continue
        stores = [store for store in variable.stores if not _is_none(module, store)]
        stores = [store for store in stores if not _is_deletion(store)]
        if not all(store in replaced or _is_new(module, store, change) for store in stores):
            return fallback
    return name


def _is_none(module: Module, store: ast.AST) -> bool:
    """``name = None`` under an import guard."""
    parent = module.parents.get(store)
    return (
        isinstance(parent, ast.Assign)
        and isinstance(parent.value, ast.Constant)
        and parent.value.value is None
    )


def _is_deletion(store: ast.AST) -> bool:
    """``del name``: what it takes away is what another store gave."""
    return isinstance(store, ast.Name) and isinstance(store.ctx, ast.Del)


def _is_new(module: Module, store: ast.AST, change: RenameImport) -> bool:
    """Whether a binding is an import of the new SDK that already stands."""
    parent = module.parents.get(store)
    if not isinstance(parent, ast.ImportFrom) or not isinstance(store, ast.alias):
        return False
    return f"{parent.module}.{store.name}" in {
        f"{change.package}.{change.name}",
        change.types_module,
    }


def keep_guarded(workspace: Workspace) -> None:
    """A module that imports the SDK only where something holds is ported whole: where the new one
    would be imported besides is not known."""
    for site in workspace.sites:
        if site.kind is Kind.IMPORT:
            owner = site.module.parents[site.module.statement(site.node)]
            if not isinstance(owner, ast.Module | FunctionDef):
                workspace.keep_whole(site.module, site.module)


class ImportRule:
    """The rule kind ``rename_import``: import statements, and the classes that kept their name."""

    def __init__(self, change: RenameImport) -> None:
        self.change = change
        self._edited: dict[ast.stmt, list[ast.alias]] = {}
        self._of_project: set[ast.stmt] = set()
        """Edited statements that import from another module of the repository."""
        self._joins: dict[ast.stmt, list[str]] = {}
        """Names that join those which stay of an edited statement."""

    def run(self, workspace: Workspace) -> None:
        self.messages: Messages = Messages(workspace, self.change.messages)
        for site in workspace.sites:
            if site.rule is not None or site.node in workspace.consumed:
                continue
            if site.kind is Kind.IMPORT:
                site.rule = RULE
                self._check_import(workspace, site)
            elif site.kind in {Kind.TYPE, Kind.ATTRIBUTE, Kind.CALL} and site.member is None:
                self._type(workspace, site)

    def _check_import(self, workspace: Workspace, site: Site) -> None:
        statement, alias = site.module.parents[site.node], site.node
        if isinstance(statement, ast.ImportFrom) and any(a.name == "*" for a in statement.names):
            site.refuse("star_import", "which names the star brings is not known")
        assert isinstance(alias, ast.alias)
        if isinstance(statement, ast.ImportFrom) and (
            workspace.imported_module(site.module, statement) is not None
        ):
            self._of_project.add(statement)
        name = alias.asname or alias.name.partition(".")[0]
        if site.symbol != workspace.surface.module and name in site.module.offered:
            site.refuse("type_reference", f"`{name}` is offered to others by `__all__`")
        for call in named_in_text(workspace, site.module, [name]).values():
            site.refuse("dynamic_reference", f"`{ast.unparse(call)[:60]}`")

    def _type(self, workspace: Workspace, site: Site) -> None:
        """A class of the same meaning, or a member of one."""
        new = self.change.types.get(site.symbol) or self._meant(site)
        if new is None:
            self._absent(workspace, site)
            return
        if site.attribute is not None:
            new = f"{new}.{site.attribute}"
        site.rule = RULE
        if new in self.change.awaited:
            new = self._of_two(workspace, site, new)
        if isinstance(site.module.parents[site.node], ast.ClassDef):
            site.refuse("type_reference", f"a class inherits from `{site.symbol}`")
            return
        if site.call is not None and (why := self.messages.differs(site, site.call)) is not None:
            site.refuse("usage_unmapped", why)
            return
        assert isinstance(site.node, ast.expr)
        draft, text = workspace.draft(site), self._new_name(workspace, site.module, new)
        if isinstance(site.node, ast.Constant):
            text = draft.style.string(site.in_quotes(text))
        draft.replace_with(site.node, text)

    def _of_two(self, workspace: Workspace, site: Site, new: str) -> str:
        """Which of two new classes a legacy one is: that of the objects which get there, or that
        of all the program makes. Where an object is asked for it, it must be the one."""
        kind = workspace.surface.makes[site.symbol]
        makers: set[ast.AST] = {
            maker.call
            for maker in workspace.sites
            if maker.call is not None and workspace.surface.makes.get(maker.member or "") == kind
        }
        here, is_asked = _told_by(workspace, site)
        made = {atom.site for atom in here if isinstance(atom, Made) and atom.type == kind}
        calls = made & makers or makers
        awaited = calls & workspace.awaited
        if is_asked and awaited and awaited != calls:
            site.refuse("type_reference", "the objects here are of two new classes")
        return self.change.awaited[new] if awaited and awaited == calls else new

    def _meant(self, site: Site) -> str | None:
        """The class an annotation means by a name that legacy has elsewhere, where nothing
        evaluates it."""
        name = site.symbol.rpartition(".")[2]
        known = name in self.change.types.values() and site.attribute is None
        return name if known and is_never_evaluated(site.module, site.node) else None

    def _absent(self, workspace: Workspace, site: Site) -> None:
        """A name that neither package has: reading it fails on both sides."""
        node, package = site.node, workspace.surface.module
        owner, _, name = site.symbol.rpartition(".")
        if (
            owner != package
            or name in self.change.names
            or name.startswith("_")
            or site.mixed
            or not isinstance(node, ast.Attribute)
            or workspace.values(node.value) != frozenset({External(package)})
        ):
            return
        site.rule = RULE
        site.warn("attribute_on_neither")
        workspace.draft(site).replace_with(node.value, workspace.package(site.module))

    def _new_name(self, workspace: Workspace, module: Module, new: str) -> str:
        """``types.Name``, or ``service.Name`` of another module beside the types."""
        service = new.partition(".")[0]
        if "." not in new or service[:1].isupper():
            return workspace.types(module, new)
        return workspace.service(module, new)

    def finish(self, workspace: Workspace, module: Module) -> None:
        """Edit the import statements of a module whose draft is otherwise complete."""
        draft = workspace.drafts[module]
        names = workspace.names[module]
        statements: dict[ast.stmt, list[ast.alias]] = {}
        self._edited = statements
        for site in workspace.sites:
            if site.module is module and site.kind is Kind.IMPORT:
                assert isinstance(site.node, ast.alias)
                statements.setdefault(module.statement(site.node), []).append(site.node)
        groups: dict[FunctionNode | None, list[ast.stmt]] = {}
        for statement in statements:
            groups.setdefault(module.function(statement), []).append(statement)
        extra = [
            line
            for spelling, name in workspace.extra_imports.get(module, [])
            if (line := self._joined(draft, spelling, name)) is not None
        ]
        for function, group in groups.items():
            lines: list[str] = []
            if function is None or None not in groups:
                needs = draft.needs
                if function is not None:
                    only_read = all(
                        _is_read(module, alias) for s in group for alias in statements[s]
                    )
                    least = set() if only_read else {"package"}
                    needs = self._read_in(draft, names, function) or least
                lines = self._lines(needs, names, module)
            homes = self._homes(module, group)
            if isinstance(module.parents[homes[0]], ast.Module):
                lines, extra = lines + extra, []
            for statement in group:
                own = lines if statement in homes else []
                if not own and _is_tried(module, statement):
                    own = self._lines({"package"}, names, module)
                self._edit(draft, statement, statements[statement], own)
        plain = [name for name in sorted(draft.needs & PLAIN) if not _binds(module, name)]
        if plain:
            self._add_plain(draft, plain)
        if not groups and (lines := self._lines(draft.needs, names, module)):
            self._add_below_imports(workspace, module, lines)
        for line in extra:
            self._add_below_imports(workspace, module, [line])
        if (build := workspace.below_imports.get(module)) is not None:
            build()  # last, so that it stands below what was added here

    def _homes(self, module: Module, group: list[ast.stmt]) -> list[ast.stmt]:
        """The statements the new imports take the place of: the first that always runs; where
        none does, the first in each block that imports the legacy module."""
        for statement in group:
            if isinstance(module.parents[statement], ast.Module | FunctionDef | ast.ClassDef):
                return [statement]
        in_blocks: dict[tuple[ast.AST, bool], ast.stmt] = {}
        for statement in group:
            owner = module.parents[statement]
            in_blocks.setdefault((owner, statement in getattr(owner, "orelse", ())), statement)
        return list(in_blocks.values())

    def _read_in(self, draft: Draft, names: Names, function: FunctionNode) -> set[str]:
        """What a function with imports of its own needs of them."""
        text = draft.text(function)
        written = {"package": names.package, "types": names.types, **names.services}
        return {
            need
            for need in draft.needs
            if re.search(rf"\b{re.escape(written.get(need, need))}\.", text)
        }

    def _lines(self, needs: set[str], names: Names, module: Module) -> list[str]:
        """The new imports that do not stand yet."""
        change, wanted = self.change, []
        package, _, own = change.types_module.rpartition(".")
        if "package" in needs:
            wanted.append((change.package, change.name, names.package))
        services = sorted(needs - {"package", "types"} - PLAIN)
        wanted += [(package, service, names.services[service]) for service in services]
        if "types" in needs:
            wanted.append((package, own, names.types))
        by_package: dict[str, list[str]] = {}
        for source, name, alias in wanted:
            if not _stands(module, source, name, alias):
                said = name if alias == name else f"{name} as {alias}"
                by_package.setdefault(source, []).append(said)
        return [f"from {source} import {', '.join(names)}" for source, names in by_package.items()]

    def _edit(
        self, draft: Draft, statement: ast.stmt, aliases: list[ast.alias], lines: list[str]
    ) -> None:
        assert isinstance(statement, ast.Import | ast.ImportFrom)
        kept = [alias for alias in statement.names if alias not in aliases]
        names = [draft.source.segment(alias) for alias in kept] + self._joins.get(statement, [])
        if names:
            head = "import " if isinstance(statement, ast.Import) else _from(statement)
            lines = [head + ", ".join(names), *lines]
        elif isinstance(statement, ast.ImportFrom) and statement in self._of_project:
            lines = [_whole(statement), *lines]
        if not lines:
            draft.delete(statement)
            return
        start, end = draft.source.span(statement)
        indent = draft.source.indent_at(start)
        code = f"\n{indent}".join(lines)
        comments = [text for _, text in draft.source.comments(start, end)]
        behind = re.compile(r"[ \t]*#[^\r\n]*").match(draft.source.text, end)
        if behind is not None and len(lines) > 1 and not comments:
            end = behind.end()  # a comment behind the import stays with its first line
            said = draft.span_text(*behind.span())
            code = code.replace("\n", said + "\n", 1)
        if comments:
            code = f"\n{indent}".join([*comments, code])
        draft.replace_span(start, end, lambda: code)

    def _add_below_imports(self, workspace: Workspace, module: Module, lines: list[str]) -> None:
        draft, anchor = workspace.drafts[module], end_of_imports(module)
        if anchor is not None:
            draft.insert_after(anchor, lambda: "\n".join(lines))
        else:
            draft.insert_before(first_code(module), "\n".join(lines) + "\n")

    def _joined(self, draft: Draft, spelling: str, name: str) -> str | None:
        """Join a name to an import from `spelling` that already stands; where none does, the line
        that imports it, plainly where `spelling` is empty."""
        if not spelling:
            return f"import {name}"
        for statement in draft.module.tree.body:
            if not isinstance(statement, ast.ImportFrom) or statement.names[0].name == "*":
                continue
            if _from(statement).split()[1] == spelling:
                if statement in self._edited:
                    self._joins.setdefault(statement, []).append(name)
                else:
                    draft.insert(draft.source.span(statement.names[-1])[1], f", {name}")
                return None
        return f"from {spelling} import {name}"

    def _add_plain(self, draft: Draft, names: list[str]) -> None:
        """``import name`` among the plain imports of the standard library, in their order; where
        there are none, in a group of its own before all others."""
        plain = plain_imports(draft.module)
        first: list[str] = []
        for name in names:
            later = next((one for one in plain if one.names[0].name > name), None)
            if later is not None:
                draft.insert_before(later, f"import {name}")
            elif plain:
                draft.insert_after(plain[-1], partial("import {}".format, name))
            else:
                first.append(f"import {name}")
        if first:
            draft.insert_before(first_code(draft.module), "\n".join(first) + "\n")


def _told_by(workspace: Workspace, site: Site) -> tuple[Values, bool]:
    """What a class is said of, and whether that is asked when the program runs."""
    module, here = site.module, site.node
    while not isinstance(here, ast.stmt | ast.arg):
        parent = module.parents[here]
        if isinstance(parent, ast.Call) and here in parent.args[1:]:
            return workspace.values(parent.args[0]), True
        here = parent
    if isinstance(here, ast.arg):
        return workspace.flow.fact("parameter", here), False
    annotated = isinstance(here, ast.AnnAssign | ast.FunctionDef | ast.AsyncFunctionDef)
    return (workspace.values(here.target) if isinstance(here, ast.AnnAssign) else NOTHING), (
        not annotated
    )


def _whole(statement: ast.ImportFrom) -> str:
    """An import of the module alone, which runs it."""
    package, _, name = (statement.module or "").rpartition(".")
    dots = "." * statement.level
    return f"from {dots}{package} import {name}" if dots else f"import {statement.module}"


def _from(statement: ast.ImportFrom) -> str:
    return f"from {'.' * statement.level}{statement.module or ''} import "


def _stands(module: Module, package: str, name: str, alias: str) -> bool:
    """Whether the module already has this import at its top level."""
    return any(
        isinstance(statement, ast.ImportFrom)
        and statement.module == package
        and not statement.level
        and any(a.name == name and (a.asname or a.name) == alias for a in statement.names)
        for statement in module.tree.body
    )


def _binds(module: Module, name: str) -> bool:
    return name in module.scopes.module.variables


def _is_read(module: Module, alias: ast.alias) -> bool:
    """Whether an import is there for its name in this function, and not for that of the module or
    to see whether it can be imported."""
    variable = module.scopes.variable.get(alias)
    inside = variable is not None and variable.scope.kind is ScopeKind.FUNCTION
    return inside and variable is not None and bool(variable.loads)


def _is_tried(module: Module, statement: ast.stmt) -> bool:
    """Whether a block goes on in another way where the package is missing."""
    parent = module.parents[statement]
    if not isinstance(parent, ast.Try) or statement not in parent.body:
        return False
    caught = [handler.type for handler in parent.handlers]
    names = [ast.unparse(part) for kind in caught if kind for part in _members(kind)]
    return (None in caught or bool(IMPORT_FAILS & set(names))) and not _only_stands_in(parent)


def _only_stands_in(block: ast.Try) -> bool:
    """Whether a block imports, and where that fails binds the same names to something else."""
    imports = [s for s in block.body if isinstance(s, ast.Import | ast.ImportFrom)]
    bound = {alias.asname or alias.name for statement in imports for alias in statement.names}
    ways = [statement for handler in block.handlers for statement in handler.body]
    return len(imports) == len([*block.body, *block.orelse]) and all(
        isinstance(way, ast.Pass)
        or (isinstance(way, ast.Assign) and {ast.unparse(t) for t in way.targets} <= bound)
        for way in ways
    )


def _members(kind: ast.expr) -> list[ast.expr]:
    return kind.elts if isinstance(kind, ast.Tuple) else [kind]


IMPORT_FAILS = {"ImportError", "ModuleNotFoundError", "Exception", "BaseException"}
