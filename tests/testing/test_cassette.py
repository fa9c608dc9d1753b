from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest

from chatport import (
    AsyncClient,
    AsyncStreamClient,
    Client,
    FunctionModel,
    Request,
    ResponseDelta,
    StreamClient,
    TextDelta,
    Usage,
    user,
)
from chatport.testing import (
    AsyncReplayModel,
    AsyncScriptedModel,
    CassetteError,
    ReplayedError,
    ScriptedModel,
    answer,
    assert_said,
    assert_tools_ran,
    record,
    replay,
    said,
)

ASK, AGAIN = Request(user("hello")), Request(user("again"))
ANSWER = answer("42, in several pieces", usage=Usage(input_tokens=1))


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "exchanges.json"


def test_exchanges_are_repeated(path: Path) -> None:
    recorder = record(path)
    client = Client(ScriptedModel(ANSWER, "again", ANSWER), middleware=[recorder])
    client.call(ASK)
    client.call(AGAIN)
    again = replay(path)
    assert Client(again).call(AGAIN).text() == "again"
    with pytest.raises(AssertionError, match="1 exchanges were not asked for"):
        again.assert_finished()
    assert StreamClient(again).stream(ASK).response() == ANSWER
    again.assert_finished()


def test_streams_are_repeated_delta_by_delta(path: Path) -> None:
    client = StreamClient(ScriptedModel(ANSWER), middleware=[record(path)])
    deltas = list(client.stream(ASK))
    assert list(StreamClient(replay(path)).stream(ASK)) == deltas
    assert Client(replay(path)).call(ASK) == ANSWER


def test_both_halves_record_and_repeat(path: Path) -> None:
    async def main() -> None:
        recorder = record(path)
        await AsyncClient(AsyncScriptedModel(ANSWER), middleware=[recorder]).call(ASK)
        streams = AsyncStreamClient(AsyncScriptedModel("again"), middleware=[recorder])
        await streams.stream(AGAIN).response()
        model = AsyncReplayModel(path)
        assert await AsyncClient(model).call(ASK) == ANSWER
        assert (await AsyncStreamClient(model).stream(AGAIN).response()).text() == "again"

    asyncio.run(main())


def test_errors_are_repeated_by_name(path: Path) -> None:
    broken = [ResponseDelta(TextDelta("half")), ConnectionError("key sk-0123456789 refused")]
    recorder = record(path)
    with pytest.raises(ConnectionError):
        Client(ScriptedModel(ConnectionError("cut")), middleware=[recorder]).call(ASK)
    with pytest.raises(ConnectionError):
        StreamClient(ScriptedModel(broken), middleware=[recorder]).stream(AGAIN).response()
    model = replay(path)
    with pytest.raises(ReplayedError, match="ConnectionError: cut"):
        Client(model).call(ASK)
    stream = StreamClient(model).stream(AGAIN)
    with pytest.raises(ReplayedError, match=r"key \*\*\* refused") as caught:
        stream.response()
    assert caught.value.kind == "ConnectionError"
    assert stream.text() == "half"


def test_equal_requests_are_answered_in_their_order(path: Path) -> None:
    client = Client(ScriptedModel("one", "two"), middleware=[record(path)])
    client.call(ASK)
    client.call(ASK)
    model = replay(path)
    assert [Client(model).call(ASK).text() for _ in range(2)] == ["one", "two"]
    with pytest.raises(CassetteError, match="asked for already"):
        model.call(ASK)


def test_an_unknown_request_is_told_with_the_next_known(path: Path) -> None:
    Client(ScriptedModel("x"), middleware=[record(path)]).call(ASK)
    with pytest.raises(CassetteError, match=r"(?s)no exchange left is for this.*again.*hello"):
        replay(path).call(AGAIN)


def test_secrets_do_not_reach_the_file(path: Path) -> None:
    request = Request(user("my key is sk-0123456789, my name is Ada"))
    Client(ScriptedModel("x"), middleware=[record(path)]).call(request)
    assert "my key is ***, my name is Ada" in path.read_text()
    recorder = record(path, mask=lambda text: text.replace("Ada", "someone"))
    Client(ScriptedModel("x"), middleware=[recorder]).call(request)
    assert "sk-0123456789, my name is someone" in path.read_text()


def test_a_cassette_is_plain_json(path: Path) -> None:
    Client(ScriptedModel("x"), middleware=[record(path)]).call(ASK)
    cassette = json.loads(path.read_text())
    assert cassette["version"] == 1
    assert cassette["exchanges"][0]["request"] == json.loads(ASK.to_json())


def test_a_place_that_cannot_be_written_is_told_at_once(tmp_path: Path) -> None:
    with pytest.raises(CassetteError, match="no/such/place"):
        record(tmp_path / "no/such/place")


BROKEN: dict[str, Any] = {
    "no json": "{",
    "twice": '{"version": 1, "version": 1, "exchanges": []}',
    "no object": "[]",
    "other version": '{"version": 2, "exchanges": []}',
    "unknown member": '{"version": 1, "exchanges": [], "more": 1}',
    "no request": '{"version": 1, "exchanges": [{}]}',
    "bad request": '{"version": 1, "exchanges": [{"request": {"messages": []}}]}',
    "deep": "[" * 100_000,
}


@pytest.mark.parametrize("how", BROKEN)
def test_a_broken_cassette_is_refused_by_name(path: Path, how: str) -> None:
    path.write_text(BROKEN[how])
    with pytest.raises(CassetteError, match=r"exchanges\.json: "):
        replay(path)
    path.unlink()
    with pytest.raises(CassetteError, match=r"exchanges\.json"):
        replay(path)


# Assertions


def test_a_conversation_reads_line_by_line() -> None:
    from chatport import SingleBatchTools, ToolCall, tool

    @tool
    def save(note: str) -> str:
        """Keep a note."""
        return f"{note} saved"

    model = ScriptedModel(ToolCall("1", "save", '{"note": "milk"}'), "Done.")
    tools = SingleBatchTools(save)
    response = Client(FunctionModel(model.call), middleware=[tools]).call(ASK)
    lines = ["user: hello", 'assistant calls save({"note": "milk"})', "save returns: milk saved"]
    assert said(model.requests[-1]) == lines
    assert_said(model.requests[-1], *lines)
    assert_said(response, "assistant: Done.")
    assert_said(model.requests[-1].messages[:1], "user: hello")
    assert_tools_ran(model.requests, "save")
    with pytest.raises(AssertionError, match="line 2 is None, wanted 'more'"):
        assert_said(response, "assistant: Done.", "more")
    with pytest.raises(AssertionError, match=r"wanted 'assistant: Undone\.'"):
        assert_said(response, "assistant: Undone.")
    with pytest.raises(AssertionError, match=r"results of \['save'\] were sent"):
        assert_tools_ran(model.requests)
    with pytest.raises(AssertionError, match=r"results of \[\] were sent"):
        assert_tools_ran([], "save")


def test_parts_without_text_and_errors_are_told() -> None:
    from chatport import Media, Output, Response, ToolOutput, ToolResult, tool_results

    result = ToolResult("1", "save", ToolOutput.of_text("full"), is_error=True)
    request = Request(user(Media.of_bytes("image/png", b"x")), tool_results(result))
    assert said(request) == ["user: <MediaPart>", "save fails: full"]
    assert said(Response(Output(None, "stop"))) == []
