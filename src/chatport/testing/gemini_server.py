"""A Gemini server on loopback, for tests: real HTTP, derived answers, every exchange kept.

    with gemini_server() as server:
        client = genai.Client(api_key="any", http_options={"base_url": server.url})
        client.models.generate_content(model="gemini-2.5-flash", contents="Hello")
        assert server.exchanges[0].body["contents"][0]["parts"] == [{"text": "Hello"}]

It needs nothing but the standard library. `python -m chatport.testing.gemini_server` runs it by
itself; `chatport.testing.gemini_server_fixture` is the pytest form; docs/testing-gemini-server.md
is the guide.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import socket
import sys
import threading
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, ClassVar, Final, TypeAlias
from urllib.parse import parse_qsl, urlsplit

from chatport.testing.gemini_server_answers import DERIVED, generate, merged
from chatport.testing.gemini_server_script import (
    Answer,
    blocked,
    body,
    cut,
    error,
    failure,
    from_json,
    function_call,
    malformed,
    meant_for,
    no_candidates,
    parts,
    slow,
    stopped,
    text,
)
from chatport.testing.gemini_server_store import Store, discovery
from chatport.testing.gemini_server_wire import GENERATING, Json, Route, canonical, route

__all__ = [
    "Answer",
    "Exchange",
    "GeminiServer",
    "blocked",
    "body",
    "cut",
    "failure",
    "from_json",
    "function_call",
    "gemini_server",
    "malformed",
    "meant_for",
    "no_candidates",
    "parts",
    "slow",
    "stopped",
    "text",
]

Script: TypeAlias = Iterable[Answer | Sequence[Answer]]
"""Answers in the order they are given; `failure` makes several, so a list may stand in the list."""

DISCOVERY_PATH: Final = "/$discovery/rest"


@dataclass(frozen=True)
class Exchange:
    """One request as it arrived, and the answer chosen for it.

    Header names are in lower case. `content` is the body's bytes. `route` is None for a request
    that the API does not know; it was answered with 404.
    """

    verb: str
    path: str
    query: Mapping[str, str]
    headers: Mapping[str, str]
    content: bytes
    route: Route | None
    answer: Answer = field(repr=False)

    @property
    def method(self) -> str:
        """The method called: `generateContent`, `files.upload`, ...; empty when unknown."""
        return self.route.method if self.route else ""

    @cached_property
    def body(self) -> Json | None:
        """The JSON body with its fields spelled one way; None when it is not a JSON object."""
        return _json_object(self.content)


class GeminiServer:
    """The running server: its `url`, the `exchanges` so far, and a way to script the next answers.

    Use `gemini_server()` to get one that is started and closed for you.
    """

    def __init__(
        self, script: Script = (), port: int = 0, *, eager: bool = False, prefix: str = ""
    ) -> None:
        """Listen on 127.0.0.1; port 0 takes a free one. The others: see `gemini_server`."""
        self._eager = eager
        self._prefix = prefix
        self._lock = threading.Lock()
        self._closing = threading.Event()
        self._store = Store()
        self._script: list[Answer] = []
        self._exchanges: list[Exchange] = []
        self.answer_with(*script)
        handler = type("Handler", (_Handler,), {"gemini": self})
        self._http = _Http(("127.0.0.1", port), handler)
        self.url: str = f"http://127.0.0.1:{self._http.server_address[1]}{prefix}"
        self._thread = threading.Thread(target=self._http.serve_forever, args=(0.05,), daemon=True)

    def start(self) -> None:
        """Begin to answer."""
        self._thread.start()

    def close(self) -> None:
        """Stop answering and close what is open; a slow answer under way is given up."""
        self._closing.set()
        self._http.shutdown()
        self._http.server_close()
        self._http.hang_up()
        self._thread.join()

    @property
    def exchanges(self) -> tuple[Exchange, ...]:
        """What was asked so far, in the order of arrival."""
        with self._lock:
            return tuple(self._exchanges)

    def answer_with(self, *answers: Answer | Sequence[Answer]) -> None:
        """Add to the script: each answer serves the next call that it is meant for, once."""
        flat = [one for item in answers for one in (item if isinstance(item, Sequence) else [item])]
        with self._lock:
            self._script += flat

    def reset(self) -> None:
        """Forget the exchanges, the rest of the script, and everything that was created."""
        with self._lock:
            self._script.clear()
            self._exchanges.clear()
            self._store = Store()

    def receive(
        self, verb: str, target: str, headers: Mapping[str, str], content: bytes
    ) -> Exchange:
        """Decide the answer to one request and record both."""
        if not target.startswith(f"{self._prefix}/"):
            stray = error(404, "this server serves another address")
            return Exchange(verb, target, {}, headers, content, None, stray)
        target = target[len(self._prefix) :]
        parsed = urlsplit(target)
        query = dict(parse_qsl(parsed.query, keep_blank_values=True))
        found = route(verb, parsed.path) if verb != "PUT" else route("POST", parsed.path)
        with self._lock:
            answer = self._scripted(found) or self._derived(verb, target, found, headers, content)
            exchange = Exchange(verb, parsed.path, query, headers, content, found, answer)
            if parsed.path != DISCOVERY_PATH:
                self._exchanges.append(exchange)
        return exchange

    def wait(self, seconds: float) -> None:
        """Let time pass for a slow answer; ends at once when the server closes."""
        if seconds > 0:
            self._closing.wait(seconds)

    def _scripted(self, found: Route | None) -> Answer | None:
        for index, answer in enumerate(self._script):
            if found is not None and found.method in answer.methods:
                return self._script.pop(index)
        return None

    def _derived(
        self,
        verb: str,
        target: str,
        found: Route | None,
        headers: Mapping[str, str],
        content: bytes,
    ) -> Answer:
        path, query = urlsplit(target).path, dict(parse_qsl(urlsplit(target).query))
        if path == DISCOVERY_PATH:
            return Answer((discovery(self.url),))
        if found is None:
            return error(404, f"the Gemini API has no {verb} {path}")
        if found.method == "files.upload":
            return self._store.upload(target, headers, content, self.url)
        asked = _json_object(content) if content else {}
        if asked is None:
            return error(400, "Invalid JSON payload received.")
        if found.method in GENERATING:
            return generate(found, asked, eager=self._eager)
        if found.method in DERIVED:
            return DERIVED[found.method](found, asked)
        if "." in found.method:
            return self._store.answer(found, query, asked)
        return error(501, f"the loopback server does not know {found.method}")


@contextlib.contextmanager
def gemini_server(
    script: Script = (), port: int = 0, *, eager: bool = False, prefix: str = ""
) -> Iterator[GeminiServer]:
    """Run a server for the length of a `with` block.

    `script` says what the next generating calls are answered, in order; after it, and for all
    other methods, answers are derived from the request. An `eager` one calls any function that is
    declared; otherwise the prompt has to ask for it. With a `prefix` (`/some-secret`), part of the
    server's `url`, requests of strangers that find the port are refused and not recorded.
    """
    server = GeminiServer(script, port, eager=eager, prefix=prefix)
    server.start()
    try:
        yield server
    finally:
        server.close()


class _Http(ThreadingHTTPServer):
    daemon_threads = True
    block_on_close = False

    def __init__(self, address: tuple[str, int], handler: type[BaseHTTPRequestHandler]) -> None:
        self._open: set[socket.socket] = set()
        super().__init__(address, handler)

    def process_request(self, request: Any, client_address: Any) -> None:
        self._open.add(request)
        super().process_request(request, client_address)

    def shutdown_request(self, request: Any) -> None:
        self._open.discard(request)
        super().shutdown_request(request)

    def hang_up(self) -> None:
        """Close the connections that clients keep alive, so that no thread waits on them."""
        for connection in tuple(self._open):
            with contextlib.suppress(OSError):
                connection.shutdown(socket.SHUT_RDWR)

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Say nothing about a client that hangs up: that is part of the tests this serves."""
        if not isinstance(sys.exc_info()[1], ConnectionError):
            super().handle_error(request, client_address)


class _Handler(BaseHTTPRequestHandler):
    gemini: ClassVar[GeminiServer]
    protocol_version = "HTTP/1.1"
    # Headers and body leave in one packet; with Nagle's algorithm on, each answer waits 40 ms.
    wbufsize = -1
    disable_nagle_algorithm = True

    def log_message(self, *_: Any) -> None:
        """Keep quiet on stderr: the exchanges are the log."""

    def _answer(self) -> None:
        headers = {name.lower(): value for name, value in self.headers.items()}
        exchange = self.gemini.receive(self.command, self.path, headers, self._content())
        answer = exchange.answer
        self.gemini.wait(answer.delay)
        alt = exchange.query.get("alt") or exchange.query.get("$alt") or ""
        if (
            exchange.method == "streamGenerateContent"
            and answer.raw is None
            and answer.status == 200
        ):
            self._stream(answer, _SSE if alt.startswith("sse") else _ARRAY)
        else:
            self._whole(answer)

    do_GET = do_POST = do_PATCH = do_DELETE = do_PUT = _answer  # noqa: N815 (the library's names)

    def _content(self) -> bytes:
        if self.headers.get("Transfer-Encoding", "").lower() == "chunked":
            return b"".join(self._chunks())
        return self.rfile.read(int(self.headers.get("Content-Length") or 0))

    def _chunks(self) -> Iterator[bytes]:
        while size := int(self.rfile.readline().split(b";")[0] or b"0", 16):
            yield self.rfile.read(size)
            self.rfile.readline()
        self.rfile.readline()

    def _head(self, answer: Answer, kind: str, *length: tuple[str, str]) -> None:
        # 308 is "resume incomplete" in uploads, and has no phrase of that meaning in the library.
        phrase = "Resume Incomplete" if answer.status == 308 else HTTPStatus(answer.status).phrase
        self.send_response(answer.status, phrase)
        for name, value in (("Content-Type", kind), *answer.headers, *length):
            self.send_header(name, value)
        self.end_headers()

    def _whole(self, answer: Answer) -> None:
        document = answer.raw if answer.raw is not None else _dump(merged(answer.events))
        self._head(
            answer, "application/json; charset=UTF-8", ("Content-Length", str(len(document)))
        )
        if answer.cut is not None:
            self._hang_up(document[: len(document) // 2])
        else:
            self.wfile.write(document)

    def _stream(self, answer: Answer, form: _Form) -> None:
        self._head(answer, form.kind, ("Transfer-Encoding", "chunked"))
        last = len(answer.events) - 1
        for index, event in enumerate(answer.events):
            if answer.cut is not None and index >= answer.cut:
                break
            if index:
                self.gemini.wait(answer.pause)
            before = form.first if index == 0 else form.between
            after = form.last if index == last else b""
            self._chunk(before + _dump(event) + form.after + after)
        if not answer.events:
            self._chunk(form.nothing)
        if answer.cut is None:
            self.wfile.write(b"0\r\n\r\n")
        else:
            self._hang_up(b"")

    def _chunk(self, data: bytes) -> None:
        if data:
            self.wfile.write(f"{len(data):x}\r\n".encode() + data + b"\r\n")
            self.wfile.flush()

    def _hang_up(self, data: bytes) -> None:
        """End the connection in the middle of what was announced."""
        self.wfile.write(data)
        self.wfile.flush()
        self.close_connection = True


@dataclass(frozen=True, slots=True)
class _Form:
    """How the documents of a stream are framed."""

    kind: str
    first: bytes
    between: bytes
    after: bytes
    last: bytes
    nothing: bytes


_SSE: Final = _Form("text/event-stream", b"data: ", b"data: ", b"\r\n\r\n", b"", b"")
_ARRAY: Final = _Form("application/json; charset=UTF-8", b"[", b",\r\n", b"", b"]", b"[]")


def _dump(document: Json) -> bytes:
    return json.dumps(document, separators=(",", ":")).encode()


def _json_object(content: bytes) -> Json | None:
    try:
        value = json.loads(content)
    except ValueError:
        return None
    return canonical(value) if isinstance(value, dict) else None


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the server until interrupted, with a line on stdout for each exchange."""
    parser = argparse.ArgumentParser(
        prog="python -m chatport.testing.gemini_server",
        description="A Gemini server on 127.0.0.1 that answers without a model.",
    )
    parser.add_argument("--port", type=int, default=0, help="the port to listen on; 0 takes any")
    parser.add_argument("--script", type=Path, help="a JSON file with the answers to give first")
    options = parser.parse_args(arguments)
    try:
        script = from_json(json.loads(options.script.read_bytes())) if options.script else []
    except (OSError, ValueError) as fault:
        parser.exit(2, f"{parser.prog}: {options.script}: {fault}\n")
    with gemini_server(script, options.port) as server:
        print(f"GOOGLE_GEMINI_BASE_URL={server.url}", flush=True)
        with contextlib.suppress(KeyboardInterrupt):
            _print_exchanges(server)
    return 0


def _print_exchanges(server: GeminiServer) -> None:
    seen = 0
    while True:
        server.wait(0.2)
        for exchange in server.exchanges[seen:]:
            seen += 1
            print(f"{exchange.answer.status} {exchange.verb} {exchange.path}", flush=True)


if __name__ == "__main__":
    sys.exit(main())
