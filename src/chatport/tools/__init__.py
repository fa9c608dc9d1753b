"""Tools a model may ask to run: contracts, function tools, guards, registries.

The names are imported on first use, so a program pays only for those it needs.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from chatport.tools._dual import Runtime as Runtime
    from chatport.tools.contract import Binding as Binding
    from chatport.tools.contract import Contract as Contract
    from chatport.tools.contract import Invocation as Invocation
    from chatport.tools.contract import Tool as Tool
    from chatport.tools.contract import bind as bind
    from chatport.tools.contract import make_contract as make_contract
    from chatport.tools.errors import AuthorizationError as AuthorizationError
    from chatport.tools.errors import CallError as CallError
    from chatport.tools.errors import DuplicateToolError as DuplicateToolError
    from chatport.tools.errors import Failure as Failure
    from chatport.tools.errors import InvalidFailureError as InvalidFailureError
    from chatport.tools.errors import InvalidInvocationError as InvalidInvocationError
    from chatport.tools.errors import InvalidToolError as InvalidToolError
    from chatport.tools.errors import InvalidWrappingError as InvalidWrappingError
    from chatport.tools.function import FunctionTool as FunctionTool
    from chatport.tools.function import SchemaTool as SchemaTool
    from chatport.tools.function import tool as tool
    from chatport.tools.guard import Authorization as Authorization
    from chatport.tools.guard import Authorizer as Authorizer
    from chatport.tools.guard import Guard as Guard
    from chatport.tools.registry import Registry as Registry

_NAMES: Final = {
    "_dual": "Runtime",
    "contract": "Binding Contract Invocation Tool bind make_contract",
    "errors": (
        "AuthorizationError CallError DuplicateToolError Failure InvalidFailureError "
        "InvalidInvocationError InvalidToolError InvalidWrappingError"
    ),
    "function": "FunctionTool SchemaTool tool",
    "guard": "Authorization Authorizer Guard",
    "registry": "Registry",
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
