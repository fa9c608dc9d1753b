"""Runs one program in this process, which ends with it, and writes down how it ended."""

from __future__ import annotations

import asyncio
import atexit
import dataclasses
import enum
import hashlib
import importlib
import inspect
import itertools
import json
import os
import random
import runpy
import sys
import tempfile
import threading
import traceback
from typing import Any

from chatport_prove_boot import Settings, begin, place

MOST_ITEMS = 1000
"""Of a generator that an entry point returns; more is taken for endless."""


def run(job: dict[str, Any]) -> None:
    """Run the job's program and end the process. Never returns."""
    os.environ.clear()
    os.environ.update(job["environment"])
    os.chdir(job["folder"])
    sys.argv = job["arguments"]
    sys.path[:] = [job["import_from"], *sys.path]
    tempfile.tempdir = None
    random.seed(0)
    # The reports of a killed program must be readable: opened before the doors close.
    outcome = os.open(job["outcome"], os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o644)
    begin(Settings(job["settings"]))
    ended = _ended(job)
    sys.settrace(None)
    os.write(outcome, json.dumps(ended).encode())
    code = ended["code"]
    finishers: list[Any] = [threading._shutdown, atexit._run_exitfuncs, _flush]  # type: ignore
    for finish in finishers:
        _despite_errors(finish)
    os._exit(code if isinstance(code, int) else 1)


def _despite_errors(finish: Any) -> None:
    try:
        finish()
    except BaseException:
        traceback.print_exc()


def _flush() -> None:
    sys.stdout.flush()
    sys.stderr.flush()


def _ended(job: dict[str, Any]) -> dict[str, Any]:
    try:
        returned = _call(job)
    except SystemExit as stop:
        if isinstance(stop.code, str):
            print(stop.code, file=sys.stderr)
        code = stop.code if isinstance(stop.code, int) else int(stop.code is not None)
        return {"how": "exited", "code": code}
    except BaseException as error:
        traceback.print_exc()
        return {"how": "raised", "code": 1, "error": describe(error)}
    return {"how": "returned", "code": 0, "returned": returned}


def _call(job: dict[str, Any]) -> Any:
    if job["function"] is None:
        runpy.run_path(job["path"], run_name="__main__")
        return None
    module = importlib.import_module(job["module"])
    found: Any = module
    for name in job["function"].split("."):
        found = getattr(found, name.replace("()", ""))
        if name.endswith("()"):
            found = found()
    return plain(_finish(found()))


def _finish(value: Any) -> Any:
    """What the function gives in the end: awaited, iterated."""
    if inspect.isawaitable(value):

        async def waiting() -> Any:
            return await value

        return asyncio.run(waiting())
    if inspect.isasyncgen(value):

        async def collecting() -> list[Any]:
            return [item async for item in value]

        return asyncio.run(collecting())
    if inspect.isgenerator(value):
        return list(itertools.islice(value, MOST_ITEMS))
    return value


def plain(value: Any, depth: int = 6) -> Any:
    """A value as JSON, the same for both SDKs where it means the same."""
    if isinstance(value, enum.Enum):
        return {"enum": value.name}
    if value is None or isinstance(value, (bool, int, float, str)):
        return value
    if isinstance(value, bytes):
        return {"bytes": len(value), "sha256": hashlib.sha256(value).hexdigest()}
    if depth and isinstance(value, dict):
        return {str(key): plain(inner, depth - 1) for key, inner in value.items()}
    if depth and isinstance(value, (list, tuple)):
        return [plain(inner, depth - 1) for inner in value]
    if depth and dataclasses.is_dataclass(value) and not isinstance(value, type):
        fields = {field.name: getattr(value, field.name) for field in dataclasses.fields(value)}
        return {type(value).__name__: plain(fields, depth - 1)}
    return {"object": type(value).__name__}


def describe(error: BaseException) -> dict[str, Any]:
    """An exception: its classes (most special first), message, API error code, and line."""
    code = getattr(error, "code", None)
    number = getattr(code, "value", code)
    return {
        "type": f"{type(error).__module__}.{type(error).__qualname__}",
        "classes": [f"{one.__module__}.{one.__qualname__}" for one in type(error).__mro__],
        "message": str(error)[:2000],
        "api_code": number if isinstance(number, int) else None,
        "line": place.line_of(error),
    }
