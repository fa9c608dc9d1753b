"""What the port costs: ratios to the least that could be done, and how cost grows.

    python benchmarks/port.py [--rounds N] [--obelize PATH]

Makes git repositories in a temporary folder, runs every row in turn for some rounds, and prints the
least CPU time (user and system, child processes included) and the largest peak of memory of each.
Ratios compare rows of one run; times of two machines do not compare. The exit code is 1 when a gate
does not hold. `--obelize` is the command of a peer, in an environment of its own, which is run on
the same tree.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

CLEAN = "def total(prices: list[int]) -> int:\n    return sum(price * 2 for price in prices)\n\n\n"
HEAD = """import os

import google.generativeai as genai

genai.configure(api_key=os.environ["GOOGLE_API_KEY"])
model = genai.GenerativeModel("gemini-1.5-flash")


"""
USE = "def ask_{0}(text: str) -> str:\n    return model.generate_content(text).text\n\n\n"
PLAIN = (
    "def words_{0}(text: str) -> list[str]:\n"
    "    found = []\n"
    "    for word in text.split():\n"
    "        if word.isalpha() and len(word) > {0}:\n"
    "            found.append(word.lower())\n"
    "    return sorted(found)\n\n\n"
)
LEGACY = HEAD + "".join(map(USE.format, range(4))) + "".join(map(PLAIN.format, range(11)))
LEGACY += "LIMIT = 10\nWORDS = words_1('one two')\n"
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


def main() -> int:
    """Measure and print; returns the exit code."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--obelize", metavar="PATH", help="the command of the peer")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="chatport-benchmark-") as folder:
        # An installed package is compiled; a working copy may not be.
        os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
        os.environ["PYTHONPYCACHEPREFIX"] = str(Path(folder, "bytecode"))
        return run(Path(folder), options.rounds, options.obelize)


def run(folder: Path, rounds: int, peer: str | None) -> int:
    """Make the trees, measure all rows, print them and the gates."""
    chatport = str(Path(sys.executable).with_name("chatport"))
    clean = tree(folder / "clean", ((f"clean_{n}.py", clean_text(n)) for n in range(3000)))
    mixed = tree(folder / "mixed", mixed_files(2000, 40))
    many = {n: tree(folder / f"many_{n}", mixed_files(n, n)) for n in (10, 100, 1000)}
    long = {n: tree(folder / f"long_{n}", [("app.py", uses(n))]) for n in (10, 100, 1000, 5000)}
    python = sys.executable
    passes = Row("python -c pass", [python, "-c", "pass"])
    version = Row("chatport --version", [chatport, "--version"])
    read_clean = Row("walk and read, 3,000 clean files", [python, "-c", READ, str(clean)])
    check_clean = Row("check, 3,000 clean files", [chatport, "check", str(clean)])
    read_mixed = Row("walk and read, 2,000 files", [python, "-c", READ, str(mixed)])
    parse = Row("the same, and parse 40 legacy files", [python, "-c", PARSE, str(mixed)])
    check = Row("check, 2,000 files, 40 legacy", [chatport, "check", str(mixed)])
    fix = Row("fix, the same", [chatport, "fix", str(mixed)])
    grows = [
        Row(f"check, {n:,} legacy files", [chatport, "check", str(many[n])], n) for n in many
    ] + [
        Row(f"check, one file of {n:,} functions", [chatport, "check", str(long[n])], n)
        for n in long
    ]
    first = [passes, version, read_clean, check_clean, read_mixed, parse, check, fix]
    parsed = float("inf")
    for _ in range(rounds):
        for row in first:
            row.measure()
        parsed = min(parsed, float(parse.printed))
    for _ in range(max(1, rounds // 3)):
        for row in grows:
            row.measure()
    rows = [*first, *grows]
    gates = [
        Gate("--version : pass", lambda: version.cpu / passes.cpu, 1.5),
        Gate("check clean : walk and read", lambda: check_clean.cpu / read_clean.cpu, 1.5),
        Gate(
            "check mixed : walk and read + 3 parses",
            lambda: check.cpu / (read_mixed.cpu + 3 * parsed),
            1.0,
        ),
        Gate("fix : check, mixed", lambda: fix.cpu / check.cpu, 1.5),
        Gate("per file, 1,000 : 100", lambda: per_unit(grows, 2) / per_unit(grows, 1), 1.3),
        Gate("per function, 1,000 : 100", lambda: per_unit(grows, 5) / per_unit(grows, 4), 1.3),
        Gate("5,000 call sites, seconds", lambda: grows[-1].cpu, 2.0),
        Gate("1,000 legacy files, peak MB", lambda: grows[2].memory / 1e6, 150.0),
    ]
    if peer is not None:
        other = Row("obelize scan, the 2,000 files", [peer, "scan", "--repo", str(mixed)])
        other.measure()
        rows.append(other)
        gates.append(Gate("check : obelize scan", lambda: check.cpu / other.cpu, 1 / 50))
    return show(rows, gates, parsed)


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


def clean_text(number: int) -> str:
    """From 1 to 30 kB, so that neither small nor large files are all there is."""
    return CLEAN * (10 + number * 37 % 340) + f"NUMBER = {number}\n"


def mixed_files(files: int, legacy: int) -> Iterator[tuple[str, str]]:
    """So many files, the first of them legacy; the others of 3 kB on average."""
    for number in range(legacy):
        yield f"legacy_{number}.py", LEGACY
    for number in range(legacy, files):
        yield f"clean_{number}.py", CLEAN * (1 + number * 37 % 70) + f"NUMBER = {number}\n"


def uses(count: int) -> str:
    """One file in which so many functions call one model."""
    return HEAD + "".join(map(USE.format, range(count)))


def tree(folder: Path, files: Iterable[tuple[str, str]]) -> Path:
    """Write the files, a hundred packages of them, and commit them."""
    for number, (name, text) in enumerate(files):
        path = folder / f"package_{number % 100}" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    identity = ["-c", "user.name=Benchmark", "-c", "user.email=benchmark@example.org"]
    for words in (["init", "-q"], ["add", "."], ["commit", "-qm", "all"]):
        subprocess.run(["git", *identity, *words], cwd=folder, check=True)
    return folder


if __name__ == "__main__":
    sys.exit(main())
