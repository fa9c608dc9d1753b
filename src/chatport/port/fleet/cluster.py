"""The executor of a Dask cluster, whose workers must have this very chatport."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import Executor
from contextlib import contextmanager
from importlib import metadata
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from distributed import Client

SECONDS = 10.0
"""How long to wait for the scheduler, and for a first worker."""


class ClusterError(Exception):
    """A cluster that cannot be used; the message says what to do."""


@contextmanager
def on_cluster(address: str) -> Iterator[tuple[Executor, int]]:
    """The executor of the cluster at the scheduler's address, and how many it plans at a time.

    Raises `ClusterError` when the cluster cannot be used.
    """
    from distributed import Client

    try:
        client = Client(address, timeout=SECONDS, set_as_default=False)
    except (OSError, ValueError) as error:
        raise ClusterError(f"no Dask scheduler answers at {address} ({error})") from error
    with client:
        workers = _workers(client, address)
        # Two runs may ask for the same repository, and each is to be answered anew.
        with client.get_executor(pure=False) as executor:
            yield executor, workers


def _workers(client: Client, address: str) -> int:
    """How many repositories the workers plan at a time, all of them with this version."""
    own = version()
    try:
        client.wait_for_workers(1, timeout=SECONDS)
    except TimeoutError as error:
        raise ClusterError(f"the Dask cluster at {address} has no workers; start one") from error
    try:
        versions = client.run(version)
    except Exception as error:  # whatever a worker raises that lacks it
        raise ClusterError(
            f"the workers of {address} cannot run chatport ({type(error).__name__}: {error}); "
            f"install chatport[port] {own} where they run"
        ) from error
    others = {worker: found for worker, found in versions.items() if found != own}
    if others:
        worker, found = next(iter(others.items()))
        raise ClusterError(
            f"the worker {worker} has chatport {found}, and this is {own}; "
            "they would not plan alike"
        )
    return sum(client.nthreads().values())


def version() -> str:
    """The version of chatport where this runs."""
    return metadata.version("chatport")
