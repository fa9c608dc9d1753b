"""What every table of a pack is."""

from __future__ import annotations

import msgspec


class Struct(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A closed table of a pack."""
