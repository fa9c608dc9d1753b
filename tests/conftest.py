"""How properties are tried: the same examples every time, and no clock.

`CHATPORT_FUZZ=N` tries N examples of each, other ones every time; `make fuzz` says so.
"""

from __future__ import annotations

import os

from hypothesis import HealthCheck, settings

settings.register_profile(
    "quick",
    derandomize=True,
    deadline=None,
    database=None,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.register_profile(
    "long",
    settings.get_profile("quick"),
    derandomize=False,
    max_examples=int(os.environ.get("CHATPORT_FUZZ", "100")),
)
settings.load_profile("long" if "CHATPORT_FUZZ" in os.environ else "quick")
