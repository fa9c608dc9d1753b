"""Every entry of the table of normalisations: a pair of programs that needs it, and its limits."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from chatport.port.prove.calls import Call
from chatport.port.prove.compare import Verdict
from chatport.port.prove.normalise import ALL, TABLE, needed, normalised
from chatport.port.prove.pair import prove_pair
from chatport.port.prove.running import Worker
from chatport.testing.gemini_server import Answer, text

Workers = Callable[[str], Worker]
DOCUMENT = Path(__file__).parents[2] / "docs" / "prove-normalisations.md"

LEGACY = """\
import asyncio
import google.generativeai as genai
genai.configure(api_key="k")
model = genai.GenerativeModel("g")
def add(a: int, b: int = 2) -> dict:
    '''Add.

    Two numbers.
    '''
    return {"sum": a + b}
"""
NEW = """\
import asyncio
from google import genai
from google.genai import types
client = genai.Client(api_key="k", http_options=types.HttpOptions(api_version="v1beta"))
models = client.models
def add(a: int, b: int = 2) -> dict:
    '''Add.

    Two numbers.
    '''
    return {"sum": a + b}
"""
GATHER = """\
async def one(name, turn, over):
    await turn.wait()
    {call}
    over.set()
async def main():
    first, second, third = asyncio.Event(), asyncio.Event(), asyncio.Event()
    first.set()
    early, late = "{order}"
    await asyncio.gather(one(early, first, second), one(late, second, third))
asyncio.run(main())
"""
PICTURE = "import PIL.Image\npicture = PIL.Image.new('RGB', (2, 2), 'red')\n"
NUMBERS = '{"temperature": 0.3, "top_k": 4}'

NEEDS: dict[str, tuple[str, str, tuple[Answer, ...]]] = {
    "framing": (
        LEGACY.replace('"k"', '"k", transport="rest"') + 'model.generate_content("x")',
        NEW + 'models.generate_content(model="g", contents="x")',
        (),
    ),
    "defaults": (
        LEGACY + 'model.generate_content("x")',
        NEW + 'models.generate_content(model="g", contents="x")',
        (),
    ),
    "roles": (
        LEGACY + 'genai.GenerativeModel("g", system_instruction="s").generate_content("x")',
        NEW
        + 'models.generate_content(model="g", contents="x", config={"system_instruction": "s"})',
        (),
    ),
    "numbers": (
        LEGACY + f'model.generate_content("x", generation_config={NUMBERS})',
        NEW + f'models.generate_content(model="g", contents="x", config={NUMBERS})',
        (),
    ),
    "one-embedding": (
        LEGACY + 'genai.embed_content(model="models/e", content="x")',
        NEW + 'models.embed_content(model="models/e", contents="x")',
        (),
    ),
    "count-request": (
        LEGACY + 'model.count_tokens("x")',
        NEW + 'models.count_tokens(model="g", contents="x")',
        (),
    ),
    "upload": (
        LEGACY + 'open("f.txt", "w").close(); genai.upload_file("f.txt")',
        NEW
        + 'open("f.txt", "w").close()\n'
        + 'client.files.upload(file="f.txt", config={"display_name": "f.txt"})',
        (),
    ),
    "page-size": (LEGACY + "list(genai.list_models())", NEW + "list(models.list())", ()),
    "update-mask": (
        LEGACY
        + "from google.generativeai import caching\n"
        + 'caching.CachedContent.get("c").update(ttl=60)',
        NEW
        + 'client.caches.get(name="c")\n'
        + 'client.caches.update(name="cachedContents/c", config={"ttl": "60s"})',
        (),
    ),
    "empty-schema": (
        LEGACY
        + 'model.generate_content("x", generation_config=genai.protos.GenerationConfig(top_k=1))',
        NEW + 'models.generate_content(model="g", contents="x", config={"top_k": 1})',
        (),
    ),
    "deadline": (
        LEGACY + 'model.generate_content("x")',
        NEW + 'models.generate_content(model="g", contents="x")',
        (),
    ),
    "count-sampling": (
        LEGACY + 'genai.GenerativeModel("g", generation_config={"top_k": 1}).count_tokens("x")',
        NEW + 'models.count_tokens(model="g", contents="x")',
        (),
    ),
    "function-schema": (
        LEGACY + 'genai.GenerativeModel("g", tools=[add]).generate_content("x")',
        NEW
        + 'models.generate_content(model="g", contents="x", config={"tools": [add], '
        + '"automatic_function_calling": {"disable": True}})',
        (),
    ),
    "response-schema": (
        LEGACY
        + "import typing_extensions as te\n"
        + 'P = te.TypedDict("P", {"b": str, "a": int}, total=False)\n'
        + 'model.generate_content("x", generation_config={"response_schema": P, '
        + '"response_mime_type": "application/json"})',
        NEW
        + 'P = {"type": "OBJECT", "title": "P", "properties": {"b": {"type": "STRING"}, '
        + '"a": {"type": "INTEGER"}}, "property_ordering": ["b", "a"]}\n'
        + 'models.generate_content(model="g", contents="x", config={"response_schema": P, '
        + '"response_mime_type": "application/json"})',
        (),
    ),
    "merged-turns": (
        LEGACY
        + "chat = model.start_chat()\n"
        + 'for chunk in chat.send_message("x", stream=True): pass\n'
        + 'chat.send_message("y")',
        NEW
        + 'chat = client.chats.create(model="g")\n'
        + 'for chunk in chat.send_message_stream("x"): pass\n'
        + 'chat.send_message("y")',
        (text("a", "b"),),
    ),
    "function-result": (
        LEGACY
        + 'chat = genai.GenerativeModel("g", tools=[add])'
        + ".start_chat(enable_automatic_function_calling=True)\n"
        + 'chat.send_message("CALL")',
        NEW + 'client.chats.create(model="g", config={"tools": [add]}).send_message("CALL")',
        (),
    ),
    "image-encoding": (
        LEGACY + PICTURE + 'model.generate_content(["x", picture])',
        NEW + PICTURE + 'models.generate_content(model="g", contents=["x", picture])',
        (),
    ),
    "order": (
        LEGACY + GATHER.format(call="await model.generate_content_async(name)", order="ab"),
        NEW
        + GATHER.format(
            call='await client.aio.models.generate_content(model="g", contents=name)',
            order="ba",
        ),
        (),
    ),
}


def test_every_entry_is_tested_here_and_told_in_the_documentation() -> None:
    assert set(NEEDS) == ALL
    told = DOCUMENT.read_text()
    for entry in TABLE:
        assert f"| `{entry.name}` | {entry.kind} | {entry.why} |" in told


@pytest.mark.parametrize("name", NEEDS)
def test_there_are_programs_that_need_the_entry(worker: Workers, name: str) -> None:
    before, after, script = NEEDS[name]
    result = prove_pair(before, after, (worker("legacy"), worker("genai3")), script=script)
    assert result.same, result.explain()
    assert name in result.comparison.passed_over


def test_other_pixels_are_another_image(worker: Workers) -> None:
    before, after, _ = NEEDS["image-encoding"]
    workers = (worker("legacy"), worker("genai3"))
    assert not prove_pair(before, after.replace("red", "blue"), workers).same


def generate(**body: Any) -> list[Call]:
    return [Call("generateContent", "models/g", "v1beta", json.loads(json.dumps(body)))]


def user(*texts: str) -> dict[str, Any]:
    return {"role": "user", "parts": [{"text": text} for text in texts]}


DIFFERENT = {
    "texts of the user are not merged": (
        generate(contents=[user("a", "b")]),
        generate(contents=[user("ab")]),
    ),
    "turns of the user are not merged": (
        generate(contents=[user("a"), user("b")]),
        generate(contents=[user("a", "b")]),
    ),
    "the model is not the user": (
        generate(contents=[{"parts": [{"text": "a"}]}]),
        generate(contents=[{"role": "model", "parts": [{"text": "a"}]}]),
    ),
    "nothing is dropped from what a function is given": (
        generate(contents=[{"parts": [{"functionCall": {"name": "f", "args": {"a": None}}}]}]),
        generate(contents=[{"parts": [{"functionCall": {"name": "f", "args": {}}}]}]),
    ),
    "an empty object is not nothing": (
        generate(tools=[{"codeExecution": {}}]),
        generate(tools=[{}]),
    ),
    "false is not zero": (generate(a=False), generate(a=0)),
    "zero is not nothing": (generate(a=0), generate()),
    "a deadline of one's own counts": (
        [Call("generateContent", "models/g", "v1", {}, deadline=30)],
        [Call("generateContent", "models/g", "v1", {})],
    ),
    "order within a task counts": (
        [*generate(a=1), *generate(a=2)],
        [*generate(a=2), *generate(a=1)],
    ),
    "a file read on purpose counts": (
        [Call("files.upload", "", "v1", {"file": {}}, {"uploadType": "resumable"})],
        [
            Call("files.upload", "", "v1", {"file": {}}),
            Call("files.get", "files/x", "v1", {}),
        ],
    ),
    "a page size of one's own counts": (
        [Call("models.list", "", "v1", {}, {"pageSize": "7"})],
        [Call("models.list", "", "v1", {})],
    ),
    "what a schema demands counts": (
        generate(generationConfig={"responseSchema": {"type": "OBJECT", "required": ["a"]}}),
        generate(generationConfig={"responseSchema": {"type": "OBJECT"}}),
    ),
}


@pytest.mark.parametrize("name", DIFFERENT)
def test_no_entry_reaches_too_far(name: str) -> None:
    before, after = DIFFERENT[name]
    assert needed(before, after) is None
    assert needed(after, before) is None


def test_the_smallest_set_is_named() -> None:
    before, after = generate(a=1, b=[]), generate(a=1.0)
    assert needed(before, after) == {"defaults", "numbers"}
    assert needed(before, before) == frozenset()


def test_normalising_twice_changes_nothing() -> None:
    calls = [call for pair in DIFFERENT.values() for side in pair for call in side]
    once = normalised(calls, ALL - {"upload"})
    assert normalised(once, ALL - {"upload"}) == once


def test_verdicts_are_words_a_report_can_print() -> None:
    assert [str(one) for one in Verdict] == ["same", "different", "not run"]
