"""Plans one small file in memory; the tables of the rules are written in these terms.

A row's source is indented to read well and is taken out of its indentation here. `IMPORTS` stand in
front of sources that do not import anything themselves, and are left out of what comes back.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from textwrap import dedent

from chatport.port.findings import FilePlan, Status
from chatport.port.packs.load import bundled, names
from chatport.port.packs.schema import Pack
from chatport.port.planner import Tree, plan_files

IMPORTS = """\
import google.generativeai as genai

genai.configure(api_key="K")
"""
NEW_IMPORTS = """\
from google import genai
from google.genai import types

client = genai.Client(api_key="K", http_options=types.HttpOptions(api_version="v1beta"))
"""


def ported(before: str) -> str:
    """What a file becomes. Fails when it is refused, or when there is nothing to port."""
    after = whole_ported(before)
    if whole(before) == clean(before):
        return after
    assert after.startswith(NEW_IMPORTS), after
    return after.removeprefix(NEW_IMPORTS).lstrip("\n")


def whole_ported(before: str) -> str:
    """What a file becomes, with the imports in front of it."""
    file = _planned(before)
    assert file is not None, "nothing was found"
    assert file.status is Status.PORTED, [finding for finding in file.findings if finding.code]
    assert file.after is not None
    return file.after.decode()


def refused(before: str) -> set[str]:
    """The codes for which a file is refused; those that only follow from them are left out.

    Fails when the file is ported or clean.
    """
    file = _planned(before)
    assert file is not None, "nothing was found"
    assert file.status is Status.REFUSED, (file.after or b"").decode()
    return {finding.code for finding in file.findings if finding.code} - {"file_withheld"}


def warned(before: str) -> list[tuple[int, str]]:
    """The warnings of a ported file, each with its line in the row's own source."""
    file = _planned(before)
    assert file is not None, "nothing was found"
    assert file.status is Status.PORTED, [finding for finding in file.findings if finding.code]
    above = whole(before).count("\n") - clean(before).count("\n")
    return [(f.place.line - above, warning) for f in file.findings for warning in f.warnings]


def is_untouched(before: str) -> bool:
    """Whether nothing of the legacy SDK is found in a file, which is taken as it stands."""
    return not plan_source(clean(before))


def clean(source: str) -> str:
    """A row's source as the file holds it."""
    return dedent(source).lstrip("\n").rstrip(" ")


def plan_source(source: str | bytes) -> list[FilePlan]:
    """The plans of a one-file repository; empty when nothing is found."""
    data = source.encode() if isinstance(source, str) else source
    tree = Tree(Path("no-such-folder"), ["app.py"], lambda _: None)
    files, problems = plan_files(tree, [("app.py", data)], _packs())
    assert not problems, problems
    return files


def _planned(before: str) -> FilePlan | None:
    files = plan_source(whole(before))
    return files[0] if files else None


def whole(before: str) -> str:
    """The file a row stands for, with the imports in front of it."""
    source = clean(before)
    return source if "google" in source else IMPORTS + source


@cache
def _packs() -> list[Pack]:
    return [bundled(name) for name in names()]
