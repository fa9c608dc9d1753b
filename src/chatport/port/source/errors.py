"""What can be wrong with a file: said in one sentence, with the line and the remedy."""

from __future__ import annotations


class SourceError(Exception):
    """A file cannot be read, understood or written as it is.

    The message starts with `line N:` where a line is to blame and ends with what to do about it.
    """


class UnreliablePosition(Exception):  # noqa: N818 - it is no error of the file
    """The parser's position of a node does not lead to the node's own text."""
