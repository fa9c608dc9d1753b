"""The ledger: what has been planned, in one SQLite file that a run can go on from.

One process writes it. What a repository came to is entered in one transaction, together with the
mark that it is done; a run that is cut off anywhere loses at most what it was told but had not
entered, and enters nothing twice. While a run goes on others can read.
"""

from __future__ import annotations

import fcntl
import os
import sqlite3
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import StrEnum
from pathlib import Path
from types import TracebackType
from typing import Self

from msgspec import structs

from chatport.port.fleet.survey import Outcome, Survey

VERSION = 2
"""Of the tables; raised when one of them changes."""

_APPLICATION = 0x63687074  # "chpt"
_PAGE = 500
"""Repositories that are asked for at a time."""

_TABLES = """
CREATE TABLE about (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE repository (
    id INTEGER PRIMARY KEY,
    source TEXT NOT NULL UNIQUE,
    state TEXT NOT NULL DEFAULT 'waiting' CHECK (state IN ('waiting', 'planned', 'failed')),
    error TEXT,
    revision TEXT,
    files INTEGER, legacy_files INTEGER, ported INTEGER, partly INTEGER, refused INTEGER,
    findings INTEGER, auto INTEGER, review INTEGER, unsupported INTEGER, accepted INTEGER,
    patch BLOB,
    seconds REAL, cpu_seconds REAL, peak_bytes INTEGER,
    finished TEXT
);
CREATE INDEX repository_state ON repository (state, id);
CREATE TABLE file (
    repository INTEGER NOT NULL REFERENCES repository (id),
    path TEXT NOT NULL, status TEXT NOT NULL, uses INTEGER NOT NULL
);
CREATE INDEX file_repository ON file (repository);
CREATE TABLE finding (
    repository INTEGER NOT NULL REFERENCES repository (id),
    path TEXT NOT NULL, line INTEGER NOT NULL, column INTEGER NOT NULL, symbol TEXT NOT NULL,
    verdict TEXT NOT NULL, code TEXT, message TEXT,
    follows INTEGER NOT NULL
);
CREATE INDEX finding_repository ON finding (repository);
CREATE INDEX finding_code ON finding (code, repository) WHERE code IS NOT NULL;
CREATE TABLE problem (
    repository INTEGER NOT NULL REFERENCES repository (id), message TEXT NOT NULL
);
"""


class State(StrEnum):
    """Of a repository in the ledger."""

    WAITING = "waiting"
    PLANNED = "planned"
    FAILED = "failed"


class LedgerError(Exception):
    """A file that is no ledger, or not one to go on with; the message says what to do."""


@dataclass(frozen=True, slots=True)
class Counts:
    """How many repositories are in which state, and how many hold something to port."""

    waiting: int
    planned: int
    failed: int
    legacy: int

    @property
    def total(self) -> int:
        return self.waiting + self.planned + self.failed


class Ledger:
    """An open ledger. Use it as a context manager, or close it."""

    def __init__(self, path: Path, made_by: str) -> None:
        """Open a ledger, or make one; `made_by` says what plans (the version, the packs).

        Raises `LedgerError` when the file is something else, was made by something else, or is
        being written by another run.
        """
        self.path = path
        try:
            # Its own descriptor, closed last: closing one drops every lock of SQLite's on a file.
            self._claim = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
        except OSError as error:
            raise LedgerError(f"{path}: cannot be written ({error.strerror})") from error
        try:
            fcntl.flock(self._claim, fcntl.LOCK_EX | fcntl.LOCK_NB)
            self._base = sqlite3.connect(path, isolation_level=None)
            try:
                self._prepare(made_by)
            except BaseException:
                self._base.close()
                raise
        except BlockingIOError as error:
            os.close(self._claim)
            raise LedgerError(f"{path}: another run is writing it; name another") from error
        except sqlite3.DatabaseError as error:
            os.close(self._claim)
            raise LedgerError(f"{path}: this is no ledger ({error}); name another") from error
        except BaseException:
            os.close(self._claim)
            raise

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
        """Let the file go."""
        self._base.close()
        os.close(self._claim)

    def add(self, sources: Iterable[str]) -> int:
        """Enter repositories to plan, those not yet in it; how many there were."""
        before = self._base.total_changes
        with self._transaction():
            self._base.executemany(
                "INSERT OR IGNORE INTO repository (source) VALUES (?)", ((one,) for one in sources)
            )
        return self._base.total_changes - before

    def retry(self) -> int:
        """Let those that failed wait again; how many there are."""
        again = "UPDATE repository SET state = 'waiting', error = NULL WHERE state = 'failed'"
        return self._base.execute(again).rowcount

    def waiting(self) -> Iterator[tuple[int, str]]:
        """The number and the source of each repository that waits, in the order they came.

        They are asked for page by page: a list of a million need not be held.
        """
        last = 0
        while True:
            page = self._base.execute(
                "SELECT id, source FROM repository WHERE state = 'waiting' AND id > ? "
                "ORDER BY id LIMIT ?",
                (last, _PAGE),
            ).fetchall()
            if not page:
                return
            yield from page
            last = page[-1][0]

    def record(self, outcomes: Iterable[tuple[int, Outcome]]) -> None:
        """Enter what became of repositories; one that no longer waits is left as it is."""
        with self._transaction():
            for number, outcome in outcomes:
                self._enter(number, outcome)

    def counts(self) -> Counts:
        """How far it is."""
        by_state = dict(
            self._base.execute("SELECT state, count(*) FROM repository GROUP BY state").fetchall()
        )
        legacy = self._base.execute("SELECT count(*) FROM repository WHERE findings > 0")
        waiting, planned, failed = (by_state.get(state.value, 0) for state in State)
        return Counts(waiting, planned, failed, legacy.fetchone()[0])

    def query(self, sql: str, *values: object) -> sqlite3.Cursor:
        """Ask the tables; for what only reads them."""
        return self._base.execute(sql, values)

    def _prepare(self, made_by: str) -> None:
        base = self._base
        if base.execute("PRAGMA application_id").fetchone()[0] == 0:
            if base.execute("SELECT count(*) FROM sqlite_schema").fetchone()[0]:
                raise LedgerError(f"{self.path}: this is a database of something else")
            base.execute("PRAGMA journal_mode = WAL")
            with self._transaction():
                for statement in _TABLES.split(";"):
                    base.execute(statement)
                base.execute("INSERT INTO about VALUES ('made_by', ?)", (made_by,))
                base.execute(f"PRAGMA user_version = {VERSION}")
                base.execute(f"PRAGMA application_id = {_APPLICATION}")
        elif base.execute("PRAGMA application_id").fetchone()[0] != _APPLICATION:
            raise LedgerError(f"{self.path}: this is a database of something else")
        base.execute("PRAGMA synchronous = NORMAL")  # a transaction outlives the process
        version = base.execute("PRAGMA user_version").fetchone()[0]
        found = base.execute("SELECT value FROM about WHERE name = 'made_by'").fetchone()
        if version != VERSION or found != (made_by,):
            who = found[0] if found else f"version {version}"
            raise LedgerError(
                f"{self.path}: was made by {who}, and this is {made_by}, which may plan otherwise; "
                "name another file"
            )

    def _transaction(self) -> _Transaction:
        return _Transaction(self._base)

    def _enter(self, number: int, outcome: Outcome) -> None:
        survey = outcome.survey
        columns: dict[str, object] = {
            "state": State.FAILED if survey is None else State.PLANNED,
            "error": outcome.error,
            "seconds": outcome.seconds,
            "cpu_seconds": outcome.cpu_seconds,
            "peak_bytes": outcome.peak_bytes,
            "finished": datetime.now(UTC).isoformat(timespec="seconds"),
        }
        if survey is not None:
            columns |= {"revision": survey.revision, "patch": survey.patch}
            columns |= structs.asdict(survey.summary)
        written = self._base.execute(
            f"UPDATE repository SET {', '.join(f'{name} = ?' for name in columns)} "
            "WHERE id = ? AND state = 'waiting'",
            (*columns.values(), number),
        )
        if written.rowcount and survey is not None:
            self._enter_rows(number, survey)

    def _enter_rows(self, number: int, survey: Survey) -> None:
        many = self._base.executemany
        many(
            "INSERT INTO file VALUES (?, ?, ?, ?)",
            ((number, one.path, one.status, one.uses) for one in survey.files),
        )
        many(
            "INSERT INTO finding VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (
                (
                    *(number, one.path, one.line, one.column, one.symbol),
                    *(one.verdict, one.code, one.message, one.follows),
                )
                for one in survey.uses
            ),
        )
        many("INSERT INTO problem VALUES (?, ?)", ((number, one) for one in survey.problems))


class _Transaction:
    """All or nothing of what is done inside."""

    def __init__(self, base: sqlite3.Connection) -> None:
        self._base = base

    def __enter__(self) -> None:
        self._base.execute("BEGIN IMMEDIATE")

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._base.execute("COMMIT" if kind is None else "ROLLBACK")
