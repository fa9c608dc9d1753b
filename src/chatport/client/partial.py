"""Reading JSON that has not all arrived."""

from __future__ import annotations

from typing import TypeAlias

PlainJSON: TypeAlias = "bool | int | float | str | list[PlainJSON] | dict[str, PlainJSON] | None"
"""A JSON value as plain Python."""

_LONG = 100_000


def _growth(read: int) -> int:
    """By how much a text read to there grows before it is read again.

    By a part of itself, so all reading stays linear; by a larger part when a reading takes long.
    """
    return read // (8 if read > _LONG else 64)


class PartialJSON:
    """A growing JSON text and the value that can be read of it."""

    __slots__ = ("_length", "_pieces", "_read", "value")

    def __init__(self) -> None:
        self._pieces: list[str] = []
        self._length = 0
        self._read = 0
        self.value: PlainJSON = None
        """What could be read last; strings and numbers at its end as far as they go."""

    def feed(self, text: str) -> bool:
        """Take in more text. True when the value has changed.

        Text that cannot become JSON changes nothing: the whole answer is judged at its end.
        """
        self._pieces.append(text)
        self._length += len(text)
        if self._length - self._read < _growth(self._read):
            return False
        self._read = self._length
        whole = "".join(self._pieces)
        self._pieces = [whole]
        try:
            value = _read(whole)
        except ValueError:
            return False
        changed = value != self.value
        self.value = value
        return changed


def _read(text: str) -> PlainJSON:
    import jiter

    value: PlainJSON = jiter.from_json(
        text.encode(), partial_mode="trailing-strings", allow_inf_nan=False
    )
    return value
