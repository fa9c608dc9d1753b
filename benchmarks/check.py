"""What `chatport check` costs on a repository without legacy code.

    python benchmarks/check.py [--files N] [--rounds N]

Makes a git repository of N files (3,000 of 15 kB on average, as a large web application has) in a
temporary folder, runs each row in turn for some rounds, and prints the least CPU time (user and
system, child processes included) of each. Ratios compare rows of one run; times of two machines do
not compare. The promise is that `chatport check` takes at most twice the row "pass, and reading the
files"; the exit code is 1 when it does not hold.
"""

from __future__ import annotations

import argparse
import os
import resource
import subprocess
import sys
import tempfile
from pathlib import Path

PROMISE = 2.0
BODY = "def total(prices: list[int]) -> int:\n    return sum(price * 2 for price in prices)\n\n\n"
READ = """
import os, sys
with open(sys.argv[1]) as names:
    for name in names.read().splitlines():
        descriptor = os.open(name, os.O_RDONLY)
        os.read(descriptor, os.fstat(descriptor).st_size)
        os.close(descriptor)
"""
SEARCH = """
import sys, time
from chatport.port.source.discover import discover, prefilter
start = time.process_time()
assert not list(prefilter(discover([sys.argv[1]]), (b"generativeai",)))
print(time.process_time() - start)
"""
BASE = "pass, and reading the files"
CHECK = "chatport check"


def main() -> int:
    """Measure and print; returns the exit code."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--files", type=int, default=3000)
    parser.add_argument("--rounds", type=int, default=15)
    options = parser.parse_args()
    command = str(Path(sys.executable).with_name("chatport"))
    with tempfile.TemporaryDirectory() as folder:
        # An installed package is compiled; a working copy may not be.
        os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
        os.environ["PYTHONPYCACHEPREFIX"] = str(Path(folder, "bytecode"))
        tree, names = Path(folder, "tree"), Path(folder, "names")
        size = make_tree(tree, names, options.files)
        rows = {
            "pass": ["-c", "pass"],
            BASE: ["-c", READ, str(names)],
            "chatport --version": [command, "--version"],
            CHECK: [command, "check", str(tree)],
        }
        best = dict.fromkeys(rows, float("inf"))
        search = float("inf")
        for _ in range(options.rounds):
            for row, words in rows.items():
                best[row] = min(best[row], cpu_seconds(words))
            search = min(search, float(output(["-c", SEARCH, str(tree)])))
    print(f"{options.files} files, {size / 1e6:.1f} MB, least of {options.rounds} rounds\n")
    print(f"{'':32}{'CPU ms':>8}{'ratio':>8}")
    for row, seconds in best.items():
        print(f"{row:32}{seconds * 1000:8.1f}{seconds / best[BASE]:8.2f}")
    print(f"\nfinding and searching alone: {options.files / search:,.0f} files per CPU second")
    ratio = best[CHECK] / best[BASE]
    print(f"promise: at most {PROMISE:.2f}; {'kept' if ratio <= PROMISE else 'BROKEN'}")
    return 0 if ratio <= PROMISE else 1


def make_tree(tree: Path, names: Path, files: int) -> int:
    """Write and commit the files, and their names to `names`; returns how many bytes they have."""
    size, paths = 0, []
    for number in range(files):
        path = tree / f"package_{number % 100}" / f"module_{number}.py"
        path.parent.mkdir(parents=True, exist_ok=True)
        # From 1 to 30 kB, so that neither small nor large files are all there is.
        text = BODY * (10 + number * 37 % 340) + f"NUMBER = {number}\n"
        path.write_text(text)
        size += len(text)
        paths.append(str(path))
    names.write_text("\n".join(paths))
    identity = ["-c", "user.name=Benchmark", "-c", "user.email=benchmark@example.org"]
    for words in (["init", "-q"], ["add", "."], ["commit", "-qm", "all"]):
        subprocess.run(["git", *identity, *words], cwd=tree, check=True)
    return size


def cpu_seconds(words: list[str]) -> float:
    """User and system time of a Python process and of what it starts."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    output(words)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def output(words: list[str]) -> str:
    """What a Python process prints."""
    done = subprocess.run(
        [sys.executable, *words], check=True, capture_output=True, text=True, cwd=os.sep
    )
    return done.stdout


if __name__ == "__main__":
    sys.exit(main())
