"""A server for benchmarks: always the same answers, on the three wires, as fast as it can.

    python benchmarks/wire_server.py        # prints its port

No TLS, one process, on a core of its own where there are two. The answers are built once.
"""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

Json = dict[str, Any]
CHUNKS = 2_000
TEXT = "Because. " * 100
ASKED, ANSWERED = 90, 200
"""Tokens, so they say."""


def chat_answer() -> Json:
    """Chat Completions."""
    message = {"role": "assistant", "content": TEXT}
    return {
        "id": "c",
        "object": "chat.completion",
        "created": 1,
        "model": "m",
        "choices": [{"index": 0, "message": message, "finish_reason": "stop"}],
        "usage": {
            "prompt_tokens": ASKED,
            "completion_tokens": ANSWERED,
            "total_tokens": ASKED + ANSWERED,
        },
    }


def chat_events() -> Iterator[Json | str]:
    whole = chat_answer()
    told = whole | {"object": "chat.completion.chunk"}
    del told["usage"]

    def chunk(delta: Json, finish: str | None = None) -> Json:
        choice = {"index": 0, "delta": delta, "logprobs": None, "finish_reason": finish}
        return told | {"choices": [choice]}

    yield chunk({"role": "assistant", "content": ""})
    yield from [chunk({"content": "word "})] * CHUNKS
    yield chunk({}, "stop")
    yield told | {"choices": [], "usage": whole["usage"]}
    yield "[DONE]"


def messages_answer() -> Json:
    """Messages."""
    return {
        "id": "msg_1",
        "type": "message",
        "role": "assistant",
        "model": "m",
        "content": [{"type": "text", "text": TEXT}],
        "stop_reason": "end_turn",
        "stop_sequence": None,
        "usage": {"input_tokens": ASKED, "output_tokens": ANSWERED},
    }


def messages_events() -> Iterator[Json]:
    begun = messages_answer() | {"content": [], "stop_reason": None}
    yield {"type": "message_start", "message": begun}
    empty = {"type": "text", "text": ""}
    yield {"type": "content_block_start", "index": 0, "content_block": empty}
    word = {"type": "text_delta", "text": "word "}
    yield from [{"type": "content_block_delta", "index": 0, "delta": word}] * CHUNKS
    yield {"type": "content_block_stop", "index": 0}
    end = {"stop_reason": "end_turn", "stop_sequence": None}
    yield {"type": "message_delta", "delta": end, "usage": {"output_tokens": ANSWERED}}
    yield {"type": "message_stop"}


def gemini_answer(text: str = TEXT, finish: str | None = "STOP") -> Json:
    """generateContent."""
    candidate: Json = {"index": 0, "content": {"role": "model", "parts": [{"text": text}]}}
    if finish is not None:
        candidate["finishReason"] = finish
    usage = {
        "promptTokenCount": ASKED,
        "candidatesTokenCount": ANSWERED,
        "totalTokenCount": ASKED + ANSWERED,
    }
    told = {"usageMetadata": usage, "modelVersion": "m", "responseId": "r"}
    return {"candidates": [candidate], **told}


def gemini_events() -> Iterator[Json]:
    yield from [gemini_answer("word ", None)] * CHUNKS
    yield gemini_answer("word ")


def whole_of(document: Json) -> list[bytes]:
    body = json.dumps(document).encode()
    head = b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: %d\r\n\r\n"
    return [head % len(body) + body]


def stream_of(events: Iterator[Json | str], *, named: bool = False) -> list[bytes]:
    """Each event a chunk of HTTP, twenty of them in one write."""
    head = b"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n"
    chunks = [chunk_of(event, named) for event in events]
    twenties = [b"".join(chunks[start : start + 20]) for start in range(0, len(chunks), 20)]
    return [head + b"transfer-encoding: chunked\r\n\r\n", *twenties, b"0\r\n\r\n"]


def chunk_of(event: Json | str, named: bool) -> bytes:
    text = event if isinstance(event, str) else json.dumps(event)
    name = f"event: {event['type']}\n" if named and isinstance(event, dict) else ""
    data = f"{name}data: {text}\n\n".encode()
    return b"%x\r\n%s\r\n" % (len(data), data)


ANSWERS: list[tuple[bytes, Sequence[bytes], Sequence[bytes]]] = [
    (b"/chat/completions", whole_of(chat_answer()), stream_of(chat_events())),
    (b"/messages", whole_of(messages_answer()), stream_of(messages_events(), named=True)),
    (b"enerateContent", whole_of(gemini_answer()), stream_of(gemini_events())),
]
"""What is in the path, the answer, and the stream."""


class Server(asyncio.Protocol):
    """One connection."""

    def connection_made(self, transport: Any) -> None:
        self.transport, self.data = transport, b""

    def data_received(self, data: bytes) -> None:
        self.data += data
        head, found, rest = self.data.partition(b"\r\n\r\n")
        length = head.lower().partition(b"content-length:")[2].split(b"\r\n")[0]
        if not found or len(rest) < int(length or b"0"):
            return
        self.data = b""
        path = head.split(b"\r\n", 1)[0]
        whole, stream = next((two for name, *two in ANSWERS if name in path), ANSWERS[0][1:])
        streams = b"streamGenerate" in path or b'"stream":true' in rest.replace(b" ", b"")
        self.transport.writelines(stream if streams else whole)


def pin(core: int) -> None:
    """Stay on this core, where there are several."""
    cores = sorted(os.sched_getaffinity(0))
    if len(cores) > 1:
        os.sched_setaffinity(0, {cores[core % len(cores)]})


async def serve() -> None:
    """Serve until the process is ended."""
    server = await asyncio.get_running_loop().create_server(Server, "127.0.0.1", 0)
    print(server.sockets[0].getsockname()[1], flush=True)
    await server.serve_forever()


@contextmanager
def running() -> Iterator[str]:
    """The address of a server in a process of its own."""
    server = subprocess.Popen([sys.executable, __file__], stdout=subprocess.PIPE)
    assert server.stdout is not None
    try:
        yield f"http://127.0.0.1:{int(server.stdout.readline())}"
    finally:
        server.terminate()
        server.wait()
        server.stdout.close()


if __name__ == "__main__":
    pin(1)
    asyncio.run(serve())
