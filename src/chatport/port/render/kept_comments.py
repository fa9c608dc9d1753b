"""Comments inside of what is replaced that its new text does not carry: they go above it."""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Iterator, Sequence

from chatport.port.program.modules import Module
from chatport.port.source.edits import Edit

_SPEAKS_TO_A_TOOL = re.compile(
    r"#\s*(?:type:\s*ignore|noqa|pylint:|pragma:|fmt:|ruff:)", re.IGNORECASE
)
"""Comments about the line they are on, which is not there any more."""


def with_kept_comments(module: Module, edits: Sequence[Edit]) -> list[Edit]:
    """The edits, and among them lines for the comments that they would lose, each above the
    statement it stood in, at its indentation."""
    lost = list(_lost(module, edits))
    if not lost:
        return sorted(edits, key=_span)
    spans = [module.source.span(node) for node in module.parents if isinstance(node, ast.stmt)]
    above: dict[int, list[str]] = {}
    for offset, comment in lost:
        line = _line_above(module, spans, offset)
        around = next((e for e in edits if line is not None and e.start < line < e.end), None)
        if around is not None:  # a deletion takes blank lines above the statement along
            line = around.start if not around.text else None
        if line is not None:
            above.setdefault(line, []).append(comment)
    kept = []
    for line, comments in above.items():
        indent = module.source.indent_at(line)
        kept.append(Edit(line, line, "".join(f"{indent}{comment}\n" for comment in comments)))
    return sorted([*kept, *edits], key=_span)


def _span(edit: Edit) -> tuple[int, int]:
    return edit.start, edit.end


def _lost(module: Module, edits: Sequence[Edit]) -> Iterator[tuple[int, str]]:
    """The comments that stand in what is replaced and in nothing that is put there."""
    there = [comment for edit in edits for comment in module.source.comments(edit.start, edit.end)]
    if not there:
        return
    new = "\n".join(edit.text for edit in edits)
    missing = {
        text: count - new.count(text) for text, count in Counter(t for _, t in there).items()
    }
    for offset, comment in there:
        if missing[comment] > 0 and not _SPEAKS_TO_A_TOOL.match(comment):
            missing[comment] -= 1
            yield offset, comment


def _line_above(module: Module, statements: Sequence[tuple[int, int]], offset: int) -> int | None:
    """Where the first line of the statement around an offset begins; None where that line holds
    something else as well."""
    source = module.source
    found = max((start for start, end in statements if start <= offset <= end), default=0)
    line = source.line_start(found)
    return line if not source.text[line:found].strip() else None
