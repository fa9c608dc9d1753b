"""Values that break a rule, by their kind: how each is made, its error, and where the fault is."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable
from typing import Any

from chatport.chat import (
    Media,
    ToolDefinition,
    ToolOutput,
    ToolResult,
)

Make = Callable[[], Any]
LONE = "a\ud800"
"""Text with a lone surrogate."""
MAX = 2**63 - 1
RESULT = ToolResult("c1", "geo", ToolOutput())
IMAGE = Media.of_uri("image/png", "https://h.test/a.png")
GEO = ToolDefinition(name="geo", input_schema={"type": "object"})


def bad(value: Any) -> Any:
    """A value of a type the constructor does not declare."""
    return value


def at(minutes: float) -> dt.datetime:
    """A moment with a UTC offset."""
    return dt.datetime(2024, 1, 1, tzinfo=dt.timezone(dt.timedelta(minutes=minutes)))
