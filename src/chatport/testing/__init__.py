"""Testing kit: scripted models, recorded exchanges, assertions, loopback provider servers.

The names are imported on first use, so a program pays only for those it needs.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from chatport.testing.assertions import assert_said as assert_said
    from chatport.testing.assertions import assert_tools_ran as assert_tools_ran
    from chatport.testing.assertions import said as said
    from chatport.testing.cassette import AsyncReplayModel as AsyncReplayModel
    from chatport.testing.cassette import CassetteError as CassetteError
    from chatport.testing.cassette import ReplayedError as ReplayedError
    from chatport.testing.cassette import ReplayModel as ReplayModel
    from chatport.testing.cassette import record as record
    from chatport.testing.cassette import replay as replay
    from chatport.testing.scripted import Answer as Answer
    from chatport.testing.scripted import AsyncScriptedModel as AsyncScriptedModel
    from chatport.testing.scripted import ScriptedModel as ScriptedModel
    from chatport.testing.scripted import ScriptExhaustedError as ScriptExhaustedError
    from chatport.testing.scripted import answer as answer

_NAMES: Final = {
    "assertions": "assert_said assert_tools_ran said",
    "cassette": "AsyncReplayModel CassetteError ReplayModel ReplayedError record replay",
    "scripted": "Answer AsyncScriptedModel ScriptExhaustedError ScriptedModel answer",
}
_HOME: Final = {name: module for module, names in _NAMES.items() for name in names.split()}

__all__ = sorted(_HOME)


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(f"{__name__}.{_HOME[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *_HOME})
