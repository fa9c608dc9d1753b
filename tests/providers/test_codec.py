"""What codecs share: options refused, extensions, answers that are no JSON, how long to wait."""

from __future__ import annotations

import pickle

import pytest

import chatport
from chatport import Options, UnsupportedOptionError
from chatport.providers import errors
from chatport.providers.codec import (
    OPTIONS,
    extension_members,
    read_json,
    refuse_options,
    retry_after,
)
from chatport.providers.errors import ProviderError, UnexpectedAnswerError, class_of_status

CLASSES = [kind for kind in vars(errors).values() if isinstance(kind, type)]
CLASSES = [kind for kind in CLASSES if issubclass(kind, ProviderError)]


def test_every_option_but_the_model_and_the_extensions_is_listed() -> None:
    assert set(OPTIONS) == set(Options.__struct_fields__) - {"model", "extensions"}


def test_an_option_without_a_place_is_refused_with_the_reason() -> None:
    refuse_options(Options(top_p=0.5), "acme", {"top_k": "it has top_p only"})
    with pytest.raises(UnsupportedOptionError) as refused:
        refuse_options(Options(top_k=3), "acme", {"top_k": "it has top_p only"})
    assert str(refused.value) == "options.top_k: acme: it has top_p only"


def test_extensions_are_members_and_those_of_another_provider_are_refused() -> None:
    options = Options(extensions={"acme/seed": 7, "acme/deep": {"a": [1]}})
    members = {name: bytes(text) for name, text in extension_members(options, "acme").items()}
    assert members == {"seed": b"7", "deep": b'{"a":[1]}'}
    with pytest.raises(UnsupportedOptionError, match="acme/deep"):
        extension_members(options, "other")


@pytest.mark.parametrize("body", [b"", b"<html>no</html>", b'{"a":', b'{"a":"\xff"}', b"{}x"])
def test_an_answer_that_is_no_json_is_told_of_with_its_beginning(body: bytes) -> None:
    with pytest.raises(UnexpectedAnswerError) as unexpected:
        read_json(body, "acme")
    assert str(unexpected.value).startswith("acme: the answer is ")
    assert len(str(unexpected.value)) < 400


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({}, None),
        ({"retry-after": "2"}, 2.0),
        ({"retry-after": "0.5"}, 0.5),
        ({"retry-after-ms": "1500", "retry-after": "9"}, 1.5),
        ({"retry-after": "-1"}, None),
        ({"retry-after": "nan"}, None),
        ({"retry-after": "soon"}, None),
        ({"retry-after": "Mon, 30 Nov 2026 12:00:07 GMT"}, None),
        (
            {
                "retry-after": "Mon, 30 Nov 2026 12:00:07 GMT",
                "date": "Mon, 30 Nov 2026 12:00:00 GMT",
            },
            7.0,
        ),
        (
            {
                "retry-after": "Mon, 30 Nov 2026 11:00:00 GMT",
                "date": "Mon, 30 Nov 2026 12:00:00 GMT",
            },
            0.0,
        ),
    ],
)
def test_how_long_an_answer_asks_to_wait(headers: dict[str, str], seconds: float | None) -> None:
    assert retry_after(headers) == seconds


@pytest.mark.parametrize("kind", CLASSES, ids=lambda kind: kind.__name__)
def test_an_error_keeps_its_facts_also_when_pickled(kind: type[ProviderError]) -> None:
    error = kind("no", provider="acme", status=429, code="c", request_id="r", retry_after=1.0)
    error.partial = chatport.assistant("so far")
    for one in (error, pickle.loads(pickle.dumps(error))):
        assert str(one) == "acme 429 c: no (request r)"
        assert (one.message, one.status, one.code, one.retry_after) == ("no", 429, "c", 1.0)
        assert one.partial == chatport.assistant("so far")
    assert isinstance(error, chatport.ChatError)


def test_errors_are_also_of_the_classes_programs_know_already() -> None:
    assert issubclass(errors.InvalidRequestError, chatport.InvalidRequestError)
    assert issubclass(errors.TimeoutError, TimeoutError)
    assert issubclass(errors.CutStreamError, chatport.IncompleteStreamError)
    fault = errors.InvalidRequestError("too hot", param="temperature")
    assert (fault.problem, fault.path) == ("too hot", "temperature")


@pytest.mark.parametrize(
    ("status", "kind"),
    [
        (302, errors.RedirectError),
        (400, errors.InvalidRequestError),
        (401, errors.AuthenticationError),
        (403, errors.PermissionDeniedError),
        (404, errors.NotFoundError),
        (418, errors.InvalidRequestError),
        (429, errors.RateLimitedError),
        (500, errors.ServerError),
        (502, errors.ServerError),
        (503, errors.OverloadedError),
        (529, errors.OverloadedError),
        (599, errors.ServerError),
    ],
)
def test_what_a_status_means_by_itself(status: int, kind: type[ProviderError]) -> None:
    assert class_of_status(status) is kind


@pytest.mark.parametrize("kind", CLASSES, ids=lambda kind: kind.__name__)
def test_what_is_worth_another_try_is_said_by_the_error(kind: type[ProviderError]) -> None:
    waiting_helps = (
        errors.RateLimitedError,
        errors.OverloadedError,
        errors.ServerError,
        errors.TransportError,
        errors.CutStreamError,
    )
    hopeless = (errors.QuotaExceededError, errors.RedirectError, errors.ClosedError)
    expected = issubclass(kind, waiting_helps) and not issubclass(kind, hopeless)
    assert chatport.is_transient(kind("no")) is expected
