"""Writes docs/coverage.md: each surface of the legacy SDK, what it becomes, or why it is refused.

The rows are in docs/coverage/, a file a section: small programs, each in one of the frames below.
What stands beside them is what the planner does with them today, so the page cannot say anything
else; a test compares it.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from chatport.port.findings import FilePlan, Status
from chatport.port.packs.load import bundled, names
from chatport.port.planner import Tree, plan_files

FOLDER = Path(__file__).parent
PAGE = FOLDER / "coverage.md"
ROWS = FOLDER / "coverage"
MEASURED = FOLDER / "coverage-measured.md"
"""Figures of real repositories, by hand: they need repositories that are not here."""

PLAIN = "import google.generativeai as genai\n\n"
KEY = PLAIN + 'genai.configure(api_key="K")\n'
MODEL = KEY + 'model = genai.GenerativeModel("m")\n'
FRAMES = {
    "plain": PLAIN,
    "key": KEY,
    "model": MODEL,
    "chat": MODEL + "chat = model.start_chat()\n",
    "response": MODEL + 'response = model.generate_content("q")\n',
}
MARK = "#: here\n"
CONSEQUENCES = {"file_withheld", "depends_on_refused"}

HEAD = """\
# What is ported

Every surface of google-generativeai, as a line or two of a program, and what `chatport` makes of it
today: the new code, or the code it is refused with and why. `model`, `chat` and `response` are made
above each row. The tests run every row that is ported, before and after, on three major versions of
google-genai; those that cannot be run say why in `docs/coverage/`.

This page is written by `docs/generate_coverage.py`.
"""


def sections() -> list[dict[str, Any]]:
    """The sections in order, each with its number, its title and its rows."""
    return [tomllib.loads(path.read_text(encoding="utf-8")) for path in sorted(ROWS.glob("*.toml"))]


def planned(row: dict[str, Any]) -> FilePlan | None:
    """What becomes of the program a row stands for; None when nothing in it is found."""
    data = (FRAMES[row["frame"]] + MARK + row["code"]).encode()
    tree = Tree(FOLDER, ["app.py"], lambda _: None)
    files, problems = plan_files(tree, [("app.py", data)], [bundled(name) for name in names()])
    assert not problems, (row, problems)
    return files[0] if files else None


def outcome(row: dict[str, Any]) -> str:
    """The cell beside a row."""
    file = planned(row)
    if file is None or (file.status is not Status.REFUSED and file.after is None):
        return "stays as it is"
    if file.status is Status.REFUSED:
        first = next(f for f in file.findings if f.code and f.code not in CONSEQUENCES)
        return f"refused: [`{first.code}`](codes/{first.code}.md). {_plain(first.message or '')}"
    assert file.after is not None
    text = file.after.decode().partition(MARK)[2]
    warnings = sorted({warning for finding in file.findings for warning in finding.warnings})
    said = "".join(f"<br>[`{warning}`](codes/{warning}.md)" for warning in warnings)
    return (_code(text) or "goes") + said


def _plain(message: str) -> str:
    return message.replace("|", "\\|").replace("\n", " ")


def _code(text: str) -> str:
    lines = [line for line in text.strip("\n").splitlines() if line.strip()]
    return "<br>".join(f"`{line.replace('|', chr(92) + '|')}`" for line in lines)


def page() -> str:
    """The whole page."""
    lines = [HEAD]
    for section in sections():
        lines += [f"\n## {section['number']} {section['title']}\n"]
        lines += ["\n| surface | legacy | becomes |\n|---|---|---|\n"]
        lines += [f"{line}\n" for line in _rows(section)]
    if MEASURED.exists():
        lines.append("\n" + MEASURED.read_text(encoding="utf-8"))
    return "".join(lines)


def _rows(section: dict[str, Any]) -> Iterator[str]:
    for row in section["rows"]:
        yield f"| {row['title']} | {_code(row['code'])} | {outcome(row)} |"


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
