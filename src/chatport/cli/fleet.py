"""`chatport fleet`: plan thousands of repositories, and keep what they come to in one file."""

from __future__ import annotations

import os
import sys
from contextlib import contextmanager

from chatport.cli.exits import CLEAN, FAILED, FOUND, UsageError, demand
from chatport.cli.meant import positive

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator
    from concurrent.futures import Executor

    from chatport.port.fleet.ledger import Ledger

EXAMPLE = "chatport fleet repositories.txt --html fleet.html"
_MEGABYTE = 1 << 20


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the options of the command."""
    parser.usage = f"{parser.prog} [OPTION ...] REPOS.txt"
    parser.add_argument(
        "list",
        metavar="REPOS.txt",
        help="a folder or a remote of git on each line; - reads the standard input",
    )
    parser.add_argument(
        "--ledger",
        default="fleet.sqlite",
        metavar="FILE",
        help="where results are kept, and where a run goes on from (default: fleet.sqlite)",
    )
    parser.add_argument("--html", metavar="FILE", help="write an overview of the ledger there")
    parser.add_argument(
        "--retry", action="store_true", help="plan those again that failed in an earlier run"
    )
    parser.add_argument(
        "--workers",
        type=positive(int),
        default=os.cpu_count() or 1,
        metavar="N",
        help="processes of this machine that plan (default: one a core)",
    )
    parser.add_argument(
        "--scheduler", metavar="ADDRESS", help="plan on the Dask cluster of this scheduler instead"
    )
    parser.add_argument(
        "--seconds",
        type=positive(int),
        default=600,
        help="limit of each repository, cloning included (default: 600)",
    )
    parser.add_argument(
        "--memory",
        type=positive(int),
        default=4096,
        metavar="MB",
        help="limit of each repository's plan (default: 4096)",
    )


def run(arguments: argparse.Namespace) -> int:
    """Plan what waits; `FAILED` when some repository could not be planned, `FOUND` when one holds
    something to port."""
    if sys.platform == "win32":
        raise UsageError("fleet plans in forked processes, which Windows does not have")
    if arguments.scheduler is not None:
        demand("fleet --scheduler", "distributed", extra="fleet")
    from pathlib import Path

    from chatport.port.fleet.drive import DriveError
    from chatport.port.fleet.ledger import Ledger, LedgerError
    from chatport.port.fleet.nursery import NurseryError

    if arguments.list != "-" and not Path(arguments.list).exists():  # before a ledger is made
        raise UsageError(f"{arguments.list}: there is no such list; check the path")
    try:
        with Ledger(Path(arguments.ledger), _made_by()) as ledger:
            _enter(ledger, arguments)
            _plan(ledger, arguments)
            if arguments.html is not None:
                _write_overview(ledger, arguments.html)
            return _close(ledger, arguments)
    except (LedgerError, NurseryError, DriveError) as error:
        raise UsageError(str(error)) from error


def _made_by() -> str:
    from chatport import __version__
    from chatport.port.packs.load import names

    return f"chatport {__version__} with {', '.join(names())}"


def _enter(ledger: Ledger, arguments: argparse.Namespace) -> None:
    """Enter what the list names that the ledger does not know."""
    from pathlib import Path

    from chatport.port.fleet.sources import SourceListError, read

    try:
        if arguments.list == "-":
            ledger.add(read(sys.stdin, Path.cwd()))
        else:
            path = Path(arguments.list)
            with path.open(encoding="utf-8") as lines:
                ledger.add(read(lines, path.parent))
    except OSError as error:
        raise UsageError(f"{arguments.list}: cannot be read ({error.strerror})") from error
    except UnicodeDecodeError as error:
        raise UsageError(f"{arguments.list}: this is not UTF-8 ({error.reason})") from error
    except SourceListError as error:
        raise UsageError(f"{arguments.list}: {error}") from error
    if arguments.retry:
        ledger.retry()


def _plan(ledger: Ledger, arguments: argparse.Namespace) -> None:
    from chatport.cli.rate import Rate
    from chatport.port.fleet.drive import drive
    from chatport.port.fleet.survey import Limits

    limits = Limits(float(arguments.seconds), arguments.memory * _MEGABYTE)
    counts = ledger.counts()
    if not counts.waiting:
        return
    if counts.waiting < counts.total:
        done = counts.total - counts.waiting
        print(
            f"chatport: going on with {arguments.ledger}: {done} of {counts.total} are done",
            file=sys.stderr,
        )
    with (
        _executor(arguments) as (executor, workers),
        Rate(sys.stderr, counts.total, counts.total - counts.waiting) as rate,
    ):
        try:
            drive(
                ledger,
                executor,
                workers,
                limits,
                lambda now: rate(now.planned + now.failed, now.failed),
            )
        except KeyboardInterrupt:
            print("chatport: the same command goes on from here", file=sys.stderr)
            raise


@contextmanager
def _executor(arguments: argparse.Namespace) -> Iterator[tuple[Executor, int]]:
    from chatport.port.fleet.drive import on_this_machine

    if arguments.scheduler is None:
        with on_this_machine(arguments.workers) as executor:
            yield executor, arguments.workers
        return
    from chatport.port.fleet.cluster import ClusterError, on_cluster

    try:
        with on_cluster(arguments.scheduler) as (executor, workers):
            yield executor, workers
    except ClusterError as error:
        raise UsageError(f"--scheduler: {error}") from error


def _write_overview(ledger: Ledger, name: str) -> None:
    from chatport.cli.options import opened
    from chatport.port.fleet.overview import render

    with opened(name, "--html") as out:
        out.write(render(ledger))


def _close(ledger: Ledger, arguments: argparse.Namespace) -> int:
    """Say what there is to say, and how to look further."""
    from chatport.port.fleet.overview import words

    for line in words(ledger):
        print(line)
    print(f"All of it is in {arguments.ledger}", end="")
    print(f", an overview in {arguments.html}." if arguments.html else "; --html writes a page.")
    counts = ledger.counts()
    if counts.failed:
        return FAILED
    return FOUND if counts.legacy else CLEAN
