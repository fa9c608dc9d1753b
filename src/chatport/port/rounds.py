"""One application of a pack's rules to a repository, and the files that come of it."""

from __future__ import annotations

import ast
from collections.abc import Iterable

from chatport.port.findings import FilePlan, Finding, Status
from chatport.port.gates import check_output
from chatport.port.program.modules import Module
from chatport.port.render.kept_comments import with_kept_comments
from chatport.port.render.layout import Style
from chatport.port.render.style import style_of
from chatport.port.rules.base import Refusal, Workspace
from chatport.port.rules.registry import apply as apply_rules
from chatport.port.source import edits
from chatport.port.source.edits import Edit
from chatport.port.source.errors import SourceError, UnreliablePosition


class Round:
    """The rules have run; the files are rendered when that is asked."""

    def __init__(self, workspace: Workspace) -> None:
        self.workspace = workspace
        self.failures: dict[Module, Refusal] = {}
        """Why the output of a module did not pass."""
        self._imports = apply_rules(workspace)
        self._rendered: dict[Module, bytes | None] = {}

    def render(self, module: Module) -> bytes | None:
        """The output of a module, made once; None when it did not pass."""
        if module not in self._rendered:
            made = self._render(module)
            if isinstance(made, Refusal):
                self.failures[module] = made
            self._rendered[module] = None if isinstance(made, Refusal) else made
        return self._rendered[module]

    def _render(self, module: Module) -> bytes | Refusal:
        draft = self.workspace.drafts[module]
        try:
            draft.edits()  # what the new code needs is only known once it is rendered
            self._imports.finish(self.workspace, module)
            made = with_kept_comments(module, draft.edits())
            data = edits.apply(module.source, made)
        except UnreliablePosition as error:
            return Refusal("f_string_position", str(error))
        except SourceError as error:
            return Refusal("output_check_failed", str(error))
        stays = module in self.workspace.stays.modules
        if stays and self._touches(module, made):
            return Refusal("output_check_failed", "something that stays would be written anew")
        is_legacy = self.workspace.surface.is_legacy
        wrong = check_output(module.source, data, (lambda _: False) if stays else is_legacy)
        return data if wrong is None else Refusal("output_check_failed", wrong)

    def _touches(self, module: Module, made: Iterable[Edit]) -> bool:
        """Whether an edit replaces a part of a use that stays."""
        stays = self.workspace.stays
        spans = [
            module.source.span(node)
            for node in (*stays.nodes, *stays.beside)
            if node in module.parents and isinstance(node, ast.expr)
        ]
        return any(start < edit.end and edit.start < end for edit in made for start, end in spans)


def style_within(module: Module, *, width: int) -> Style:
    """How a module is written, in lines of at most `width` characters."""
    return style_of(module.source.text, width)


def file_of(
    module: Module, findings: Iterable[Finding], after: bytes | None, unit: str
) -> FilePlan:
    """The plan of one file; `after` is its output, None where that is refused."""
    source = module.source
    ordered = tuple(sorted(findings, key=lambda one: (one.place, one.symbol)))
    changed = after if after != source.data else None
    refused = [one for one in ordered if one.code is not None]
    if after is None:
        status = Status.REFUSED if refused else Status.CLEAN
    else:
        status = Status.PARTLY if refused else Status.PORTED
    return FilePlan(
        module.path, status, ordered, source.data, changed, source.encoding, unit or module.path
    )
