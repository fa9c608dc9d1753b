"""The TOML of the bundled packs, parsed once: Python keeps it where it keeps its compiled modules.

A part of a pack is handled as a module whose only statement is its tables. The machinery of imports
then does what it does for every module: it writes the code to ``__pycache__`` in one step, leaves
that out where nothing can be written, and parses the file again once its size or its time differ.
"""

from __future__ import annotations

import importlib.machinery
from collections.abc import Callable
from pathlib import Path
from types import CodeType
from typing import Any


class Part(importlib.machinery.SourceFileLoader):
    """One TOML file; `parse` makes its tables."""

    def __init__(self, path: Path, parse: Callable[[Path], dict[str, Any]]) -> None:
        super().__init__(path.stem, str(path))
        self._parse = parse

    def source_to_code(self, data: Any, path: Any, *, _optimize: int = -1) -> CodeType:  # type: ignore[override]
        """The code of the tables; raises what `parse` does."""
        return compile(
            f"tables = {self._parse(Path(self.path))!r}", path, "exec", optimize=_optimize
        )

    def tables(self) -> dict[str, Any]:
        """What the file says, in values of our own each time."""
        code = self.get_code(self.name)
        assert code is not None
        held: dict[str, Any] = {}
        exec(code, held)
        tables: dict[str, Any] = held["tables"]
        return tables
