"""Pages that need nothing else: no network, no second file, and only their own script runs."""

from __future__ import annotations

from base64 import b64encode
from hashlib import sha256
from importlib.resources import files
from importlib.resources.abc import Traversable

_HOME = files("chatport.port.report.html")


def sealed(template: str, script: str, home: Traversable = _HOME, **values: object) -> str:
    """The page of a template and a script of a folder, in the style all pages share.

    What a template lacks it finds here. Every value is text from somewhere else: it is escaped.
    """
    import jinja2

    def asset(name: str) -> str:
        found = home / name
        return (found if found.is_file() else _HOME / name).read_text(encoding="utf-8")

    environment = jinja2.Environment(
        loader=jinja2.FunctionLoader(asset),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    style, runs = asset("page.css"), asset(script)
    return environment.get_template(template).render(
        style=style, script=runs, policy=_policy(style, runs), **values
    )


def _policy(style: str, script: str) -> str:
    """Nothing may be loaded, sent or run but the one style and the one script of the page."""
    return (
        f"default-src 'none'; style-src {_source(style)}; script-src {_source(script)}; "
        "base-uri 'none'; form-action 'none'"
    )


def _source(text: str) -> str:
    return f"'sha256-{b64encode(sha256(text.encode()).digest()).decode()}'"
