"""What tells people, or a notebook's shell, to install the legacy SDK.

``!pip install`` lines of a notebook are its declared dependencies. In other files an installing
command stands in a message, a docstring or a comment; it follows the code around it.
"""

from __future__ import annotations

import ast
import re
from functools import cache

from chatport.port.findings import Kind
from chatport.port.packs.schema import ManifestDependency, ManifestParams
from chatport.port.program.modules import Module
from chatport.port.rules.base import Site, Workspace

RULE = "manifest_dependency"
_COMMAND = r"\b(?:pip3?|uv)[ \t]+(?:pip[ \t]+)?(?:install|add)\b"


class InstallRule:
    """Rewrites the commands of ported files; part of the rule kind ``manifest_dependency``."""

    def __init__(self, change: ManifestDependency) -> None:
        self.params: ManifestParams = change.params

    def run(self, workspace: Workspace) -> None:
        command = re.compile(rf"{_COMMAND}(?P<rest>[^\r\n#;&|]*)")
        touched = {site.module for site in workspace.sites}
        for module in workspace.modules:
            text, hidden = module.source.shown, module.source.hidden
            self._refuse_hidden(workspace, module)
            if hidden:
                workspace.keep_whole(module, module)
            if module not in touched and not hidden:
                continue
            for found in command.finditer(text):
                masked = any(start <= found.start() < end for start, end in hidden)
                if (module not in touched or module in workspace.stays.modules) and not masked:
                    continue
                named = _name_of(workspace.surface.pack.source.distribution)
                for name in named.finditer(text, found.start("rest"), found.end("rest")):
                    self._rewrite(workspace, module, name, masked=masked)

    def _refuse_hidden(self, workspace: Workspace, module: Module) -> None:
        """What only a notebook understands may hold code of the SDK: a file it writes, a magic."""
        for start, end in module.source.hidden:
            found = module.source.shown.find(workspace.surface.module, start, end)
            if found >= 0:
                name = workspace.surface.module
                node = _stand_in(module, found, found + len(name))
                site = Site(module, node, name, Kind.STRING, rule=RULE)
                site.refuse("dynamic_reference", "it stands in what only the notebook understands")
                workspace.sites.append(site)

    def _rewrite(
        self, workspace: Workspace, module: Module, name: re.Match[str], *, masked: bool
    ) -> None:
        """One name of the old distribution. In a notebook's command the new one has its floor."""
        new = workspace.surface.pack.target.distribution
        if masked:
            quote = name["quote"] or '"'
            new = f"{quote}{self.params.requirement}{quote}"
        else:
            new = f"{name['quote']}{new}{name['quote']}"
        start, end = name.span()
        site = Site(module, _stand_in(module, start, end), name.group(), Kind.STRING, rule=RULE)
        site.symbol = workspace.surface.pack.source.distribution
        workspace.sites.append(site)
        workspace.drafts[module].replace_span(start, end, lambda: new)


@cache
def _name_of(distribution: str) -> re.Pattern[str]:
    """A distribution where a command installs it, perhaps in quotes and with a version."""
    from chatport.port.rules.manifest_kinds.base import pattern_of  # most files install nothing

    one = rf"(?P<quote>[\"']?){pattern_of([distribution])}(?P<said>[<>=!~][\w.*,<>=!~]*)?(?P=quote)"
    return re.compile(rf"(?<![\w./-]){one}")


def _stand_in(module: Module, start: int, end: int) -> ast.Name:
    """A node at a stretch of text that has none."""
    source = module.source
    line = source.text.count("\n", 0, start) + 1
    first = source.line_start(start)
    before, within = source.text[first:start], source.text[start:end]
    column = len(before.encode())
    return ast.Name(
        id="_",
        ctx=ast.Load(),
        lineno=line,
        col_offset=column,
        end_lineno=line,
        end_col_offset=column + len(within.encode()),
    )
