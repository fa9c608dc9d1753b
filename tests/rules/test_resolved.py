"""Answers that are resolved: nothing happens to whole ones, the pieces of streams are listed."""

from __future__ import annotations

import pytest

from tests.support.port import clean, ported, refused

PORTED = {
    "no stream at all": (
        """
        response = model.generate_content("x")
        response.resolve()
        print(response.candidates)
        """,
        """
        response = client.models.generate_content(model="m", contents="x")
        print(response.candidates or [])
        """,
    ),
    "the only statement of a block": (
        """
        response = model.generate_content("x")
        if input():
            response.resolve()
        print(response.candidates)
        """,
        """
        response = client.models.generate_content(model="m", contents="x")
        if input():
            pass
        print(response.candidates or [])
        """,
    ),
}


@pytest.mark.parametrize(("before", "after"), PORTED.values(), ids=PORTED)
def test_resolving_a_whole_answer_goes(before: str, after: str) -> None:
    source = 'model = genai.GenerativeModel("m")\n' + clean(before)
    assert ported(source) == clean(after)


STREAMS = {
    "the text": (
        """
        response = model.generate_content("x", stream=True)
        response.resolve()
        print(response.text)
        """,
        """
        response = client.models.generate_content_stream(model="m", contents="x")
        chunks = list(response)
        print("".join(chunk.text or "" for chunk in chunks))
        """,
    ),
    "the usage, in a function": (
        """
        def ask(question):
            said = model.generate_content(question, stream=True)
            said.resolve()
            print(said.usage_metadata)
            return said.text
        """,
        """
        def ask(question):
            said = client.models.generate_content_stream(model="m", contents=question)
            chunks = list(said)
            print(chunks[-1].usage_metadata)
            return "".join(chunk.text or "" for chunk in chunks)
        """,
    ),
    "with something between": (
        """
        response = model.generate_content("x", stream=True)
        print("wait")
        response.resolve()
        print(response.text)
        """,
        """
        response = client.models.generate_content_stream(model="m", contents="x")
        print("wait")
        chunks = list(response)
        print("".join(chunk.text or "" for chunk in chunks))
        """,
    ),
    "nothing": (
        """
        response = model.generate_content("x", stream=True)
        response.resolve()
        """,
        """
        response = client.models.generate_content_stream(model="m", contents="x")
        chunks = list(response)
        """,
    ),
    "waited for": (
        """
        async def ask(question):
            said = await model.generate_content_async(question, stream=True)
            await said.resolve()
            print(said.usage_metadata)
            return said.text
        """,
        """
        async def ask(question):
            said = await client.aio.models.generate_content_stream(model="m", contents=question)
            chunks = [chunk async for chunk in said]
            print(chunks[-1].usage_metadata)
            return "".join(chunk.text or "" for chunk in chunks)
        """,
    ),
    "in two branches": (
        """
        def ask(question, image):
            if image is None:
                said = model.generate_content(question, stream=True)
                said.resolve()
                return said.text
            else:
                said = model.generate_content([question, image], stream=True)
                said.resolve()
                print(said.usage_metadata)
                text = said.text
            said = text.strip()
            return said
        """,
        """
        def ask(question, image):
            if image is None:
                said = client.models.generate_content_stream(model="m", contents=question)
                chunks = list(said)
                return "".join(chunk.text or "" for chunk in chunks)
            else:
                said = client.models.generate_content_stream(
                    model="m",
                    contents=[question, image],
                )
                pieces = list(said)
                print(pieces[-1].usage_metadata)
                text = "".join(chunk.text or "" for chunk in pieces)
            said = text.strip()
            return said
        """,
    ),
    "in a try": (
        """
        try:
            response = model.generate_content("x", stream=True)
            response.resolve()
            print(response.usage_metadata)
        except OSError:
            print("no")
        """,
        """
        try:
            response = client.models.generate_content_stream(model="m", contents="x")
            chunks = list(response)
            print(chunks[-1].usage_metadata)
        except OSError:
            print("no")
        """,
    ),
}


@pytest.mark.parametrize(("before", "after"), STREAMS.values(), ids=STREAMS)
def test_a_stream_that_is_resolved_at_once_is_listed_there(before: str, after: str) -> None:
    source = 'model = genai.GenerativeModel("m")\n' + clean(before)
    assert ported(source) == clean(after)


REFUSED = {
    "behind another request": "model.generate_content('y')\n        response.resolve()",
    "in another block": "if input():\n            response.resolve()\n        print()",
    "read in other ways": "response.resolve()\n        print(response.candidates)",
    "given to others": "response.resolve()\n        print(response)",
    "where a text that is none is waited for": "response.resolve()\n        try:\n"
    "            print(response.text)\n        except ValueError:\n            print()",
    "bound to something else in a branch": "response.resolve()\n        if input():\n"
    "            response = 1",
    "bound to another answer in a branch": "response.resolve()\n        if input():\n"
    "            response = model.generate_content('y')",
    "read before": "print(response.prompt_feedback)\n        response.resolve()",
    "iterated behind": "response.resolve()\n        for chunk in response:\n"
    "            print(chunk.text)",
    "not on every way": "if input():\n            response.resolve()",
    "in a context that may end failures": "with here():\n            response.resolve()",
    "what it gives is read": "print(response.resolve())",
    "as a value": "resolve = response.resolve\n        resolve()",
    "by another name": "other = response\n        other.resolve()",
    "in a loop over nothing": "for _ in range(int(input())):\n            response.resolve()",
    "where a failure is passed over": "try:\n            response.resolve()\n"
    "        except Exception:\n            pass",
    "never": "",
}


@pytest.mark.parametrize("between", REFUSED.values(), ids=REFUSED)
def test_a_stream_that_is_resolved_or_read_as_a_whole_is_refused(between: str) -> None:
    source = f"""
        model = genai.GenerativeModel("m")
        response = model.generate_content("x", stream=True)
        {between}
        print(response.text)
        """
    assert "response_shape_changed" in refused(source)


KEPT = {
    "a container": "responses = [model.generate_content('x', stream=True)]\n"
    "responses[0].resolve()\nprint(responses[0].text)",
    "a function inside": "def ask():\n    response = model.generate_content('x', stream=True)\n"
    "    later = lambda: response.text\n    response.resolve()\n    return later()",
    "an attribute": "class Bot:\n    def ask(self):\n"
    "        self.said = model.generate_content('x', stream=True)\n"
    "        self.said.resolve()\n        return self.said.text",
}


@pytest.mark.parametrize("source", KEPT.values(), ids=KEPT)
def test_a_stream_that_is_kept_and_resolved_is_refused(source: str) -> None:
    assert "response_shape_changed" in refused(
        "import google.generativeai as genai\n\nmodel = genai.GenerativeModel('m')\n"
        + source
        + "\n"
    )


ASYNC_REFUSED = {
    "nobody waits for it": "said.resolve()\n            return said.text",
    "behind something that waits": "await other()\n            await said.resolve()\n"
    "            return said.text",
    "later": "task = said.resolve()\n            await task\n            return said.text",
    "among others": "await gather(said.resolve(), other())\n            return said.text",
}


@pytest.mark.parametrize("rest", ASYNC_REFUSED.values(), ids=ASYNC_REFUSED)
def test_a_stream_that_is_not_waited_for_in_its_place_is_refused(rest: str) -> None:
    source = f"""
        from asyncio import gather, sleep as other

        model = genai.GenerativeModel("m")

        async def ask(question):
            said = await model.generate_content_async(question, stream=True)
            {rest}
        """
    assert "response_shape_changed" in refused(source)
