from __future__ import annotations

import asyncio
from typing import Any

import pytest

from chatport import (
    Block,
    CallCancelledError,
    InvalidResponseError,
    InvalidSafeguardError,
    Match,
    NoStreamError,
    Output,
    ReasoningPart,
    RefusalPart,
    Request,
    Response,
    ResponseDelta,
    Safeguard,
    Substrings,
    TextDelta,
    ToolCall,
    ToolOutput,
    ToolResult,
    UnsafeContentError,
    assistant,
    cancellable,
    system,
    tool_results,
    user,
)
from chatport.testing import answer

from .conftest import Half

BAD = Substrings("Secret")
FINE = Request(user("hello"))


class Blocks(list[Block]):
    """A list to be called."""

    def __call__(self, block: Block) -> None:
        self.append(block)


def test_s76_unsafe_input_does_not_reach_the_model(half: Half) -> None:
    blocks = Blocks()
    model = half.script("never")
    guard = Safeguard(BAD, on_block=blocks)
    for request in (Request(user("a SECRET")), Request(system("secret"), user("x"))):
        with pytest.raises(UnsafeContentError, match="unsafe input: found 'Secret'") as caught:
            half.call(half.client(model, guard), request)
        assert caught.value.block == Block("input", "Secret")
        with pytest.raises(UnsafeContentError):
            half.read(half.stream_client(model, guard).stream(request), [])
    assert blocks == [Block("input", "Secret")] * 4
    assert model.requests == []


def test_s77_what_was_said_before_is_not_input(half: Half) -> None:
    call = ToolCall("1", "look", "{}")
    request = Request(
        user("hello"),
        assistant("secret", call),
        tool_results(ToolResult("1", "look", ToolOutput.of_text("secret"))),
    )
    assert half.call(half.client(half.script("fine"), Safeguard(BAD)), request).text() == "fine"
    guard = Safeguard(BAD, screen=["text", "tool_results"])
    with pytest.raises(UnsafeContentError):
        half.call(half.client(half.script("fine"), guard), request)


class PartialError(Exception):
    def __init__(self, response: Response) -> None:
        self.response = response


def test_s78_an_unsafe_response_beside_an_error_is_blocked(half: Half) -> None:
    blocks = Blocks()
    error = PartialError(answer("the secret is"))
    guard = Safeguard(BAD, on_block=blocks)
    with pytest.raises(UnsafeContentError) as caught:
        half.call(half.client(half.script(error), guard), FINE)
    assert caught.value.__cause__ is error
    assert blocks == [Block("output", "Secret")]
    harmless = PartialError(answer("nothing"))
    with pytest.raises(PartialError) as passed:
        half.call(half.client(half.script(harmless), guard), FINE)
    assert passed.value is harmless


def pieces(*texts: str) -> list[ResponseDelta]:
    return [
        *(ResponseDelta(TextDelta(text)) for text in texts),
        ResponseDelta(finish_reason="stop"),
    ]


class Whole:
    """A matcher that can only look at whole texts."""

    def __init__(self) -> None:
        self.looked: list[str] = []

    def match(self, text: str) -> Match:
        self.looked.append(text)
        return Match(found="secret" in text, term="secret")


@pytest.mark.parametrize("matcher", [BAD, Whole()])
def test_s79_a_term_split_over_deltas_is_found_before_it_is_whole(half: Half, matcher: Any) -> None:
    model = half.script(pieces("a se", "cret", " thing"))
    seen: list[ResponseDelta] = []
    with pytest.raises(UnsafeContentError):
        half.read(half.stream_client(model, Safeguard(matcher)).stream(FINE), seen)
    assert [delta.text() for delta in seen] == ["a se"]
    assert model.closed == 1


def test_s80_a_providers_error_passes_and_a_matchers_blocks(half: Half) -> None:
    model = half.script([ResponseDelta(TextDelta("a")), ConnectionError("cut")])
    seen: list[ResponseDelta] = []
    with pytest.raises(ConnectionError):
        half.read(half.stream_client(model, Safeguard(BAD)).stream(FINE), seen)
    assert len(seen) == 1

    class Broken:
        def match(self, text: str) -> Match:
            raise RuntimeError("matcher down")

    model = half.script("never")
    with pytest.raises(RuntimeError, match="matcher down"):
        half.call(half.client(model, Safeguard(Broken())), FINE)
    assert model.requests == []
    with pytest.raises(RuntimeError, match="matcher down"):
        half.call(half.client(half.script("x"), Safeguard(Broken(), scope="output")), FINE)


def test_s80_a_malformed_delta_ends_the_stream(half: Half) -> None:
    deltas = [ResponseDelta(finish_reason="stop"), ResponseDelta(TextDelta("more"))]
    with pytest.raises(InvalidResponseError):
        half.read(half.stream_client(half.script(deltas), Safeguard(BAD)).stream(FINE), [])

    class Nothing:
        def stream(self, request: Request) -> None:
            return None

    with pytest.raises(NoStreamError):
        half.read(half.stream_client(Nothing(), Safeguard(BAD)).stream(FINE), [])


@pytest.mark.parametrize(
    ("term", "text"),
    [("ΚΌΣΜΟΣ", "κόσμος"), ("STRASSE", "straße"), ("ß", "SS"), ("\ufb03", "ffi")],
)
def test_s81_case_is_folded_fully(term: str, text: str) -> None:
    assert Substrings(term).match(f"a {text} b") == Match(found=True, term=term)
    assert not Substrings(term, case_sensitive=True).match(text).found
    assert Substrings(term, hide_term=True).match(text) == Match(found=True)


def test_s81_text_is_not_normalised() -> None:
    assert not Substrings("\u00e9").match("e\u0301").found


def test_terms_are_stripped_and_the_first_spelling_is_kept() -> None:
    matcher = Substrings("  ", " One ", "ONE", "two", "o")
    assert matcher.match("two ones").term == "One"
    assert matcher.match("two").term == "two"
    assert matcher.match("so").term == "o"
    assert not matcher.match("").found


@pytest.mark.parametrize("terms", [(), ("", "  "), (7,)])
def test_a_matcher_needs_a_term(terms: Any) -> None:
    with pytest.raises(InvalidSafeguardError):
        Substrings(*terms)


@pytest.mark.parametrize(
    ("arguments", "path"),
    [
        ({"matcher": None}, "matcher"),
        ({"matcher": BAD, "scope": "all"}, "scope"),
        ({"matcher": BAD, "screen": ["smell"]}, "screen"),
    ],
)
def test_a_safeguard_configured_wrongly_is_refused(arguments: Any, path: str) -> None:
    with pytest.raises(InvalidSafeguardError) as caught:
        Safeguard(**arguments)
    assert caught.value.path == path


def test_a_term_split_over_messages_is_found(half: Half) -> None:
    with pytest.raises(UnsafeContentError):
        half.call(half.client(half.script("x"), Safeguard(BAD)), Request(user("se"), user("cret")))


def test_a_scope_limits_what_is_looked_at(half: Half) -> None:
    unsafe = Request(user("secret"))
    client = half.client(half.script("fine", "secret"), Safeguard(BAD, scope="output"))
    assert half.call(client, unsafe).text() == "fine"
    with pytest.raises(UnsafeContentError, match="unsafe output"):
        half.call(client, FINE)
    client = half.client(half.script("secret"), Safeguard(BAD, scope="input"))
    assert half.call(client, FINE).text() == "secret"
    stream_client = half.stream_client(half.script("secret"), Safeguard(BAD, scope="input"))
    assert half.run(stream_client.stream(FINE).response()).text() == "secret"


@pytest.mark.parametrize(
    ("part", "kind"),
    [
        (RefusalPart("secret"), "refusal"),
        (ReasoningPart("secret"), "reasoning"),
        (ToolCall("1", "x", '{"a": "secret"}'), "tool_arguments"),
    ],
)
def test_other_parts_are_screened_when_asked(half: Half, part: Any, kind: Any) -> None:
    response = Response(Output(assistant(part), "stop"))
    plain, more = Safeguard(BAD), Safeguard(BAD, screen=("text", kind))
    assert half.call(half.client(half.script(response), plain), FINE) == response
    with pytest.raises(UnsafeContentError):
        half.call(half.client(half.script(response), more), FINE)
    half.run(half.stream_client(half.script(response), plain).stream(FINE).response())
    with pytest.raises(UnsafeContentError):
        half.read(half.stream_client(half.script(response), more).stream(FINE), [])


def test_a_response_without_a_message_is_safe(half: Half) -> None:
    response = Response(Output(None, "stop"))
    assert half.call(half.client(half.script(response), Safeguard(BAD)), FINE) is response


def test_a_stream_is_screened_in_linear_time() -> None:
    look = Substrings("needle", "x" * 50).follow()
    for _ in range(1000):
        assert not look("hay ").found
    # What is looked at again is never longer than the longest term.
    assert look("need").found is False
    assert look("le").found is True
    assert Substrings("y").follow()("xyz").found


def test_a_matcher_may_be_asynchronous() -> None:
    class Late:
        async def match(self, text: str) -> Match:
            await asyncio.sleep(0)
            return Match(found="secret" in text)

    half = Half(asynchronous=True)
    with pytest.raises(UnsafeContentError) as caught:
        half.call(half.client(half.script("secret"), Safeguard(Late())), FINE)
    assert str(caught.value) == "unsafe output"
    half = Half(asynchronous=False)
    with pytest.raises(TypeError, match="use the async client"):
        half.call(half.client(half.script("secret"), Safeguard(Late())), FINE)


def test_a_matcher_returns_a_match(half: Half) -> None:
    class Simple:
        def match(self, text: str) -> bool:
            return "secret" in text

    with pytest.raises(InvalidSafeguardError, match="returns a Match, not bool"):
        half.call(half.client(half.script("x"), Safeguard(Simple())), FINE)  # type: ignore[arg-type]


def test_a_cancelled_call_is_not_screened(half: Half) -> None:
    with cancellable() as scope:
        scope.cancel()
        with pytest.raises(CallCancelledError):
            half.call(half.client(half.script("x"), Safeguard(BAD)), FINE)
