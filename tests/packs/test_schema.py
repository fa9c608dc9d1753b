"""A pack that is not one is refused with the place of the fault."""

from __future__ import annotations

import tomllib
from importlib import resources
from pathlib import Path

import pytest

from chatport.port.packs.load import PackError, bundled, is_plain, names, parse, read
from chatport.port.packs.tokens import tokens

NAME = "google-generativeai-to-google-genai"
PARTS = sorted(Path(str(resources.files("chatport.port.packs"))).joinpath(NAME).glob("*.toml"))
TEXT = "\n".join(part.read_text("utf-8") for part in PARTS)
INDEX = {change["kind"]: i for i, change in enumerate(tomllib.loads(TEXT)["changes"])}
MODELS = f"changes[{INDEX['model_calls']}].params"


def faulty(text: str) -> PackError:
    with pytest.raises(PackError) as caught:
        parse(text, "mine")
    return caught.value


def changed(old: str, new: str) -> str:
    assert old in TEXT
    return TEXT.replace(old, new, 1)


START_CHAT = '[changes.params.rewrites."GenerativeModel.start_chat"]\nroot = "client"'
SEND = '[changes.params.rewrites."ChatSession.send_message"]\nroot = "receiver"'
SEND_CALL = f'{SEND}\nnew_call = "send_message"'

FAULTS = {
    "a root of another kind": (
        START_CHAT,
        START_CHAT.replace("client", "chat"),
        f'{MODELS}.rewrites."GenerativeModel.start_chat".root',
        "Invalid enum value 'chat'",
    ),
    "D2: no service under the client": (
        'root = "client"\nnew_call = "chats.create"',
        'root = "client"\nnew_call = "create"',
        f'{MODELS}.rewrites."GenerativeModel.start_chat".new_call',
        "root 'client' wants service.method, not 'create'",
    ),
    "D2: a service under the receiver": (
        SEND_CALL,
        SEND_CALL.replace('"send_message"', '"chats.send_message"').replace(
            'rewrites."ChatSession.chats.send_message"', 'rewrites."ChatSession.send_message"'
        ),
        f'{MODELS}.rewrites."ChatSession.send_message".new_call',
        "root 'receiver' wants a bare method, not 'chats.send_message'",
    ),
    "D2: a stream of another form": (
        'stream_call = "send_message_stream"',
        'stream_call = "chats.send_message_stream"',
        f'{MODELS}.rewrites."ChatSession.send_message".stream_call',
        "root 'receiver' wants a bare method, not 'chats.send_message_stream'",
    ),
    "D13: a configuration class of its own for chats": (
        'config_class = "GenerateContentConfig"',
        'config_class = "GenerateContentConfig"\nchat_config_class = "ChatConfig"',
        MODELS,
        "unknown field `chat_config_class`",
    ),
    "an unknown field at the top": ("[from]", "x = 1\n[from]", "", "unknown field `x`"),
    "an unknown field of a method": (
        START_CHAT,
        f"{START_CHAT}\nmoved = true",
        f'{MODELS}.rewrites."GenerativeModel.start_chat"',
        "unknown field `moved`",
    ),
    "a missing field": (
        'model_keyword = "model"\n',
        "",
        MODELS,
        "missing required field `model_keyword`",
    ),
    "a wrong type": (
        'model_keyword = "model"',
        "model_keyword = 1",
        f"{MODELS}.model_keyword",
        "Expected `str`, got `int`",
    ),
    "a kind nobody knows": (
        'kind = "flag_only"',
        'kind = "flag"',
        f"changes[{INDEX['flag_only']}].kind",
        "Invalid value 'flag'",
    ),
    "a rewrite of a method that is not listed": (
        '"GenerativeModel.start_chat", "GenerativeModel.from_cached_content",',
        '"GenerativeModel.from_cached_content",',
        f'{MODELS}.rewrites."GenerativeModel.start_chat"',
        "is not among the methods of the change",
    ),
    "code that does something": (
        """always = { http_options = 'types.HttpOptions(api_version="v1beta")' }""",
        """always = { http_options = '[print() for x in ()]' }""",
        f"changes[{INDEX['configure_to_client']}].params.always.http_options",
        "is not a constant, name or call of such",
    ),
    "code of a tool that does something": (
        'code_execution = "types.Tool(code_execution=types.ToolCodeExecution())"',
        'code_execution = "1 + 1"',
        f"{MODELS}.tools.strings.code_execution",
        "is not a constant, name or call of such",
    ),
    "a free function without a service": (
        'new_call = "models.list"',
        'new_call = "list"',
        f'changes[{INDEX["call"]}].params.calls."google.generativeai.list_models".new_call',
        "wants service.method, not 'list'",
    ),
    "a method of an object without a service": (
        'new_call = "files.delete", keyword',
        'new_call = "delete", keyword',
        f'changes[{INDEX["call"]}].params.methods."File.delete".new_call',
        "wants service.method, not 'delete'",
    ),
}


@pytest.mark.parametrize(("old", "new", "location", "message"), FAULTS.values(), ids=FAULTS)
def test_a_fault_is_told_with_its_place(old: str, new: str, location: str, message: str) -> None:
    error = faulty(changed(old, new))
    assert error.location == location
    assert message in str(error)
    assert str(error).startswith(f"pack mine: {location}")


def test_what_is_no_toml_is_told() -> None:
    error = faulty("id = ")
    assert error.location == ""
    assert "not TOML" in str(error)


def test_a_file_that_cannot_be_read_is_told(tmp_path: Path) -> None:
    with pytest.raises(PackError, match=r"none\.toml: cannot be read"):
        read(tmp_path / "none.toml")
    (tmp_path / "bad.toml").write_bytes(b"id = '\xff'")
    with pytest.raises(PackError, match="not UTF-8 at byte 6"):
        read(tmp_path / "bad.toml")
    (tmp_path / "big.toml").write_bytes(b"#" * 1_000_001)
    with pytest.raises(PackError, match="larger than 1000000 bytes"):
        read(tmp_path / "big.toml")


def test_a_pack_of_ones_own_is_read_from_its_file(tmp_path: Path) -> None:
    (tmp_path / "mine.toml").write_text(TEXT)
    assert read(tmp_path / "mine.toml") == bundled(NAME)


def parts_in(folder: Path) -> Path:
    for part in PARTS:
        (folder / part.name).write_text(part.read_text("utf-8"))
    return folder


def test_a_pack_of_ones_own_is_read_from_its_folder(tmp_path: Path) -> None:
    assert read(parts_in(tmp_path)) == bundled(NAME)


def test_a_fault_is_told_with_the_part_that_holds_it(tmp_path: Path) -> None:
    part = parts_in(tmp_path) / "3-requests.toml"
    part.write_text(part.read_text().replace('stream_parameter = "stream"', "stream_parameter = 1"))
    with pytest.raises(PackError, match=r"3-requests\.toml: changes\[0\]\.params\.stream_par"):
        read(tmp_path)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("id = 'again'", r"pack 9\.toml: id: is said in 1-sdks\.toml already"),
        ("changes = 1", r"pack 9\.toml: changes: is said in 2-names\.toml already"),
        ("changes = [", r"pack 9\.toml: not TOML"),
        ("changes = ['a']", r"pack 9\.toml: changes\[0\]: Expected `object`, got `str`"),
        ("[more]", r"Object contains unknown field `more`"),
    ],
)
def test_a_part_that_does_not_fit_is_told(tmp_path: Path, text: str, message: str) -> None:
    (parts_in(tmp_path) / "9.toml").write_text(text)
    with pytest.raises(PackError, match=message):
        read(tmp_path)


def test_a_folder_without_parts_is_told(tmp_path: Path) -> None:
    with pytest.raises(PackError, match="a folder without TOML files"):
        read(tmp_path)


def test_an_unknown_pack_is_told_with_those_that_are_known() -> None:
    with pytest.raises(PackError, match=f"there is no such pack; bundled are: {NAME}"):
        bundled("nothing-to-nowhere")


def test_every_bundled_pack_is_one() -> None:
    assert NAME in names()
    for name in names():
        assert bundled(name).id == name


def test_the_tokens_are_those_of_the_bundled_packs() -> None:
    told = {token.encode() for name in names() for token in bundled(name).match.tokens}
    assert tokens() == tuple(sorted(told))


@pytest.mark.parametrize(
    "text",
    ["1", "'a'", "None", "types.X", "types.X(a=1)", "types.X(types.Y(), [1, 'b'])"],
)
def test_plain_expressions(text: str) -> None:
    assert is_plain(text)


@pytest.mark.parametrize(
    "text", ["", "a =", "1 + 1", "lambda: 1", "[x for x in y]", "a[0]", "f'{a}'", "a if b else c"]
)
def test_expressions_that_are_not_plain(text: str) -> None:
    assert not is_plain(text)
