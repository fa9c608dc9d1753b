"""The closed vocabulary: every code a finding can carry, with what it means and what to do.

`message` is one sentence about the kind of use; a finding adds what about its place. The pages
under ``docs/codes/`` and ``chatport explain`` show these tables and the examples beside them, which
are TOML files of the same names.
"""

from __future__ import annotations

from functools import cache

from chatport.port.codes.answers import ANSWERS
from chatport.port.codes.calls import CALLS
from chatport.port.codes.code import Code, Example
from chatport.port.codes.programs import PROGRAMS

__all__ = ["CODES", "Code", "Example", "examples"]

CODES: dict[str, Code] = {code.name: code for code in (*PROGRAMS, *CALLS, *ANSWERS)}
"""Every code by name."""


@cache
def examples() -> dict[str, Example]:
    """The examples by code. A code that has none needs none: its message names the place."""
    import tomllib
    from importlib.resources import files

    return {
        name: Example(**fields)
        for file in files(__name__).iterdir()
        if file.name.endswith(".toml")
        for name, fields in tomllib.loads(file.read_text(encoding="utf-8")).items()
    }
