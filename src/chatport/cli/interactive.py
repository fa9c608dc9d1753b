"""`fix --interactive`: each file is shown, and written only when it is accepted.

A file is ported whole or not at all, so that is what is asked about. What is not accepted is left
out of the plan by the same rules as everything else: files that are only ported together with it
stay too.
"""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path

from chatport.cli.exits import UsageError
from chatport.port.findings import FilePlan, Plan
from chatport.port.gates import check_edited
from chatport.port.report import console
from chatport.port.report.escape import on_one_line

KEYS = {
    "y": "write this file",
    "n": "leave this file as it is, and what is only ported with it",
    "e": "edit the new text first",
    "a": "write this file and all that follow",
    "s": "skip this file and all that follow; write what was accepted",
    "q": "quit; write nothing",
    "?": "these keys",
}


@dataclass(slots=True)
class Choice:
    """What was answered: files to leave, and new texts that were edited."""

    rejected: list[str] = field(default_factory=list)
    edited: dict[str, bytes] = field(default_factory=dict)


def reviewed(plan: Plan, again: Callable[[tuple[str, ...]], Plan]) -> Plan:
    """The plan with only what was accepted; `again` plans anew without some files.

    Raises `UsageError` when the answer is to quit, or when there is nobody to answer.
    """
    choice = _ask(list(plan.changes()))
    accepted = [file.path for file in plan.changes() if file.path not in choice.rejected]
    if choice.rejected:
        plan = again(tuple(choice.rejected))
    left = {file.path for file in plan.changes()}
    for path in accepted:
        if path not in left:
            print(
                f"{on_one_line(path)} stays too: it is only ported together with a file you left."
            )

    def edited(files: tuple[FilePlan, ...]) -> tuple[FilePlan, ...]:
        return tuple(
            replace(file, after=choice.edited[file.path])
            if file.path in choice.edited and file.after is not None
            else file
            for file in files
        )

    notes = plan.notes
    if choice.rejected:
        # They are left out of the plan, so without this its numbers would say they hold nothing.
        names = ", ".join(map(on_one_line, choice.rejected))
        notes += (f"Left as you said, and not counted: {names}.",)
    return replace(plan, files=edited(plan.files), manifests=edited(plan.manifests), notes=notes)


def _ask(files: list[FilePlan]) -> Choice:
    choice = Choice()
    everything = nothing = False
    for number, file in enumerate(files, 1):
        if not everything and not nothing:
            key = _answer(file, f"[{number}/{len(files)}]", choice)
            everything, nothing = key == "a", key == "s"
            if key == "n":
                choice.rejected.append(file.path)
        if nothing:
            choice.rejected.append(file.path)
    return choice


def _answer(file: FilePlan, place: str, choice: Choice) -> str:
    """Ask about one file until the answer is one."""
    alone = Plan(Path(), (file,))
    console.diff(alone, sys.stdout)
    console.findings(alone, sys.stdout, lambda one: bool(one.warnings))
    draft = file.after
    while True:
        name = on_one_line(file.path)
        print(f"{place} Write {name}? [{','.join(KEYS)}] ", end="", flush=True)
        line = sys.stdin.readline()
        if not line:
            raise UsageError("there is nobody to answer; nothing is written")
        key = line.strip().lower()[:1]
        if key == "q":
            raise UsageError("you quit; nothing is written")
        if key == "e":
            assert draft is not None
            draft = _edited(file, draft)
            wrong = check_edited(file, draft)
            if draft != file.after and wrong is None:
                choice.edited[file.path] = draft
                return "y"
            if wrong is not None:
                print(f"This cannot be written: {wrong}. Edit it again, or leave the file.")
        elif key in KEYS and key != "?":
            return key
        else:
            print("\n".join(_help()))


def _help() -> Iterator[str]:
    return (f"{key}: {what}" for key, what in KEYS.items())


def _edited(file: FilePlan, data: bytes) -> bytes:
    """The text as the user's editor leaves it."""
    editor = os.environ.get("VISUAL") or os.environ.get("EDITOR") or "vi"
    with tempfile.TemporaryDirectory(prefix="chatport-") as folder:
        path = Path(folder) / Path(file.path).name
        path.write_bytes(data)
        try:
            code = subprocess.run([*shlex.split(editor), str(path)], check=False).returncode
        except (OSError, ValueError) as error:
            print(f"The editor {editor} cannot be started ({error}); set EDITOR.")
            return data
        if code:
            print(f"The editor ended with {code}; nothing is changed.")
            return data
        return path.read_bytes()
