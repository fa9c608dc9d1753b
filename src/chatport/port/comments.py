"""Comments that speak to chatport, and the logical lines they stand at.

``# chatport: ignore[code] reason`` accepts a finding of its line or, alone on a line, of the next;
``# chatport: ignore-file[code] reason`` those of the whole file. Markers that chatport leaves
itself begin with the verdict instead.
"""

from __future__ import annotations

import io
import re
import tokenize
from bisect import bisect_right
from collections.abc import Iterator

from msgspec import Struct

from chatport.port.source.errors import SourceError
from chatport.port.source.text import SourceFile

MARK = b"chatport:"
"""What is in every such comment."""

_IGNORE = re.compile(r"#\s*chatport:\s*(ignore(?:-file)?)\b(?:\s*\[([^\]]*)\])?\s*(.*)")
_NO_CODE = {
    *(tokenize.COMMENT, tokenize.NL, tokenize.INDENT, tokenize.DEDENT, tokenize.ENDMARKER),
}


class Ignore(Struct, frozen=True):
    """One comment that accepts something. `covered` is its logical line, None the whole file."""

    where: str
    codes: tuple[str, ...]
    reason: str
    covered: int | None


class LogicalLines:
    """The logical lines of a file: what Python reads as one line, over however many it goes.

    Raises `SourceError` for a text that cannot be split into tokens.
    """

    def __init__(self, text: str) -> None:
        self._first: list[int] = []
        fresh = True
        # `tokenize` knows \n and \r\n; a lone \r ends a line for Python too.
        reader = io.StringIO(re.sub(r"\r(?!\n)", "\n", text)).readline
        try:
            for token in tokenize.generate_tokens(reader):
                if token.type in _NO_CODE:
                    continue
                if fresh:
                    self._first.append(token.start[0])
                fresh = token.type == tokenize.NEWLINE
        except (tokenize.TokenError, SyntaxError) as error:
            raise SourceError(
                f"the lines of the file cannot be told apart ({error.args[0]}); edit it by hand"
            ) from error

    def of(self, line: int) -> int:
        """The first line of the logical line that a line belongs to."""
        index = bisect_right(self._first, line)
        return self._first[index - 1] if index else line

    def after(self, line: int) -> int | None:
        """The first line of the next logical line behind a line of its own."""
        index = bisect_right(self._first, line)
        return self._first[index] if index < len(self._first) else None


def ignores(source: SourceFile, lines: LogicalLines) -> Iterator[Ignore]:
    """The comments of a file that accept something, in order."""
    for offset, text in source.comments(0, len(source.text)):
        match = _IGNORE.match(text)
        if match is None:
            continue
        line = source.line_at(offset)
        codes = tuple(code.strip() for code in (match[2] or "").split(",") if code.strip())
        covered = None
        if match[1] == "ignore":
            covered = lines.after(line) if stands_alone(source, offset) else lines.of(line)
            covered = covered or line
        place = source.place(offset, offset)
        where = str(place.line) if place.cell is None else place.shown
        yield Ignore(where, codes, match[3].strip(), covered)


def stands_alone(source: SourceFile, offset: int) -> bool:
    """Whether only white space stands before an offset on its line."""
    return not source.text[source.line_start(offset) : offset].strip()
