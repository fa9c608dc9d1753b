"""What it costs to have the providers at hand."""

from __future__ import annotations

import subprocess
import sys

import pytest

HEAVY = {"httpx2", "pyreqwest", "pydantic", "asyncio.base_events", "ssl", "jinja2", "stamina"}


def loaded(program: str) -> set[str]:
    run = subprocess.run(
        [sys.executable, "-c", f"{program}; import sys; print(*sys.modules)"],
        capture_output=True,
        text=True,
        check=True,
    )
    return set(run.stdout.split())


@pytest.mark.parametrize("name", ["openai", "gemini", "anthropic", "echo"])
def test_a_provider_is_imported_without_what_speaks_http(name: str) -> None:
    modules = loaded(f"from chatport.providers import {name}")
    assert f"chatport.providers.{name}" in modules
    assert modules.isdisjoint(HEAVY)


def test_an_echo_never_loads_what_speaks_http() -> None:
    program = (
        "import chatport; from chatport import Client, Request, user;"
        " Client(chatport.model('echo')).call(Request(user('hi')))"
    )
    assert loaded(program).isdisjoint(HEAVY)


def test_the_default_transport_does_without_the_fast_one() -> None:
    program = "import chatport; chatport.model('openai:m', key='k').close()"
    modules = loaded(program)
    assert "httpx2" in modules
    assert "pyreqwest" not in modules


def test_the_fast_transport_says_what_to_install() -> None:
    program = (
        "import sys; sys.modules['pyreqwest'] = None\n"
        "try:\n    from chatport.providers import PyreqwestTransport\n"
        "except ImportError as error:\n    print(error)\n"
    )
    run = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert "pip install 'chatport[fast]'" in run.stdout
