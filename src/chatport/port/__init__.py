"""The port: moves a repository off a dead SDK, refuses what it cannot prove, and shows the rest.

    from chatport.port import plan

    made = plan(["."])          # nothing is written
    print(made.diff())
    made.write()                # journalled: undo(root) takes it back

The names are imported on first use: most repositories hold nothing to port, and then nothing of
the engine is loaded.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from chatport.port.config import Config as Config
    from chatport.port.config import ConfigError as ConfigError
    from chatport.port.config import load_config as load_config
    from chatport.port.editing import plan_text as plan_text
    from chatport.port.findings import Accepted as Accepted
    from chatport.port.findings import Cause as Cause
    from chatport.port.findings import FilePlan as FilePlan
    from chatport.port.findings import Finding as Finding
    from chatport.port.findings import Kind as Kind
    from chatport.port.findings import Note as Note
    from chatport.port.findings import Place as Place
    from chatport.port.findings import Plan as Plan
    from chatport.port.findings import Problem as Problem
    from chatport.port.findings import Status as Status
    from chatport.port.findings import Verdict as Verdict
    from chatport.port.packs.load import PackError as PackError
    from chatport.port.planner import plan as plan
    from chatport.port.writer import WriteError as WriteError
    from chatport.port.writer import undo as undo
    from chatport.port.writer import write as write

_HOMES = {
    "Accepted": "findings",
    "Cause": "findings",
    "Config": "config",
    "ConfigError": "config",
    "FilePlan": "findings",
    "Finding": "findings",
    "Kind": "findings",
    "Note": "findings",
    "PackError": "packs.load",
    "Place": "findings",
    "Plan": "findings",
    "Problem": "findings",
    "Status": "findings",
    "Verdict": "findings",
    "WriteError": "writer",
    "load_config": "config",
    "plan": "planner",
    "plan_text": "editing",
    "undo": "writer",
    "write": "writer",
}
"""Name -> the module it is in, below this one."""

__all__ = sorted(_HOMES)


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)


def __dir__() -> list[str]:
    return __all__
