"""Code inside f-strings: it may not hold the quotes of the string, nor break its line.

Python 3.12 allows both, but what is emitted must be valid wherever the input was.
"""

from __future__ import annotations

import io
import re
import tokenize

from chatport.port.source.errors import UnreliablePosition


def f_string_quotes(literal: str) -> str:
    """The quotes of a string literal, without its prefix."""
    match = re.match(r"[A-Za-z]*(\"\"\"|'''|\"|')", literal)
    return match.group(1) if match else ""


def fit_f_string(code: str, quotes: str) -> str:
    """`code` with its strings in the quotes the surrounding string leaves free; raises
    `UnreliablePosition` when it cannot be made to fit."""
    other = "'" if quotes[:1] == '"' else '"'
    pieces: list[str] = []
    column = 0
    for token in tokenize.generate_tokens(io.StringIO(code).readline):
        if token.type == tokenize.STRING and token.string.startswith(quotes[:1]):
            start, end = token.start[1], token.end[1]
            pieces += (code[column:start], other + token.string[1:-1] + other)
            column = end
    fitted = "".join([*pieces, code[column:]])
    if quotes[:1] in fitted or "\\" in fitted or "\n" in fitted or "#" in fitted:
        raise UnreliablePosition("the new code does not fit into the quotes of this f-string")
    return fitted
