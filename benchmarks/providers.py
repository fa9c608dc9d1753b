"""What a call, a streamed chunk and calls in flight cost over HTTP, beside peers, in one run.

    pip install -e '.[fast]' openai 'pydantic-ai-slim[openai]' litellm
    python benchmarks/providers.py

Each row runs in a process of its own against one server on loopback (no TLS), on a core of its own
where there are two. CPU of the client's process in every column; compare rows, not machines. The
floors are the libraries by themselves, with the JSON parsed and nothing else. Peers that are not
installed are left out.
"""

from __future__ import annotations

import asyncio
import json
import resource
import subprocess
import sys
import time
from collections.abc import Awaitable, Callable
from importlib.util import find_spec
from pathlib import Path
from typing import Any, ClassVar

Json = dict[str, Any]
CALLS, STREAMS, CONCURRENT, IN_FLIGHT = 300, 5, 1_000, 100
CHUNKS = 2_000
WORDS = "Because. " * 100
QUESTION = "Why? " * 40
COLUMNS = {
    "import": "import, ms",
    "rss": "RSS then, MB",
    "first": "and first call, ms",
    "call": "a call, us",
    "chunk": "a chunk, us",
    "flight": "in flight, ms",
}


class Server(asyncio.Protocol):
    """Chat Completions of always the same answer; bodies are built once."""

    about: ClassVar[Json] = {"id": "c", "object": "chat.completion", "created": 1, "model": "m"}
    usage: ClassVar[Json] = {"prompt_tokens": 90, "completion_tokens": 200, "total_tokens": 290}

    @classmethod
    def build(cls) -> None:
        """Build the answers."""
        message = {"role": "assistant", "content": WORDS}
        choice = {"index": 0, "message": message, "finish_reason": "stop"}
        whole = json.dumps(cls.about | {"choices": [choice], "usage": cls.usage}).encode()
        cls.whole = b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n"
        cls.whole += b"content-length: %d\r\n\r\n" % len(whole) + whole
        told = cls.about | {"object": "chat.completion.chunk"}

        def event(delta: Json, finish: str | None = None) -> bytes:
            choice = {"index": 0, "delta": delta, "logprobs": None, "finish_reason": finish}
            data = b"data: " + json.dumps(told | {"choices": [choice]}).encode() + b"\n\n"
            return b"%x\r\n%s\r\n" % (len(data), data)

        last = b"data: " + json.dumps(told | {"choices": [], "usage": cls.usage}).encode()
        end = event({}, "stop") + b"%x\r\n%s\r\n" % (len(last) + 2, last + b"\n\n")
        done = b"data: [DONE]\n\n"
        word = event({"content": "word "})
        cls.stream = [
            b"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n"
            b"transfer-encoding: chunked\r\n\r\n" + event({"role": "assistant", "content": ""}),
            *[word * 20] * (CHUNKS // 20),
            end + b"%x\r\n%s\r\n" % (len(done), done) + b"0\r\n\r\n",
        ]

    def connection_made(self, transport: Any) -> None:
        self.transport, self.data = transport, b""

    def data_received(self, data: bytes) -> None:
        self.data += data
        head, found, rest = self.data.partition(b"\r\n\r\n")
        length = head.lower().partition(b"content-length:")[2].split(b"\r\n")[0]
        if not found or len(rest) < int(length or b"0"):
            return
        self.data = b""
        if b'"stream":true' in rest.replace(b" ", b""):
            self.transport.writelines(self.stream)
        else:
            self.transport.write(self.whole)


class Subject:
    """Something that is measured. What it cannot do is None."""

    package = ""
    call: Callable[[], object] | None = None
    stream: Callable[[], int] | None = None
    acall: Callable[[], Awaitable[object]] | None = None

    def __init__(self, url: str) -> None:
        """Make the client."""

    async def opened(self, url: str) -> None:
        """Make the asynchronous client, in its loop."""


class Floor(Subject):
    """httpx2 and json, and nothing else."""

    package = "httpx2"
    body: ClassVar[Json] = {"model": "m", "messages": [{"role": "user", "content": QUESTION}]}

    def __init__(self, url: str) -> None:
        import httpx2

        self.url, self.client = url + "/chat/completions", httpx2.Client()

    def call(self) -> object:
        return json.loads(self.client.post(self.url, json=self.body).content)["choices"]

    def stream(self) -> int:
        count, rest = 0, b""
        with self.client.stream("POST", self.url, json=self.body | {"stream": True}) as response:
            for piece in response.iter_raw():
                *events, rest = (rest + piece).split(b"\n\n")
                for event in events:
                    if event != b"data: [DONE]":
                        count += len(json.loads(event[6:])["choices"])
        return count

    async def opened(self, url: str) -> None:
        import httpx2

        limits = httpx2.Limits(max_connections=IN_FLIGHT, max_keepalive_connections=IN_FLIGHT)
        self.aclient = httpx2.AsyncClient(limits=limits)

    async def acall(self) -> object:
        return json.loads((await self.aclient.post(self.url, json=self.body)).content)["choices"]


class FastFloor(Floor):
    """pyreqwest and json, and nothing else."""

    package = "pyreqwest"

    def __init__(self, url: str) -> None:
        from pyreqwest.client import SyncClientBuilder

        self.url, self.client = url + "/chat/completions", SyncClientBuilder().build()
        self.sent = json.dumps(self.body).encode()

    def call(self) -> object:
        response = self.client.post(self.url).body_bytes(self.sent).build().send()
        return json.loads(bytes(response.bytes()))["choices"]

    def stream(self) -> int:
        count, rest = 0, b""
        request = self.client.post(self.url).body_bytes(b'{"stream":true}')
        with request.streamed_read_buffer_limit(0).build_streamed() as response:
            while (piece := response.body_reader.read_chunk()) is not None:
                *events, rest = (rest + bytes(piece)).split(b"\n\n")
                for event in events:
                    if event != b"data: [DONE]":
                        count += len(json.loads(event[6:])["choices"])
        return count

    async def opened(self, url: str) -> None:
        from pyreqwest.client import ClientBuilder

        self.aclient = ClientBuilder().build()

    async def acall(self) -> object:
        response = await self.aclient.post(self.url).body_bytes(self.sent).build().send()
        return json.loads(bytes(await response.bytes()))["choices"]


class Ours(Subject):
    """chatport on its default transport, as it comes."""

    package = "chatport"
    middleware: tuple[str, ...] = ()
    transport = ""

    def __init__(self, url: str) -> None:
        import chatport
        from chatport.providers import openai

        made = [getattr(chatport, name) for name in self.middleware]
        layers = [layer(60) if layer is chatport.timeout else layer for layer in made]
        model = openai.Model("m", base_url=url, transport=self.pool("PyreqwestTransport"))
        self.client = chatport.Client(model, middleware=layers)
        self.streams = chatport.StreamClient(model, middleware=layers)
        self.request = chatport.Request(chatport.user(QUESTION))

    def pool(self, name: str) -> Any:
        if not self.transport:
            return None
        from chatport import providers

        return getattr(providers, name)()

    def call(self) -> object:
        return self.client.call(self.request).text()

    def stream(self) -> int:
        stream = self.streams.stream(self.request)
        count = sum(1 for _ in stream)
        assert stream.response().finish_reason == "stop"
        return count

    async def opened(self, url: str) -> None:
        import chatport
        from chatport.providers import openai

        pool = self.pool("AsyncPyreqwestTransport")
        model = openai.AsyncModel("m", base_url=url, transport=pool)
        self.aclient = chatport.AsyncClient(model)

    async def acall(self) -> object:
        return (await self.aclient.call(self.request)).text()


class OursWrapped(Ours):
    """The same with three middlewares."""

    middleware = ("retry", "timeout", "log")


class OursFast(Ours):
    """chatport on pyreqwest."""

    transport = "pyreqwest"


class OursFastWrapped(OursFast, OursWrapped):
    """The same with three middlewares."""


class OpenAI(Subject):
    """The official SDK."""

    package = "openai"
    messages = ({"role": "user", "content": QUESTION},)

    def __init__(self, url: str) -> None:
        import openai

        self.create = openai.OpenAI(api_key="k", base_url=url).chat.completions.create

    def call(self) -> object:
        answer = self.create(model="m", messages=self.messages)  # type: ignore[call-overload]
        return answer.choices[0].message.content

    def stream(self) -> int:
        stream = self.create(model="m", messages=self.messages, stream=True)  # type: ignore[call-overload]
        return sum(1 for chunk in stream if chunk.choices)

    async def opened(self, url: str) -> None:
        import openai

        self.acreate = openai.AsyncOpenAI(api_key="k", base_url=url).chat.completions.create

    async def acall(self) -> object:
        answer = await self.acreate(model="m", messages=self.messages)  # type: ignore[call-overload]
        return answer.choices[0].message.content


class LiteLLM(Subject):
    """litellm."""

    package = "litellm"

    def __init__(self, url: str) -> None:
        import litellm

        litellm.REPEATED_STREAMING_CHUNK_LIMIT = CHUNKS * 10
        self.litellm = litellm
        self.settings = {"model": "openai/m", "api_base": url, "api_key": "k"}
        self.settings["messages"] = [{"role": "user", "content": QUESTION}]  # type: ignore[assignment]

    def call(self) -> object:
        return self.litellm.completion(**self.settings).choices[0].message.content

    def stream(self) -> int:
        return sum(1 for _ in self.litellm.completion(**self.settings, stream=True))

    async def acall(self) -> object:
        return (await self.litellm.acompletion(**self.settings)).choices[0].message.content


class PydanticAI(Subject):
    """pydantic-ai, its model requests without an agent."""

    package = "pydantic_ai"

    def __init__(self, url: str) -> None:
        from pydantic_ai import direct
        from pydantic_ai.messages import ModelRequest
        from pydantic_ai.models.openai import OpenAIChatModel
        from pydantic_ai.providers.openai import OpenAIProvider

        self.direct = direct
        self.model = OpenAIChatModel("m", provider=OpenAIProvider(base_url=url, api_key="k"))
        self.messages = [ModelRequest.user_text_prompt(QUESTION)]

    def call(self) -> object:
        return self.direct.model_request_sync(self.model, self.messages).parts

    def stream(self) -> int:
        with self.direct.model_request_stream_sync(self.model, self.messages) as stream:
            return sum(1 for _ in stream)

    async def opened(self, url: str) -> None:
        import httpx2
        from pydantic_ai.models.openai import OpenAIChatModel
        from pydantic_ai.providers.openai import OpenAIProvider

        # Its own client is shared by the process, and bound to the loop of the calls before.
        client = httpx2.AsyncClient()
        provider = OpenAIProvider(base_url=url, api_key="k", http_client=client)
        self.model = OpenAIChatModel("m", provider=provider)

    async def acall(self) -> object:
        return (await self.direct.model_request(self.model, self.messages)).parts


SUBJECTS: dict[str, type[Subject]] = {
    "httpx2 alone": Floor,
    "pyreqwest alone": FastFloor,
    "chatport": Ours,
    "  3 middlewares": OursWrapped,
    "chatport, fast": OursFast,
    "  fast, 3 middlewares": OursFastWrapped,
    "openai": OpenAI,
    "litellm": LiteLLM,
    "pydantic-ai": PydanticAI,
}


def pin(core: int) -> None:
    import os

    cores = sorted(os.sched_getaffinity(0))
    if len(cores) > 1:
        os.sched_setaffinity(0, {cores[core % len(cores)]})


async def serve() -> None:
    Server.build()
    server = await asyncio.get_running_loop().create_server(Server, "127.0.0.1", 0)
    print(server.sockets[0].getsockname()[1], flush=True)
    await server.serve_forever()


def one(name: str, url: str) -> None:
    """Measure one subject, in this process."""
    pin(0)
    kind = SUBJECTS[name]
    result: Json = {}
    started = time.process_time()
    __import__(kind.package)
    result["import"] = (time.process_time() - started) * 1e3
    result["rss"] = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    subject = kind(url)
    assert subject.call is not None
    subject.call()
    result["first"] = (time.process_time() - started) * 1e3
    for _ in range(20):
        subject.call()
    result["call"] = cost(lambda: [subject.call() for _ in range(CALLS)], CALLS)  # type: ignore[misc]
    assert subject.stream is not None
    assert subject.stream() >= CHUNKS
    result["chunk"] = cost(
        lambda: [subject.stream() for _ in range(STREAMS)],  # type: ignore[misc]
        STREAMS * CHUNKS,
    )
    result["flight"] = asyncio.run(in_flight(subject, url))
    print(json.dumps(result))


def cost(work: Callable[[], object], times: int) -> float:
    """CPU microseconds of each time."""
    started = time.process_time()
    work()
    return (time.process_time() - started) / times * 1e6


async def in_flight(subject: Subject, url: str) -> float:
    """CPU milliseconds of the calls together."""
    await subject.opened(url)
    gate = asyncio.Semaphore(IN_FLIGHT)

    async def ask() -> None:
        async with gate:
            assert subject.acall is not None
            await subject.acall()

    await asyncio.gather(*(ask() for _ in range(IN_FLIGHT)))
    started = time.process_time()
    await asyncio.gather(*(ask() for _ in range(CONCURRENT)))
    return (time.process_time() - started) * 1e3


def main() -> None:
    """Measure everything that is installed, twice, and print the better of each."""
    here = str(Path(__file__))
    server = subprocess.Popen([sys.executable, here, "serve"], stdout=subprocess.PIPE)
    assert server.stdout is not None
    url = f"http://127.0.0.1:{int(server.stdout.readline())}/v1"
    print(f"{'CPU':22}" + "".join(f"{title:>20}" for title in COLUMNS.values()))
    try:
        for name, kind in SUBJECTS.items():
            if find_spec(kind.package) is None:
                continue
            runs = [
                subprocess.run(
                    [sys.executable, here, name, url], capture_output=True, text=True, check=False
                )
                for _ in range(2)
            ]
            told = [json.loads(run.stdout.splitlines()[-1]) for run in runs if not run.returncode]
            if not told:
                print(f"{name:22}{runs[0].stderr.strip().splitlines()[-1]}")
                continue
            best = {column: min(row[column] for row in told) for column in COLUMNS}
            print(f"{name:22}" + "".join(f"{best[column]:>20.1f}" for column in COLUMNS))
    finally:
        server.terminate()
        server.wait()


if __name__ == "__main__":
    match sys.argv[1:]:
        case ["serve"]:
            pin(1)
            asyncio.run(serve())
        case [name, url]:
            one(name, url)
        case _:
            main()
