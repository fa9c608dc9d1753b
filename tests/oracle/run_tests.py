"""Runs the tests of a graded case without any test framework: `test_*` functions, classes of them
and unittest cases of every `test_*.py` beside this file, with as much of pytest's fixtures as they
use. What they give is printed, a line each."""

from __future__ import annotations

import asyncio
import contextlib
import functools
import importlib
import inspect
import re
import sys
import traceback
import unittest
import unittest.mock
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from types import ModuleType, SimpleNamespace
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


class Fixture:
    """A function that gives a test one of its arguments."""

    def __init__(self, function: Callable[..., Any]) -> None:
        self.function = function


def fixture(function: Callable[..., Any] | None = None, **_: Any) -> Any:
    """As much of pytest's decorator as the cases use."""
    return Fixture(function) if function is not None else Fixture


@contextlib.contextmanager
def raises(kind: type[BaseException], match: str = "") -> Iterator[SimpleNamespace]:
    """As much of pytest's context as the cases use."""
    met = SimpleNamespace()
    try:
        yield met
    except kind as error:
        met.value = error
        if re.search(match, str(error)):
            return
        raise
    raise AssertionError(f"no {kind.__name__}")


def _stand_in_for_pytest() -> ModuleType:
    module = ModuleType("pytest")
    module.fixture, module.raises = fixture, raises  # type: ignore[attr-defined]
    return module


class Arguments:
    """The arguments of one test, by the names of fixtures."""

    def __init__(self, fixtures: dict[str, Any]) -> None:
        self.fixtures = fixtures
        self.given: dict[str, Any] = {}
        self.finish: list[Callable[[], object]] = []

    def of(self, function: Callable[..., Any]) -> dict[str, Any]:
        names = list(inspect.signature(function).parameters)
        patchings = getattr(function, "patchings", ())
        filled = sum(patching.new is unittest.mock.DEFAULT for patching in patchings)
        return {name: self._give(name) for name in names[filled:] if name != "self"}

    def _give(self, name: str) -> Any:
        if name not in self.given:
            self.given[name] = self._made(name)
        return self.given[name]

    def _made(self, name: str) -> Any:
        if name == "monkeypatch":
            patch = Monkeypatch()
            self.finish.append(lambda: [undo() for undo in reversed(patch.undo)])
            return patch
        function = self.fixtures[name]
        value = function(**self.of(function))
        if inspect.isgenerator(value):
            generator = value
            self.finish.append(lambda: next(generator, None))
            return next(generator)
        return value


def _tests(module: ModuleType, shared: dict[str, Any]) -> Iterator[tuple[str, Callable[[], None]]]:
    fixtures = shared | _fixtures(vars(module))
    for name, value in list(vars(module).items()):
        if isinstance(value, type) and issubclass(value, unittest.TestCase):
            for test in unittest.defaultTestLoader.loadTestsFromTestCase(value):
                yield test.id(), lambda test=test: test.debug()  # type: ignore[misc]
        elif isinstance(value, type) and name.startswith("Test"):
            for method in [m for m in vars(value) if m.startswith("test_")]:
                test, own = getattr(value(), method), _fixtures(vars(value))
                bound = {k: functools.partial(f, value()) for k, f in own.items()}
                yield f"{name}.{method}", functools.partial(_call, test, fixtures | bound)
        elif name.startswith("test_") and callable(value):
            yield name, functools.partial(_call, value, fixtures)


def _fixtures(names: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value.function for name, value in names.items() if isinstance(value, Fixture)}


def _call(test: Callable[..., Any], fixtures: dict[str, Any]) -> None:
    arguments = Arguments(fixtures)
    try:
        outcome = test(**arguments.of(test))
        if inspect.iscoroutine(outcome):
            asyncio.run(outcome)
    finally:
        for finish in reversed(arguments.finish):
            finish()


def main() -> None:
    sys.modules["pytest"] = _stand_in_for_pytest()
    here = Path(__file__).parent
    common = importlib.import_module("conftest") if (here / "conftest.py").exists() else None
    shared = _fixtures(vars(common)) if common is not None else {}
    for path in sorted(here.glob("test_*.py")):
        for name, run in _tests(importlib.import_module(path.stem), shared):
            try:
                run()
            except Exception:
                traceback.print_exc()
                print(name, "failed")
            else:
                print(name, "passed")


if __name__ == "__main__":
    main()
