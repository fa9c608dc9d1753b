"""A typed answer and a round of tools, beside two peers, in one run.

    pip install openai 'pydantic-ai-slim[openai]'
    python -m benchmarks.client_peers

Everybody gets a model that answers at once: pydantic-ai and chatport a function, openai an HTTP
client whose transport does. What is compared is therefore what the libraries do themselves. Each
line has the CPU time of the whole call, and of that less a plain call, measured alternately; the
ratio is that of the whole calls. An agent's run costs so much more than what it does that its
difference may drown in the noise.
"""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Callable
from typing import Any

import httpx2
import openai
from benchmarks.client import ASK, RECORD, Person
from pydantic_ai import Agent, NativeOutput
from pydantic_ai.messages import ModelResponse, TextPart, ToolCallPart
from pydantic_ai.models.function import FunctionModel as PeerModel

from chatport import Client, FunctionModel, JSONSchema, SingleBatchTools, ToolCall, tool
from chatport.testing import answer

ROUNDS = 7
Work = Callable[[], object]


def main() -> None:
    """Print one line a library and task."""
    typed = {"chatport": ours_typed(), "pydantic-ai": agent_typed(), "openai": openai_typed()}
    tools = {"chatport": ours_tools(), "pydantic-ai": agent_tools()}
    print(f"{'':<42}{'the call':>12}{'over plain':>14}")
    for task, rows in [(f"typed answer, {len(RECORD)} bytes", typed), ("round of one tool", tools)]:
        costs = {name: measure(*work) for name, work in rows.items()}
        for name, (whole, extra) in costs.items():
            ratio = whole / costs["chatport"][0]
            print(f"{task:<28}{name:<14}{whole:9.1f} us {extra:10.1f} us {ratio:8.1f} x")


def measure(work: Work, plain: Work) -> tuple[float, float]:
    """CPU microseconds of the work, and of it less a plain call."""
    times = [(cpu(work), cpu(plain)) for _ in range(ROUNDS)]
    whole = min(pair[0] for pair in times)
    return whole, whole - min(pair[1] for pair in times)


def cpu(work: Work, times: int = 100) -> float:
    """CPU microseconds of one go."""
    start = time.process_time()
    for _ in range(times):
        work()
    return (time.process_time() - start) / times * 1e6


def ours_typed() -> tuple[Work, Work]:
    client = Client(FunctionModel(lambda request: answer(RECORD)))
    made = JSONSchema(Person)
    return lambda: client.output(ASK, made), lambda: client.call(ASK)


def ours_tools() -> tuple[Work, Work]:
    @tool
    def save(note: str) -> str:
        """Keep a note."""
        return note

    @FunctionModel
    def model(request: Any) -> Any:
        if len(request.messages) > 1:
            return answer("done")
        return answer(ToolCall("1", "save", '{"note": "milk"}'))

    plain = Client(FunctionModel(lambda request: answer("done")))
    client = Client(model, middleware=[SingleBatchTools(save)])
    return lambda: client.call(ASK), lambda: plain.call(ASK)


def agent_typed() -> tuple[Work, Work]:
    model = PeerModel(lambda messages, info: ModelResponse(parts=[TextPart(RECORD)]))
    loop = asyncio.new_event_loop()
    plain = Agent(model)
    typed = Agent(model, output_type=NativeOutput(Person))
    return run(loop, typed), run(loop, plain)


def agent_tools() -> tuple[Work, Work]:
    def respond(messages: Any, info: Any) -> ModelResponse:
        if len(messages) > 1:
            return ModelResponse(parts=[TextPart("done")])
        return ModelResponse(parts=[ToolCallPart("save", {"note": "milk"})])

    loop = asyncio.new_event_loop()
    agent = Agent(PeerModel(respond))

    @agent.tool_plain
    def save(note: str) -> str:
        """Keep a note."""
        return note

    plain = Agent(PeerModel(lambda messages, info: ModelResponse(parts=[TextPart("done")])))
    return run(loop, agent), run(loop, plain)


def run(loop: asyncio.AbstractEventLoop, agent: Any) -> Work:
    return lambda: loop.run_until_complete(agent.run("What is six times seven?"))


def openai_typed() -> tuple[Work, Work]:
    body = {
        "id": "1",
        "object": "chat.completion",
        "created": 0,
        "model": "m",
        "choices": [
            {
                "index": 0,
                "finish_reason": "stop",
                "message": {"role": "assistant", "content": RECORD},
            }
        ],
    }
    data = json.dumps(body).encode()
    transport = httpx2.MockTransport(
        lambda request: httpx2.Response(
            200, content=data, headers={"content-type": "application/json"}
        )
    )
    client = openai.OpenAI(api_key="none", http_client=httpx2.Client(transport=transport))
    asked: Any = {"model": "m", "messages": [{"role": "user", "content": "What?"}]}
    return (
        lambda: client.chat.completions.parse(**asked, response_format=Person),
        lambda: client.chat.completions.create(**asked),
    )


if __name__ == "__main__":
    main()
