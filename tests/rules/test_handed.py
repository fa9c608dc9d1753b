"""Methods that are handed to something which calls them in a thread."""

from __future__ import annotations

import pytest

from tests.support.port import ported, refused

HEAD = """
import asyncio
from concurrent.futures import ThreadPoolExecutor

import google.generativeai as genai

genai.configure(api_key="K")
model = genai.GenerativeModel("m")
pool = ThreadPoolExecutor()


"""


def flat(source: str) -> str:
    """The port without its white space, and without the commas of broken lines."""
    return "".join(ported(HEAD + source).split()).replace(",)", ")")


@pytest.mark.parametrize(
    ("before", "after"),
    [
        pytest.param(
            "async def ask(q):\n    return await asyncio.to_thread(model.generate_content, q)\n",
            'asyncio.to_thread(client.models.generate_content,model="m",contents=q)',
            id="to-thread",
        ),
        pytest.param(
            "def ask(q):\n    return pool.submit(model.generate_content, q)\n",
            'pool.submit(client.models.generate_content,model="m",contents=q)',
            id="submit",
        ),
        pytest.param(
            "def ask(q):\n    return pool.submit(model.generate_content, contents=q)\n",
            'pool.submit(client.models.generate_content,model="m",contents=q)',
            id="submit-by-keyword",
        ),
        pytest.param(
            'chat = model.start_chat()\nprint(pool.submit(chat.send_message, "x").result().text)\n',
            'print(pool.submit(chat.send_message,message="x").result().text)',
            id="message-of-a-chat",
        ),
        pytest.param(
            "async def count(q):\n"
            "    return (await asyncio.to_thread(model.count_tokens, q)).total_tokens\n",
            'asyncio.to_thread(client.models.count_tokens,model="m",contents=q)',
            id="tokens",
        ),
        pytest.param(
            "def ask(q):\n    return pool.submit(lambda: model.generate_content(q))\n",
            'pool.submit(lambda:client.models.generate_content(model="m",contents=q))',
            id="lambda",
        ),
    ],
)
def test_what_is_handed_on_is_named(before: str, after: str) -> None:
    assert after in flat(before)


def test_where_no_names_can_be_handed_on_a_partial_holds_them() -> None:
    source = """async def ask(loop, q):
    loop = asyncio.get_running_loop()
    return await loop.run_in_executor(pool, model.generate_content, q)
"""
    text = ported(HEAD + source)
    assert text.startswith("import asyncio\nimport functools\n")
    assert (
        "    return await loop.run_in_executor(\n"
        "        pool,\n"
        '        functools.partial(client.models.generate_content, model="m", contents=q),\n'
        "    )\n"
    ) in text


@pytest.mark.parametrize(
    "source",
    [
        pytest.param("say = model.generate_content\nprint(say('x').text)\n", id="bound-to-a-name"),
        pytest.param("print(list(map(model.generate_content, ['x'])))\n", id="map"),
        pytest.param("print(list(pool.map(model.generate_content, ['x'])))\n", id="map-of-a-pool"),
        pytest.param(
            "async def ask(q):\n"
            "    return await asyncio.to_thread(model.generate_content, q, stream=True)\n",
            id="stream",
        ),
        pytest.param(
            "def ask(q):\n    return pool.submit(model.generate_content_async, q)\n", id="coroutine"
        ),
        pytest.param("def ask(run, q):\n    return run(model.generate_content, q)\n", id="unknown"),
        pytest.param(
            "import threading\n"
            "threading.Thread(target=model.generate_content, args=('x',)).start()\n",
            id="thread-of-its-own",
        ),
    ],
)
def test_other_uses_as_a_value_are_refused(source: str) -> None:
    assert "method_used_as_value" in refused(HEAD + source)


def test_arguments_that_are_not_seen_are_refused() -> None:
    source = "def ask(args):\n    return pool.submit(model.generate_content, *args)\n"
    assert refused(HEAD + source) == {"unsupported_kwarg"}


def test_a_client_that_a_thread_still_needs_is_kept() -> None:
    source = HEAD.replace('genai.configure(api_key="K")\nmodel = genai.GenerativeModel("m")\n', "")
    text = ported(
        source
        + "def start(q):\n"
        + '    genai.configure(api_key="K")\n'
        + '    model = genai.GenerativeModel("m")\n'
        + "    return pool.submit(model.generate_content, q)\n\n\n"
        + 'print(start("x").result().text, start("y").result().text)\n'
    )
    assert '    client = client_for("K")\n' in text
