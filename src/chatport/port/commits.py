"""A written plan as git commits: one for each unit of files that are ported together.

No hook, filter or signing program that the repository configures is run: nobody vouches for it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath

from chatport.port.codes import CODES
from chatport.port.findings import FilePlan, Plan, Status
from chatport.port.packs.load import bundled
from chatport.port.source import git

_SETTINGS = [("commit.gpgSign", "false"), ("gc.auto", "0"), ("maintenance.auto", "false")]
_WIDTH = 72


class CommitError(Exception):
    """The files are written and not all of them committed; the message says which and why."""


@dataclass(frozen=True, slots=True)
class Commit:
    """One commit: its message, and the files of it."""

    message: str
    paths: tuple[str, ...]


def commits(plan: Plan) -> tuple[Commit, ...]:
    """The commits of a plan: its units by path, then the requirements.

    With one unit only the requirements belong to it.
    """
    code = [file for file in plan.files if file.after is not None]
    manifests = [file for file in plan.manifests if file.after is not None]
    units: dict[str, list[FilePlan]] = {}
    for file in code:
        units.setdefault(file.unit or file.path, []).append(file)
    parts = list(units.values())
    if len(parts) == 1:
        parts[0] += manifests
    elif manifests:
        parts.append(manifests)
    return tuple(Commit(_message(plan, part), tuple(file.path for file in part)) for part in parts)


def commit(plan: Plan) -> int:
    """Commit what was written of a plan; returns the number of commits. Raises `CommitError`."""
    root = str(plan.root)
    settings = [*_SETTINGS, *git.without_filters(root)]
    made = commits(plan)
    for number, one in enumerate(made):
        words = ("commit", "--quiet", "--no-verify", "--message", one.message, "--", *one.paths)
        code, _, errors = git.ask(root, *words, settings=settings)
        if code:
            reason = " ".join(errors.split()) or f"git ended with {code}"
            raise CommitError(
                f"all files are written, and {number} of {len(made)} commits made: {reason}; "
                "commit the rest by hand"
            )
    return len(made)


def _message(plan: Plan, files: Sequence[FilePlan]) -> str:
    packs = [bundled(name) for name in plan.packs]
    moves = " and ".join(
        f"{pack.source.distribution} to {pack.target.distribution}" for pack in packs
    )
    old = " and ".join(pack.source.distribution for pack in packs)
    subject = f"{_subject(files)} from {moves}"
    if len(subject) > _WIDTH:
        subject = f"Port {_count(files)} from {moves}"
    blocks = [subject, f"{old} is not maintained any more."]
    blocks += ["\n".join(_changes(files)), *_minded(files)]
    return "\n\n".join(blocks) + "\n"


def _subject(files: Sequence[FilePlan]) -> str:
    if len(files) == 1:
        return f"Port {files[0].path}"
    folders = {PurePosixPath(file.path).parent for file in files}
    (folder, *others) = folders
    where = f" of {folder}" if not others and str(folder) != "." else ""
    return f"Port {_count(files)}{where}"


def _count(files: Sequence[FilePlan]) -> str:
    return "1 file" if len(files) == 1 else f"{len(files)} files"


def _changes(files: Iterable[FilePlan]) -> Iterator[str]:
    for file in files:
        uses = len(file.findings)
        if file.status is Status.PARTLY:
            ported = sum(one.code is None for one in file.findings)
            yield f"- {file.path}: {ported} of {uses} uses; the others stay on the old SDK"
        elif file.status is Status.PORTED:
            yield f"- {file.path}: {uses} {'use' if uses == 1 else 'uses'}"
        else:
            yield f"- {file.path}: marked where a person must look"


def _minded(files: Iterable[FilePlan]) -> Iterator[str]:
    places: dict[str, list[str]] = {}
    for file in files:
        for finding in file.findings:
            for code in finding.warnings:
                places.setdefault(code, []).append(f"{file.path}:{finding.place.line}")
    for code, found in sorted(places.items()):
        said = CODES[code].message if code in CODES else code
        more = f" and {len(found) - 3} more" if len(found) > 3 else ""
        yield f"Mind: {said}\n({', '.join(found[:3])}{more}, as numbered before)"
