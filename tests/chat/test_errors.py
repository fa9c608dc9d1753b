"""Errors say where, keep their causes, and travel between processes."""

from __future__ import annotations

import pickle

import pytest

from chatport.chat import (
    ChatError,
    IncompleteStreamError,
    InvalidMessageError,
    InvalidPartError,
    InvalidRequestError,
    InvalidResponseError,
    InvalidValueError,
    UnsupportedError,
    UnsupportedOptionError,
    UnsupportedOutputFormatError,
    assistant,
    find_cause,
)
from chatport.chat.errors import join_path, path_of


def test_text_is_the_path_and_the_problem() -> None:
    assert str(InvalidPartError("must not be empty", "text")) == "text: must not be empty"
    assert str(InvalidPartError("must not be empty")) == "must not be empty"
    assert str(UnsupportedOptionError("not here", "options.top_k")) == "options.top_k: not here"
    assert str(UnsupportedOutputFormatError("not here")) == "not here"


def test_the_error_of_an_enclosing_value_has_the_longer_path() -> None:
    part = InvalidPartError("must not be empty", "text")
    message = InvalidMessageError.around(part, "parts[0]")
    request = InvalidRequestError.around(message, "messages[2]")
    assert request.path == "messages[2].parts[0].text"
    assert request.problem == "must not be empty"
    assert find_cause(request, InvalidPartError) is part
    assert find_cause(request, InvalidMessageError) is message
    assert find_cause(request, InvalidRequestError) is request
    assert find_cause(request, InvalidResponseError) is None


def test_a_cause_is_what_was_raised_from_not_what_was_being_handled() -> None:
    with pytest.raises(InvalidRequestError) as caught:  # noqa: PT012
        try:
            raise InvalidPartError("x")
        except InvalidPartError:
            raise InvalidRequestError("y") from None
    assert find_cause(caught.value, InvalidPartError) is None


def test_a_circle_of_causes_ends() -> None:
    one, other = InvalidPartError("x"), InvalidMessageError("y")
    one.__cause__, other.__cause__ = other, one
    assert find_cause(one, InvalidRequestError) is None
    assert find_cause(one, InvalidMessageError) is other


@pytest.mark.parametrize(
    "error",
    [
        InvalidPartError("must not be empty", "text"),
        IncompleteStreamError("ended", partial=assistant("Hel")),
        UnsupportedOptionError("not here", "options.top_k"),
    ],
)
def test_an_error_survives_pickling(error: ChatError) -> None:
    again = pickle.loads(pickle.dumps(error))
    assert type(again) is type(error)
    assert vars(again) == vars(error)
    assert str(again) == str(error)


def test_what_is_refused_is_a_value_error_and_what_is_unsupported_is_not() -> None:
    assert issubclass(InvalidValueError, ChatError)
    assert issubclass(InvalidValueError, ValueError)
    assert not issubclass(UnsupportedError, ValueError)


@pytest.mark.parametrize(
    ("outer", "inner", "path"),
    [
        ("", "", ""),
        ("a", "", "a"),
        ("", "b", "b"),
        ("a", "b", "a.b"),
        ("a", "[0]", "a[0]"),
        ("a[0]", "b[1].c", "a[0].b[1].c"),
    ],
)
def test_paths_join(outer: str, inner: str, path: str) -> None:
    assert join_path(outer, inner) == path


def test_a_path_quotes_what_is_no_plain_name() -> None:
    assert path_of(["a", 2, "x/y", "b"]) == "a[2]['x/y'].b"
    assert path_of(["é"], "a") == "a['\\xe9']"
    assert path_of([""], "a") == "a['']"
    assert path_of([]) == ""
