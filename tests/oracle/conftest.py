"""The proofs run programs: they need the environments."""

from __future__ import annotations

from tests.prove.workers import worker

__all__ = ["worker"]
