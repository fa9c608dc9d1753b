"""Plans one manifest beside one module that is ported, stays, or has nothing of it."""

from __future__ import annotations

import textwrap
from pathlib import Path

from chatport.port.findings import FilePlan, Plan
from chatport.port.planner import plan

PORTS = """\
import os
import google.generativeai as genai

genai.configure(api_key=os.environ["KEY"])
print(genai.GenerativeModel("gemini-1.5-pro").generate_content("hi").text)
"""
STAYS = """\
import google.generativeai as genai

genai.get_base_model("m")
"""
NO_USE = "print('hi')\n"


def planned(root: Path, files: dict[str, str | bytes]) -> Plan:
    for name, content in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content.encode() if isinstance(content, str) else content)
    return plan([root], root=root)


def manifest(root: Path, name: str, text: str, code: str = PORTS, **others: str) -> FilePlan | None:
    """The plan of one manifest beside one module; None when it is not in the plan."""
    files = {"app.py": code, name: text, **others}
    if code is STAYS:
        files["front.py"] = PORTS  # one file goes on the new SDK while the other stays
    found = planned(root, dict(files)).manifests
    return next((file for file in found if file.path == name), None)


def ported(root: Path, name: str, text: str, code: str = PORTS, **others: str) -> str:
    file = manifest(root, name, text, code, **others)
    assert file is not None
    assert file.after is not None, file.findings
    assert {finding.verdict for finding in file.findings} == {"auto"}
    return file.after.decode()


def dedent(text: str) -> str:
    return textwrap.dedent(text.removeprefix("\n"))
