"""Runs the client against a third-party server that speaks the three protocols: litellm's proxy.

    make integration

The proxy has an environment of its own, is started on a free port and stopped at the end. Whatever
is not as it should be is printed, and makes the exit code 1.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import chatport
from chatport import Client, Options, Request, acollect, collect, system, user
from chatport.providers import anthropic, gemini, openai
from chatport.testing.openai_server import openai_server, text

HERE = Path(__file__).parent
KEY = "sk-integration"
SAID = "Hello from the proxy."
PIECES = ("Hello ", "from the ", "proxy.")
ASK = Request(system("Be brief."), user("Hello"), options=Options(max_output_tokens=50))
START_SECONDS = 180
MADE_UP = ("Chat Completions", "generateContent")
"""The protocols in which the proxy streams what it makes up by itself. In the others it streams
what a server behind it says, which is one of chatport.testing."""
BEHIND = "CHATPORT_BEHIND"
"""The variable with that server's address, which proxy.yaml names."""


def models(port: int) -> dict[str, tuple[Any, Any, dict[str, Any]]]:
    """The models by protocol: synchronous class, asynchronous class, settings."""
    root = f"http://127.0.0.1:{port}"
    return {
        "Chat Completions": (openai.Model, openai.AsyncModel, {"base_url": f"{root}/v1"}),
        "Responses": (
            openai.Model,
            openai.AsyncModel,
            {"base_url": f"{root}/v1", "api": "responses"},
        ),
        "Messages": (anthropic.Model, anthropic.AsyncModel, {"base_url": root}),
        "generateContent": (
            gemini.Model,
            gemini.AsyncModel,
            {"base_url": root, "version": "v1beta"},
        ),
    }


def checked(
    make: Any, amake: Any, settings: dict[str, Any], *, streaming: str
) -> Iterator[tuple[str, str]]:
    """What was asked of a protocol, and what is wrong with the answer; empty when nothing is.

    `streaming` is the model that is asked for streams.
    """
    with make("mock", key=KEY, **settings) as model:
        yield "a call", judged(Client(model).call(ASK))
        if make is not gemini.Model:  # that list the proxy has under no address of its own
            listed = model.models()
            yield "the models", "" if "mock" in listed else f"listed {listed}"
    with make(streaming, key=KEY, **settings) as model:
        yield "a stream", judged(collect(model.stream(ASK)))
        stream = model.stream(ASK)
        next(stream)
        stream.close()
        yield "a call after a stream left early", judged(model.call(ASK))
    yield "an asynchronous stream", judged(asyncio.run(streamed(amake, streaming, settings)))


async def streamed(make: Any, name: str, settings: dict[str, Any]) -> chatport.Response:
    """The response of an asynchronous stream."""
    async with make(name, key=KEY, **settings) as model:
        return await acollect(model.stream(ASK))


def judged(response: chatport.Response) -> str:
    """What is wrong with a response."""
    if response.text() != SAID:
        return f"said {response.text()!r}"
    return "" if response.finish_reason == "stop" else f"ended with {response.finish_reason}"


@contextmanager
def proxy(python: Path, behind: str) -> Iterator[int]:
    """The running proxy's port; `behind` is the address of the server behind it."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [str(python.parent / "litellm"), "--config", str(HERE / "proxy.yaml")]
    command += ["--host", "127.0.0.1", "--port", str(port)]
    environment = os.environ | {"LITELLM_LOCAL_MODEL_COST_MAP": "True", BEHIND: behind}
    with tempfile.TemporaryFile() as log:
        server = subprocess.Popen(command, env=environment, stdout=log, stderr=log)
        try:
            if not answers(server, port):
                log.seek(0)
                sys.exit(log.read()[-2000:].decode() + "\nthe proxy did not start")
            yield port
        finally:
            server.terminate()
            server.wait()


def answers(server: subprocess.Popen[bytes], port: int) -> bool:
    """Whether the proxy answers, in the time there is."""
    until = time.monotonic() + START_SECONDS
    while time.monotonic() < until and server.poll() is None:
        try:
            urllib.request.urlopen(f"http://127.0.0.1:{port}/health/liveliness", timeout=5).close()
        except (urllib.error.URLError, OSError):
            time.sleep(0.5)
        else:
            return True
    return False


def main() -> int:
    """Check every protocol; the exit code."""
    parser = argparse.ArgumentParser(description="Run the client against litellm's proxy.")
    parser.add_argument("python", type=Path, help="an interpreter that has it")
    arguments = parser.parse_args()
    wrong = 0
    with (
        openai_server([text(*PIECES)] * 100) as behind,
        proxy(arguments.python.absolute(), behind.url) as port,
    ):
        for name, (make, amake, settings) in models(port).items():
            try:
                streaming = "mock" if name in MADE_UP else "relay"
                for what, problem in checked(make, amake, settings, streaming=streaming):
                    wrong += bool(problem)
                    print(f"{name}: {what}: {problem or 'as it should be'}", flush=True)
            except chatport.ChatError as error:
                wrong += 1
                print(f"{name}: {type(error).__name__}: {error}", flush=True)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
