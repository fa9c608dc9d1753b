"""The plan of a run that was already written: its files as they were, and as they are now.

What was finished by hand after `chatport fix --write` is part of what the files are now, and so of
what is proven.
"""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

from chatport.port.bounded import Bounded
from chatport.port.findings import FilePlan, Plan, Status
from chatport.port.journal import FOLDER, RunId, load, runs, snapshot


def last_run(root: Path) -> tuple[RunId, Plan] | None:
    """The last run written under `root`, as a plan; None when there is none.

    Raises:
        JournalError: the journal of the run is damaged.
    """
    if not (root / FOLDER).is_dir():
        return None
    with Bounded(root) as tree:
        known = runs(tree)
        if not known:
            return None
        journal = load(tree, known[-1])
        files = []
        for number, entry in enumerate(journal.files):
            before = snapshot(tree, known[-1], number, entry.before)
            with suppress(OSError):  # a file that is gone since then is no longer part of it
                after, _ = tree.read(entry.path)
                files.append(FilePlan(entry.path, Status.PORTED, (), before, after))
    return known[-1], Plan(root, tuple(files), scanned=len(files))
