"""The display name of an upload: legacy took the last part of the path, the new SDK is told."""

from __future__ import annotations

import ast
import re

from chatport.port.packs.schema import FileName
from chatport.port.program.values import NONE, UNKNOWN, External
from chatport.port.rules.base import RefusedError, Site, Workspace
from chatport.port.rules.portable import is_written_none

CODE = "upload_source_unknown"
OPEN_FILES = frozenset({"builtins.open()", "io.open()", "io.BytesIO()", "pathlib.Path().open()"})
"""Calls that give an open file."""

PATH_NAME = re.compile(r"path$|^path|file_?name$")
"""Names of paths."""

PURE = frozenset({"str", "join", "Path", "PurePath", "fspath", "abspath", "with_suffix"})
"""Calls by their last name that may be evaluated twice."""


def display_name(
    workspace: Workspace, site: Site, params: FileName, arguments: dict[str, ast.expr]
) -> ast.expr | str | None:
    """The author's display name, code that says one, or None when legacy gave none. Raises
    `RefusedError`."""
    said = arguments.get(params.parameter)
    source = workspace.draft(site).source
    if said is None or is_written_none(said):
        return _of_path(workspace, site, params, arguments)
    text, values = source.segment(said), workspace.values(said)
    if NONE not in values and UNKNOWN not in values:
        return said
    last = _of_path(workspace, site, params, arguments)
    if last is None or not _is_pure(said):
        raise RefusedError(CODE, f"whether `{text}` is None is not known")
    return f"{text} if {text} is not None else {last}"


def _of_path(
    workspace: Workspace, site: Site, params: FileName, arguments: dict[str, ast.expr]
) -> str | None:
    path = arguments.get(params.path)
    if path is None:
        raise RefusedError("unsupported_kwarg", f"`{params.path}` is missing")
    values = workspace.values(path)
    open_files = {a for a in values if isinstance(a, External) and a.name in OPEN_FILES}
    if open_files:
        if len(open_files) < len(values):
            raise RefusedError(CODE, f"`{ast.unparse(path)}` may be a path or an open file")
        return None
    # An open file was refused where its type was not said, so what is unknown is a path there.
    kind = arguments.get(params.only_files_need)
    kind_is_said = kind is not None and not is_written_none(kind)
    if UNKNOWN in values and kind_is_said and not _is_written_path(path):
        raise RefusedError(CODE, f"`{ast.unparse(path)}` may be a path or an open file")
    draft = workspace.draft(site)
    if isinstance(path, ast.Constant) and isinstance(path.value, str) and "\\" not in path.value:
        return draft.style.string(path.value.rstrip("/").rpartition("/")[2])
    if not _is_pure(path):
        raise RefusedError(CODE, f"`{ast.unparse(path)[:60]}` cannot be evaluated twice")
    draft.needs.add("os")
    return f"os.path.basename({draft.source.segment(path)})"


def _is_written_path(node: ast.expr) -> bool:
    """Whether an expression is a path by how it is written or what it is called. An open file
    under the name of a path would fail at once on the new side: it has no last part."""
    if isinstance(node, ast.JoinedStr):
        return True
    if isinstance(node, ast.BinOp):
        return isinstance(node.op, ast.Div | ast.Add | ast.Mod)
    called = node.func if isinstance(node, ast.Call) else node
    name = getattr(called, "attr", None) or getattr(called, "id", None)
    if isinstance(node, ast.Call):
        return name in PURE
    return name is not None and PATH_NAME.search(name.lower()) is not None


def _is_pure(node: ast.expr) -> bool:
    for part in ast.walk(node):
        if isinstance(part, ast.Call):
            name = getattr(part.func, "attr", None) or getattr(part.func, "id", None)
            if name not in PURE:
                return False
        elif isinstance(part, ast.NamedExpr | ast.Await | ast.Yield | ast.YieldFrom | ast.Lambda):
            return False
    return True
