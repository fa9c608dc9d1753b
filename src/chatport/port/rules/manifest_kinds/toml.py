"""Requirements in TOML: ``pyproject.toml`` (PEP 621, dependency groups, Poetry) and ``Pipfile``.

The parser of the standard library says what a document means but not where. So the strings and
keys that look like one of the distributions are found in the text, and each is put to the proof:
it is replaced by a word of our own, and where that word turns up in the document is what the
string is.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Collection, Iterator, Mapping
from typing import Any, TypeAlias

from msgspec import Struct

from chatport.port.rules.manifest_kinds.base import (
    Declaration,
    Lines,
    Manifest,
    New,
    Parsed,
    UnreadableManifestError,
    normalise,
    parse,
    pattern_of,
)
from chatport.port.rules.manifest_kinds.brackets import Item
from chatport.port.rules.manifest_kinds.versions import python_of
from chatport.port.source.edits import Edit

Path: TypeAlias = tuple[str, ...]

_MARK = "chatport-looks-for-this"
_LISTS = tuple(
    re.compile(pattern)
    for pattern in (
        r"project/dependencies/\d+",
        r"project/optional-dependencies/[^/]+/\d+",
        r"dependency-groups/[^/]+/\d+",
        r"build-system/requires/\d+",
        r"tool/pdm/dev-dependencies/[^/]+/\d+",
        r"tool/uv/(?:dev|constraint|override|build-constraint)-dependencies/\d+",
        r"tool/hatch/envs/[^/]+/(?:extra-)?dependencies/\d+",
    )
)
_NAMES = re.compile(r"tool/poetry/extras/[^/]+/\d+")
_POETRY = re.compile(r"tool/poetry/(?:group/[^/]+/)?(?:dev-)?dependencies/[^/]+")
_SOURCES = re.compile(r"tool/uv/sources/[^/]+")
_PIPFILE = re.compile(r"(?!source/|requires/|pipenv/|scripts/)[^/]+/[^/]+")


class Key(Struct, frozen=True):
    """A distribution as a key, its version as the value or in a table that is the value."""

    lines: Lines
    parsed: Parsed
    span: tuple[int, int]
    """Of the name, without quotes."""
    version: tuple[int, int]
    """Of the version, without quotes."""
    group: str
    note: str | None = None
    movable: bool = True
    """The key and its value stand on one line of their own."""

    @property
    def name(self) -> str:
        return self.parsed.name

    @property
    def specifier(self) -> str:
        return self.parsed.specifier

    @property
    def trouble(self) -> str | None:
        return self.note

    def replaced(self, new: New) -> list[Edit]:
        return [Edit(*self.span, new.name), Edit(*self.version, new.specifier)]

    def beside(self, new: New) -> list[Edit] | None:
        if not self.movable:
            return None
        text, start = self.lines.text, self.lines.start(self.span[0])
        line = (
            text[start : self.span[0]]
            + new.name
            + text[self.span[1] : self.version[0]]
            + new.specifier
            + _without_comment(text[self.version[1] : self.lines.end(self.span[0])])
        )
        return [self.lines.below(self.span[0], line)]

    def removed(self) -> list[Edit] | None:
        if not self.movable:
            return None
        rest = self.lines.text[self.version[1] : self.lines.end(self.span[0])]
        comment = rest[len(_without_comment(rest)) :].strip()
        return [self.lines.without(self.span[0], comment)]


def _without_comment(text: str) -> str:
    return text.partition("#")[0].rstrip()


def pyproject(text: str, names: Collection[str]) -> Manifest:
    """A ``pyproject.toml``."""
    document = _load(text)
    project, poetry = _table(document, "project"), _table(document, "tool", "poetry")
    python = python_of(project.get("requires-python"), _table(poetry, "dependencies").get("python"))
    return Manifest(tuple(_declarations(text, document, names, _POETRY)), python)


def pipfile(text: str, names: Collection[str]) -> Manifest:
    """A ``Pipfile``."""
    document = _load(text)
    requires = _table(document, "requires")
    version = requires.get("python_full_version") or requires.get("python_version")
    return Manifest(tuple(_declarations(text, document, names, _PIPFILE)), python_of(version))


def _load(text: str) -> dict[str, Any]:
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise UnreadableManifestError(f"not TOML: {error}") from None


def _table(document: Mapping[str, Any], *keys: str) -> Mapping[str, Any]:
    node: Any = document
    for key in keys:
        node = node.get(key) if isinstance(node, Mapping) else None
    return node if isinstance(node, Mapping) else {}


def _declarations(
    text: str, document: dict[str, Any], names: Collection[str], keyed: re.Pattern[str]
) -> Iterator[Declaration]:
    lines = Lines.of(text)
    for match in re.finditer(_strings(names), text):
        item = _item(lines, match, names)
        if item is not None:
            yield item
    for match in re.finditer(_keys(names), text):
        start, end = match.span("name")
        path = _place(text[:start] + _MARK + text[end:])
        if path is None or path[-1] != _MARK:
            continue
        name = "/".join(path)
        value = _value(document, (*path[:-1], match["name"]))
        if keyed.fullmatch(name):
            yield _key(lines, match, "/".join(path[:-1]), value)
        elif _SOURCES.fullmatch(name):
            parsed = Parsed(normalise(match["name"]), "", end - start)
            note = f"`{match['name']}` has a source of its own"
            yield Key(lines, parsed, (start, end), (end, end), name, note)


def _strings(names: Collection[str]) -> str:
    name = pattern_of(names)
    return rf"\"(?P<a>[ ]*{name}[^\"\\\n\r]*)\"|'(?P<b>[ ]*{name}[^'\n\r]*)'"


def _keys(names: Collection[str]) -> str:
    """A key of its own line, or the last part of a table's header."""
    name = rf"(?P<q>[\"']?)(?P<name>{pattern_of(names)})(?P=q)"
    return rf"(?m)(?:^[ \t]*|[.\[][ \t]*){name}(?=[ \t]*[=\]])"


def _item(lines: Lines, match: re.Match[str], names: Collection[str]) -> Item | None:
    group = "a" if match["a"] is not None else "b"
    content, (start, stop) = match[group], match.span(group)
    parsed = parse(content.lstrip())
    path = _place(lines.text[:start] + _MARK + lines.text[stop:])
    if parsed is None or parsed.name not in names or path is None:
        return None
    start += len(content) - len(content.lstrip())
    place = "/".join(path)
    bare = _NAMES.fullmatch(place) is not None
    if not bare and not any(pattern.fullmatch(place) for pattern in _LISTS):
        return None
    return Item(lines, parsed, start, stop, "/".join(path[:-1]), bare=bare)


def _place(marked: str) -> Path | None:
    """Where our word stands in a document; None when it is only in a comment."""
    try:
        return next(_search(tomllib.loads(marked), ()), None)
    except tomllib.TOMLDecodeError:
        return None


def _search(node: Any, path: Path) -> Iterator[Path]:
    if node == _MARK:
        yield path
    elif isinstance(node, dict):
        for key, value in node.items():
            if key == _MARK:
                yield (*path, key)
            yield from _search(value, (*path, key))
    elif isinstance(node, list):
        for index, value in enumerate(node):
            yield from _search(value, (*path, str(index)))


def _value(document: Any, path: Path) -> Any:
    for key in path:
        document = document[int(key) if isinstance(document, list) else key]
    return document


def _key(lines: Lines, match: re.Match[str], group: str, value: Any) -> Key:
    text, span = lines.text, match.span("name")
    after = match.end() + text[match.end() :].index("=") if match[0][0] not in ".[" else None
    note, version = None, None
    if isinstance(value, str) and after is not None:
        version = _string_at(text, after + 1)
    elif isinstance(value, dict) and not {"extras", "git", "path", "url"} & set(value):
        version = _version_in(text, match.end(), in_table=after is None)
    if version is None:
        note = f"`{match['name']}` is not a name with a plain version here"
        version = span[1], span[1]
    specifier = text[slice(*version)]
    parsed = Parsed(normalise(match["name"]), specifier, span[1] - span[0])
    return Key(lines, parsed, span, version, group, note, movable=after is not None)


def _string_at(text: str, offset: int) -> tuple[int, int] | None:
    match = re.compile(r"\s*(?:\"(?P<a>[^\"\\\n]*)\"|'(?P<b>[^'\n]*)')").match(text, offset)
    if match is None:
        return None
    return match.span("a" if match["a"] is not None else "b")


def _version_in(text: str, offset: int, *, in_table: bool) -> tuple[int, int] | None:
    """The version in the inline table behind a key, or in the table below a header."""
    end = re.compile(r"^\[" if in_table else r"$", re.MULTILINE).search(text, offset + 1)
    key = re.compile(r"\bversion[ \t]*=", re.MULTILINE)
    match = key.search(text, offset, end.start() if end else len(text))
    return _string_at(text, match.end()) if match else None
