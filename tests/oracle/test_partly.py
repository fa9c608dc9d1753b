"""Programs that are ported in part: as found on the legacy SDK, as written on both at once."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from functools import cache
from pathlib import Path

import pytest

from chatport.port.config import Config
from chatport.port.findings import Status
from chatport.port.planner import plan
from chatport.port.prove.environments import Side, given, packages_of
from chatport.port.prove.pair import prove_pair
from chatport.port.prove.running import Worker

HEAD = """\
import os

import google.generativeai as genai

genai.configure(api_key=os.environ["GOOGLE_API_KEY"])
"""
TALK = """\


def talk(question):
    chat = genai.GenerativeModel("gemini-2.0-flash", system_instruction="Be kind.").start_chat()
    chat.send_message("First: " + question)
    turns = chat.history
    turns.reverse()
    turns.sort(key=lambda turn: turn.role, reverse=True)
    return chat.send_message("Again: " + question).text
"""
ASK = """\


def ask(question):
    model = genai.GenerativeModel("gemini-2.0-flash", generation_config={"temperature": 0})
    return model.generate_content(question, safety_settings={"HARASSMENT": "BLOCK_NONE"}).text
"""
STREAM = """\


def stream(question):
    chat = genai.GenerativeModel("gemini-2.0-flash").start_chat(
        history=[{"role": "user", "parts": ["I am Ada."]}, {"role": "model", "parts": ["Hello!"]}]
    )
    for chunk in chat.send_message(question, stream=True):
        print(chunk.text, end="")
    print()
"""
ASKS = "\n\nprint(ask('one'), talk('two'), sep='\\n')\nprint(ask('three'))\n"

PROGRAMS = {
    "a call and a chat": {"app.py": HEAD + ASK + TALK + ASKS},
    "two chats": {"app.py": HEAD + STREAM + TALK + "\n\nstream('one')\nprint(talk('two'))\n"},
    "a name that is taken": {
        "app.py": HEAD + "\nclient = 'client'\n" + ASK + TALK + ASKS + "print(client)\n"
    },
    "a configuration for two modules": {
        "settings.py": HEAD,
        "asks.py": "import google.generativeai as genai\n\nimport settings\n" + ASK,
        "talks.py": "import google.generativeai as genai\n\nimport settings\n" + TALK,
        "app.py": "from asks import ask\nfrom talks import talk\n" + ASKS,
    },
}


@pytest.fixture(scope="module")
def both(
    worker: Callable[[str], Worker], tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Callable[[str], Worker]]:
    """A worker that has the legacy SDK beside the new one of an environment."""
    with ExitStack() as stack:

        @cache
        def by_name(name: str) -> Worker:
            own = tmp_path_factory.mktemp(name) / "both"
            subprocess.run([sys.executable, "-m", "venv", "--without-pip", own], check=True)
            python = own / "bin" / "python"
            folders = [packages_of(worker(one).environment.python)[0] for one in (name, "legacy")]
            Path(packages_of(python)[0], "both.pth").write_text("\n".join(folders))
            return stack.enter_context(Worker(given(Side.NEW, python)))

        yield by_name


@pytest.mark.parametrize("environment", ["genai1", "genai2", "genai3"])
@pytest.mark.parametrize("name", PROGRAMS)
def test_a_program_on_both_sdks_sends_what_it_sent(
    worker: Callable[[str], Worker],
    both: Callable[[str], Worker],
    tmp_path: Path,
    name: str,
    environment: str,
) -> None:
    before, after = tmp_path / "before", tmp_path / "after"
    for folder in (before, after):
        folder.mkdir()
        for path, text in PROGRAMS[name].items():
            (folder / path).write_text(text)
    made = plan([after], root=after, config=Config(atomic="site"))
    assert Status.PARTLY in {file.status for file in made.files}
    for file in made.changes():
        assert file.after is not None
        (after / file.path).write_bytes(file.after)
    result = prove_pair(before, after, (worker("legacy"), both(environment)))
    assert result.same, result.explain()
