"""Programs run in one environment: what is recorded, and what a hostile one can do."""

from __future__ import annotations

import os
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
from chatport.port.prove.running import How, Limits, Program, Run, Worker
from chatport.testing.gemini_server import failure, text

Workers = Callable[[str], Worker]


@pytest.fixture
def run(worker: Workers, tmp_path: Path) -> Callable[..., Run]:
    """Run the source of a script on google-genai 3."""

    def run_source(
        source: str, *, on: str = "genai3", seconds: float = 20.0, **options: object
    ) -> Run:
        (tmp_path / "app.py").write_text(textwrap.dedent(source))
        limits = Limits(seconds, output_bytes=100_000)
        script = options.pop("script", ())
        program = Program(tmp_path, path="app.py", traced=("app.py",), **options)  # type: ignore[arg-type]
        return worker(on).run(program, script, limits)  # type: ignore[arg-type]

    return run_source


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


HANGS = {
    "sleeps in a loop": "import time\nwhile True: time.sleep(60)",
    "computes": "while True: pass",
    "reads stdin": "import sys\nwhile True: sys.stdin.readline()",
    "thread": "import threading, time\n"
    "def work():\n    while True: time.sleep(1)\nthreading.Thread(target=work).start()",
    "event loop": "import asyncio\nasyncio.new_event_loop().run_forever()",
    "ignores signals": "import signal\n"
    "for n in (2, 15): signal.signal(n, signal.SIG_IGN)\nwhile True: pass",
    "catches everything": "while True:\n    try: input()\n    except BaseException: pass",
}


@pytest.mark.parametrize("source", HANGS.values(), ids=HANGS.keys())
def test_a_program_that_does_not_end_is_ended(run: Callable[..., Run], source: str) -> None:
    done = run("print('begun', flush=True)\n" + source, seconds=0.6)
    assert done.how is How.TIMED_OUT
    assert done.stdout == "begun\n"


def test_a_program_that_prints_without_end_is_ended(run: Callable[..., Run]) -> None:
    done = run("while True: print('x' * 1000)")
    assert done.how is How.FLOODED
    assert len(done.stdout) == 100_000


def pid_in(done: Run) -> int:
    return int(done.stdout.split()[0])


def test_processes_left_behind_are_ended(run: Callable[..., Run]) -> None:
    done = run(
        """
        import os, time
        if os.fork() == 0:
            os.setsid()
            if os.fork() == 0:
                print(os.getpid(), flush=True)
                while True: time.sleep(1)
            os._exit(0)
        time.sleep(0.02); time.sleep(0.02); time.sleep(0.02); time.sleep(0.02)
        """
    )
    assert done.how is How.RETURNED
    assert done.left >= 1
    with pytest.raises(ProcessLookupError):
        os.kill(pid_in(done), 0)


BOMBS = {
    "forks": "import os\nwhile True: os.fork()",
    "forks whatever is said": "import os\nwhile True:\n try: os.fork()\n except OSError: pass",
    "a Python after many forks": (
        "import os, subprocess, sys\n"
        "for _ in range(200):\n if os.fork() == 0: os._exit(0)\n"
        "subprocess.run([sys.executable, '-c', ''])"
    ),
}


@pytest.mark.parametrize("bomb", BOMBS)
def test_a_program_that_starts_processes_without_end_is_bounded(
    run: Callable[..., Run], bomb: str
) -> None:
    done = run(BOMBS[bomb])
    assert "start of more than 200 processes" in done.refused


def test_a_program_that_fills_the_memory_is_bounded(run: Callable[..., Run]) -> None:
    done = run(
        """
        import resource
        most, _ = resource.getrlimit(resource.RLIMIT_DATA)
        print(most >= 2**30, flush=True)
        bytearray(most)
        """
    )
    assert done.stdout == "True\n"
    assert done.failure is not None
    assert done.failure.type == "builtins.MemoryError"


def test_a_program_may_kill_itself_but_nobody_else(run: Callable[..., Run]) -> None:
    own = run("import os, signal\nprint('x', flush=True)\nos.killpg(0, signal.SIGKILL)")
    assert (own.how, own.code, own.stdout) == (How.DIED, -9, "x\n")
    for attack in ("os.kill(os.getppid(), 9)", "os.kill(-1, 9)", "os.kill(1, 0)"):
        other = run(f"import os\n{attack}")
        assert other.how is How.RAISED, attack
        assert other.refused[0].startswith("signal to a process outside")


def test_exits_and_missing_packages_are_told_apart(run: Callable[..., Run]) -> None:
    assert (run("raise SystemExit(7)").how, run("import sys; sys.exit(7)").code) == (How.EXITED, 7)
    missing = run("import not_installed_anywhere")
    assert missing.failure is not None
    assert missing.failure.type == "builtins.ModuleNotFoundError"


OUTSIDE = {
    "file": "open('OUTSIDE/was-here', 'w')",
    "parent": "open('../was-here', 'w')",
    "folder": "import os; os.mkdir('OUTSIDE/was-here')",
    "removal": "import os; os.remove('OUTSIDE/victim')",
    "move": "import os; os.rename('app.py', 'OUTSIDE/was-here')",
    "link": "import os; os.symlink('/etc/passwd', 'link'); open('link', 'a')",
    "database": "import sqlite3; sqlite3.connect('OUTSIDE/was-here')",
    "tree": "import shutil; shutil.rmtree('OUTSIDE/victim')",
    "removal by folder": "import os; os.remove('victim', dir_fd=os.open('OUTSIDE', os.O_RDONLY))",
    "file by folder": "import os; "
    "os.open('was-here', os.O_CREAT | os.O_WRONLY, "
    "dir_fd=os.open('OUTSIDE', os.O_RDONLY))",
    "descriptor": "import os; os.open('OUTSIDE/was-here', os.O_CREAT | os.O_WRONLY)",
}


@pytest.mark.parametrize("source", OUTSIDE.values(), ids=OUTSIDE.keys())
def test_nothing_is_written_outside_the_copy(
    run: Callable[..., Run], tmp_path_factory: pytest.TempPathFactory, source: str
) -> None:
    outside = tmp_path_factory.mktemp("outside")
    (outside / "victim").touch()
    done = run(source.replace("OUTSIDE", str(outside)))
    assert done.how is How.RAISED
    assert done.refused
    assert done.refused[0].startswith("write outside the copy")
    assert [one.name for one in outside.iterdir()] == ["victim"]


def test_the_copy_home_and_temporary_files_are_writable(run: Callable[..., Run]) -> None:
    done = run(
        """
        import pathlib, tempfile
        pathlib.Path("made").mkdir()
        pathlib.Path("made/file").write_text("x")
        pathlib.Path.home().joinpath(".config").mkdir()
        tempfile.NamedTemporaryFile(delete=False).write(b"x")
        open("/dev/null", "w").write("x")
        """
    )
    assert (done.how, done.refused) == (How.RETURNED, ())


NETWORK = {
    "connection": "import socket; socket.create_connection(('192.0.2.1', 80), 1)",
    "look-up": "import urllib.request; urllib.request.urlopen('http://example.com', timeout=1)",
    "other port": "import socket; socket.create_connection(('127.0.0.1', 9), 1)",
    "datagram": "import socket; "
    "socket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(b'x', ('192.0.2.1', 53))",
    "async": "import asyncio\nasync def go():\n    await asyncio.open_connection('192.0.2.1', 80)\n"
    "asyncio.run(go())",
    "program": "import subprocess; subprocess.run(['curl', 'http://example.com'])",
    "shell": "import os; os.system('true')",
}


@pytest.mark.parametrize("source", NETWORK.values(), ids=NETWORK.keys())
def test_the_network_and_other_programs_are_refused(run: Callable[..., Run], source: str) -> None:
    done = run(source)
    assert done.how is How.RAISED
    assert done.refused


def test_a_python_started_by_the_program_is_guarded_too(run: Callable[..., Run]) -> None:
    attempt = "import socket; socket.create_connection((\\'192.0.2.1\\', 80), 1)"
    done = run(f"import subprocess, sys\nsubprocess.run([sys.executable, '-c', '{attempt}'])")
    assert done.refused == ("network: connection to 192.0.2.1:80",)


@pytest.mark.parametrize(
    "start",
    [
        "subprocess.run([sys.executable, 'x.py'], env={})",
        "subprocess.run([sys.executable, 'x.py'], env={**os.environ, 'PYTHONPATH': 'src'})",
        "subprocess.run([sys.executable, '-I', 'x.py'])",
        "subprocess.run([sys.executable, '-uES', '-c', ''])",
        "os.environ.clear(); subprocess.run([sys.executable, 'x.py'])",
        "os.execve(sys.executable, ['python', 'x.py'], {})",
        "os.posix_spawn(sys.executable, ['python', '-S', 'x.py'], os.environ)",
    ],
)
def test_a_python_that_would_not_be_guarded_is_not_started(
    run: Callable[..., Run], start: str
) -> None:
    done = run(f"import os, subprocess, sys\n{start}")
    assert done.how is How.RAISED
    assert done.refused == (
        "start of a Python that is not guarded: its environment is another one",
    )


def test_a_python_may_be_given_more_variables_and_flags(run: Callable[..., Run]) -> None:
    start = "[sys.executable, '-u', '-W', 'error', '-c', 'print(1)', '-I']"
    more = "{**os.environ, 'MORE': '1', 'PYTHONPATH': 'src:' + os.environ['PYTHONPATH']}"
    done = run(f"import os, subprocess, sys\nsubprocess.run({start}, env={more}, check=True)")
    assert (done.refused, done.stdout) == ((), "1\n")


def test_a_server_of_the_program_itself_can_be_reached(run: Callable[..., Run]) -> None:
    done = run(
        """
        import socket
        server = socket.create_server(("127.0.0.1", 0))
        socket.create_connection(server.getsockname()).close()
        """
    )
    assert (done.how, done.refused) == (How.RETURNED, ())


def test_secrets_of_the_environment_are_not_passed_on(
    worker: Workers, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GEMINI_API_KEY", "real-secret")
    monkeypatch.setenv("DATABASE_PASSWORD", "real-secret")
    (tmp_path / "app.py").write_text("import os\nprint(sorted(os.environ.items()))")
    with Worker(worker("genai3").environment) as fresh:
        done = fresh.run(Program(tmp_path, path="app.py", variables={"MINE": "given"}))
    assert "real-secret" not in done.stdout
    assert "'MINE', 'given'" in done.stdout
    assert str(Path.home()) + "'" not in done.stdout


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
