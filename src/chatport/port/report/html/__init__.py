"""The report as one HTML page that needs nothing else: no network, no second file.

Everything that comes from a repository is hostile text: the template escapes it, marks that could
deceive a reader are written out, and the page's policy lets only its own style and script run.
"""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Mapping
from hashlib import sha256
from importlib.resources import files

from chatport.port.findings import Plan
from chatport.port.report.html.page import Proven, page

__all__ = ["Proven", "render"]


def render(plan: Plan, proven: Mapping[str, Proven] | None = None) -> str:
    """The page of a plan; `proven` says by path what a proof has shown of a file."""
    import jinja2

    environment = jinja2.Environment(
        loader=jinja2.FunctionLoader(_asset),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    style, script = _asset("page.css"), _asset("page.js")
    return environment.get_template("page.html.jinja").render(
        page=page(plan, proven or {}),
        style=style,
        script=script,
        policy=_policy(style, script),
    )


def _policy(style: str, script: str) -> str:
    """Nothing may be loaded, sent or run but the one style and the one script of the page."""
    return (
        f"default-src 'none'; style-src {_source(style)}; script-src {_source(script)}; "
        "base-uri 'none'; form-action 'none'"
    )


def _source(text: str) -> str:
    return f"'sha256-{b64encode(sha256(text.encode()).digest()).decode()}'"


def _asset(name: str) -> str:
    return (files(__name__) / name).read_text(encoding="utf-8")
