"""What a person sees: plain lines in a pipe, tables and colours on a terminal."""

from __future__ import annotations

import io
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest
from inline_snapshot import snapshot

from chatport.port.findings import FilePlan, Note, Plan, Problem, Status
from chatport.port.report import console
from chatport.port.report.escape import on_one_line, visible
from tests.report.plans import CALL, PLAN, REFUSED, suggested


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.fixture(autouse=True)
def codes(monkeypatch: pytest.MonkeyPatch) -> None:
    told = SimpleNamespace(message="Reading the text of an empty answer gives None.")
    monkeypatch.setattr(console, "CODES", {"text_may_be_none": told})
    monkeypatch.setattr("os.getcwd", lambda: "/project")


@pytest.fixture
def terminal(monkeypatch: pytest.MonkeyPatch) -> Terminal:
    for name in ("NO_COLOR", "FORCE_COLOR", "TTY_COMPATIBLE", "TTY_INTERACTIVE"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.setenv("COLUMNS", "80")
    return Terminal()


def everything(plan: Plan, out: io.StringIO, outcome: console.Outcome | None = None) -> str:
    console.findings(plan, out, lambda _: True)
    console.problems(plan.errors, plan.root, out)
    console.closing(plan, out, outcome or console.Outcome())
    return out.getvalue()


def test_in_a_pipe_each_finding_is_a_line() -> None:
    assert everything(PLAN, io.StringIO()) == snapshot("""\
app/bot.py:1:1: auto legacy
    mind: text_may_be_none: Reading the text of an empty answer gives None.
app/bot.py:7:5: auto Model.send
app/é.py:3:9: review Model: tools_not_known: Which tools the model may call is not known here.
    write: -Model.send(f)
           +client.send(
           +    tools=[f],
           +)
    check: the tools.
app/é.py:5:1: review Model.send: tools_not_known: follows from line 3
app/é.py:8:1: unsupported tune: surface_gone: The new SDK has nothing like it.
requirements.txt:2:1: auto legacy-sdk
chatport: error: old.py: line 2: this is Python 2 (invalid syntax)
poetry.lock: names legacy-sdk; lock again.
1 file could not be read; see the errors.
12 files read, 2 with legacy code, 6 uses: 3 can be ported, 2 to review, 1 without counterpart.
1 file can be ported whole, 1 held back.
Held back by: surface_gone (1), tools_not_known (1).
Next: chatport fix shows the change, chatport fix --write makes it.
      chatport explain surface_gone says what to do by hand.
""")


def test_on_a_terminal_there_is_a_table_of_80_columns(
    terminal: Terminal, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    text = everything(PLAN, terminal)
    assert max(map(len, text.splitlines())) <= 80
    assert "\x1b" not in text
    assert "\n".join(line.rstrip() for line in text.splitlines()) == snapshot("""\
app/bot.py  ported
1:1  auto  legacy
           mind: text_may_be_none: Reading the text of an empty answer gives
           None.
7:5  auto  Model.send

app/é.py  refused
3:9  review       Model
                  tools_not_known: Which tools the model may call is not known
                  here.
                  write: -Model.send(f)
                         +client.send(
                         +    tools=[f],
                         +)
                  check: the tools.
5:1  review       Model.send  tools_not_known: follows from line 3
8:1  unsupported  tune
                  surface_gone: The new SDK has nothing like it.

requirements.txt  ported
2:1  auto  legacy-sdk

chatport: error: old.py: line 2: this is Python 2 (invalid syntax)
poetry.lock: names legacy-sdk; lock again.
1 file could not be read; see the errors.
12 files read, 2 with legacy code, 6 uses: 3 can be ported, 2 to review, 1
without counterpart.
1 file can be ported whole, 1 held back.
Held back by: surface_gone (1), tools_not_known (1).
Next: chatport fix shows the change, chatport fix --write makes it.
      chatport explain surface_gone says what to do by hand.\
""")


def test_on_a_terminal_verdicts_have_colours(terminal: Terminal) -> None:
    text = everything(PLAN, terminal)
    assert "\x1b[32mauto" in text
    assert "\x1b[33mreview" in text
    assert "\x1b[31munsupported" in text


def test_only_findings_that_are_chosen_are_shown() -> None:
    out = io.StringIO()
    console.findings(PLAN, out, lambda finding: finding.code == "surface_gone")
    assert out.getvalue() == (
        "app/é.py:8:1: unsupported tune: surface_gone: The new SDK has nothing like it.\n"
    )


def test_the_diff_in_a_pipe_is_the_patch() -> None:
    raw = io.BytesIO()
    with io.TextIOWrapper(raw, encoding="utf-8") as out:
        console.diff(PLAN, out)
        assert raw.getvalue() == PLAN.patch()
    text = io.StringIO()
    console.diff(PLAN, text)
    assert text.getvalue() == PLAN.diff()


def test_the_diff_on_a_terminal_is_coloured_and_not_broken(terminal: Terminal) -> None:
    long = b"x = '" + b"y" * 200 + b"'"
    changed = FilePlan("a.py", Status.PORTED, (CALL,), b"x\r\n", long + b"\r\n\x1b[2J\r\n")
    console.diff(Plan(Path("/project"), (changed,)), terminal)
    text = terminal.getvalue()
    assert "\x1b[31m-x\x1b[0m\n" in text
    assert f"\x1b[32m+{long.decode()}\x1b[0m\n" in text
    assert "\x1b[32m+\\x1b[2J\x1b[0m\n" in text
    assert "\x1b[36m@@" in text


@pytest.mark.parametrize("on_terminal", [False, True])
def test_hostile_names_and_code_do_not_reach_the_terminal(
    terminal: Terminal, on_terminal: bool
) -> None:
    out = terminal if on_terminal else io.StringIO()
    evil = "\x1b]0;x\x07\r\u202e\udcff"
    finding = replace(
        REFUSED, path=evil + "\n.py", symbol=evil, message=evil, suggestion=suggested(evil, evil)
    )
    plan = Plan(
        Path("/project"),
        (FilePlan(evil + "\n.py", Status.REFUSED, (finding,), b""),),
        errors=(Problem(evil + "\n", evil),),
        notes=(Note(evil, evil),),
    )
    text = everything(plan, out)
    assert not {"\x1b]", "\x07", "\r", "\u202e", "\udcff", "\x1b]0"} & set(text)
    assert "\x1b]" not in text
    assert "\\x1b]0;x\\x07\\r\\u202e\\udcff\\n" in text


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("plain é 漢\n\t", "plain é 漢\n\t"),
        ("\x1b[31m", "\\x1b[31m"),
        ("\x9b\x7f\r", "\\x9b\\x7f\\r"),
        ("\u202e\u2066\udc80", "\\u202e\\u2066\\udc80"),
    ],
)
def test_what_could_deceive_is_written_out(text: str, expected: str) -> None:
    assert visible(text) == expected
    assert on_one_line(text) == expected.replace("\n", "\\n").replace("\t", "\\t")


CLEAN_FILE = FilePlan("a.py", Status.CLEAN, (), b"")


@pytest.mark.parametrize(
    ("plan", "outcome", "last"),
    [
        (
            Plan(Path("/project"), scanned=1),
            console.Outcome(),
            "1 file read; none uses an SDK to be ported from.",
        ),
        (
            PLAN,
            console.Outcome(),
            "      chatport explain surface_gone says what to do by hand.",
        ),
        (
            replace(PLAN, files=PLAN.files[:1]),
            console.Outcome(fixing=True),
            "Next: chatport fix --write makes these changes.",
        ),
        (
            replace(PLAN, files=PLAN.files[:1]),
            console.Outcome(fixing=True, run="r1"),
            "Next: run your tests; chatport undo takes run r1 back.",
        ),
        (
            replace(PLAN, files=PLAN.files[1:]),
            console.Outcome(),
            "Next: chatport explain surface_gone says what to do by hand.",
        ),
    ],
)
def test_the_last_line_says_what_to_do_next(
    plan: Plan, outcome: console.Outcome, last: str
) -> None:
    out = io.StringIO()
    console.closing(plan, out, outcome)
    assert out.getvalue().splitlines()[-1] == last
