"""What the site of mkdocs.yml needs besides its theme: folders in the navigation, links to code,
and the names of a package, whose docstrings mkdocstrings puts there."""

from __future__ import annotations

import logging
import re
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

DOCS = Path(__file__).parent
LINK = re.compile(r"\[(?P<text>[^\]]*)\]\((?P<path>\.\./[^)#]*)(?:#[^)]*)?\)")
NAMES = re.compile(r"<!-- every name of (?P<package>[\w.]+) -->")
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

    return NAMES.sub(_reference, LINK.sub(text_of, markdown))


def _reference(place: re.Match[str]) -> str:
    """What mkdocstrings reads: one entry for each name, by where it is defined."""
    return "\n\n".join(f"::: {home}" for home in homes(place["package"]))


def homes(package: str) -> Iterator[str]:
    """Where the names of a package are defined."""
    face = import_module(package)
    for name in face.__all__:
        value = getattr(face, name)
        home = getattr(value, "__module__", "")
        if home.startswith("chatport.") and hasattr(value, "__qualname__"):
            yield f"{home}.{value.__qualname__}"
        else:  # an alias of a type does not say where it stands
            yield f"{_home_of_alias(name)}.{name}"


def _home_of_alias(name: str) -> str:
    """The module that assigns a name."""
    assigned = re.compile(rf"^{name}(?::.*)? = ", re.MULTILINE)
    package = DOCS.parent / "src"
    for path in sorted(package.glob("chatport/**/*.py")):
        if assigned.search(path.read_text(encoding="utf-8")):
            return ".".join(path.relative_to(package).with_suffix("").parts)
    raise LookupError(f"no module assigns {name}")


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
