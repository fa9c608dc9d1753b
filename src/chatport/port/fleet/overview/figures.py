"""What the overview shows, asked of the ledger: totals, and the first of what is long."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from chatport.port.fleet.ledger import Ledger
from chatport.port.report.html.bars import Bar, bar

SHOWN = 1000
"""Rows of a table; the rest is in the ledger."""

_CODES = 20
_MILLION = 1_000_000


class Code(NamedTuple):
    """How often a code holds something back of its own accord, and in how many repositories."""

    name: str
    uses: int
    repositories: int


class Repository(NamedTuple):
    """One with legacy code."""

    source: str
    revision: str
    legacy_files: int
    ported: int
    refused: int
    codes: str


class Failure(NamedTuple):
    """One that could not be planned."""

    source: str
    error: str


class Cost(NamedTuple):
    """What planning took, failures too: CPU seconds, seconds from start to end, bytes."""

    cpu_seconds: float
    seconds: float
    peak_bytes: int
    slowest: str
    slowest_seconds: float


@dataclass(frozen=True, slots=True)
class Overview:
    """The whole page. Of repositories with legacy code `whole` can be ported whole, `partly` in
    part, `held` not at all, and `declared` have it only in their requirements."""

    made_by: str
    total: int
    waiting: int
    planned: int
    failed: int
    legacy: int
    whole: int
    partly: int
    held: int
    declared: int
    files: int
    legacy_files: int
    files_ported: int
    files_refused: int
    files_unread: int
    bars: tuple[Bar, ...]
    code_bars: tuple[Bar, ...]
    codes: tuple[Code, ...]
    repositories: tuple[Repository, ...]
    failures: tuple[Failure, ...]
    cost: Cost

    @property
    def cpu_hours_a_million(self) -> float:
        """At this cost, with as many failures."""
        done = self.planned + self.failed
        return self.cost.cpu_seconds / done * _MILLION / 3600 if done else 0.0


def overview(ledger: Ledger) -> Overview:
    """Ask the ledger."""
    counts = ledger.counts()
    whole, partly, held, declared, files, legacy_files, ported, refused = ledger.query(
        """
        SELECT total(legacy_files > 0 AND refused = 0), total(ported > 0 AND refused > 0),
            total(refused > 0 AND ported = 0), total(findings > 0 AND legacy_files = 0),
            total(files), total(legacy_files), total(ported), total(refused)
        FROM repository WHERE state = 'planned'
        """
    ).fetchone()
    codes = _codes(ledger)
    most = max((code.repositories for code in codes), default=0)
    parts = (
        ("ported", "ported whole", int(whole)),
        ("auto", "in part", int(partly)),
        ("refused", "held back", int(held)),
        ("auto", "only declared", int(declared)),
    )
    sides = (("ported", "ported", int(ported)), ("refused", "held back", int(refused)))
    return Overview(
        made_by=ledger.query("SELECT value FROM about WHERE name = 'made_by'").fetchone()[0],
        total=counts.total,
        waiting=counts.waiting,
        planned=counts.planned,
        failed=counts.failed,
        legacy=counts.legacy,
        whole=int(whole),
        partly=int(partly),
        held=int(held),
        declared=int(declared),
        files=int(files),
        legacy_files=int(legacy_files),
        files_ported=int(ported),
        files_refused=int(refused),
        files_unread=ledger.query("SELECT count(*) FROM problem").fetchone()[0],
        bars=(
            bar("repositories with legacy code", parts, max(counts.legacy, 1)),
            bar("files with legacy code", sides, max(int(ported + refused), 1)),
        ),
        code_bars=tuple(
            bar(
                code.name,
                [("review", _plural(code.repositories), code.repositories)],
                most,
                code.name,
            )
            for code in codes
        ),
        codes=codes,
        repositories=_repositories(ledger),
        failures=tuple(
            Failure(*row)
            for row in ledger.query(
                "SELECT source, error FROM repository WHERE state = 'failed' ORDER BY id LIMIT ?",
                SHOWN,
            )
        ),
        cost=_cost(ledger),
    )


def _plural(count: int) -> str:
    return "repository" if count == 1 else "repositories"


def _codes(ledger: Ledger) -> tuple[Code, ...]:
    rows = ledger.query(
        """
        SELECT code, count(*) AS uses, count(DISTINCT repository) AS repositories FROM finding
        WHERE code IS NOT NULL AND NOT follows
        GROUP BY code ORDER BY repositories DESC, uses DESC, code LIMIT ?
        """,
        _CODES,
    )
    return tuple(Code(*row) for row in rows)


def _repositories(ledger: Ledger) -> tuple[Repository, ...]:
    """Those with the most files that are held back come first: there a person has to look."""
    rows = ledger.query(
        """
        SELECT source, coalesce(revision, ''), legacy_files, ported, refused, coalesce((
            SELECT group_concat(code, ' ') FROM (
                SELECT DISTINCT code FROM finding
                WHERE repository = repository.id AND code IS NOT NULL AND NOT follows ORDER BY code
            )
        ), '')
        FROM repository WHERE findings > 0
        ORDER BY refused DESC, legacy_files DESC, id LIMIT ?
        """,
        SHOWN,
    )
    return tuple(Repository(*row) for row in rows)


def _cost(ledger: Ledger) -> Cost:
    cpu, seconds, peak = ledger.query(
        "SELECT total(cpu_seconds), total(seconds), max(peak_bytes) FROM repository"
    ).fetchone()
    slowest = ledger.query(
        "SELECT source, seconds FROM repository WHERE seconds NOT NULL "
        "ORDER BY seconds DESC, id LIMIT 1"
    ).fetchone()
    return Cost(cpu, seconds, peak or 0, *(slowest or ("", 0.0)))
