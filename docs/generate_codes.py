"""Writes docs/codes/ from the table of codes and its examples: python docs/generate_codes.py."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Literal

from chatport.port.codes import CODES, Code, Example, examples

FOLDER = Path(__file__).parent / "codes"
INDEX = "README.md"

Sdk = Literal["legacy", "new"]

PRELUDES: Mapping[Sdk, Mapping[str, str]] = {
    "legacy": {
        "asyncio": "import asyncio",
        "json": "import json",
        "os": "import os",
        "genai": "import google.generativeai as genai",
        "configured": 'genai.configure(api_key=os.environ["GOOGLE_API_KEY"])',
        "model": 'model = genai.GenerativeModel("gemini-2.0-flash")',
        "chat": "chat = model.start_chat()",
    },
    "new": {
        "asyncio": "import asyncio",
        "json": "import json",
        "os": "import os",
        "genai": "from google import genai",
        "types": "from google.genai import types",
        "errors": "from google.genai import errors",
        "client": (
            "client = genai.Client(\n"
            '    api_key=os.environ["GOOGLE_API_KEY"],\n'
            '    http_options=types.HttpOptions(api_version="v1beta"),\n'
            ")"
        ),
        "chat": 'chat = client.chats.create(model="gemini-2.0-flash")',
    },
}
"""The lines that the examples take for granted, by the name they bind, in order."""

ABOUT = """\
# Codes

Every finding of `chatport check` that is not simply ported carries a code. A code either *holds
back*: the use, its group and its file stay as they are; or it *warns*: the use is ported, and there
is something to know. `chatport explain CODE` prints the same pages.

The examples take these lines for granted. Before:

```python
{legacy}
```

After:

```python
{new}
```
"""


def pages() -> dict[str, str]:
    """The text of every page, by file name."""
    return {
        f"{code.name}.md": _page(code, examples().get(code.name)) for code in CODES.values()
    } | {INDEX: _index()}


def _page(code: Code, example: Example | None) -> str:
    lines = [f"# {code.name}", "", code.message, "", f"*{_effect(code)}*", ""]
    lines += ["## Why", "", code.why, "", "## What to do", "", code.remedy, ""]
    if code.check:
        lines += ["## Before you take what is suggested", "", code.check, ""]
    if example is not None:
        then = "becomes" if code.warning else "is written by hand as"
        lines += ["## Example", "", *_block(example, example.before), then, ""]
        lines += _block(example, example.after)
        lines += _remarks(example)
    return "\n".join(lines)


def _effect(code: Code) -> str:
    return "Warns: the use is ported." if code.warning else "Holds back: the file stays as it is."


def _block(example: Example, text: str) -> Iterator[str]:
    language = "python" if example.file.endswith(".py") else "text"
    return iter([f"```{language}", text.strip("\n"), "```", ""])


def _remarks(example: Example) -> Iterator[str]:
    if example.differs:
        yield from (f"The two programs differ: {example.differs}.", "")


def _index() -> str:
    prelude = {sdk: "\n".join(lines.values()) for sdk, lines in PRELUDES.items()}
    lines = [ABOUT.format(**prelude)]
    for title, warning in (("Holding back", False), ("Warning", True)):
        lines += [f"## {title}", "", "| code | what is found |", "|---|---|"]
        lines += [
            f"| [`{code.name}`]({code.name}.md) | {code.message} |"
            for code in sorted(CODES.values())
            if code.warning is warning
        ]
        lines.append("")
    return "\n".join(lines)


def main() -> None:
    """Write every page, and delete those of codes that have gone."""
    FOLDER.mkdir(exist_ok=True)
    written = pages()
    for name, text in written.items():
        (FOLDER / name).write_text(text, encoding="utf-8")
    for path in FOLDER.glob("*.md"):
        if path.name not in written:
            path.unlink()


if __name__ == "__main__":
    main()
