"""An exchange as the call it was: a plain value in which two programs can be compared.

The fields are those of the API, put where a reader looks for them: what is said, how it is to be
answered, what is allowed. `protocol` reads calls further, into the client's own values.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Final
from urllib.parse import unquote_to_bytes

from chatport.testing.gemini_server import Exchange
from chatport.testing.gemini_server_wire import GENERATING, Json

LINE_HEADER: Final = "x-chatport-line"
TASK_HEADER: Final = "x-chatport-task"
ASYNC_HEADER: Final = "x-chatport-async"
HOST_HEADER: Final = "x-chatport-host"
DEADLINE_HEADERS: Final = ("x-chatport-deadline", "x-server-timeout")

_OF_THE_SDK: Final = re.compile(
    r"host|connection|user-agent|accept(-encoding)?|content-(type|length|range)|cache-control"
    r"|transfer-encoding|x-chatport-.*|x-goog-(api-key|api-client|request-params|upload-.*)"
    r"|x-upload-.*|x-server-timeout"
)
"""Headers that say how and by what a request was sent, which the other fields tell as needed."""

SECTIONS: Final[Mapping[str, str]] = {
    "systemInstruction": "system instruction",
    "contents": "contents",
    "generationConfig": "configuration",
    "safetySettings": "safety settings",
    "tools": "tools",
    "toolConfig": "tool configuration",
    "cachedContent": "cached content",
}
"""The parts of a generate request, in the order in which a person reads them."""


@dataclass(frozen=True, slots=True)
class Call:
    """One call of the API.

    `method` is `generateContent`, `files.upload`, ...; `name` the resource (`models/x`). `host` is
    None for the API's own address. `deadline` is in seconds. `headers` are those of the program's
    own. `asynchronous` says whether the event loop stays free. `line` (`file:line`) and `task` say
    where in the program it comes from, and are not compared.
    """

    method: str
    name: str
    version: str
    body: Json
    query: Mapping[str, str] = field(default_factory=dict)
    key: str | None = None
    host: str | None = None
    deadline: float | None = None
    headers: Mapping[str, str] = field(default_factory=dict)
    asynchronous: bool = False
    line: str = ""
    task: str = ""

    @property
    def streams(self) -> bool:
        """Whether the answer is asked for piece by piece."""
        return self.method == "streamGenerateContent"

    def document(self) -> Json:
        """What is compared, as plain JSON, in reading order."""
        head: Json = {
            "method": self.method,
            "model" if self.name.startswith(("models/", "tunedModels/")) else "name": self.name,
            "stream": self.streams,
            "async": self.asynchronous,
            "version": self.version,
            "key": self.key,
            "host": self.host,
            "deadline": self.deadline,
            "headers": dict(sorted(self.headers.items())),
            "query": dict(sorted(self.query.items())),
        }
        plain = {
            label: value for label, value in head.items() if value not in (None, "", {}, False)
        }
        if self.method not in GENERATING:
            return plain | {"body": self.body} if self.body else plain
        named = {label: self.body[key] for key, label in SECTIONS.items() if key in self.body}
        rest = {key: value for key, value in self.body.items() if key not in SECTIONS}
        return plain | named | rest

    def lines(self) -> list[str]:
        """The document as indented text: what a diff is made of."""
        text = json.dumps(_in_order(self.document()), indent=2, ensure_ascii=False)
        return text.splitlines()

    def fingerprint(self) -> str:
        """Equal exactly when two calls are: the order of fields means nothing."""
        return json.dumps(self.document(), sort_keys=True)


def _in_order(document: Json) -> Json:
    """The sections as they are, what is in them by name: two sides then read alike."""
    return {label: json.loads(json.dumps(one, sort_keys=True)) for label, one in document.items()}


def decode(exchanges: Iterable[Exchange]) -> list[Call]:
    """The calls of a run. Parts of one upload become one call, with a digest of what was sent."""
    calls: list[Call] = []
    for exchange in exchanges:
        if _continues_upload(exchange):
            calls[-1] = _with_bytes(calls[-1], exchange.content)
        else:
            calls.append(_call(exchange))
    return calls


def _continues_upload(exchange: Exchange) -> bool:
    return exchange.method == "files.upload" and "upload_id" in exchange.query


def _with_bytes(call: Call, content: bytes) -> Call:
    sent = {"bytes": call.body.get("bytes", 0) + len(content)}
    chained = call.body.get("sha256", "").encode() + content
    body = {**call.body, **sent, "sha256": hashlib.sha256(chained).hexdigest()}
    return replace(call, body=body)


def _call(exchange: Exchange) -> Call:
    headers = exchange.headers
    deadline = next((headers[name] for name in DEADLINE_HEADERS if name in headers), None)
    known = exchange.route
    return Call(
        method=exchange.method or f"{exchange.verb} {exchange.path}",
        name=known.name if known else "",
        version=known.version if known else "",
        body=_body(exchange),
        query={name: value for name, value in exchange.query.items() if name != "key"},
        key=headers.get("x-goog-api-key") or exchange.query.get("key"),
        host=headers.get(HOST_HEADER),
        deadline=None if deadline is None else float(deadline),
        headers={name: one for name, one in headers.items() if not _OF_THE_SDK.fullmatch(name)},
        asynchronous=headers.get(ASYNC_HEADER) == "1",
        line=os.fsdecode(unquote_to_bytes(headers.get(LINE_HEADER, ""))),
        task=headers.get(TASK_HEADER, ""),
    )


def _body(exchange: Exchange) -> Json:
    if exchange.body is not None or not exchange.content:
        return exchange.body or {}
    digest: dict[str, Any] = {"sha256": hashlib.sha256(exchange.content).hexdigest()}
    return {"bytes": len(exchange.content), **digest}
