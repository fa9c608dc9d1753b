"""What the HTTP libraries a transport could stand on cost, in one run.

    pip install -e . httpx2 aiohttp urllib3 pyreqwest niquests
    python benchmarks/http_libraries.py

Each library runs in a process of its own against one server on loopback (no TLS), on a core of its
own where there are two: 300 calls one after the other, streams of 2,000 chunks read as raw bytes,
1,000 asynchronous calls with 100 in flight. The last row is what our transports make of sockets,
asyncio and httptools: deadlines, pools and all, without a codec. CPU of the client's process;
compare columns, not machines. docs/decisions/0150-http-libraries.md says what was made of it.
"""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
import time
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from typing import Any

BODY = json.dumps({"messages": [{"role": "user", "content": "Why? " * 40}]}).encode()
ANSWER = json.dumps({"choices": [{"message": {"content": "Because. " * 100}}]}).encode()
EVENT = b'data: {"choices":[{"index":0,"delta":{"content":"word "}}]}\n\n'
CHUNKS = 2_000
CALLS, STREAMS, CONCURRENT, IN_FLIGHT = 300, 5, 1_000, 100
HEADERS = {"content-type": "application/json", "authorization": "Bearer key"}
Json = dict[str, Any]


class Server(asyncio.Protocol):
    """Answers any request: a stream for a path that ends in stream, else one document."""

    whole = b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: %d\r\n\r\n%s" % (
        len(ANSWER),
        ANSWER,
    )
    head = (
        b"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n"
    )

    def connection_made(self, transport: Any) -> None:
        self.transport, self.data = transport, b""

    def data_received(self, data: bytes) -> None:
        self.data += data
        head, found, rest = self.data.partition(b"\r\n\r\n")
        lowered = head.lower()
        if not found:
            return
        if b"chunked" in lowered:
            if not rest.endswith(b"0\r\n\r\n"):
                return
        else:
            length = int(lowered.partition(b"content-length:")[2].split(b"\r\n")[0] or b"0")
            if len(rest) < length:
                return
        self.data = b""
        if b"stream" not in head.partition(b"\r\n")[0]:
            self.transport.write(self.whole)
            return
        piece = b"%x\r\n%s\r\n" % (len(EVENT), EVENT)
        self.transport.write(self.head)
        for _ in range(CHUNKS // 20):
            self.transport.write(piece * 20)
        self.transport.write(b"0\r\n\r\n")


def pin(core: int) -> None:
    cores = sorted(os.sched_getaffinity(0))
    if len(cores) > 1:
        os.sched_setaffinity(0, {cores[core % len(cores)]})


async def serve() -> None:
    server = await asyncio.get_running_loop().create_server(Server, "127.0.0.1", 0)
    print(server.sockets[0].getsockname()[1], flush=True)
    await server.serve_forever()


@contextmanager
def measured(into: Json, name: str, per: int) -> Iterator[None]:
    wall, cpu = time.perf_counter(), time.process_time()
    yield
    spent = time.process_time() - cpu
    into[name] = {
        "cpu_us": round(spent / per * 1e6, 1),
        "wall_us": round((time.perf_counter() - wall) / per * 1e6, 1),
    }


def sync_rows(result: Json, call: Callable[[], bytes], stream: Callable[[], int]) -> None:
    for _ in range(20):
        assert call() == ANSWER
    with measured(result, "call", CALLS):
        for _ in range(CALLS):
            call()
    stream()
    with measured(result, "chunk", STREAMS * CHUNKS):
        for _ in range(STREAMS):
            assert stream() == CHUNKS * len(EVENT)


async def async_rows(
    result: Json, call: Callable[[], Awaitable[bytes]], stream: Callable[[], Awaitable[int]]
) -> None:
    gate = asyncio.Semaphore(IN_FLIGHT)

    async def one() -> None:
        async with gate:
            assert await call() == ANSWER

    await asyncio.gather(*(one() for _ in range(IN_FLIGHT)))
    with measured(result, "in flight", 1):
        await asyncio.gather(*(one() for _ in range(CONCURRENT)))
    await stream()
    with measured(result, "async chunk", STREAMS * CHUNKS):
        for _ in range(STREAMS):
            assert await stream() == CHUNKS * len(EVENT)


def standard_(url: str, result: Json) -> None:
    import http.client
    from urllib.parse import urlsplit

    connection = http.client.HTTPConnection(urlsplit(url).netloc)

    def post(path: str) -> http.client.HTTPResponse:
        connection.request("POST", path, BODY, HEADERS)
        return connection.getresponse()

    def stream() -> int:
        response, total = post("/stream"), 0
        while piece := response.read1(65536):
            total += len(piece)
        response.close()
        return total

    sync_rows(result, lambda: post("/").read(), stream)


def httpx2_(url: str, result: Json) -> None:
    import httpx2

    with httpx2.Client() as client:

        def stream() -> int:
            with client.stream("POST", url + "/stream", content=BODY, headers=HEADERS) as response:
                return sum(map(len, response.iter_raw()))

        sync_rows(result, lambda: client.post(url, content=BODY, headers=HEADERS).content, stream)

    async def run() -> None:
        limits = httpx2.Limits(max_connections=IN_FLIGHT, max_keepalive_connections=IN_FLIGHT)
        async with httpx2.AsyncClient(limits=limits) as client:

            async def call() -> bytes:
                return (await client.post(url, content=BODY, headers=HEADERS)).content

            async def stream() -> int:
                async with client.stream(
                    "POST", url + "/stream", content=BODY, headers=HEADERS
                ) as response:
                    return sum([len(piece) async for piece in response.aiter_raw()])

            await async_rows(result, call, stream)

    asyncio.run(run())


def urllib3_(url: str, result: Json) -> None:
    import urllib3

    pool = urllib3.PoolManager(maxsize=10, retries=False)

    def stream() -> int:
        response = pool.request(
            "POST", url + "/stream", body=BODY, headers=HEADERS, preload_content=False
        )
        total = sum(map(len, response.stream(65536)))
        response.release_conn()
        return total

    sync_rows(result, lambda: pool.request("POST", url, body=BODY, headers=HEADERS).data, stream)


def aiohttp_(url: str, result: Json) -> None:
    import aiohttp

    async def run() -> None:
        connector = aiohttp.TCPConnector(limit=IN_FLIGHT)
        async with aiohttp.ClientSession(connector=connector) as session:

            async def call() -> bytes:
                async with session.post(url, data=BODY, headers=HEADERS) as response:
                    return await response.read()

            async def stream() -> int:
                async with session.post(url + "/stream", data=BODY, headers=HEADERS) as response:
                    return sum([len(piece) async for piece in response.content.iter_any()])

            await async_rows(result, call, stream)

    asyncio.run(run())


def pyreqwest_(url: str, result: Json) -> None:
    from pyreqwest.client import ClientBuilder, SyncClientBuilder

    with SyncClientBuilder().build() as client:

        def post(path: str) -> Any:
            return client.post(url + path).body_bytes(BODY).headers(HEADERS)

        def stream() -> int:
            with post("/stream").build_streamed() as response:
                reader, total = response.body_reader, 0
                while piece := reader.read_chunk():
                    total += len(piece)
                return total

        sync_rows(result, lambda: bytes(post("").build().send().bytes()), stream)

    async def run() -> None:
        async with ClientBuilder().build() as client:

            def post(path: str) -> Any:
                return client.post(url + path).body_bytes(BODY).headers(HEADERS)

            async def call() -> bytes:
                return bytes(await (await post("").build().send()).bytes())

            async def stream() -> int:
                async with post("/stream").build_streamed() as response:
                    reader, total = response.body_reader, 0
                    while piece := await reader.read_chunk():
                        total += len(piece)
                    return total

            await async_rows(result, call, stream)

    asyncio.run(run())


def niquests_(url: str, result: Json) -> None:
    import niquests

    with niquests.Session() as session:

        def stream() -> int:
            response = session.post(url + "/stream", data=BODY, headers=HEADERS, stream=True)
            return sum(map(len, response.iter_raw(65536)))

        def call() -> bytes:
            return session.post(url, data=BODY, headers=HEADERS).content or b""

        sync_rows(result, call, stream)

    async def run() -> None:
        async with niquests.AsyncSession(pool_maxsize=IN_FLIGHT) as session:

            async def acall() -> bytes:
                return (await session.post(url, data=BODY, headers=HEADERS)).content or b""

            async def astream() -> int:
                response = await session.post(
                    url + "/stream", data=BODY, headers=HEADERS, stream=True
                )
                total = 0
                async for piece in await response.iter_raw(65536):
                    total += len(piece)
                return total

            await async_rows(result, acall, astream)

    asyncio.run(run())


def chatport_(url: str, result: Json) -> None:
    """Sockets, asyncio and httptools, as our own transports put them together."""
    from chatport.providers.asyncio_transport import AsyncioTransport
    from chatport.providers.standard_transport import StandardTransport
    from chatport.providers.transport import Call, Timeouts

    def asked(path: str) -> Call:
        return Call("POST", url + path, tuple(HEADERS.items()), BODY, Timeouts())

    pool = StandardTransport()

    def call() -> bytes:
        return b"".join(pool.open(asked("/")).pieces())

    sync_rows(result, call, lambda: sum(map(len, pool.open(asked("/stream")).pieces())))
    pool.close()

    async def run() -> None:
        pool = AsyncioTransport()

        async def call() -> bytes:
            return b"".join([piece async for piece in (await pool.open(asked("/"))).pieces()])

        async def stream() -> int:
            answer = await pool.open(asked("/stream"))
            return sum([len(piece) async for piece in answer.pieces()])

        await async_rows(result, call, stream)
        await pool.aclose()

    asyncio.run(run())


LIBRARIES: dict[str, Callable[[str, Json], None]] = {
    "http.client": standard_,
    "httpx2": httpx2_,
    "urllib3": urllib3_,
    "aiohttp": aiohttp_,
    "pyreqwest": pyreqwest_,
    "niquests": niquests_,
    "chatport": chatport_,
}
IMPORTED = {
    "chatport": (
        "chatport.providers.standard_transport",
        "chatport.providers.asyncio_transport",
    )
}
COLUMNS = ("import", "call", "chunk", "in flight", "async chunk")


def one(name: str, url: str) -> None:
    """Measure one library, in this process."""
    pin(0)
    result: Json = {}
    with measured(result, "import", 1):
        for module in IMPORTED.get(name, (name,)):
            __import__(module)
    LIBRARIES[name](url, result)
    print(json.dumps(result))


def main() -> None:
    """Measure all libraries that are installed, and print a table."""
    server = subprocess.Popen([sys.executable, __file__, "serve"], stdout=subprocess.PIPE)
    assert server.stdout is not None
    url = f"http://127.0.0.1:{int(server.stdout.readline())}"
    print(f"{'CPU (wall)':12}" + "".join(f"{column:>22}" for column in COLUMNS))
    try:
        for name in LIBRARIES:
            run = subprocess.run(
                [sys.executable, __file__, name, url], capture_output=True, text=True, check=False
            )
            if run.returncode:
                print(f"{name:12}{run.stderr.strip().splitlines()[-1]}")
                continue
            row = json.loads(run.stdout)
            print(f"{name:12}" + "".join(f"{shown(row.get(column)):>22}" for column in COLUMNS))
    finally:
        server.terminate()
        server.wait()


def shown(cell: Json | None) -> str:
    if cell is None:
        return "-"
    cpu, wall = cell["cpu_us"], cell["wall_us"]
    if cpu > 10_000:
        return f"{cpu / 1000:.0f} ({wall / 1000:.0f}) ms"
    return f"{cpu:.1f} ({wall:.1f}) us"


if __name__ == "__main__":
    match sys.argv[1:]:
        case ["serve"]:
            pin(1)
            asyncio.run(serve())
        case [name, url]:
            one(name, url)
        case _:
            main()
