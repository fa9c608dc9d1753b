"""How properties are tried: the same examples every time, no clock; and what is left out.

`CHATPORT_FUZZ=N` tries N examples of each, other ones every time.
"""

from __future__ import annotations

import os

import pytest
from hypothesis import HealthCheck, settings

settings.register_profile(
    "quick",
    derandomize=True,
    deadline=None,
    database=None,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.register_profile(
    "long",
    settings.get_profile("quick"),
    derandomize=False,
    max_examples=int(os.environ.get("CHATPORT_FUZZ", "100")),
)
settings.load_profile("long" if "CHATPORT_FUZZ" in os.environ else "quick")


NEED_AN_SDK = {"worker", "run"}
"""Fixtures of tests that run programs in environments of their own."""


def pytest_addoption(parser: pytest.Parser) -> None:
    """Called by pytest."""
    parser.addoption(
        "--without-sdks",
        action="store_true",
        help="leave out the tests that run programs on an SDK",
    )


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Called by pytest."""
    if config.getoption("--without-sdks"):
        items[:] = [
            one for one in items if NEED_AN_SDK.isdisjoint(getattr(one, "fixturenames", ()))
        ]
