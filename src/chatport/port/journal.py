"""The journal: what a run is about to write, kept so that the run can be taken back.

Under the root, in a folder that ignores itself:

    .chatport/.gitignore
    .chatport/runs/<run>/journal.json     which files, and the hashes before and after
    .chatport/runs/<run>/before/<n>       the bytes of file n before the run
"""

from __future__ import annotations

import hashlib
import json
import secrets
import time
from collections.abc import Sequence
from typing import NewType

import msgspec

from chatport.port.bounded import Bounded

RunId = NewType("RunId", str)
"""Names a run; a later run has a greater name."""

FOLDER = ".chatport"
_RUNS = f"{FOLDER}/runs"
NONE_LEFT = "no run is left to take back: whatever was written here has been taken back already"
"""What is said of a journal without runs."""
_KEPT = 20
"""Older runs are forgotten."""


class Entry(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One file of a run; `before` and `after` are SHA-256 in hexadecimal."""

    path: str
    before: str
    after: str


class Journal(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The content of `journal.json`."""

    version: int
    files: tuple[Entry, ...]


class JournalError(Exception):
    """A journal is missing or damaged; the message says which and what to do."""


def digest(data: bytes) -> str:
    """SHA-256 in hexadecimal."""
    return hashlib.sha256(data).hexdigest()


def new_run() -> RunId:
    """A name by the clock (UTC, milliseconds) and chance."""
    seconds, fraction = divmod(time.time_ns(), 10**9)
    stamp = time.strftime("%Y%m%dT%H%M%S", time.gmtime(seconds))
    return RunId(f"{stamp}.{fraction // 10**6:03}-{secrets.token_hex(3)}")


def record(tree: Bounded, run: RunId, files: Sequence[tuple[str, bytes, bytes]]) -> None:
    """Keep path, old and new bytes of each file; on failure nothing of the run is kept."""
    folder = f"{_RUNS}/{run}"
    tree.make_folder(f"{folder}/before")
    try:
        if ".gitignore" not in tree.names(FOLDER):
            tree.create(f"{FOLDER}/.gitignore", b"*\n")
        for number, (_, before, _) in enumerate(files):
            tree.create(f"{folder}/before/{number}", before)
        entries = tuple(Entry(path, digest(before), digest(after)) for path, before, after in files)
        # Last and in one step, because a run without its journal is none.
        tree.create(f"{folder}/journal.new", _encode(Journal(1, entries)))
        tree.replace(f"{folder}/journal.json", by=f"{folder}/journal.new")
    except BaseException:
        forget(tree, run)
        raise


def _encode(journal: Journal) -> bytes:
    # Not by msgspec: a file name may hold bytes that are no text, which only escapes can carry.
    return json.dumps(msgspec.to_builtins(journal)).encode()


def runs(tree: Bounded) -> list[RunId]:
    """The runs that can be taken back, oldest first."""
    return [
        RunId(name) for name in tree.names(_RUNS) if "journal.json" in tree.names(f"{_RUNS}/{name}")
    ]


def load(tree: Bounded, run: RunId) -> Journal:
    """The journal of a run; raises `JournalError`."""
    try:
        data, _ = tree.read(f"{_RUNS}/{run}/journal.json")
    except OSError as error:
        known = ", ".join(runs(tree))
        there_are = f"there are: {known}" if known else NONE_LEFT
        raise JournalError(f"there is no run {run} here; {there_are}") from error
    try:
        journal = msgspec.convert(json.loads(data), Journal)
    except (ValueError, RecursionError, msgspec.ValidationError) as error:
        raise JournalError(
            f"the journal of run {run} is damaged ({error}); restore the files from "
            f"{_RUNS}/{run}/before by hand"
        ) from error
    if journal.version != 1:
        raise JournalError(
            f"the journal of run {run} has version {journal.version}; undo it with the chatport "
            "that wrote it"
        )
    return journal


def snapshot(tree: Bounded, run: RunId, number: int, expected: str) -> bytes:
    """The old bytes of file `number` of a run; raises `JournalError` when they are not those."""
    try:
        data, _ = tree.read(f"{_RUNS}/{run}/before/{number}")
    except OSError as error:
        raise JournalError(
            f"run {run} lost the bytes of file {number} ({error.strerror}); restore it by hand"
        ) from error
    if digest(data) != expected:
        raise JournalError(
            f"run {run} holds other bytes for file {number} than it wrote down; restore it by hand"
        )
    return data


def forget(tree: Bounded, run: RunId) -> None:
    """Delete what was kept of a run."""
    tree.remove_folder(f"{_RUNS}/{run}")


def forget_begun(tree: Bounded) -> None:
    """Delete what was kept of runs that were killed before they had their journal."""
    for name in set(tree.names(_RUNS)) - set(runs(tree)):
        forget(tree, RunId(name))


def forget_old(tree: Bounded) -> None:
    """Delete the oldest runs past the number that is kept."""
    for run in runs(tree)[:-_KEPT]:
        forget(tree, run)
