"""The client: an immutable, provider-neutral face over any model.

The names are imported on first use, so a program pays only for those it needs.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from chatport.client.clients import AsyncClient as AsyncClient
    from chatport.client.clients import Client as Client
    from chatport.client.conversations import conversation as conversation
    from chatport.client.deltas import deltas_of as deltas_of
    from chatport.client.errors import BatchState as BatchState
    from chatport.client.errors import Block as Block
    from chatport.client.errors import CallOutcome as CallOutcome
    from chatport.client.errors import CallState as CallState
    from chatport.client.errors import HistoryCommitError as HistoryCommitError
    from chatport.client.errors import InvalidClientError as InvalidClientError
    from chatport.client.errors import InvalidHistoryError as InvalidHistoryError
    from chatport.client.errors import InvalidOutputError as InvalidOutputError
    from chatport.client.errors import InvalidSafeguardError as InvalidSafeguardError
    from chatport.client.errors import InvalidTemplateError as InvalidTemplateError
    from chatport.client.errors import InvalidToolBatchError as InvalidToolBatchError
    from chatport.client.errors import InvalidToolProposalError as InvalidToolProposalError
    from chatport.client.errors import NoModelError as NoModelError
    from chatport.client.errors import NoStreamerError as NoStreamerError
    from chatport.client.errors import NoStreamError as NoStreamError
    from chatport.client.errors import OutputCompletionError as OutputCompletionError
    from chatport.client.errors import ToolBatchError as ToolBatchError
    from chatport.client.errors import ToolContinuationError as ToolContinuationError
    from chatport.client.errors import ToolLoopLimitError as ToolLoopLimitError
    from chatport.client.errors import UnsafeContentError as UnsafeContentError
    from chatport.client.errors import interrupted_batch as interrupted_batch
    from chatport.client.layer import Ask as Ask
    from chatport.client.layer import Layer as Layer
    from chatport.client.layer import Open as Open
    from chatport.client.middleware.cache import cache as cache
    from chatport.client.middleware.failing import RetryOn as RetryOn
    from chatport.client.middleware.failing import is_transient as is_transient
    from chatport.client.middleware.fallback import fallback as fallback
    from chatport.client.middleware.history import HistoryStore as HistoryStore
    from chatport.client.middleware.history import InMemoryHistory as InMemoryHistory
    from chatport.client.middleware.history import history as history
    from chatport.client.middleware.log import log as log
    from chatport.client.middleware.retry import retry as retry
    from chatport.client.middleware.timeout import timeout as timeout
    from chatport.client.middleware.trace import trace as trace
    from chatport.client.middleware.usage_meter import UsageMeter as UsageMeter
    from chatport.client.middleware.usage_meter import usage_meter as usage_meter
    from chatport.client.output import JSON as JSON
    from chatport.client.output import JSONSchema as JSONSchema
    from chatport.client.output import OutputFormat as OutputFormat
    from chatport.client.output import Text as Text
    from chatport.client.rounds import Round as Round
    from chatport.client.rounds import SingleBatchTools as SingleBatchTools
    from chatport.client.rounds import ToolLoop as ToolLoop
    from chatport.client.rounds import tool_rounds as tool_rounds
    from chatport.client.safeguard import Match as Match
    from chatport.client.safeguard import Matcher as Matcher
    from chatport.client.safeguard import Safeguard as Safeguard
    from chatport.client.safeguard import Substrings as Substrings
    from chatport.client.streams import AsyncOutputStream as AsyncOutputStream
    from chatport.client.streams import AsyncStream as AsyncStream
    from chatport.client.streams import AsyncStreamClient as AsyncStreamClient
    from chatport.client.streams import Complete as Complete
    from chatport.client.streams import OutputStream as OutputStream
    from chatport.client.streams import Partial as Partial
    from chatport.client.streams import Stream as Stream
    from chatport.client.streams import StreamClient as StreamClient
    from chatport.client.template import Template as Template
    from chatport.client.tool_batch import OnError as OnError

_NAMES: Final = {
    "clients": "AsyncClient Client",
    "conversations": "conversation",
    "deltas": "deltas_of",
    "errors": (
        "BatchState Block CallOutcome CallState HistoryCommitError InvalidClientError "
        "InvalidHistoryError InvalidOutputError InvalidSafeguardError InvalidTemplateError "
        "InvalidToolBatchError InvalidToolProposalError NoModelError NoStreamError "
        "NoStreamerError OutputCompletionError ToolBatchError ToolContinuationError "
        "ToolLoopLimitError UnsafeContentError interrupted_batch"
    ),
    "layer": "Ask Layer Open",
    "middleware.cache": "cache",
    "middleware.failing": "RetryOn is_transient",
    "middleware.fallback": "fallback",
    "middleware.history": "HistoryStore InMemoryHistory history",
    "middleware.log": "log",
    "middleware.retry": "retry",
    "middleware.timeout": "timeout",
    "middleware.trace": "trace",
    "middleware.usage_meter": "UsageMeter usage_meter",
    "output": "JSON JSONSchema OutputFormat Text",
    "rounds": "Round SingleBatchTools ToolLoop tool_rounds",
    "safeguard": "Match Matcher Safeguard Substrings",
    "streams": (
        "AsyncOutputStream AsyncStream AsyncStreamClient Complete OutputStream Partial "
        "Stream StreamClient"
    ),
    "template": "Template",
    "tool_batch": "OnError",
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
