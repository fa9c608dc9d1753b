"""The command line run in-process, over an engine that does what a test says."""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType

import pytest

from chatport.cli.app import run
from chatport.port.findings import FilePlan, Finding, Kind, Place, Plan, Status, Verdict

LEGACY = "import google.generativeai\n"


@dataclass(frozen=True)
class Result:
    """How a command ended and what it printed."""

    code: int
    out: str
    err: str


Command = Callable[..., Result]
Engine = Callable[[Plan], list[dict[str, object]]]


@pytest.fixture
def chatport(capfd: pytest.CaptureFixture[str]) -> Command:
    """Runs `chatport` with the words given."""

    def command(*words: str) -> Result:
        try:
            code = run(words)
        except SystemExit as stop:  # argparse ends the program itself
            code = int(stop.code or 0)
        out, err = capfd.readouterr()
        return Result(code, out, err)

    return command


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with one legacy file, which is the working directory."""
    root = tmp_path / "project"
    root.mkdir()
    (root / "a.py").write_text(LEGACY)
    monkeypatch.chdir(root)
    return root


@pytest.fixture
def engine(monkeypatch: pytest.MonkeyPatch) -> Engine:
    """Puts a plan in the place of the engine's; returns the list of the calls made."""

    def answer(plan: Plan) -> list[dict[str, object]]:
        calls: list[dict[str, object]] = []

        def planned(paths: list[str], **options: object) -> Plan:
            calls.append({"paths": paths, **options})
            return plan

        module = ModuleType("chatport.port.planner")
        module.__dict__["plan"] = planned
        monkeypatch.setitem(sys.modules, module.__name__, module)
        return calls

    return answer


def ported(root: Path, name: str = "a.py") -> FilePlan:
    """A file that would be rewritten."""
    finding = Finding(
        name, Place(1, 1, 1, 8), "legacy", Kind.IMPORT, Verdict.AUTO, rule="rename_import"
    )
    return FilePlan(name, Status.PORTED, (finding,), (root / name).read_bytes(), b"import modern\n")


def refused(name: str = "b.py", code: str = "tools_not_known") -> FilePlan:
    """A file that is held back."""
    finding = Finding(
        name,
        Place(2, 1, 2, 8),
        "Model",
        Kind.CALL,
        Verdict.REVIEW,
        code,
        "The tools are not known here.",
        rule="model_calls",
    )
    return FilePlan(name, Status.REFUSED, (finding,), LEGACY.encode())
