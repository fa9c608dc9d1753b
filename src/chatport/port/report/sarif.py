"""The report as SARIF 2.1.0, the format of code scanning services and of many editors.

https://docs.oasis-open.org/sarif/sarif/v2.1.0/sarif-v2.1.0.html

A file is ported whole, so its change is one fix, which rides on its first finding.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from hashlib import sha256
from typing import Any
from urllib.parse import quote

from chatport.port.baseline import entry
from chatport.port.codes import CODES, Code
from chatport.port.findings import Accepted, FilePlan, Finding, Place, Plan, Verdict
from chatport.port.matching import changes
from chatport.port.report.escape import on_one_line
from chatport.port.report.lines import sides

SCHEMA = (
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
)
PORTABLE = "portable_use"
"""The rule of the findings that are ported: they have no code."""

_LEVELS = {Verdict.AUTO: "note", Verdict.REVIEW: "warning", Verdict.UNSUPPORTED: "error"}
_PORTABLE = Code(
    PORTABLE,
    "This use of a legacy SDK can be ported.",
    "The SDK is not maintained any more.",
    "chatport fix --write ports it.",
    warning=True,
)


def render(plan: Plan) -> str:
    """Every finding of a plan, and what the project has accepted, as one SARIF log."""
    from importlib.metadata import version

    results = [*_results(plan), *map(_accepted, plan.accepted)]
    codes = sorted({result["ruleId"] for result in results})
    for result in results:
        result["ruleIndex"] = codes.index(result["ruleId"])
    driver = {
        "name": "chatport",
        "semanticVersion": version("chatport"),
        "rules": [_rule(code, plan.page_of(code)) for code in codes],
    }
    invocation = {
        "executionSuccessful": not plan.errors,
        "toolExecutionNotifications": list(_notifications(plan)),
    }
    run = {
        "tool": {"driver": driver},
        "columnKind": "unicodeCodePoints",
        "invocations": [invocation],
        "results": results,
    }
    return json.dumps({"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}, indent=2) + "\n"


def _results(plan: Plan) -> Iterator[dict[str, Any]]:
    for file in (*plan.files, *plan.manifests):
        for number, finding in enumerate(file.findings):
            result = _result(finding)
            result["partialFingerprints"] = {"chatportUse/v1": _fingerprint(file, finding)}
            if number == 0 and file.after is not None:
                result["fixes"] = [_fix(file)]
            yield result


def _rule(name: str, page: str | None) -> dict[str, Any]:
    code = _PORTABLE if name == PORTABLE else CODES.get(name, Code(name, name, "", ""))
    rule = {
        "id": name,
        "shortDescription": {"text": code.message},
        "fullDescription": {"text": f"{code.message} {code.why}"},
        "help": {
            "text": f"{code.why}\n\n{code.remedy}",
            "markdown": f"**Why.** {code.why}\n\n**What to do.** {code.remedy}",
        },
        "defaultConfiguration": {"level": "note" if code.warning else "warning"},
    }
    return rule | {"helpUri": page} if page and name in CODES else rule


def _result(finding: Finding) -> dict[str, Any]:
    properties: dict[str, Any] = {"symbol": finding.symbol, "verdict": finding.verdict.value}
    if finding.warnings:
        properties["warnings"] = list(finding.warnings)
    if finding.suggestion is not None:
        properties["suggestion"] = finding.suggestion.diff()
        properties["check"] = finding.suggestion.check
    result: dict[str, Any] = {
        "ruleId": finding.code or PORTABLE,
        "level": _LEVELS[finding.verdict],
        "message": {"text": _message(finding)},
        "locations": [_location(finding.path, finding.place)],
        "properties": properties,
    }
    if finding.cause is not None:
        related = _location(finding.cause.path, finding.cause.place)
        related["message"] = {"text": "This is what holds it back."}
        result["relatedLocations"] = [related]
    return result


def _accepted(one: Accepted) -> dict[str, Any]:
    suppression = {"kind": "inSource" if one.by == "comment" else "external"}
    if one.reason:
        suppression["justification"] = one.reason
    return {**_result(one.finding), "suppressions": [suppression]}


def _message(finding: Finding) -> str:
    where = "" if finding.place.cell is None else f"{finding.place.where}: "
    lines = [f"{where}{finding.symbol}: {finding.message or _PORTABLE.message}"]
    if finding.suggestion is not None:
        lines.append(f"Write instead:\n{finding.suggestion.diff()}\n{finding.suggestion.check}")
    lines += [f"Mind: {CODES[code].message}" for code in finding.warnings if code in CODES]
    return "\n".join(lines)


def _location(path: str, place: Place) -> dict[str, Any]:
    region = {
        "startLine": place.line,
        "startColumn": place.column,
        "endLine": place.end_line,
        "endColumn": place.end_column,
    }
    location: dict[str, Any] = {
        "physicalLocation": {"artifactLocation": _artifact(path), "region": region}
    }
    if place.cell is not None:  # the lines of the region are those of the file, which is JSON
        location["logicalLocations"] = [{"name": place.where, "kind": "member"}]
    return location


def _artifact(path: str) -> dict[str, str]:
    return {"uri": quote(os.fsencode(path)), "uriBaseId": "%SRCROOT%"}


def _fingerprint(file: FilePlan, finding: Finding) -> str:
    """The same wherever the line has moved to."""
    known = entry(file, finding)
    whole = "\0".join((known.path, known.symbol, known.line))
    return sha256(whole.encode("utf-8", "surrogatepass")).hexdigest()[:32]


def _fix(file: FilePlan) -> dict[str, Any]:
    change = {"artifactLocation": _artifact(file.path), "replacements": list(_replacements(file))}
    description = {"text": f"Port {on_one_line(file.path)} as a whole."}
    return {"description": description, "artifactChanges": [change]}


def _replacements(file: FilePlan) -> Iterator[dict[str, Any]]:
    """Whole lines that give way to others."""
    old, new = sides(file)
    for start, end, new_start, new_end in changes(old, new):
        yield {
            "deletedRegion": _region(old, start, end),
            "insertedContent": {"text": "".join(new[new_start:new_end])},
        }


def _region(lines: list[str], start: int, end: int) -> dict[str, int]:
    """From the beginning of one line to the beginning of another, or to the end of the file."""
    region = {"startLine": start + 1, "startColumn": 1, "endLine": end + 1, "endColumn": 1}
    if end == len(lines) > start and not lines[-1].endswith(("\n", "\r")):
        region |= {"endLine": end, "endColumn": len(lines[-1]) + 1}
    return region


def _notifications(plan: Plan) -> Iterator[dict[str, Any]]:
    for problem in plan.errors:
        location = {"physicalLocation": {"artifactLocation": _artifact(problem.path)}}
        message = {"text": problem.message}
        yield {"level": "error", "message": message, "locations": [location]}
    for note in plan.notes:
        yield {"level": "note", "message": {"text": str(note)}}
