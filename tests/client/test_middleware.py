"""Layers around a model: trying again, falling back, and ending in time."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from typing import Any

import pytest
import stamina

from chatport import (
    AsyncFunctionModel,
    CallCancelledError,
    CallTimeoutError,
    IncompleteStreamError,
    InvalidMiddlewareError,
    Layer,
    Request,
    Response,
    ResponseDelta,
    TextDelta,
    cancellable,
    fallback,
    is_transient,
    remaining,
    retry,
    timeout,
    usage_meter,
)
from chatport.testing import answer
from tests.client.layers import ASK, ProviderError, both

from .conftest import Half


@pytest.fixture(autouse=True)
def no_waiting() -> Iterator[None]:
    with stamina.set_testing(True, attempts=100, cap=True):
        yield


# Layers


def test_a_layer_without_methods_of_its_own_changes_nothing(half: Half) -> None:
    assert both(half, lambda: half.script("42"), Layer()) == ["42", "42"]


def test_a_layer_goes_around_models_and_streamers_only() -> None:
    with pytest.raises(InvalidMiddlewareError, match="neither calls nor streams"):
        Layer()(object())


def test_a_layer_shows_what_it_wraps() -> None:
    half = Half(asynchronous=False)
    assert "ScriptedModel" in repr(usage_meter()(half.script("x")))


@pytest.mark.parametrize(
    ("error", "transient"),
    [
        (ConnectionError(), True),
        (TimeoutError(), True),
        (CallTimeoutError("x"), True),
        (ProviderError(status=429), True),
        (ProviderError(status=400), False),
        (ProviderError(status=429, retryable=False), False),
        (ProviderError(retryable=True), True),
        (ValueError(), False),
        (CallCancelledError("x"), False),
    ],
)
def test_an_error_is_transient_or_not(error: Exception, transient: bool) -> None:
    assert is_transient(error) == transient


# Retry


def test_a_transient_failure_is_tried_again(half: Half) -> None:
    def script() -> Any:
        return half.script(ConnectionError("1"), ProviderError(status=503), "42")

    assert both(half, script, retry) == ["42", "42"]
    assert both(half, script, retry(attempts=3)) == ["42", "42"]


def test_the_last_error_is_raised_as_it_is(half: Half) -> None:
    errors = [ConnectionError("1"), ConnectionError("2"), ConnectionError("3")]
    assert both(half, lambda: half.script(*errors), retry(attempts=2)) == [errors[1]] * 2


def test_attempts_count_the_first(half: Half) -> None:
    for attempts in (1, 2, 4):
        model = half.script(*[ConnectionError()] * 9)
        with pytest.raises(ConnectionError):
            half.call(half.client(model, retry(attempts=attempts)), ASK)
        assert len(model.requests) == attempts


def test_other_errors_are_not_tried_again(half: Half) -> None:
    error = ValueError("no")
    assert both(half, lambda: half.script(error, "42"), retry) == [error, error]
    late = ValueError("late")
    assert both(half, lambda: half.script(ConnectionError(), late, "42"), retry) == [late, late]
    assert both(half, lambda: half.script(error, "42"), retry(on=ValueError)) == ["42", "42"]
    assert both(half, lambda: half.script(error, "42"), retry(on=(KeyError, ValueError))) == [
        "42",
        "42",
    ]
    assert both(half, lambda: half.script(error, "42"), retry(on=lambda e: e is error)) == [
        "42",
        "42",
    ]


def test_the_time_a_provider_asks_for_is_obeyed_when_there_is_as_much(half: Half) -> None:
    waits: list[float] = []
    stamina.instrumentation.set_on_retry_hooks([lambda details: waits.append(details.wait_for)])
    try:
        short, long = (
            ProviderError(status=429, retry_after=7),
            ProviderError(status=429, retry_after=100),
        )
        with stamina.set_testing(False):
            hook = retry()._backoff(started=10**12)
            assert hook(short) == 7.0
            assert hook(ProviderError(status=429)) is True
            assert hook(ProviderError(status=429, retry_after=-1)) is True
            assert hook(long) == 100.0  # the clock is before the start: all the budget is left
            assert retry(budget=None)._backoff(started=0)(long) == 100.0
            assert retry(budget=50)._backoff(started=0)(long) is False
        assert both(half, lambda: half.script(long, "42"), retry(budget=50)) == [long, long]
        assert both(half, lambda: half.script(short, "42"), retry(budget=50)) == ["42", "42"]
        assert len(waits) == 2
    finally:
        stamina.instrumentation.set_on_retry_hooks(None)


def test_a_stream_is_not_tried_again_after_its_first_delta(half: Half) -> None:
    model = half.script([ResponseDelta(TextDelta("a")), ConnectionError("cut")], "never")
    seen: list[ResponseDelta] = []
    with pytest.raises(ConnectionError, match="cut"):
        half.read(half.stream_client(model, retry).stream(ASK), seen)
    assert (len(seen), len(model.requests), model.closed) == (1, 1, 1)


def test_every_failed_stream_is_closed(half: Half) -> None:
    model = half.script(ConnectionError(), ConnectionError(), "42")
    half.run(half.stream_client(model, retry).stream(ASK).response())
    assert model.closed == 3


def test_an_empty_stream_stays_empty(half: Half) -> None:
    streamer = half.streamer(lambda request: (delta for delta in ()))
    for middleware in (retry, fallback(half.script("x"))):
        with pytest.raises(IncompleteStreamError):
            half.read(half.stream_client(streamer, middleware).stream(ASK), [])


def test_a_cancelled_call_is_not_tried_again(half: Half) -> None:
    with cancellable() as scope:

        def model(request: Request) -> Response:
            scope.cancel()
            raise ConnectionError

        with pytest.raises(CallCancelledError):
            half.call(half.client(half.model(model), retry), ASK)


def test_a_cancelled_task_is_not_tried_again(half: Half) -> None:
    model = half.script(ConnectionError(), asyncio.CancelledError(), "never")
    with pytest.raises(asyncio.CancelledError):
        half.call(half.client(model, retry), ASK)
    assert len(model.requests) == 2


# Fallback


def test_another_model_answers_when_the_first_cannot(half: Half) -> None:
    def others() -> Any:
        return fallback(half.script(ConnectionError("2")), half.script("42"))

    for _ in range(2):
        assert both(half, lambda: half.script("41"), others()) == ["41", "41"]
    model = half.script(ConnectionError("1"))
    assert half.call(half.client(model, others()), ASK).text() == "42"
    model = half.script(ConnectionError("1"))
    assert half.run(half.stream_client(model, others()).stream(ASK).response()).text() == "42"


def test_when_all_fail_the_last_error_tells_of_the_others(half: Half) -> None:
    last = ConnectionError("3")
    spares = [half.script(ConnectionError("2"), ConnectionError("2")), half.script(last, last)]
    errors = both(half, lambda: half.script(ConnectionError("1")), fallback(*spares))
    assert errors == [last, last]
    assert last.__notes__[:2] == [
        "model 1 failed before: ConnectionError('1')",
        "model 2 failed before: ConnectionError('2')",
    ]


def test_other_errors_do_not_fall_back(half: Half) -> None:
    error = ValueError("no")
    spare = half.script("never")
    assert both(half, lambda: half.script(error), fallback(spare)) == [error, error]
    middle = fallback(half.script(error, error), spare)
    assert both(half, lambda: half.script(ConnectionError()), middle) == [error, error]
    assert spare.requests == []
    assert both(
        half, lambda: half.script(error), fallback(half.script("a", "b"), on=ValueError)
    ) == [
        "a",
        "b",
    ]


def test_a_stream_does_not_fall_back_after_its_first_delta(half: Half) -> None:
    model = half.script([ResponseDelta(TextDelta("a")), ConnectionError("cut")])
    spare = half.script("never")
    with pytest.raises(ConnectionError):
        half.read(half.stream_client(model, fallback(spare)).stream(ASK), [])
    assert spare.requests == []


@pytest.mark.parametrize("models", [(), (None,), (object(),)])
def test_fallback_needs_models(half: Half, models: Any) -> None:
    for made in (half.client, half.stream_client):
        with pytest.raises(InvalidMiddlewareError, match=r"at least one|cannot do"):
            made(half.script("x"), fallback(*models))


def test_a_model_to_fall_back_on_can_do_the_same(half: Half) -> None:
    only_calls = fallback(half.model(lambda request: answer("x")))
    half.client(half.model(lambda request: answer("x")), only_calls)
    with pytest.raises(InvalidMiddlewareError, match=r"models\[0\] cannot do"):
        half.stream_client(half.streamer(lambda request: []), only_calls)


@pytest.mark.parametrize("attempts", [0, -1])
def test_there_is_at_least_one_attempt(attempts: int) -> None:
    with pytest.raises(ValueError, match="1 or more"):
        retry(attempts=attempts)


# Timeout


class Clock:
    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


def test_a_response_that_comes_too_late_is_on_the_error(half: Half) -> None:
    clock = Clock()

    def model(request: Request) -> Response:
        assert remaining() == 5.0
        clock.now += 6
        return answer("late")

    with pytest.raises(CallTimeoutError, match="longer than 5 s") as caught:
        half.call(half.client(half.model(model), timeout(5, clock=clock)), ASK)
    assert caught.value.response is not None
    assert caught.value.response.text() == "late"
    assert remaining() is None


def test_an_answer_in_time_passes(half: Half) -> None:
    assert both(half, lambda: half.script("42"), timeout(5)) == ["42", "42"]
    error = TimeoutError("the model's own")
    assert both(half, lambda: half.script(error), timeout(5)) == [error, error]


def test_a_streams_time_is_that_of_all_its_deltas(half: Half) -> None:
    clock = Clock()

    def deltas(request: Request) -> Iterator[ResponseDelta]:
        for text in "abc":
            clock.now += 2
            yield ResponseDelta(TextDelta(text))

    seen: list[ResponseDelta] = []
    client = half.stream_client(half.streamer(deltas), timeout(5, clock=clock))
    with pytest.raises(CallTimeoutError):
        half.read(client.stream(ASK), seen)
    assert [delta.text() for delta in seen] == ["a", "b"]


def test_the_nearest_deadline_counts(half: Half) -> None:
    clock = Clock()
    left: list[float | None] = []

    def model(request: Request) -> Response:
        left.append(remaining())
        return answer("x")

    for outer, inner in [(3, 7), (7, 3)]:
        with cancellable(outer, clock=clock):
            half.call(half.client(half.model(model), timeout(inner, clock=clock)), ASK)
    with cancellable():
        half.call(half.client(half.model(model), timeout(4, clock=clock)), ASK)
    assert left == [3, 3, 4]


def test_an_asynchronous_model_is_interrupted() -> None:
    interrupted: list[str] = []

    async def never(request: Request) -> Response:
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            interrupted.append("model")
            raise
        raise AssertionError

    class AlmostOver:
        """A clock that starts at nought and then says that a microsecond is left."""

        asked = False

        def __call__(self) -> float:
            first, self.asked = not self.asked, True
            return 0.0 if first else 4.999999

    half = Half(asynchronous=True)
    client = half.client(AsyncFunctionModel(never), timeout(5, clock=AlmostOver()))
    with pytest.raises(CallTimeoutError, match="longer than 5 s"):
        half.call(client, ASK)
    assert interrupted == ["model"]


@pytest.mark.parametrize("seconds", [0, -1, float("nan")])
def test_a_timeout_is_positive(seconds: float) -> None:
    with pytest.raises(ValueError, match="more than 0"):
        timeout(seconds)
