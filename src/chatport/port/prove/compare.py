"""Compares what two programs did: what they asked, printed and returned, and how they ended."""

from __future__ import annotations

import difflib
import json
from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import zip_longest
from typing import Final

from chatport.port.prove.calls import Call, decode
from chatport.port.prove.images import hold_images, with_pixels
from chatport.port.prove.normalise import IN_ORDER, TABLE, Kind, needed, normalised
from chatport.port.prove.protocol import identity
from chatport.port.prove.running import Failure, How, Run


class Verdict(StrEnum):
    """What a proof says about one entry point."""

    SAME = "same"
    DIFFERENT = "different"
    NOT_RUN = "not run"


class What(StrEnum):
    """In which respect two programs differ."""

    REQUEST = "request"
    PRINTED = "printed"
    RETURNED = "returned"
    WROTE = "wrote"
    ENDED = "ended"


@dataclass(frozen=True, slots=True)
class Difference:
    """One difference: the two sides as lines of text, and where in the programs they come from.

    A side that has no counterpart (a request only one program made) is None.
    """

    what: What
    before: tuple[str, ...] | None
    after: tuple[str, ...] | None
    before_line: str = ""
    after_line: str = ""

    def unified(self) -> str:
        """The two sides as one diff with the changed lines marked."""
        before, after = self.before or (), self.after or ()
        rows = difflib.unified_diff(before, after, "legacy", "new", n=2, lineterm="")
        return "\n".join(rows)

    def columns(self) -> Iterator[tuple[str, str, bool]]:
        """The two sides next to each other: rows of left, right, and whether they are equal."""
        before, after = self.before or (), self.after or ()
        matcher = difflib.SequenceMatcher(a=before, b=after, autojunk=False)
        for tag, start, end, other_start, other_end in matcher.get_opcodes():
            rows = zip_longest(before[start:end], after[other_start:other_end], fillvalue="")
            yield from ((left, right, tag == "equal") for left, right in rows)


@dataclass(frozen=True, slots=True)
class Comparison:
    """The verdict on two runs, and all it rests on.

    `why` says why a pair counts as not run. `passed_over` are the names of the entries of the
    normalisation table that were needed, `notes` what a reader should know besides.
    """

    verdict: Verdict
    differences: tuple[Difference, ...] = ()
    why: str = ""
    calls: int = 0
    passed_over: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()

    @property
    def reported(self) -> tuple[str, ...]:
        """The reasons of the entries passed over that are worth telling."""
        return tuple(
            entry.why
            for entry in TABLE
            if entry.name in self.passed_over and entry.kind is Kind.REPORT
        )


@dataclass(frozen=True, slots=True)
class Expectation:
    """What a port was asked to keep. `version`: whether the API version must stay."""

    version: bool = True


def compare(before: Run, after: Run, expect: Expectation | None = None) -> Comparison:
    """Compare the run of the untouched program with that of the ported one."""
    expect = expect or Expectation()
    if why := _why_unusable(before, "legacy") or _why_unusable(after, "new"):
        return Comparison(Verdict.NOT_RUN, why=why)
    calls, other_calls = _calls(before, expect), _calls(after, expect)
    passed_over = needed(calls, other_calls)
    if passed_over is None and hold_images(calls) and hold_images(other_calls):
        calls, other_calls = with_pixels([calls, other_calls], before.environment)
        passed_over = needed(calls, other_calls)
    differences = [
        *(_requests(calls, other_calls) if passed_over is None else ()),
        *_printed(before, after, reordered="order" in (passed_over or ())),
        *_returned(before, after),
        *_wrote(before, after),
        *_ended(before, after),
    ]
    notes = _notes(before, after)
    if differences:
        verdict = Verdict.DIFFERENT
    elif not calls:
        why = _why_silent(before)
        return Comparison(Verdict.NOT_RUN, why=why, notes=notes)
    else:
        verdict = Verdict.SAME
    ordered = tuple(entry.name for entry in TABLE if entry.name in (passed_over or ()))
    return Comparison(verdict, tuple(differences), "", len(calls), ordered, notes)


def compare_asked(before: Run, after: Run, expect: Expectation | None = None) -> Comparison:
    """Compare only what was asked, as far as both went.

    For answers the program may not be made for: the legacy SDK then raises where google-genai
    answers None, and what comes after that is no matter of the port.
    """
    whole = compare(before, after, expect)
    if whole.verdict is not Verdict.DIFFERENT:
        return whole
    expect = expect or Expectation()
    calls, other_calls = _calls(before, expect), _calls(after, expect)
    if before.failure is not None:
        other_calls = other_calls[: len(calls)]
    passed_over = needed(calls, other_calls)
    if passed_over is None:
        return replace(whole, differences=tuple(_requests(calls, other_calls)))
    aside = tuple(
        f"{one.what}: {' / '.join(one.before or ())} became {' / '.join(one.after or ())}"
        for one in whole.differences
        if one.what is not What.REQUEST
    )
    ordered = tuple(entry.name for entry in TABLE if entry.name in passed_over)
    return Comparison(Verdict.SAME, (), "", len(calls), ordered, (*whole.notes, *aside))


def without(comparison: Comparison, unsteady: AbstractSet[What]) -> Comparison:
    """The comparison without the respects in which the legacy program differs from itself."""
    if What.REQUEST in unsteady or What.ENDED in unsteady:
        return Comparison(
            Verdict.NOT_RUN,
            why="the legacy program asks or ends otherwise from run to run (time, chance?)",
            notes=comparison.notes,
        )
    left = tuple(one for one in comparison.differences if one.what not in unsteady)
    notes = tuple(f"not compared, it differs from run to run: {one}" for one in sorted(unsteady))
    verdict = comparison.verdict
    if not left:
        verdict = Verdict.SAME if comparison.calls else Verdict.NOT_RUN
    return replace(comparison, verdict=verdict, differences=left, notes=(*comparison.notes, *notes))


def _calls(run: Run, expect: Expectation) -> list[Call]:
    calls = decode(run.exchanges)
    return calls if expect.version else [replace(call, version="") for call in calls]


_UNUSABLE: Final[Mapping[How, str]] = {
    How.TIMED_OUT: "did not end in {seconds:g} s",
    How.FLOODED: "printed more than the limit",
    How.DIED: "was killed or left without a word (exit {code})",
}


def _why_unusable(run: Run, side: str) -> str:
    if (form := _UNUSABLE.get(run.how)) is not None:
        said = form.format(seconds=run.seconds, code=run.code)
        return f"the {side} program {said}"
    if (
        run.failure is not None
        and "builtins.ImportError" in run.failure.classes
        and not run.exchanges
    ):
        return f"the {side} program cannot import what it needs: {run.failure.message}"
    return ""


def _why_silent(run: Run) -> str:
    if run.failure is not None:
        where = f" at {run.failure.line}" if run.failure.line else ""
        short = run.failure.type.removeprefix("builtins.")
        return f"no request was made: {short}{where}: {run.failure.message}"
    if run.code:
        said = (run.stderr.strip().splitlines() or [""])[-1]
        return f"no request was made: exit {run.code}" + (f": {said}" if said else "")
    return "no request was made"


def _requests(before: Sequence[Call], after: Sequence[Call]) -> Iterator[Difference]:
    """The requests that differ, paired as well as their order allows."""
    calls, other_calls = normalised(before, IN_ORDER), normalised(after, IN_ORDER)
    left = [identity(call) for call in calls]
    right = [identity(call) for call in other_calls]
    matcher = difflib.SequenceMatcher(a=left, b=right, autojunk=False)
    for tag, start, end, other_start, other_end in matcher.get_opcodes():
        if tag == "equal":
            continue
        for one, other in zip_longest(calls[start:end], other_calls[other_start:other_end]):
            yield Difference(
                What.REQUEST,
                None if one is None else tuple(one.lines()),
                None if other is None else tuple(other.lines()),
                one.line if one else "",
                other.line if other else "",
            )


def _printed(before: Run, after: Run, *, reordered: bool) -> Iterator[Difference]:
    one, other = before.stdout.splitlines(), after.stdout.splitlines()
    same = sorted(one) == sorted(other) if reordered else before.stdout == after.stdout
    if not same:
        yield Difference(What.PRINTED, tuple(one), tuple(other))


def _returned(before: Run, after: Run) -> Iterator[Difference]:
    one, other = (
        tuple(json.dumps(run.returned, indent=2, sort_keys=True).splitlines())
        for run in (before, after)
    )
    # What an exception left unreturned is told by how the program ended.
    if one != other and before.failure is None and after.failure is None:
        yield Difference(What.RETURNED, one, other)


def _wrote(before: Run, after: Run) -> Iterator[Difference]:
    one, other = (
        tuple(f"{name}: {digest[:12]}" for name, digest in run.written.items())
        for run in (before, after)
    )
    if one != other:
        yield Difference(What.WROTE, one, other)


def _ended(before: Run, after: Run) -> Iterator[Difference]:
    if _end(before) != _end(after):
        yield Difference(
            What.ENDED,
            (_told(before),),
            (_told(after),),
            before.failure.line if before.failure else "",
            after.failure.line if after.failure else "",
        )


def _end(run: Run) -> str:
    return meaning(run.failure) if run.failure is not None else f"exit {run.code}"


def _told(run: Run) -> str:
    if run.failure is None:
        return f"exit {run.code}"
    return f"{run.failure.type.removeprefix('builtins.')}: {run.failure.message}"


_API_ERRORS: Final = ("google.api_core.exceptions.", "google.genai.errors.")

_MEANINGS: Final[Mapping[str, str]] = {
    "google.api_core.exceptions.DeadlineExceeded": "deadline exceeded",
    "httpx.TimeoutException": "deadline exceeded",
    "httpx2.TimeoutException": "deadline exceeded",
    "google.api_core.exceptions.ServiceUnavailable": "connection lost",
    "httpx.TransportError": "connection lost",
    "httpx2.TransportError": "connection lost",
}
"""Exceptions that stand for each other, by any of their classes."""


def meaning(failure: Failure) -> str:
    """What an exception means on either side: the code of an API error, else its class."""
    api = any(name.startswith(_API_ERRORS) for name in failure.classes)
    known = next((_MEANINGS[name] for name in failure.classes if name in _MEANINGS), None)
    if known is not None and not (
        api and failure.api_code == 503 and failure.message != "Socket closed"
    ):
        return known
    if api and failure.api_code is not None:
        return f"API error {failure.api_code}"
    return failure.type


def _notes(before: Run, after: Run) -> tuple[str, ...]:
    notes = [f"refused: {what}" for what in dict.fromkeys([*before.refused, *after.refused])]
    if before.failure is not None and after.failure is not None:
        notes.append(f"both ended by {_told(before)}")
    left = max(before.left, after.left)
    if left:
        notes.append(f"{left} processes were left running and were ended")
    return tuple(notes)
