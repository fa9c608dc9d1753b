"""What a test replaces: the calls of the mock libraries, and what in the program they name.

A target is named by a dotted string (``patch("app.genai.GenerativeModel")``), by an object and the
name of its attribute (``patch.object(app, "model")``), or as a key of ``sys.modules``.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from enum import Enum

from msgspec import Struct
from msgspec.structs import replace

from chatport.port.packs.schema import (
    Call,
    CallRewrite,
    ConfigureParams,
    ConfigureToClient,
    ModelCalls,
    ModelCallsParams,
    RenameImport,
)
from chatport.port.program.modules import Module
from chatport.port.program.values import Class, External, Function, Instance, Made, Project, Values
from chatport.port.rules.base import Site, Workspace
from chatport.port.rules.mocks.factories import Factories

FRESH = ("MagicMock", "Mock", "AsyncMock", "NonCallableMock", "NonCallableMagicMock")
"""Classes of stand-ins that take every attribute."""
NARROWING = {"spec", "spec_set", "autospec", "wraps", "new_callable", "create"}
"""Arguments that tie a stand-in to the old object."""


class Role(Enum):
    """What a stand-in stands for."""

    PACKAGE = "package"
    CONSTRUCTOR = "constructor"
    CONFIGURE = "configure"
    MODEL = "model"
    CHAT = "chat"
    METHOD = "method"
    """A method of a model or a chat."""
    PATCHER = "patcher"
    """What gives a stand-in when it is started."""
    CALL = "call"
    """What ``call_args`` gives of one call of a method."""
    CALLS = "calls"
    ARGS = "args"
    """What one call was given by position."""
    KWARGS = "kwargs"
    SETTINGS = "settings"
    """The configuration that one call was given."""
    FUNCTION = "function"
    """A free function of the SDK."""
    ASIDE = "aside"
    """A free function that is replaced beside the client."""
    VALUE = "value"
    """Classes that only make values, or the module of them."""
    FACTORY = "factory"
    """A function of the program that gives models, or makes the client, besides other things."""
    OTHER = "other"
    """Anything else of the SDK."""


ACTING = {Role.METHOD, Role.CONSTRUCTOR, Role.FUNCTION}
"""What a call of does may be given with the replacement."""


class Target(Struct, frozen=True):
    """One thing that is replaced."""

    role: Role
    symbol: str
    home: Module | None = None
    """The module of the program it is named through; None for the SDK's own name."""
    spelling: str = ""
    """That module as the test writes it."""
    member: str = ""
    """``Type.method`` of a replaced method."""
    made: Made | None = None
    """The object that a replaced name of the program holds."""
    follows: bool = True
    """Whether the target names a name of the program that the port may take away."""


class Patch(Struct, eq=False):
    """One replacement in a test."""

    module: Module
    call: ast.Call | ast.Subscript | ast.Dict | ast.Attribute
    node: ast.Constant | ast.Attribute
    """The string that names the target, or the attribute that is a stand-in without a call of a
    mock library."""
    target: Target
    owner: ast.expr | None = None
    """The object whose attribute is replaced, where that is how it is written."""
    new: ast.expr | None = None
    """The stand-in, when it is given; a made one otherwise."""
    gives: ast.expr | None = None
    """The ``return_value=`` of a made one."""
    effect: ast.expr | None = None
    """The ``side_effect=`` of a made one."""
    trouble: str = ""
    """Why this form is not understood."""

    @property
    def name(self) -> str:
        """The target, or the attribute, as it is written."""
        return self.node.attr if isinstance(self.node, ast.Attribute) else str(self.node.value)

    @property
    def holder(self) -> ast.expr | None:
        """The object that keeps the model or the chat that is replaced, or has a method of its
        replaced."""
        if self.is_held or self.target.role is not Role.METHOD:
            return self.owner
        return self.owner.value if isinstance(self.owner, ast.Attribute) else None

    @property
    def is_held(self) -> bool:
        """Whether an attribute of an object of the program is the stand-in itself."""
        return isinstance(self.node, ast.Attribute)


class Targets:
    """Resolves targets against the modules of a workspace."""

    def __init__(self, workspace: Workspace) -> None:
        self.workspace = workspace
        self.by_path: dict[str, Module] = {module.path: module for module in workspace.modules}
        configure = workspace.surface.change(ConfigureToClient)
        calls = workspace.surface.change(ModelCalls)
        self.configure: ConfigureParams | None = configure.params if configure is not None else None
        self.calls: ModelCallsParams | None = calls.params if calls is not None else None
        free, names = workspace.surface.change(Call), workspace.surface.change(RenameImport)
        self.functions: dict[str, CallRewrite] = free.params.calls if free is not None else {}
        self.values: dict[str, str] = names.types if names is not None else {}

    def patches(self, module: Module) -> Iterator[Patch]:
        """Every replacement of something of the SDK in a module, in the order of the text."""
        for node in module.parents:
            if isinstance(node, ast.Call):
                found = self._of_call(module, node)
            elif isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Store):
                found = self._of_entry(module, node)
            else:
                continue
            if found is not None:
                yield found
        for site in self.workspace.stand_ins:
            if site.module is module:
                yield self._of_stand_in(site)

    def _of_stand_in(self, site: Site) -> Patch:
        """``service.model = Mock()``, ``service.model.generate_content.return_value``."""
        node, stand_in = site.node, self.workspace.stand_ins[site]
        assert isinstance(node, ast.Attribute)
        held = node.value if stand_in.member else node
        found = None
        if stand_in.member and self.is_chat(stand_in.made):
            found = Target(Role.CHAT, site.symbol, made=stand_in.made)
        elif isinstance(held, ast.Attribute):
            found = self._attribute(site.module, held.value, held.attr)
        if found is None or found.made is None:
            patch = Patch(site.module, node, node, Target(Role.OTHER, site.symbol))
            patch.trouble = f"where `{ast.unparse(held)[:60]}` is kept is not seen"
            return patch
        if stand_in.member:
            found = replace(found, role=Role.METHOD, symbol=site.symbol, member=stand_in.member)
        patch = Patch(site.module, node, node, found)
        patch.owner = held.value if isinstance(held, ast.Attribute) else held
        return patch

    def _of_call(self, module: Module, call: ast.Call) -> Patch | None:
        words = _words(call.func)
        if words[-1:] == ["patch"]:
            return self._by_name(module, call, call.args, made=True)
        if words[-2:] == ["patch", "object"]:
            return self._by_attribute(module, call, made=True)
        if words[-2:] == ["patch", "dict"]:
            return self._of_mapping(module, call)
        if words[-1:] == ["setattr"]:
            if call.args and isinstance(call.args[0], ast.Constant):
                return self._by_name(module, call, call.args, made=False)
            return self._by_attribute(module, call, made=False)
        return None

    def _by_name(
        self, module: Module, call: ast.Call, arguments: list[ast.expr], *, made: bool
    ) -> Patch | None:
        first = arguments[0] if arguments else _keyword(call, "target")
        if not isinstance(first, ast.Constant) or not isinstance(first.value, str):
            return None
        target = self.resolve(module, first.value)
        return self._patch(module, call, first, target, arguments[1:2]) if target else None

    def _by_attribute(self, module: Module, call: ast.Call, *, made: bool) -> Patch | None:
        if len(call.args) < 2:
            return None
        owner, name = call.args[:2]
        if not isinstance(name, ast.Constant) or not isinstance(name.value, str):
            return None
        target = self._attribute(module, owner, name.value)
        if target is None:
            return None
        patch = self._patch(module, call, name, target, call.args[2:3])
        patch.owner = owner
        return patch

    def _patch(
        self,
        module: Module,
        call: ast.Call,
        node: ast.Constant,
        target: Target,
        rest: list[ast.expr],
    ) -> Patch:
        patch = Patch(module, call, node, target)
        patch.new = rest[0] if rest else _keyword(call, "new")
        patch.gives = _keyword(call, "return_value")
        patch.effect = _keyword(call, "side_effect")
        named = {keyword.arg for keyword in call.keywords}
        if None in named or named & NARROWING:
            patch.trouble = "the stand-in is made after the old object"
        elif named - {"new", "return_value", "side_effect", "target", "raising"}:
            patch.trouble = "how the stand-in is made is not known"
        elif "side_effect" in named and target.role not in ACTING:
            patch.trouble = "what its call does is given by a function"
        return patch

    def _of_mapping(self, module: Module, call: ast.Call) -> Patch | None:
        """``patch.dict("sys.modules", {"the.sdk": stand_in})``."""
        if len(call.args) != 2 or not isinstance(call.args[1], ast.Dict):
            return None
        where, entries = call.args[0], call.args[1]
        by_name = isinstance(where, ast.Constant) and where.value == "sys.modules"
        if not by_name and _words(where) != ["sys", "modules"]:
            return None
        for key, value in zip(entries.keys, entries.values, strict=True):
            found = self._entry(module, entries, key, value)
            if found is not None:
                return found
        return None

    def _of_entry(self, module: Module, node: ast.Subscript) -> Patch | None:
        """``sys.modules["the.sdk"] = stand_in``."""
        if _words(node.value) != ["sys", "modules"]:
            return None
        statement = module.parents[node]
        value = statement.value if isinstance(statement, ast.Assign) else None
        return self._entry(module, node, node.slice, value)

    def _entry(
        self,
        module: Module,
        call: ast.Subscript | ast.Dict,
        key: ast.expr | None,
        value: ast.expr | None,
    ) -> Patch | None:
        if not isinstance(key, ast.Constant) or not isinstance(key.value, str):
            return None
        if not self.workspace.surface.is_legacy(key.value):
            return None
        whole = key.value == self.workspace.surface.module
        role = Role.PACKAGE if whole else Role.OTHER
        target = Target(role, key.value, follows=False)
        patch = Patch(module, call, key, target, new=value)
        package = key.value.partition(".")[0]
        if any(isinstance(n, ast.Constant) and n.value == package for n in module.parents):
            patch.trouble = f"`{package}` is a stub too"
        return patch

    def unfollowed(self, module: Module, known: set[ast.AST]) -> Iterator[tuple[ast.Constant, str]]:
        """Strings that name something of the SDK, in a module that replaces things, and are not
        the plain target of a replacement: constants, parameters of a test, parts of a name."""
        if not any(_replaces(node) for node in module.parents):
            return
        for node in module.parents:
            if not isinstance(node, ast.Constant) or not isinstance(node.value, str):
                continue
            if node in known or not re.fullmatch(r"\.?\w+(\.\w+)*", node.value):
                continue
            symbol = self._named(module, node)
            if symbol is not None:
                yield node, symbol

    def _named(self, module: Module, node: ast.Constant) -> str | None:
        """The symbol that a string of a test most likely names."""
        text, parent = str(node.value), module.parents[node]
        if isinstance(parent, ast.Expr):
            return None
        target = self.resolve(module, text) if "." in text.strip(".") else None
        if target is not None:
            return target.symbol
        if self.calls is None or self.workspace.surface.is_legacy(text):
            return None
        whole = isinstance(parent, ast.Call) and node in parent.args and _replaces(parent)
        model = self.calls.ctor_symbol
        if text.rpartition(".")[2] == model.rpartition(".")[2]:
            return model if whole or isinstance(parent, ast.JoinedStr) else None
        return None

    # -- resolving

    def resolve(self, module: Module, dotted: str) -> Target | None:
        """What a dotted name of a test means in the program; None when it is not the SDK's."""
        if self.workspace.surface.is_legacy(dotted):
            return self._symbol(dotted, None, "")
        parts = dotted.split(".")
        for cut in range(len(parts) - 1, 0, -1):
            spelling = ".".join(parts[:cut])
            path = self.workspace.layout.find(spelling, module.path)
            if path is not None:
                home = self.by_path.get(path)
                return self._in_module(home, spelling, parts[cut:]) if home else None
        return None

    def _in_module(self, home: Module, spelling: str, rest: list[str]) -> Target | None:
        variable = home.scopes.module.variables.get(rest[0])
        if variable is None:
            return None
        values = self.workspace.flow.fact("variable", variable)
        return self._of_values(values, home, spelling, rest[1:])

    def _attribute(self, module: Module, owner: ast.expr, name: str) -> Target | None:
        """What the attribute `name` of an object is."""
        for atom in self.workspace.values(owner):
            if isinstance(atom, Project):
                home = self.by_path.get(atom.name)
                found = self._in_module(home, ast.unparse(owner), [name]) if home else None
            elif isinstance(atom, External):
                full = f"{atom.name}.{name}"
                found = self._symbol(full, None, "") if self._is_legacy(full) else None
            elif isinstance(atom, Instance):
                values = self.workspace.flow.fact("attribute", atom.node, name)
                found = self._of_values(values, None, "", [])
                found = found or self._method_named(atom.node, name, None, "")
            elif isinstance(atom, Class):
                found = self._method_named(atom.node, name, None, "")
            elif isinstance(atom, Made) and atom.type in self._carriers():
                found = self._method_of(module, owner, atom, name)
            else:
                found = None
            if found is not None:
                return found
        return None

    def _method_of(self, module: Module, owner: ast.expr, made: Made, name: str) -> Target | None:
        """A method of an object that the program keeps in an attribute."""
        target = self._object(made, None, "", [name])
        if target is None or target.role is not Role.METHOD or not isinstance(owner, ast.Attribute):
            return target
        kept = self._attribute(module, owner.value, owner.attr)
        if kept is None or kept.made is None:
            return target
        return replace(kept, role=Role.METHOD, symbol=target.symbol, member=target.member)

    def _is_legacy(self, name: str) -> bool:
        return self.workspace.surface.is_legacy(name)

    def _of_values(
        self, values: Values, home: Module | None, spelling: str, rest: list[str]
    ) -> Target | None:
        for atom in values:
            if isinstance(atom, External) and self._is_legacy(atom.name):
                return self._symbol(".".join([atom.name, *rest]), home, spelling)
            if isinstance(atom, Function) and not rest:
                return self._factory(atom.node, home, spelling)
            if isinstance(atom, Class) and len(rest) == 1:
                return self._method_named(atom.node, rest[0], home, spelling)
            if isinstance(atom, Made) and atom.type in self._carriers():
                return self._object(atom, home, spelling, rest)
        return None

    def _method_named(
        self, cls: ast.AST, name: str, home: Module | None, spelling: str
    ) -> Target | None:
        """A method of a class of the program that makes what is no object any more."""
        for part in getattr(cls, "body", ()):
            if isinstance(part, ast.FunctionDef | ast.AsyncFunctionDef) and part.name == name:
                return self._factory(part, home, spelling)
        return None

    def _factory(self, function: ast.AST, home: Module | None, spelling: str) -> Target | None:
        """A function of the program that gives models, or makes the client."""
        if self.calls is None or self.configure is None:
            return None
        factories = Factories(self.workspace, self.calls, self.configure)
        if not isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef):
            return None
        if not factories.is_one(function):
            return None
        plain = factories.is_plain(function)
        role = Role.CONSTRUCTOR if plain else Role.FACTORY
        own = home if home is not None else self.workspace.find_home(function)
        return Target(role, self.calls.ctor_symbol, own, spelling, member=function.name)

    def _carriers(self) -> dict[str, Role]:
        """Types of objects that calls are made on."""
        if self.calls is None:
            return {}
        model = self.calls.ctor_symbol.rpartition(".")[2]
        return {model: Role.MODEL, **dict.fromkeys(self.calls.method_returns.values(), Role.CHAT)}

    def is_chat(self, made: Made | None) -> bool:
        return made is not None and self._carriers().get(made.type) is Role.CHAT

    def _object(
        self, made: Made, home: Module | None, spelling: str, rest: list[str]
    ) -> Target | None:
        symbol = self.workspace.surface.symbol_of_type.get(made.type, made.type)
        role = self._carriers()[made.type]
        if not rest:
            return Target(role, symbol, home, spelling, made=made)
        member = f"{made.type}.{rest[0]}"
        known = len(rest) == 1 and self.calls is not None and member in self.calls.rewrites
        found = Role.METHOD if known else Role.OTHER
        return Target(found, f"{symbol}.{rest[0]}", home, spelling, member, made)

    def _symbol(self, name: str, home: Module | None, spelling: str) -> Target:
        symbol = self.workspace.surface.canonical(name)
        role, member = Role.OTHER, ""
        if symbol == self.workspace.surface.module:
            role = Role.PACKAGE
        elif self.configure is not None and symbol == self.configure.symbol:
            role = Role.CONFIGURE
        elif self.calls is not None and symbol == self.calls.ctor_symbol:
            role = Role.CONSTRUCTOR
        elif symbol in self.functions:
            role, member = Role.FUNCTION, symbol
        elif any(f"{name}.".startswith(f"{symbol}.") for name in self.values):
            role = Role.VALUE
        elif self.calls is not None:
            owner, _, method = symbol.rpartition(".")
            kind = owner.rpartition(".")[2]
            if f"{kind}.{method}" in self.calls.rewrites:
                role, member = Role.METHOD, f"{kind}.{method}"
        return Target(role, symbol, home, spelling, member)


def _words(node: ast.expr) -> list[str]:
    """The names of a dotted expression; empty for another one."""
    words: list[str] = []
    while isinstance(node, ast.Attribute):
        words.append(node.attr)
        node = node.value
    if not isinstance(node, ast.Name):
        return []
    return [node.id, *reversed(words)]


def _replaces(node: ast.AST) -> bool:
    """Whether a call is one of a mock library."""
    return isinstance(node, ast.Call) and bool({"patch", "setattr"} & set(_words(node.func)))


def _keyword(call: ast.Call, name: str) -> ast.expr | None:
    return next((keyword.value for keyword in call.keywords if keyword.arg == name), None)
