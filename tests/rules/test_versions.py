"""Versions in Python's grammar and in Poetry's: which they admit."""

from __future__ import annotations

import pytest

from chatport.port.rules.manifest_kinds.versions import python_of, specifier_set

ADMITTED = {
    "^1.2": (["1.2", "1.9.9"], ["1.1", "2"]),
    "^0.3.1": (["0.3.1", "0.3.9"], ["0.3.0", "0.4", "1"]),
    "^0.0.3": (["0.0.3"], ["0.0.4", "0.1"]),
    "^0": (["0.9"], ["1"]),
    "~1": (["1.0", "1.9"], ["0.9", "2"]),
    "~1.2": (["1.2", "1.2.9"], ["1.1", "1.3", "2"]),
    "~1.2.3": (["1.2.3", "1.2.9"], ["1.2.2", "1.3"]),
    "1.*": (["1.0", "1.9"], ["2"]),
    "1": (["1.5"], ["2"]),
    "1.2": (["1.2.5"], ["1.3"]),
    "1.2.3": (["1.2.3"], ["1.2.4"]),
    "=1.2.3": (["1.2.3"], ["1.2.4"]),
    ">=3.9, <4": (["3.9", "3.20"], ["3.8", "4"]),
    "*": (["0.1", "99"], []),
}


@pytest.mark.parametrize("text", ADMITTED)
def test_which_versions_are_admitted(text: str) -> None:
    found = specifier_set(text)
    assert found is not None
    inside, outside = ADMITTED[text]
    assert [one for one in inside if one not in found] == []
    assert [one for one in outside if one in found] == []


@pytest.mark.parametrize("text", ["", ">=3.9 || >=3.11", "latest", "=="])
def test_what_says_nothing_is_none(text: str) -> None:
    assert specifier_set(text) is None


def test_the_first_that_says_something_counts() -> None:
    found = python_of(None, 3, {}, "", ">=3.10", ">=3.12")
    assert found is not None
    assert "3.10" in found
    assert "3.9" not in found
