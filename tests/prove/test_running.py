"""Programs run in one environment, and what is recorded of them."""

from __future__ import annotations

import textwrap
import threading
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from chatport.port.prove.environments import (
    Environment,
    Side,
    UnusableEnvironmentError,
    packages_of,
)
from chatport.port.prove.running import How, Program, Run, Worker
from chatport.testing.gemini_server import failure, text

Workers = Callable[[str], Worker]


LEGACY = """\
import google.generativeai as genai
genai.configure(api_key="the-key")
model = genai.GenerativeModel("gemini-1.5-flash")
"""
NEW = """\
from google import genai
client = genai.Client(api_key="the-key")
"""


@pytest.mark.parametrize(
    ("environment", "source"),
    [
        ("legacy", LEGACY + 'print(model.generate_content("Hi").text)'),
        *[
            (name, NEW + 'print(client.models.generate_content(model="m", contents="Hi").text)')
            for name in ("genai1", "genai2", "genai3")
        ],
    ],
)
def test_both_sides_reach_the_server_with_their_key_and_line(
    run: Callable[..., Run], environment: str, source: str
) -> None:
    done = run(source, on=environment)
    assert (done.how, done.stdout) == (How.RETURNED, "Answer 1: Hi\n")
    (exchange,) = done.exchanges
    assert exchange.method == "generateContent"
    assert exchange.headers["x-goog-api-key"] == "the-key"
    assert exchange.headers["x-chatport-line"].startswith("app.py:")


@pytest.mark.parametrize(
    "call",
    [
        'print(model.generate_content("Hi").text)',
        'print("".join(c.text for c in model.generate_content("Hi", stream=True)))',
        'import asyncio; print(asyncio.run(model.generate_content_async("Hi")).text)',
        """
    import asyncio
    async def main():
        stream = await model.generate_content_async("Hi", stream=True)
        print("".join([chunk.text async for chunk in stream]))
    asyncio.run(main())
        """,
    ],
    ids=["plain", "stream", "async", "async stream"],
)
@pytest.mark.parametrize("transport", ["None", "'rest'"])
def test_every_way_of_the_legacy_sdk_is_redirected(
    run: Callable[..., Run], call: str, transport: str
) -> None:
    if transport != "None" and "async" in call:
        call = 'print(model.generate_content("Hi").text)'  # a named transport is never async
    source = LEGACY.replace('api_key="the-key"', f'api_key="k", transport={transport}')
    done = run(source + textwrap.dedent(call), on="legacy")
    assert (done.stdout, done.stderr.count("Error")) == ("Answer 1: Hi\n", 0)
    assert len(done.exchanges) == 1


def test_what_is_not_ported_yet_is_redirected_on_the_new_side_too(
    run: Callable[..., Run], worker: Workers, tmp_path: Path
) -> None:
    both = replace(
        worker("genai3").environment,
        fallback=packages_of(worker("legacy").environment.python),
    )
    source = NEW + 'client.models.get(model="m")\n' + LEGACY + 'model.generate_content("Hi")'
    (tmp_path / "app.py").write_text(source)
    with Worker(both) as mixed:
        done = mixed.run(Program(tmp_path, path="app.py"))
    assert [one.method for one in done.exchanges] == ["models.get", "generateContent"], done.stderr


def test_the_low_level_clients_of_the_legacy_sdk_are_redirected(run: Callable[..., Run]) -> None:
    done = run(
        """
        import google.ai.generativelanguage as glm
        client = glm.ModelServiceClient(client_options={"api_key": "low"})
        print(next(iter(client.list_models())).name)
        """,
        on="legacy",
    )
    assert done.stdout == "models/gemini-1.5-flash\n"
    assert done.exchanges[0].headers["x-goog-api-key"] == "low"


def test_a_client_with_an_address_of_its_own_is_led_to_the_server(run: Callable[..., Run]) -> None:
    done = run(
        """
        from google import genai
        client = genai.Client(api_key="k", http_options={"base_url": "https://proxy.example"})
        print(client.models.generate_content(model="m", contents="Hi").text)
        """
    )
    assert done.stdout == "Answer 1: Hi\n"
    assert done.exchanges[0].headers["x-chatport-host"] == "proxy.example"


@pytest.mark.parametrize("environment", ["legacy", "genai3"])
def test_api_errors_end_a_program_with_their_code(
    run: Callable[..., Run], environment: str
) -> None:
    call = {
        "legacy": LEGACY + 'model.generate_content("Hi")',
        "genai3": NEW + 'client.models.generate_content(model="m", contents="Hi")',
    }[environment]
    done = run(call, on=environment, script=[failure(404)])
    assert (done.how, done.code) == (How.RAISED, 1)
    assert done.failure is not None
    assert done.failure.api_code == 404
    assert done.failure.line.startswith("app.py:")


@pytest.mark.parametrize("stream", [True, False])
def test_a_failure_is_met_by_the_class_of_its_status(run: Callable[..., Run], stream: bool) -> None:
    source = (
        LEGACY
        + f"""
from google.api_core.exceptions import ResourceExhausted
try:
    for chunk in model.generate_content("Hi", stream={stream}):
        print(chunk.text)
except ResourceExhausted:
    print("used up")
"""
    )
    done = run(source, on="legacy", script=[failure(429)])
    assert done.stdout == "used up\n"


def test_a_script_decides_the_answers_and_what_is_typed_comes_in(run: Callable[..., Run]) -> None:
    source = NEW + "print(input('? '), input('? '))\n"
    source += 'print(client.models.generate_content(model="m", contents="Hi").text)'
    done = run(source, script=[text("scripted")], typed=("one", "two"))
    assert done.stdout == "? ? one two\nscripted\n"


def test_executed_lines_are_recorded_even_when_the_program_dies(run: Callable[..., Run]) -> None:
    done = run("import os\nif 1:\n    pass\nelse:\n    x = 1\nos._exit(3)\ny = 2\n")
    assert (done.how, done.code) == (How.DIED, 3)
    assert done.lines["app.py"] >= {1, 3, 6}
    assert not done.lines["app.py"] & {5, 7}


def test_a_function_is_called_and_what_it_returns_is_kept(worker: Workers, tmp_path: Path) -> None:
    (tmp_path / "package").mkdir()
    (tmp_path / "package" / "__init__.py").touch()
    (tmp_path / "package" / "work.py").write_text(
        textwrap.dedent(
            """
            import dataclasses, enum
            class Colour(enum.Enum):
                RED = 1
            @dataclasses.dataclass
            class Point:
                x: int
            async def coroutine():
                return {"a": (1, b"x"), "b": [Point(2), Colour.RED, object()]}
            def stream():
                yield 1
                yield 2
            class Service:
                @staticmethod
                def start():
                    return "started"
            """
        )
    )
    call = lambda name: worker("genai3").run(Program(tmp_path, function=f"package.work:{name}"))  # noqa: E731
    assert call("coroutine").returned == {
        "a": [1, {"bytes": 1, "sha256": worker_digest()}],
        "b": [{"Point": {"x": 2}}, {"enum": "RED"}, {"object": "object"}],
    }
    assert call("stream").returned == [1, 2]
    assert call("Service.start").returned == "started"


def worker_digest() -> str:
    import hashlib

    return hashlib.sha256(b"x").hexdigest()


def test_a_command_is_run_with_guarded_pythons(worker: Workers, tmp_path: Path) -> None:
    (tmp_path / "app.py").write_text(NEW + 'print(client.models.get(model="m").name)\n')
    command = ("python", "-c", "import runpy; runpy.run_path('app.py')")
    done = worker("genai3").run(Program(tmp_path, command=command, traced=("app.py",)))
    assert (done.how, done.code, done.stdout) == (How.EXITED, 0, "models/m\n")
    assert [one.method for one in done.exchanges] == ["models.get"]
    assert done.lines["app.py"]


def test_runs_do_not_see_each_other(run: Callable[..., Run]) -> None:
    first = run("import os, sys, json\njson.x = 1\nos.environ['X'] = '1'\nsys.modules['y'] = json")
    second = run(
        "import os, sys, json\nprint(hasattr(json, 'x'), 'X' in os.environ, 'y' in sys.modules)"
    )
    assert (first.how, second.stdout) == (How.RETURNED, "False False False\n")


def test_polite_pauses_take_no_time(run: Callable[..., Run]) -> None:
    began = time.monotonic()
    done = run("import time, asyncio\ntime.sleep(3600)\nasyncio.run(asyncio.sleep(3600))")
    assert done.how is How.RETURNED
    assert time.monotonic() - began < 60


def test_a_worker_comes_back_after_it_was_lost(run: Callable[..., Run], worker: Workers) -> None:
    assert run("pass").how is How.RETURNED
    process = worker("genai3")._process
    assert process is not None
    process.kill()
    process.wait()
    assert run("pass").how is How.RETURNED


def test_a_program_ends_with_the_worker_that_started_it(worker: Workers, tmp_path: Path) -> None:
    (tmp_path / "app.py").write_text(
        "import os\nopen('pid', 'w').write(str(os.getpid()))\nwhile True: pass"
    )
    with Worker(worker("genai3").environment) as lost:
        running = threading.Thread(target=lost.run, args=(Program(tmp_path, path="app.py"),))
        running.start()
        written = tmp_path / "pid"
        while not (written.exists() and written.read_text()):
            time.sleep(0.01)
        assert lost._process is not None
        lost._process.kill()
        running.join()
        number = int(written.read_text())
        patience = time.monotonic() + 10
        while runs(number) and time.monotonic() < patience:
            time.sleep(0.01)
        assert not runs(number)


def runs(number: int) -> bool:
    """Whether a process is there and no zombie: that is all its new parent has to see to."""
    try:
        return "zombie" not in Path(f"/proc/{number}/status").read_text()
    except OSError:
        return False


def test_an_environment_without_the_sdk_is_named(worker: Workers, tmp_path: Path) -> None:
    legacy = worker("legacy").environment
    wrong = Environment("mine", Side.NEW, legacy.python, "?")
    with Worker(wrong) as mistaken, pytest.raises(UnusableEnvironmentError) as problem:
        mistaken.run(Program(tmp_path, path="app.py"))
    assert str(problem.value).startswith("mine: google.genai: ")
