"""Streams that are read as a whole behind their loop: from a list of their pieces."""

from __future__ import annotations

import pytest

from tests.support.port import clean, ported, refused

HEAD = """
        model = genai.GenerativeModel("m")
        response = model.generate_content("x", stream=True)
"""

LOOP = "for chunk in response:\n            print(chunk.text)\n        "

READS = {
    "the text": ("response.text", '"".join(chunk.text or "" for chunk in chunks)'),
    "the usage": ("response.usage_metadata", "chunks[-1].usage_metadata"),
    "the feedback": (
        "bool(response.prompt_feedback)",
        "bool(chunks[0].prompt_feedback)",
    ),
}


@pytest.mark.parametrize(("read", "now"), READS.values(), ids=READS)
def test_what_is_read_behind_the_loop_is_read_from_the_pieces(read: str, now: str) -> None:
    before = f"{HEAD}        {LOOP}print({read})\n"
    after = f"""
        response = client.models.generate_content_stream(model="m", contents="x")
        chunks = []
        for chunk in response:
            chunks.append(chunk)
            print(chunk.text)
        print({now})
        """
    assert ported(before) == clean(after)


def test_resolving_behind_the_loop_goes() -> None:
    now = ported(
        HEAD
        + """
        for chunk in response:
            print(chunk.text)
        response.resolve()
        print(response.text)
        """
    )
    assert "resolve" not in now


def test_two_streams_have_a_list_each() -> None:
    now = ported(
        """
        model = genai.GenerativeModel("m")
        one = model.generate_content("x", stream=True)
        for chunk in one:
            print(chunk.text)
        two = model.generate_content("y", stream=True)
        for chunk in two:
            print(chunk.text)
        print(one.text, two.text)
        """
    )
    assert "chunk in chunks), " in now
    assert "chunk in pieces))" in now


REFUSED = {
    "before the loop": f"print(response.text)\n        {LOOP}",
    "in the loop": "for chunk in response:\n            print(response.text)",
    "a loop that is left": "for chunk in response:\n            break\n"
    "        print(response.text)",
    "a loop that may not run": "if input():\n            for chunk in response:\n"
    "                print(chunk.text)\n        print(response.text)",
    "two loops": f"{LOOP}{LOOP}print(response.text)",
    "a loop with an end of its own": "for chunk in response:\n            print(chunk.text)\n"
    "        else:\n            print(1)\n        print(response.text)",
    "a loop over pairs": "for n, chunk in enumerate(response):\n            print(chunk.text)\n"
    "        print(response.text)",
    "what joins otherwise": f"{LOOP}print(response.candidates)",
    "the parts": f"{LOOP}print(response.parts)",
    "read by a function inside": f"{LOOP}print((lambda: response.text)())",
    "handed on": f"{LOOP}print(len([response]))",
    "only where a test holds": f"{LOOP}print(input() and response.text)",
    "under a handler of missing text": "for chunk in response:\n"
    "            print(chunk.usage_metadata)\n        try:\n            print(response.text)\n"
    "        except ValueError:\n            print(1)",
    "under a handler, when not each piece is read": "for chunk in response:\n"
    "            if input():\n                print(chunk.text)\n        try:\n"
    "            print(response.text)\n        except ValueError:\n            print(1)",
    "under a handler, when a piece may be skipped": "for chunk in response:\n"
    "            if input():\n                continue\n            print(chunk.text)\n"
    "        try:\n            print(response.text)\n        except ValueError:\n"
    "            print(1)",
    "under a handler, when a piece is read in a try": "for chunk in response:\n"
    "            try:\n                print(chunk.text)\n            except ValueError:\n"
    "                print(2)\n        try:\n            print(response.text)\n"
    "        except ValueError:\n            print(1)",
    "under a handler, when a piece is asked for by name": "for chunk in response:\n"
    "            print(getattr(chunk, 'text', ''))\n        try:\n"
    "            print(response.text)\n        except ValueError:\n            print(1)",
    "under a handler, when a piece is read later": "for chunk in response:\n"
    "            print(lambda: chunk.text)\n        try:\n            print(response.text)\n"
    "        except ValueError:\n            print(1)",
    "the names are taken": f"chunks = pieces = response_chunks = 1\n        {LOOP}"
    "print(response.text)",
}


@pytest.mark.parametrize("source", REFUSED.values(), ids=REFUSED)
def test_what_may_not_be_the_whole_is_refused(source: str) -> None:
    assert "response_shape_changed" in refused(f"{HEAD}        {source}\n")


def test_the_whole_has_text_where_each_piece_was_read() -> None:
    before = """
        def ask(question):
            try:
                said = genai.GenerativeModel("m").generate_content(question, stream=True)
                for chunk in said:
                    print(chunk.text, end="")
                    print(len(chunk.text))
                return said.text
            except Exception as error:
                return str(error)
        """
    after = """
        def ask(question):
            try:
                said = client.models.generate_content_stream(model="m", contents=question)
                chunks = []
                for chunk in said:
                    chunks.append(chunk)
                    if chunk.text is None:
                        raise ValueError("the answer holds no text")
                    print(chunk.text, end="")
                    print(len(chunk.text))
                return "".join(chunk.text or "" for chunk in chunks)
            except Exception as error:
                return str(error)
        """
    assert ported(before) == clean(after)


def test_one_name_of_two_streams_in_two_branches() -> None:
    before = """
        def ask(question, long):
            model = genai.GenerativeModel("m")
            if long:
                said = model.generate_content(question, stream=True)
                for chunk in said:
                    print(chunk.text)
                return said.text
            else:
                said = model.generate_content("short", stream=True)
                for chunk in said:
                    print(chunk.text)
                print(said.text)
        """
    now = ported(before)
    assert 'return "".join(chunk.text or "" for chunk in chunks)' in now
    assert 'print("".join(chunk.text or "" for chunk in pieces))' in now


def test_a_stream_that_is_waited_for_piece_by_piece() -> None:
    before = """
        async def ask(question):
            said = await genai.GenerativeModel("m").generate_content_async(question, stream=True)
            async for chunk in said:
                print(chunk.text)
            return said.text
        """
    now = ported(before)
    assert "    chunks = []\n    async for chunk in said:\n        chunks.append(chunk)\n" in now
    assert 'return "".join(chunk.text or "" for chunk in chunks)' in now
