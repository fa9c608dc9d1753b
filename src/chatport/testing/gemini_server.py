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
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Final, TypeAlias
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
from chatport.testing.loopback import Reply, Server, document

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
    connection: int = 0

    @property
    def method(self) -> str:
        """The method called: `generateContent`, `files.upload`, ...; empty when unknown."""
        return self.route.method if self.route else ""

    @cached_property
    def body(self) -> Json | None:
        """The JSON body with its fields spelled one way; None when it is not a JSON object."""
        return _json_object(self.content)

    @property
    def reply(self) -> Reply:
        """What is sent."""
        answer = self.answer
        if self.method == "streamGenerateContent" and answer.raw is None and answer.status == 200:
            alt = self.query.get("alt") or self.query.get("$alt") or ""
            return _streamed(answer, _SSE if alt.startswith("sse") else _ARRAY)
        return _whole(answer)


class GeminiServer(Server[Exchange]):
    """The running server: its `url`, the `exchanges` so far, and a way to script the next answers.

    Use `gemini_server()` to get one that is started and closed for you.
    """

    def __init__(
        self, script: Script = (), port: int = 0, *, eager: bool = False, prefix: str = ""
    ) -> None:
        """Listen on 127.0.0.1; port 0 takes a free one. The others: see `gemini_server`."""
        super().__init__(port)
        self._eager = eager
        self._prefix = prefix
        self._store = Store()
        self._script: list[Answer] = []
        self.answer_with(*script)
        self.url: str = f"http://127.0.0.1:{self.port}{prefix}"

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
        self, verb: str, path: str, headers: Mapping[str, str], content: bytes, connection: int
    ) -> Exchange:
        """Decide the answer to one request and record both."""
        if not path.startswith(f"{self._prefix}/"):
            stray = error(404, "this server serves another address")
            return Exchange(verb, path, {}, headers, content, None, stray)
        target = path[len(self._prefix) :]
        parsed = urlsplit(target)
        query = dict(parse_qsl(parsed.query, keep_blank_values=True))
        found = route(verb, parsed.path) if verb != "PUT" else route("POST", parsed.path)
        with self._lock:
            answer = self._scripted(found) or self._derived(verb, target, found, headers, content)
            exchange = Exchange(
                verb, parsed.path, query, headers, content, found, answer, connection
            )
            if parsed.path != DISCOVERY_PATH:
                self._exchanges.append(exchange)
        return exchange

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


def gemini_server(
    script: Script = (), port: int = 0, *, eager: bool = False, prefix: str = ""
) -> GeminiServer:
    """A server for the length of a `with` block.

    `script` says what the next generating calls are answered, in order; after it, and for all
    other methods, answers are derived from the request. An `eager` one calls any function that is
    declared; otherwise the prompt has to ask for it. With a `prefix` (`/some-secret`), part of the
    server's `url`, requests of strangers that find the port are refused and not recorded.
    """
    return GeminiServer(script, port, eager=eager, prefix=prefix)


def _whole(answer: Answer) -> Reply:
    """An answer in one piece; one that is cut announces all of it and breaks off in the middle."""
    body = answer.raw if answer.raw is not None else document(merged(answer.events))
    is_cut = answer.cut is not None
    return Reply(
        (body[: len(body) // 2] if is_cut else body,),
        answer.status,
        _JSON,
        answer.headers,
        answer.delay,
        announced=len(body) if is_cut else None,
        # In uploads 308 is no redirect, as it is everywhere else.
        phrase="Resume Incomplete" if answer.status == 308 else "",
    )


def _streamed(answer: Answer, form: _Form) -> Reply:
    """An answer event by event."""
    last = len(answer.events) - 1
    pieces = [
        (form.between if index else form.first)
        + document(event)
        + form.after
        + (b"" if index != last else form.last)
        for index, event in enumerate(answer.events)
    ]
    if not pieces and form.nothing:
        pieces = [form.nothing]
    return Reply(
        tuple(pieces),
        answer.status,
        form.kind,
        answer.headers,
        answer.delay,
        answer.pause,
        answer.cut,
    )


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
_JSON: Final = "application/json; charset=UTF-8"
_ARRAY: Final = _Form(_JSON, b"[", b",\r\n", b"", b"]", b"[]")


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
