"""The report for machines: JSON, version 1, the same bytes for the same plan."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import Any

from msgspec import structs

from chatport.port.findings import Cause, FilePlan, Finding, Place, Plan
from chatport.port.report.summary import Summary

VERSION = 1
"""Raised when a field changes its meaning or goes; new fields may come without."""


def render(plan: Plan) -> str:
    """Every finding of a plan, refused ones with their code, as one JSON document."""
    document = {
        "version": VERSION,
        "summary": structs.asdict(Summary.of(plan)),
        "files": _files(plan.files),
        "manifests": _files(plan.manifests),
        "errors": [
            {"path": problem.path, "message": problem.message}
            for problem in sorted(plan.errors, key=lambda problem: (problem.path, problem.message))
        ],
    }
    # ASCII only: a file name may hold bytes that are no text, which UTF-8 could not carry.
    return json.dumps(document, indent=2) + "\n"


def _files(files: tuple[FilePlan, ...]) -> list[dict[str, Any]]:
    return [
        {
            "path": file.path,
            "status": file.status.value,
            "findings": [_finding(finding) for finding in sorted(file.findings, key=_order)],
        }
        for file in sorted(files, key=lambda file: file.path)
    ]


def _finding(finding: Finding) -> dict[str, Any]:
    return {
        **_place(finding.place),
        "symbol": finding.symbol,
        "kind": finding.kind.value,
        "verdict": finding.verdict.value,
        "code": finding.code,
        "message": finding.message,
        "suggestion": finding.suggestion.diff() if finding.suggestion else None,
        "check": finding.suggestion.check if finding.suggestion else None,
        "warnings": list(finding.warnings),
        "cause": _cause(finding.cause),
    }


def _cause(cause: Cause | None) -> dict[str, Any] | None:
    return None if cause is None else {"path": cause.path, **_place(cause.place)}


def _place(place: Place) -> dict[str, int]:
    """Where something is; a cell is only named where there are cells."""
    return {name: value for name, value in asdict(place).items() if value is not None}


def _order(finding: Finding) -> tuple[Any, ...]:
    return finding.place, finding.kind, finding.symbol, finding.code or ""
