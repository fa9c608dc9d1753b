"""Runs the tests of a graded case without any test framework: `test_*` functions and unittest
cases of every `test_*.py` beside this file. What they give is printed, a line each."""

from __future__ import annotations

import importlib
import inspect
import sys
import traceback
import unittest
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any


class Monkeypatch:
    """As much of pytest's fixture as the cases use."""

    def __init__(self) -> None:
        self.undo: list[Callable[[], None]] = []

    def setattr(self, target: Any, name: Any, value: Any = None) -> None:
        if isinstance(target, str):
            path, _, attribute = target.rpartition(".")
            target, name, value = _resolved(path), attribute, name
        old = getattr(target, name)
        self.undo.append(lambda: setattr(target, name, old))
        setattr(target, name, value)


def _resolved(path: str) -> Any:
    head, _, last = path.rpartition(".")
    if not head or path in sys.modules:
        return importlib.import_module(path)
    return getattr(_resolved(head), last)


def _tests(module: ModuleType) -> Iterator[tuple[str, Callable[[], None]]]:
    for name, value in list(vars(module).items()):
        if name.startswith("test_") and callable(value):
            yield name, lambda value=value: _call(value)  # type: ignore[misc]
        elif isinstance(value, type) and issubclass(value, unittest.TestCase):
            for test in unittest.defaultTestLoader.loadTestsFromTestCase(value):
                yield test.id(), lambda test=test: test.debug()  # type: ignore[misc]


def _call(test: Callable[..., None]) -> None:
    patch = Monkeypatch()
    patched = getattr(test, "patchings", ())
    wanted = "monkeypatch" in inspect.signature(test).parameters and not patched
    try:
        test(**({"monkeypatch": patch} if wanted else {}))
    finally:
        for undo in reversed(patch.undo):
            undo()


def main() -> None:
    for path in sorted(Path(__file__).parent.glob("test_*.py")):
        for name, run in _tests(importlib.import_module(path.stem)):
            try:
                run()
            except Exception:
                traceback.print_exc()
                print(name, "failed")
            else:
                print(name, "passed")


if __name__ == "__main__":
    main()
