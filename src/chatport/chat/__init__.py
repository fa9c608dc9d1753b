# ruff: noqa: I001  (the sorter would give every re-exported name an import of its own)
"""The chat protocol: immutable values every provider and every client speaks.

The names are imported on first use, so a program pays only for those it needs.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from chatport.chat.accumulator import (
        ResponseAccumulator as ResponseAccumulator,
        acollect as acollect,
        collect as collect,
    )
    from chatport.chat.content import (
        Citation as Citation,
        CitationSource as CitationSource,
        Content as Content,
        MediaPart as MediaPart,
        TextPart as TextPart,
    )
    from chatport.chat.delta import (
        CitationDelta as CitationDelta,
        MediaDelta as MediaDelta,
        PartDelta as PartDelta,
        ReasoningDelta as ReasoningDelta,
        RefusalDelta as RefusalDelta,
        ResponseDelta as ResponseDelta,
        TextDelta as TextDelta,
        ToolCallDelta as ToolCallDelta,
    )
    from chatport.chat.document import (
        Document as Document,
        FrozenJSON as FrozenJSON,
        parse_strict as parse_strict,
    )
    from chatport.chat.errors import (
        ChatError as ChatError,
        EmptyKeyError as EmptyKeyError,
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
        SchemaMismatchError as SchemaMismatchError,
        UnsupportedError as UnsupportedError,
        UnsupportedOptionError as UnsupportedOptionError,
        UnsupportedOutputFormatError as UnsupportedOutputFormatError,
        find_cause as find_cause,
    )
    from chatport.chat.media import (
        BytesSource as BytesSource,
        Media as Media,
        ReferenceSource as ReferenceSource,
        Source as Source,
        URISource as URISource,
    )
    from chatport.chat.message import (
        Message as Message,
        Role as Role,
        assistant as assistant,
        system as system,
        tool_results as tool_results,
        user as user,
    )
    from chatport.chat.metadata import Extensions as Extensions, Metadata as Metadata
    from chatport.chat.model import (
        AsyncFunctionModel as AsyncFunctionModel,
        AsyncFunctionStreamer as AsyncFunctionStreamer,
        AsyncMiddleware as AsyncMiddleware,
        AsyncModel as AsyncModel,
        AsyncStreamer as AsyncStreamer,
        AsyncStreamMiddleware as AsyncStreamMiddleware,
        FunctionModel as FunctionModel,
        FunctionStreamer as FunctionStreamer,
        Middleware as Middleware,
        Model as Model,
        Streamer as Streamer,
        StreamMiddleware as StreamMiddleware,
        wrap as wrap,
    )
    from chatport.chat.options import (
        Format as Format,
        JSONFormat as JSONFormat,
        JSONSchemaFormat as JSONSchemaFormat,
        Options as Options,
        TextFormat as TextFormat,
    )
    from chatport.chat.part import (
        Part as Part,
        ReasoningPart as ReasoningPart,
        RefusalPart as RefusalPart,
        ToolCallPart as ToolCallPart,
        ToolResultPart as ToolResultPart,
    )
    from chatport.chat.request import Request as Request
    from chatport.chat.response import (
        FinishReason as FinishReason,
        Output as Output,
        OutputMetadata as OutputMetadata,
        Response as Response,
        ResponseMetadata as ResponseMetadata,
        Usage as Usage,
    )
    from chatport.chat.schema import Schema as Schema, compiled as compiled
    from chatport.chat.tool import (
        ToolCall as ToolCall,
        ToolChoice as ToolChoice,
        ToolDefinition as ToolDefinition,
        ToolOutput as ToolOutput,
        ToolResult as ToolResult,
    )

_NAMES: Final = {
    "accumulator": "ResponseAccumulator acollect collect",
    "content": "Citation CitationSource Content MediaPart TextPart",
    "delta": (
        "CitationDelta MediaDelta PartDelta ReasoningDelta RefusalDelta ResponseDelta "
        "TextDelta ToolCallDelta"
    ),
    "document": "Document FrozenJSON parse_strict",
    "errors": (
        "ChatError EmptyKeyError IncompleteStreamError InvalidCitationError "
        "InvalidJSONError InvalidMIMEError InvalidMediaError InvalidMessageError "
        "InvalidMetadataError InvalidMetadataKeyError InvalidMetadataValueError "
        "InvalidMiddlewareError InvalidOptionsError InvalidOutputFormatError "
        "InvalidPartError InvalidRequestError InvalidResponseError InvalidSchemaError "
        "InvalidSourceError InvalidToolCallError InvalidToolChoiceError "
        "InvalidToolDefinitionError InvalidToolOutputError InvalidToolResultError "
        "InvalidUsageError InvalidValueError SchemaMismatchError UnsupportedError "
        "UnsupportedOptionError UnsupportedOutputFormatError find_cause"
    ),
    "media": "BytesSource Media ReferenceSource Source URISource",
    "message": "Message Role assistant system tool_results user",
    "metadata": "Extensions Metadata",
    "model": (
        "AsyncFunctionModel AsyncFunctionStreamer AsyncMiddleware AsyncModel "
        "AsyncStreamMiddleware AsyncStreamer FunctionModel FunctionStreamer Middleware "
        "Model StreamMiddleware Streamer wrap"
    ),
    "options": "Format JSONFormat JSONSchemaFormat Options TextFormat",
    "part": "Part ReasoningPart RefusalPart ToolCallPart ToolResultPart",
    "request": "Request",
    "response": "FinishReason Output OutputMetadata Response ResponseMetadata Usage",
    "schema": "Schema compiled",
    "tool": "ToolCall ToolChoice ToolDefinition ToolOutput ToolResult",
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
