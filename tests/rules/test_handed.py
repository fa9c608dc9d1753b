"""Methods that are handed to something which calls them in a thread."""

from __future__ import annotations

import pytest

from tests.support.port import ported, refused

HEAD = """
import asyncio
from concurrent.futures import ThreadPoolExecutor
from functools import partial

import google.generativeai as genai

genai.configure(api_key="K")
model = genai.GenerativeModel("m")
pool = ThreadPoolExecutor()


"""


PATIENTLY = """
def patiently(call, *args, **kwargs):
    while True:
        try:
            return call(*args, **kwargs)
        except OSError:
            print(call.__name__, "again")


"""
RUN = "def run(call, *args, **kwargs):\n    return call(*args, **kwargs)\n"
NAMED = "**kwargs)\n            return answer\n"


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
        pytest.param(
            "async def ask(q):\n    loop = asyncio.get_running_loop()\n"
            "    return await loop.run_in_executor(None, partial(model.generate_content, q))\n",
            'run_in_executor(None,partial(client.models.generate_content,model="m",contents=q))',
            id="partial",
        ),
        pytest.param(
            "def ask(q):\n    call = partial(model.generate_content, contents=q)\n"
            "    return pool.submit(call).result().text\n",
            'call=partial(client.models.generate_content,model="m",contents=q)'
            "returnpool.submit(call)",
            id="partial-by-a-name",
        ),
        pytest.param(
            PATIENTLY + "print(patiently(model.generate_content, 'q').text)\n",
            "patiently(client.models.generate_content,model=\"m\",contents='q')",
            id="function-of-the-program",
        ),
        pytest.param(
            PATIENTLY.replace("return call(", "answer = call(").replace("**kwargs)\n", NAMED)
            + "print(patiently(model.count_tokens, contents='q').total_tokens)\n",
            "patiently(client.models.count_tokens,model=\"m\",contents='q')",
            id="function-that-names-what-it-gives",
        ),
        pytest.param(
            "async def later(call, *args, **kwargs):\n"
            "    return await asyncio.to_thread(call, *args, **kwargs)\n\n\n"
            "async def ask(q):\n    return (await later(model.generate_content, q)).text\n",
            'later(client.models.generate_content,model="m",contents=q)',
            id="coroutine-of-the-program",
        ),
        pytest.param(
            "class Bot:\n"
            "    def _run(self, call, *args, **kwargs):\n        return call(*args, **kwargs)\n\n"
            "    def ask(self, q):\n        return self._run(model.generate_content, q).text\n",
            'self._run(client.models.generate_content,model="m",contents=q)',
            id="method-of-the-program",
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
        *(
            pytest.param(
                f"call = partial(model.generate_content, {given})\n{use}\n", id=f"partial-{name}"
            )
            for name, given, use in (
                ("that-is-called", "'q'", "print(call().text)"),
                ("that-is-given-more", "'q'", "print(call(generation_config={}).text)"),
                ("that-is-run-with-more", "'q'", "pool.submit(call, stream=False)"),
                ("that-is-asked", "'q'", "pool.submit(call)\nprint(call.func)"),
                ("that-is-bound-again", "'q'", "pool.submit(call)\ncall = print"),
                ("without-contents", "generation_config={}", "pool.submit(call, 'q')"),
                ("of-a-stream", "'q', stream=True", "pool.submit(call)"),
                ("that-goes-elsewhere", "'q'", "other(call)"),
                ("that-is-kept", "'q'", "calls = [call]"),
            )
        ),
        *(
            pytest.param(
                f"{code}\nprint(run(model.generate_content, 'q').text)\n", id=f"function-{name}"
            )
            for name, code in (
                ("that-reads-the-answer", RUN.replace("return c", "a = c") + "    return a.text"),
                ("that-reads-the-arguments", RUN.replace("return", "print(args)\n    return")),
                ("that-keeps-the-method", RUN.replace("return", "kept = call\n    return")),
                ("that-adds-an-argument", RUN.replace("**kwargs)\n", "**kwargs, a=1)\n")),
                ("without-keywords", RUN.replace(", **kwargs", "")),
                ("with-a-keyword-of-the-same-name", RUN.replace("call,", "model, call,", 1)),
                ("with-more-behind", RUN.replace("call,", "call, times=1,", 1)),
                ("that-yields", RUN.replace("return", "yield")),
            )
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


def test_a_handler_in_a_function_that_runs_a_method_guards_it() -> None:
    handler = PATIENTLY.replace("except OSError", "except exceptions.DeadlineExceeded")
    source = (
        f"from google.api_core import exceptions\n{handler}patiently(model.generate_content, 'q')\n"
    )
    assert "error_class_changed" in refused(HEAD + source)
