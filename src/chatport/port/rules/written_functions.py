"""Functions that are written into a module of the program, below its imports, once each."""

from __future__ import annotations

import re

from chatport.port.packs.schema import WrittenFunction
from chatport.port.program.modules import Module
from chatport.port.rules.base import Workspace
from chatport.port.rules.import_places import end_of_imports


class Definitions:
    """Names and defines one such function in the modules that call it."""

    def __init__(self, workspace: Workspace, function: WrittenFunction) -> None:
        self.workspace = workspace
        self.function = function

    def name(self, module: Module) -> str:
        """What the function is called in a module; empty where no name or place is free."""
        if end_of_imports(module) is None:
            return ""
        taken = module.scopes.names
        return next((name for name in self.function.names if name not in taken), "")

    def define(self, module: Module) -> None:
        draft, anchor = self.workspace.drafts[module], end_of_imports(module)
        assert anchor is not None
        code = self.function.code.strip()
        code = re.sub(rf"\b{self.function.names[0]}\b", self.name(module), code)
        if "types." in code:
            types = self.workspace.types(module, "").rstrip(".")
            code = re.sub(r"\btypes\.", f"{types}.", code)
        code = code.replace("    ", draft.style.indent)
        code = re.sub(r'(?<!")"(\w+)"(?!")', lambda said: draft.style.string(said[1]), code)
        draft.needs.update(self.function.needs)
        functions = self.workspace.functions.setdefault(module, [])
        if not functions:
            room = "\n" * max(0, 2 - draft.blank_lines_below(anchor))
            draft.insert_after(anchor, lambda: "\n\n" + "\n\n\n".join(functions) + room)
        functions.append(code)
