"""Reading packs: TOML to checked values, every fault named by its place."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

import msgspec

from chatport.port.held import interrupts_held
from chatport.port.packs.compiled import Part
from chatport.port.packs.schema import Call, MethodRewrite, ModelCalls, Pack
from chatport.port.source.small import read_small

_AT = re.compile(r"^(?P<what>.*?)(?: - at `(?P<path>.*)`)?$", re.DOTALL)
MAX_BYTES = 1_000_000
_FOLDER = Path(__file__).parent


class PackError(ValueError):
    """A pack that is not one: `location` is the path of the faulty field."""

    def __init__(self, name: str, location: str, message: str) -> None:
        self.name: str = name
        self.location: str = location
        where = f"{location}: " if location else ""
        super().__init__(f"pack {name}: {where}{message}")


def parse(text: str, name: str) -> Pack:
    """The pack in a TOML text; raises `PackError`."""
    return _pack({name: _tables(text, name)}, name)


def _tables(text: str, part: str) -> dict[str, Any]:
    import tomllib  # here, because the bundled packs have been parsed before

    try:
        return tomllib.loads(text)
    except (ValueError, RecursionError) as error:  # or a number or nesting beyond all bounds
        raise PackError(part, "", f"not TOML: {error}") from None


def _pack(parts: Mapping[str, dict[str, Any]], name: str) -> Pack:
    """The pack whose tables are spread over `parts`: each a TOML document, the changes in a row."""
    document, starts = _join(parts)

    def error(location: str, what: str) -> PackError:
        return PackError(*_part_of(location, starts), what)

    try:
        with interrupts_held():  # msgspec ends with a fault when its first look is cut short
            pack = msgspec.convert(document, Pack)
    except msgspec.ValidationError as fault:
        what, location = _locate(document, str(fault))
        raise (error(location, what) if location else PackError(name, "", what)) from None
    for location, what in _faults(pack):
        raise error(location, what)
    return pack


def _join(
    parts: Mapping[str, dict[str, Any]],
) -> tuple[dict[str, Any], dict[str, tuple[str, int]]]:
    """One document of all parts, and which part says a key, with its first change's number."""
    document: dict[str, Any] = {}
    starts: dict[str, tuple[str, int]] = {}
    for part, tables in parts.items():
        for key, value in tables.items():
            before = document.setdefault(key, []) if key == "changes" else None
            if isinstance(before, list) and isinstance(value, list):
                starts.setdefault(key, (part, 0))
                starts |= {f"changes[{len(before) + i}]": (part, i) for i in range(len(value))}
                before += value
            elif key in starts:
                raise PackError(part, key, f"is said in {starts[key][0]} already")
            else:
                document[key], starts[key] = value, (part, 0)
    return document, starts


def _part_of(location: str, starts: Mapping[str, tuple[str, int]]) -> tuple[str, str]:
    """The part that says `location`, and the place in it."""
    head = re.match(r"changes\[\d+\]|\w+", location)
    assert head is not None
    part, index = starts[head[0]]
    change = f"changes[{index}]" if head[0].startswith("changes[") else head[0]
    return part, change + location[head.end() :]


def read(path: Path) -> Pack:
    """A pack from a file, or from a folder of parts; raises `PackError`, also when unreadable."""
    return _read(path, _parsed)


def _parsed(path: Path) -> dict[str, Any]:
    return _tables(_text(path), path.name)


def _read(path: Path, tables_of: Callable[[Path], dict[str, Any]]) -> Pack:
    try:
        files = sorted(path.glob("*.toml")) if path.is_dir() else [path]
        if not files:
            raise PackError(path.name, "", "a folder without TOML files")
        return _pack({file.name: tables_of(file) for file in files}, path.name)
    except OSError as error:
        raise PackError(path.name, "", f"cannot be read: {error.strerror}") from None


def _text(path: Path) -> str:
    data = read_small(path)
    if len(data) > MAX_BYTES:
        raise PackError(path.name, "", f"larger than {MAX_BYTES} bytes")
    try:
        return data.decode()
    except UnicodeDecodeError as error:
        raise PackError(path.name, "", f"not UTF-8 at byte {error.start}") from None


def names() -> tuple[str, ...]:
    """The ids of the bundled packs."""
    return tuple(sorted(path.name for path in _FOLDER.iterdir() if any(path.glob("*.toml"))))


def rules() -> set[str]:
    """The kinds of change of the bundled packs: what `Finding.rule` may say."""
    changes = (change for name in names() for change in bundled(name).changes)
    return {str(change.__struct_config__.tag) for change in changes}


@cache
def bundled(name: str) -> Pack:
    """A bundled pack by its id; raises `PackError` for an unknown one."""
    if name not in names():
        known = ", ".join(names())
        raise PackError(name, "", f"there is no such pack; bundled are: {known}")
    return _read(_FOLDER / name, lambda path: Part(path, _parsed).tables())


def _locate(document: Any, message: str) -> tuple[str, str]:
    """Split a msgspec message and write its path the TOML way, with the keys it leaves out."""
    match = _AT.match(message)
    assert match is not None
    what, path = match["what"], match["path"] or ""
    steps = re.findall(r"\[\.\.\.\]|\[\d+\]|\.\w+|key", path.removeprefix("$"))
    return what, _resolve(document, steps, what)


def _resolve(document: Any, steps: list[str], what: str) -> str:
    location, node, rest = "", document, list(steps)
    while rest:
        step = rest.pop(0)
        if step.startswith("."):
            location += step if location else step[1:]
            node = node.get(step[1:], {}) if isinstance(node, dict) else {}
        elif step == "[...]" and isinstance(node, dict):
            key = next((k for k, v in node.items() if _is_faulty(v, rest, what)), None)
            if key is None:
                break
            location += f".{key}" if key.isidentifier() else f'."{key}"'
            node = node[key]
        elif step != "key" and isinstance(node, list):
            location += step
            node = node[int(step[1:-1])]
    return location


def _is_faulty(value: Any, steps: list[str], what: str) -> bool:
    """Whether the fault `what` can be at `steps` below `value`: what of it is wrong there."""
    for step in steps:
        if step.startswith(".") and isinstance(value, dict):
            if step[1:] not in value:
                return False
            value = value[step[1:]]
        elif step == "[...]" and isinstance(value, dict):
            return any(_is_faulty(v, steps[steps.index(step) + 1 :], what) for v in value.values())
        elif isinstance(value, list) and step[1:-1].isdigit():
            if int(step[1:-1]) >= len(value):
                return False
            value = value[int(step[1:-1])]
    return _matches(value, what)


_KINDS = {"str": str, "int": int, "bool": bool, "array": list, "object": dict, "float": float}


def _matches(value: Any, what: str) -> bool:
    if (got := re.search(r"got `(\w+)`", what)) and got[1] in _KINDS:
        return isinstance(value, _KINDS[got[1]])
    if field := re.search(r"unknown field `([^`]+)`", what):
        return isinstance(value, dict) and field[1] in value
    if field := re.search(r"missing required field `([^`]+)`", what):
        return isinstance(value, dict) and field[1] not in value
    if field := re.search(r"Invalid (?:enum )?value '([^']*)'", what):
        return bool(value == field[1])
    return True


def _faults(pack: Pack) -> Iterator[tuple[str, str]]:
    """What types cannot say: forms of calls, and expressions that must be plain."""
    for index, change in enumerate(pack.changes):
        here = f"changes[{index}].params"
        if isinstance(change, ModelCalls):
            for name, rewrite in change.params.rewrites.items():
                yield from _rewrite_faults(f'{here}.rewrites."{name}"', name, rewrite, change)
        if isinstance(change, Call):
            yield from _call_faults(here, change)
    for location, expression in _expressions(pack):
        if not is_plain(expression):
            yield location, f"{expression!r} is not a constant, name or call of such"


def _rewrite_faults(
    here: str, name: str, rewrite: MethodRewrite, change: ModelCalls
) -> Iterator[tuple[str, str]]:
    if name not in change.params.methods:
        yield here, "is not among the methods of the change"
    for field, call in (
        ("new_call", rewrite.new_call),
        ("stream_call", rewrite.stream_call),
        ("async_call", rewrite.async_call),
    ):
        if call is None:
            continue
        dotted = "." in call
        if rewrite.root == "client" and not dotted:
            yield f"{here}.{field}", f"root 'client' wants service.method, not {call!r}"
        if rewrite.root == "receiver" and dotted:
            yield f"{here}.{field}", f"root 'receiver' wants a bare method, not {call!r}"


def _call_faults(here: str, change: Call) -> Iterator[tuple[str, str]]:
    calls = {f'calls."{name}"': call.new_call for name, call in change.params.calls.items()}
    calls |= {f'methods."{name}"': call.new_call for name, call in change.params.methods.items()}
    for place, call in calls.items():
        if "." not in call:
            yield f"{here}.{place}.new_call", f"wants service.method, not {call!r}"


def _expressions(pack: Pack) -> Iterator[tuple[str, str]]:
    for index, change in enumerate(pack.changes):
        document = msgspec.to_builtins(change)
        params = document.get("params", {})
        for keyword, text in params.get("always", {}).items():
            yield f"changes[{index}].params.always.{keyword}", text
        tools = params.get("tools", {})
        for table in ("strings", "off"):
            for keyword, text in tools.get(table, {}).items():
                yield f"changes[{index}].params.tools.{table}.{keyword}", text


def is_plain(text: str) -> bool:
    """Whether an expression is built of constants, dotted names and calls with keywords only."""
    try:
        tree = ast.parse(text, mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    plain = (ast.Constant, ast.Name, ast.Attribute, ast.Call, ast.keyword, ast.Load, ast.List)
    return all(isinstance(node, plain) for node in ast.walk(tree))
