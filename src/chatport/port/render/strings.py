"""Code inside f-strings: it may not hold the quotes of the string, nor break its line.

Python 3.12 allows both, but what is emitted must be valid wherever the input was.
"""

from __future__ import annotations

import ast
import io
import re
import tokenize

from chatport.port.source.errors import UnreliablePosition
from chatport.port.source.text import SourceFile


def f_string_quotes(literal: str) -> str:
    """The quotes of a string literal, without its prefix."""
    match = re.match(r"[A-Za-z]*(\"\"\"|'''|\"|')", literal)
    return match.group(1) if match else ""


def fit_f_string(code: str, quotes: str) -> str:
    """`code` with its strings in the quotes the surrounding string leaves free; raises
    `UnreliablePosition` when it cannot be made to fit."""
    fitted = code if len(quotes) == 3 else _with_other_quotes(code, quotes)
    breaks = len(quotes) == 1 and "\n" in fitted
    if quotes in fitted or "\\" in fitted or "#" in fitted or breaks:
        raise UnreliablePosition("the new code does not fit into the quotes of this f-string")
    return fitted


def _with_other_quotes(code: str, quote: str) -> str:
    other = "'" if quote == '"' else '"'
    pieces: list[str] = []
    column = 0
    for token in tokenize.generate_tokens(io.StringIO(code).readline):
        if token.type == tokenize.STRING and token.string.startswith(quote):
            start, end = token.start[1], token.end[1]
            pieces += (code[column:start], other + token.string[1:-1] + other)
            column = end
    return "".join([*pieces, code[column:]])


def prints_source(source: SourceFile, node: ast.expr) -> bool:
    """Whether an expression in the braces of an f-string is followed by ``=``, which shows its
    source in front of its value."""
    end = source.span(node)[1]
    return re.compile(r"[ \t)]*=[ \t]*[}!:]").match(source.text, end) is not None
