"""The report as workflow commands of GitHub Actions, which show as annotations at their lines.

https://docs.github.com/actions/reference/workflows-and-actions/workflow-commands

A step may show ten errors, ten warnings and ten notices: what holds a file back comes first, what
only follows from it is left out.
"""

from __future__ import annotations

from collections.abc import Iterator

from chatport.port.codes import CODES
from chatport.port.findings import Finding, Plan, Problem, Verdict
from chatport.port.report.escape import visible

_COMMANDS = {Verdict.UNSUPPORTED: "error", Verdict.REVIEW: "warning", Verdict.AUTO: "notice"}


def render(plan: Plan) -> str:
    """One command a line, refusals first."""
    findings = (finding for finding in plan.findings() if finding.cause is None)
    ranks = list(_COMMANDS)
    ordered = sorted(findings, key=lambda finding: ranks.index(finding.verdict))
    lines = [*map(_problem, plan.errors), *map(_finding, ordered)]
    return "".join(f"{line}\n" for line in lines)


def _problem(problem: Problem) -> str:
    file = _property(problem.path)
    return f"::error file={file},title=chatport%3A cannot read::{_data(problem.message)}"


def _finding(finding: Finding) -> str:
    place = finding.place
    where = {"file": finding.path, "line": place.line, "endLine": place.end_line}
    if place.line == place.end_line:  # columns count in one line only
        where |= {"col": place.column, "endColumn": place.end_column}
    where["title"] = f"chatport: {finding.code or 'can be ported'}"
    said = ",".join(f"{key}={_property(str(value))}" for key, value in where.items())
    message = _data("\n".join(_message(finding)))
    return f"::{_COMMANDS[finding.verdict]} {said}::{message}"


def _message(finding: Finding) -> Iterator[str]:
    where = "" if finding.place.cell is None else f"{finding.place.where}: "
    yield f"{where}{finding.symbol}: {finding.message or 'can be ported.'}"
    if finding.suggestion is not None:
        yield f"Write instead:\n{finding.suggestion.diff()}\n{finding.suggestion.check}"
    yield from (f"Mind: {CODES[code].message}" for code in finding.warnings if code in CODES)


def _data(text: str) -> str:
    """A message as the runner reads it."""
    escaped = visible(text).replace("%", "%25")
    return escaped.replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
