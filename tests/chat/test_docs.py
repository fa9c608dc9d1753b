"""The examples of the protocol's page run and say what the page says."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import chatport
from chatport import (
    FunctionModel,
    FunctionStreamer,
    Output,
    Request,
    Response,
    ResponseDelta,
    TextDelta,
    assistant,
)

PAGE = Path(__file__).parents[2] / "docs" / "client" / "protocol.md"
BLOCKS = re.findall(r"^```python\n(.*?)^```", PAGE.read_text("utf-8"), re.DOTALL | re.MULTILINE)


@FunctionModel
def echo(request: Request) -> Response:
    return Response(Output(assistant(request.messages[-1].text()), "stop"))


@FunctionStreamer
def streamer(request: Request) -> Iterator[ResponseDelta]:
    yield ResponseDelta(TextDelta("Over "))
    yield ResponseDelta(TextDelta("there."), finish_reason="stop")


def test_the_examples_run(capsys: pytest.CaptureFixture[str]) -> None:
    names: dict[str, Any] = {name: getattr(chatport, name) for name in chatport.__all__}
    names |= {"data": b"x", "model": echo, "streamer": streamer}
    names["response"] = Response(Output(assistant("Found it."), "stop"))
    for block in BLOCKS:
        if not block.startswith(">>>"):
            exec(block, names)
    assert capsys.readouterr().out == "Found it. ()\nOver there."
    assert names["colder"].options.temperature == 0.0
    assert names["response"].text() == "Over there."
    assert names["model"].call(names["request"]).text() == "Answer in capitals."


def test_the_error_shown_is_the_error_raised() -> None:
    (shown,) = (block for block in BLOCKS if block.startswith(">>>"))
    statement, message = shown.removeprefix(">>> ").strip().split("\n")
    with pytest.raises(ValueError) as caught:
        eval(statement, {"Request": Request})
    assert f"{type(caught.value).__name__}: {caught.value}" == message


def test_every_name_of_the_page_is_one_of_the_face() -> None:
    errors = set(re.findall(r"`(\w+Error)`", PAGE.read_text("utf-8"))) - {"ValueError"}
    assert errors
    assert errors <= set(chatport.__all__)
