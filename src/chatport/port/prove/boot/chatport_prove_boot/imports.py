"""Runs a function on a module right after it is first imported, or now when it already is."""

from __future__ import annotations

import importlib.abc
import importlib.machinery
import re
import sys
from collections.abc import Sequence
from types import ModuleType
from typing import Any, Callable


def after_import(pattern: str, action: Callable[[ModuleType], None]) -> None:
    """Apply `action` to every module whose full name matches, once each."""
    compiled = re.compile(pattern)
    for name, module in list(sys.modules.items()):
        if module is not None and compiled.fullmatch(name):
            action(module)
    sys.meta_path.insert(0, _Finder(compiled, action))


class _Finder(importlib.abc.MetaPathFinder):
    def __init__(self, pattern: re.Pattern[str], action: Callable[[ModuleType], None]) -> None:
        self.pattern, self.action = pattern, action

    def find_spec(
        self, name: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        if not self.pattern.fullmatch(name):
            return None
        after_me = sys.meta_path[sys.meta_path.index(self) + 1 :]
        for finder in after_me:
            spec = finder.find_spec(name, path, target)
            if spec is not None and spec.loader is not None:
                spec.loader = _Loader(spec.loader, self.action)
                return spec
        return None


class _Loader(importlib.abc.Loader):
    """The module's own loader, with the action behind it."""

    def __init__(self, loader: Any, action: Callable[[ModuleType], None]) -> None:
        self.loader, self.action = loader, action

    def __getattr__(self, name: str) -> Any:
        return getattr(self.loader, name)

    def create_module(self, spec: importlib.machinery.ModuleSpec) -> ModuleType | None:
        made: ModuleType | None = self.loader.create_module(spec)
        return made

    def exec_module(self, module: ModuleType) -> None:
        self.loader.exec_module(module)
        self.action(module)
