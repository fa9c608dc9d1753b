"""``from chatport import …``: every name is there, and nothing heavy comes along."""

from __future__ import annotations

import subprocess
import sys

import pytest

import chatport
import chatport.chat

HEAVY = (
    "pydantic",
    "pydantic_core",
    "jinja2",
    "httpx",
    "httpx2",
    "jsonschema_rs",
    "asyncio",
    "ssl",
)
MOST_MODULES = 80


def modules_after(program: str) -> list[str]:
    """The modules a fresh interpreter loads for a program, beyond those it starts with."""
    code = (
        "import sys; before = set(sys.modules)\n"
        f"{program}\n"
        "after = set(sys.modules)\n"
        "print(*sorted(after - before))"
    )
    done = subprocess.run(
        [sys.executable, "-I", "-c", code], capture_output=True, text=True, check=True
    )
    return done.stdout.split()


VALUES = """
from chatport import Message, Request, Response, ResponseDelta, Options, Media, Usage
from chatport import assistant, system, tool_results, user
Request(system("a"), user("b"), options=Options(temperature=1.0))
"""


def test_importing_the_package_loads_next_to_nothing() -> None:
    assert not [name for name in modules_after("import chatport") if name.startswith("chatport.")]


def test_the_values_load_few_modules_and_none_that_is_heavy() -> None:
    loaded = modules_after(VALUES)
    assert "chatport.chat.request" in loaded
    assert not [name for name in loaded if name.split(".")[0] in HEAVY]
    assert len(loaded) <= MOST_MODULES


@pytest.mark.parametrize("package", [chatport, chatport.chat])
def test_every_name_of_the_face_is_there(package: object) -> None:
    for name in package.__all__:  # type: ignore[attr-defined]
        assert getattr(package, name) is not None
        assert name in dir(package)


@pytest.mark.parametrize("package", [chatport, chatport.chat])
def test_a_name_that_is_not_there_is_missed_as_usual(package: object) -> None:
    with pytest.raises(AttributeError, match="has no attribute 'Nothing'"):
        package.Nothing  # type: ignore[attr-defined]  # noqa: B018


def test_the_package_passes_the_protocol_on_unchanged() -> None:
    shared = set(chatport.__all__) & set(chatport.chat.__all__)
    assert {"Request", "user", "Response", "collect"} <= shared
    for name in shared:
        assert getattr(chatport, name) is getattr(chatport.chat, name)
