"""The head of a request, as it is sent."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from chatport.providers.errors import InvalidRequestError

if TYPE_CHECKING:
    from chatport.providers.transport import Call

Fields = tuple[tuple[str, str], ...]

_TOKEN: Final = re.compile(r"[!#$%&'*+\-.^_`|~0-9A-Za-z]+")
_TARGET: Final = re.compile(r"[\x21-\x7e]+")


def head(call: Call, host: str, target: str, more: Fields = ()) -> bytes:
    """The request line and the fields. `more` are those of the way to the server.

    Raises `InvalidRequestError`, which quotes no value, for what cannot travel: a line break in a
    field is the beginning of another.
    """
    fields = call.headers + more if more else call.headers
    lines = [request_line(call.method, target), f"host: {host}"]
    lines += [f"{name}: {value}" for name, value in fields]
    if call.body:
        lines.append(f"content-length: {len(call.body)}")
    text = "\r\n".join(lines)
    breaks = len(lines) - 1
    try:
        sent = text.encode("latin-1")
    except UnicodeEncodeError:
        sent = b""
    if not sent or b"\0" in sent or not sent.count(b"\n") == sent.count(b"\r") == breaks:
        raise InvalidRequestError(f"the header {_faulty(fields)} holds what cannot travel in one")
    for name, _ in fields:
        _checked(name)
    return sent + b"\r\n\r\n"


@lru_cache(256)
def request_line(method: str, target: str) -> str:
    """The first line; a target is ASCII without spaces."""
    if not _TARGET.fullmatch(target):
        raise InvalidRequestError(f"the address ends in {target!a}, which cannot travel")
    return f"{method} {target} HTTP/1.1"


@lru_cache(256)
def _checked(name: str) -> str:
    if not _TOKEN.fullmatch(name):
        raise InvalidRequestError(f"{name!a} is no name of a header")
    return name


def _faulty(fields: Fields) -> str:
    """The name of the first field with a character that no field may have."""
    faulty = re.compile(r"[\0\r\n]|[^\0-\xff]")
    return next((ascii(name) for name, value in fields if faulty.search(name + value)), "'host'")
