"""`fix --interactive`: each change is shown, and written only when it is accepted.

A change is what goes together: the hunks of one binding group, over all the files it is in. What is
left is left out of the plan, which is made anew by the same rules as any other: the file then lives
on both SDKs, as with ``--atomic site``, or stays whole where that cannot be proven. A file that is
not written as it was shown is shown again.
"""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from pathlib import Path

from chatport.cli.exits import Quit, UsageError
from chatport.cli.parts import Part, parts
from chatport.port.findings import Cause, FilePlan, Finding, Plan
from chatport.port.gates import check_edited
from chatport.port.report import console
from chatport.port.report.escape import on_one_line

KEYS = {
    "y": "write this change",
    "n": "leave it, and what only goes with it",
    "e": "edit the new text of the file, and write it so",
    "a": "write this and all that follows in this file",
    "d": "leave this and all that follows in this file",
    "w": "write this and all that follows in all files",
    "s": "stop: leave this and all that follows; write what was accepted",
    "q": "quit; write nothing",
    "?": "these keys",
}
CONFIRMING = {
    "y": "write the file like this",
    "n": "leave the file as it is",
    "q": "quit; write nothing",
    "?": "these keys",
}


@dataclass(frozen=True, slots=True)
class Rejected:
    """What was left: single uses, whole manifests, and the files of which a part was accepted."""

    uses: frozenset[Cause]
    manifests: frozenset[str]
    split: frozenset[str]


def reviewed(plan: Plan, again: Callable[[Rejected], Plan]) -> tuple[Plan, bool]:
    """The plan with only what was accepted, and whether that is all of it; `again` plans anew.

    Raises `Quit` when that is the answer, and `UsageError` when there is nobody to answer.
    """
    review = _Review(plan)
    review.ask()
    if not review.left and not review.manifests:
        return _edited(plan, review.edited), True
    seen = {file.path: file.after for file in plan.changes()}
    manifests = {file.path for file in plan.manifests}
    while True:
        made = again(review.rejected())
        changed = [
            file
            for file in made.changes()
            if file.path not in manifests and seen.get(file.path) != file.after
        ]
        refused = [file for file in changed if not _confirmed(file)]
        seen |= {file.path: file.after for file in changed}
        if not refused:
            break
        for file in refused:
            review.leave_file(file.path)
    _tell_what_stays(made, review)
    return _edited(made, review.edited), False


def _confirmed(file: FilePlan) -> bool:
    """Whether a file is to be written otherwise than it was shown."""
    name = on_one_line(file.path)
    print(f"With what you left, {name} would be written like this:")
    console.excerpt(file.diff(), sys.stdout)
    return _key(f"Write {name} like this?", CONFIRMING) == "y"


def _tell_what_stays(made: Plan, review: _Review) -> None:
    written = {file.path for file in made.changes()}
    for path in review.accepted:
        if path not in written:
            print(f"{on_one_line(path)} stays too: it is only ported together with what you left.")


def _edited(plan: Plan, texts: dict[str, bytes]) -> Plan:
    """The plan with the texts that were edited, where the file is still written."""

    def edited(files: tuple[FilePlan, ...]) -> tuple[FilePlan, ...]:
        return tuple(
            replace(file, after=texts[file.path])
            if file.path in texts and file.after is not None
            else file
            for file in files
        )

    return replace(plan, files=edited(plan.files), manifests=edited(plan.manifests))


@dataclass(slots=True)
class _Review:
    """The questions about a plan, and their answers."""

    plan: Plan
    left: dict[str, str] = field(default_factory=dict)
    """Groups that were left, and files without any -> the file they were left in."""
    manifests: set[str] = field(default_factory=set)
    accepted: dict[str, set[str]] = field(default_factory=dict)
    """Files -> the groups of which a part is accepted there."""
    edited: dict[str, bytes] = field(default_factory=dict)
    _all: str = ""
    """The answer to all questions that follow, when it was given."""

    def ask(self) -> None:
        files = list(self.plan.changes())
        for number, file in enumerate(files, 1):
            self._ask_file(file, f"[{number}/{len(files)}]")

    def rejected(self) -> Rejected:
        uses = {
            Cause(one.path, one.place)
            for file in self.plan.files
            for one in file.findings
            if one.group in self.left or file.path in self.left
        }
        split = {path for path, groups in self.accepted.items() if groups - self.left.keys()}
        return Rejected(
            frozenset(uses), frozenset(self.manifests), frozenset(split - self.left.keys())
        )

    def leave_file(self, path: str) -> None:
        """Leave all of a file, and what only goes with it."""
        self.left[path] = path
        self.edited.pop(path, None)
        self.accepted.pop(path, None)

    def _ask_file(self, file: FilePlan, place: str) -> None:
        """Ask about each part of a file."""
        found = parts(file)
        name = on_one_line(file.path)
        rest = self._all
        for number, part in enumerate(found, 1):
            of = f"change {number} of {len(found)} in {name}" if len(found) > 1 else name
            known = next((self.left[one] for one in part.groups if one in self.left), None)
            if known is not None and rest != "y":
                print(f"{of} stays too: it goes with what you left in {on_one_line(known)}.")
                continue
            key = rest or self._answer(file, part, f"{place} Write {of}?")
            if key in "aw":
                rest = "y"
            elif key in "ds":
                rest = "n"
            if key in "ws":
                self._all = rest
            if key == "e":
                self.accepted[file.path] = {one for each in found for one in each.groups}
                return
            if (rest or key) == "y":
                self.accepted.setdefault(file.path, set()).update(part.groups)
            else:
                self._leave(file, part)

    def _leave(self, file: FilePlan, part: Part) -> None:
        if file in self.plan.manifests:
            self.manifests.add(file.path)
        elif not part.groups:
            self.leave_file(file.path)
        for path, groups in self.accepted.items():
            if path != file.path and groups & part.groups:
                print(f"What you accepted in {on_one_line(path)} goes with it, and stays too.")
        self.left |= dict.fromkeys(part.groups, file.path)

    def _answer(self, file: FilePlan, part: Part, question: str) -> str:
        """Ask about one part until the answer is one."""
        draft = file.after
        text = file.patch(only=part.changes).decode(file.encoding, "replace")
        console.excerpt(text, sys.stdout)
        minded = replace(file, findings=tuple(_of(file.findings, part)))
        shown = Plan(self.plan.root, (minded,))
        console.findings(shown, sys.stdout, lambda one: bool(one.warnings))
        while True:
            key = _key(question, KEYS)
            if key != "e":
                return key
            assert draft is not None
            draft = _in_editor(file, draft)
            wrong = check_edited(file, draft)
            if wrong is not None:
                print(f"This cannot be written: {wrong}. Edit it again, or leave the file.")
            elif draft != file.after:
                self.edited[file.path] = draft
                return key


def _of(findings: Iterable[Finding], part: Part) -> Iterable[Finding]:
    """The findings of a part; those of no group are told with any."""
    return (one for one in findings if one.group is None or one.group in part.groups)


def _key(question: str, keys: dict[str, str]) -> str:
    """Ask until the answer is one of some keys; raises `Quit`, and `UsageError` without answer."""
    while True:
        print(f"{question} [{','.join(keys)}] ", end="", flush=True)
        line = sys.stdin.readline()
        if not line:
            print()
            raise UsageError(
                "there is nobody to answer; nothing is written; fix --write asks nothing"
            )
        key = line.strip().lower()[:1]
        if key == "q":
            raise Quit("you quit; nothing is written")
        if key in keys and key != "?":
            return key
        print("\n".join(f"{one}: {what}" for one, what in keys.items()))


def _in_editor(file: FilePlan, data: bytes) -> bytes:
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
