"""The language server, spoken to by a real client over standard input and output."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from lsprotocol import types
from pygls.lsp.client import LanguageClient

from chatport.port.codes import CODES
from tests.cli.test_interactive import PROGRAM, SHARED, USER

REFUSED = PROGRAM + "genai.GenerativeModel('m').start_chat().history.append(1)\n"


class Editor:
    """What an editor does: opens and changes files, and waits for what is said of them."""

    def __init__(self, client: LanguageClient) -> None:
        self.client = client
        self.said: asyncio.Queue[types.PublishDiagnosticsParams] = asyncio.Queue()
        self.messages: asyncio.Queue[str] = asyncio.Queue()

        @client.feature(types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)
        def publish(params: types.PublishDiagnosticsParams) -> None:
            self.said.put_nowait(params)

        @client.feature(types.WINDOW_SHOW_MESSAGE)
        def show(params: types.ShowMessageParams) -> None:
            self.messages.put_nowait(params.message)

    def open(self, path: Path, text: str) -> None:
        item = types.TextDocumentItem(path.as_uri(), "python", 1, text)
        self.client.text_document_did_open(types.DidOpenTextDocumentParams(item))

    def change(self, path: Path, text: str) -> None:
        document = types.VersionedTextDocumentIdentifier(version=2, uri=path.as_uri())
        whole = types.TextDocumentContentChangeWholeDocument(text)
        self.client.text_document_did_change(types.DidChangeTextDocumentParams(document, [whole]))

    async def diagnostics(self, path: Path) -> list[types.Diagnostic]:
        while True:
            params = await asyncio.wait_for(self.said.get(), 60)
            if params.uri == path.as_uri():
                return list(params.diagnostics)

    async def actions(
        self, path: Path, diagnostics: list[types.Diagnostic] | None = None
    ) -> list[types.CodeAction]:
        start = types.Position(0, 0)
        found = await self.client.text_document_code_action_async(
            types.CodeActionParams(
                types.TextDocumentIdentifier(path.as_uri()),
                types.Range(start, start),
                types.CodeActionContext(diagnostics or []),
            )
        )
        return [one for one in found or [] if isinstance(one, types.CodeAction)]


@asynccontextmanager
async def editing(root: Path) -> AsyncIterator[Editor]:
    client = LanguageClient("tests", "1")
    editor = Editor(client)
    await client.start_io(sys.executable, "-m", "chatport", "lsp", cwd=str(root))
    capabilities = types.ClientCapabilities()
    await client.initialize_async(
        types.InitializeParams(capabilities=capabilities, root_uri=root.as_uri())
    )
    client.initialized(types.InitializedParams())
    yield editor
    await client.shutdown_async(None)
    client.exit(None)
    await client.stop()


def edited(root: Path, scenario: Callable[[Editor], Awaitable[Any]]) -> Any:
    async def run() -> Any:
        async with editing(root) as editor:
            return await scenario(editor)

    return asyncio.run(run())


@pytest.fixture
def root(tmp_path: Path) -> Path:
    (tmp_path / "pyproject.toml").touch()
    return tmp_path


def test_findings_are_shown_where_they_stand(root: Path) -> None:
    path = root / "app.py"

    async def scenario(editor: Editor) -> list[types.Diagnostic]:
        editor.open(path, REFUSED)
        return await editor.diagnostics(path)

    found = edited(root, scenario)
    cause = next(one for one in found if one.severity is types.DiagnosticSeverity.Warning)
    assert cause.code == "history_write"
    assert cause.source == "chatport"
    assert (cause.range.start.line, cause.range.start.character) == (4, 0)
    assert CODES["history_write"].remedy in cause.message
    assert {one.code for one in found} == {"history_write", "file_withheld"}


def test_places_are_counted_as_the_client_counts(root: Path) -> None:
    path = root / "app.py"

    async def scenario(editor: Editor) -> list[types.Diagnostic]:
        editor.open(path, PROGRAM.replace("print(", "print('𝄞', "))
        return await editor.diagnostics(path)

    use = edited(root, scenario)[-1]
    assert use.range.start.character == len("print('𝄞', ".encode("utf-16-le")) // 2


def test_what_is_typed_counts_before_it_is_saved(root: Path) -> None:
    path = root / "app.py"
    path.write_text(PROGRAM)

    async def scenario(editor: Editor) -> tuple[int, int]:
        editor.open(path, PROGRAM)
        first = len(await editor.diagnostics(path))
        editor.change(path, "x = 1\n")
        return first, len(await editor.diagnostics(path))

    assert edited(root, scenario) == (4, 0)


def test_an_action_ports_a_file_and_what_belongs_to_it(root: Path) -> None:
    shared, user = root / "shared.py", root / "user.py"
    shared.write_text(SHARED)
    user.write_text(USER)

    async def scenario(editor: Editor) -> list[types.CodeAction]:
        editor.open(user, USER)
        await editor.diagnostics(user)
        return await editor.actions(user)

    first, second = edited(root, scenario)
    assert first.title == "Port user.py and 1 more"
    assert [first.kind, second.kind] == ["quickfix", "source.fixAll.chatport"]
    assert first.edit is not None
    assert first.edit.changes is not None
    assert set(first.edit.changes) == {shared.as_uri(), user.as_uri()}
    (edit,) = first.edit.changes[shared.as_uri()]
    assert edit.range.end.line == SHARED.count("\n")
    assert edit.new_text.startswith("from google import genai\n")


def test_a_refusal_can_be_accepted_by_a_comment(root: Path) -> None:
    path = root / "app.py"

    async def scenario(editor: Editor) -> list[types.CodeAction]:
        editor.open(path, REFUSED)
        found = await editor.diagnostics(path)
        cause = [one for one in found if one.severity is types.DiagnosticSeverity.Warning]
        return await editor.actions(path, cause)

    (action,) = edited(root, scenario)
    assert action.title == "Accept history_write here"
    assert action.edit is not None
    assert action.edit.changes is not None
    (edit,) = action.edit.changes[path.as_uri()]
    assert edit.new_text == "# chatport: ignore[history_write] say why\n"
    assert edit.range.start == types.Position(4, 0)


def test_no_action_is_offered_for_a_text_that_has_changed_since(root: Path) -> None:
    path = root / "app.py"

    async def scenario(editor: Editor) -> list[types.CodeAction]:
        editor.open(path, PROGRAM)
        await editor.diagnostics(path)
        editor.change(path, PROGRAM + "# more\n")
        return await editor.actions(path)

    assert edited(root, scenario) == []


def test_a_fault_of_the_configuration_is_shown(root: Path) -> None:
    path = root / "app.py"
    (root / "pyproject.toml").write_text("[tool.chatport]\nformt = 1\n")

    async def scenario(editor: Editor) -> str:
        editor.open(path, PROGRAM)
        return await asyncio.wait_for(editor.messages.get(), 60)

    assert "pyproject.toml:2: [tool.chatport] has no option formt" in edited(root, scenario)


def test_a_text_that_is_being_typed_is_no_fault_of_the_server(root: Path) -> None:
    path = root / "app.py"

    async def scenario(editor: Editor) -> tuple[int, int]:
        editor.open(path, PROGRAM + "print(")
        first = len(await editor.diagnostics(path))
        editor.change(path, PROGRAM)
        return first, len(await editor.diagnostics(path))

    assert edited(root, scenario) == (0, 4)
