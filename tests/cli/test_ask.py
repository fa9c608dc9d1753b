"""`chatport ask` and `chatport models`."""

from __future__ import annotations

import io
import json
from pathlib import Path

import pytest

from chatport.cli.ask import MODEL_VARIABLE
from chatport.providers.discovery import PROVIDERS
from chatport.testing.anthropic_server import anthropic_server
from chatport.testing.gemini_server import gemini_server
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
    assert "the answer broke off: the server closed the connection" in result.err


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


@pytest.fixture
def _no_keys(monkeypatch: pytest.MonkeyPatch) -> None:
    for provider in PROVIDERS.values():
        for name in provider.variables:
            monkeypatch.delenv(name, raising=False)


@pytest.mark.usefixtures("_no_keys")
def test_without_keys_it_is_said_where_they_are_looked_for_and_nobody_is_asked(
    chatport: Command,
) -> None:
    result = chatport("models")
    assert (result.code, result.err) == (0, "")
    assert "anthropic:claude-sonnet-4-5" in result.out
    assert "no key: set ANTHROPIC_API_KEY" in result.out
    assert "no key: set GOOGLE_API_KEY or GEMINI_API_KEY" in result.out


@pytest.mark.usefixtures("_no_keys")
def test_the_providers_there_are_keys_for_are_asked_for_their_models(
    chatport: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    with openai_server() as openai, anthropic_server() as anthropic, gemini_server() as gemini:
        monkeypatch.setenv("OPENAI_API_KEY", "secret")
        monkeypatch.setenv("OPENAI_BASE_URL", openai.url)
        monkeypatch.setenv("ANTHROPIC_API_KEY", "secret")
        monkeypatch.setenv("ANTHROPIC_BASE_URL", anthropic.url)
        monkeypatch.setenv("GEMINI_API_KEY", "secret")
        monkeypatch.setenv("GOOGLE_GEMINI_BASE_URL", gemini.url)
        result = chatport("models")
    assert (result.code, result.err) == (0, "")
    assert "key in OPENAI_API_KEY" in result.out
    assert "\nopenai:loopback-large\nopenai:loopback-small\n" in result.out
    assert "openai-responses:loopback" not in result.out
    assert "\nanthropic:" in result.out.partition("PROVIDER\n")[2]
    assert "\ngemini:gemini-2.5-flash\n" in result.out.partition("PROVIDER\n")[2]
    assert "secret" not in result.out


@pytest.mark.usefixtures("_no_keys")
def test_one_provider_is_asked_by_its_name_and_address(chatport: Command) -> None:
    with openai_server() as server:
        result = chatport("models", f"openai+{server.url}")
    assert (result.code, result.err) == (0, "")
    assert result.out.splitlines() == [
        f"openai+{server.url}:loopback-large",
        f"openai+{server.url}:loopback-small",
    ]


@pytest.mark.usefixtures("_no_keys")
@pytest.mark.parametrize(
    ("name", "code", "said"),
    [
        ("openai", 2, "there is no key for openai: set OPENAI_API_KEY in the environment"),
        ("openai+http://127.0.0.1:9/v1", 1, "http://127.0.0.1:9/v1"),
        ("opena", 2, "did you mean 'openai'?"),
        ("vertex", 2, "there is no project: set GOOGLE_CLOUD_PROJECT"),
    ],
)
def test_a_provider_that_cannot_be_asked_is_told(
    chatport: Command, name: str, code: int, said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("GOOGLE_CLOUD_PROJECT", raising=False)
    result = chatport("models", name)
    assert (result.code, result.out) == (code, "")
    assert said in result.err


@pytest.mark.usefixtures("_no_keys")
@pytest.mark.parametrize(
    ("model", "said"),
    [
        ("openai:m", "there is no key for openai: set OPENAI_API_KEY in the environment (export"),
        ("openai:m", "or name the variable that has it with --key-variable"),
        ("gemini:m", "set GOOGLE_API_KEY or GEMINI_API_KEY in the environment (export GOOGLE"),
        ("openai+http://127.0.0.1:9/v1:m", "refused (http://127.0.0.1:9/v1)"),
    ],
)  # fmt: skip
def test_what_stands_between_a_question_and_an_answer_is_told_with_what_to_do(
    chatport: Command, model: str, said: str
) -> None:
    result = chatport("ask", "-m", model, "hello")
    assert (result.code, result.out) == (2, "")
    assert said in result.err
