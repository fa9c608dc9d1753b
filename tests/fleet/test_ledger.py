"""The ledger: entered once, gone on with, and never taken for something it is not."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from chatport.port.fleet.ledger import Ledger, LedgerError
from chatport.port.fleet.survey import Outcome, survey
from tests.fleet.repositories import LEGACY, repository

FAILED = Outcome(None, "it took too long", 2.0, 1.0, 1 << 20)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "fleet.sqlite"


@pytest.fixture
def planned(tmp_path: Path) -> Outcome:
    return Outcome(survey(repository(tmp_path / "r", a=LEGACY)), None, 0.5, 0.25, 1 << 20)


def opened(path: Path) -> Ledger:
    return Ledger(path, "chatport 1")


def test_each_repository_waits_once(path: Path) -> None:
    with opened(path) as ledger:
        assert ledger.add(["a", "b", "a"]) == 2
        assert ledger.add(["b", "c"]) == 1
        assert [source for _, source in ledger.waiting()] == ["a", "b", "c"]


def test_what_is_entered_stays_entered(path: Path, planned: Outcome) -> None:
    with opened(path) as ledger:
        ledger.add(["a", "b", "c"])
        ledger.record([(1, planned), (2, FAILED)])
    with opened(path) as ledger:
        counts = ledger.counts()
        assert (counts.waiting, counts.planned, counts.failed, counts.legacy) == (1, 1, 1, 1)
        assert [source for _, source in ledger.waiting()] == ["c"]
        row = ledger.query(
            "SELECT ported, patch, cpu_seconds, error FROM repository WHERE source = 'a'"
        ).fetchone()
        assert planned.survey is not None
        assert row == (1, planned.survey.patch, 0.25, None)
        assert ledger.query("SELECT path, status FROM file").fetchall() == [("a.py", "ported")]


def test_a_second_answer_changes_nothing(path: Path, planned: Outcome) -> None:
    with opened(path) as ledger:
        ledger.add(["a"])
        ledger.record([(1, planned)])
        before = dump(path)
        ledger.record([(1, FAILED), (1, planned)])
        assert dump(path) == before


def test_an_entry_is_whole_or_not_there(path: Path, planned: Outcome) -> None:
    assert planned.survey is not None
    with opened(path) as ledger:
        ledger.add(["a", "b"])
        broken = Outcome(planned.survey.__class__("", *[()] * 5))  # type: ignore[arg-type]
        with pytest.raises(TypeError):
            ledger.record([(1, planned), (2, broken)])
        assert ledger.counts().waiting == 2
        assert ledger.query("SELECT count(*) FROM file").fetchone() == (0,)


def test_those_that_failed_can_wait_again(path: Path, planned: Outcome) -> None:
    with opened(path) as ledger:
        ledger.add(["a", "b"])
        ledger.record([(1, planned), (2, FAILED)])
        assert ledger.retry() == 1
        assert [source for _, source in ledger.waiting()] == ["b"]


def test_a_thousand_wait_in_order(path: Path) -> None:
    names = [f"r{number}" for number in range(1234)]
    with opened(path) as ledger:
        ledger.add(names)
        assert [source for _, source in ledger.waiting()] == names


def test_one_run_writes_and_others_read(path: Path) -> None:
    with opened(path) as ledger:
        ledger.add(["a"])
        with pytest.raises(LedgerError, match="another run is writing it"):
            opened(path)
        assert dump(path)["repository"] != []
    opened(path).close()


def test_what_others_planned_is_not_gone_on_with(path: Path) -> None:
    Ledger(path, "chatport 1").close()
    with pytest.raises(LedgerError, match=r"made by chatport 1, and this is chatport 2"):
        Ledger(path, "chatport 2")


def test_what_is_no_ledger_is_left_alone(path: Path) -> None:
    path.write_text("notes of mine, which are long enough to be no database " * 20)
    kept = path.read_bytes()
    with pytest.raises(LedgerError, match="this is no ledger"):
        opened(path)
    assert path.read_bytes() == kept


def test_a_database_of_something_else_is_left_alone(path: Path) -> None:
    base = sqlite3.connect(path)
    base.execute("CREATE TABLE repository (mine TEXT)")
    base.commit()
    base.close()
    kept = path.read_bytes()
    with pytest.raises(LedgerError, match="something else"):
        opened(path)
    assert path.read_bytes() == kept


def test_a_ledger_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    with pytest.raises(LedgerError, match="cannot be written"):
        opened(tmp_path / "nowhere" / "fleet.sqlite")


def dump(path: Path) -> dict[str, list[tuple[object, ...]]]:
    """Every row, as another program reads it."""
    base = sqlite3.connect(f"{path.as_uri()}?mode=ro", uri=True)
    names = ("repository", "file", "finding", "problem")
    rows = {name: base.execute(f"SELECT * FROM {name}").fetchall() for name in names}
    base.close()
    return rows
