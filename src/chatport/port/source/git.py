"""Asking git, in a repository that nobody vouches for: no hook, filter or helper of it is run."""

# ruff: noqa: PTH118, PTH120

from __future__ import annotations

import os
import select

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

# Said on the command line these win over the repository's own configuration, which could name a
# program for each of them.
_HARMLESS = (
    *("-c", "core.fsmonitor=false"),
    *("-c", f"core.hooksPath={os.devnull}"),
    *("-c", "protocol.allow=never"),
    "--no-pager",
    "--literal-pathspecs",
)
_LOCATIONS = ("GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_COMMON_DIR", "GIT_PREFIX")


def top_level(folder: str) -> str | None:
    """The folder at or above `folder` that holds a `.git`, found without running git."""
    while not os.path.lexists(os.path.join(folder, ".git")):
        parent = os.path.dirname(folder)
        if parent == folder:
            return None
        folder = parent
    return folder


def git(
    folder: str, *arguments: str, settings: Sequence[tuple[str, str]] = ()
) -> tuple[bytes, str] | None:
    """What a git command prints and warns of when run in `folder`; None when it fails.

    `settings` are configured for this one command. It fails also where git is not installed,
    where there is no repository, and where git does not trust the owner of the repository.
    """
    code, output, errors = ask(folder, *arguments, settings=settings)
    return None if code else (output, errors)


def ask(
    folder: str, *arguments: str, settings: Sequence[tuple[str, str]] = ()
) -> tuple[int, bytes, str]:
    """As `git`, with the exit code and what is said of a failure."""
    environment = {name: value for name, value in os.environ.items() if name not in _LOCATIONS}
    environment.update(GIT_OPTIONAL_LOCKS="0", GIT_NO_LAZY_FETCH="1", LC_ALL="C")
    # A repository may allow itself a protocol whose other end is a program it names; git before
    # 2.45 fetches objects that are missing without being told to.
    environment["GIT_ALLOW_PROTOCOL"] = "none"
    count = int(environment.get("GIT_CONFIG_COUNT", "0"))
    for number, (key, value) in enumerate(settings, count):
        environment[f"GIT_CONFIG_KEY_{number}"] = key
        environment[f"GIT_CONFIG_VALUE_{number}"] = value
    environment["GIT_CONFIG_COUNT"] = str(count + len(settings))
    code, output, errors = _run(["git", "-C", folder, *_HARMLESS, *arguments], environment)
    return code, output, errors.decode(errors="replace")


def _run(command: list[str], environment: dict[str, str]) -> tuple[int, bytes, bytes]:
    """The exit code and what was printed; code 127 when the program cannot be started.

    Importing subprocess would take as long as searching a thousand files.
    """
    spawn = getattr(os, "posix_spawnp", None)
    if spawn is None:  # no POSIX system: as if there were no git
        return 127, b"", b""
    (output, output_end), (errors, errors_end) = os.pipe(), os.pipe()
    actions = [
        (os.POSIX_SPAWN_OPEN, 0, os.devnull, os.O_RDONLY, 0),
        (os.POSIX_SPAWN_DUP2, output_end, 1),
        (os.POSIX_SPAWN_DUP2, errors_end, 2),
    ]
    try:
        try:
            process = spawn(command[0], command, environment, file_actions=actions)
        finally:
            os.close(output_end)
            os.close(errors_end)
        printed = _read_both(output, errors)
    except OSError:
        return 127, b"", b""
    finally:
        os.close(output)
        os.close(errors)
    _, status = os.waitpid(process, 0)
    return os.waitstatus_to_exitcode(status), *printed


def _read_both(first: int, second: int) -> tuple[bytes, bytes]:
    """Everything that comes from two pipes, whichever is filled first."""
    pieces: dict[int, list[bytes]] = {first: [], second: []}
    waiting = [first, second]
    while waiting:
        for descriptor in select.select(waiting, [], [])[0]:
            if piece := os.read(descriptor, 1 << 16):
                pieces[descriptor].append(piece)
            else:
                waiting.remove(descriptor)
    return b"".join(pieces[first]), b"".join(pieces[second])


class State:
    """A work tree as git sees it: paths relative to the folder asked about.

    tracked  every file git knows
    changed  those that differ from the last commit, sorted
    """

    __slots__ = ("changed", "tracked")

    def __init__(self, tracked: frozenset[str], changed: tuple[str, ...]) -> None:
        self.tracked: frozenset[str] = tracked
        self.changed: tuple[str, ...] = changed


def state(folder: str) -> State | None:
    """What git knows of the files under `folder`; None where there is no git to ask."""
    top = top_level(folder)
    listed = git(folder, "ls-files", "-z")
    if top is None or listed is None:
        return None
    status = git(
        folder,
        *("status", "--porcelain=v1", "-z", "--no-renames", "--ignore-submodules=all"),
        *("--untracked-files=no", "--", "."),
        settings=without_filters(folder),
    )
    if status is None:
        return None
    # Each entry is two letters, a blank, and the path from the top of the work tree.
    prefix = "" if top == folder else os.path.relpath(folder, top).replace(os.sep, "/") + "/"
    changed = sorted(entry[3 + len(prefix) :] for entry in _names(status[0]))
    return State(frozenset(_names(listed[0])), tuple(changed))


def _names(output: bytes) -> list[str]:
    return [name for name in os.fsdecode(output).split("\0") if name]


def without_filters(folder: str) -> list[tuple[str, str]]:
    """Settings that switch off the content filters which the repository itself configures.

    `git status` would run them to compare files; those of the user's own configuration stay.
    """
    found = git(folder, "config", "--show-scope", "-z", "--name-only", "--get-regexp", "^filter\\.")
    words = _names(found[0]) if found is not None else []
    filters = {
        key.rpartition(".")[0]
        for scope, key in zip(words[::2], words[1::2], strict=True)
        if scope in ("local", "worktree")
    }
    return [
        (f"{name}.{key}", value)
        for name in sorted(filters)
        for key, value in (("clean", ""), ("process", ""), ("required", "false"))
    ]
