"""The loopback Gemini server, spoken to over plain HTTP."""

from __future__ import annotations

import contextlib
import http.client
import json
import threading
import time
import urllib.error
import urllib.request
from typing import Any

import pytest

from chatport.testing.gemini_server import (
    Answer,
    GeminiServer,
    blocked,
    cut,
    failure,
    function_call,
    gemini_server,
    main,
    malformed,
    meant_for,
    no_candidates,
    slow,
    stopped,
    text,
)

GENERATE = "/v1beta/models/gemini-2.5-flash:generateContent"
STREAM = "/v1beta/models/gemini-2.5-flash:streamGenerateContent"
OPENER = urllib.request.build_opener(urllib.request.ProxyHandler({}))


def ask(
    server: GeminiServer,
    path: str,
    body: object = None,
    verb: str = "POST",
    headers: dict[str, str] | None = None,
) -> tuple[int, bytes, Any]:
    data = body if isinstance(body, bytes) else json.dumps(body).encode() if body else None
    url = path if path.startswith("http") else server.url + path
    request = urllib.request.Request(url, data, headers or {}, method=verb)
    try:
        with OPENER.open(request, timeout=10) as response:
            return response.status, response.read(), response.headers
    except urllib.error.HTTPError as refusal:
        return refusal.code, refusal.read(), refusal.headers


def said(*texts: str) -> dict[str, Any]:
    """A request: turns of user and model, the user first."""
    roles = ("user", "model")
    turns = [{"role": roles[i % 2], "parts": [{"text": t}]} for i, t in enumerate(texts)]
    return {"contents": turns}


def answer_text(content: bytes) -> str:
    return str(json.loads(content)["candidates"][0]["content"]["parts"][0]["text"])


def test_text_answers_with_the_turn_and_what_was_said() -> None:
    with gemini_server() as server:
        status, content, _ = ask(server, GENERATE, said("Hi", "Hello", "How are you?"))
        assert (status, answer_text(content)) == (200, "Answer 2: How are you?")
        assert json.loads(content)["usageMetadata"]["totalTokenCount"] > 0


@pytest.mark.parametrize(("status", "word"), [(400, "INVALID_ARGUMENT"), (500, "INTERNAL")])
def test_a_prompt_may_ask_for_a_failure(status: int, word: str) -> None:
    with gemini_server() as server:
        answered, content, _ = ask(server, GENERATE, said(f"Please HTTP_{status}."))
        assert (answered, json.loads(content)["error"]["status"]) == (status, word)


@pytest.mark.parametrize("version", ["v1", "v1beta"])
def test_both_versions_are_served_and_recorded(version: str) -> None:
    with gemini_server() as server:
        ask(server, f"/{version}/models/m:generateContent", said("Hi"))
        (exchange,) = server.exchanges
        assert exchange.route is not None
        assert (exchange.route.version, exchange.method) == (version, "generateContent")
        assert exchange.route.name == "models/m"


def test_a_stream_is_the_plain_answer_in_pieces_in_either_framing() -> None:
    with gemini_server() as server:
        request = said("one two three four five six")
        whole = answer_text(ask(server, GENERATE, request)[1])
        _, sse, headers = ask(server, f"{STREAM}?alt=sse", request)
        _, array, _ = ask(server, STREAM, request)
    events = [json.loads(line[6:]) for line in sse.decode().split("\r\n") if line]
    assert headers["Content-Type"] == "text/event-stream"
    assert events == json.loads(array)
    assert len(events) == 3
    assert "".join(answer_text(json.dumps(event).encode()) for event in events) == whole


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ({"contents": [{"parts": [{"text": "Hi"}]}]}, said("Hi")),
        ({"contents": [{"role": "user", "parts": [{"text": "H"}, {"text": "i"}]}]}, None),
        ({**said("Hi"), "generationConfig": {}, "tools": []}, said("Hi")),
        (
            {"contents": [{"parts": [{"inline_data": {"mime_type": "a/b", "data": "-_"}}]}]},
            {"contents": [{"parts": [{"inlineData": {"mimeType": "a/b", "data": "+/=="}}]}]},
        ),
    ],
)
def test_answers_do_not_depend_on_spelling(
    one: dict[str, Any], other: dict[str, Any] | None
) -> None:
    with gemini_server() as server:
        first = ask(server, GENERATE, one)[1]
        second = ask(server, GENERATE, other or one)[1]
        assert first == second
        assert other is None or server.exchanges[0].content != server.exchanges[1].content


def test_the_body_of_an_exchange_is_spelled_one_way() -> None:
    with gemini_server() as server:
        part = {"inline_data": {"mime_type": "image/png", "data": "-_8"}}
        call = {"function_call": {"name": "f", "args": {"snake_key": {"data": "-_8"}}}}
        ask(server, GENERATE, {"contents": [{"parts": [part, call]}]})
        body = server.exchanges[0].body
    assert body == {
        "contents": [
            {
                "parts": [
                    {"inlineData": {"mimeType": "image/png", "data": "+/8="}},
                    {"functionCall": {"name": "f", "args": {"snake_key": {"data": "-_8"}}}},
                ]
            }
        ]
    }


SCHEMA = {
    "type": "OBJECT",
    "properties": {
        "name": {"type": "STRING"},
        "age": {"type": "integer"},
        "tags": {"type": "ARRAY", "items": {"type": "STRING", "enum": ["a", "b"]}},
        "maybe": {"anyOf": [{"type": "null"}, {"type": "number"}]},
    },
}
SAMPLE = {"name": "text", "age": 3, "tags": ["a"], "maybe": 1.5}


def test_a_request_for_json_gets_a_value_of_its_schema() -> None:
    config = {"responseMimeType": "application/json", "responseSchema": SCHEMA}
    with gemini_server() as server:
        _, content, _ = ask(server, GENERATE, {**said("Hi"), "generationConfig": config})
    assert json.loads(answer_text(content)) == SAMPLE


@pytest.mark.parametrize("field", ["parameters", "parametersJsonSchema"])
def test_a_declared_function_is_called_once_with_arguments_of_its_schema(field: str) -> None:
    tools = [{"functionDeclarations": [{"name": "f", field: SCHEMA}]}]
    call = {"functionCall": {"name": "f", "args": SAMPLE}}
    result = {"functionResponse": {"name": "f", "response": {"result": 1}}}
    with gemini_server() as server:
        asked = said("Hi, CALL")
        _, first, _ = ask(server, GENERATE, {**asked, "tools": tools})
        turns = [{"role": "model", "parts": [call]}, {"role": "user", "parts": [result]}]
        _, second, _ = ask(
            server, GENERATE, {"contents": asked["contents"] + turns, "tools": tools}
        )
        off = {"functionCallingConfig": {"mode": "NONE"}}
        _, never, _ = ask(server, GENERATE, {**asked, "tools": tools, "toolConfig": off})
    assert json.loads(first)["candidates"][0]["content"]["parts"] == [call]
    assert answer_text(second).startswith("Answer 2")
    assert answer_text(never) == "Answer 1: Hi, CALL"


@pytest.mark.parametrize(
    ("prompt", "mode", "eager", "called"),
    [
        ("Hi", "AUTO", False, False),
        ("Hi", "AUTO", True, True),
        ("Hi", "any", False, True),
        ("What is look_up good for?", "AUTO", False, True),
    ],
)
def test_a_function_is_called_when_there_is_a_reason(
    prompt: str, mode: str, eager: bool, called: bool
) -> None:
    request = {
        **said(prompt),
        "tools": [{"functionDeclarations": [{"name": "look_up"}]}],
        "toolConfig": {"functionCallingConfig": {"mode": mode}},
    }
    with gemini_server(eager=eager) as server:
        _, content, _ = ask(server, GENERATE, request)
    assert (b"functionCall" in content) is called


def test_counting_unwraps_the_generate_request() -> None:
    request = {**said("12345678"), "systemInstruction": {"parts": [{"text": "1234"}]}}
    with gemini_server() as server:
        path = "/v1beta/models/m:countTokens"
        plain = json.loads(ask(server, path, said("12345678"))[1])
        wrapped = json.loads(ask(server, path, {"generateContentRequest": request})[1])
    assert (plain, wrapped) == ({"totalTokens": 2}, {"totalTokens": 3})


def test_embedding_is_the_same_alone_and_in_a_batch() -> None:
    request = {"model": "models/e", "content": {"parts": [{"text": "a"}]}}
    sized = {**request, "outputDimensionality": 3}
    with gemini_server() as server:
        one = json.loads(ask(server, "/v1/models/e:embedContent", request)[1])
        batch = json.loads(
            ask(server, "/v1/models/e:batchEmbedContents", {"requests": [request, sized]})[1]
        )
    vector = one["embedding"]["values"]
    assert len(vector) == 8
    assert batch == {"embeddings": [{"values": vector}, {"values": vector[:3]}]}


def test_models_are_listed_in_pages_and_found_by_name() -> None:
    with gemini_server() as server:
        first = json.loads(ask(server, "/v1beta/models?pageSize=4", verb="GET")[1])
        token = first["nextPageToken"]
        rest = json.loads(
            ask(server, f"/v1beta/models?pageSize=4&pageToken={token}", verb="GET")[1]
        )
        found = json.loads(ask(server, "/v1beta/models/gemini-2.5-pro", verb="GET")[1])
        lost, _, _ = ask(server, "/v1beta/models/missing", verb="GET")
    assert [len(page["models"]) for page in (first, rest)] == [4, 2]
    assert found in first["models"] + rest["models"]
    assert lost == 404


def upload_in_one_piece(server: GeminiServer) -> dict[str, Any]:
    headers = {
        "X-Goog-Upload-Protocol": "resumable",
        "X-Goog-Upload-Command": "start",
        "X-Goog-Upload-Header-Content-Type": "text/plain",
    }
    _, _, started = ask(
        server, "/upload/v1beta/files", {"file": {"display_name": "D"}}, headers=headers
    )
    final = {"X-Goog-Upload-Command": "upload, finalize", "X-Goog-Upload-Offset": "0"}
    _, content, ended = ask(server, started["X-Goog-Upload-URL"], b"hello", headers=final)
    assert ended["X-Goog-Upload-Status"] == "final"
    return dict(json.loads(content)["file"])


def upload_in_ranges(server: GeminiServer) -> dict[str, Any]:
    path = "/resumable/upload/v1beta/files?uploadType=resumable"
    headers = {"X-Upload-Content-Type": "text/plain"}
    _, _, started = ask(server, path, {"file": {"displayName": "D"}}, headers=headers)
    where = started["Location"]
    status, _, between = ask(server, where, b"hel", "PUT", {"Content-Range": "bytes 0-2/5"})
    assert (status, between["Range"]) == (308, "bytes=0-2")
    _, content, _ = ask(server, where, b"lo", "PUT", {"Content-Range": "bytes 3-4/5"})
    return dict(json.loads(content)["file"])


def upload_as_multipart(server: GeminiServer) -> dict[str, Any]:
    body = (
        b'--x\r\nContent-Type: application/json\r\n\r\n{"file": {"displayName": "D"}}\r\n'
        b"--x\r\nContent-Type: text/plain\r\n\r\nhello\r\n--x--"
    )
    path = "/upload/v1beta/files?uploadType=multipart"
    kind = {"Content-Type": 'multipart/related; boundary="x"'}
    return dict(json.loads(ask(server, path, body, headers=kind)[1])["file"])


def test_every_upload_protocol_makes_the_same_file() -> None:
    made = []
    for upload in (upload_in_one_piece, upload_in_ranges, upload_as_multipart):
        with gemini_server() as server:
            made.append(upload(server))
    assert made[0] == made[1] == made[2]
    wanted = {"displayName": "D", "mimeType": "text/plain", "sizeBytes": "5", "state": "ACTIVE"}
    assert wanted.items() <= made[0].items()


def test_files_are_listed_and_deleted() -> None:
    with gemini_server() as server:
        name = upload_in_one_piece(server)["name"]
        listed = json.loads(ask(server, "/v1beta/files", verb="GET")[1])
        ask(server, f"/v1beta/{name}", verb="DELETE")
        gone, _, _ = ask(server, f"/v1beta/{name}", verb="GET")
        never_made, _, _ = ask(server, "/v1beta/files/made-elsewhere", verb="GET")
    assert [one["name"] for one in listed["files"]] == [name]
    assert (gone, never_made) == (404, 200)


def test_cached_contents_are_created_changed_and_read() -> None:
    with gemini_server() as server:
        path = "/v1beta/cachedContents"
        made = json.loads(ask(server, path, {"model": "models/m", "displayName": "D"})[1])
        where = f"/v1beta/{made['name']}"
        ask(server, where, {"expireTime": "2026-01-01T00:00:00Z"}, "PATCH")
        read = json.loads(ask(server, where, verb="GET")[1])
    assert read == {**made, "expireTime": "2026-01-01T00:00:00Z"}
    assert read["displayName"] == "D"


CANNED: list[tuple[str, Answer, dict[str, Any]]] = [
    ("chunks", text("a", "b"), {"candidates": [{"content": {"parts": [{"text": "ab"}]}}]}),
    (
        "call",
        function_call("f", {"x": 1}),
        {
            "candidates": [
                {"content": {"parts": [{"functionCall": {"name": "f", "args": {"x": 1}}}]}}
            ]
        },
    ),
    ("blocked", blocked("OTHER"), {"promptFeedback": {"blockReason": "OTHER"}}),
    ("stopped", stopped("SAFETY"), {"candidates": [{"finishReason": "SAFETY"}]}),
    ("empty", no_candidates(), {"usageMetadata": {"totalTokenCount": 8}}),
]


def holds(value: Any, wanted: Any) -> bool:
    if isinstance(wanted, dict):
        return all(key in value and holds(value[key], inner) for key, inner in wanted.items())
    if isinstance(wanted, list):
        return len(value) == len(wanted) and all(map(holds, value, wanted))
    return bool(value == wanted)


@pytest.mark.parametrize(
    ("answer", "wanted"), [row[1:] for row in CANNED], ids=[row[0] for row in CANNED]
)
def test_a_canned_answer_is_given_once(answer: Answer, wanted: dict[str, Any]) -> None:
    with gemini_server([answer]) as server:
        first = json.loads(ask(server, GENERATE, said("Hi"))[1])
        second = ask(server, GENERATE, said("Hi"))[1]
    assert holds(first, wanted)
    assert answer_text(second) == "Answer 1: Hi"


@pytest.mark.parametrize("status", [429, 500, 503])
def test_failures_come_before_success(status: int) -> None:
    with gemini_server([failure(status, times=2), text("done")]) as server:
        answers = [ask(server, GENERATE, said("Hi")) for _ in range(3)]
    assert [one[0] for one in answers] == [status, status, 200]
    assert json.loads(answers[0][1])["error"]["code"] == status
    assert answer_text(answers[2][1]) == "done"


def test_a_script_leaves_other_methods_alone_unless_meant_for_them() -> None:
    script = [text("scripted"), meant_for(failure(429)[0], "countTokens")]
    with gemini_server(script) as server:
        count, _, _ = ask(server, "/v1/models/m:countTokens", said("Hi"))
        assert count == 429
        assert answer_text(ask(server, GENERATE, said("Hi"))[1]) == "scripted"


def test_a_cut_connection_ends_in_the_middle() -> None:
    with gemini_server([cut(text("a", "b"), after=1), cut(text("a"))]) as server:
        for path in (f"{STREAM}?alt=sse", GENERATE):
            with pytest.raises((http.client.IncompleteRead, http.client.HTTPException)):
                ask(server, path, said("Hi"))
        assert len(server.exchanges) == 2


def test_malformed_json_arrives_whole() -> None:
    with gemini_server([malformed()]) as server:
        status, content, _ = ask(server, GENERATE, said("Hi"))
    assert status == 200
    with pytest.raises(json.JSONDecodeError):
        json.loads(content)


def test_a_slow_answer_is_given_up_when_the_server_closes() -> None:
    began = time.monotonic()

    def wait() -> None:
        with contextlib.suppress(OSError, http.client.HTTPException):  # closed before the answer
            ask(server, GENERATE, said("Hi"))

    with gemini_server([slow(text("late"), delay=60)]) as server:
        waiting = threading.Thread(target=wait)
        waiting.start()
        while not server.exchanges:
            time.sleep(0.005)
    waiting.join()
    assert time.monotonic() - began < 30


def test_what_the_api_does_not_know_is_refused_and_recorded() -> None:
    with gemini_server() as server:
        unknown, _, _ = ask(server, "/v1beta/nothing/here", verb="GET")
        broken, content, _ = ask(server, GENERATE, b"{")
        empty, _, _ = ask(server, GENERATE, {"contents": []})
        assert (unknown, broken, empty) == (404, 400, 400)
        assert json.loads(content)["error"]["status"] == "INVALID_ARGUMENT"
        assert [one.method for one in server.exchanges] == ["", *["generateContent"] * 2]


def test_strangers_are_kept_out_by_a_prefix() -> None:
    with gemini_server(prefix="/secret") as server:
        assert server.url.endswith("/secret")
        stranger, _, _ = ask(server, server.url.removesuffix("/secret") + GENERATE, said("Hi"))
        welcome, _, _ = ask(server, GENERATE, said("Hi"))
        assert upload_in_one_piece(server)["displayName"] == "D"
        assert (stranger, welcome) == (404, 200)
        assert [one.path for one in server.exchanges][:1] == [GENERATE]
        assert len(server.exchanges) == 3


def test_reset_forgets_everything() -> None:
    with gemini_server([text("scripted")]) as server:
        name = upload_in_one_piece(server)["name"]
        server.reset()
        assert server.exchanges == ()
        assert answer_text(ask(server, GENERATE, said("Hi"))[1]) == "Answer 1: Hi"
        listed = json.loads(ask(server, "/v1beta/files", verb="GET")[1])
        assert name not in json.dumps(listed)


def test_the_command_names_a_script_it_cannot_read(
    tmp_path: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    script = tmp_path / "script.json"
    script.write_text('[{"txt": "a"}]')
    with pytest.raises(SystemExit) as ended:
        main(["--script", str(script)])
    assert ended.value.code == 2
    assert "script[0]: unknown key 'txt'" in capsys.readouterr().err
