"""Mistakes a port could make, written by hand against the proof: each must be found.

A row is a program before its port, the port that is right, and the mistake: the piece of the right
port that is replaced, and by what.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, NamedTuple

import pytest

from chatport.port.prove.compare import Verdict
from chatport.port.prove.pair import PairResult, prove_pair
from chatport.port.prove.running import Worker
from chatport.testing.gemini_server import Answer, failure, stopped
from tests.prove.programs import (
    BLOB,
    BLOCKED,
    CHAT,
    EMBED,
    HISTORY,
    MUTATED,
    NEW_BLOB,
    NEW_BLOCKED,
    NEW_CHAT,
    NEW_EMBED,
    NEW_HISTORY,
    NEW_MUTATED,
    NEW_ONE_RESULT,
    NEW_PYTHON_TOOL,
    NEW_RAISES,
    NEW_RESULT,
    NEW_SAFETY,
    NEW_SCHEMA,
    NEW_SEQUENCE,
    NEW_SETTINGS,
    NEW_STREAM,
    NEW_TIMEOUT,
    NEW_TOOL,
    NEW_TUNED,
    NEW_TURNS,
    NEW_UPLOAD,
    ONE_RESULT,
    PYTHON_TOOL,
    RAISES,
    RESULT,
    SAFETY,
    SCHEMA,
    SEQUENCE,
    SETTINGS,
    STREAM,
    TIMEOUT,
    TOOL,
    TUNED,
    TURNS,
    UPLOAD,
)
from tests.support.port import IMPORTS, NEW_IMPORTS, clean


class Row(NamedTuple):
    """`right` holds the piece `instead_of`; the mistake puts `mistake` there."""

    before: str
    right: str
    instead_of: str
    mistake: str
    script: tuple[Answer, ...] = ()


ROWS: Final = {
    "history-order": Row(HISTORY, NEW_HISTORY, "history=history", "history=history[::-1]"),
    "history-lost": Row(HISTORY, NEW_HISTORY, ", history=history", ""),
    "role-swapped": Row(HISTORY, NEW_HISTORY, 'role="model"', 'role="user"'),
    "message-twice": Row(
        HISTORY, NEW_HISTORY, "print(chat", 'chat.send_message("Who am I?")\n    print(chat'
    ),
    "chat-without-memory": Row(
        """
        chat = genai.GenerativeModel("m").start_chat()
        for question in ("a", "b"):
            print(chat.send_message(question).text)
        """,
        """
        chat = client.chats.create(model="m")
        for question in ("a", "b"):
            print(chat.send_message(question).text)
        """,
        "chat.send_message(question)",
        'client.models.generate_content(model="m", contents=question)',
    ),
    "safety-category": Row(
        SAFETY, NEW_SAFETY, "HARM_CATEGORY_HATE_SPEECH", "HARM_CATEGORY_DANGEROUS_CONTENT"
    ),
    "safety-threshold": Row(SAFETY, NEW_SAFETY, '"BLOCK_NONE"', '"OFF"'),
    "system-into-contents": Row(
        """
        model = genai.GenerativeModel("m", system_instruction="Be brief.")
        print(model.generate_content("x").text)
        """,
        """
        print(client.models.generate_content(
            model="m", contents="x", config={"system_instruction": "Be brief."}
        ).text)
        """,
        'contents="x", config={"system_instruction": "Be brief."}',
        'contents=["Be brief.", "x"]',
    ),
    "system-parts-joined": Row(SETTINGS, NEW_SETTINGS, '["Be", "brief."]', '"Be brief."'),
    "prompt-stripped": Row(SETTINGS, NEW_SETTINGS, '"x\\n"', '"x"'),
    "temperature-zero-lost": Row(
        SETTINGS, NEW_SETTINGS, "temperature=0,", "temperature=0 or None,"
    ),
    "top-p-and-top-k": Row(SETTINGS, NEW_SETTINGS, "top_k=7", "top_k=8"),
    "candidate-count-lost": Row(SETTINGS, NEW_SETTINGS, "candidate_count=1,", ""),
    "tokens-as-a-fraction": Row(SETTINGS, NEW_SETTINGS, "16777217", "16777216"),
    "stops-joined": Row(SETTINGS, NEW_SETTINGS, '["a", "b"]', '["ab"]'),
    "stops-order": Row(SETTINGS, NEW_SETTINGS, '["a", "b"]', '["b", "a"]'),
    "penalty-swapped": Row(
        SETTINGS, NEW_SETTINGS, "presence_penalty=0.25", "presence_penalty=0.75"
    ),
    "mime-type-lost": Row(SETTINGS, NEW_SETTINGS, 'response_mime_type="application/json",', ""),
    "thinking-off": Row(
        SETTINGS,
        NEW_SETTINGS,
        "temperature=0,",
        "temperature=0, thinking_config=types.ThinkingConfig(thinking_budget=0),",
    ),
    "schema-dropped": Row(SCHEMA, NEW_SCHEMA, ", response_schema=schema", ""),
    "schema-property-renamed": Row(SCHEMA, NEW_SCHEMA, "first_name", "firstName"),
    "schema-required-lost": Row(SCHEMA, NEW_SCHEMA, '"required": ["first_name"],', ""),
    "schema-nullable-lost": Row(SCHEMA, NEW_SCHEMA, ', "nullable": True', ""),
    "schema-description-lost": Row(SCHEMA, NEW_SCHEMA, '"description": "A person.",', ""),
    "schema-enum-order": Row(SCHEMA, NEW_SCHEMA, '["good", "bad"]', '["bad", "good"]'),
    "tool-description-lost": Row(TOOL, NEW_TOOL, '"description": "Adds.\\n    Twice.",', ""),
    "tool-parameter-renamed": Row(TOOL, NEW_TOOL, "first_number", "firstNumber"),
    "tool-required-lost": Row(TOOL, NEW_TOOL, '"required": ["first_number"],', ""),
    "tool-names-lost": Row(TOOL, NEW_TOOL, ', "allowed_function_names": ["add"]', ""),
    "tool-mode": Row(TOOL, NEW_TOOL, '"ANY", "allowed_function_names": ["add"]', '"AUTO"'),
    "function-called-by-the-sdk": Row(
        PYTHON_TOOL, NEW_PYTHON_TOOL, "disable=True", "disable=False"
    ),
    "function-parameter-type": Row(PYTHON_TOOL, NEW_PYTHON_TOOL, "times: int", "times: float"),
    "function-parameter-optional": Row(
        PYTHON_TOOL, NEW_PYTHON_TOOL, "times: int", "times: int = 1"
    ),
    "function-docstring": Row(PYTHON_TOOL, NEW_PYTHON_TOOL, "Greets.", "Greets you."),
    "arguments-renamed": Row(RESULT, NEW_RESULT, "user_id", "userId"),
    "result-in-the-other-alphabet": Row(RESULT, NEW_RESULT, '"data": "a-b_"', '"data": "a+b/"'),
    "result-text-in-the-other-alphabet": Row(
        RESULT, NEW_RESULT, '"result": "a-b_"', '"result": "a+b/"'
    ),
    "result-number-rounded": Row(RESULT, NEW_RESULT, "123456789,", "123456792,"),
    "result-fraction-rounded": Row(RESULT, NEW_RESULT, "0.123456789", "0.12345679"),
    "result-number-as-text": Row(RESULT, NEW_RESULT, "123456789,", '"123456789",'),
    "result-role": Row(
        RESULT,
        NEW_RESULT,
        '"role": "user", "parts": [{"function_r',
        '"role": "model", "parts": [{"function_r',
    ),
    "result-key": Row(ONE_RESULT, NEW_ONE_RESULT, '{"result": 3}', '{"output": 3}'),
    "turns-of-the-model-merged": Row(
        TURNS,
        NEW_TURNS,
        '[{"text": "b"}]},\n        {"role": "model", "parts": [{"text": "c"}]}',
        '[{"text": "b"}, {"text": "c"}]}',
    ),
    "turns-of-the-model-joined": Row(
        TURNS,
        NEW_TURNS,
        '[{"text": "b"}]},\n        {"role": "model", "parts": [{"text": "c"}]}',
        '[{"text": "bc"}]}',
    ),
    "turns-of-the-user-merged": Row(
        TURNS,
        NEW_TURNS,
        '[{"text": "d"}]},\n        {"role": "user", "parts": [{"text": "e"}]}',
        '[{"text": "d"}, {"text": "e"}]}',
    ),
    "turn-lost": Row(TURNS, NEW_TURNS, '{"role": "model", "parts": [{"text": "c"}]},', ""),
    "bytes-encoded-twice": Row(
        BLOB,
        NEW_BLOB,
        'data=b"\\x89PNG and more"',
        'data=base64.b64encode(b"\\x89PNG and more")',
    ),
    "bytes-of-another-type": Row(BLOB, NEW_BLOB, "image/png", "image/jpeg"),
    "parts-order": Row(
        BLOB, NEW_BLOB, '["What is it?", "Say.", blob]', '[blob, "What is it?", "Say."]'
    ),
    "parts-joined": Row(
        BLOB, NEW_BLOB, '["What is it?", "Say.", blob]', '["What is it?Say.", blob]'
    ),
    "parts-as-turns": Row(
        BLOB,
        NEW_BLOB,
        '["What is it?", "Say.", blob]',
        '[types.UserContent(part) for part in ["What is it?", "Say.", blob]]',
    ),
    "turn-replaces-config": Row(
        CHAT,
        NEW_CHAT,
        '{"temperature": 0.2, "max_output_tokens": 9}',
        '{"max_output_tokens": 9}',
    ),
    "turn-config-stays": Row(
        CHAT,
        NEW_CHAT,
        'send_message("b")',
        'send_message("b", config={"temperature": 0.2, "max_output_tokens": 9})',
    ),
    "config-mutated": Row(MUTATED, NEW_MUTATED, "dict(base)", "base"),
    "stream-collected": Row(
        STREAM,
        NEW_STREAM,
        'client.models.generate_content_stream(model="m", contents="a b c")',
        '[client.models.generate_content(model="m", contents="a b c")]',
    ),
    "stream-lines": Row(STREAM, NEW_STREAM, ', end=""', ""),
    "stream-sent-late": Row(
        """
        model = genai.GenerativeModel("m")
        stream = model.generate_content("a b c", stream=True)
        print(model.generate_content("y").text)
        for chunk in stream:
            print(chunk.text)
        """,
        """
        from itertools import chain

        stream = client.models.generate_content_stream(model="m", contents="a b c")
        stream = chain([next(stream)], stream)
        print(client.models.generate_content(model="m", contents="y").text)
        for chunk in stream:
            print(chunk.text)
        """,
        "chain([next(stream)], stream)",
        "chain([], stream)",
    ),
    "embed-task-type": Row(EMBED, NEW_EMBED, "RETRIEVAL_DOCUMENT", "retrieval_document"),
    "embed-task-lost": Row(EMBED, NEW_EMBED, 'task_type="RETRIEVAL_DOCUMENT", ', ""),
    "embed-title-lost": Row(EMBED, NEW_EMBED, ', title="T"', ""),
    "embed-joined": Row(EMBED, NEW_EMBED, 'contents=["a", "b"]', 'contents=["a b", ""]'),
    "embed-as-one": Row(
        EMBED,
        NEW_EMBED,
        'contents=["a", "b"]).embeddings',
        'contents=types.UserContent(["a", "b"])).embeddings * 2',
    ),
    "embed-one-by-one": Row(
        EMBED,
        NEW_EMBED,
        'client.models.embed_content(model="models/e", contents=["a", "b"]).embeddings',
        '[client.models.embed_content(model="models/e", contents=c) for c in "ab"]',
    ),
    "upload-display-name": Row(UPLOAD, NEW_UPLOAD, 'display_name="My notes", ', ""),
    "upload-mime-type": Row(UPLOAD, NEW_UPLOAD, "text/markdown", "text/plain"),
    "upload-never-deleted": Row(UPLOAD, NEW_UPLOAD, "client.files.delete(name=file.name)", ""),
    "upload-as-its-uri": Row(UPLOAD, NEW_UPLOAD, '["Read.", file]', '["Read.", file.uri]'),
    "timeout-unit": Row(TIMEOUT, NEW_TIMEOUT, "45_000", "45_000_000"),
    "timeout-lost": Row(TIMEOUT, NEW_TIMEOUT, "timeout=45_000", ""),
    "calls-swapped": Row(
        SEQUENCE,
        NEW_SEQUENCE,
        """a = await client.aio.models.generate_content(model="m", contents="a")
        b = await client.aio.models.generate_content(model="m", contents="b")""",
        """b = await client.aio.models.generate_content(model="m", contents="b")
        a = await client.aio.models.generate_content(model="m", contents="a")""",
    ),
    "call-that-blocks": Row(
        SEQUENCE,
        NEW_SEQUENCE,
        'await client.aio.models.generate_content(model="m", contents="a")',
        'client.models.generate_content(model="m", contents="a")',
    ),
    "call-never-awaited": Row(
        """
        import asyncio

        model = genai.GenerativeModel("m")

        async def main():
            await model.generate_content_async("warm up")
            print("warm")

        asyncio.run(main())
        """,
        """
        import asyncio

        async def main():
            await client.aio.models.generate_content(model="m", contents="warm up")
            print("warm")

        asyncio.run(main())
        """,
        "await client",
        "client",
    ),
    "none-printed": Row(
        BLOCKED,
        NEW_BLOCKED,
        '"blocked" if response.text is None else response.text',
        "response.text",
        (stopped(),),
    ),
    "exception-swallowed": Row(
        RAISES,
        NEW_RAISES,
        'print(client.models.generate_content(model="m", contents="x").text)',
        """try:
        print(client.models.generate_content(model="m", contents="x").text)
    except Exception:
        pass""",
        (*failure(404),),
    ),
    "exception-of-another-kind": Row(
        RAISES,
        NEW_RAISES,
        'print(client.models.generate_content(model="m", contents="x").text)',
        """try:
        print(client.models.generate_content(model="m", contents="x").text)
    except Exception as error:
        raise RuntimeError(str(error)) from None""",
        (*failure(404),),
    ),
    "usage-of-the-prompt": Row(
        """
        response = genai.GenerativeModel("m").generate_content("x")
        print(response.usage_metadata.total_token_count)
        """,
        """
        response = client.models.generate_content(model="m", contents="x")
        print(response.usage_metadata.total_token_count)
        """,
        "total_token_count",
        "prompt_token_count",
    ),
    "model-prefix": Row(TUNED, NEW_TUNED, "tunedModels/mine", "mine"),
    "model-name": Row(TUNED, NEW_TUNED, "tunedModels/mine", "models/tunedModels/mine"),
    "cache-lifetime": Row(
        """
        from google.generativeai import caching
        import datetime

        cache = caching.CachedContent.create(
            model="models/m", contents=["long"], ttl=datetime.timedelta(minutes=5)
        )
        print(genai.GenerativeModel.from_cached_content(cache).generate_content("x").text)
        """,
        """
        cache = client.caches.create(
            model="models/m",
            config=types.CreateCachedContentConfig(contents=["long"], ttl="300s"),
        )
        config = types.GenerateContentConfig(cached_content=cache.name)
        print(client.models.generate_content(model="models/m", contents="x", config=config).text)
        """,
        'ttl="300s"',
        'ttl="5s"',
    ),
}

TOLD: Final = {
    "function-schema": Row(TOOL, NEW_TOOL, "Adds.\\n    Twice.", "Adds.\\nTwice."),
    "function-result": Row(
        ONE_RESULT, NEW_ONE_RESULT, '{"result": 3}', '{"result": {"result": 3}}'
    ),
    "merged-turns": Row(
        STREAM + TURNS,
        NEW_STREAM + NEW_TURNS,
        '[{"text": "b"}]},\n        {"role": "model", "parts": [{"text": "c"}]}',
        '[{"text": "bc"}]}',
    ),
}
"""What nobody can tell from what google-genai does by itself: taken for the same, and reported."""


@pytest.mark.parametrize("name", ROWS)
def test_the_right_port_is_proven_and_the_mistake_is_found(
    worker: Callable[[str], Worker], name: str
) -> None:
    right, wrong = both(worker, ROWS[name])
    assert right.same, right.explain()
    assert wrong.comparison.verdict is Verdict.DIFFERENT


@pytest.mark.parametrize("name", TOLD)
def test_what_the_sdk_could_have_done_is_told(worker: Callable[[str], Worker], name: str) -> None:
    right, wrong = both(worker, TOLD[name])
    assert right.same, right.explain()
    assert name not in right.comparison.passed_over
    assert name in wrong.comparison.passed_over
    assert wrong.comparison.reported


def both(worker: Callable[[str], Worker], row: Row) -> tuple[PairResult, PairResult]:
    """The proof of the right port and that of the mistaken one."""
    right = clean(row.right)
    wrong = clean(row.right.replace(row.instead_of, row.mistake))
    assert wrong != right
    before, workers = IMPORTS + clean(row.before), (worker("legacy"), worker("genai3"))
    proven = prove_pair(before, NEW_IMPORTS + right, workers, script=row.script)
    return proven, prove_pair(before, NEW_IMPORTS + wrong, workers, script=row.script)
