"""What each SDK does when nobody says: the facts that ports, warnings and the table rest on."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import pytest

from chatport.port.prove.calls import decode
from chatport.port.prove.pair import SCRIPT_NAME
from chatport.port.prove.running import Program, Run, Worker
from chatport.testing.gemini_server import Answer, failure, function_call, text

Workers = Callable[[str], Worker]
ALL = ("legacy", "genai1", "genai2", "genai3")
NEW = ALL[1:]


@dataclass(frozen=True, slots=True)
class Snippet:
    """The same few lines for either SDK."""

    legacy: str
    new: str

    def on(self, environment: str) -> str:
        return self.legacy if environment == "legacy" else self.new


ASK = Snippet(
    "import google.generativeai as genai\n"
    'print(genai.GenerativeModel("g").generate_content("Hi").text)\n',
    "from google import genai\nclient = genai.Client()\n"
    'print(client.models.generate_content(model="g", contents="Hi").text)\n',
)
FUNCTION = 'def look_up(city: str) -> str:\n    """Look up."""\n    print("ran")\n    return "x"\n'
CHAT_WITH_FUNCTION = Snippet(
    FUNCTION
    + "import google.generativeai as genai\n"
    + 'genai.GenerativeModel("g", tools=[look_up]).start_chat().send_message("CALL")\n',
    FUNCTION
    + "from google import genai\nclient = genai.Client()\n"
    + 'client.chats.create(model="g", config={"tools": [look_up]}).send_message("CALL")\n',
)
EAGER_CHAT = Snippet(
    CHAT_WITH_FUNCTION.legacy.replace(
        "start_chat()", "start_chat(enable_automatic_function_calling=True)"
    ),
    CHAT_WITH_FUNCTION.new,
)


@pytest.fixture
def run(worker: Workers, tmp_path_factory: pytest.TempPathFactory) -> Callable[..., Run]:
    def run_on(environment: str, snippet: Snippet, *script: Answer) -> Run:
        folder = tmp_path_factory.mktemp("program")
        (folder / SCRIPT_NAME).write_text(snippet.on(environment))
        return worker(environment).run(Program(folder, path=SCRIPT_NAME), script)

    return run_on


@pytest.mark.parametrize(
    ("environment", "version"),
    [("legacy", "v1beta"), ("genai1", "v1beta"), ("genai2", "v1beta"), ("genai3", "v1")],
)
def test_version_of_the_api(run: Callable[..., Run], environment: str, version: str) -> None:
    (call,) = decode(run(environment, ASK).exchanges)
    assert call.version == version


@pytest.mark.parametrize(
    ("environment", "deadline"), [("legacy", 600.0), *[(name, None) for name in NEW]]
)
def test_deadline(run: Callable[..., Run], environment: str, deadline: float | None) -> None:
    (call,) = decode(run(environment, ASK).exchanges)
    assert call.deadline == deadline


@pytest.mark.parametrize(
    ("environment", "key"),
    [("legacy", "fake-gemini-key"), *[(name, "fake-google-key") for name in NEW]],
)
def test_which_key_of_the_environment(run: Callable[..., Run], environment: str, key: str) -> None:
    (call,) = decode(run(environment, ASK).exchanges)
    assert call.key == key


@pytest.mark.parametrize("environment", ALL)
def test_too_many_requests_are_not_tried_again(run: Callable[..., Run], environment: str) -> None:
    done = run(environment, ASK, *failure(429))
    assert (len(done.exchanges), done.failure is not None) == (1, True)


@pytest.mark.parametrize(("environment", "requests"), [("legacy", 3), *[(n, 1) for n in NEW]])
def test_only_the_legacy_sdk_tries_again_when_the_service_is_unavailable(
    run: Callable[..., Run], environment: str, requests: int
) -> None:
    done = run(environment, ASK, *failure(503, times=2), text("done"))
    assert len(done.exchanges) == requests
    assert (done.stdout == "done\n") is (environment == "legacy")


@pytest.mark.parametrize(("environment", "times"), [("legacy", 0), *[(n, 1) for n in NEW]])
def test_functions_are_run_without_being_asked_only_by_google_genai(
    run: Callable[..., Run], environment: str, times: int
) -> None:
    done = run(environment, CHAT_WITH_FUNCTION)
    assert (done.stdout.count("ran"), len(done.exchanges)) == (times, times + 1)


@pytest.mark.parametrize("environment", ALL)
def test_functions_that_may_be_run_are_run_once_for_each_call(
    run: Callable[..., Run], environment: str
) -> None:
    asked = function_call("look_up", {"city": "Oslo"})
    done = run(environment, EAGER_CHAT, asked, asked, text("done"))
    assert (done.stdout.count("ran"), len(done.exchanges)) == (2, 3)


@pytest.mark.parametrize("environment", NEW)
def test_google_genai_stops_running_functions_after_ten_requests(
    run: Callable[..., Run], environment: str
) -> None:
    endless = [function_call("look_up", {"city": "Oslo"})] * 20
    assert len(run(environment, EAGER_CHAT, *endless).exchanges) == 10
    assert len(run("legacy", EAGER_CHAT, *endless).exchanges) == 21
