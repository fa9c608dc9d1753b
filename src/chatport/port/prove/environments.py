"""The virtual environments a proof runs in: one with the legacy SDK, others with the new one.

Others hold an SDK the client has an equal in; tests compare what it sends with ours.

An environment is made once and kept. Making it is guarded by a file lock, so that parallel test
workers and two proofs at a time share one; it counts as made when its marker file says for which
requirements.
"""

from __future__ import annotations

import argparse
import contextlib
import fcntl
import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Any, Final

FOLDER_VARIABLE: Final = "CHATPORT_ENVS"
"""Names another folder for environments than the user's cache folder."""

MARKER: Final = "chatport-environment.json"
MAKE_SECONDS: Final = 900


class Side(StrEnum):
    """Which of the two programs: the untouched one or the ported one; or neither."""

    LEGACY = "legacy"
    NEW = "new"
    PEER = "peer"


@dataclass(frozen=True, slots=True)
class Recipe:
    """What an environment is made of. `sdk` is the distribution its side stands for."""

    name: str
    side: Side
    sdk: str
    requirements: tuple[str, ...]


RECIPES: Final[Mapping[str, Recipe]] = {
    recipe.name: recipe
    for recipe in (
        Recipe(
            "legacy",
            Side.LEGACY,
            "google-generativeai",
            ("google-generativeai==0.8.6", "pillow"),
        ),
        Recipe("genai1", Side.NEW, "google-genai", ("google-genai>=1,<2", "pillow")),
        Recipe("genai2", Side.NEW, "google-genai", ("google-genai>=2,<3", "pillow")),
        Recipe("genai3", Side.NEW, "google-genai", ("google-genai>=3,<4", "pillow")),
        Recipe("openai", Side.PEER, "openai", ("openai>=3,<4",)),
        Recipe("anthropic", Side.PEER, "anthropic", ("anthropic>=2,<3",)),
    )
}


@dataclass(frozen=True, slots=True)
class Environment:
    """An interpreter with one of the SDKs: its name, its side, and the SDK's version.

    `fallback` are folders of packages that programs find when the interpreter has none of the name.
    """

    name: str
    side: Side
    python: Path
    version: str
    fallback: tuple[str, ...] = ()


class UnusableEnvironmentError(Exception):
    """An environment that cannot be made or used. The message says why and what to do."""


_NAME_A_FOLDER: Final = f"set {FOLDER_VARIABLE} to a folder that can be written"


def default_folder() -> Path:
    """Where environments are kept: `$CHATPORT_ENVS`, else the user's cache folder.

    Raises:
        UnusableEnvironmentError: the user has no home, and no folder is named.
    """
    if chosen := os.environ.get(FOLDER_VARIABLE):
        return Path(chosen)
    try:
        cache = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    except RuntimeError as fault:
        raise UnusableEnvironmentError(
            f"this user has no home to keep environments in; {_NAME_A_FOLDER}"
        ) from fault
    return Path(cache) / "chatport" / "environments"


def ensure(
    name: str, folder: Path | None = None, making: Callable[[str], None] | None = None
) -> Environment:
    """Return the environment of a recipe, made now if it is not there.

    `making` is told, in one sentence, that something is installed, which takes its time. The folder
    of one that is there need not be writable.

    Raises:
        UnusableEnvironmentError: it cannot be made; nothing half made passes for it later.
    """
    recipe = RECIPES[name]
    where = (folder or default_folder()).resolve()
    target = _place(where, name)
    version = _version_of_made(target, recipe)
    if version is None:
        try:
            where.mkdir(parents=True, exist_ok=True)
            with _locked(where / f"{name}.lock"):
                target = _place(where, name)  # another process may have made one meanwhile
                version = _version_of_made(target, recipe)
                if version is None:
                    if making is not None:
                        making(f"installing {' '.join(recipe.requirements)} into {target}, once")
                    version = _make(target, recipe)
        except OSError as fault:
            why = f"{where}: {fault.strerror or fault}; {_NAME_A_FOLDER}"
            raise UnusableEnvironmentError(_cannot_make(recipe, why)) from fault
    return Environment(name, recipe.side, _python_of(target), version)


def given(side: Side, python: Path) -> Environment:
    """An environment of the user's own: any interpreter that has the side's SDK.

    Raises:
        UnusableEnvironmentError: the interpreter does not start, or lacks the SDK.
    """
    sdk = next(recipe.sdk for recipe in RECIPES.values() if recipe.side is side)
    return Environment(f"{side} ({python})", side, python.absolute(), _installed(python, sdk))


def packages_of(python: Path) -> tuple[str, ...]:
    """The folders an interpreter keeps installed packages in.

    Raises:
        UnusableEnvironmentError: it does not say.
    """
    question = "import sysconfig as s; print(s.get_path('purelib')); print(s.get_path('platlib'))"
    return tuple(dict.fromkeys(_answer(python, question).splitlines()))


def _python_of(environment: Path) -> Path:
    return environment / "bin" / "python"


def _place(where: Path, name: str) -> Path:
    """Where this interpreter keeps an environment: beside that of another one, which may be in use.

    Two versions of Python that share a folder would otherwise take away each other's.
    """
    ours = list(sys.version_info[:2])
    if _marker(where / name).get("for", ours) == ours:
        return where / name
    return where / f"{name}-{'.'.join(map(str, ours))}"


@contextlib.contextmanager
def _locked(path: Path) -> Iterator[None]:
    with path.open("w") as handle:
        fcntl.flock(handle, fcntl.LOCK_EX)
        yield


def _marker(target: Path) -> dict[str, Any]:
    """What was written down of an environment when it was made; nothing of one that was not."""
    try:
        made = json.loads((target / MARKER).read_bytes())
    except (OSError, ValueError, RecursionError):
        return {}
    return made if isinstance(made, dict) else {}


def _version_of_made(target: Path, recipe: Recipe) -> str | None:
    made = _marker(target)
    wanted = {"requirements": list(recipe.requirements), "for": sys.version_info[:2]}
    same = all(made.get(key) == json.loads(json.dumps(value)) for key, value in wanted.items())
    return made["version"] if same and _python_of(target).exists() else None


def _make(target: Path, recipe: Recipe) -> str:
    shutil.rmtree(target, ignore_errors=True)
    python = str(_python_of(target))
    if uv := shutil.which("uv"):
        steps = [
            [uv, "venv", "--quiet", "--python", sys.executable, str(target)],
            [uv, "pip", "install", "--quiet", "--python", python, *recipe.requirements],
        ]
    else:
        quiet = ["--quiet", "--disable-pip-version-check"]
        steps = [
            [sys.executable, "-m", "venv", str(target)],
            [python, "-m", "pip", "install", *quiet, *recipe.requirements],
        ]
    for step in steps:
        _run(step, recipe)
    version = _installed(Path(python), recipe.sdk)
    marker = {
        "requirements": recipe.requirements,
        "for": sys.version_info[:2],
        "version": version,
    }
    (target / MARKER).write_text(json.dumps(marker), encoding="utf-8")
    return version


_INSTALLER_VARIABLES: Final = re.compile(
    r"PATH|HOME|USER|LANG|LC_\w+|TMPDIR|PIP_\w+|UV_\w+|XDG_\w+|SSL_\w+|REQUESTS_CA_BUNDLE"
    r"|(?:https?|no|all)_proxy",
    re.IGNORECASE,
)
"""What an installer may see of the environment. PYTHONPATH and the like are not in it."""


def _run(command: Sequence[str], recipe: Recipe) -> None:
    environment = {
        name: value for name, value in os.environ.items() if _INSTALLER_VARIABLES.fullmatch(name)
    }
    try:
        done = subprocess.run(
            command,
            env=environment,
            capture_output=True,
            text=True,
            errors="replace",
            timeout=MAKE_SECONDS,
        )
    except (OSError, subprocess.TimeoutExpired) as fault:
        raise UnusableEnvironmentError(_cannot_make(recipe, type(fault).__name__)) from fault
    if done.returncode:
        # Addresses of package indexes can hold credentials and never help the reader.
        said = re.sub(r"\w+://\S+", "<address>", done.stderr or done.stdout)
        last = [line for line in said.splitlines() if line.strip()][-3:]
        raise UnusableEnvironmentError(_cannot_make(recipe, "\n".join(last)))


def _cannot_make(recipe: Recipe, why: str) -> str:
    wants = " ".join(recipe.requirements)
    option = f"--{recipe.side}-python"
    return (
        f"cannot make the environment {recipe.name} ({wants}): {why}\n"
        f"Give an interpreter that has it with {option}."
    )


def _installed(python: Path, distribution: str) -> str:
    question = f"import importlib.metadata as m; print(m.version({distribution!r}))"
    try:
        return _answer(python, question)
    except subprocess.CalledProcessError:
        problem = (
            f"{python} has no {distribution}; {python} -m pip install {distribution} puts it there"
        )
    raise UnusableEnvironmentError(problem)


def _answer(python: Path, question: str) -> str:
    """What an interpreter prints. Raises CalledProcessError when it fails at the question."""
    try:
        done = subprocess.run(
            [str(python), "-I", "-c", question],
            capture_output=True,
            text=True,
            timeout=60,
            check=True,
        )
    except (OSError, subprocess.TimeoutExpired) as fault:
        why = fault.strerror if isinstance(fault, OSError) else "it takes longer than a minute"
        problem = f"{python} does not start ({why}); name the program of an interpreter"
        raise UnusableEnvironmentError(problem) from fault
    return done.stdout.strip()


def main(arguments: Sequence[str] | None = None) -> int:
    """Make every environment in a folder: what `make envs` does."""
    parser = argparse.ArgumentParser(prog="python -m chatport.port.prove.environments")
    parser.add_argument("folder", type=Path, nargs="?", help="default: the user's cache folder")
    parser.add_argument("--only", choices=RECIPES, action="append", help="one recipe, repeatable")
    options = parser.parse_args(arguments)
    try:
        for name in options.only or RECIPES:
            made = ensure(name, options.folder)
            print(f"{name}: {RECIPES[name].sdk} {made.version}", flush=True)
    except UnusableEnvironmentError as problem:
        parser.exit(2, f"{problem}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
