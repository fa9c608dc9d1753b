"""The report as one HTML page that needs nothing else: no network, no second file.

Everything that comes from a repository is hostile text: the template escapes it, marks that could
deceive a reader are written out, and the page's policy lets only its own style and script run.
"""

from __future__ import annotations

from collections.abc import Mapping

from chatport.port.findings import Plan
from chatport.port.report.html.page import Proven, page
from chatport.port.report.html.sealed import sealed

__all__ = ["Proven", "render"]


def render(plan: Plan, proven: Mapping[str, Proven] | None = None) -> str:
    """The page of a plan; `proven` says by path what a proof has shown of a file."""
    return sealed("page.html.jinja", "page.js", page=page(plan, proven or {}))
