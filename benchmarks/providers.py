"""What a call, a streamed chunk and calls in flight cost over HTTP, beside peers, in one run.

    pip install -e . httpx2 aiohttp openai anthropic google-genai langchain-openai \\
        'pydantic-ai-slim[openai]' litellm
    python benchmarks/providers.py [ROW …]

Each row runs in a process of its own against one server on loopback (no TLS), on a core of its own
where there are two. CPU of the client's process, and wall in brackets; compare rows, not machines.
The floors are libraries by themselves, with the JSON parsed and nothing else: http.client for what
is synchronous and aiohttp for what is not, which are the fastest that are in everybody's hands, and
httpx2. Memory is resident, at its highest: after the import, and at the end of everything. Below
the table are the gates, over these rows. Peers that are not installed are left out.
"""

from __future__ import annotations

import asyncio
import json
import resource
import subprocess
import sys
import time
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from provider_peers import IN_FLIGHT, MESSAGES, PEERS, QUESTION, Subject
from wire_server import CHUNKS, Json, pin, running

CALLS, STREAMS, CONCURRENT, ROUNDS, PASSES = 100, 2, 1_000, 3, 2
COLUMNS = {
    "import": "import, ms",
    "rss": "memory then, MB",
    "first": "and first call, ms",
    "call": "a call, us",
    "chunk": "a chunk, us",
    "flight": "in flight, ms",
    "peak": "memory after all, MB",
}
BODY: Json = {"model": "m", "messages": MESSAGES}
PATH = "/v1/chat/completions"


def counted(pieces: Any) -> int:
    """Read events and nothing else."""
    count, rest = 0, b""
    for piece in pieces:
        *events, rest = (rest + piece).split(b"\n\n")
        for event in events:
            if event != b"data: [DONE]":
                count += len(json.loads(event[6:])["choices"])
    return count


class Floor(Subject):
    """http.client, aiohttp and json, and nothing else: what ours was to cost little more than."""

    package = "aiohttp"

    def __init__(self, url: str) -> None:
        import http.client

        at = urlsplit(url)
        self.url, self.client = url + PATH, http.client.HTTPConnection(at.hostname or "", at.port)

    def ask(self, body: Json) -> Any:
        self.client.request("POST", PATH, json.dumps(body), {"content-type": "application/json"})
        return self.client.getresponse()

    def call(self) -> object:
        return json.loads(self.ask(BODY).read())["choices"]

    def stream(self) -> int:
        response = self.ask(BODY | {"stream": True})
        count = counted(iter(lambda: response.read1(65536), b""))
        response.close()
        return count

    async def opened(self, url: str) -> None:
        import aiohttp

        self.session = aiohttp.ClientSession()

    async def acall(self) -> object:
        async with self.session.post(self.url, json=BODY) as response:
            return json.loads(await response.read())["choices"]

    async def closed(self) -> None:
        await self.session.close()


class Httpx2Floor(Subject):
    """httpx2 and json, and nothing else."""

    package = "httpx2"

    def __init__(self, url: str) -> None:
        import httpx2

        self.url, self.client = url + PATH, httpx2.Client()

    def call(self) -> object:
        return json.loads(self.client.post(self.url, json=BODY).content)["choices"]

    def stream(self) -> int:
        with self.client.stream("POST", self.url, json=BODY | {"stream": True}) as response:
            return counted(response.iter_raw())

    async def opened(self, url: str) -> None:
        import httpx2

        limits = httpx2.Limits(max_connections=IN_FLIGHT, max_keepalive_connections=IN_FLIGHT)
        self.aclient = httpx2.AsyncClient(limits=limits)

    async def acall(self) -> object:
        return json.loads((await self.aclient.post(self.url, json=BODY)).content)["choices"]


class Ours(Subject):
    """chatport, as it comes."""

    package = "chatport"
    provider = "openai"
    root = "/v1"
    middleware: tuple[str, ...] = ()

    def __init__(self, url: str) -> None:
        import chatport

        made = [getattr(chatport, name) for name in self.middleware]
        self.layers = [layer(60) if layer is chatport.timeout else layer for layer in made]
        model = chatport.model(
            f"{self.provider}:m", base_url=url + self.root, transport=self.pool()
        )
        self.client = chatport.Client(model, middleware=self.layers)
        self.streams = chatport.StreamClient(model, middleware=self.layers)
        self.request = chatport.Request(chatport.user(QUESTION))

    def pool(self, *, asynchronous: bool = False) -> Any:
        """The transport; None for the default."""

    def call(self) -> object:
        return self.client.call(self.request).text()

    def stream(self) -> int:
        stream = self.streams.stream(self.request)
        count = sum(1 for _ in stream)
        assert stream.response().finish_reason == "stop"
        return count

    async def opened(self, url: str) -> None:
        import chatport

        model = chatport.async_model(
            f"{self.provider}:m", base_url=url + self.root, transport=self.pool(asynchronous=True)
        )
        self.aclient = chatport.AsyncClient(model, middleware=self.layers)

    async def acall(self) -> object:
        return (await self.aclient.call(self.request)).text()


class OursWrapped(Ours):
    """The same with three middlewares."""

    middleware = ("retry", "timeout", "log")


class OursHttpx2(Ours):
    """On an httpx2 client of the program's own."""

    def pool(self, *, asynchronous: bool = False) -> Any:
        import httpx2

        limits = httpx2.Limits(max_connections=IN_FLIGHT, max_keepalive_connections=IN_FLIGHT)
        return httpx2.AsyncClient(limits=limits) if asynchronous else httpx2.Client()


class OursMessages(Ours):
    """Over Messages."""

    provider, root = "anthropic", ""


class OursGemini(Ours):
    """Over generateContent."""

    provider, root = "gemini", ""


SUBJECTS: dict[str, type[Subject]] = {
    "libraries alone": Floor,
    "httpx2 alone": Httpx2Floor,
    "chatport": Ours,
    "  3 middlewares": OursWrapped,
    "  on httpx2": OursHttpx2,
    "  Messages": OursMessages,
    "  generateContent": OursGemini,
    **PEERS,
}
Gate = tuple[str, Callable[[dict[str, Json]], float], float]


def over(column: str, one: str, other: str) -> Callable[[dict[str, Json]], float]:
    return lambda rows: float(rows[one][column] / rows[other][column])


def most(column: str) -> Callable[[dict[str, Json]], float]:
    return lambda rows: float(rows["chatport"][column])


def own(rows: dict[str, Json]) -> float:
    return float(rows["  3 middlewares"]["call"] - rows["libraries alone"]["call"])


AT_MOST: list[Gate] = [
    ("a call with 3 middlewares over the library, us", own, 150),
    ("a streamed chunk, typed and accumulated, us", most("chunk"), 30),
    ("calls in flight : aiohttp's own", over("flight", "chatport", "libraries alone"), 1.3),
    ("the same on httpx2", over("flight", "  on httpx2", "httpx2 alone"), 1.3),
    ("1,000 calls in flight, ms", most("flight"), 500),
    ("import, client and first call, ms", most("first"), 600),
    ("RSS after import, MB", most("rss"), 30),
]
AT_LEAST: list[Gate] = [
    ("openai : a call", over("call", "openai", "chatport"), 4),
    ("openai : a chunk", over("chunk", "openai", "chatport"), 5),
    ("anthropic : a call, both over Messages", over("call", "anthropic", "  Messages"), 1),
    ("google-genai : a call, both its wire", over("call", "google-genai", "  generateContent"), 1),
    *(
        (f"{name} : {what}", over(column, name, "chatport"), 10)
        for name in ("litellm", "pydantic-ai", "langchain")
        for column, what in (("call", "a call"), ("chunk", "a chunk"))
    ),
    *(
        (
            f"{name.strip().replace('with', 'google-genai with')} : in flight",
            over("flight", name, "chatport"),
            6,
        )
        for name in PEERS
    ),
]


def one(name: str, url: str) -> None:
    """Measure one subject, in this process."""
    pin(0)
    kind = SUBJECTS[name]
    result: Json = {}
    sys.modules.update(dict.fromkeys(kind.hidden))  # type: ignore[arg-type]
    watch = Watch()
    __import__(kind.package)
    watch.note(result, "import", 1e3)
    result["rss"] = memory()
    subject = kind(url)
    assert subject.call is not None
    subject.call()
    watch.note(result, "first", 1e3)
    for _ in range(20):
        subject.call()
    cost(result, "call", lambda: [subject.call() for _ in range(CALLS)], CALLS)  # type: ignore[misc]
    assert subject.stream is not None
    assert subject.stream() >= CHUNKS
    cost(
        result,
        "chunk",
        lambda: [subject.stream() for _ in range(STREAMS)],  # type: ignore[misc]
        STREAMS * CHUNKS,
    )
    asyncio.run(in_flight(subject, url, result))
    result["peak"] = memory()
    print(json.dumps(result))


class Watch:
    """CPU and wall since it was made."""

    def __init__(self) -> None:
        self.cpu, self.wall = time.process_time(), time.perf_counter()

    def note(self, result: Json, column: str, per: float) -> None:
        """The least of what was noted there before and this."""
        cpu, wall = time.process_time() - self.cpu, time.perf_counter() - self.wall
        for name, spent in ((column, cpu), (f"{column} wall", wall)):
            result[name] = min(result.get(name, float("inf")), spent * per)


def memory() -> float:
    """The most of the process that was resident at a time, in MB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def cost(result: Json, column: str, work: Callable[[], object], times: int) -> None:
    """Microseconds of each time, in the best of some rounds."""
    for _ in range(ROUNDS):
        watch = Watch()
        work()
        watch.note(result, column, 1e6 / times)


async def in_flight(subject: Subject, url: str, result: Json) -> None:
    """Milliseconds of the calls together, in the best of some rounds."""
    await subject.opened(url)
    gate = asyncio.Semaphore(IN_FLIGHT)

    async def ask() -> None:
        async with gate:
            assert subject.acall is not None
            await subject.acall()

    await asyncio.gather(*(ask() for _ in range(IN_FLIGHT)))
    for _ in range(ROUNDS):
        watch = Watch()
        await asyncio.gather(*(ask() for _ in range(CONCURRENT)))
        watch.note(result, "flight", 1e3)
    await subject.closed()


def measured(name: str, url: str) -> Json | str:
    """The best of each column over some passes, or what went wrong."""
    command = [sys.executable, str(Path(__file__)), "--one", name, url]
    runs = [
        subprocess.run(command, capture_output=True, text=True, check=False) for _ in range(PASSES)
    ]
    told = [json.loads(run.stdout.splitlines()[-1]) for run in runs if run.stdout]
    if not told:
        return runs[0].stderr.strip().splitlines()[-1]
    return {column: min(row[column] for row in told) for column in told[0]}


def shown(row: Json, column: str) -> str:
    """A figure, and its wall."""
    wall = row.get(f"{column} wall")
    return f"{row[column]:.1f}" + (f" ({wall:.1f})" if wall is not None else "")


def judged(rows: dict[str, Json]) -> None:
    """Print the gates whose rows are there."""
    for gates, sign in ((AT_MOST, 1), (AT_LEAST, -1)):
        for title, figure, limit in gates:
            try:
                is_ = figure(rows)
            except KeyError:
                continue
            word = "at most" if sign > 0 else "at least"
            met = "met" if sign * is_ <= sign * limit else "MISSED"
            print(f"{title:48}{is_:10.2f}   {word} {limit:g}: {met}")


def main(wanted: list[str]) -> None:
    """Measure everything that is installed, and print the table and the gates."""
    print(f"{'CPU (wall)':22}" + "".join(f"{title:>22}" for title in COLUMNS.values()))
    rows: dict[str, Json] = {}
    with running() as url:
        for name, kind in SUBJECTS.items():
            if (wanted and name.strip() not in wanted) or find_spec(kind.package) is None:
                continue
            row = measured(name, url)
            if isinstance(row, str):
                print(f"{name:22}{row}")
                continue
            rows[name] = row
            print(f"{name:22}" + "".join(f"{shown(row, one):>22}" for one in COLUMNS), flush=True)
    print()
    judged(rows)


if __name__ == "__main__":
    match sys.argv[1:]:
        case ["--one", name, url]:
            one(name, url)
        case wanted:
            main(wanted)
