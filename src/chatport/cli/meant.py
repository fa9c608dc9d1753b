"""Words that are none of those there are: which of them may have been meant."""

from __future__ import annotations

from contextlib import suppress
from typing import TypedDict, TypeVar

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable, Iterable

N = TypeVar("N", int, float)


def meant(word: str, known: Iterable[str], otherwise: str) -> str:
    """What a message asks after a word that is not known; `otherwise` where nothing is close."""
    from difflib import get_close_matches

    close = get_close_matches(word, known, n=3)
    return f"did you mean {' or '.join(close)}?" if close else otherwise


class OneOf(TypedDict):
    """What `add_argument` is told of an option that takes one of some words."""

    type: Callable[[str], str]
    choices: tuple[str, ...]


def one_of(*known: str) -> OneOf:
    """One of these words, with a better message for any other than `choices` alone gives."""

    def convert(word: str) -> str:
        if word in known:
            return word
        from argparse import ArgumentTypeError

        there_are = f"there are {', '.join(known[:-1])} and {known[-1]}"
        raise ArgumentTypeError(f"there is no {word!r}; {meant(word, known, there_are)}")

    return {"type": convert, "choices": known}


def positive(kind: type[N]) -> Callable[[str], N]:
    """The `type` of an option that is a number, whole or not, above 0."""

    def convert(word: str) -> N:
        with suppress(ValueError):
            if (number := kind(word)) > 0:
                return number
        from argparse import ArgumentTypeError

        whole = "whole " if kind is int else ""
        raise ArgumentTypeError(f"{word!r} is no {whole}number above 0")

    return convert


def unknown_words(parser: argparse.ArgumentParser, words: list[str]) -> str:
    """What is said of words that a parser has no use for."""
    import re

    word = words[0].partition("=")[0]
    if not word.startswith("-"):
        return f"there is no place for {' '.join(map(repr, words))}; see {parser.prog} --help"
    options = {*re.findall(r"(?<![\w-])--?[a-z][\w-]*", parser.format_help())}
    return f"there is no option {word}; {meant(word, options, f'see {parser.prog} --help')}"
