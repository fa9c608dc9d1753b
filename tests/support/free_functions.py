"""Plans one small module that calls the free functions of the legacy SDK."""

from __future__ import annotations

import textwrap
from pathlib import Path

from chatport.port.findings import FilePlan
from chatport.port.planner import plan

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
