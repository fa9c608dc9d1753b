"""Small deltas and parts."""

from __future__ import annotations

from typing import Any

from chatport.chat import (
    ResponseDelta,
    collect,
)

STOP = ResponseDelta(finish_reason="stop")


def parts_of(*deltas: ResponseDelta) -> tuple[Any, ...]:
    message = collect([*deltas, STOP]).message
    return () if message is None else message.parts
