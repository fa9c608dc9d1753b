"""What every output must pass before it may be written: it compiles, it imports the old SDK nowhere
any more, and it reads no name that the input did not already read unbound."""

from __future__ import annotations

import ast
import builtins
import re
import warnings
from collections.abc import Callable

from chatport.port.findings import FilePlan
from chatport.port.program import scopes
from chatport.port.source.discover import NOTEBOOK_SUFFIX, PROGRAM_SUFFIXES
from chatport.port.source.errors import SourceError
from chatport.port.source.text import SourceFile


def check_output(before: SourceFile, data: bytes, is_legacy: Callable[[str], bool]) -> str | None:
    """What is wrong with the bytes that would replace `before`; None when nothing is."""
    try:
        after = SourceFile.read(before.path, data)
        _check_compiles(after, before)
    except (SourceError, SyntaxError, ValueError) as error:
        whose = "the output" if _compiles(before) else "the file as it stands"
        return f"{whose} does not compile: {error}"
    left = sorted(name for name in imported(after) if is_legacy(name))
    if left:
        return f"the output still imports {left[0]}"
    table = scopes.build(after.tree)
    read = _hidden_reads(before)
    lost = read and (read & _bound(before)) - set(table.module.variables)
    if lost:
        return f"a line that is no Python reads `{min(lost)}`, which nothing binds any more"
    fresh = _unbound(table)
    if fresh:  # seldom: only then it matters what the input read unbound
        fresh -= unbound(before)
    if fresh:
        return f"the output reads names nobody binds: {', '.join(sorted(fresh))}"
    return None


def _check_compiles(after: SourceFile, before: SourceFile) -> None:
    """Raise what Python says about a module. A notebook may have `await` outside of functions, and
    so may a file of a notebook's cells: it did not compile by itself before either."""
    try:
        _compile(after, awaits=after.path.endswith(NOTEBOOK_SUFFIX))
    except SyntaxError:
        if _compiles(before):
            raise
        _compile(after, awaits=True)


def _compiles(source: SourceFile) -> bool:
    try:
        _compile(source, awaits=False)
    except (SyntaxError, ValueError):
        return False
    return True


def _compile(source: SourceFile, *, awaits: bool) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        flags = ast.PyCF_ALLOW_TOP_LEVEL_AWAIT if awaits else 0
        compile(source.tree, source.path, "exec", flags, dont_inherit=True)


def check_edited(file: FilePlan, data: bytes) -> str | None:
    """What is wrong with an output that a person has changed: as `check_output`, but for imports of
    the old SDK, which may be meant. Files that are no Python are not looked at."""
    if not file.path.endswith(PROGRAM_SUFFIXES):
        return None
    return check_output(SourceFile.read(file.path, file.before), data, lambda _: False)


def _hidden_reads(source: SourceFile) -> set[str]:
    """The words of what only a notebook understands, but for its installing commands."""
    pieces = (source.shown[start:end] for start, end in source.hidden)
    return {
        word
        for piece in pieces
        if " install " not in piece and "?" not in piece
        for word in re.findall(r"[^\W\d]\w*", piece)
    }


def _bound(source: SourceFile) -> set[str]:
    return set(scopes.build(source.tree).module.variables)


def imported(source: SourceFile) -> set[str]:
    """The dotted names a file imports."""
    found = set()
    for statement in source.nodes.of(ast.Import):
        found |= {alias.name for alias in statement.names}
    for origin in source.nodes.of(ast.ImportFrom):
        if origin.module and not origin.level:
            found |= {f"{origin.module}.{alias.name}" for alias in origin.names}
    return found


def unbound(source: SourceFile) -> set[str]:
    """Names a file reads that neither it nor Python binds."""
    return _unbound(scopes.build(source.tree))


def _unbound(table: scopes.ScopeTable) -> set[str]:
    return {name.id for name in table.unbound if not hasattr(builtins, name.id)}
