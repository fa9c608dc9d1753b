"""Runs one program in one environment, against a loopback server of its own.

A worker is a long-lived process in the environment (`boot/`): it has imported the SDK, and starts
each program as a fork of itself, so that two hundred small programs take seconds.
"""

from __future__ import annotations

import contextlib
import json
import os
import secrets
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from pathlib import Path
from types import TracebackType
from typing import IO, Any, Final, Self

from chatport.port.prove.environments import Environment, Side, UnusableEnvironmentError
from chatport.port.prove.trees import footprint, written_since
from chatport.testing.gemini_server import Exchange, Script, gemini_server

BOOT: Final = Path(__file__).parent / "boot"
PRELOADED: Final[Mapping[Side, tuple[str, ...]]] = {
    Side.LEGACY: ("google.generativeai",),
    Side.NEW: ("google.genai",),
}
KEYS: Final[Mapping[str, str]] = {
    "GEMINI_API_KEY": "fake-gemini-key",
    "GOOGLE_API_KEY": "fake-google-key",
}
"""Both variables are set, to different keys: which one a program uses is part of the request."""

GRACE_SECONDS: Final = 20.0
"""What a worker may take beyond the limit of a run before it is taken for broken."""

TYPED: Final = ("Hello", "Tell me more.", "exit", "quit", "q", "bye", "stop", "n")
"""What a program that asks gets typed, a line a question; then its input ends.

No line is empty: the legacy SDK refuses an empty prompt itself, and google-genai sends it to a
service that refuses it. A loop without an end would be told different for that alone.
"""


@dataclass(frozen=True, slots=True)
class Limits:
    """Bounds of one run: seconds from start to end, and bytes printed."""

    seconds: float = 60.0
    output_bytes: int = 1_000_000


@dataclass(frozen=True, slots=True)
class Program:
    """What to run in a tree, exactly one of `path`, `function` and `command`.

    `path` is a script, `function` is `package.module:name` for a call without arguments, `command`
    any command line. `folder` is the tree, a copy that the program may write to. `traced` are the
    files, relative to it, whose executed lines are wanted; `import_from` is where its modules are.
    """

    folder: Path
    path: str | None = None
    function: str | None = None
    command: tuple[str, ...] | None = None
    arguments: tuple[str, ...] = ()
    typed: tuple[str, ...] = TYPED
    traced: tuple[str, ...] = ()
    import_from: str | None = None
    variables: Mapping[str, str] = field(default_factory=dict)


class How(StrEnum):
    """How a program ended."""

    RETURNED = "returned"
    RAISED = "raised"
    EXITED = "exited"
    DIED = "died"
    TIMED_OUT = "timed out"
    FLOODED = "printed too much"


@dataclass(frozen=True, slots=True)
class Failure:
    """The exception that ended a program. `classes` are its bases too, the most special first.

    `api_code` is the HTTP code when it is an API error, `line` the program's innermost line.
    """

    type: str
    classes: tuple[str, ...]
    message: str
    api_code: int | None
    line: str


@dataclass(frozen=True, slots=True)
class Run:
    """What a program did: what it asked, printed, returned, and how it ended.

    `lines` maps each traced file to the lines that were executed, `written` each file that was made
    or changed in the tree to a digest of its content. `refused` says what it tried that
    is not allowed. `left` counts processes it left behind, which were ended.
    """

    environment: Environment
    how: How
    code: int
    exchanges: tuple[Exchange, ...] = ()
    stdout: str = ""
    stderr: str = ""
    returned: Any = None
    failure: Failure | None = None
    lines: Mapping[str, frozenset[int]] = field(default_factory=dict)
    written: Mapping[str, str] = field(default_factory=dict)
    refused: tuple[str, ...] = ()
    left: int = 0
    seconds: float = 0.0


class Worker:
    """Runs programs in one environment, one at a time. Use it as a context manager, or close it."""

    def __init__(self, environment: Environment) -> None:
        """Nothing is started until the first run."""
        self.environment = environment
        self._process: subprocess.Popen[str] | None = None
        self._lock = threading.Lock()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """End the worker's process."""
        with self._lock:
            self._stop()

    def run(
        self,
        program: Program,
        script: Script = (),
        limits: Limits | None = None,
        *,
        eager: bool = False,
    ) -> Run:
        """Run one program to its end, or to the limits. `script` and `eager`: see `gemini_server`.

        Raises:
            UnusableEnvironmentError: the environment's interpreter does not start or lacks the SDK.
        """
        limits = limits or Limits()
        with (
            self._lock,
            tempfile.TemporaryDirectory(prefix="chatport-run-") as scratch,
            # Ports are used again. A straggler of another run must not be taken for this program.
            gemini_server(script, eager=eager, prefix=f"/{secrets.token_hex(8)}") as server,
        ):
            files = _Files(Path(scratch).resolve(), program)
            found = footprint(program.folder)
            job = _job(self.environment, program, limits, files, server.url)
            result = self._ask(job, limits.seconds + GRACE_SECONDS)
            run = _run(self.environment, program, files, result, server.exchanges, limits)
            return replace(run, written=written_since(program.folder, found))

    def _ask(self, job: Mapping[str, Any], patience: float) -> Mapping[str, Any]:
        process = self._started()
        # The worker keeps the limits. Should a program get at the worker itself, this ends both.
        last_resort = threading.Timer(patience, process.kill)
        last_resort.start()
        assert process.stdin is not None
        assert process.stdout is not None
        try:
            process.stdin.write(json.dumps(job) + "\n")
            process.stdin.flush()
            line = process.stdout.readline()
        except OSError:
            line = ""
        finally:
            last_resort.cancel()
        if not line:
            self._stop()
            return {"code": -9, "stopped": None, "left": 0, "seconds": 0.0}
        result: Mapping[str, Any] = json.loads(line)
        return result

    def _started(self) -> subprocess.Popen[str]:
        if self._process is not None and self._process.poll() is None:
            return self._process
        self._stop()
        command = [str(self.environment.python), "-m", "chatport_prove_boot.supervisor"]
        self._process = subprocess.Popen(
            [*command, *PRELOADED[self.environment.side]],
            env=_variables(self.environment, os.devnull),
            cwd=BOOT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            start_new_session=True,
        )
        assert self._process.stdout is not None
        said = self._process.stdout.readline()
        missing = json.loads(said)["missing"] if said else ["it does not start"]
        if missing:
            self._stop()
            raise UnusableEnvironmentError(f"{self.environment.name}: {'; '.join(missing)}")
        return self._process

    def _stop(self) -> None:
        process, self._process = self._process, None
        if process is None:
            return
        for stream in (process.stdin, process.stdout):
            with contextlib.suppress(OSError):
                _close(stream)
        # Its stdin has ended, so it ends by itself unless it is broken.
        try:
            process.wait(timeout=5)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def _close(stream: IO[str] | None) -> None:
    if stream is not None:
        stream.close()


class _Files:
    """Where a run keeps its streams and records: all in one scratch folder, none in the tree."""

    def __init__(self, scratch: Path, program: Program) -> None:
        self.scratch = scratch
        # The program may write here: its home and temporary files.
        self.home = scratch / "home"
        self.home.mkdir()
        (self.home / "tmp").mkdir()
        self.stdin, self.stdout, self.stderr = (
            scratch / name for name in ("stdin", "stdout", "stderr")
        )
        self.outcome, self.notes, self.lines, self.started = (
            scratch / name for name in ("outcome", "notes", "lines", "started")
        )
        self.stdin.write_text("".join(f"{line}\n" for line in program.typed), encoding="utf-8")
        for created in (self.stdout, self.stderr):
            created.touch()


def _variables(environment: Environment, home: str) -> dict[str, str]:
    """The whole environment of a run: nothing of ours is in it but the path to plain tools."""
    return {
        "PATH": os.pathsep.join([str(environment.python.parent), "/usr/bin", "/bin"]),
        "HOME": home,
        "TMPDIR": f"{home}/tmp" if home != os.devnull else tempfile.gettempdir(),
        "LANG": "C.UTF-8",
        "TZ": "UTC",
        "NO_PROXY": "*",
        "PYTHONPATH": str(BOOT),
        "PYTHONHASHSEED": "0",
        "PYTHONDONTWRITEBYTECODE": "1",
        "PYTHONUNBUFFERED": "1",
        "GRPC_VERBOSITY": "NONE",
        **KEYS,
    }


def _job(
    environment: Environment, program: Program, limits: Limits, files: _Files, server: str
) -> dict[str, Any]:
    folder = program.folder.resolve()
    module, _, function = (program.function or "").partition(":")
    script = folder / program.path if program.path is not None else None
    beside = script.parent if script is not None else folder / (program.import_from or "")
    settings = {
        "fallback": list(environment.fallback),
        "server": server,
        "root": str(folder),
        "writable": [str(folder), str(files.home)],
        "notes": str(files.notes),
        "started": str(files.started),
        "lines": str(files.lines),
        "traced": [str(folder / name) for name in program.traced],
    }
    return {
        "folder": str(folder),
        "path": str(script) if script is not None else None,
        "module": module,
        "function": function or None,
        "command": list(program.command) if program.command is not None else None,
        "arguments": [program.path or module, *program.arguments],
        "import_from": str(beside),
        "environment": {
            **program.variables,
            **_variables(environment, str(files.home)),
            "GOOGLE_GEMINI_BASE_URL": server,
            "CHATPORT_PROVE": json.dumps(settings),
        },
        "settings": settings,
        "stdin": str(files.stdin),
        "stdout": str(files.stdout),
        "stderr": str(files.stderr),
        "outcome": str(files.outcome),
        "seconds": limits.seconds,
        "output_bytes": limits.output_bytes,
    }


def _run(
    environment: Environment,
    program: Program,
    files: _Files,
    result: Mapping[str, Any],
    exchanges: tuple[Exchange, ...],
    limits: Limits,
) -> Run:
    outcome = _read_json(files.outcome)
    how = _how(program, result, outcome)
    tell = _teller(program, files, limits)
    error = outcome.get("error")
    return Run(
        environment=environment,
        how=how,
        code=result["code"],
        exchanges=exchanges,
        stdout=tell(files.stdout),
        stderr=tell(files.stderr),
        returned=outcome.get("returned"),
        failure=None if error is None else Failure(**{**error, "classes": tuple(error["classes"])}),
        lines=_executed(files.lines, program.traced),
        refused=tuple(dict.fromkeys(tell(files.notes).splitlines())),
        left=result["left"],
        seconds=result["seconds"],
    )


def _how(program: Program, result: Mapping[str, Any], outcome: Mapping[str, Any]) -> How:
    if result["stopped"] is not None:
        return How.TIMED_OUT if result["stopped"] == "time" else How.FLOODED
    if outcome:
        return How(outcome["how"])
    # A command leaves no record; a script without one was killed, or left by os._exit.
    return How.EXITED if program.command is not None and result["code"] >= 0 else How.DIED


def _read_json(path: Path) -> Mapping[str, Any]:
    try:
        value: Mapping[str, Any] = json.loads(path.read_bytes())
    except (OSError, ValueError):
        return {}
    return value


def _teller(program: Program, files: _Files, limits: Limits) -> Callable[[Path], str]:
    """Reads what was written, with the places that differ from run to run named alike."""
    places = {str(program.folder.resolve()): "<copy>", str(files.scratch): "<scratch>"}

    def tell(path: Path) -> str:
        try:
            with path.open("rb") as stream:
                text = stream.read(limits.output_bytes).decode("utf-8", "replace")
        except FileNotFoundError:
            return ""
        for place, name in places.items():
            text = text.replace(place, name)
        return text

    return tell


def _executed(record: Path, traced: Sequence[str]) -> dict[str, frozenset[int]]:
    found: dict[str, set[int]] = {name: set() for name in traced}
    for index, line in _pairs(record):
        found[traced[index]].add(line)
    return {name: frozenset(lines) for name, lines in found.items()}


def _pairs(record: Path) -> Iterator[tuple[int, int]]:
    if record.exists():
        for row in record.read_text().splitlines():
            index, _, line = row.partition(" ")
            yield int(index), int(line)


def supported() -> str | None:
    """Why programs cannot be run on this system; None when they can."""
    if sys.platform == "win32":
        return "chatport prove starts programs by fork, which Windows does not have"
    return None
