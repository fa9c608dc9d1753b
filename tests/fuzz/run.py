"""Feed the targets until the time is over; what breaks one goes into its corpus.

    python -m tests.fuzz.run [--seconds N] [--seed N] [TARGET ...]

With atheris (the extra `fuzz`) inputs are led by what they reach; `--plain` does without.
"""

from __future__ import annotations

import argparse
import os
import random
import signal
import sys
import time
import traceback
from collections.abc import Sequence
from types import FrameType

from tests.fuzz.mutate import changed
from tests.fuzz.targets import CORPUS, SECONDS, TARGETS, keep, seeds


class HangError(Exception):
    """An input that took longer than any may."""


def _hangs(_number: int, _frame: FrameType | None) -> None:
    raise HangError(f"more than {SECONDS:.0f} seconds")


def feed(name: str, seconds: float, chance: random.Random) -> tuple[int, int]:
    """How many inputs a target was given, and how many of them broke it."""
    corpus, target, broken = list(seeds(name)), TARGETS[name], set()
    end, count = time.monotonic() + seconds, 0
    signal.signal(signal.SIGALRM, _hangs)
    while time.monotonic() < end:
        data = changed(chance.choice(corpus), corpus, chance)
        count += 1
        signal.setitimer(signal.ITIMER_REAL, SECONDS)
        try:
            target(data)
        except Exception as error:
            signal.setitimer(signal.ITIMER_REAL, 0)
            where = traceback.extract_tb(error.__traceback__)[-1]
            mark = (type(error), where.filename, where.lineno)
            if mark not in broken:  # the same place is told once
                broken.add(mark)
                traceback.print_exception(error)
                print(f"{name}: kept as {keep(name, data)}", flush=True)
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
    return count, len(broken)


def led(name: str, seconds: float) -> int:
    """Run atheris in a process of its own: it ends the one it runs in. Its exit code."""
    child = os.fork()
    if child:
        return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    import atheris

    with atheris.instrument_imports(include=["chatport"]):
        TARGETS[name](b"")  # imports what it needs
    found = CORPUS.parents[2] / ".cache" / "fuzz" / name
    found.mkdir(parents=True, exist_ok=True)
    options = [
        *(f"-max_total_time={max(1, int(seconds))}", f"-timeout={int(SECONDS)}", "-max_len=20000"),
        *("-rss_limit_mb=4096", "-verbosity=0", f"-artifact_prefix={CORPUS / name}/found-"),
        *(str(found), str(CORPUS / name)),
    ]
    atheris.Setup([sys.argv[0], *options], TARGETS[name])
    atheris.Fuzz()
    os._exit(0)


def main(arguments: Sequence[str] | None = None) -> int:
    """Divide the time among the targets; 1 when one was broken."""
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz.run")
    parser.add_argument("targets", nargs="*", metavar="TARGET", help=", ".join(TARGETS))
    parser.add_argument("--seconds", type=float, default=600, help="for all of them together")
    parser.add_argument("--seed", type=int, default=None)
    parser.add_argument("--plain", action="store_true", help="without atheris")
    options = parser.parse_args(arguments)
    names = options.targets or list(TARGETS)
    if unknown := set(names) - set(TARGETS):
        parser.error(f"there is no {', '.join(sorted(unknown))}; there are: {', '.join(TARGETS)}")
    guided = not options.plain and _has_atheris()
    total = 0
    for name in names:
        share = options.seconds / len(names)
        if guided:
            code = led(name, share)
            total += code != 0
            print(f"{name}: atheris ended with {code}", flush=True)
        else:
            count, broken = feed(name, share, random.Random(options.seed))
            total += broken
            print(f"{name}: {count} inputs, {broken} broke it", flush=True)
    return 1 if total else 0


def _has_atheris() -> bool:
    from importlib.util import find_spec

    return find_spec("atheris") is not None


if __name__ == "__main__":
    sys.exit(main())
