"""What of the rules and of the value flow no test would miss: small faults, put in one at a time.

    python benchmarks/mutants.py [--sample N] [--seed N] [--json FILE] [MODULE.py ...]

Each mutant is one change of a syntax tree (a comparison turned round, a condition of several left
out, a branch always or never taken, a call not made). It runs in a process of its own against the
graded cases, the table of faults and the tables of the rules, until the first test fails. A mutant
that no test notices survives and is printed: a test is missing there, or the code is not needed, or
the mutant means the same. Existing mutation testers run all tests in a new interpreter for every
mutant; here the interpreter is forked with everything but the package imported, which makes a
killed mutant cost about a second.
"""

from __future__ import annotations

import argparse
import ast
import copy
import importlib.machinery
import json
import os
import random
import resource
import signal
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import CodeType
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
PACKAGE = ROOT / "src" / "chatport" / "port"
DEFAULT = [*sorted((PACKAGE / "rules").rglob("*.py")), *sorted((PACKAGE / "program").glob("*.py"))]
ORACLE = ["tests/port/test_fixtures.py", "tests/port/test_faults.py", "tests/rules"]
ORACLE += ["tests/program"]
SECONDS = 120
"""Of CPU time, after which a mutant counts as hanging: the tests take less than ten."""

SWAPPED: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
}


@dataclass(frozen=True, slots=True)
class Mutant:
    """One fault: the file, the number of the node in the order of `ast.walk`, and which of the
    replacements of that node."""

    path: Path
    node: int
    choice: int
    line: int
    what: str


Replacement = tuple[str, ast.AST]


def replacements(node: ast.AST) -> Iterator[Replacement]:
    """What a node may be replaced by, each with words for it."""
    match node:
        case ast.Compare(ops=[op]) if type(op) in SWAPPED:
            other = SWAPPED[type(op)]()
            yield "comparison turned", ast.Compare(node.left, [other], node.comparators)
        case ast.BoolOp(op, values):
            other_op = ast.Or() if isinstance(op, ast.And) else ast.And()
            yield "and/or exchanged", ast.BoolOp(other_op, values)
            for index in range(len(values)):
                rest = values[:index] + values[index + 1 :]
                kept = rest[0] if len(rest) == 1 else ast.BoolOp(op, rest)
                yield f"operand {index + 1} left out", kept
        case ast.UnaryOp(ast.Not(), operand):
            yield "not left out", operand
        case ast.If() | ast.IfExp() | ast.While():
            yield "never", _with(node, test=ast.Constant(False))
            if not isinstance(node, ast.While):
                yield "always", _with(node, test=ast.Constant(True))
        case ast.comprehension(ifs=[_, *_]):
            yield "filter left out", _with(node, ifs=[])
        case ast.Constant(bool(value)):
            yield "constant turned", ast.Constant(not value)
        case ast.Constant(int(number)):
            yield "number plus one", ast.Constant(number + 1)
        case ast.Expr(ast.Call()) | ast.AugAssign():
            yield "statement left out", ast.Pass()
        case ast.Return(ast.expr() as result) if not _is_none(result):
            yield "nothing returned", ast.Return(ast.Constant(None))
        case ast.Continue():
            yield "break for continue", ast.Break()
        case ast.Name("any"):
            yield "all for any", ast.Name("all", ast.Load())
        case ast.Name("all"):
            yield "any for all", ast.Name("any", ast.Load())
        case _:
            return


def _with(node: ast.AST, **fields: Any) -> ast.AST:
    other = copy.copy(node)
    for name, value in fields.items():
        setattr(other, name, value)
    return other


def _is_none(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value is None


def mutants(path: Path) -> Iterator[Mutant]:
    """Every mutant of a file; none in annotations, which do nothing, nor in assertions."""
    tree = ast.parse(path.read_bytes())
    passed_over = {id(inner) for node in _inert(tree) for inner in ast.walk(node)}
    for number, node in enumerate(ast.walk(tree)):
        if id(node) in passed_over:
            continue
        for choice, (what, _) in enumerate(replacements(node)):
            line = getattr(node, "lineno", getattr(getattr(node, "target", None), "lineno", 0))
            yield Mutant(path, number, choice, line, what)


def _inert(tree: ast.Module) -> Iterator[ast.AST]:
    for node in ast.walk(tree):
        match node:
            case ast.Assert() | ast.If(ast.Name("TYPE_CHECKING")):
                yield node
            case (
                ast.AnnAssign(annotation=annotation) | ast.arg(annotation=ast.expr() as annotation)
            ):
                yield annotation
            case ast.FunctionDef() | ast.AsyncFunctionDef():
                yield from filter(None, (node.returns, *node.decorator_list))
            case _:
                pass


def mutated(mutant: Mutant) -> CodeType:
    """The code of a file with the fault in it."""
    tree = ast.parse(mutant.path.read_bytes())
    target = next(node for number, node in enumerate(ast.walk(tree)) if number == mutant.node)
    new = list(replacements(target))[mutant.choice][1]
    for parent in ast.walk(tree):
        for name, value in ast.iter_fields(parent):
            if value is target:
                setattr(parent, name, new)
            elif isinstance(value, list):
                setattr(parent, name, [new if item is target else item for item in value])
    if hasattr(target, "lineno"):
        ast.copy_location(new, target)
    return compile(ast.fix_missing_locations(tree), str(mutant.path), "exec")


def run_oracle(mutant: Mutant | None) -> int:
    """The exit code of the tests, 0 when all pass. Run it in a process of its own."""
    import pytest

    if mutant is not None:
        original = importlib.machinery.SourceFileLoader.get_code

        def get_code(loader: importlib.machinery.SourceFileLoader, name: str) -> CodeType | None:
            if loader.path == str(mutant.path):
                return mutated(mutant)
            return original(loader, name)

        importlib.machinery.SourceFileLoader.get_code = get_code  # type: ignore[method-assign]
    options = ["-x", "-q", "-p", "no:cacheprovider", "-p", "no:xdist", "--tb=no", "--no-header"]
    options += ["-W", "ignore::pytest.PytestAssertRewriteWarning"]  # imported before the fork
    return int(pytest.main([*options, "--without-sdks", *ORACLE]))


def fate(mutant: Mutant | None) -> str:
    """`killed`, `hangs` or `survived`."""
    child = os.fork()
    if child == 0:
        resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS + 5))
        resource.setrlimit(resource.RLIMIT_AS, (4 << 30, 4 << 30))
        nowhere = os.open(os.devnull, os.O_RDWR)
        for stream in (0, 1, 2):
            os.dup2(nowhere, stream)
        code = 99
        try:
            code = run_oracle(mutant)
        finally:
            os._exit(code)
    status = os.waitpid(child, 0)[1]
    if os.WIFSIGNALED(status):
        return "hangs" if os.WTERMSIG(status) in (signal.SIGXCPU, signal.SIGKILL) else "killed"
    return "survived" if os.WEXITSTATUS(status) == 0 else "killed"


def main(arguments: Sequence[str] | None = None) -> int:
    """Put in a sample of faults and print those that no test notices."""
    parser = argparse.ArgumentParser(description="mutation testing of rules and flow")
    parser.add_argument("modules", nargs="*", type=Path)
    parser.add_argument("--sample", type=int, default=400, help="0 is all of them")
    parser.add_argument("--minutes", type=float, default=1e9, help="put in no more after that")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--json", type=Path)
    options = parser.parse_args(arguments)
    os.chdir(ROOT)
    sys.path.insert(0, str(ROOT))
    import hypothesis
    import msgspec
    import packaging.requirements
    import pytest  # noqa: F401 - all of these once, before the forks

    assert hypothesis
    assert msgspec
    assert packaging
    if fate(None) != "survived":
        parser.exit(2, "the tests fail as it is; mutants would say nothing\n")
    found = [one for path in options.modules or DEFAULT for one in mutants(path.resolve())]
    chosen = found
    if options.sample and options.sample < len(found):
        chosen = random.Random(options.seed).sample(found, options.sample)
    print(f"{len(chosen)} of {len(found)} mutants", flush=True)
    fates: dict[Mutant, str] = {}
    started = time.monotonic()
    for mutant in chosen:
        if time.monotonic() - started > options.minutes * 60:
            break
        fates[mutant] = fate(mutant)
        if fates[mutant] == "survived":
            where = f"{mutant.path.relative_to(ROOT)}:{mutant.line}"
            print(f"survived {where}: {mutant.what}", flush=True)
    killed = sum(one != "survived" for one in fates.values())
    minutes = (time.monotonic() - started) / 60
    print(f"{killed} of {len(fates)} noticed ({killed / len(fates):.1%}), in {minutes:.0f} minutes")
    if options.json:
        rows = [
            {"path": str(one.path.relative_to(ROOT)), "line": one.line, "what": one.what, "is": is_}
            for one, is_ in fates.items()
        ]
        options.json.write_text(json.dumps(rows, indent=1) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
