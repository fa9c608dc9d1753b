"""`explain` prints the page of a code."""

from __future__ import annotations

import sys
from types import ModuleType, SimpleNamespace

import pytest

from tests.cli.conftest import Command


@pytest.fixture(autouse=True)
def codes(monkeypatch: pytest.MonkeyPatch) -> None:
    module = ModuleType("chatport.port.codes")
    module.__dict__["CODES"] = {
        name: SimpleNamespace(
            name=name,
            message=f"Message of {name}.",
            why="Because.",
            remedy="Write it so.",
            check="",
        )
        for name in ("tools_not_known", "local_import")
    }
    example = SimpleNamespace(before="old(\n    1\n)\n", after="new()\n")
    module.__dict__["examples"] = lambda: {"tools_not_known": example}
    monkeypatch.setitem(sys.modules, module.__name__, module)


def test_a_page_has_the_reason_the_remedy_and_an_example(chatport: Command) -> None:
    result = chatport("explain", "tools_not_known")
    assert result.code == 0
    assert result.out == (
        "tools_not_known\n\nMessage of tools_not_known.\n\nWhy\n\nBecause.\n\n"
        "What to do\n\nWrite it so.\n\n"
        "Before\n\n    old(\n        1\n    )\n\nAfter\n\n    new()\n\n"
    )


def test_an_example_that_is_missing_is_left_out(chatport: Command) -> None:
    assert "After" not in chatport("explain", "local_import").out


def test_without_a_code_all_are_listed(chatport: Command) -> None:
    assert chatport("explain").out == (
        "local_import: Message of local_import.\ntools_not_known: Message of tools_not_known.\n"
    )


@pytest.mark.parametrize(
    ("name", "hint"),
    [
        ("tools_unknown", "did you mean tools_not_known?"),
        ("zzz", "chatport explain lists them all"),
    ],
)
def test_an_unknown_code_is_an_error_with_a_hint(chatport: Command, name: str, hint: str) -> None:
    result = chatport("explain", name)
    assert result.code == 2
    assert result.err == f"chatport: error: there is no code {name}; {hint}\n"
