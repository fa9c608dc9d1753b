"""The ledger as one HTML page, and in a few lines."""

from __future__ import annotations

from collections.abc import Iterator
from importlib.resources import files

from chatport.port.fleet.ledger import Ledger
from chatport.port.fleet.overview.figures import Overview, overview
from chatport.port.report.html.sealed import sealed


def render(ledger: Ledger) -> str:
    """The page: what a fleet holds, what is in the way, and what did not work."""
    return sealed("fleet.html.jinja", "fleet.js", files(__name__), page=overview(ledger))


def words(ledger: Ledger) -> Iterator[str]:
    """The same in a few lines for a terminal."""
    page = overview(ledger)
    yield from _repositories(page)
    yield f"{page.files_ported} of {page.legacy_files} files with legacy code can be ported whole."
    if page.files_unread:
        files = "1 file" if page.files_unread == 1 else f"{page.files_unread} files"
        yield f"{files} could not be read; the table `problem` says why."
    if page.codes:
        most = ", ".join(f"{code.name} ({code.repositories})" for code in page.codes[:3])
        yield f"Most repositories are held back by {most}."
    for failure in page.failures[:3]:
        yield f"failed: {failure.source}: {failure.error}"
    if page.failed > 3:
        yield f"failed: {page.failed - 3} more"


def _repositories(page: Overview) -> Iterator[str]:
    waiting = f", {page.waiting} wait" if page.waiting else ""
    yield f"{page.total} repositories: {page.planned} planned, {page.failed} failed{waiting}."
    yield (
        f"{page.legacy} hold legacy code: {page.whole} can be ported whole, {page.partly} in part, "
        f"{page.held} are held back, {page.declared} only declare it."
    )
