"""`chatport ask` and `chatport models`."""

from __future__ import annotations

import io
import json
from pathlib import Path

import pytest

from chatport.cli.ask import MODEL_VARIABLE
from chatport.testing.openai_server import OpenAIServer, cut, failure, openai_server, refusal, text
from tests.cli.conftest import Command

SCHEMA = {"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"]}


@pytest.fixture(autouse=True)
def no_pipe(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO(""))
    monkeypatch.delenv(MODEL_VARIABLE, raising=False)
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)


def at(server: OpenAIServer) -> str:
    return f"openai+{server.url}:some/model:7b"


def test_an_echo_needs_nothing(chatport: Command) -> None:
    result = chatport("ask", "-m", "echo", "hello", "there")
    assert (result.code, result.out, result.err) == (0, "hello there\n", "")


def test_the_model_may_come_from_the_environment(
    chatport: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(MODEL_VARIABLE, "echo")
    assert chatport("ask", "hello").out == "hello\n"


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["Sum up:"], "Sum up:\n\none\ntwo\n"),
        ([], "one\ntwo\n"),
        (["-"], "one\ntwo\n"),
        (["a", "-", "b"], "a b\n\none\ntwo\n"),
    ],
)
def test_what_is_piped_in_follows_the_question(
    chatport: Command, monkeypatch: pytest.MonkeyPatch, words: list[str], said: str
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("one\ntwo\n"))
    assert chatport("ask", "-m", "echo", *words).out == said


def test_everything_said_is_sent(chatport: Command, tmp_path: Path) -> None:
    image = tmp_path / "cat.png"
    image.write_bytes(b"png")
    schema = tmp_path / "a number.json"
    schema.write_text(json.dumps(SCHEMA))
    with openai_server([text('{"n": 3}')]) as server:
        result = chatport(
            *("ask", "-m", at(server), "--system", "Be brief.", "--image", str(image)),
            *("--schema", str(schema), "How many?"),
        )
    body = server.exchanges[0].body
    assert (result.code, result.out) == (0, '{"n": 3}\n')
    assert body["model"] == "some/model:7b"
    assert body["messages"] == [
        {"role": "system", "content": "Be brief."},
        {
            "role": "user",
            "content": [
                {"type": "text", "text": "How many?"},
                {"type": "image_url", "image_url": {"url": "data:image/png;base64,cG5n"}},
            ],
        },
    ]
    asked = {"name": "a_number", "schema": SCHEMA}
    assert body["response_format"] == {"type": "json_schema", "json_schema": asked}
    assert "authorization" not in server.exchanges[0].headers


def test_the_whole_response_is_printed_as_json(chatport: Command) -> None:
    printed = json.loads(chatport("ask", "-m", "echo", "--json", "hello").out)
    assert printed["output"]["message"]["parts"] == [{"kind": "text", "text": "hello"}]
    assert printed["metadata"]["usage"] == {"input_tokens": 1, "output_tokens": 1}


def test_a_key_is_taken_from_the_variable_that_is_named(
    chatport: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OTHER_KEY", "secret")
    with openai_server() as server:
        chatport("ask", "-m", at(server), "--key-variable", "OTHER_KEY", "hello")
    assert server.exchanges[0].headers["authorization"] == "Bearer secret"


@pytest.mark.parametrize(
    ("answer", "code", "out", "err"),
    [
        (text("half", finish="length"), 1, "half\n", "chatport: the model ended with length\n"),
        (refusal("No."), 1, "", "chatport: the model refused: No.\n"),
        (
            failure(401, "Not this")[0],
            2,
            "",
            "chatport: error: openai 401 invalid_request_error: Not this (request req_loopback)\n",
        ),
    ],
)
def test_an_answer_that_is_not_whole_is_told(
    chatport: Command, answer: object, code: int, out: str, err: str
) -> None:
    with openai_server([answer]) as server:  # type: ignore[list-item]
        result = chatport("ask", "-m", at(server), "hello")
    assert (result.code, result.out, result.err) == (code, out, err)


def test_what_came_of_a_cut_stream_stays_and_the_cut_is_told(chatport: Command) -> None:
    with openai_server([cut(text("one ", "two"), 2)]) as server:
        result = chatport("ask", "-m", at(server), "hello")
    assert (result.code, result.out) == (2, "one \n")
    assert "closed connection" in result.err


def test_an_answer_that_breaks_the_schema_is_told(chatport: Command, tmp_path: Path) -> None:
    schema = tmp_path / "s.json"
    schema.write_text(json.dumps(SCHEMA))
    result = chatport("ask", "-m", "echo", "--schema", str(schema), '{"n": "3"}')
    assert (result.code, result.out) == (2, "")
    assert "does not conform to the schema: n: " in result.err
    assert chatport("ask", "-m", "echo", "--schema", str(schema), '{"n": 3}').out == '{"n": 3}\n'


@pytest.mark.parametrize(
    ("words", "problem"),
    [
        (["hello"], "-m echo needs no key and no network"),
        (["-m", "echo"], "what is the question?"),
        (["-m", "opena:gpt", "hello"], "did you mean 'openai'?"),
        (["-m", "openai", "hello"], "'openai' lacks the model"),
        (["-m", "openai+ftp://x:y", "hello"], "names no model"),
        (["-m", "openai:gpt", "hello"], "set OPENAI_API_KEY"),
        (["-m", "echo", "--image", "missing.png", "hello"], "missing.png: cannot be read"),
        (["-m", "echo", "--image", "missing", "hello"], "the ending does not say"),
        (["-m", "echo", "--schema", "missing.json", "hello"], "missing.json: cannot be read"),
        (["-m", "echo", "--schema", __file__, "hello"], "not a JSON schema"),
        (["-m", "echo", "--key-variable", "NO_SUCH", "hello"], "the environment has no NO_SUCH"),
    ],
)
def test_what_cannot_be_asked_is_told_with_what_to_do(
    chatport: Command, words: list[str], problem: str
) -> None:
    result = chatport("ask", *words)
    assert (result.code, result.out) == (2, "")
    assert problem in result.err
    assert "Traceback" not in result.err
    assert "internal error" not in result.err


def test_models_are_listed_with_where_their_keys_are(
    chatport: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "secret")
    monkeypatch.delenv("ANTHROPIC_API_KEY", raising=False)
    result = chatport("models")
    assert result.code == 0
    assert "openai:gpt-4.1-mini" in result.out
    assert "key in OPENAI_API_KEY" in result.out
    assert "no key: set ANTHROPIC_API_KEY" in result.out
    assert "secret" not in result.out
