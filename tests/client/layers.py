"""A request, and its answer when called and when streamed through layers."""

from __future__ import annotations

from typing import Any

from chatport import (
    Options,
    Request,
    user,
)

from .conftest import Half

ASK = Request(user("hello"), options=Options(model="m1"))


def both(half: Half, script: Any, *middleware: Any) -> list[Any]:
    """What a call and a stream over scripts of their own give: text, or the error raised."""
    results: list[Any] = []
    for how in ("call", "stream"):
        model = script()
        try:
            if how == "call":
                response = half.call(half.client(model, *middleware), ASK)
            else:
                stream = half.stream_client(model, *middleware).stream(ASK)
                response = half.run(stream.response())
            results.append(response.text())
        except Exception as error:
            results.append(error)
    return results


# Errors worth another try


class ProviderError(Exception):
    def __init__(self, **said: Any) -> None:
        super().__init__("provider")
        vars(self).update(said)
