"""Version specifiers: Python's own grammar and Poetry's, and which versions they admit."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from packaging.specifiers import SpecifierSet

INTERPRETERS = tuple(f"3.{minor}{patch}" for minor in range(6, 25) for patch in ("", ".99"))
"""Versions of Python to try a specifier on: the first and a late patch of every minor one."""


def specifier_set(text: str) -> SpecifierSet | None:
    """A version specifier, also in the grammar of Poetry; None when it says nothing."""
    from packaging.specifiers import InvalidSpecifier, SpecifierSet

    try:
        return SpecifierSet(_plain(text)) if text and "|" not in text else None
    except (InvalidSpecifier, ValueError):
        return None


def _plain(text: str) -> str:
    """Carets, tildes, stars and bare versions as PEP 440 writes them."""
    return ",".join(filter(None, map(_plain_clause, text.replace(" ", "").split(","))))


def _plain_clause(clause: str) -> str:
    match = re.fullmatch(r"(\^|~|=|)(\d+(?:\.\d+)*)(\.\*)?", clause)
    if clause in {"", "*"} or match is None:
        return clause.replace("*", "") if clause == "*" else clause
    sign, version, star = match.groups()
    parts = version.split(".")
    if star:
        return f"=={version}.*"
    if sign == "^":  # up to the next of the first number that is not zero
        first = next((i for i, part in enumerate(parts) if int(part)), len(parts) - 1)
        return f">={version},<{'.'.join([*parts[:first], str(int(parts[first]) + 1)])}"
    if sign == "~":
        bumped = [parts[0], str(int(parts[1]) + 1)] if len(parts) > 1 else [str(int(parts[0]) + 1)]
        return f">={version},<{'.'.join(bumped)}"
    return f"=={version}.*" if len(parts) < 3 else f"=={version}"


def python_of(*specifiers: object) -> SpecifierSet | None:
    """The first of the given texts that says which interpreters are meant."""
    for text in specifiers:
        found = specifier_set(text) if isinstance(text, str) else None
        if found is not None:
            return found
    return None


def specifiers(text: str) -> SpecifierSet:
    found = specifier_set(text)
    assert found is not None
    return found


def versions(python: SpecifierSet) -> Iterable[str]:
    """Interpreters to try: every minor version, and those the specifiers name."""
    return (*INTERPRETERS, *(s.version for s in python if not s.version.endswith("*")))


def allows_from(allowed: SpecifierSet, floor: str) -> bool:
    """Whether a specifier admits any version at or above the floor."""
    major, minor = (int(part) for part in floor.split(".")[:2])
    candidates = [f"{major}.{n}.{patch}" for n in range(minor, 200) for patch in (0, 999)]
    candidates += [f"{n}.0.0" for n in range(major + 1, major + 6)]
    candidates += [s.version for s in allowed if not s.version.endswith("*")]
    at_least = specifiers(f">={floor}")
    return any(version in allowed and version in at_least for version in candidates)
