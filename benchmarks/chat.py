"""What the protocol values cost: importing, building, encoding, decoding, accumulating.

    python benchmarks/chat.py

Figures are CPU time, the best of several rounds, each beside a yardstick taken in the same run.
Where openai and pydantic-ai-slim[openai] are installed beside chatport, they are measured too:
both are given an HTTP client that answers at once, and the cost of 100 messages is that of a call
with 101 minus that of a call with one.
"""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from importlib.util import find_spec
from typing import Any

from chatport.chat import (
    Message,
    Request,
    ResponseAccumulator,
    ResponseDelta,
    TextDelta,
    ToolCall,
    ToolCallDelta,
    assistant,
    user,
)

ROUNDS = 7
TEXT = "A sentence of a chat is rarely longer than this one, give or take a word."


def main() -> None:
    """Print one line a figure."""
    for name, microseconds, against, yardstick in (*imports(), *requests(), *accumulation()):
        ratio = f"{microseconds / yardstick:8.2f} x {against}" if yardstick else ""
        print(f"{name:<48}{microseconds:12.2f} us  {ratio}")


Row = tuple[str, float, str, float]


def imports() -> Iterator[Row]:
    """Fresh interpreters, less the cost of one that does nothing."""
    bare = cpu_of("pass")
    ours = cpu_of("from chatport import Request, Response, ResponseDelta, user") - bare
    floor = cpu_of("import json, dataclasses, datetime, typing, re") - bare
    yield "import chatport and nothing of it", cpu_of("import chatport") - bare, "", 0
    yield "import the values", ours, "json, dataclasses, datetime, typing, re", floor
    if find_spec("openai"):
        yield (
            "import the values, against openai",
            ours,
            "import openai",
            cpu_of("import openai") - bare,
        )


def cpu_of(program: str) -> float:
    """CPU microseconds of a fresh interpreter that runs a program."""
    code = f"import time\n{program}\nprint(time.process_time())"
    command = [sys.executable, "-c", code]
    times = [
        float(subprocess.run(command, capture_output=True, check=True).stdout)
        for _ in range(ROUNDS)
    ]
    return min(times) * 1e6


def requests() -> Iterator[Row]:
    """A conversation of 100 messages, built anew and encoded each time."""
    plain = best(lambda: json.dumps({"messages": dicts(100)}), 200)
    ours = best(lambda: Request(*messages(100)).to_json(), 100)
    request = Request(*messages(100))
    text = request.to_json()
    yield "100 messages: build and encode", ours, "dicts and json.dumps", plain
    yield "100 messages: encode only", best(request.to_json, 300), "dicts and json.dumps", plain
    yield (
        "100 messages: decode strictly, values checked",
        best(lambda: Request.from_json(text), 100),
        "json.loads",
        best(lambda: json.loads(text), 100),
    )
    yield "a message more", best(lambda: request.extend(user(TEXT)), 300), "", 0
    if find_spec("openai"):
        yield "100 messages, against openai", ours, "openai", openai_per_100()
    if find_spec("pydantic_ai"):
        yield "100 messages, against pydantic-ai", ours, "pydantic-ai", pydantic_ai_per_100()


def messages(count: int) -> list[Message]:
    return [assistant(TEXT) if index % 2 else user(TEXT) for index in range(count)]


def dicts(count: int) -> list[dict[str, Any]]:
    roles = ("user", "assistant")
    return [{"role": roles[index % 2], "content": TEXT} for index in range(count)]


def accumulation() -> Iterator[Row]:
    """Per delta; were anything kept copied, the longer streams would cost more of it."""
    text = ResponseDelta(TextDelta("word "))
    call = ResponseDelta(ToolCallDelta(ToolCall("call_1", "save", '{"note":')))
    joined = best(lambda: "".join(["word "] * 10_000), 20) / 10_000
    short = accumulate(text, 1_000)
    yield "a text delta, of 1,000", short, "list and join", joined
    yield "a text delta, of 100,000", accumulate(text, 100_000), "of 1,000", short
    fragment = accumulate(call, 1_000)
    yield "a call fragment, of 1,000", fragment, "a text delta", short
    yield "a call fragment, of 100,000", accumulate(call, 100_000), "of 1,000", fragment
    made = best(lambda: ResponseDelta(TextDelta("word ")), 5_000)
    yield "making a text delta", made, "accumulating it", short


def accumulate(delta: ResponseDelta, count: int) -> float:
    def run() -> None:
        accumulator = ResponseAccumulator()
        for _ in range(count):
            accumulator.add(delta)
        accumulator.message()

    return best(run, max(1, 20_000 // count)) / count


def openai_per_100() -> float:
    import httpx2
    from openai import OpenAI

    client = OpenAI(
        api_key="none", http_client=httpx2.Client(transport=httpx2.MockTransport(instant_answer))
    )

    def call(count: int) -> Callable[[], Any]:
        return lambda: client.chat.completions.create(model="m", messages=dicts(count))  # type: ignore[arg-type]

    return best(call(101), 20) - best(call(1), 20)


def pydantic_ai_per_100() -> float:
    import httpx2
    from openai import AsyncOpenAI
    from pydantic_ai.direct import model_request_sync
    from pydantic_ai.messages import ModelMessage, ModelRequest, ModelResponse, TextPart
    from pydantic_ai.models.openai import OpenAIChatModel
    from pydantic_ai.providers.openai import OpenAIProvider

    http = httpx2.AsyncClient(transport=httpx2.MockTransport(instant_answer))
    provider = OpenAIProvider(openai_client=AsyncOpenAI(api_key="none", http_client=http))
    model = OpenAIChatModel("m", provider=provider)

    def call(count: int) -> Callable[[], Any]:
        def run() -> Any:
            history: list[ModelMessage] = [
                ModelResponse([TextPart(TEXT)]) if i % 2 else ModelRequest.user_text_prompt(TEXT)
                for i in range(count)
            ]
            return model_request_sync(model, history)

        return run

    return best(call(101), 20) - best(call(1), 20)


def instant_answer(request: Any) -> Any:
    import httpx2

    message = {"role": "assistant", "content": "x"}
    choice = {"index": 0, "finish_reason": "stop", "message": message}
    body = {"id": "c", "object": "chat.completion", "created": 1, "model": "m", "choices": [choice]}
    return httpx2.Response(200, json=body)


def best(run: Callable[[], Any], times: int) -> float:
    """CPU microseconds of one run: the best of several rounds of so many."""
    shortest = float("inf")
    for _ in range(ROUNDS):
        start = time.process_time()
        for _ in range(times):
            run()
        shortest = min(shortest, time.process_time() - start)
    return shortest / times * 1e6


if __name__ == "__main__":
    main()
