"""What of a tree can be run without knowing it: scripts, and functions that take no arguments."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path, PurePosixPath
from typing import Final

from chatport.port.findings import Plan
from chatport.port.program.modules import Layout

SECRET_NAME: Final = re.compile(r"\w*(?:KEY|TOKEN|SECRET|PASSWORD|CREDENTIAL)\w*", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Entry:
    """One way into the program: a script (`path`), a function (`module:name`), or a command.

    `span` are the lines of the function in the ported file, empty for a script.
    """

    name: str
    path: str | None = None
    function: str | None = None
    command: tuple[str, ...] | None = None
    import_from: str = ""
    span: range = range(0)
    file: str = ""


def scripts(plan: Plan, tree: Path, paths: list[str]) -> list[Entry]:
    """The files that do something when run and reach ported code; `tree` is the ported copy."""
    ported = {change.path for change in plan.changes() if change.path.endswith(".py")}
    reader = _Reader(tree, Layout(paths))
    words = {b"__main__", *(_module_name(path).encode() for path in ported)}
    found: list[str] = []
    for path in sorted(path for path in paths if path.endswith(".py")):
        # Most files of a large tree say none of them, and are not worth parsing.
        data = (tree / path).read_bytes()
        if path not in ported and not any(word in data for word in words):
            continue
        module = reader.module(path)
        runs = module is not None and (_has_main(module) or _acts(module))
        if runs and reader.reaches(path, ported):
            found.append(path)

    def is_run(path: str) -> bool:
        """What says nothing of being run, and is imported, is run by the script that imports it."""
        module = reader.module(path)
        if path in ported or (module is not None and _has_main(module)):
            return True
        return not any(reader.reaches(other, {path}) for other in found if other != path)

    return [Entry(path, path=path) for path in found if is_run(path)]


def _module_name(path: str) -> str:
    """The last name of the module in an import of it."""
    file = PurePosixPath(path)
    return file.parent.name if file.stem == "__init__" else file.stem


def functions(plan: Plan, tree: Path, paths: list[str]) -> Iterator[Entry]:
    """The public functions and methods of ported files that can be called without arguments."""
    reader = _Reader(tree, Layout(paths))
    for change in plan.changes():
        module = reader.module(change.path) if change.path.endswith(".py") else None
        if module is None:
            continue
        folder, dotted = _importable(change.path, paths)
        for call, node in _callables(module):
            span = range(node.lineno, (node.end_lineno or node.lineno) + 1)
            yield Entry(
                f"{change.path}: {call}()",
                function=f"{dotted}:{call}",
                import_from=folder,
                span=span,
                file=change.path,
            )


class _Reader:
    """Parses files of the tree on demand, once."""

    def __init__(self, tree: Path, layout: Layout) -> None:
        self.tree, self.layout = tree, layout
        self.module = cache(self._module)

    def _module(self, path: str) -> ast.Module | None:
        try:
            return ast.parse((self.tree / path).read_bytes())
        except (OSError, SyntaxError, ValueError, RecursionError):
            return None

    def reaches(self, path: str, goals: set[str]) -> bool:
        """Whether a file is, or imports, directly or through others, one of the goals."""
        todo, seen = [path], {path}
        while todo:
            current = todo.pop()
            if current in goals:
                return True
            new = set(self._imports(current)) - seen
            seen |= new
            todo += new
        return False

    def _imports(self, path: str) -> Iterator[str]:
        module = self.module(path)
        for node in ast.walk(module) if module is not None else ():
            for found in self._targets(node, path):
                if found is not None:
                    yield found

    def _targets(self, node: ast.AST, path: str) -> Iterator[str | None]:
        if isinstance(node, ast.Import):
            yield from (self.layout.find(name.name, path) for name in node.names)
        elif isinstance(node, ast.ImportFrom):
            if node.level:
                base = self.layout.find_relative(node.module, node.level, path)
            else:
                base = self.layout.find(node.module or "", path)
            yield base
            for name in node.names:
                if base is not None and base.endswith("__init__.py"):
                    yield self.layout.submodule(base, name.name)


def _has_main(module: ast.Module) -> bool:
    return any(
        isinstance(node, ast.If) and "__name__" in ast.unparse(node.test) for node in module.body
    )


_DECLARATIONS: Final = (
    ast.Import,
    ast.ImportFrom,
    ast.FunctionDef,
    ast.AsyncFunctionDef,
    ast.ClassDef,
    ast.Assign,
    ast.AnnAssign,
    ast.Global,
    ast.Pass,
)


def _acts(module: ast.Module) -> bool:
    """Whether running the file does more than define and import."""
    return not all(map(_declares, module.body))


def _declares(node: ast.stmt) -> bool:
    match node:
        case ast.Expr(value=ast.Constant()):
            return True
        case ast.Try(body=body, handlers=caught, orelse=orelse, finalbody=last):
            inner = [*body, *orelse, *last, *(one for handler in caught for one in handler.body)]
            return all(map(_declares, inner))
        case ast.If(body=body, orelse=orelse):
            return all(map(_declares, [*body, *orelse]))
        case _:
            return isinstance(node, _DECLARATIONS)


def _callables(
    module: ast.Module,
) -> Iterator[tuple[str, ast.FunctionDef | ast.AsyncFunctionDef]]:
    for node in module.body:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            if not node.name.startswith("_") and not _required(node.args):
                yield node.name, node
        elif isinstance(node, ast.ClassDef) and _is_plain(node):
            yield from _methods(node)


def _is_plain(node: ast.ClassDef) -> bool:
    """Whether an object can be made without arguments, as far as the class itself says."""
    made = [inner for inner in node.body if getattr(inner, "name", "") == "__init__"]
    decorated = any("dataclass" in ast.unparse(one) for one in node.decorator_list)
    return not decorated and all(
        isinstance(inner, ast.FunctionDef) and _required(inner.args) <= 1 for inner in made
    )


def _methods(
    node: ast.ClassDef,
) -> Iterator[tuple[str, ast.FunctionDef | ast.AsyncFunctionDef]]:
    for inner in node.body:
        if not isinstance(inner, ast.FunctionDef | ast.AsyncFunctionDef):
            continue
        marks = {ast.unparse(one) for one in inner.decorator_list}
        own = 0 if "staticmethod" in marks else 1
        if (
            not inner.name.startswith("_")
            and _required(inner.args) <= own
            and "property" not in marks
        ):
            yield f"{node.name}().{inner.name}", inner


def _required(arguments: ast.arguments) -> int:
    plain = len(arguments.posonlyargs) + len(arguments.args) - len(arguments.defaults)
    return plain + sum(default is None for default in arguments.kw_defaults)


def _importable(path: str, paths: list[str]) -> tuple[str, str]:
    """The folder a file is imported from, and its dotted name from there."""
    known = set(paths)
    folder = PurePosixPath(path).parent
    while folder.name and str(folder / "__init__.py") in known:
        folder = folder.parent
    inside = PurePosixPath(path).relative_to(folder).with_suffix("")
    parts = inside.parts[:-1] if inside.name == "__init__" else inside.parts
    return ("" if str(folder) == "." else str(folder)), ".".join(parts)


def variables(tree: Path, paths: list[str]) -> Mapping[str, str]:
    """Environment variables with the names of secrets that the code asks for, with fake values."""
    asked = re.compile(r"(?:environ(?:\.get\(|\[)|getenv\()\s*[\"'](\w+)[\"']")
    names = {
        name
        for path in paths
        if path.endswith(".py")
        for name in asked.findall((tree / path).read_text("utf-8", "replace"))
        if SECRET_NAME.fullmatch(name)
    }
    return {name: f"fake-{name.lower().replace('_', '-')}" for name in sorted(names)}
