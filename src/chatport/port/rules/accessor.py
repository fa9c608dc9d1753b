"""Functions that give a client where a name alone would not do.

`get_client` makes the client when it is first needed: where a call may come before the
configuration, or in a module that cannot import the client from the one that configures. Until
somebody configures, the key is the one legacy found in the environment.

`client_for` keeps one client for each key: where a configuration runs again, the client it replaces
would be collected, and would close under the chats and the calls that still go through it.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from enum import Enum

from msgspec import Struct

from chatport.port.packs.schema import ConfigureParams, RenameImport
from chatport.port.program.modules import Module
from chatport.port.render.layout import Element, Text, call, keyword, render
from chatport.port.render.layout import Sequence as Written
from chatport.port.rules.base import Workspace
from chatport.port.rules.import_places import end_of_imports, first_code

GETTER = "get_client"
KEEPER = "client_for"
CACHE = "functools.cache"
PAGES = {"streamlit": "cache_resource"}
"""Frameworks that run a module again for every input, and what they keep things with."""


class Imports(Enum):
    """Where the new SDK is imported in a module."""

    MODULE = "at its top"
    FUNCTIONS = "in functions only"
    ADDED = "at its top, which did not import the legacy SDK"


class Helpers(Struct, frozen=True):
    """What one module is given: names are those of this module, None where it needs no such
    function."""

    variable: str
    """The module's variable of the client."""
    getter: str | None = None
    keeper: str | None = None
    key: str | None = None
    """The one key, where all configurations of the repository give the same."""
    brings: str = ""
    """The import that gives it."""


class Accessors:
    """Writes the functions into modules."""

    def __init__(self, workspace: Workspace, params: ConfigureParams) -> None:
        self.workspace = workspace
        self.params = params

    def write(self, module: Module, helpers: Helpers) -> None:
        """Put the functions below the imports of a module."""
        draft = self.workspace.drafts[module]
        pieces: list[Callable[[], str]] = []
        if helpers.keeper is not None:
            draft.needs |= {"functools"} if self._keeps_with(module) == CACHE else set()
            pieces.append(lambda: self._keeper(module, helpers))
        if helpers.getter is not None and helpers.key is not None:
            draft.needs |= {"functools"} | ({"os"} if "os." in helpers.key else set())
            pieces.append(lambda: self._first_use(module, helpers))
        elif helpers.getter is not None:
            draft.needs.add("os")
            pieces.append(lambda: self._lazy(module, helpers))

        if self._imports_with(module) is not Imports.FUNCTIONS:
            self.client(module, ())  # notes what must be imported
        self.workspace.below_imports[module] = lambda: self._insert(module, pieces)

    def _insert(self, module: Module, pieces: list[Callable[[], str]]) -> None:
        draft = self.workspace.drafts[module]
        text = "\n\n\n".join(piece() for piece in pieces)
        anchor = self._import_of_module(module) or end_of_imports(module)
        if anchor is not None:
            above = "\n\n" if text.startswith(("@", "def ")) else "\n"
            below = "\n" * (2 - min(2, draft.blank_lines_below(anchor)))
            draft.insert_after(anchor, lambda: above + text + below)
        else:
            draft.insert_before(first_code(module), f"\n{text}\n\n")

    # -- the three functions

    def _keeper(self, module: Module, helpers: Helpers) -> str:
        indent = self.workspace.drafts[module].style.indent
        parameter = self.params.environment_keyword
        made = self._made(module, Text(parameter), indent)
        return (
            f"@{self._keeps_with(module)}\n"
            f"def {helpers.keeper}({parameter}: str | None){self._gives(module)}:\n"
            f'{indent}"""The client of a key, kept: what it made would stop if it were closed."""\n'
            f"{self._own_imports(module, indent)}{indent}return {made}"
        )

    def _first_use(self, module: Module, helpers: Helpers) -> str:
        indent = self.workspace.drafts[module].style.indent
        made = self._made(module, Text(helpers.key or ""), indent)
        brings = f"{indent}{helpers.brings}\n" if helpers.brings else ""
        return (
            f"@{CACHE}\ndef {helpers.getter}(){self._gives(module)}:\n"
            f"{self._own_imports(module, indent)}{brings}{indent}return {made}"
        )

    def _lazy(self, module: Module, helpers: Helpers) -> str:
        draft = self.workspace.drafts[module]
        indent, name = draft.style.indent, helpers.variable
        imports = ""
        if helpers.keeper is not None:
            made = f"{helpers.keeper}(key)"
        else:
            made = self._made(module, Text("key"), indent * 2, len(name) + 11)
            imports = self._own_imports(module, indent)
        return (
            f"{name}{self._holds(module)} = None\n\n\n"
            f"def {helpers.getter}(){self._gives(module)}:\n"
            f'{indent}"""The client configured last; before that, the one of the environment."""\n'
            f"{imports}"
            f"{indent}global {name}\n"
            f"{indent}if {name} is None:\n"
            f"{indent * 2}key = {environment(self.params, draft.style.string)}\n"
            f"{indent * 2}{name} = {made}\n"
            f"{indent}return {name}"
        )

    # -- parts

    def client(
        self, module: Module, elements: tuple[Element, ...], *, explode: bool = False
    ) -> Written:
        """The construction of a client with the keywords that keep what legacy did."""
        always = tuple(
            keyword(name, self.workspace.expression(module, text))
            for name, text in self.params.always.items()
        )
        return call(
            f"{self.workspace.package(module)}.{self.params.client_class}",
            (*elements, *always),
            explode=explode,
        )

    def _made(self, module: Module, key: Text, indent: str, column: int = 11) -> str:
        element = Element(key, f"{self.params.environment_keyword}=")
        written = self.client(module, (element,))
        return render(written, self.workspace.drafts[module].style, indent, column)

    def _imports_with(self, module: Module) -> Imports:
        """Where a module will import the SDK for functions that stand below its imports."""
        if self._import_of_module(module) is not None:
            return Imports.MODULE
        own = any(s.module is module and s.kind == "import" for s in self.workspace.sites)
        return Imports.FUNCTIONS if own else Imports.ADDED

    def _class(self, module: Module) -> str | None:
        """The client's class as an annotation: in quotes where the import may have failed, None
        where the module does not import the SDK for its functions."""
        imported = self._imports_with(module)
        if imported is Imports.FUNCTIONS:
            return None
        name = f"{self.workspace.package(module)}.{self.params.client_class}"
        certain = any(isinstance(module.parents[s], ast.Module) for s in self._imports(module))
        return name if certain or imported is Imports.ADDED else f'"{name}"'

    def _gives(self, module: Module) -> str:
        name = self._class(module)
        return f" -> {name}" if name is not None else ""

    def _holds(self, module: Module) -> str:
        name = self._class(module)
        if name is None:
            return ""
        return f': {name[:-1]} | None"' if name.endswith('"') else f": {name} | None"

    def _own_imports(self, module: Module, indent: str) -> str:
        """The imports of a function in a module that imports the SDK in its functions only."""
        change = self.workspace.surface.change(RenameImport)
        if change is None or self._imports_with(module) is not Imports.FUNCTIONS:
            return ""
        names = self.workspace.names[module]
        package, _, types = change.types_module.rpartition(".")
        wanted = [(change.package, change.name, names.package)]
        if any("types." in text for text in self.params.always.values()):
            wanted.append((package, types, names.types))
        return "".join(
            f"{indent}from {source} import {name}"
            + (f" as {alias}" if alias != name else "")
            + "\n"
            for source, name, alias in wanted
        )

    def _keeps_with(self, module: Module) -> str:
        for statement in module.tree.body:
            for alias in statement.names if isinstance(statement, ast.Import) else ():
                if alias.name in PAGES:
                    return f"{alias.asname or alias.name}.{PAGES[alias.name]}"
        return CACHE

    def _imports(self, module: Module) -> list[ast.stmt]:
        """The import statements of the legacy SDK that run with the module."""
        found = []
        for site in self.workspace.sites:
            if site.module is module and site.kind == "import":
                statement = module.statement(site.node)
                if module.function(statement) is None and not _for_types(module, statement):
                    found.append(statement)
        return found

    def _import_of_module(self, module: Module) -> ast.stmt | None:
        """The statement of the module's body below which the SDK has been imported and no call
        has been made; None where there is none."""
        body = module.tree.body
        last = end_of_imports(module)
        found = []
        for statement in self._imports(module):
            top: ast.AST = statement
            while not isinstance(module.parents[top], ast.Module):
                top = module.parents[top]
            assert isinstance(top, ast.stmt)
            if not self._runs_calls(module, top):
                found.append(body.index(top))
        if not found:
            return None
        calls = (i for i, statement in enumerate(body) if self._runs_calls(module, statement))
        first = next(calls, len(body))  # a script may import again further down
        at = max((index for index in found if index < first), default=min(found))
        return body[max([at, *([body.index(last)] if last is not None else [])])]

    def _runs_calls(self, module: Module, statement: ast.stmt) -> bool:
        """Whether legacy is called while a statement of the module's body runs."""
        inside = set(ast.walk(statement))
        return any(
            site.module is module and site.call is not None and site.node in inside
            for site in self.workspace.sites
        )


def _for_types(module: Module, node: ast.AST) -> bool:
    """Whether a statement is only there for a type checker."""
    while node in module.parents:
        node = module.parents[node]
        if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test):
            return True
    return False


def environment(params: ConfigureParams, string: Callable[[str], str]) -> str:
    """The key from the environment, in legacy's order of names."""
    return " or ".join(f"os.environ.get({string(key)})" for key in params.environment)
