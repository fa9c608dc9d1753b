"""A small plan with one of everything, for the reports to show."""

from __future__ import annotations

from pathlib import Path

from chatport.port.findings import (
    Cause,
    FilePlan,
    Finding,
    Hunk,
    Kind,
    Note,
    Place,
    Plan,
    Problem,
    Status,
    Suggestion,
    Verdict,
)


def suggested(old: str, new: str) -> Suggestion:
    """Some lines in the place of others."""
    hunk = Hunk(3, tuple(old.split("\n")), tuple(new.split("\n")), "line 3")
    return Suggestion((hunk,), "Check the tools.")


IMPORT = Finding(
    "app/bot.py",
    Place(1, 1, 1, 12),
    "legacy",
    Kind.IMPORT,
    Verdict.AUTO,
    warnings=("text_may_be_none",),
    rule="rename_import",
)
CALL = Finding(
    "app/bot.py",
    Place(7, 5, 9, 6),
    "Model.send",
    Kind.METHOD_CALL,
    Verdict.AUTO,
    rule="model_calls",
)
REFUSED = Finding(
    "app/é.py",
    Place(3, 9, 3, 30),
    "Model",
    Kind.CALL,
    Verdict.REVIEW,
    code="tools_not_known",
    message="Which tools the model may call is not known here.",
    suggestion=suggested("Model.send(f)", "client.send(\n    tools=[f],\n)"),
    rule="model_calls",
)
FOLLOWS = Finding(
    "app/é.py",
    Place(5, 1, 5, 9),
    "Model.send",
    Kind.METHOD_CALL,
    Verdict.REVIEW,
    code="tools_not_known",
    message="Which tools the model may call is not known here.",
    rule="model_calls",
    cause=Cause("app/é.py", Place(3, 9, 3, 30)),
)
REMOVED = Finding(
    "app/é.py",
    Place(8, 1, 8, 4),
    "tune",
    Kind.CALL,
    Verdict.UNSUPPORTED,
    code="surface_gone",
    message="The new SDK has nothing like it.",
    rule="flag_only",
)
PIN = Finding(
    "requirements.txt",
    Place(2, 1, 2, 12),
    "legacy-sdk",
    Kind.MANIFEST,
    Verdict.AUTO,
    rule="manifest_dependency",
)
PLAN = Plan(
    root=Path("/project"),
    files=(
        FilePlan(
            "app/bot.py", Status.PORTED, (IMPORT, CALL), b"import legacy\n", b"import modern\n"
        ),
        FilePlan("app/é.py", Status.REFUSED, (REFUSED, FOLLOWS, REMOVED), b"import legacy\n"),
    ),
    manifests=(
        FilePlan("requirements.txt", Status.PORTED, (PIN,), b"a\nlegacy-sdk\n", b"a\nmodern-sdk\n"),
    ),
    errors=(Problem("old.py", "line 2: this is Python 2 (invalid syntax)"),),
    scanned=12,
    notes=(Note("poetry.lock", "names legacy-sdk; lock again."),),
)
