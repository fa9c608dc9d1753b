"""What the site of mkdocs.yml needs besides its theme: folders in the navigation, links to code."""

from __future__ import annotations

import logging
import re
from pathlib import Path
from typing import Any

DOCS = Path(__file__).parent
LINK = re.compile(r"\[(?P<text>[^\]]*)\]\((?P<path>\.\./[^)#]*)(?:#[^)]*)?\)")
LOG = logging.getLogger("mkdocs.hooks.chatport")


def on_config(config: Any) -> Any:
    """Put the pages of a folder where the navigation names the folder."""
    config.nav = _spread(config.nav)
    return config


def on_page_markdown(markdown: str, *, page: Any, **_: Any) -> str:
    """Leave only the text of a link to a file of the repository: the site does not have it.

    A link to a file that is not there is a warning, as for pages.
    """
    folder = (DOCS / page.file.src_uri).parent

    def text_of(link: re.Match[str]) -> str:
        target = (folder / link["path"]).resolve()
        if target.is_relative_to(DOCS):
            return link[0]
        if not target.exists():
            LOG.warning("%s links to %s, which is not there", page.file.src_uri, link["path"])
        return link["text"]

    return LINK.sub(text_of, markdown)


def _spread(entry: Any) -> Any:
    if isinstance(entry, dict):
        return {title: _spread(below) for title, below in entry.items()}
    if isinstance(entry, list):
        return [page for one in entry for page in _pages(one)]
    return entry


def _pages(entry: Any) -> list[Any]:
    if not (isinstance(entry, str) and entry.endswith("/")):
        return [_spread(entry)]
    pages = sorted((DOCS / entry).glob("*.md"), key=lambda path: (path.stem != "README", path))
    return [path.relative_to(DOCS).as_posix() for path in pages]
