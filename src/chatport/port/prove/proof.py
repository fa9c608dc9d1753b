"""`chatport prove`: run a tree before and after its port, and show that both ask the same.

proof = prove(plan(["."]))
print(proof.verdict, [entry.name for entry in proof.entries])
"""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Final

from chatport.port.findings import Plan
from chatport.port.prove.compare import (
    Comparison,
    Expectation,
    Verdict,
    What,
    compare,
    compare_asked,
    without,
)
from chatport.port.prove.coverage import FileCoverage, coverage, handlers
from chatport.port.prove.entries import Entry, functions, scripts, variables
from chatport.port.prove.environments import (
    Environment,
    Side,
    UnusableEnvironmentError,
    ensure,
    given,
    packages_of,
)
from chatport.port.prove.pair import run_both
from chatport.port.prove.running import Limits, Program, Run, Worker, supported
from chatport.port.prove.trees import TooLargeError, copies, copy
from chatport.testing.gemini_server import Answer, failure

DEFAULT_TARGET: Final = "genai3"
MOST_ENTRIES: Final = 60
DRIVER: Final = "chatport_driver.py"


@dataclass(frozen=True, slots=True)
class EntryProof:
    """What a proof says about one entry point."""

    name: str
    comparison: Comparison
    seconds: float = 0.0


@dataclass(frozen=True, slots=True)
class Proof:
    """What was run, in what, and what came of it."""

    root: Path
    legacy: Environment
    new: Environment
    entries: tuple[EntryProof, ...]
    coverage: tuple[FileCoverage, ...]
    notes: tuple[str, ...] = ()

    @property
    def verdict(self) -> Verdict:
        """`different` when any entry is, else `same` when any is, else `not run`."""
        found = {entry.comparison.verdict for entry in self.entries}
        order = (Verdict.DIFFERENT, Verdict.SAME, Verdict.NOT_RUN)
        return next((verdict for verdict in order if verdict in found), Verdict.NOT_RUN)

    @property
    def rewritten(self) -> int:
        """How many lines the port rewrote."""
        return sum(len(file.rewritten) for file in self.coverage)

    @property
    def executed(self) -> int:
        """How many of them were executed."""
        return sum(file.executed for file in self.coverage)


class ProofError(Exception):
    """A proof that cannot be made; the message says why and what to do."""


@dataclass(frozen=True, slots=True)
class Settings:
    """How a proof is made; everything has a default.

    `command` or `driver` replace the entry points found. The interpreters replace the environments
    made in `folder`; `target` is the one made for the new side. `typed` is what programs that ask
    get as answers.
    """

    command: tuple[str, ...] | None = None
    driver: Path | None = None
    legacy_python: Path | None = None
    new_python: Path | None = None
    target: str = DEFAULT_TARGET
    folder: Path | None = None
    limits: Limits = field(default_factory=lambda: Limits(seconds=30.0))
    expect: Expectation = field(default_factory=Expectation)
    typed: tuple[str, ...] | None = None


def prove(
    plan: Plan,
    settings: Settings | None = None,
    progress: Callable[[int, int], None] | None = None,
    making: Callable[[str], None] | None = None,
) -> Proof:
    """Run what can be run of a tree on both SDKs and compare. Nothing in the tree is touched.

    `progress` is told how many entry points are done and known, `making` that an environment is
    installed.

    Raises:
        ProofError: nothing can be run at all (the system, an environment, the size of the tree).
    """
    settings = settings or Settings()
    if (why := supported()) is not None:
        raise ProofError(why)
    try:
        with ExitStack() as stack:
            workers = _workers(settings, stack, making)
            scratch = stack.enter_context(tempfile.TemporaryDirectory(prefix="chatport-prove-"))
            trees = copies(plan, Path(scratch).resolve())
            return _Prover(plan, settings, workers, trees).prove(progress)
    except (UnusableEnvironmentError, TooLargeError) as problem:
        raise ProofError(str(problem)) from problem


def _workers(
    settings: Settings, stack: ExitStack, making: Callable[[str], None] | None
) -> tuple[Worker, Worker]:
    chosen = (
        (Side.LEGACY, settings.legacy_python, "legacy"),
        (Side.NEW, settings.new_python, settings.target),
    )
    legacy, new = (
        given(side, python) if python is not None else ensure(name, settings.folder, making)
        for side, python, name in chosen
    )
    if settings.legacy_python is not None and settings.new_python is None:
        # What else the program needs is installed there, and mostly has nothing to do with the SDK.
        new = replace(new, fallback=packages_of(settings.legacy_python))
    return stack.enter_context(Worker(legacy)), stack.enter_context(Worker(new))


class _Prover:
    def __init__(
        self,
        plan: Plan,
        settings: Settings,
        workers: tuple[Worker, Worker],
        trees: tuple[Path, Path],
    ) -> None:
        self.plan, self.settings, self.workers, self.trees = plan, settings, workers, trees
        tree = trees[1]
        self.paths = [
            path.relative_to(tree).as_posix() for path in sorted(tree.rglob("*")) if path.is_file()
        ]
        self.changed = tuple(one.path for one in plan.changes() if one.path.endswith(".py"))
        self.variables = variables(tree, self.paths)
        self.executed: dict[str, frozenset[int]] = {}

    def prove(self, progress: Callable[[int, int], None] | None) -> Proof:
        proofs: list[EntryProof] = []
        notes: list[str] = []
        fixed = list(self._fixed())
        for done, entry in enumerate(self._entries(fixed)):
            if done == MOST_ENTRIES:
                notes.append(f"only the first {MOST_ENTRIES} entry points were run; use a driver")
                break
            if progress is not None:
                progress(done, max(done + 1, len(fixed)))
            proofs += self._prove(entry)
        if not self.changed:
            notes.append("the plan changes no Python file")
        notes += (
            f"Never executed: {one.path}, because notebooks are not run"
            for one in self.plan.changes()
            if one.path.endswith(".ipynb")
        )
        legacy, new = (worker.environment for worker in self.workers)
        measured = coverage(self.plan.changes(), self.executed)
        return Proof(self.plan.root, legacy, new, tuple(proofs), measured, tuple(notes))

    def _fixed(self) -> Iterator[Entry]:
        """The entry points that are run in any case."""
        if self.settings.command is not None:
            yield Entry(" ".join(self.settings.command), command=self.settings.command)
        elif self.settings.driver is not None:
            for tree in self.trees:
                self._add_driver(tree)
            yield Entry(self.settings.driver.name, path=DRIVER)
        elif self.changed:
            yield from scripts(self.plan, self.trees[1], self.paths)

    def _entries(self, fixed: Sequence[Entry]) -> Iterator[Entry]:
        yield from fixed
        if self.settings.command is None and self.settings.driver is None:
            yield from filter(self._adds, functions(self.plan, self.trees[1], self.paths))

    def _adds(self, entry: Entry) -> bool:
        """Whether a function holds rewritten lines that nothing has executed yet."""
        (measured,) = coverage(
            (one for one in self.plan.changes() if one.path == entry.file), self.executed
        )
        return any(line in entry.span for line in measured.never)

    def _prove(self, entry: Entry) -> Iterable[EntryProof]:
        runs = self._run(entry)
        comparison = compare(*runs, self.settings.expect)
        if comparison.verdict is Verdict.DIFFERENT:
            comparison = without(comparison, self._unsteady(entry, runs[0]))
        yield _proof(entry.name, runs, comparison)
        if any(map(_declares_functions, runs)):
            name = f"{entry.name}, with functions called"
            runs = self._run(entry, eager=True)
            yield _proof(name, runs, compare_asked(*runs, self.settings.expect))
        if runs[0].exchanges and self._handlers_left():
            name = f"{entry.name}, with the first call refused (429)"
            runs = self._run(entry, script=failure(429))
            yield _proof(name, runs, compare_asked(*runs, self.settings.expect))

    def _unsteady(self, entry: Entry, before: Run) -> set[What]:
        """In what the legacy program differs from itself when it is run again, in a fresh copy."""
        with tempfile.TemporaryDirectory(prefix="chatport-again-") as folder:
            tree = copy(self.plan, Path(folder).resolve(), ported=False)
            self._add_driver(tree)
            program = self._program(entry, tree)
            again = self.workers[0].run(program, limits=self.settings.limits)
        return {one.what for one in compare(before, again).differences}

    def _add_driver(self, tree: Path) -> None:
        if self.settings.driver is not None:
            shutil.copyfile(self.settings.driver, tree / DRIVER)

    def _handlers_left(self) -> bool:
        """Whether rewritten lines of exception handlers are among those never executed."""
        return any(
            line in handled
            for file in coverage(self.plan.changes(), self.executed)
            if file.never
            for handled in handlers((self.trees[1] / file.path).read_bytes())
            for line in file.never
        )

    def _run(
        self, entry: Entry, *, script: Sequence[Answer] = (), eager: bool = False
    ) -> tuple[Run, Run]:
        before, after = (self._program(entry, tree) for tree in self.trees)
        runs = run_both(
            (before, after), self.workers, script, limits=self.settings.limits, eager=eager
        )
        for path, lines in runs[1].lines.items():
            self.executed[path] = self.executed.get(path, frozenset()) | lines
        return runs

    def _program(self, entry: Entry, tree: Path) -> Program:
        program = Program(
            tree,
            path=entry.path,
            function=entry.function,
            command=entry.command,
            traced=self.changed,
            import_from=entry.import_from,
            variables=self.variables,
        )
        typed = self.settings.typed
        return program if typed is None else replace(program, typed=typed)


def _proof(name: str, runs: tuple[Run, Run], comparison: Comparison) -> EntryProof:
    return EntryProof(name, comparison, max(run.seconds for run in runs))


def _declares_functions(run: Run) -> bool:
    return any(
        "functionDeclarations" in tool
        for exchange in run.exchanges
        for tool in (exchange.body or {}).get("tools") or ()
    )


DRIVER_TEXT: Final = '''\
"""What `chatport prove --driver THIS_FILE` runs, once in the tree as it is and once as ported.

Call what matters, with arguments that make sense. Both runs talk to a server on this machine that
answers without a model, with a fake key, and nothing else can be reached. chatport compares the
requests, what is printed, and how the run ends. So: print what your program would show, and do not
import either SDK here, because this file is the same on both sides.

The folder of your project is the working directory and is on the import path.
"""

# from assistant import Assistant
#
# assistant = Assistant("gemini-2.5-flash")
# print(assistant.ask("What is six times seven?"))
#
# A prompt that says CALL, or names a declared function, is answered with a call of that function.
# print(assistant.ask("CALL for the weather in Oslo."))
'''
