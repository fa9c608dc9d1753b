"""Requirements in a ``setup.py``: the strings of its lists."""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator

from chatport.port.rules.manifest_kinds.base import (
    Declaration,
    Lines,
    Manifest,
    UnreadableManifestError,
    parse,
)
from chatport.port.rules.manifest_kinds.brackets import Item
from chatport.port.rules.manifest_kinds.versions import python_of
from chatport.port.source.errors import SourceError
from chatport.port.source.text import SourceFile


def setup_py(text: str, names: Collection[str]) -> Manifest:
    """A ``setup.py``, read and never run."""
    try:
        source = SourceFile.read("setup.py", text.encode())
    except (SourceError, UnicodeEncodeError) as error:
        raise UnreadableManifestError(str(error)) from None
    return Manifest(tuple(_items(source, names)), python_of(*_python(source.tree)))


def _items(source: SourceFile, names: Collection[str]) -> Iterator[Declaration]:
    lines = Lines.of(source.text)
    for display in ast.walk(source.tree):
        if not isinstance(display, ast.List | ast.Tuple | ast.Set):
            continue
        for node in display.elts:
            if not (isinstance(node, ast.Constant) and isinstance(node.value, str)):
                continue
            parsed = parse(node.value)
            if parsed is None or parsed.name not in names:
                continue
            start, end = source.span(node)
            plain = source.text[start + 1 : end - 1] == node.value
            note = None if plain else f"`{source.text[start:end]}` is not a plain string"
            yield Item(lines, parsed, start + 1, end - 1, str(display.lineno), note)


def _python(tree: ast.Module) -> Iterator[object]:
    for node in ast.walk(tree):
        if isinstance(node, ast.keyword) and node.arg == "python_requires":
            yield getattr(node.value, "value", None)
