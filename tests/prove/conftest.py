"""The proofs run programs: they need the environments."""

from __future__ import annotations

import textwrap
from collections.abc import Callable
from pathlib import Path

import pytest

from chatport.port.prove.running import Limits, Program, Run, Worker
from tests.prove.workers import worker

__all__ = ["worker"]

Workers = Callable[[str], Worker]


@pytest.fixture
def run(worker: Workers, tmp_path: Path) -> Callable[..., Run]:
    """Run the source of a script on google-genai 3."""

    def run_source(
        source: str, *, on: str = "genai3", seconds: float = 20.0, **options: object
    ) -> Run:
        (tmp_path / "app.py").write_text(textwrap.dedent(source))
        limits = Limits(seconds, output_bytes=100_000)
        script = options.pop("script", ())
        program = Program(tmp_path, path="app.py", traced=("app.py",), **options)  # type: ignore[arg-type]
        return worker(on).run(program, script, limits)  # type: ignore[arg-type]

    return run_source
