"""Server-sent events out of the pieces a body arrives in.

The rules are those of https://html.spec.whatwg.org/multipage/server-sent-events.html, with one
addition: an event that the end of the body cuts off after a whole line counts, because servers
forget the blank line after the last event.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from chatport.providers.errors import UnexpectedAnswerError

MAX_EVENT: Final = 64 * 1024 * 1024
"""Bytes of one event. Images come in single events of some megabytes."""
_BOM: Final = b"\xef\xbb\xbf"


class Event(NamedTuple):
    """One event: its data as UTF-8, the lines joined by newlines, and its name, if it has one."""

    data: bytes
    name: str = ""


class EventParser:
    """Takes a stream of bytes cut anywhere, gives whole events, keeps only the unfinished one.

    Lines are cut as bytes, so a character that is split between two pieces needs no care.
    """

    __slots__ = ("_after_cr", "_data", "_limit", "_name", "_rest", "_size", "_started")

    def __init__(self, limit: int = MAX_EVENT) -> None:
        self._limit = limit
        self._rest: list[bytes] = []
        self._size = 0
        self._data: list[bytes] = []
        self._name = ""
        self._after_cr = False
        self._started = False

    def feed(self, piece: bytes) -> list[Event]:
        """The events that are complete with this piece, in order.

        Raises `UnexpectedAnswerError` when an event grows beyond the limit.
        """
        if not self._started or self._after_cr or b"\r" in piece:
            piece = self._normalised(piece)
        if b"\n" not in piece:
            if piece:
                self._keep(piece)
            return []
        lines = piece.split(b"\n")
        if self._rest:
            lines[0] = b"".join((*self._rest, lines[0]))
            self._rest.clear()
        self._size = sum(map(len, self._data))
        if last := lines.pop():
            self._keep(last)
        return self._events(lines)

    def finish(self) -> list[Event]:
        """The event that the end of the body completes, if there is one."""
        lines = [b"".join(self._rest)] if self._rest else []
        self._rest.clear()
        return self._events([*lines, b""])

    def _events(self, lines: list[bytes]) -> list[Event]:
        events: list[Event] = []
        data = self._data
        for line in lines:
            if not line:
                if data:
                    whole = data[0] if len(data) == 1 else b"\n".join(data)
                    events.append(Event(whole, self._name))
                    data.clear()
                    self._size = sum(map(len, self._rest))
                self._name = ""
            elif line.startswith(b"data:"):
                data.append(line[6:] if line.startswith(b"data: ") else line[5:])
                self._size += len(line)
                if self._size > self._limit:
                    self._refuse()
            elif line.startswith(b"event:"):
                self._name = line[6:].removeprefix(b" ").decode(errors="replace")
            elif line == b"data":
                data.append(b"")
        return events

    def _keep(self, piece: bytes) -> None:
        self._rest.append(piece)
        self._size += len(piece)
        if self._size > self._limit:
            self._refuse()

    def _refuse(self) -> None:
        raise UnexpectedAnswerError(f"an event of more than {self._limit} bytes")

    def _normalised(self, piece: bytes) -> bytes:
        """The piece with line feeds for every end of line, and without the mark at the start."""
        if not self._started:
            # Three bytes tell whether there is a mark; they may come one by one.
            head = b"".join((*self._rest, piece))
            if len(head) < len(_BOM) and _BOM.startswith(head):
                self._rest = [head]
                return b""
            self._rest.clear()
            self._size = 0
            self._started = True
            piece = head.removeprefix(_BOM)
        if self._after_cr:
            self._after_cr = not piece
            piece = piece.removeprefix(b"\n")
        if piece.endswith(b"\r"):
            self._after_cr = True
        return piece.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
