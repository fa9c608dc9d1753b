"""What must hold for any file: nothing is touched that is no legacy code, nothing crashes, what
was ported stays as it is, and neither the order of files nor names nor comments decide."""

from __future__ import annotations

import ast
import random
import sysconfig
from functools import cache
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from chatport.port.findings import FilePlan, Status
from chatport.port.packs.load import bundled, names
from chatport.port.planner import Tree, plan_files
from tests.support.cases import Case, load_cases

CASES = load_cases()
BY_NAME = {case.name: case for case in CASES}
PORTED = [case for case in CASES if case.ported]
QUICK = settings(
    derandomize=True,
    deadline=None,
    database=None,
    suppress_health_check=[HealthCheck.too_slow],
)
SAMPLED = 150

Files = dict[str, bytes]


def planned(files: Files, order: list[str] | None = None) -> dict[str, FilePlan]:
    """The plans of a tree of Python files, read in the given order."""
    python = {path: data for path, data in files.items() if path.endswith(".py")}
    tree = Tree(Path("no-such-folder"), list(files), files.get)
    candidates = [(path, python[path]) for path in order or list(python)]
    plans, _ = plan_files(tree, candidates, [bundled(name) for name in names()])
    return {plan.path: plan for plan in plans}


def as_found(case: Case) -> dict[str, FilePlan]:
    """The plans of a case as it stands, made once: most properties compare others to them."""
    return _as_found(case.name)


@cache
def _as_found(name: str) -> dict[str, FilePlan]:
    return planned(dict(BY_NAME[name].before))


def written(files: Files, plans: dict[str, FilePlan]) -> Files:
    """The tree after what is planned for it has been written."""
    after = {path: plan.after for path, plan in plans.items()}
    return files | {path: data for path, data in after.items() if data is not None}


@cache
def library() -> list[Path]:
    """Files of the standard library and of what is installed, in an order of chance."""
    folders = {sysconfig.get_path("stdlib"), sysconfig.get_path("purelib")}
    files = sorted({path for folder in folders for path in Path(folder).rglob("*.py")})
    random.Random(7).shuffle(files)
    return [path for path in files if path.stat().st_size < 60_000]


@pytest.mark.parametrize("path", library()[:SAMPLED], ids=lambda path: path.name)
def test_a_file_without_legacy_code_is_left_alone(path: Path) -> None:
    data = path.read_bytes()
    if b"google.generativeai" not in data:
        assert planned({"module.py": data}) == {}


@pytest.mark.parametrize("case", PORTED, ids=lambda case: case.name)
def test_what_was_ported_stays_as_it_is(case: Case) -> None:
    again = planned(written(dict(case.before), as_found(case)))
    for path, plan in as_found(case).items():
        if plan.status is Status.PORTED:
            assert path not in again or again[path].findings == ()


@QUICK
@given(case=st.sampled_from(CASES), data=st.data())
def test_a_damaged_program_never_breaks_the_planner(case: Case, data: st.DataObject) -> None:
    path = data.draw(st.sampled_from([p for p in case.before if p.endswith(".py")]))
    lines = case.before[path].splitlines(keepends=True)
    for _ in range(data.draw(st.integers(1, 3))):
        position = data.draw(st.integers(0, max(len(lines) - 1, 0)))
        match data.draw(st.sampled_from(["drop", "repeat", "swap", "cut", "insert"])):
            case "drop":
                del lines[position : position + 1]
            case "repeat":
                lines[position:position] = lines[position : position + 1]
            case "swap" if lines:
                other = data.draw(st.integers(0, len(lines) - 1))
                lines[position], lines[other] = lines[other], lines[position]
            case "cut" if lines:
                lines[position] = lines[position][: data.draw(st.integers(0, 40))] + b"\n"
            case _:
                word = data.draw(st.sampled_from([b"del model\n", b"pass\n", b"global client\n"]))
                lines.insert(position, word)
    files = dict(case.before) | {path: b"".join(lines)}
    after = written(files, planned(files))
    if _parses(b"".join(lines)):
        assert _parses(after[path])


@QUICK
@given(case=st.sampled_from([c for c in CASES if len(c.before) > 1]), data=st.data())
def test_the_order_of_files_decides_nothing(case: Case, data: st.DataObject) -> None:
    files = dict(case.before)
    paths = [path for path in files if path.endswith(".py")]
    order = data.draw(st.permutations(paths))
    assert planned(files, order) == planned(files, sorted(paths))


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_planning_again_says_the_same(case: Case) -> None:
    assert planned(dict(case.before)) == as_found(case)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_comments_decide_nothing(case: Case) -> None:
    if any(plan.encoding not in {"utf-8", "utf-8-sig"} for plan in as_found(case).values()):
        return
    commented = {
        path: data.rstrip(b"\r\n") + b"\n\n\n# the end\n" if path.endswith(".py") else data
        for path, data in case.before.items()
    }
    assert _verdicts(planned(commented)) == _verdicts(as_found(case))


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_names_of_local_variables_decide_nothing(case: Case) -> None:
    renamed = {
        path: _rename_locals(data) if path.endswith(".py") else data
        for path, data in case.before.items()
    }
    assert _verdicts(planned(renamed)) == _verdicts(as_found(case))


def _verdicts(plans: dict[str, FilePlan]) -> list[tuple[str, int, str, str, str | None]]:
    return [
        (path, finding.place.line, finding.symbol, finding.verdict, finding.code)
        for path, plan in sorted(plans.items())
        for finding in plan.findings
    ]


def _parses(data: bytes) -> bool:
    try:
        ast.parse(data)
    except (SyntaxError, ValueError):
        return False
    return True


def _rename_locals(data: bytes) -> bytes:
    """Each function's plain local variables get other names, of the same length."""
    if data.startswith(b"\xef\xbb\xbf"):
        return data  # positions would not be those of the text
    try:
        source = data.decode("utf-8")
    except UnicodeDecodeError:
        return data
    tree = ast.parse(source)
    edits: list[tuple[int, int, int, str]] = []
    for function in ast.walk(tree):
        if isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef):
            edits += _renamings(function)
    lines = [line.encode() for line in source.splitlines(keepends=True)]
    for line, start, end, name in sorted(set(edits), reverse=True):
        text = lines[line - 1]
        lines[line - 1] = text[:start] + name.encode() + text[end:]
    return b"".join(lines)


def _renamings(
    function: ast.FunctionDef | ast.AsyncFunctionDef,
) -> list[tuple[int, int, int, str]]:
    nodes = list(ast.walk(function))
    nested = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef, ast.JoinedStr)
    others = (ast.Global, ast.Nonlocal, ast.ExceptHandler, ast.MatchAs, ast.ListComp)
    if any(isinstance(node, nested + others) for node in nodes if node is not function):
        return []
    used = [node for node in nodes if isinstance(node, ast.Name)]
    local = {node.id for node in used if isinstance(node.ctx, ast.Store)}
    local -= {arg.arg for arg in ast.walk(function.args) if isinstance(arg, ast.arg)}
    return [
        (node.lineno, node.col_offset, node.col_offset + len(node.id.encode()), _other(node.id))
        for node in used
        if node.id in local and node.id.isascii()
    ]


def _other(name: str) -> str:
    return "z" + name[1:] if not name.startswith("z") else "y" + name[1:]
