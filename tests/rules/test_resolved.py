"""Streams that are resolved: asked for as a whole where nobody sees their pieces."""

from __future__ import annotations

import pytest

from tests.support.port import clean, ported, refused, warned

PORTED = {
    "resolved at once": (
        """
        response = model.generate_content("x", stream=True)
        response.resolve()
        print(response.text)
        """,
        """
        response = client.models.generate_content(model="m", contents="x")
        print(response.text)
        """,
    ),
    "in a function": (
        """
        def ask(question):
            response = model.generate_content(question, stream=True)
            print("wait")
            response.resolve()
            return response
        """,
        """
        def ask(question):
            response = client.models.generate_content(model="m", contents=question)
            print("wait")
            return response
        """,
    ),
    "behind a choice": (
        """
        if input():
            response = model.generate_content("x", stream=True)
        else:
            response = model.generate_content("y", stream=True)
        response.resolve()
        print(response.candidates)
        """,
        """
        if input():
            response = client.models.generate_content(model="m", contents="x")
        else:
            response = client.models.generate_content(model="m", contents="y")
        print(response.candidates)
        """,
    ),
    "on one of two ways": (
        """
        if input():
            response = model.generate_content("x", stream=True)
            response.resolve()
        else:
            response = model.generate_content("y")
        print(response.candidates)
        """,
        """
        if input():
            response = client.models.generate_content(model="m", contents="x")
        else:
            response = client.models.generate_content(model="m", contents="y")
        print(response.candidates)
        """,
    ),
    "awaited": (
        """
        async def ask(question):
            response = await model.generate_content_async(question, stream=True)
            await response.resolve()
            return response.candidates
        """,
        """
        async def ask(question):
            response = await client.aio.models.generate_content(model="m", contents=question)
            return response.candidates
        """,
    ),
    "no stream at all": (
        """
        response = model.generate_content("x")
        response.resolve()
        print(response.candidates)
        """,
        """
        response = client.models.generate_content(model="m", contents="x")
        print(response.candidates)
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
        print(response.candidates)
        """,
    ),
}


@pytest.mark.parametrize(("before", "after"), PORTED.values(), ids=PORTED)
def test_a_resolved_stream_is_asked_for_whole(before: str, after: str) -> None:
    source = 'model = genai.GenerativeModel("m")\n' + clean(before)
    assert ported(source) == clean(after)


def test_a_message_keeps_one_turn() -> None:
    now = ported(
        """
        chat = genai.GenerativeModel("m").start_chat()
        response = chat.send_message("x", stream=True)
        response.resolve()
        print(response.candidates, len(chat.history))
        """
    )
    assert 'response = chat.send_message(message="x")\n' in now
    assert "resolve" not in now


def test_it_is_said_that_a_stream_is_no_stream_any_more() -> None:
    source = """
        model = genai.GenerativeModel("m")
        response = model.generate_content("x", stream=True)
        response.resolve()
        """
    assert warned(source) == [(2, "stream_asked_whole")]


REFUSED = {
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
def test_a_stream_that_may_be_seen_in_pieces_is_refused(between: str) -> None:
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
def test_a_stream_that_others_may_hold_is_refused(source: str) -> None:
    assert "response_shape_changed" in refused(
        "import google.generativeai as genai\n\nmodel = genai.GenerativeModel('m')\n"
        + source
        + "\n"
    )


def test_a_blocked_prompt_that_is_waited_for_is_still_refused() -> None:
    source = """
        import google.generativeai as genai

        genai.configure(api_key="K")
        model = genai.GenerativeModel("m")
        try:
            response = model.generate_content("x", stream=True)
            response.resolve()
            print(response.candidates)
        except genai.types.BlockedPromptException:
            print("blocked")
        """
    assert refused(source) == {"error_class_changed"}
