"""What it costs to have the providers at hand."""

from __future__ import annotations

import subprocess
import sys

import pytest

HEAVY = {
    *("httpx2", "httptools", "http.client", "ssl", "asyncio.base_events"),
    *("pydantic", "jinja2", "stamina"),
}


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


def test_a_synchronous_model_needs_no_event_loop_to_speak_http() -> None:
    program = "import chatport; chatport.model('openai:m', key='k').close()"
    modules = loaded(program)
    assert "httptools" in modules
    assert modules.isdisjoint({"httpx2", "asyncio.base_events"})
