"""Plans and runs one small module that calls the free functions of the legacy SDK."""

from __future__ import annotations

import textwrap
from collections.abc import Callable
from pathlib import Path

from chatport.port.findings import FilePlan
from chatport.port.planner import plan
from chatport.port.prove.pair import prove_pair
from chatport.port.prove.running import Worker

BEFORE = """\
import os

import google.generativeai as genai

genai.configure(api_key=os.environ["GOOGLE_API_KEY"])
"""
AFTER = """\
import os

from google import genai
{types}
client = genai.Client(
    api_key=os.environ["GOOGLE_API_KEY"],
    http_options=types.HttpOptions(api_version="v1beta"),
)
""".format(types="from google.genai import types\n")


def body(text: str) -> str:
    return textwrap.dedent(text.removeprefix("\n"))


def ported(root: Path, code: str) -> FilePlan:
    (root / "app.py").write_text(BEFORE + body(code))
    (file,) = plan([root], root=root).files
    return file


def assert_ported(root: Path, before: str, after: str) -> None:
    file = ported(root, before)
    assert file.after is not None, file.findings
    assert file.after.decode() == AFTER + body(after)


def assert_same(worker: Callable[[str], Worker], environment: str, before: str, after: str) -> None:
    """Both programs ask the same and show the same, the one on the legacy SDK, the other on the
    new SDK of `environment`."""
    workers = (worker("legacy"), worker(environment))
    result = prove_pair(BEFORE + body(before), AFTER + body(after), workers)
    assert result.same, result.explain()
