"""The official SDK, in its own environment, talking to a server of ours."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

from chatport.port.prove.environments import ensure
from chatport.testing.openai_server import OpenAIServer

FOLDER = Path(__file__).parents[3] / ".envs"


def official(server: OpenAIServer, *tasks: tuple[str, Any]) -> list[Any]:
    """The results of the tasks, each a function of `peer.py` and its arguments."""
    python = ensure("openai", FOLDER).python
    done = subprocess.run(
        [str(python), "-I", str(Path(__file__).with_name("peer.py"))],
        input=json.dumps({"url": server.url, "tasks": tasks}),
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    assert done.returncode == 0, done.stderr
    results: list[Any] = json.loads(done.stdout)
    return results
