"""The environments of the repository's own proofs, made on first use and shared by all workers."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from functools import cache
from pathlib import Path

import pytest

from chatport.port.prove.environments import ensure
from chatport.port.prove.running import Worker

FOLDER = Path(__file__).parents[2] / ".envs"


@pytest.fixture(scope="session")
def worker() -> Iterator[Callable[[str], Worker]]:
    """A worker by the name of its environment: `legacy`, `genai1`, `genai2`, `genai3`."""
    with ExitStack() as stack:

        @cache
        def by_name(name: str) -> Worker:
            return stack.enter_context(Worker(ensure(name, FOLDER)))

        yield by_name
