"""Plans made by hand, for proofs that must not depend on the engine."""

from __future__ import annotations

from pathlib import Path

from chatport.port.findings import FilePlan, Plan, Status

LEGACY = """\
import google.generativeai as genai

genai.configure(api_key="k")
"""
NEW = """\
from google import genai
from google.genai import types

client = genai.Client(api_key="k", http_options=types.HttpOptions(api_version="v1beta"))
"""


def plan_of(root: Path, after: dict[str, str], **others: str) -> Plan:
    """Write `others` into the tree, and plan the change of each file to its text in `after`.

    The text before the change is the file's own: write it first.
    """
    for name, text in others.items():
        write(root, name.replace("__", "/") + ".py", text)
    files = tuple(
        FilePlan(path, Status.PORTED, (), (root / path).read_bytes(), text.encode())
        for path, text in after.items()
    )
    return Plan(root, files, scanned=len(files))


def write(root: Path, name: str, text: str) -> Path:
    path = root / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    return path
