"""Wrong ports that import cleanly and answer something: each must be found."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from chatport.port.prove.compare import Expectation, Verdict, What
from chatport.port.prove.pair import PairResult, prove_pair
from chatport.port.prove.running import Worker
from chatport.testing.gemini_server import Answer, failure, text
from tests.prove.pairs import CALLS, CHAT, REST, TOOLS, Pair

Workers = Callable[[str], Worker]
PAIRS = {"calls": CALLS, "chat": CHAT, "tools": TOOLS, "rest": REST}


def prove(
    worker: Workers, pair: Pair, after: str, on: str = "genai3", script: tuple[Answer, ...] = ()
) -> PairResult:
    return prove_pair(pair.before, after, (worker("legacy"), worker(on)), script=script)


@pytest.mark.parametrize("environment", ["genai1", "genai2", "genai3"])
@pytest.mark.parametrize("name", PAIRS)
def test_the_right_port_is_the_same(worker: Workers, name: str, environment: str) -> None:
    result = prove(worker, PAIRS[name], PAIRS[name].after, environment)
    assert result.same, result.explain()


VERSION = '    http_options=types.HttpOptions(api_version="v1beta"),\n'

STREAM = """\
for chunk in client.models.generate_content_stream(
    model="gemini-1.5-flash", contents="Tell a story.", config=config
):
"""
NEW_CHAT = 'chat = client.chats.create(model="gemini-1.5-flash", config=config)\n'
FIRST = """\
    print((await models.generate_content(model="gemini-1.5-flash", contents="First.")).text)
"""
SECOND = FIRST.replace("First", "Second")
SHOW = "    print(second.text)\n"

SABOTAGES: dict[str, tuple[Pair, str, str, What]] = {
    "safety setting dropped": (
        CALLS,
        'types.SafetySetting(category="HARM_CATEGORY_HARASSMENT", threshold="BLOCK_NONE"),',
        "",
        What.REQUEST,
    ),
    "safety threshold changed": (CALLS, '"BLOCK_ONLY_HIGH"', '"BLOCK_NONE"', What.REQUEST),
    "safety category changed": (CALLS, "HATE_SPEECH", "SEXUALLY_EXPLICIT", What.REQUEST),
    "safety settings swapped": (
        CALLS,
        '"HARM_CATEGORY_HARASSMENT", threshold="BLOCK_NONE"',
        '"HARM_CATEGORY_HARASSMENT", threshold="BLOCK_ONLY_HIGH"',
        What.REQUEST,
    ),
    "system instruction lost": (
        CALLS,
        '    system_instruction="Be brief.",\n',
        "",
        What.REQUEST,
    ),
    "system instruction as a turn": (
        CALLS,
        STREAM,
        "config.system_instruction = None\n" + STREAM.replace("T", "Be brief. T", 1),
        What.REQUEST,
    ),
    "API version left to the SDK": (CALLS, VERSION, "", What.REQUEST),
    "other API version": (CALLS, '"v1beta"', '"v1"', What.REQUEST),
    "other model": (
        CALLS,
        'model="gemini-1.5-flash", contents="Again."',
        'model="gemini-2.5-flash", contents="Again."',
        What.REQUEST,
    ),
    "stream lost": (
        CALLS,
        STREAM,
        STREAM.replace("client", "[client").replace("_stream(", "(").replace("):", ")]:"),
        What.REQUEST,
    ),
    "number changed": (CALLS, "top_k=40", "top_k=41", What.REQUEST),
    "zero for a fraction": (CALLS, "temperature=0.5", "temperature=0", What.REQUEST),
    "stop sequence lost": (CALLS, '["END", "STOP"]', '["END"]', What.REQUEST),
    "parts joined": (
        CALLS,
        '["First part.", "Second part."]',
        '"First part. Second part."',
        What.REQUEST,
    ),
    "key precedence reversed": (
        CALLS,
        'os.environ.get("GEMINI_API_KEY") or os.environ.get("GOOGLE_API_KEY")',
        'os.environ.get("GOOGLE_API_KEY") or os.environ.get("GEMINI_API_KEY")',
        What.REQUEST,
    ),
    "seconds taken for milliseconds": (CALLS, "timeout=30_000", "timeout=30", What.REQUEST),
    "deadline lost": (CALLS, "config=last", "config=config", What.REQUEST),
    "call left out": (
        CALLS,
        "for chunk in client.models.generate_content_stream",
        "for chunk in [] and client.models.generate_content_stream",
        What.REQUEST,
    ),
    "printed otherwise": (CALLS, ".text.strip()", ".text.upper()", What.PRINTED),
    "stream printed in one": (
        CALLS,
        "    print(chunk.text)",
        '    print(chunk.text, end="")',
        What.PRINTED,
    ),
    "configuration not merged": (
        CHAT,
        'config.model_copy(update={"temperature": 1.0})',
        "types.GenerateContentConfig(temperature=1.0)",
        What.REQUEST,
    ),
    "configuration of the call lost": (
        CHAT,
        'message="Two.", config=config.model_copy(update={"temperature": 1.0})',
        'message="Two."',
        What.REQUEST,
    ),
    "configuration of the call sticks": (
        CHAT,
        'config.model_copy(update={"temperature": 1.0})',
        '(setattr(config, "temperature", 1.0), config)[1]',
        What.REQUEST,
    ),
    "history lost": (
        CHAT,
        'print(chat.send_message(message="One.")',
        NEW_CHAT + 'print(chat.send_message(message="One.")',
        What.REQUEST,
    ),
    "history role changed": (CHAT, '"role": "model"', '"role": "user"', What.REQUEST),
    "turns swapped": (
        CHAT,
        '{"text": "Hello."}',
        '{"text": "Hello to you."}',
        What.REQUEST,
    ),
    "chat started anew": (
        CHAT,
        'print(chat.send_message(message="Three.")',
        NEW_CHAT + 'print(chat.send_message(message="Three.")',
        What.REQUEST,
    ),
    "count without the instruction": (
        CHAT,
        '        "systemInstruction": {"parts": [{"text": "Be brief."}]},\n',
        "",
        What.REQUEST,
    ),
    "automatic calling left on": (
        TOOLS,
        "tools=[get_weather], automatic_function_calling=off",
        "tools=[get_weather]",
        What.REQUEST,
    ),
    "automatic calling switched off": (
        TOOLS,
        "Config(tools=[get_weather])",
        "Config(tools=[get_weather], automatic_function_calling=off)",
        What.REQUEST,
    ),
    "tools lost": (
        TOOLS,
        "tools=[get_weather], automatic_function_calling=off",
        "automatic_function_calling=off",
        What.REQUEST,
    ),
    "tool configuration lost": (
        TOOLS,
        '            tool_config={"function_calling_config": {"mode": "NONE"}},\n',
        "",
        What.REQUEST,
    ),
    "function described otherwise": (
        TOOLS,
        '"""Weather in a city."""',
        '"""Weather."""',
        What.REQUEST,
    ),
    "parameter renamed": (
        TOOLS,
        "def get_weather(city: str) -> str:",
        "def get_weather(town: str, city='text') -> str:",
        What.REQUEST,
    ),
    "parameter of another type": (
        TOOLS,
        "def get_weather(city: str) -> str:",
        "def get_weather(city: int) -> str:",
        What.REQUEST,
    ),
    "result of the function changed": (TOOLS, 'return "rain"', 'return "sun"', What.REQUEST),
    "function run twice": (
        TOOLS,
        'print("looked up", city)',
        'print("looked up", city); print("looked up", city)',
        What.PRINTED,
    ),
    "task type lost": (
        REST,
        '    config=types.EmbedContentConfig(task_type="RETRIEVAL_DOCUMENT"),\n',
        "",
        What.REQUEST,
    ),
    "task type in lower case": (REST, "RETRIEVAL_DOCUMENT", "retrieval_document", What.REQUEST),
    "texts to embed joined": (REST, 'contents=["a", "b"]', 'contents="a b"', What.REQUEST),
    "embeddings in another order": (
        REST,
        "in found.embeddings]",
        "in reversed(found.embeddings)]",
        What.PRINTED,
    ),
    "display name lost": (
        REST,
        'file="notes.txt", config=types.UploadFileConfig(display_name="Notes")',
        'file="notes.txt"',
        What.REQUEST,
    ),
    "other bytes uploaded": (REST, 'notes.write("hello")', 'notes.write("hallo")', What.REQUEST),
    "other file meant": (REST, '"See.", uploaded,', '"See.",', What.REQUEST),
    "image type changed": (REST, '"image/png")', '"image/jpeg")', What.REQUEST),
    "image bytes changed": (REST, 'data=b"PNG"', 'data=b"JPG"', What.REQUEST),
    "schema lost": (
        REST,
        'response_mime_type="application/json", response_schema=schema',
        'response_mime_type="application/json"',
        What.REQUEST,
    ),
    "schema property lost": (REST, ', "age": {"type": "integer"}', "", What.REQUEST),
    "schema requirement changed": (REST, '["name"]', '["name", "age"]', What.REQUEST),
    "calls of one task swapped": (
        REST,
        FIRST + SECOND,
        SECOND.replace("print((", "second = (").replace(").text)", ")") + FIRST + SHOW,
        What.REQUEST,
    ),
    "client address changed": (
        REST,
        'api_version="v1beta"',
        'api_version="v1beta", base_url="https://elsewhere.example"',
        What.REQUEST,
    ),
    "call made twice": (
        REST,
        "asyncio.run(main())",
        'asyncio.run(main())\nclient.models.generate_content(model="m", contents="more")',
        What.REQUEST,
    ),
    "event loop blocked": (
        REST,
        "(await models.generate_content(",
        "(client.models.generate_content(",
        What.REQUEST,
    ),
    "file written otherwise": (
        REST,
        "asyncio.run(main())",
        'asyncio.run(main())\nopen("answer.txt", "w").write("other")',
        What.WROTE,
    ),
    "program ends otherwise": (
        REST,
        "asyncio.run(main())",
        "asyncio.run(main())\nexit(3)",
        What.ENDED,
    ),
}


@pytest.mark.parametrize("name", SABOTAGES)
def test_a_wrong_port_is_found(worker: Workers, name: str) -> None:
    pair, right, wrong, what = SABOTAGES[name]
    assert right in pair.after
    result = prove(worker, pair, pair.after.replace(right, wrong))
    assert result.comparison.verdict is Verdict.DIFFERENT, result.explain()
    assert what in {one.what for one in result.differences}
    assert not result.same


ERRORS = Pair(
    before="""\
import google.generativeai as genai

genai.configure()
model = genai.GenerativeModel("gemini-1.5-flash")
print(model.generate_content("Hi").text)
print(model.generate_content("Hi").text)
""",
    after="""\
import os
from google import genai
from google.genai import types

client = genai.Client(
    api_key=os.environ["GEMINI_API_KEY"],
    http_options=types.HttpOptions(api_version="v1beta"),
)
for _ in range(2):
    print(client.models.generate_content(model="gemini-1.5-flash", contents="Hi").text)
""",
)
RETRY = 'api_version="v1beta", retry_options=types.HttpRetryOptions(attempts=3, initial_delay=0.01)'


def test_headers_of_the_program_that_are_lost_are_found(worker: Workers) -> None:
    before = ERRORS.before.replace(
        "configure()", 'configure(default_metadata=[("x-team", "blue")])'
    )
    kept = ERRORS.after.replace('"v1beta"', '"v1beta", headers={"x-team": "blue"}')
    right = prove(worker, Pair(before, kept), kept)
    assert right.same, right.explain()
    assert not prove(worker, Pair(before, ERRORS.after), ERRORS.after).same


def test_the_same_api_error_ends_both(worker: Workers) -> None:
    script = (text("fine"), *failure(429))
    result = prove(worker, ERRORS, ERRORS.after, script=script)
    assert result.same, result.explain()
    assert result.comparison.notes[0].startswith("both ended by google.api_core")


def test_retries_that_were_not_there_are_found(worker: Workers) -> None:
    after = ERRORS.after.replace('api_version="v1beta"', RETRY)
    result = prove(worker, ERRORS, after, script=(text("fine"), *failure(429)))
    assert {one.what for one in result.differences} >= {What.REQUEST, What.ENDED}


def test_retries_that_are_lost_are_found(worker: Workers) -> None:
    result = prove(worker, ERRORS, ERRORS.after, script=(text("fine"), *failure(503)))
    assert {one.what for one in result.differences} >= {What.REQUEST, What.ENDED}


def test_errors_that_are_swallowed_are_found(worker: Workers) -> None:
    after = ERRORS.after.replace("for _", "import contextlib\nfor _").replace(
        "    print(", "    with contextlib.suppress(Exception): print("
    )
    result = prove(worker, ERRORS, after, script=(text("fine"), *failure(429)))
    assert {one.what for one in result.differences} == {What.ENDED}


def test_a_text_that_is_missing_is_found(worker: Workers) -> None:
    from chatport.testing.gemini_server import blocked

    result = prove(worker, ERRORS, ERRORS.after, script=(blocked(), text("fine")))
    assert {one.what for one in result.differences} >= {What.PRINTED, What.ENDED}


def test_the_api_version_may_change_when_that_was_asked_for(worker: Workers) -> None:
    after = CALLS.after.replace(VERSION, "")
    workers = (worker("legacy"), worker("genai3"))
    result = prove_pair(CALLS.before, after, workers, expect=Expectation(version=False))
    assert result.same, result.explain()


def test_no_request_on_either_side_is_no_proof(worker: Workers) -> None:
    result = prove(worker, Pair("print(1)", ""), "print(1)")
    assert (result.same, result.comparison.verdict) == (False, Verdict.NOT_RUN)
    assert result.comparison.why == "no request was made"


def test_a_difference_names_the_lines_that_sent_it(worker: Workers, tmp_path: Path) -> None:
    result = prove(worker, CALLS, CALLS.after.replace("top_k=40", "top_k=41"))
    first = result.differences[0]
    assert first.before_line == "app.py:14"
    assert first.after_line.startswith("app.py:2")
    assert '-    "topK": 40' in first.unified()
    assert ('    "topK": 40', '    "topK": 41', False) in [
        (left.rstrip(","), right.rstrip(","), same) for left, right, same in first.columns()
    ]
