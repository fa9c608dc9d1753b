"""Which rewritten lines a proof has executed: silence about the others is not proof."""

from __future__ import annotations

import ast
import difflib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from chatport.port.findings import FilePlan


@dataclass(frozen=True, slots=True)
class FileCoverage:
    """The rewritten lines of one file that hold code, in the new text, and those never executed."""

    path: str
    rewritten: tuple[int, ...]
    never: tuple[int, ...]

    @property
    def executed(self) -> int:
        """How many rewritten lines were executed."""
        return len(self.rewritten) - len(self.never)


def coverage(
    changes: Iterable[FilePlan], executed: Mapping[str, frozenset[int]]
) -> tuple[FileCoverage, ...]:
    """Measure every changed Python file; `executed` holds the lines of the new text that ran."""
    return tuple(
        FileCoverage(change.path, rewritten, tuple(_never(rewritten, spans, lines)))
        for change in changes
        if change.path.endswith(".py")
        for rewritten, spans in [_rewritten(change)]
        for lines in [executed.get(change.path, frozenset())]
    )


def _rewritten(change: FilePlan) -> tuple[tuple[int, ...], dict[int, range]]:
    """The changed lines that hold code, and for each the lines of its statement."""
    assert change.after is not None
    old = change.before.decode(change.encoding, "replace").splitlines()
    text = change.after.decode(change.encoding, "replace")
    matcher = difflib.SequenceMatcher(a=old, b=text.splitlines(), autojunk=False)
    changed = {
        number + 1
        for tag, _, _, start, end in matcher.get_opcodes()
        if tag != "equal"
        for number in range(start, end)
    }
    spans = {line: span for span in statements(text) for line in span}
    found = tuple(sorted(changed & set(spans)))
    return found, spans


def statements(text: str) -> Iterator[range]:
    """The lines of each statement, outer before inner; of a compound one, its head."""
    tree = ast.parse(text)
    docstrings = set(_docstrings(tree))
    # Breadth first: what comes later is further inside, and stands for its lines.
    for node in ast.walk(tree):
        if not isinstance(node, ast.stmt) or node in docstrings:
            continue
        end = node.end_lineno or node.lineno
        body = getattr(node, "body", None)
        if body and isinstance(body, list):
            end = max(node.lineno, body[0].lineno - 1)
        yield range(node.lineno, end + 1)


def _docstrings(tree: ast.Module) -> Iterator[ast.stmt]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            match node.body:
                case [ast.Expr(value=ast.Constant(value=str())) as first, *_]:
                    yield first
                case _:
                    pass


def _never(
    rewritten: Iterable[int], spans: Mapping[int, range], executed: frozenset[int]
) -> Iterator[int]:
    """A statement over several lines ran when any of its lines did."""
    return (line for line in rewritten if executed.isdisjoint(spans[line]))


def handlers(source: bytes) -> Iterator[range]:
    """The lines of each exception handler, with the `except` itself."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.ExceptHandler):
            yield range(node.lineno, (node.end_lineno or node.lineno) + 1)


def ranges(lines: Iterable[int]) -> str:
    """Line numbers as a person writes them: `3, 7-9`."""
    runs: list[list[int]] = []
    for line in lines:
        if runs and line == runs[-1][-1] + 1:
            runs[-1].append(line)
        else:
            runs.append([line])
    return ", ".join(f"{run[0]}-{run[-1]}" if len(run) > 1 else str(run[0]) for run in runs)
