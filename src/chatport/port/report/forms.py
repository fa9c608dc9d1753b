"""The forms a report can have. Only the module of the one that is asked for is imported."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from chatport.port.findings import Plan

CONSOLE = "console"
"""For people, written piece by piece; every other form is one document."""

_DOCUMENTS = {
    "json": "chatport.port.report.json",
    "sarif": "chatport.port.report.sarif",
    "github": "chatport.port.report.github",
    "gitlab": "chatport.port.report.gitlab",
    "markdown": "chatport.port.report.markdown",
    "html": "chatport.port.report.html",
}
"""Name -> the module that has `render(plan) -> str`."""

FORMS: tuple[str, ...] = (CONSOLE, *_DOCUMENTS)


def render(plan: Plan, form: str) -> str:
    """The document of a plan in one of the forms other than `CONSOLE`."""
    from importlib import import_module

    text: str = import_module(_DOCUMENTS[form]).render(plan)
    return text
