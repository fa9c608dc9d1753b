"""The command as a whole: its help, its faults, and what it does not import."""

from __future__ import annotations

import shlex
import subprocess
import sys
from importlib import import_module
from importlib.metadata import requires
from pathlib import Path

import pytest

from chatport import __version__
from chatport.cli import app, quick
from chatport.port.findings import Plan
from chatport.port.packs.load import bundled, names
from chatport.port.packs.tokens import tokens
from tests.cli.conftest import LEGACY, Command, Engine

HEAVY = {"rich", "msgspec", "pydantic", "jinja2", "httpx2", "tomllib", "ast", "dataclasses"}
COSTLY = HEAVY | {"argparse", "subprocess", "pathlib", "typing", "enum"}


@pytest.fixture
def clean(project: Path) -> Path:
    (project / "a.py").write_text("x = 1\n")
    return project


def imported(*words: str) -> tuple[int, set[str]]:
    done = subprocess.run(
        [sys.executable, "-X", "importtime", "-m", "chatport", *words],
        capture_output=True,
        text=True,
        check=False,
    )
    lines = (line for line in done.stderr.splitlines() if line.startswith("import time:"))
    return done.returncode, {line.rpartition("|")[2].strip() for line in lines}


def test_every_command_says_what_it_does(chatport: Command) -> None:
    text = chatport("--help")
    assert text.code == 0
    for name, (module, summary) in app.COMMANDS.items():
        assert name in text.out
        assert summary.split(",")[0] in " ".join(text.out.split())
        assert callable(import_module(module).configure)
        assert chatport(name, "--help").code == 0


@pytest.mark.parametrize("command", ["", *app.COMMANDS])
def test_help_fits_a_screen_and_shows_an_example(
    chatport: Command, command: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    lines = chatport(*command.split(), "--help").out.splitlines()
    assert len(lines) <= 23, "a terminal has 24 lines, and the last is for the prompt"
    assert max(map(len, lines)) <= 80
    (example,) = (line for line in lines if line.startswith("Example: "))
    assert example.startswith(f"Example: chatport {command}")


@pytest.mark.parametrize("command", app.COMMANDS)
def test_an_example_is_a_command_line(command: str) -> None:
    program, *words = shlex.split(import_module(app.COMMANDS[command][0]).EXAMPLE)
    words = words[: words.index(">")] if ">" in words else words
    assert program == "chatport"
    assert app.whole_parser().parse_args(words).command == command


@pytest.mark.parametrize("command", ["check", "fix"])
@pytest.mark.parametrize("paths", [[], ["."], ["a", "b c"]])
def test_a_line_of_paths_means_what_the_parser_makes_of_it(command: str, paths: list[str]) -> None:
    plain = quick.plain([command, *paths])
    assert plain is not None
    parsed = vars(app.whole_parser().parse_args([command, *paths]))
    assert {name: value for name, value in parsed.items() if value} == {
        name: value for name in parsed if (value := getattr(plain, name))
    }
    assert quick.plain([command, *paths, "--format=json"]) is None


def test_the_version_is_printed_cheaply() -> None:
    code, modules = imported("--version")
    assert code == 0
    assert "chatport.cli" in modules
    assert modules.isdisjoint(COSTLY | {"chatport.cli.app", "chatport.port"})


def test_the_version_is_the_packages(chatport: Command) -> None:
    assert chatport("--version").out == f"chatport {__version__}\n"


@pytest.mark.parametrize("command", ["check", "fix"])
def test_a_tree_without_legacy_code_needs_no_engine(clean: Path, command: str) -> None:
    code, modules = imported(command)
    assert code == 0
    assert "chatport.port.source.discover" in modules
    assert modules.isdisjoint(COSTLY | {"chatport.port.planner", "chatport.port.findings"})


def test_what_only_some_trees_need_is_not_imported_for_others(
    project: Path, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("PYTHONDONTWRITEBYTECODE", raising=False)
    monkeypatch.setenv("PYTHONPYCACHEPREFIX", str(tmp_path_factory.mktemp("bytecode")))
    (project / "app.py").write_text(LEGACY)
    imported("check")  # the pack is parsed once
    code, modules = imported("check")
    assert code == 1
    assert "chatport.port.rules.registry" in modules
    assert modules.isdisjoint({"rich", "packaging", "pydantic", "subprocess", "argparse"})
    assert modules.isdisjoint({"tomllib", "hashlib", "json", "difflib", "shutil"})
    assert modules.isdisjoint({"chatport.port.rules.manifests", "chatport.port.source.notebook"})


@pytest.mark.parametrize("command", ["check", "fix"])
def test_a_tree_without_legacy_code_is_said_to_be_done(
    chatport: Command, clean: Path, command: str
) -> None:
    result = chatport(command)
    assert result.code == 0
    assert result.out + result.err == "1 file read; none uses an SDK to be ported from.\n"


def test_a_manifest_alone_is_of_interest(chatport: Command, clean: Path, engine: Engine) -> None:
    calls = engine(Plan(clean))
    (clean / "requirements.txt").write_text("google-generativeai\n")
    assert chatport("check").code == 0
    assert len(calls) == 1


def test_the_tokens_are_those_of_the_packs() -> None:
    declared = {token for name in names() for token in bundled(name).match.tokens}
    assert tokens() == tuple(token.encode() for token in sorted(declared))
    assert any(token in LEGACY.encode() for token in tokens())


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ((), "usage: chatport [-h] [--version] COMMAND ..."),
        (("--versoin",), "there is no option --versoin; did you mean --version?"),
        (("chekc",), "there is no command 'chekc'; did you mean check?"),
        (("check", "--form", "json"), "there is no option --form; did you mean --format?"),
        (("check", "--format", "xml"), "--format: there is no 'xml'; there are console, json"),
        (("undo", "a", "b"), "there is no place for 'b'; see chatport undo --help"),
    ],
)
def test_a_command_line_with_a_mistake_is_explained(
    chatport: Command, words: tuple[str, ...], message: str
) -> None:
    result = chatport(*words)
    assert result.code == 2
    assert message in result.err


@pytest.mark.parametrize("command", app.PLANNING)
def test_a_command_without_its_extra_says_what_to_install(
    chatport: Command, project: Path, command: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    result = chatport(command, *(["a.txt"] if command == "fleet" else []))
    assert (result.code, result.out) == (2, "")
    assert result.err == (
        f"chatport: error: {command} needs packaging and rich: pip install '.[port]' in a clone"
        " (the client alone does without)\n"
    )
    assert (project / "a.py").read_text() == LEGACY


def test_the_extra_is_what_the_package_declares() -> None:
    declared = {
        requirement.split(";")[0].split(">=")[0]
        for requirement in requires("chatport") or ()
        if requirement.endswith("extra == 'port'")
    }
    assert declared == set(app.EXTRA)


def test_an_interrupt_ends_quietly(
    chatport: Command, clean: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupt(_: object) -> int:
        raise KeyboardInterrupt

    monkeypatch.setattr(quick, "answer", interrupt)
    result = chatport("check")
    assert (result.code, result.err) == (130, "chatport: interrupted\n")


def test_a_mistake_of_our_own_is_owned_up_to(
    chatport: Command, clean: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(quick, "answer", lambda _: 1 // 0)
    result = chatport("check")
    assert result.code == 2
    assert result.err.startswith("chatport: error: internal error: ZeroDivisionError: ")
    assert "Traceback" not in result.err


def test_a_reader_that_stops_reading_ends_quietly(clean: Path) -> None:
    command = [sys.executable, "-m", "chatport", "check"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None
        process.stdout.close()
        assert process.stderr is not None
        assert process.stderr.read() == b""
    assert process.returncode == 2


@pytest.mark.parametrize("words", [("check",), ("fix",), ("explain",), ("check", "--format=json")])
def test_output_that_cannot_be_written_is_named(project: Path, words: tuple[str, ...]) -> None:
    (project / "app.py").write_text(LEGACY)
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            [sys.executable, "-m", "chatport", *words],
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
        )
    assert done.returncode == 2
    assert "the output cannot be written (No space left on device)" in done.stderr
    assert "internal error" not in done.stderr


@pytest.mark.parametrize("closed", ["1>&-", "2>&-", "1>&- 2>&-", "0<&-"])
def test_a_stream_that_is_closed_is_done_without(project: Path, closed: str) -> None:
    (project / "app.py").write_text(LEGACY)
    command = f"{shlex.quote(sys.executable)} -m chatport check {closed}"
    done = subprocess.run(["sh", "-c", command], capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert "error" not in done.stderr


def test_an_interruption_that_python_wraps_is_one(
    chatport: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    def answer(_: object) -> None:
        raise RuntimeError("Error calling __set_name__") from KeyboardInterrupt()

    monkeypatch.setattr(quick, "answer", answer)
    result = chatport("check")
    assert (result.code, result.err) == (130, "chatport: interrupted\n")
