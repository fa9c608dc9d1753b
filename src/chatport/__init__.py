# ruff: noqa: I001  (the sorter would give every re-exported name an import of its own)
"""A provider-neutral chat client, and a port that moves code off dead model SDKs.

The client's names are imported on first use, so ``import chatport`` stays cheap.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from chatport.chat import (
        AsyncFunctionModel as AsyncFunctionModel,
        AsyncFunctionStreamer as AsyncFunctionStreamer,
        AsyncMiddleware as AsyncMiddleware,
        AsyncModel as AsyncModel,
        AsyncStreamer as AsyncStreamer,
        AsyncStreamMiddleware as AsyncStreamMiddleware,
        BytesSource as BytesSource,
        ChatError as ChatError,
        Citation as Citation,
        CitationDelta as CitationDelta,
        EmptyKeyError as EmptyKeyError,
        Extensions as Extensions,
        FinishReason as FinishReason,
        Format as Format,
        FunctionModel as FunctionModel,
        FunctionStreamer as FunctionStreamer,
        IncompleteStreamError as IncompleteStreamError,
        InvalidCitationError as InvalidCitationError,
        InvalidJSONError as InvalidJSONError,
        InvalidMediaError as InvalidMediaError,
        InvalidMessageError as InvalidMessageError,
        InvalidMetadataError as InvalidMetadataError,
        InvalidMetadataKeyError as InvalidMetadataKeyError,
        InvalidMetadataValueError as InvalidMetadataValueError,
        InvalidMiddlewareError as InvalidMiddlewareError,
        InvalidMIMEError as InvalidMIMEError,
        InvalidOptionsError as InvalidOptionsError,
        InvalidOutputFormatError as InvalidOutputFormatError,
        InvalidPartError as InvalidPartError,
        InvalidRequestError as InvalidRequestError,
        InvalidResponseError as InvalidResponseError,
        InvalidSchemaError as InvalidSchemaError,
        InvalidSourceError as InvalidSourceError,
        InvalidToolCallError as InvalidToolCallError,
        InvalidToolChoiceError as InvalidToolChoiceError,
        InvalidToolDefinitionError as InvalidToolDefinitionError,
        InvalidToolOutputError as InvalidToolOutputError,
        InvalidToolResultError as InvalidToolResultError,
        InvalidUsageError as InvalidUsageError,
        InvalidValueError as InvalidValueError,
        JSONFormat as JSONFormat,
        JSONSchemaFormat as JSONSchemaFormat,
        Media as Media,
        MediaDelta as MediaDelta,
        MediaPart as MediaPart,
        Message as Message,
        Metadata as Metadata,
        Middleware as Middleware,
        Model as Model,
        Options as Options,
        Output as Output,
        OutputMetadata as OutputMetadata,
        ReasoningDelta as ReasoningDelta,
        ReasoningPart as ReasoningPart,
        ReferenceSource as ReferenceSource,
        RefusalDelta as RefusalDelta,
        RefusalPart as RefusalPart,
        Request as Request,
        Response as Response,
        ResponseAccumulator as ResponseAccumulator,
        ResponseDelta as ResponseDelta,
        ResponseMetadata as ResponseMetadata,
        Role as Role,
        SchemaMismatchError as SchemaMismatchError,
        Streamer as Streamer,
        StreamMiddleware as StreamMiddleware,
        TextDelta as TextDelta,
        TextFormat as TextFormat,
        TextPart as TextPart,
        ToolCall as ToolCall,
        ToolCallDelta as ToolCallDelta,
        ToolCallPart as ToolCallPart,
        ToolChoice as ToolChoice,
        ToolDefinition as ToolDefinition,
        ToolOutput as ToolOutput,
        ToolResult as ToolResult,
        ToolResultPart as ToolResultPart,
        UnsupportedError as UnsupportedError,
        UnsupportedOptionError as UnsupportedOptionError,
        UnsupportedOutputFormatError as UnsupportedOutputFormatError,
        URISource as URISource,
        Usage as Usage,
        acollect as acollect,
        assistant as assistant,
        collect as collect,
        system as system,
        tool_results as tool_results,
        user as user,
        wrap as wrap,
    )

__version__ = "0.1.0"

_NAMES: Final = {
    "chatport.chat": (
        "AsyncFunctionModel AsyncFunctionStreamer AsyncMiddleware AsyncModel "
        "AsyncStreamMiddleware AsyncStreamer BytesSource ChatError Citation CitationDelta "
        "EmptyKeyError Extensions FinishReason Format FunctionModel FunctionStreamer "
        "IncompleteStreamError InvalidCitationError InvalidJSONError InvalidMIMEError "
        "InvalidMediaError InvalidMessageError InvalidMetadataError "
        "InvalidMetadataKeyError InvalidMetadataValueError InvalidMiddlewareError "
        "InvalidOptionsError InvalidOutputFormatError InvalidPartError "
        "InvalidRequestError InvalidResponseError InvalidSchemaError InvalidSourceError "
        "InvalidToolCallError InvalidToolChoiceError InvalidToolDefinitionError "
        "InvalidToolOutputError InvalidToolResultError InvalidUsageError "
        "InvalidValueError JSONFormat JSONSchemaFormat Media MediaDelta MediaPart Message "
        "Metadata Middleware Model Options Output OutputMetadata ReasoningDelta "
        "ReasoningPart ReferenceSource RefusalDelta RefusalPart Request Response "
        "ResponseAccumulator ResponseDelta ResponseMetadata Role SchemaMismatchError "
        "StreamMiddleware Streamer TextDelta TextFormat TextPart ToolCall ToolCallDelta "
        "ToolCallPart ToolChoice ToolDefinition ToolOutput ToolResult ToolResultPart "
        "URISource UnsupportedError UnsupportedOptionError UnsupportedOutputFormatError "
        "Usage acollect assistant collect system tool_results user wrap"
    ),
}
"""What ``from chatport import …`` offers, by the package it comes from."""
_HOME: Final = {name: package for package, names in _NAMES.items() for name in names.split()}

__all__ = sorted(_HOME)


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(_HOME[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *_HOME})
