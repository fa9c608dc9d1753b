"""What every output must pass before it may be written: it compiles, and it reads no name that
the input did not already read unbound."""

from __future__ import annotations

import ast
import builtins
import warnings

from chatport.port.program import scopes
from chatport.port.source.errors import SourceError
from chatport.port.source.text import SourceFile


def check_output(before: SourceFile, data: bytes) -> str | None:
    """What is wrong with the bytes that would replace `before`; None when nothing is."""
    try:
        after = SourceFile.read(before.path, data)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            compile(data, before.path, "exec", dont_inherit=True)
    except (SourceError, SyntaxError, ValueError) as error:
        return f"the output does not compile: {error}"
    fresh = unbound(after) - unbound(before)
    if fresh:
        return f"the output reads names nobody binds: {', '.join(sorted(fresh))}"
    return None


def unbound(source: SourceFile) -> set[str]:
    """Names a file reads that neither it nor Python binds."""
    table = scopes.build(source.tree)
    return {
        name.id
        for name, scope in table.around.items()
        if isinstance(name, ast.Name)
        and isinstance(name.ctx, ast.Load)
        and scope.lookup(name.id) is None
        and not hasattr(builtins, name.id)
    }
