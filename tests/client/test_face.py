"""What is offered, and what it costs to have it."""

from __future__ import annotations

import importlib
import subprocess
import sys

import pytest

PACKAGES = [
    "chatport",
    "chatport.client",
    "chatport.tools",
    "chatport.testing",
    "chatport.providers",
]


@pytest.mark.parametrize("package", PACKAGES)
def test_every_name_offered_is_there(package: str) -> None:
    module = importlib.import_module(package)
    for name in module.__all__:
        assert getattr(module, name) is not None
        assert name in dir(module)
    with pytest.raises(AttributeError, match="no_such_name"):
        _ = module.no_such_name


@pytest.mark.parametrize(
    "name", ["Client", "AsyncClient", "StreamClient", "SingleBatchTools", "tool"]
)
def test_a_client_loads_nothing_heavy(name: str) -> None:
    program = (
        f"import sys; from chatport import {name};"
        "heavy = {'pydantic', 'jinja2', 'httpx2', 'asyncio.base_events', 'stamina', 'rich',"
        " 'opentelemetry', 'jsonschema_rs', 'docstring_parser', 'chatport.port'};"
        "sys.exit(str(heavy & set(sys.modules)) if heavy & set(sys.modules) else 0)"
    )
    run = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=False
    )
    assert run.stderr == ""
