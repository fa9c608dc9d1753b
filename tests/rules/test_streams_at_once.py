"""Streams whose request is sent where they are made: a function of the program does that."""

from __future__ import annotations

import pytest

from tests.support.port import IMPORTS, clean, refused, warned, whole_ported

MODEL = 'model = genai.GenerativeModel("m")\n'
DEFINED = """\
import itertools

from google import genai
from google.genai import types


def start_stream(stream):
    \"\"\"Send the request of a stream now, and not where its pieces are read.\"\"\"
    pieces = iter(stream)
    first = list(itertools.islice(pieces, 1))
    return itertools.chain(first, pieces)


client = genai.Client("""


def at_once(source: str) -> str:
    """What a program becomes whose stream is sent at once, without what lays it out."""
    now = whole_ported(IMPORTS + MODEL + clean(source))
    assert now.startswith(DEFINED)
    return "".join(now.split()).replace(",)", ")")


OTHERS = {
    "the function with the loop has a handler": (
        """
        def show(pieces):
            try:
                for piece in pieces:
                    print(len(piece.candidates))
            except Exception:
                print("failed")

        show(model.generate_content("x", stream=True))
        """
    ),
    "opened before the handler begins": (
        """
        def pieces():
            return model.generate_content("x", stream=True)

        def show():
            found = pieces()
            try:
                for piece in found:
                    print(len(piece.candidates))
            except Exception:
                print("failed")
        """
    ),
    "read behind the handler": (
        """
        def show(pieces):
            for piece in pieces:
                print(len(piece.candidates))

        def ask():
            try:
                pieces = model.generate_content("x", stream=True)
            except Exception:
                return
            show(pieces)
        """
    ),
    "tried again where it is opened": (
        """
        def pieces():
            for _ in range(3):
                try:
                    return model.generate_content("x", stream=True)
                except Exception:
                    print("again")

        for piece in pieces():
            print(len(piece.candidates))
        """
    ),
    "a generator that is gone through later": (
        """
        def lengths(pieces):
            for piece in pieces:
                yield len(piece.candidates)

        def ask():
            try:
                found = lengths(model.generate_content("x", stream=True))
            except Exception:
                return
            print(list(found))
        """
    ),
}


@pytest.mark.parametrize("source", OTHERS.values(), ids=OTHERS)
def test_a_request_that_would_fail_elsewhere(source: str) -> None:
    call = 'start_stream(client.models.generate_content_stream(model="m",contents="x"))'
    assert call in at_once(source)
    assert "stream_sent_when_read" not in dict(map(reversed, warned(MODEL + clean(source))))


@pytest.mark.parametrize(
    "source",
    [
        'model.generate_content("x", stream=True)\n',
        'pieces = model.generate_content("x", stream=True)\n',
        'pieces = model.generate_content("x", stream=True)\nagain = pieces\n',
        'chat = model.start_chat()\nchat.send_message("x", stream=True)\n',
    ],
)
def test_a_request_whose_answer_nobody_reads(source: str) -> None:
    assert "start_stream(c" in at_once(source)


def test_a_message_that_the_chat_keeps_as_one_turn() -> None:
    source = """
        chat = model.start_chat()

        def ask(question):
            try:
                return chat.send_message(question, stream=True)
            except Exception:
                return []

        def talk():
            for piece in ask("x"):
                print(piece.text)
            print(len(chat.history))
        """
    now = whole_ported(IMPORTS + MODEL + clean(source))
    assert "return start_stream(stream_message(chat, message=question))" in now
    assert now.count("\n\n\ndef ") == 2
    assert "\n\n\n\n" not in now


def test_a_name_that_is_free_is_taken() -> None:
    source = OTHERS["tried again where it is opened"]
    now = whole_ported(IMPORTS + MODEL + "start_stream = 1\n" + clean(source))
    assert "def begin_stream(stream):" in now
    assert "return begin_stream(" in now


def test_a_stream_that_is_read_under_its_handler_is_left() -> None:
    source = """
        def ask():
            try:
                for piece in model.generate_content("x", stream=True):
                    print(len(piece.candidates))
            except Exception:
                print("failed")
        """
    assert "start_stream" not in whole_ported(IMPORTS + MODEL + clean(source))


AWAITED = """
        async def pieces():
            try:
                return await model.generate_content_async("x", stream=True)
            except Exception:
                print("failed")

        async def show():
            async for piece in await pieces():
                print(len(piece.candidates))
        """


def test_a_stream_that_is_waited_for() -> None:
    now = whole_ported(IMPORTS + MODEL + clean(AWAITED))
    assert "return await start_async_stream(\n" in now
    assert 'await client.aio.models.generate_content_stream(model="m", contents="x"),\n' in now
    assert "async def start_async_stream(stream):\n" in now
    assert "itertools" not in now


TASK = """
        import asyncio

        async def pieces():
            try:
                return asyncio.create_task(model.generate_content_async("x", stream=True))
            except Exception:
                print("failed")

        async def show():
            async for piece in await (await pieces()):
                print(len(piece.candidates))
        """
THREAD = """
        import asyncio

        async def pieces():
            try:
                return await asyncio.to_thread(model.generate_content, "x", stream=True)
            except Exception:
                print("failed")
        """
TWICE = """
        def pieces():
            try:
                return model.generate_content("x", stream=True)
            except Exception:
                return []

        def show():
            found = pieces()
            for piece in found:
                print(piece.text)
            for piece in found:
                print(piece.text)
        """
WHOLE = """
        def pieces():
            try:
                return model.generate_content("x", stream=True)
            except Exception:
                return []

        print(pieces().text)
        """
TAKEN = f"""
        start_stream = begin_stream = start_answer_stream = None
        {OTHERS["tried again where it is opened"].strip()}
        """
HANDED = """
        import somewhere

        def pieces():
            try:
                return somewhere.show(model.generate_content("x", stream=True))
            except Exception:
                return []
        """
ASKED = """
        pieces = model.generate_content("x", stream=True)
        print(pieces.prompt_feedback)
        """
SHOWN = """
        pieces = model.generate_content("x", stream=True)
        print(pieces)
        """
TESTED = """
        pieces = model.generate_content("x", stream=True)
        if pieces:
            print(1)
        """
ITEM = """
        pieces = model.generate_content("x", stream=True)
        print(pieces[0])
        """


@pytest.mark.parametrize(
    "source", [TASK, THREAD, TWICE, WHOLE, TAKEN, HANDED, ASKED, SHOWN, TESTED, ITEM]
)
def test_what_does_more_than_go_through_it_is_refused(source: str) -> None:
    codes = refused(MODEL + clean(source))
    assert codes & {"response_shape_changed", "method_used_as_value"}
