"""Planning for an editor: the text as it stands there, among the files of its project on disk."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from chatport.port.baseline import Entry
from chatport.port.config import Config
from chatport.port.findings import Note, Plan, Problem
from chatport.port.planner import plan
from chatport.port.source.discover import discover


class OutsideError(ValueError):
    """A file that is not under the root of the project; the message says so."""


def plan_text(
    path: str | os.PathLike[str],
    text: bytes,
    *,
    config: Config | None = None,
    folder: Path | None = None,
    baseline: Counter[Entry] | None = None,
) -> Plan:
    """The plan of the project that `path` is in, with only what is about that file.

    The file need not exist, and where it leads when it is a link is not looked at.
    """
    folder_name, name = os.path.split(Path.cwd() / path)
    real = Path(os.path.realpath(folder_name)) / name
    start = next(above for above in real.parents if above.is_dir())
    made = plan_texts(start, {real: text}, config=config, folder=folder, baseline=baseline)
    return about(made, inside(made.root, real))


def plan_texts(
    start: Path,
    texts: Mapping[Path, bytes],
    *,
    config: Config | None = None,
    folder: Path | None = None,
    baseline: Counter[Entry] | None = None,
) -> Plan:
    """The plan of the whole project around `start`, with texts in place of files on the disk."""
    root = Path(discover([str(start)]).root)
    unsaved = {inside(root, path): text for path, text in texts.items()}
    return plan([root], root=root, config=config, folder=folder, baseline=baseline, unsaved=unsaved)


def inside(root: Path, path: Path) -> str:
    """A path relative to the root, with slashes; raises `OutsideError`."""
    try:
        return path.relative_to(root).as_posix()
    except ValueError as error:
        raise OutsideError(f"{path}: is not under {root}") from error


def about(made: Plan, path: str) -> Plan:
    """The plan with only what concerns one file."""

    def mine(one: Problem | Note) -> bool:
        return one.path == path

    return replace(
        made,
        files=tuple(file for file in made.files if file.path == path),
        manifests=tuple(file for file in made.manifests if file.path == path),
        errors=tuple(filter(mine, made.errors)),
        accepted=tuple(one for one in made.accepted if one.finding.path == path),
        notes=tuple(filter(mine, made.notes)),
        scanned=1,
    )
