"""Strategies for JSON that looks like a provider's, and for requests that a provider may take."""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterator, Sequence
from typing import Any, TypeVar

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st

from chatport.chat import ChatError, Message, Metadata, Request
from tests.chat import strategies as chat

T = TypeVar("T")

QUICK = settings(max_examples=60, suppress_health_check=[HealthCheck.too_slow], deadline=None)


def names_in(value: Any) -> list[str]:
    """The names of all members anywhere in a value, sorted."""
    return sorted({key for _, key in _places(value) if isinstance(key, str)})


def lookalikes(names: Sequence[str], words: Sequence[str]) -> st.SearchStrategy[Any]:
    """JSON whose members have a protocol's names, and whose texts are often its words."""
    texts = st.sampled_from(words) | chat.texts
    numbers = st.integers(-5, 2**70) | st.floats(allow_nan=False, allow_infinity=False)
    return st.recursive(
        st.none() | st.booleans() | numbers | texts,
        lambda inner: (
            st.lists(inner, max_size=3)
            | st.dictionaries(st.sampled_from(names) | chat.words, inner, max_size=4)
        ),
        max_leaves=6,
    )


@st.composite
def spoiled(draw: st.DrawFn, documents: Sequence[Any], instead: st.SearchStrategy[Any]) -> Any:
    """One of the documents, with up to three of its nodes left out or replaced."""
    document = {"": copy.deepcopy(draw(st.sampled_from(documents)))}
    for _ in range(draw(st.integers(0, 3))):
        places = list(_places(document))
        if not places:
            break
        holder, key = draw(st.sampled_from(places))
        if draw(st.booleans()) and key != "":
            del holder[key]
        else:
            holder[key] = draw(instead)
    return document[""]


def _places(value: Any) -> Iterator[tuple[Any, Any]]:
    steps: Sequence[Any] = ()
    if isinstance(value, dict):
        steps = list(value)
    elif isinstance(value, list):
        steps = range(len(value))
    for key in steps:
        yield value, key
        yield from _places(value[key])


@st.composite
def requests(
    draw: st.DrawFn, own: st.SearchStrategy[dict[str, Any]], marks: Sequence[str]
) -> Request:
    """Requests that name a model, often without an extension of anybody else's, and with the marks
    of providers in the metadata of their parts and messages.
    """
    request = draw(chat.requests())
    model = draw(st.sampled_from(["m", "models/x-1", "a/b"]))
    options = request.options.replace(model=model)
    if draw(st.booleans()):
        options = options.replace(extensions=draw(own))
    if draw(st.booleans()):
        marked = st.dictionaries(st.sampled_from(marks), chat.json_values, max_size=2).map(Metadata)
        messages = [_marked(draw, message, marked) for message in request.messages]
        request = request.replace(messages=tuple(messages))
    return request.replace(options=options)


def _marked(draw: st.DrawFn, message: Message, marked: st.SearchStrategy[Metadata]) -> Message:
    parts = [part.replace(metadata=draw(marked)) for part in message.parts]
    return Message(message.role, tuple(parts), draw(marked))


def outcome(attempt: Callable[[], T]) -> T | ChatError:
    """What an attempt gives, or the error of ours it ends with."""
    try:
        return attempt()
    except ChatError as error:
        return error
