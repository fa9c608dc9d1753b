"""A server of the Model Context Protocol: what an agent may ask about one folder.

https://modelcontextprotocol.io/

It reads, and it writes only when it was started to. Paths lead nowhere but below the folder.
"""

from __future__ import annotations

import json
from importlib.metadata import version
from pathlib import Path
from typing import Any

from mcp.server import MCPServer
from mcp.server.mcpserver.exceptions import ToolError
from mcp.types import ToolAnnotations

from chatport.port.codes import CODES, examples
from chatport.port.config import ConfigError, load_config
from chatport.port.findings import FilePlan, Finding, Plan
from chatport.port.report import json as json_report
from chatport.port.report.lines import shown
from chatport.port.report.summary import Summary

INSTRUCTIONS = (
    "chatport moves Python code off a dead model SDK. Ask `plan` for the change it can prove, and "
    "`residue` for what it refuses; `explain` says what a code means and what to write instead. "
    "Port the residue by hand, then ask `check` until nothing is found."
)
_CONTEXT = 3


def server(root: Path, *, allow_write: bool = False) -> MCPServer:
    """A server for a folder, ready to run."""
    made = MCPServer("chatport", instructions=INSTRUCTIONS, version=version("chatport"))
    read_only = ToolAnnotations(read_only_hint=True, open_world_hint=False)

    @made.tool(annotations=read_only)
    def check(paths: list[str] | None = None) -> str:
        """Every use of a legacy SDK in files and folders (all when none is given), as JSON: its
        verdict, code, message and suggestion, and whether its file can be ported."""
        return json_report.render(_plan(root, paths))

    @made.tool(annotations=read_only)
    def plan(paths: list[str] | None = None) -> str:
        """What chatport would change, as a unified diff; every rewrite in it is proven to send the
        same requests. Nothing is written."""
        made = _plan(root, paths)
        return made.diff() or f"Nothing can be ported. {_told(made)}"

    @made.tool(annotations=read_only)
    def residue(paths: list[str] | None = None) -> str:
        """What chatport refuses to port, as JSON: the place, the lines around it, the code with
        reason, remedy and an example, and what a person would write where that can be said."""
        made = _plan(root, paths)
        found = [
            _refusal(file, finding)
            for file in (*made.files, *made.manifests)
            for finding in file.findings
            if finding.code is not None and finding.cause is None
        ]
        return json.dumps({"refused": found, "errors": _errors(made)}, indent=2)

    @made.tool(annotations=read_only)
    def explain(code: str) -> str:
        """What a code means: what was found, why it matters, what to write instead, an example."""
        if (page := CODES.get(code)) is None:
            raise ToolError(f"there is no code {code}; there are: {', '.join(sorted(CODES))}")
        blocks = [page.message, page.why, page.remedy]
        if (example := examples().get(code)) is not None:
            blocks += [f"Before:\n{example.before}", f"After:\n{example.after}"]
        return "\n\n".join(blocks)

    if allow_write:

        @made.tool(annotations=ToolAnnotations(destructive_hint=True, open_world_hint=False))
        def write(paths: list[str] | None = None) -> str:
            """Write what can be ported. A git tree with uncommitted changes is refused. `chatport
            undo` takes the run back."""
            from chatport.port.writer import WriteError
            from chatport.port.writer import write as write_plan

            made = _plan(root, paths)
            if not any(made.changes()):
                return f"Nothing can be ported. {_told(made)}"
            try:
                run = write_plan(made)
            except WriteError as error:
                raise ToolError(str(error)) from error
            return f"Written as run {run}. {_told(made)}"

    return made


def _plan(root: Path, paths: list[str] | None) -> Plan:
    from chatport.port.planner import plan

    named = [root / path for path in paths or ["."]]
    for path in named:
        if not path.resolve().is_relative_to(root):
            raise ToolError(f"{path}: is not below {root}; name files and folders of that")
    try:
        config, folder = load_config(root)
    except ConfigError as error:
        raise ToolError(str(error)) from error
    return plan(named, root=root, config=config, folder=folder)


def _told(made: Plan) -> str:
    summary = Summary.of(made)
    return (
        f"{summary.ported} files are ported and {summary.refused} refused; "
        f"{len(made.errors)} could not be read."
    )


def _errors(made: Plan) -> list[dict[str, str]]:
    return [{"path": one.path, "message": one.message} for one in made.errors]


def _refusal(file: FilePlan, finding: Finding) -> dict[str, Any]:
    assert finding.code is not None
    text, place = shown(file), finding.place
    start = text.line_of(place)
    end = start + place.end_line - place.line
    first, last = max(1, start - _CONTEXT), min(len(text.old), end + _CONTEXT)
    code, example = CODES.get(finding.code), examples().get(finding.code)
    return {
        "path": file.path,
        "line": place.line,
        "end_line": place.end_line,
        "symbol": finding.symbol,
        "code": finding.code,
        "message": finding.message,
        "remedy": code.remedy if code else None,
        "suggestion": finding.suggestion.diff() if finding.suggestion else None,
        "check": finding.suggestion.check if finding.suggestion else None,
        "example": {"before": example.before, "after": example.after} if example else None,
        "lines": [
            f"{number}: {text.old[number - 1].rstrip()}" for number in range(first, last + 1)
        ],
    }
