"""Binds every call of google-genai in some files against the SDK that is installed here.

Reads `{path: source in base64}` as JSON on stdin, and writes what it found on stdout. Nothing of
the files is executed. Values are followed through names, attributes of `self`, loops and awaits by
the annotations of the SDK; what cannot be followed is not checked, and the counts say how much was.
"""

from __future__ import annotations

import ast
import base64
import contextlib
import enum
import importlib
import inspect
import json
import sys
import typing
import warnings
from typing import Any

import pydantic

from chatport_prove_boot.kinds import (
    SDK,
    Awaited,
    Instance,
    Method,
    UnknownError,
    choices,
    field_names,
    hints,
    is_sdk,
    name_of,
    own_attributes,
    plain,
)


class Scope:
    """Names of a module, class or function, and for a class the attributes of `self`."""

    def __init__(self, parent: Scope | None, attributes: dict[str, Any] | None) -> None:
        self.parent: Scope | None = parent
        self.attributes: dict[str, Any] | None = attributes
        self.names: dict[str, Any] = {}

    def find(self, name: str) -> Any:
        if name in self.names:
            return self.names[name]
        if self.parent is not None:
            return self.parent.find(name)
        raise UnknownError

    def bind(self, table: dict[str, Any], name: str, value: Any) -> None:
        """A name that is bound to two different things means neither."""
        known = table.get(name)
        if known is None or same(known, value):
            table[name] = value
        else:
            table[name] = UNKNOWN


UNKNOWN = object()


def same(one: Any, other: Any) -> bool:
    """Whether two bindings mean the same."""
    if one is other:
        return True
    return type(one) is type(other) and getattr(one, "kind", one) == getattr(other, "kind", other)


class Checker(ast.NodeVisitor):
    """Checks one file, in source order, twice: the second time with every binding known."""

    def __init__(self, path: str) -> None:
        self.path = path
        self.scope: Scope = Scope(None, None)
        self.scopes: dict[ast.AST, Scope] = {}
        self.problems: dict[tuple[int, int, str], None] = {}
        self.calls: set[ast.AST] = set()
        self.reads: set[ast.AST] = set()
        self.values: dict[ast.AST, Any] = {}

    def check(self, tree: ast.Module) -> None:
        for _ in range(2):
            self.values.clear()
            self.problems.clear()
            self.visit(tree)

    def report(self, node: Any, message: str) -> None:
        self.problems[(node.lineno, node.col_offset + 1, message)] = None

    # --- statements -----------------------------------------------------------------------------

    def _enter(self, node: Any, attributes: dict[str, Any] | None) -> None:
        outer = self.scope
        if node not in self.scopes:
            self.scopes[node] = Scope(outer, attributes)
        self.scope = self.scopes[node]
        self.generic_visit(node)
        self.scope = outer

    def visit_ClassDef(self, node: ast.ClassDef) -> None:
        known = self.scopes[node].attributes if node in self.scopes else {}
        self._enter(node, known)

    def visit_FunctionDef(self, node: Any) -> None:
        self._enter(node, self.scope.attributes)

    visit_AsyncFunctionDef = visit_FunctionDef

    def visit_Lambda(self, node: ast.Lambda) -> None:
        self._enter(node, self.scope.attributes)

    def visit_Import(self, node: ast.Import) -> None:
        for name in node.names:
            if name.name.startswith(SDK):
                module = self._module(node, name.name)
                bound = module if name.asname else importlib.import_module("google")
                self.scope.names[name.asname or "google"] = bound

    def visit_ImportFrom(self, node: ast.ImportFrom) -> None:
        source = node.module or ""
        if node.level or not (source == "google" or source.startswith(SDK)):
            return
        if source != "google" and self._module(node, source) is None:
            return
        for name in node.names:
            if source == "google" and name.name != "genai":
                continue
            try:
                module = importlib.import_module(source)
                if hasattr(module, name.name):
                    found = getattr(module, name.name)
                else:
                    found = importlib.import_module(f"{source}.{name.name}")
            except ImportError:
                self.report(node, f"{source} has no {name.name}")
                continue
            self.scope.names[name.asname or name.name] = found

    def _module(self, node: ast.AST, name: str) -> Any:
        try:
            return importlib.import_module(name)
        except ImportError:
            self.report(node, f"there is no module {name}")
            return None

    def visit_Assign(self, node: ast.Assign) -> None:
        self.generic_visit(node)
        for target in node.targets:
            self._bind(target, lambda: self.value(node.value))

    def visit_AnnAssign(self, node: ast.AnnAssign) -> None:
        self.generic_visit(node)
        if node.value is not None:
            value = node.value
            self._bind(node.target, lambda: self.value(value))

    def visit_NamedExpr(self, node: ast.NamedExpr) -> None:
        self.generic_visit(node)
        self._bind(node.target, lambda: self.value(node.value))

    def visit_For(self, node: Any) -> None:
        self.visit(node.iter)
        self._bind(node.target, lambda: self._item(node.iter))
        for part in [node.target, *node.body, *node.orelse]:
            self.visit(part)

    visit_AsyncFor = visit_For

    def visit_comprehension(self, node: ast.comprehension) -> None:
        self.visit(node.iter)
        self._bind(node.target, lambda: self._item(node.iter))
        for part in [node.target, *node.ifs]:
            self.visit(part)

    def _comprehension(self, node: Any) -> None:
        # The loops come after the element in the tree, and before it in meaning.
        for generator in node.generators:
            self.visit(generator)
        for name in ("elt", "key", "value"):
            if hasattr(node, name):
                self.visit(getattr(node, name))

    def visit_ListComp(self, node: ast.ListComp) -> None:
        self._comprehension(node)

    def visit_SetComp(self, node: ast.SetComp) -> None:
        self._comprehension(node)

    def visit_GeneratorExp(self, node: ast.GeneratorExp) -> None:
        self._comprehension(node)

    def visit_DictComp(self, node: ast.DictComp) -> None:
        self._comprehension(node)

    def visit_withitem(self, node: ast.withitem) -> None:
        self.generic_visit(node)
        if node.optional_vars is not None:
            self._bind(node.optional_vars, lambda: self.value(node.context_expr))

    def _bind(self, target: ast.AST, value: Any) -> None:
        try:
            found = value()
        except UnknownError:
            found = UNKNOWN
        if isinstance(target, ast.Name):
            self.scope.bind(self.scope.names, target.id, found)
        elif (
            isinstance(target, ast.Attribute)
            and isinstance(target.value, ast.Name)
            and target.value.id == "self"
            and self.scope.attributes is not None
        ):
            self.scope.bind(self.scope.attributes, target.attr, found)
        elif isinstance(target, (ast.Tuple, ast.List)):
            for inner in target.elts:
                self._bind(inner, _unknown)

    # --- expressions ----------------------------------------------------------------------------

    def visit_Call(self, node: ast.Call) -> None:
        self.generic_visit(node)
        self._try(node)

    def visit_Attribute(self, node: ast.Attribute) -> None:
        self.generic_visit(node)
        if isinstance(node.ctx, ast.Load):
            self._try(node)

    def visit_Await(self, node: ast.Await) -> None:
        self.generic_visit(node)
        self._try(node)

    def _try(self, node: ast.expr) -> None:
        with contextlib.suppress(UnknownError):
            self.value(node)

    def value(self, node: ast.expr) -> Any:
        """What an expression is, by the SDK's own word. Raises UnknownError."""
        if node not in self.values:
            method = getattr(self, f"_value_{type(node).__name__}", None)
            try:
                self.values[node] = method(node) if method is not None else UNKNOWN
            except UnknownError:
                self.values[node] = UNKNOWN
        found = self.values[node]
        if found is UNKNOWN:
            raise UnknownError
        return found

    def _value_Name(self, node: ast.Name) -> Any:
        return self.scope.find(node.id)

    def _value_Await(self, node: ast.Await) -> Any:
        found = self.value(node.value)
        if isinstance(found, Awaited):
            return Instance(found.kind)
        if isinstance(found, Instance):
            self.report(node, f"{name_of(found.kind)} cannot be awaited")
        raise UnknownError

    def _value_NamedExpr(self, node: ast.NamedExpr) -> Any:
        return self.value(node.value)

    def _value_Subscript(self, node: ast.Subscript) -> Any:
        found = self.value(node.value)
        if isinstance(node.slice, ast.Slice) or not isinstance(found, Instance):
            raise UnknownError
        kind = plain(found.kind)
        arguments = typing.get_args(kind)
        if typing.get_origin(kind) is list:
            return Instance(plain(arguments[0]))
        if typing.get_origin(kind) is dict:
            return Instance(plain(arguments[1]))
        raise UnknownError

    def _item(self, node: ast.expr) -> Any:
        found = self.value(node)
        if isinstance(found, Awaited):
            self.report(node, f"{name_of(found.kind)} has to be awaited before it is iterated")
            raise UnknownError
        if not isinstance(found, Instance):
            raise UnknownError
        kind = plain(found.kind)
        arguments = typing.get_args(kind)
        if arguments and typing.get_origin(kind) is not dict:
            return Instance(plain(arguments[0]))
        if inspect.isclass(kind) and issubclass(kind, pydantic.BaseModel):
            self.report(node, f"iterating over {name_of(kind)} gives pairs of names and values")
        for base in getattr(kind, "__orig_bases__", ()):
            inner = typing.get_args(base)
            if inner and not isinstance(inner[0], typing.TypeVar):
                return Instance(plain(inner[0]))
        raise UnknownError

    def _value_Attribute(self, node: ast.Attribute) -> Any:
        if isinstance(node.value, ast.Name) and node.value.id == "self":
            attributes = self.scope.attributes or {}
            found = attributes.get(node.attr, UNKNOWN)
            if found is UNKNOWN:
                raise UnknownError
            return found
        base = self.value(node.value)
        if isinstance(base, Awaited):
            self.report(node, f"{name_of(base.kind)} has to be awaited before .{node.attr} is read")
            raise UnknownError
        if isinstance(base, Instance):
            return self._member(node, plain(base.kind))
        if isinstance(base, Method) or not (is_sdk(base) or inspect.ismodule(base)):
            raise UnknownError
        self.reads.add(node)
        try:
            return getattr(base, node.attr)
        except AttributeError:
            self.report(node, f"{name_of(base)} has no {node.attr}")
            raise UnknownError from None

    def _member(self, node: ast.Attribute, kind: Any) -> Any:
        if not (inspect.isclass(kind) and is_sdk(kind)):
            raise UnknownError
        self.reads.add(node)
        fields = getattr(kind, "model_fields", {})
        if node.attr in fields:
            return Instance(plain(fields[node.attr].annotation))
        found = inspect.getattr_static(kind, node.attr, None)
        if isinstance(found, property):
            return Instance(plain(hints(found.fget).get("return", Any)))
        if inspect.isfunction(found):
            return Method(found)
        if isinstance(found, (classmethod, staticmethod)):
            return getattr(kind, node.attr)
        if found is None and node.attr not in own_attributes(kind):
            self.report(node, f"{name_of(kind)} has no {node.attr}")
        raise UnknownError

    def _value_Call(self, node: ast.Call) -> Any:
        called = self.value(node.func)
        function = called.function if isinstance(called, Method) else called
        if not is_sdk(function) or isinstance(called, (Instance, Awaited)):
            raise UnknownError
        self.calls.add(node)
        if inspect.isclass(function) and issubclass(function, pydantic.BaseModel):
            self._fields(node, function)
            return Instance(function)
        if inspect.isclass(function) and issubclass(function, enum.Enum):
            return Instance(function)
        self._bind_arguments(node, called)
        if inspect.isclass(function):
            return Instance(function)
        kind = hints(function).get("return", Any)
        if inspect.iscoroutinefunction(function):
            return Awaited(plain(kind))
        if inspect.isfunction(function) or inspect.ismethod(function):
            return Instance(plain(kind))
        raise UnknownError

    def _bind_arguments(self, node: ast.Call, called: Any) -> None:
        function = called.function if isinstance(called, Method) else called
        try:
            signature = inspect.signature(function)
        except (TypeError, ValueError):
            return
        own = [None] if isinstance(called, Method) else []
        positional = [one for one in node.args if not isinstance(one, ast.Starred)]
        named = {one.arg: one.value for one in node.keywords if one.arg is not None}
        open_ended = len(positional) < len(node.args) or len(named) < len(node.keywords)
        bind = signature.bind_partial if open_ended else signature.bind
        try:
            bind(*own, *positional, **named)
        except TypeError as error:
            self.report(node, f"{name_of(function)}: {error}")
            return
        annotations = hints(function)
        for name, value in named.items():
            self._dictionary(value, annotations.get(name))

    def _dictionary(self, node: ast.expr, annotation: Any) -> None:
        """A dict where a model may stand: its keys are the model's fields."""
        models = [
            one
            for one in choices(annotation)
            if inspect.isclass(one) and issubclass(one, pydantic.BaseModel)
        ]
        if not isinstance(node, ast.Dict) or len(models) != 1:
            return
        allowed = field_names(models[0])
        for key in node.keys:
            if isinstance(key, ast.Constant) and key.value not in allowed:
                self.report(key, f"{name_of(models[0])} has no field {key.value!r}")

    def _fields(self, node: ast.Call, model: Any) -> None:
        if node.args:
            self.report(node, f"{name_of(model)} takes its fields by name")
        allowed = field_names(model)
        given = {keyword.arg for keyword in node.keywords}
        unknown = given - allowed - {None}
        if unknown and model.model_config.get("extra") != "allow":
            for keyword in node.keywords:
                if keyword.arg in unknown:
                    self.report(keyword.value, f"{name_of(model)} has no field {keyword.arg}")
            return
        needed = {name for name, field in model.model_fields.items() if field.is_required()}
        if None not in given and needed - given:
            self.report(node, f"{name_of(model)} needs {', '.join(sorted(needed - given))}")
            return
        self._construct(node, model)

    def _construct(self, node: ast.Call, model: Any) -> None:
        """Make the object when every argument is known: the model then checks them itself."""
        try:
            values = {str(one.arg): self.static(one.value) for one in node.keywords if one.arg}
        except UnknownError:
            return
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            try:
                model(**values)
            except pydantic.ValidationError as error:
                first = error.errors()[0]
                where = ".".join(map(str, first["loc"]))
                self.report(node, f"{name_of(model)}.{where}: {first['msg']}")
            except Exception as error:
                self.report(node, f"{name_of(model)}: {error}")

    def static(self, node: ast.expr) -> Any:
        """The value of an expression of constants and members of the SDK. Raises UnknownError."""
        if isinstance(node, ast.Constant):
            return node.value
        if isinstance(node, (ast.List, ast.Tuple)):
            return [self.static(one) for one in node.elts]
        if isinstance(node, ast.Dict) and None not in node.keys:
            return {
                self.static(key): self.static(one)
                for key, one in zip(node.keys, node.values)
                if key is not None
            }
        if isinstance(node, ast.Call):
            return self._static_call(node)
        found = self.value(node)
        if isinstance(found, enum.Enum):
            return found
        raise UnknownError

    def _static_call(self, node: ast.Call) -> Any:
        called = self.value(node.func)
        if not (inspect.isclass(called) and issubclass(called, pydantic.BaseModel)) or node.args:
            raise UnknownError
        if any(one.arg is None for one in node.keywords):
            raise UnknownError
        values = {str(one.arg): self.static(one.value) for one in node.keywords}
        try:
            return called(**values)
        except Exception:
            raise UnknownError from None


def _unknown() -> Any:
    raise UnknownError


def main() -> None:
    """Check the files on stdin."""
    problems, calls, reads = [], 0, 0
    for path, source in json.load(sys.stdin).items():
        checker = Checker(path)
        checker.check(ast.parse(base64.b64decode(source)))
        problems += [[path, *problem] for problem in checker.problems]
        calls += len(checker.calls)
        reads += len(checker.reads)
    json.dump({"problems": problems, "calls": calls, "reads": reads}, sys.stdout)


if __name__ == "__main__":
    main()
