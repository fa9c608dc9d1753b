"""A language server: the findings of the files that are open, and actions that port them.

https://microsoft.github.io/language-server-protocol/

A file is planned as it stands in the editor, among the other files of its project.
"""

from __future__ import annotations

import asyncio
import os
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from importlib.metadata import version
from pathlib import Path

from lsprotocol import types
from pygls.lsp.server import LanguageServer
from pygls.uris import from_fs_path, to_fs_path

from chatport.port.baseline import BaselineError, Entry
from chatport.port.baseline import load as load_baseline
from chatport.port.codes import CODES
from chatport.port.config import Config, ConfigError, load_config
from chatport.port.editing import OutsideError, inside, plan_texts
from chatport.port.findings import FilePlan, Finding, Place, Plan, Verdict
from chatport.port.matching import split
from chatport.port.report.lines import decoded

PAUSE = 0.3
"""Seconds of quiet after a key stroke before a plan is made."""

SOURCE = "chatport"
_FIX_ALL = f"{types.CodeActionKind.SourceFixAll.value}.chatport"
_SEVERITIES = {
    Verdict.AUTO: types.DiagnosticSeverity.Information,
    Verdict.REVIEW: types.DiagnosticSeverity.Warning,
    Verdict.UNSUPPORTED: types.DiagnosticSeverity.Error,
}


@dataclass(slots=True)
class State:
    """The last plan of each project, and what has been asked for since."""

    plans: dict[Path, Plan] = field(default_factory=dict)
    roots: dict[Path, Path] = field(default_factory=dict)
    """Path of an open file -> the root of the plan it is in."""
    waiting: asyncio.Task[None] | None = None


def server() -> LanguageServer:
    """A server that is ready to be started."""
    made = LanguageServer(SOURCE, version("chatport"))
    state = State()

    @made.feature(types.TEXT_DOCUMENT_DID_OPEN)
    @made.feature(types.TEXT_DOCUMENT_DID_CHANGE)
    @made.feature(types.TEXT_DOCUMENT_DID_SAVE)
    def changed(one: LanguageServer, params: object) -> None:
        if state.waiting is not None:
            state.waiting.cancel()
        state.waiting = asyncio.ensure_future(_later(one, state))

    @made.feature(types.TEXT_DOCUMENT_DID_CLOSE)
    def closed(one: LanguageServer, params: types.DidCloseTextDocumentParams) -> None:
        uri = params.text_document.uri
        one.text_document_publish_diagnostics(types.PublishDiagnosticsParams(uri, []))

    @made.feature(
        types.TEXT_DOCUMENT_CODE_ACTION,
        types.CodeActionOptions([types.CodeActionKind.QuickFix, _FIX_ALL]),
    )
    def actions(one: LanguageServer, params: types.CodeActionParams) -> list[types.CodeAction]:
        return list(_actions(one, state, params))

    return made


async def _later(one: LanguageServer, state: State) -> None:
    await asyncio.sleep(PAUSE)
    texts = {
        Path(os.path.realpath(name)): document.source.encode()
        for document in one.workspace.text_documents.values()
        if (name := to_fs_path(document.uri)) is not None and name.endswith(".py")
    }
    for start in {path.parent for path in texts}:
        try:
            made = await asyncio.to_thread(_plan, start, texts)
        except (ConfigError, BaselineError, OutsideError) as error:
            params = types.ShowMessageParams(types.MessageType.Error, str(error))
            one.window_show_message(params)
            continue
        state.plans[made.root] = made
        for path in texts:
            if path.parent == start:
                state.roots[path] = made.root
                _publish(one, made, path)


def _plan(start: Path, texts: dict[Path, bytes]) -> Plan:
    """The plan of the project around a folder, with the open texts that are in it."""
    from chatport.port.source.discover import discover

    config, folder = load_config(start)
    root = Path(discover([str(start)]).root)
    mine = {path: text for path, text in texts.items() if path.is_relative_to(root)}
    return plan_texts(start, mine, config=config, folder=folder, baseline=_baseline(config, folder))


def _baseline(config: Config, folder: Path) -> Counter[Entry] | None:
    return load_baseline(folder / config.baseline) if config.baseline is not None else None


# --- diagnostics -----------------------------------------------------------------------------


def _publish(one: LanguageServer, made: Plan, path: Path) -> None:
    name = inside(made.root, path)
    file = next((file for file in made.files if file.path == name), None)
    found = [_diagnostic(one, made, file, finding) for finding in file.findings] if file else []
    uri = _uri(one, path)
    one.text_document_publish_diagnostics(types.PublishDiagnosticsParams(uri, found))


def _uri(one: LanguageServer, path: Path) -> str:
    """The name the editor has for a file, which may lead to it by a link."""
    for uri in one.workspace.text_documents:
        name = to_fs_path(uri)
        if name is not None and Path(os.path.realpath(name)) == path:
            return uri
    return from_fs_path(str(path)) or ""


def _diagnostic(
    one: LanguageServer, made: Plan, file: FilePlan, finding: Finding
) -> types.Diagnostic:
    page = made.page_of(finding.code) if finding.code in CODES else None
    return types.Diagnostic(
        range=_range(one, file, finding.place),
        message="\n".join(_message(finding)),
        severity=types.DiagnosticSeverity.Hint if finding.cause else _SEVERITIES[finding.verdict],
        code=finding.code or "portable_use",
        code_description=types.CodeDescription(page) if page else None,
        source=SOURCE,
    )


def _message(finding: Finding) -> Iterator[str]:
    yield f"{finding.symbol}: {finding.message or 'can be ported.'}"
    if finding.cause is not None:
        yield f"Follows from {finding.cause.shown_from(finding.path)}."
        return
    if finding.code in CODES:
        yield CODES[finding.code].remedy
    if finding.suggestion is not None:
        yield f"Write instead:\n{finding.suggestion.diff()}\n{finding.suggestion.check}"
    yield from (f"Mind: {CODES[code].message}" for code in finding.warnings if code in CODES)


def _range(one: LanguageServer, file: FilePlan, place: Place) -> types.Range:
    """A place in the units of the client, which counts from 0."""
    lines = split(decoded(file, file.before))
    codec = one.workspace.position_codec

    def position(line: int, column: int) -> types.Position:
        return codec.position_to_client_units(lines, types.Position(line - 1, column - 1))

    return types.Range(
        position(place.line, place.column), position(place.end_line, place.end_column)
    )


# --- actions ---------------------------------------------------------------------------------


def _actions(
    one: LanguageServer, state: State, params: types.CodeActionParams
) -> Iterator[types.CodeAction]:
    path = Path(os.path.realpath(to_fs_path(params.text_document.uri) or ""))
    made = state.plans.get(state.roots.get(path, Path()))
    if made is None:
        return
    name = inside(made.root, path)
    file = next((file for file in made.files if file.path == name), None)
    text = one.workspace.get_text_document(params.text_document.uri).source
    if file is None or file.before != text.encode():
        return  # the plan is of an older text; another one is being made
    if file.after is not None:
        yield from _port(one, made, file)
    for diagnostic in params.context.diagnostics:
        if diagnostic.source == SOURCE and diagnostic.code in CODES:
            yield _ignore(params.text_document.uri, text, diagnostic)


def _port(one: LanguageServer, made: Plan, file: FilePlan) -> Iterator[types.CodeAction]:
    """Port the file and what can only be ported with it."""
    unit = [each for each in made.files if each.unit == file.unit and each.after is not None]
    edit = types.WorkspaceEdit(
        changes={_uri(one, made.root / each.path): [_whole(one, each)] for each in unit or [file]}
    )
    others = f" and {len(unit) - 1} more" if len(unit) > 1 else ""
    for kind in (types.CodeActionKind.QuickFix, _FIX_ALL):
        yield types.CodeAction(f"Port {Path(file.path).name}{others}", kind=kind, edit=edit)


def _whole(one: LanguageServer, file: FilePlan) -> types.TextEdit:
    assert file.after is not None
    lines = split(decoded(file, file.before))
    end = types.Position(len(lines), 0)
    if lines and not lines[-1].endswith(("\n", "\r")):
        last = types.Position(len(lines) - 1, len(lines[-1]))
        end = one.workspace.position_codec.position_to_client_units(lines, last)
    return types.TextEdit(types.Range(types.Position(0, 0), end), decoded(file, file.after))


def _ignore(uri: str, text: str, diagnostic: types.Diagnostic) -> types.CodeAction:
    """Accept a finding by a comment above its line, whose reason is for the user to write."""
    number = diagnostic.range.start.line
    line = text.splitlines()[number] if number < len(text.splitlines()) else ""
    indent = line[: len(line) - len(line.lstrip())]
    comment = f"{indent}# chatport: ignore[{diagnostic.code}] say why\n"
    here = types.Position(number, 0)
    edit = types.TextEdit(types.Range(here, here), comment)
    return types.CodeAction(
        f"Accept {diagnostic.code} here",
        kind=types.CodeActionKind.QuickFix,
        diagnostics=[diagnostic],
        edit=types.WorkspaceEdit(changes={uri: [edit]}),
    )
