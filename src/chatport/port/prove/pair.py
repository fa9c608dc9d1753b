"""Proves one pair of programs: the untouched one on the legacy SDK, the ported one on a new one."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

from chatport.port.prove.calls import Call, decode
from chatport.port.prove.compare import Comparison, Difference, Expectation, Verdict, compare
from chatport.port.prove.running import Limits, Program, Run, Worker
from chatport.testing.gemini_server import Answer, Script

SCRIPT_NAME = "app.py"


@dataclass(frozen=True, slots=True)
class PairResult:
    """What two programs did, and the verdict on them."""

    before: Run
    after: Run
    comparison: Comparison

    @property
    def same(self) -> bool:
        """Whether both asked, printed, returned and ended the same, with at least one request."""
        return self.comparison.verdict is Verdict.SAME

    @property
    def differences(self) -> tuple[Difference, ...]:
        """In what they differ."""
        return self.comparison.differences

    @property
    def exchanges_before(self) -> list[Call]:
        """The calls of the untouched program."""
        return decode(self.before.exchanges)

    @property
    def exchanges_after(self) -> list[Call]:
        """The calls of the ported program."""
        return decode(self.after.exchanges)

    @property
    def printed(self) -> tuple[str, str]:
        """What each printed."""
        return self.before.stdout, self.after.stdout

    def explain(self) -> str:
        """Why they are not the same, for a failing test to show."""
        parts = [self.comparison.why] if self.comparison.why else []
        parts += [f"{one.what}:\n{one.unified()}" for one in self.differences]
        for side, run in (("legacy", self.before), ("new", self.after)):
            if run.stderr and not self.same:
                parts.append(f"stderr of the {side} program:\n{run.stderr[-1500:]}")
        return "\n".join(parts)


def prove_pair(
    before: str | Path,
    after: str | Path,
    envs: tuple[Worker, Worker],
    *,
    entry: str = SCRIPT_NAME,
    script: Script = (),
    limits: Limits | None = None,
    expect: Expectation | None = None,
    eager: bool = False,
) -> PairResult:
    """Run two programs against servers of their own that answer alike, and compare.

    `before` and `after` are the text of a script, a file, or a folder whose script is `entry`.
    `envs` are the workers of the legacy and of the new environment. `script` holds canned answers,
    given to both; `eager` makes the model call declared functions without being asked.
    """
    with ExitStack() as stack:
        scratch = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="chatport-pair-")))
        programs = [
            _program(source, scratch / side / "tree", entry)
            for side, source in (("before", before), ("after", after))
        ]
        runs = run_both((programs[0], programs[1]), envs, script, limits=limits, eager=eager)
        return PairResult(*runs, compare(*runs, expect))


def run_both(
    programs: tuple[Program, Program],
    workers: tuple[Worker, Worker],
    script: Iterable[Answer | Sequence[Answer]] = (),
    *,
    limits: Limits | None = None,
    eager: bool = False,
) -> tuple[Run, Run]:
    """Run the legacy and the new program at the same time: each waits for a process of its own."""
    script = list(script)
    with ThreadPoolExecutor(1) as pool:
        first = pool.submit(workers[0].run, programs[0], script, limits, eager=eager)
        second = workers[1].run(programs[1], script, limits, eager=eager)
        return first.result(), second


def _program(source: str | Path, folder: Path, entry: str) -> Program:
    if isinstance(source, Path) and source.is_dir():
        shutil.copytree(source, folder)
        return Program(folder, path=entry)
    folder.mkdir(parents=True)
    text = source.read_bytes() if isinstance(source, Path) else source.encode()
    (folder / entry).write_bytes(text)
    return Program(folder, path=entry, traced=(entry,))
