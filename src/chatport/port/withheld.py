"""Files that could be ported and are not, because of another or because that was asked."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from dataclasses import replace

from chatport.port.codes import CODES
from chatport.port.findings import Cause, FilePlan, Problem, Status, Verdict


def all_or_none(
    files: Iterable[FilePlan],
    problems: Iterable[Problem],
    is_excluded: Callable[[str], bool],
) -> list[FilePlan]:
    """The files with none ported unless all of them are; those left out on purpose do not count."""
    files = list(files)
    refused = [one.path for one in files if one.status is Status.REFUSED]
    left = [path for path in (*refused, *(one.path for one in problems)) if not is_excluded(path)]
    if not left:
        return files
    causes = (
        Cause(path, one.place)
        for path in left
        for file in files
        if file.path == path
        for one in file.findings
        if one.code is not None and one.cause is None
    )
    cause = next(causes, None)
    return [withheld(file, "repository_withheld", f"`{left[0]}`", cause) for file in files]


def without_warnings(files: Iterable[FilePlan], names: Collection[str]) -> list[FilePlan]:
    """The files with those held back that carry one of these warnings."""
    unwanted = set(names)
    return [
        withheld(file, "left_out")
        if unwanted & {code for one in file.findings for code in one.warnings}
        else file
        for file in files
    ]


def withheld(file: FilePlan, name: str, detail: str = "", cause: Cause | None = None) -> FilePlan:
    """A file that is held back by a code; one that is not ported stays as it is."""
    if file.status is not Status.PORTED:
        return file
    message = CODES[name].message
    if detail:
        message = f"{message[:-1]}: {detail}."
    findings = (
        replace(one, verdict=Verdict.REVIEW, code=name, message=message, warnings=(), cause=cause)
        for one in file.findings
    )
    return replace(file, status=Status.REFUSED, findings=tuple(findings), after=None)
