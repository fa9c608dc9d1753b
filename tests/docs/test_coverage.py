"""The page of what is ported says what the planner does."""

from __future__ import annotations

from docs.generate_coverage import PAGE, page, sections

SECTIONS = [f"1.{number}" for number in range(1, 11)]


def test_the_page_is_what_the_planner_does_today() -> None:
    written = PAGE.read_text(encoding="utf-8")
    assert written == page(), "run: python docs/generate_coverage.py"


def test_every_part_of_the_sdk_has_its_section() -> None:
    assert [section["number"] for section in sections()] == SECTIONS


def test_no_surface_is_listed_twice() -> None:
    rows = [(s["number"], row["title"]) for s in sections() for row in s["rows"]]
    assert len(rows) == len(set(rows))
