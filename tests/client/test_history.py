"""Conversations: what of them is sent, and what is kept."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Iterable
from typing import Any

import pytest

from chatport import (
    CallCancelledError,
    HistoryCommitError,
    IncompleteStreamError,
    InMemoryHistory,
    InvalidHistoryError,
    InvalidResponseError,
    Message,
    Request,
    Response,
    ResponseDelta,
    SingleBatchTools,
    TextDelta,
    assistant,
    conversation,
    history,
    retry,
    system,
    user,
)
from chatport.testing import answer

from .batches import HUNGRY, Kitchen, cook, texts
from .conftest import Half

Ask = Callable[[Any, Request, Any], Any]


class LaterHistory:
    """A store that is asynchronous."""

    def __init__(self) -> None:
        self.kept = InMemoryHistory()

    async def read(self, conversation: str, /) -> tuple[Message, ...]:
        await asyncio.sleep(0)
        return self.kept.read(conversation)

    async def append(self, conversation: str, messages: tuple[Message, ...], /) -> None:
        await asyncio.sleep(0)
        self.kept.append(conversation, messages)


class BrokenHistory(InMemoryHistory):
    """A store that fails where it is told to."""

    def __init__(self, where: str, error: BaseException) -> None:
        super().__init__()
        self.where, self.error = where, error

    def read(self, conversation: str, /) -> tuple[Message, ...]:
        if self.where == "read":
            raise self.error
        return super().read(conversation)

    def append(self, conversation: str, messages: tuple[Message, ...], /) -> None:
        if self.where == "append":
            raise self.error
        super().append(conversation, messages)


class OddHistory:
    """A store that holds whatever it is given."""

    def __init__(self, held: Any) -> None:
        self.held = held

    def read(self, conversation: str, /) -> Any:
        return self.held

    def append(self, conversation: str, messages: tuple[Message, ...], /) -> None:
        raise AssertionError("nothing may be kept")


def said(messages: Iterable[Message]) -> list[tuple[str, str]]:
    return [(message.role, message.text()) for message in messages]


@pytest.fixture(params=["call", "stream"])
def ask(request: pytest.FixtureRequest, half: Half) -> Ask:
    """Ask a scripted model through a layer, called or streamed; the whole response."""

    def called(model: Any, request: Request, *layers: Any) -> Any:
        return half.call(half.client(model, *layers), request)

    def streamed(model: Any, request: Request, *layers: Any) -> Any:
        return half.run(half.stream_client(model, *layers).stream(request).response())

    return called if request.param == "call" else streamed


def test_what_was_said_goes_before_what_is_new(half: Half, ask: Ask) -> None:
    store = InMemoryHistory()
    model = half.script("Hello, Ada.", "Ada.", "Nobody told me.")
    brief = system("Be brief.")
    with conversation("ada"):
        assert ask(model, Request(brief, user("I am Ada.")), history(store)).text() == "Hello, Ada."
        assert ask(model, Request(brief, user("Who am I?")), history(store)).text() == "Ada."
    with conversation("bob"):
        ask(model, Request(user("Who am I?")), history(store))
    assert said(model.requests[1].messages) == [
        ("system", "Be brief."),
        ("user", "I am Ada."),
        ("assistant", "Hello, Ada."),
        ("user", "Who am I?"),
    ]
    assert said(model.requests[2].messages) == [("user", "Who am I?")]
    assert said(store.read("ada")) == [
        ("user", "I am Ada."),
        ("assistant", "Hello, Ada."),
        ("user", "Who am I?"),
        ("assistant", "Ada."),
    ]


def test_without_a_conversation_nothing_is_read_or_kept(half: Half, ask: Ask) -> None:
    store = BrokenHistory("read", AssertionError("nothing may be read"))
    model = half.script("Hello.")
    assert ask(model, Request(user("hi")), history(store)).text() == "Hello."
    assert said(model.requests[0].messages) == [("user", "hi")]


def test_a_conversation_may_be_the_middlewares_own(half: Half, ask: Ask) -> None:
    store = InMemoryHistory()
    with conversation("around"):
        ask(half.script("Hello."), Request(user("hi")), history(store, conversation="own"))
    assert said(store.read("own")) == [("user", "hi"), ("assistant", "Hello.")]
    assert store.read("around") == ()


def test_the_innermost_conversation_counts(half: Half, ask: Ask) -> None:
    store = InMemoryHistory()
    with conversation("outer"):
        with conversation("inner"):
            ask(half.script("1"), Request(user("a")), history(store))
        ask(half.script("2"), Request(user("b")), history(store))
    assert said(store.read("inner")) == [("user", "a"), ("assistant", "1")]
    assert said(store.read("outer")) == [("user", "b"), ("assistant", "2")]


def test_a_store_may_be_asynchronous_in_an_asynchronous_client(half: Half, ask: Ask) -> None:
    store = LaterHistory()
    layer = history(store, conversation="ada")
    model = half.script("Hello.", "Bye.")
    if not half.asynchronous:
        with pytest.raises(TypeError, match="use the async client"):
            ask(model, Request(user("hi")), layer)
        assert model.requests == []
        return
    ask(model, Request(user("hi")), layer)
    ask(model, Request(user("bye")), layer)
    assert len(store.kept.read("ada")) == 4
    assert said(model.requests[1].messages)[:2] == [("user", "hi"), ("assistant", "Hello.")]


def test_system_messages_are_not_kept_and_stored_ones_not_sent(half: Half, ask: Ask) -> None:
    store = InMemoryHistory()
    store.append("ada", (system("Old rules."), user("hi"), assistant("Hello.")))
    model = half.script("Bye.")
    ask(model, Request(system("New rules."), user("bye")), history(store, conversation="ada"))
    assert said(model.requests[0].messages) == [
        ("system", "New rules."),
        ("user", "hi"),
        ("assistant", "Hello."),
        ("user", "bye"),
    ]
    assert said(store.read("ada")[3:]) == [("user", "bye"), ("assistant", "Bye.")]


@pytest.mark.parametrize(
    ("place", "kept"),
    [
        ("outside", [("user", "I am hungry."), ("assistant", "Enjoy.")]),
        (
            "inside",
            [("user", "I am hungry."), ("assistant", ""), ("tool", ""), ("assistant", "Enjoy.")],
        ),
    ],
)
def test_s50_a_history_keeps_what_passes_its_place(
    half: Half, ask: Ask, kitchen: Kitchen, place: str, kept: list[tuple[str, str]]
) -> None:
    store = InMemoryHistory()
    recorder, tools = history(store, conversation="ada"), SingleBatchTools(kitchen.cook)
    layers = [recorder, tools] if place == "outside" else [tools, recorder]
    ask(half.script(cook("1", "soup"), "Enjoy."), HUNGRY, *layers)
    assert kitchen.ran == ["soup"]
    assert said(store.read("ada")) == kept


@pytest.mark.parametrize(
    "unfinished",
    [
        answer(cook("1", "soup")),
        answer("text", cook("1", "soup"), finish_reason="stop"),
        answer(finish_reason="content_filter"),
    ],
    ids=["wish", "wish-beside-text", "no-message"],
)
def test_an_exchange_without_an_answer_is_not_kept(
    half: Half, ask: Ask, unfinished: Response
) -> None:
    store = InMemoryHistory()
    ask(half.script(unfinished), HUNGRY, history(store, conversation="ada"))
    assert store.read("ada") == ()


def test_an_answer_that_was_cut_is_kept(half: Half, ask: Ask) -> None:
    store = InMemoryHistory()
    cut = answer("Once upon", finish_reason="length")
    ask(half.script(cut), Request(user("tell")), history(store, conversation="ada"))
    assert said(store.read("ada")) == [("user", "tell"), ("assistant", "Once upon")]


def test_a_models_error_passes_and_nothing_is_kept(half: Half, ask: Ask) -> None:
    store = InMemoryHistory()
    error = ConnectionError("down")
    with pytest.raises(ConnectionError) as caught:
        ask(half.script(error), HUNGRY, history(store, conversation="ada"))
    assert caught.value is error
    assert store.read("ada") == ()


def test_what_is_no_response_is_not_kept(half: Half) -> None:
    store = InMemoryHistory()
    model = half.model(lambda request: None)  # type: ignore[arg-type, return-value]
    with pytest.raises(InvalidResponseError):
        half.call(half.client(model, history(store, conversation="ada")), HUNGRY)
    assert store.read("ada") == ()


@pytest.mark.parametrize(
    ("deltas", "error"),
    [
        ([ResponseDelta(TextDelta("Once"))], IncompleteStreamError),
        ([ResponseDelta(TextDelta("Once")), ConnectionError("down")], ConnectionError),
    ],
)
def test_a_stream_that_breaks_is_not_kept(
    half: Half, deltas: list[Any], error: type[Exception]
) -> None:
    store = InMemoryHistory()
    client = half.stream_client(half.script(deltas), history(store, conversation="ada"))
    seen: list[Any] = []
    with pytest.raises(error):
        half.read(client.stream(HUNGRY), seen)
    assert [delta.text() for delta in seen] == ["Once"]
    assert store.read("ada") == ()


def test_a_stream_that_is_left_is_not_kept_and_is_released(half: Half) -> None:
    store = InMemoryHistory()
    model = half.script(texts("one", "two"))
    client = half.stream_client(model, history(store, conversation="ada"))
    half.read(client.stream(HUNGRY), [], limit=1)
    assert (store.read("ada"), model.closed) == ((), 1)


def test_nothing_is_read_before_a_stream_is(half: Half) -> None:
    store = BrokenHistory("read", OSError("disk"))
    model = half.script("never")
    stream = half.stream_client(model, history(store, conversation="ada")).stream(HUNGRY)
    with pytest.raises(OSError, match="disk"):
        half.read(stream, [])
    assert model.requests == []


def test_a_store_that_cannot_be_read_stops_the_call(half: Half, ask: Ask) -> None:
    error = OSError("disk")
    model = half.script("never")
    with pytest.raises(OSError) as caught:
        ask(model, HUNGRY, history(BrokenHistory("read", error), conversation="ada"))
    assert caught.value is error
    assert model.requests == []


@pytest.mark.parametrize("said_so", [None, 1])
def test_an_answer_that_cannot_be_kept_is_on_the_error(
    half: Half, ask: Ask, said_so: int | None
) -> None:
    error = OSError("disk full")
    if said_so is not None:
        error.written = said_so  # type: ignore[attr-defined]
    store = BrokenHistory("append", error)
    given = answer("Enjoy.")
    model = half.script(given)
    with pytest.raises(HistoryCommitError) as caught:
        ask(model, HUNGRY, retry, history(store, conversation="ada"))
    assert len(model.requests) == 1, "an answer that was given is not asked for again"
    assert caught.value.response == given
    assert said(caught.value.messages) == [("user", "I am hungry."), ("assistant", "Enjoy.")]
    assert (caught.value.conversation, caught.value.written) == ("ada", said_so)
    assert caught.value.__cause__ is error
    assert "could not be added" in str(caught.value)
    assert ("; 1 were" in str(caught.value)) == (said_so == 1)


def test_a_cancellation_while_keeping_stays_one(half: Half, ask: Ask) -> None:
    store = BrokenHistory("append", CallCancelledError("enough"))
    with pytest.raises(CallCancelledError, match="enough"):
        ask(half.script("Enjoy."), HUNGRY, history(store, conversation="ada"))


@pytest.mark.parametrize(
    ("held", "problem"),
    [
        (7, "the store returned int, no list of messages"),
        ([user("hi"), "Hello."], r"\[1\]: the store returned str, not Message"),
    ],
)
def test_what_a_store_holds_is_messages(half: Half, ask: Ask, held: Any, problem: str) -> None:
    model = half.script("never")
    with pytest.raises(InvalidHistoryError, match=problem):
        ask(model, HUNGRY, history(OddHistory(held), conversation="ada"))
    assert model.requests == []


@pytest.mark.parametrize("name", ["", "  ", 7, None])
def test_a_conversation_has_a_name(name: Any) -> None:
    with pytest.raises(InvalidHistoryError, match=r"conversation: .* is no id"), conversation(name):
        pass
    if name is not None:
        with pytest.raises(InvalidHistoryError, match="is no id: it is a text"):
            history(InMemoryHistory(), conversation=name)


@pytest.mark.parametrize("store", [None, {}, "shelf"])
def test_a_store_reads_and_appends(store: Any) -> None:
    with pytest.raises(InvalidHistoryError, match=r"store: .* has no method read"):
        history(store)


def test_a_conversation_can_be_forgotten() -> None:
    store = InMemoryHistory()
    store.append("ada", (user("hi"),))
    store.forget("ada")
    store.forget("ada")
    assert store.read("ada") == ()


def test_conversations_of_many_threads_keep_to_themselves() -> None:
    half = Half(asynchronous=False)
    store = InMemoryHistory()
    model = half.model(lambda request: answer(f"re {request.messages[-1].text()}"))
    client = half.client(model, history(store))

    def talk(name: str) -> None:
        with conversation(name):
            for number in range(5):
                client.call(Request(user(f"{name} {number}")))

    threads = [threading.Thread(target=talk, args=(f"t{n}",)) for n in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for n in range(8):
        texts = [message.text() for message in store.read(f"t{n}")]
        assert texts == [f"{how}t{n} {k}" for k in range(5) for how in ("", "re ")]


def test_calls_of_one_conversation_at_the_same_time_are_each_kept_whole() -> None:
    store = InMemoryHistory()
    half = Half(asynchronous=True)
    model = half.model(lambda request: answer(f"re {request.messages[-1].text()}"))
    client = half.client(model, history(store, conversation="ada"))

    async def talk() -> None:
        await asyncio.gather(*(client.call(Request(user(str(n)))) for n in range(20)))

    asyncio.run(talk())
    kept = [message.text() for message in store.read("ada")]
    assert sorted(kept[::2], key=int) == [str(n) for n in range(20)]
    assert kept[1::2] == [f"re {text}" for text in kept[::2]]
