"""The baseline: findings that a project has accepted for now, so that only new ones count.

A finding is known again by its file, its symbol and the text of its line, wherever the line has
moved. Of the text only a digest is kept: lines like these hold keys.
"""

from __future__ import annotations

from collections import Counter
from functools import lru_cache
from pathlib import Path

import msgspec

from chatport.port.findings import FilePlan, Finding, Plan
from chatport.port.source.small import read_small

VERSION = 1


class Entry(msgspec.Struct, frozen=True, order=True, forbid_unknown_fields=True):
    """One accepted finding; the same may be there several times."""

    path: str
    symbol: str
    line: str
    """The first 16 hexadecimal digits of the SHA-256 of the line without its indentation."""


class _Document(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    version: int
    findings: list[Entry]


class BaselineError(ValueError):
    """A baseline that cannot be used; the message names the file, what is wrong, what to do."""


def load(path: Path) -> Counter[Entry]:
    """The entries of a baseline file; raises `BaselineError`."""
    remedy = f"chatport check --baseline {path} --update-baseline writes it anew"
    try:
        document = msgspec.json.decode(read_small(path), type=_Document)
    except OSError as error:
        raise BaselineError(f"{path}: cannot be read ({error.strerror}); {remedy}") from error
    except (msgspec.MsgspecError, RecursionError) as error:
        raise BaselineError(f"{path}: this is no baseline: {error}; {remedy}") from error
    if document.version != VERSION:
        raise BaselineError(f"{path}: is of version {document.version}, not {VERSION}; {remedy}")
    return Counter(document.findings)


def render(plan: Plan) -> str:
    """The baseline that accepts everything a plan reports: sorted, one finding a line."""
    import json

    entries = sorted(
        entry(file, finding) for file in (*plan.files, *plan.manifests) for finding in file.findings
    )
    rows = ",\n    ".join(json.dumps(msgspec.to_builtins(one)) for one in entries)
    listed = f"[\n    {rows}\n  ]" if rows else "[]"
    return f'{{\n  "version": {VERSION},\n  "findings": {listed}\n}}\n'


@lru_cache(maxsize=1)
def _lines(data: bytes) -> list[bytes]:
    """The lines of a file, which are asked for finding after finding."""
    return data.splitlines()


def entry(file: FilePlan, finding: Finding) -> Entry:
    """What a finding is known again by."""
    import hashlib  # it loads OpenSSL; most projects have no baseline

    lines = _lines(file.before)
    number = finding.place.line - 1
    text = lines[number].strip() if number < len(lines) else b""
    return Entry(file.path, finding.symbol, hashlib.sha256(text).hexdigest()[:16])
