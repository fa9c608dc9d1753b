"""The page of a fleet: right figures, and hostile text stays text."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from chatport.port.fleet.ledger import Ledger
from chatport.port.fleet.overview import render, words
from chatport.port.fleet.overview.figures import Code, overview
from chatport.port.fleet.survey import Outcome, survey
from tests.fleet.repositories import HELD, LEGACY, repository

HOSTILE = "/srv/<img src=x onerror=alert(1)>"


@pytest.fixture
def ledger(tmp_path: Path) -> Iterator[Ledger]:
    whole = survey(repository(tmp_path / "whole", a=LEGACY))
    partly = survey(repository(tmp_path / "partly", a=LEGACY, b=HELD))
    held = survey(repository(tmp_path / "held", a=HELD, b=HELD))
    clean = survey(repository(tmp_path / "clean", a="x = 1\n"))
    declared = repository(tmp_path / "declared", a="x = 1\n")
    (declared / "requirements.txt").write_text("google-generativeai\n")
    with Ledger(tmp_path / "fleet.sqlite", "chatport 1") as one:
        one.add([HOSTILE, "/srv/partly", "/srv/held", "/srv/clean", "/srv/declared", "/srv/gone"])
        one.add(["/srv/waits"])
        found = (whole, partly, held, clean, survey(declared))
        outcomes = [Outcome(one, None, 2.0, 1.0, 1 << 20) for one in found]
        failed = Outcome(None, f"no {HOSTILE}", 8.0, 1.0, 0)
        one.record(enumerate([*outcomes, failed], 1))
        yield one


def test_every_repository_counts_once(ledger: Ledger) -> None:
    page = overview(ledger)
    assert (page.total, page.planned, page.failed, page.waiting) == (7, 5, 1, 1)
    assert (page.legacy, page.whole, page.partly, page.held, page.declared) == (4, 1, 1, 1, 1)
    assert (page.legacy_files, page.files_ported, page.files_refused) == (5, 2, 3)


def test_a_code_counts_causes_and_their_repositories(ledger: Ledger) -> None:
    [code] = overview(ledger).codes
    assert code == Code(code.name, 3, 2)


def test_what_most_needs_a_person_comes_first(ledger: Ledger) -> None:
    sources = [one.source for one in overview(ledger).repositories]
    assert sources[:2] == ["/srv/held", "/srv/partly"]


def test_the_cost_is_of_all_that_was_tried(ledger: Ledger) -> None:
    page = overview(ledger)
    assert (page.cost.cpu_seconds, page.cost.seconds) == (6.0, 18.0)
    assert page.cost.slowest == "/srv/gone"
    assert page.cpu_hours_a_million == pytest.approx(1_000_000 / 3600)


def test_a_name_stays_text_and_only_our_script_runs(ledger: Ledger) -> None:
    page = render(ledger)
    assert "<img" not in page
    assert page.count("&lt;img src=x onerror=alert(1)&gt;") >= 2
    assert page.count("<script>") == 1
    assert "default-src &#39;none&#39;" in page


def test_the_page_of_an_empty_ledger_can_be_made(tmp_path: Path) -> None:
    with Ledger(tmp_path / "fleet.sqlite", "chatport 1") as one:
        assert "Port of 0 repositories" in render(one)


def test_the_lines_for_a_terminal_say_the_same(ledger: Ledger) -> None:
    said = list(words(ledger))
    assert said[0] == "7 repositories: 5 planned, 1 failed, 1 wait."
    assert "2 of 5 files with legacy code can be ported whole." in said
    assert said[-1] == f"failed: /srv/gone: no {HOSTILE}"
