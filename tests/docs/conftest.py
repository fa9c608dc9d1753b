"""The examples of the codes are run: they need the environments."""

from __future__ import annotations

from tests.prove.workers import worker

__all__ = ["worker"]
