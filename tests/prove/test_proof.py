"""Proofs of whole trees, with plans made by hand, and their reports."""

from __future__ import annotations

import io
import json
import re
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from chatport.port.findings import Plan, Problem
from chatport.port.prove.compare import Verdict
from chatport.port.prove.environments import packages_of
from chatport.port.prove.proof import DRIVER_TEXT, Proof, ProofError, Settings, prove
from chatport.port.prove.report import render, render_json
from chatport.port.prove.running import Limits, Worker
from tests.prove.plans import LEGACY, NEW, plan_of, write
from tests.prove.workers import FOLDER

SETTINGS = Settings(folder=FOLDER, limits=Limits(seconds=20.0))

BEFORE = (
    LEGACY
    + """\
def ask(question="Hello"):
    model = genai.GenerativeModel("gemini-1.5-flash")
    return model.generate_content(question).text
def with_argument(question):
    model = genai.GenerativeModel("gemini-1.5-flash")
    return model.generate_content(question).text
"""
)
AFTER = (
    NEW
    + """\
def ask(question="Hello"):
    return client.models.generate_content(model="gemini-1.5-flash", contents=question).text
def with_argument(question):
    return client.models.generate_content(model="gemini-1.5-flash", contents=question).text
"""
)
MAIN = """\
from app import ask
if __name__ == "__main__":
    print(ask("What is it?"))
"""


@pytest.fixture
def root(tmp_path: Path) -> Path:
    root = tmp_path / "project"
    write(root, "app.py", BEFORE)
    write(root, "main.py", MAIN)
    return root


def verdicts(proof: Proof) -> dict[str, str]:
    return {entry.name: str(entry.comparison.verdict) for entry in proof.entries}


def text_of(proof: Proof) -> str:
    out = io.StringIO()
    render(proof, out)
    return out.getvalue()


def test_scripts_are_run_and_lines_that_nothing_reached_are_named(root: Path) -> None:
    proof = prove(plan_of(root, {"app.py": AFTER}), SETTINGS)
    assert verdicts(proof) == {"main.py": "same"}
    assert proof.verdict is Verdict.SAME
    assert (proof.executed, proof.rewritten) == (4, 5)
    assert text_of(proof).splitlines()[0] == "same       main.py  (1 request)"
    assert "4 of 5 rewritten lines were executed (80 %)" in text_of(proof)
    assert "Never executed: app.py:8" in text_of(proof)


def test_a_notebook_that_is_ported_is_named_as_not_executed(root: Path) -> None:
    write(root, "try.ipynb", "{}")
    proof = prove(plan_of(root, {"app.py": AFTER, "try.ipynb": "{ }"}), SETTINGS)
    assert proof.verdict is Verdict.SAME
    assert "Never executed: try.ipynb, because notebooks are not run" in text_of(proof)
    assert "try.ipynb" in " ".join(json.loads(render_json(proof))["notes"])


def test_functions_are_run_when_no_script_reaches_them(root: Path) -> None:
    (root / "main.py").unlink()
    proof = prove(plan_of(root, {"app.py": AFTER}), SETTINGS)
    assert verdicts(proof) == {"app.py: ask()": "same"}


def test_a_wrong_port_is_shown_with_the_lines_that_sent_it(root: Path) -> None:
    wrong = AFTER.replace('model="gemini-1.5-flash"', 'model="gemini-2.5-flash"', 1)
    proof = prove(plan_of(root, {"app.py": wrong}), SETTINGS)
    assert verdicts(proof)["main.py"] == "different"
    assert proof.verdict is Verdict.DIFFERENT
    text = text_of(proof)
    assert "a request differs (app.py:6 -> app.py:6)" in text
    assert '-  "model": "models/gemini-1.5-flash"' in text
    assert '+  "model": "models/gemini-2.5-flash"' in text


def test_the_json_report_holds_everything(root: Path) -> None:
    wrong = AFTER.replace('api_version="v1beta"', 'api_version="v1"')
    document = json.loads(render_json(prove(plan_of(root, {"app.py": wrong}), SETTINGS)))
    assert (document["version"], document["verdict"]) == (1, "different")
    assert document["legacy"]["version"] == "0.8.6"
    (difference,) = document["entries"][0]["differences"]
    assert (difference["what"], difference["after_line"]) == ("request", "app.py:6")
    assert document["coverage"]["files"][0] == {
        "path": "app.py",
        "rewritten": [1, 2, 4, 6, 8],
        "never": [8],
    }


def test_a_driver_replaces_what_is_found(root: Path, tmp_path: Path) -> None:
    driver = write(tmp_path, "drive.py", "import app\nprint(app.with_argument('x'))\n")
    settings = Settings(folder=FOLDER, driver=driver)
    proof = prove(plan_of(root, {"app.py": AFTER}), settings)
    assert verdicts(proof) == {"drive.py": "same"}
    compile(DRIVER_TEXT, "driver", "exec")


def test_a_command_is_run_in_both_trees(root: Path) -> None:
    command = ("python", "-c", "import app; print(app.ask())")
    proof = prove(plan_of(root, {"app.py": AFTER}), Settings(folder=FOLDER, command=command))
    assert verdicts(proof) == {" ".join(command): "same"}
    assert proof.executed == 4


HOSTILE = {
    "hang.py": "while True: pass",
    "exit.py": "import os; os._exit(0)",
    "flood.py": "while True: print('x' * 10000)",
    "missing.py": "import not_installed_anywhere",
    "kill.py": "import os, signal; os.killpg(0, signal.SIGKILL)",
    "escape.py": "open('../was-here', 'w')",
    "fork.py": "import os, signal; os.fork() or signal.pause()",
    "stdin.py": "import sys; any(iter(sys.stdin.readline, 0))",
    "thread.py": "import threading; threading.Thread(target=threading.Event().wait).start()",
    "loop.py": "import asyncio; asyncio.new_event_loop().run_forever()",
}


def test_hostile_entry_points_do_not_stop_the_others(root: Path) -> None:
    main = 'import app\nif __name__ == "__main__":\n    '
    for name, line in HOSTILE.items():
        write(root, name, main + line + "\n")
    settings = Settings(folder=FOLDER, limits=Limits(seconds=3.0))
    proof = prove(plan_of(root, {"app.py": AFTER}), settings)
    assert verdicts(proof) == {**dict.fromkeys(sorted(HOSTILE), "not run"), "main.py": "same"}
    why = {entry.name: entry.comparison.why for entry in proof.entries}
    assert why["hang.py"].startswith("the legacy program did not end in 3")
    assert "cannot import what it needs: No module named 'not_inst" in why["missing.py"]
    assert not (root.parent / "was-here").exists()


def test_a_loop_of_questions_without_an_end_is_the_same(root: Path) -> None:
    write(root, "main.py", "from app import ask\nwhile True:\n    print(ask(input('> ')))\n")
    proof = prove(plan_of(root, {"app.py": AFTER}), SETTINGS)
    assert verdicts(proof) == {"main.py": "same"}
    assert "both ended by EOFError" in text_of(proof)


def test_functions_are_called_by_the_model_in_a_second_run(root: Path) -> None:
    tool = 'def look_up(city: str) -> str:\n    """Look up."""\n    return "rain"\n'
    ask = 'print("text" if {}.candidates[0].content.parts[0].text else "call")\n'
    before = (
        LEGACY
        + tool
        + 'model = genai.GenerativeModel("g", tools=[look_up])\n'
        + ask.format('model.generate_content("x")')
    )
    after = (
        NEW
        + tool
        + ask.format(
            'client.models.generate_content(model="g", contents="x", '
            "config=types.GenerateContentConfig(tools=[look_up]))"
        )
    )
    write(root, "app.py", before)
    (root / "main.py").unlink()
    wrong = prove(plan_of(root, {"app.py": after}), SETTINGS)
    assert verdicts(wrong) == {"app.py": "same", "app.py, with functions called": "different"}
    off = "tools=[look_up], automatic_function_calling={'disable': True}"
    right = prove(plan_of(root, {"app.py": after.replace("tools=[look_up]", off)}), SETTINGS)
    assert set(verdicts(right).values()) == {"same"}


def test_handlers_are_reached_by_a_refused_call(root: Path) -> None:
    before = (
        LEGACY
        + "from google.api_core.exceptions import ResourceExhausted\n"
        + "try:\n"
        + '    print(genai.GenerativeModel("g").generate_content("x").text)\n'
        + "except ResourceExhausted as error:\n"
        + '    print("wait", error.code)\n'
    )
    after = (
        NEW
        + "from google.genai import errors\n"
        + "try:\n"
        + '    print(client.models.generate_content(model="g", contents="x").text)\n'
        + "except errors.{} as error:\n"
        + '    print("wait", error.code)\n'
        + "    {}\n"
    )
    write(root, "app.py", before)
    (root / "main.py").unlink()
    refused = "app.py, with the first call refused (429)"
    right = prove(plan_of(root, {"app.py": after.format("ClientError", "pass")}), SETTINGS)
    assert verdicts(right) == {"app.py": "same", refused: "same"}
    assert right.executed == right.rewritten
    more = 'client.models.generate_content(model="g", contents="x")'
    wrong = prove(plan_of(root, {"app.py": after.format("ClientError", more)}), SETTINGS)
    assert verdicts(wrong) == {"app.py": "same", refused: "different"}


UNSTEADY = {
    "printed": ("import os; print(os.urandom(8))", "same", "differs from run to run: printed"),
    "wrote": ("import os; open('x', 'wb').write(os.urandom(8))", "same", "run to run: wrote"),
    "asks": ("import os; print(ask(str(os.urandom(8))))", "not run", "from run to run"),
}


@pytest.mark.parametrize("name", UNSTEADY)
def test_what_differs_from_run_to_run_is_not_compared(root: Path, name: str) -> None:
    line, verdict, said = UNSTEADY[name]
    write(root, "main.py", f"{MAIN}    {line}\n")
    proof = prove(plan_of(root, {"app.py": AFTER}), SETTINGS)
    assert verdicts(proof) == {"main.py": verdict}
    assert said in text_of(proof)


def test_a_wrong_port_is_found_beside_what_differs_from_run_to_run(root: Path) -> None:
    write(root, "main.py", f"{MAIN}    {UNSTEADY['printed'][0]}\n")
    wrong = AFTER.replace('"gemini-1.5-flash"', '"gemini-2.5-flash"')
    proof = prove(plan_of(root, {"app.py": wrong}), SETTINGS)
    assert verdicts(proof) == {"main.py": "different"}


def test_nothing_found_says_what_to_do_next(root: Path) -> None:
    (root / "main.py").unlink()
    before, after = (text.replace('="Hello"', "") for text in (BEFORE, AFTER))
    write(root, "app.py", before)
    proof = prove(plan_of(root, {"app.py": after}), SETTINGS)
    assert proof.verdict is Verdict.NOT_RUN
    assert "chatport prove --init" in text_of(proof)


def test_other_packages_are_found_beside_the_legacy_sdk_that_is_given(
    root: Path, tmp_path: Path, worker: Callable[[str], Worker]
) -> None:
    legacy = worker("legacy").environment.python
    own = tmp_path / "own"
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", own], check=True)
    (folder,) = packages_of(own / "bin" / "python")
    write(Path(folder), "house_style.py", "MARK = '!'\n")
    write(Path(folder), "legacy.pth", f"{packages_of(legacy)[0]}\n")
    write(root, "main.py", "from house_style import MARK\n" + MAIN)
    settings = replace(SETTINGS, legacy_python=own / "bin" / "python")
    proof = prove(plan_of(root, {"app.py": AFTER}), settings)
    assert verdicts(proof) == {"main.py": "same"}


def test_an_interpreter_without_the_sdk_stops_the_proof(root: Path, tmp_path: Path) -> None:
    settings = Settings(folder=FOLDER, new_python=tmp_path / "no-python")
    with pytest.raises(ProofError, match="does not start"):
        prove(plan_of(root, {"app.py": AFTER}), settings)


Command = Callable[..., int]


@pytest.fixture
def command(root: Path, monkeypatch: pytest.MonkeyPatch) -> Command:
    """Run the command line in the tree, with a plan made by hand."""
    from chatport.cli import app
    from chatport.port import planner as engine

    def planned(paths: list[str], **_: object) -> Plan:
        return plan_of(root, {"app.py": AFTER})

    monkeypatch.setattr(engine, "plan", planned)
    monkeypatch.setenv("CHATPORT_ENVS", str(FOLDER))
    monkeypatch.chdir(root)
    return lambda *words: app.run(["prove", *words])


def test_the_command_line_proves_a_tree(
    command: Command, capsys: pytest.CaptureFixture[str]
) -> None:
    assert command(".") == 0
    assert "same       main.py" in capsys.readouterr().out


def test_the_command_after_the_dashes_is_run(
    command: Command, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ("--format", "json", "--", "python", "-c", "print(1)")
    assert command(*words) == 1
    (entry,) = json.loads(capsys.readouterr().out)["entries"]
    assert (entry["name"], entry["why"]) == ("python -c print(1)", "no request was made")


def test_the_page_says_beside_each_file_what_was_shown(
    command: Command, capsys: pytest.CaptureFixture[str]
) -> None:
    assert command(".", "--format", "html") == 0
    page = capsys.readouterr().out
    assert page.startswith("<!doctype html>")
    assert re.search(r"proof: same, \d+ of \d+ rewritten lines run", page)


def test_what_was_written_and_finished_by_hand_is_proven_afterwards(
    root: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from chatport.cli import app
    from chatport.port import planner as engine
    from chatport.port.writer import write as write_plan

    write_plan(plan_of(root, {"app.py": "half done"}))
    write(root, "app.py", AFTER)
    monkeypatch.setattr(engine, "plan", lambda *_, **__: Plan(root))
    monkeypatch.setenv("CHATPORT_ENVS", str(FOLDER))
    assert app.run(["prove", str(root)]) == 0
    told = capsys.readouterr()
    assert "same       main.py" in told.out
    assert "nothing left to port; proving run" in told.err


def test_nothing_to_prove_is_said(
    root: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from chatport.cli import app
    from chatport.port import planner as engine

    monkeypatch.setattr(engine, "plan", lambda *_, **__: Plan(root))
    assert app.run(["prove", str(root)]) == 0
    assert "there is nothing to prove" in capsys.readouterr().err


def test_a_path_that_is_not_there_is_no_proof(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    from chatport.cli import app

    assert app.run(["prove", str(tmp_path / "nowhere")]) == 2
    assert "there is no such file or folder" in capsys.readouterr().err


def test_what_could_not_be_read_is_not_proven(
    command: Command,
    root: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    from chatport.port import planner as engine

    unread = (Problem("old.py", "line 1: this is Python 2"),)
    made = replace(plan_of(root, {"app.py": AFTER}), errors=unread)
    monkeypatch.setattr(engine, "plan", lambda paths, **_: made)
    assert command(".") == 2
    out, err = capsys.readouterr()
    assert "same       main.py" in out
    assert "chatport: error: old.py: line 1: this is Python 2\n" in err


def test_a_driver_is_written_once(command: Command, root: Path) -> None:
    assert command("--init") == 0
    compile((root / "chatport_driver.py").read_text(), "driver", "exec")
    assert command("--init") == 2


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--driver", "none.py"), "none.py: there is no such file; --init writes one"),
        (
            ("--driver", "app.py", "--", "python"),
            "--driver and a command after -- exclude one another",
        ),
        (("--seconds", "0"), "argument --seconds: '0' is no number above 0"),
        (("--new-python", "/no/python"), "/no/python does not start"),
    ],
)
def test_what_cannot_be_run_is_said(
    command: Command,
    capsys: pytest.CaptureFixture[str],
    words: tuple[str, ...],
    message: str,
) -> None:
    assert command(*words) == 2
    assert message in capsys.readouterr().err
