"""What a project says about itself under ``[tool.chatport]`` in its pyproject.toml.

    [tool.chatport]
    paths = ["src", "scripts"]
    exclude = ["src/generated"]
    baseline = "chatport-baseline.json"

Every key is an option of the command line too, which has the last word.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from fnmatch import fnmatchcase
from pathlib import Path, PurePosixPath
from typing import Annotated, Any, Literal, get_args

import msgspec

from chatport.port.here import seen_from_here
from chatport.port.report.escape import on_one_line
from chatport.port.source.configured import find
from chatport.port.source.small import read_small

Format = Literal["console", "json", "sarif", "github", "gitlab", "markdown", "html"]
Atomic = Literal["repo", "file", "site"]


class Config(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, rename="kebab"):
    """The options of a plan and of its report; paths and patterns start at `folder`."""

    paths: tuple[str, ...] = ()
    """What to read when the command line names nothing."""
    exclude: tuple[str, ...] = ()
    """Files and folders to leave as they are, as patterns: ``*`` stands for anything. One with a
    slash is a whole path from the folder, otherwise it fits a name at any depth."""
    only: tuple[str, ...] = ()
    """Codes; only findings with one of them are shown."""
    select: tuple[str, ...] = ()
    """Rules; only findings of one of them are shown."""
    skip: tuple[str, ...] = ()
    """Codes and rules: such a refusal is not reported, such a use is not ported."""
    format: Format = "console"
    output: str | None = None
    atomic: Atomic = "file"
    """How much is written when something is refused: nothing at all, the other files, or also the
    other uses of its file, which then lives on both SDKs for a while."""
    annotate: bool = False
    """Leave a comment with the code at every use that is refused."""
    baseline: str | None = None
    """A file of findings that are accepted for now."""
    documentation: Annotated[str, msgspec.Meta(pattern=r"^(https?://\S+)?$")] = ""
    """The address where the pages of `make docs` are served; reports then link to those of the
    codes."""

    @property
    def excludes(self) -> tuple[str, ...]:
        """The patterns without the slash a folder may end with."""
        return tuple(pattern.rstrip("/") for pattern in self.exclude)

    def is_excluded(self, path: str) -> bool:
        """Whether a path, relative to the folder of the configuration, is to be left alone."""
        above = [path, *map(str, PurePosixPath(path).parents)]
        return any(
            fnmatchcase(part if "/" in pattern else part.rpartition("/")[2], pattern.lstrip("/"))
            for pattern in self.excludes
            for part in above
        )


class ConfigError(ValueError):
    """A configuration that is not one; the message names file, line, key and remedy."""


def load_config(start: str | os.PathLike[str]) -> tuple[Config, Path]:
    """The configuration for a file or folder and the folder it is about; raises `ConfigError`.

    It is read from the nearest pyproject.toml at or above `start` that has a ``[tool.chatport]``.
    Without one it is empty and about the working directory.
    """
    name = find(os.fspath(start))
    if name is None:
        return Config(), Path.cwd()
    return read(Path(seen_from_here(Path.cwd())(name))), Path(name).parent


def read(path: Path) -> Config:
    """The configuration in a file; raises `ConfigError`."""
    import tomllib

    try:
        text = read_small(path).decode()
        document = tomllib.loads(text)
    except OSError as error:
        raise ConfigError(f"{path}: cannot be read ({error.strerror})") from error
    except (ValueError, RecursionError) as error:  # not UTF-8, or not TOML
        raise ConfigError(f"{path}: this is not TOML: {error}") from error
    tool = document.get("tool")
    table = tool.get("chatport", {}) if isinstance(tool, dict) else {}
    where = f"{path}:{{line}}: [tool.chatport] "
    if not isinstance(table, dict):
        raise ConfigError(
            where.format(line=1) + "is no table; write the options below such a heading"
        )
    known = [field.encode_name for field in msgspec.structs.fields(Config)]
    for key in table:
        if key not in known:
            line = _line_of(text, key)
            raise ConfigError(where.format(line=line) + _unknown(key, known))
    try:
        config = msgspec.convert(table, Config)
    except msgspec.ValidationError as error:
        key = _key_of(str(error), table)
        what = f"{key}: {_wanted(key)}, not {_short(table[key])}"
        raise ConfigError(where.format(line=_line_of(text, key)) + what) from error
    for key, problem in _strays(config, path.parent):
        raise ConfigError(f"{where.format(line=_line_of(text, key))}{key}: {problem}")
    return config


def _strays(config: Config, folder: Path) -> Iterator[tuple[str, str]]:
    """Paths that lead out of the folder, through links or without: a repository says where its
    own files are, and only whoever runs the command may name others to be read or written."""
    root = os.path.realpath(folder)
    for key in ("paths", "output", "baseline"):
        value = getattr(config, key) or ()
        for path in (value,) if isinstance(value, str) else value:
            if "\0" in path:
                yield key, "a path holds no null byte"
                continue
            place = os.path.realpath(os.path.join(root, path))  # noqa: PTH118
            inside = place == root or place.startswith(root.rstrip(os.sep) + os.sep)
            if not inside or ".git" in Path(place[len(root) :].lower()).parts:
                yield key, f"{path} leads out of {folder}; name it on the command line"


def _short(value: object) -> str:
    import json

    text = json.dumps(value, default=str)
    return text if len(text) <= 60 else f"{text[:60]}…"


def _unknown(key: str, known: list[str]) -> str:
    from difflib import get_close_matches

    close = get_close_matches(key, known, n=1)
    remedy = f"did you mean {close[0]}?" if close else f"there are: {', '.join(sorted(known))}"
    return f"has no option {on_one_line(key)}; {remedy}"


_WANTED = {
    "annotate": "write true or false",
    "documentation": "write an address, https://…",
    "paths": "write a list of files and folders",
    "exclude": "write a list of patterns",
    "format": f"write one of {', '.join(get_args(Format))}",
    "atomic": f"write one of {', '.join(get_args(Atomic))}",
    "output": "write the name of a file",
    "baseline": "write the name of a file",
}


def _wanted(key: str) -> str:
    """What to write for a key, in a few words."""
    return _WANTED.get(key, "write a list of names, as chatport explain lists them")


def _key_of(message: str, table: dict[str, Any]) -> str:
    """The key a message of msgspec is about: it ends in its path, as in ``at `$.paths[0]```."""
    found = re.search(r"at `\$\.([\w-]+)", message)
    return found[1] if found else next(iter(table), "")


def _line_of(text: str, key: str) -> int:
    """The line of a key of the table; of the table's heading where the key is written otherwise."""
    heading = 1
    inside = False
    for number, line in enumerate(text.splitlines(), 1):
        if line.lstrip().startswith("["):
            inside = re.match(r"\s*\[\s*tool\s*\.\s*chatport\s*\]", line) is not None
            heading = number if inside else heading
        elif re.match(rf"\s*[\"']?{re.escape(key)}[\"']?\s*=", line) and inside:
            return number
    return heading
