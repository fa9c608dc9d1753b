"""What the port costs: ratios to the least that could be done, and how cost grows.

    python benchmarks/port.py [--rounds N] [--most FILES] [--obelize [PYTHON]] [--plot FILE]

Makes git repositories in a temporary folder, runs every row in turn for some rounds, and prints the
least CPU time (user and system, child processes included) and the largest peak of memory of each.
Ratios compare rows of one run; times of two machines do not compare. The exit code is 1 when a gate
does not hold. `--most` bounds the largest tree of legacy files; `--obelize` installs a peer into an
environment of its own, made by a Python 3.12, and runs it on the same tree; `--plot` draws how cost
grows. The command is started as pip 25.1 and uv write it: older ones import `re` first, which takes
half as long as Python itself.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

from growth_plot import Series, draw
from port_trees import clean_text, mixed_files, tree, uses

READ = """
import os, sys
for folder, _, names in os.walk(sys.argv[1]):
    for name in names:
        if name.endswith(".py"):
            descriptor = os.open(f"{folder}/{name}", os.O_RDONLY)
            os.read(descriptor, os.fstat(descriptor).st_size)
            os.close(descriptor)
"""
PARSE = """
import ast, os, sys, time
texts = []
for folder, _, names in os.walk(sys.argv[1]):
    for name in names:
        if name.endswith(".py"):
            with open(f"{folder}/{name}") as file:
                text = file.read()
            if "generativeai" in text:
                texts.append(text)
start = time.process_time()
for text in texts:
    ast.parse(text)
print(time.process_time() - start)
"""


@dataclass(slots=True)
class Row:
    """A process that is measured. `cpu` in seconds, `memory` in bytes: its peak."""

    name: str
    words: Sequence[str]
    units: int = 0
    """How many things it does, where that is what counts."""
    cpu: float = float("inf")
    memory: int = 0
    printed: str = ""

    def measure(self) -> None:
        with tempfile.TemporaryFile() as out:
            process = subprocess.Popen(self.words, stdout=out, stderr=subprocess.DEVNULL, cwd="/")
            _, status, usage = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(status)
            out.seek(0)
            self.printed = out.read().decode(errors="replace")
        # 2 is "could not run" of chatport and of its peer; findings are 1, or 4.
        if process.returncode == 2:
            raise SystemExit(f"{self.name}: {' '.join(self.words)} could not run")
        self.cpu = min(self.cpu, usage.ru_utime + usage.ru_stime)
        self.memory = max(self.memory, usage.ru_maxrss * 1024)


@dataclass(frozen=True, slots=True)
class Gate:
    """A promise: what is measured must be at most `most`."""

    name: str
    value: Callable[[], float]
    most: float


SCRIPT = """#!{python}
import sys
from chatport.cli import main
if __name__ == '__main__':
    sys.argv[0] = sys.argv[0].removesuffix('.exe')
    sys.exit(main())
"""
PEER = "obelize==0.8.0"


def main() -> int:
    """Measure and print; returns the exit code."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--most", type=int, default=10_000, metavar="FILES")
    parser.add_argument(
        "--obelize", nargs="?", const="python3.12", metavar="PYTHON", help="measure a peer, too"
    )
    parser.add_argument("--plot", type=Path, metavar="FILE", help="draw how cost grows as SVG")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="chatport-benchmark-") as name:
        folder = Path(name)
        # An installed package is compiled; a working copy may not be.
        os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
        os.environ["PYTHONPYCACHEPREFIX"] = str(folder / "bytecode")
        peer = install_peer(folder / "peer", options.obelize) if options.obelize else None
        return run(folder, options, peer)


def install_peer(folder: Path, python: str) -> str:
    """The peer's command, in an environment of its own."""
    subprocess.run([python, "-m", "venv", str(folder)], check=True)
    pip = [str(folder / "bin" / "pip"), "install", "--quiet", "--disable-pip-version-check"]
    subprocess.run([*pip, PEER], check=True, stderr=subprocess.DEVNULL)
    return str(folder / "bin" / "obelize")


def run(folder: Path, options: argparse.Namespace, peer: str | None) -> int:
    """Make the trees, measure all rows, print them and the gates."""
    python = sys.executable
    script = folder / "chatport"
    script.write_text(SCRIPT.format(python=python))
    script.chmod(0o755)
    chatport = str(script)
    clean = tree(folder / "clean", ((f"clean_{n}.py", clean_text(n)) for n in range(3000)))
    mixed = tree(folder / "mixed", mixed_files(2000, 40))
    sizes = [n for n in (10, 100, 1000, 10_000) if n <= options.most]
    passes = Row("python -c pass", [python, "-c", "pass"])
    version = Row("chatport --version", [chatport, "--version"])
    read_clean = Row("walk and read, 3,000 clean files", [python, "-c", READ, str(clean)])
    check_clean = Row("check, 3,000 clean files", [chatport, "check", str(clean)])
    read_mixed = Row("walk and read, 2,000 files", [python, "-c", READ, str(mixed)])
    parse = Row("the same, and parse 40 legacy files", [python, "-c", PARSE, str(mixed)])
    check = Row("check, 2,000 files, 40 legacy", [chatport, "check", str(mixed)])
    fix = Row("fix, the same", [chatport, "fix", str(mixed)])
    files = [
        Row(
            f"check, {n:,} legacy files",
            [chatport, "check", str(tree(folder / f"many_{n}", mixed_files(n, n)))],
            n,
        )
        for n in sizes
    ]
    functions = [
        Row(
            f"check, one file of {n:,} functions",
            [chatport, "check", str(tree(folder / f"long_{n}", [("app.py", uses(n))]))],
            n,
        )
        for n in (10, 100, 1000, 5000)
    ]
    first = [passes, version, read_clean, check_clean, read_mixed, parse, check, fix]
    other = Row("obelize scan, the 2,000 files", [peer or "", "scan", "--repo", str(mixed)])
    parsed = float("inf")
    for _ in range(options.rounds):
        for row in first:
            row.measure()
        parsed = min(parsed, float(parse.printed))
    for row in functions:
        for _ in range(max(1, options.rounds // 2)):
            row.measure()
    for row in files:  # the largest takes minutes, and its noise is small
        for _ in range(max(1, options.rounds // 2) if row.units < 1000 else 1):
            row.measure()
    rows = [*first, *files, *functions]
    gates = [
        Gate("--version : pass", lambda: version.cpu / passes.cpu, 1.5),
        Gate("check clean : walk and read", lambda: check_clean.cpu / read_clean.cpu, 1.5),
        Gate(
            "check mixed : walk and read + 3 parses",
            lambda: check.cpu / (read_mixed.cpu + 3 * parsed),
            1.0,
        ),
        Gate("fix : check, mixed", lambda: fix.cpu / check.cpu, 1.5),
        *(
            Gate(f"per {what}, {row.units:,} : {before.units:,}", growth(rows_of, number), 1.3)
            for what, rows_of in (("file", files), ("function", functions))
            for number, (before, row) in enumerate(pairwise(rows_of), 1)
            if number > 1
        ),
        Gate("5,000 call sites, seconds", lambda: functions[-1].cpu, 2.0),
        Gate(f"{files[-1].units:,} legacy files, peak MB", lambda: files[-1].memory / 1e6, 150.0),
    ]
    if peer is not None:
        other.measure()
        rows.append(other)
        gates.append(Gate("check : obelize scan", lambda: check.cpu / other.cpu, 1 / 50))
    if options.plot is not None:
        options.plot.write_text(draw([series("files", files), series("functions", functions)]))
    return show(rows, gates, parsed)


def series(name: str, rows: Sequence[Row]) -> Series:
    """What a plot shows of rows that grow."""
    return Series(name, [(row.units, row.cpu, row.memory / 1e6) for row in rows])


def growth(rows: Sequence[Row], number: int) -> Callable[[], float]:
    """What one more thing costs in a row, compared to the row before it."""
    return lambda: per_unit(rows, number) / per_unit(rows, number - 1)


def per_unit(rows: Sequence[Row], number: int) -> float:
    """The cost of one more thing, between a row and the one before it."""
    row, smaller = rows[number], rows[number - 1]
    return (row.cpu - smaller.cpu) / (row.units - smaller.units)


def show(rows: Sequence[Row], gates: Sequence[Gate], parsed: float) -> int:
    """Print what was measured; 1 when a gate does not hold."""
    print(f"{'':40}{'CPU ms':>10}{'peak MB':>9}{'ms each':>9}")
    for row in rows:
        each = f"{row.cpu * 1000 / row.units:9.2f}" if row.units else ""
        print(f"{row.name:40}{row.cpu * 1000:10.1f}{row.memory / 1e6:9.0f}{each}")
    print(f"\nast.parse of the 40 legacy files once: {parsed * 1000:.1f} ms\n")
    missed = 0
    print(f"{'':40}{'is':>10}{'at most':>9}")
    for gate in gates:
        value = gate.value()
        missed += value > gate.most
        said = "met" if value <= gate.most else f"missed by {value / gate.most - 1:.0%}"
        print(f"{gate.name:40}{value:10.3f}{gate.most:9.3f}  {said}")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
