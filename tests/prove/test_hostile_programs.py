"""What a program under proof cannot do: run without end, reach out, or read what is not its own."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from chatport.port.prove.running import How, Program, Run, Worker

Workers = Callable[[str], Worker]


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
