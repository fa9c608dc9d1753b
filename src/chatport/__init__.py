# ruff: noqa: I001  (the sorter would give every re-exported name an import of its own)
"""A provider-neutral chat client, and a port that moves code off dead model SDKs.

The client's names are imported on first use, so ``import chatport`` stays cheap.
"""

from __future__ import annotations

# Type checkers know this name; importing it from typing would triple the cost of this module.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Final

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
        Document as Document,
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
        find_cause as find_cause,
        system as system,
        tool_results as tool_results,
        user as user,
        wrap as wrap,
    )
    from chatport.client import (
        AsyncClient as AsyncClient,
        AsyncOutputStream as AsyncOutputStream,
        AsyncStream as AsyncStream,
        AsyncStreamClient as AsyncStreamClient,
        BatchState as BatchState,
        Block as Block,
        cache as cache,
        CallOutcome as CallOutcome,
        Client as Client,
        Complete as Complete,
        conversation as conversation,
        fallback as fallback,
        history as history,
        HistoryCommitError as HistoryCommitError,
        HistoryStore as HistoryStore,
        InMemoryHistory as InMemoryHistory,
        interrupted_batch as interrupted_batch,
        InvalidClientError as InvalidClientError,
        InvalidHistoryError as InvalidHistoryError,
        InvalidOutputError as InvalidOutputError,
        InvalidSafeguardError as InvalidSafeguardError,
        InvalidTemplateError as InvalidTemplateError,
        InvalidToolBatchError as InvalidToolBatchError,
        InvalidToolProposalError as InvalidToolProposalError,
        is_transient as is_transient,
        JSON as JSON,
        JSONSchema as JSONSchema,
        Layer as Layer,
        log as log,
        Match as Match,
        NoModelError as NoModelError,
        NoStreamerError as NoStreamerError,
        NoStreamError as NoStreamError,
        OutputCompletionError as OutputCompletionError,
        OutputFormat as OutputFormat,
        OutputStream as OutputStream,
        Partial as Partial,
        retry as retry,
        Round as Round,
        Safeguard as Safeguard,
        SingleBatchTools as SingleBatchTools,
        Stream as Stream,
        StreamClient as StreamClient,
        Substrings as Substrings,
        Template as Template,
        Text as Text,
        timeout as timeout,
        tool_rounds as tool_rounds,
        ToolBatchError as ToolBatchError,
        ToolContinuationError as ToolContinuationError,
        ToolLoop as ToolLoop,
        ToolLoopLimitError as ToolLoopLimitError,
        trace as trace,
        UnsafeContentError as UnsafeContentError,
        usage_meter as usage_meter,
        UsageMeter as UsageMeter,
    )
    from chatport.providers import (
        async_model as async_model,
        AuthenticationError as AuthenticationError,
        ContentBlockedError as ContentBlockedError,
        ContextLengthError as ContextLengthError,
        CutStreamError as CutStreamError,
        model as model,
        OverloadedError as OverloadedError,
        ProviderError as ProviderError,
        RateLimitedError as RateLimitedError,
        Timeouts as Timeouts,
        TransportError as TransportError,
    )
    from chatport.tools import (
        Authorization as Authorization,
        AuthorizationError as AuthorizationError,
        bind as bind,
        CallError as CallError,
        DuplicateToolError as DuplicateToolError,
        Failure as Failure,
        FunctionTool as FunctionTool,
        Guard as Guard,
        InvalidFailureError as InvalidFailureError,
        InvalidInvocationError as InvalidInvocationError,
        InvalidToolError as InvalidToolError,
        InvalidWrappingError as InvalidWrappingError,
        Registry as Registry,
        SchemaTool as SchemaTool,
        Tool as Tool,
        tool as tool,
    )
    from chatport.chat.cancellation import (
        CallCancelledError as CallCancelledError,
        CallTimeoutError as CallTimeoutError,
        cancellable as cancellable,
        CancelScope as CancelScope,
        checkpoint as checkpoint,
        remaining as remaining,
    )

__version__ = "0.1.0"

_NAMES: Final = {
    "chatport.chat": (
        "AsyncFunctionModel AsyncFunctionStreamer AsyncMiddleware AsyncModel "
        "AsyncStreamMiddleware AsyncStreamer BytesSource ChatError Citation CitationDelta "
        "Document EmptyKeyError Extensions FinishReason Format FunctionModel "
        "FunctionStreamer IncompleteStreamError InvalidCitationError InvalidJSONError "
        "InvalidMIMEError InvalidMediaError InvalidMessageError InvalidMetadataError "
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
        "Usage acollect assistant collect find_cause system tool_results user wrap"
    ),
    "chatport.client": (
        "AsyncClient AsyncOutputStream AsyncStream AsyncStreamClient BatchState Block "
        "CallOutcome Client Complete HistoryCommitError HistoryStore InMemoryHistory "
        "InvalidClientError InvalidHistoryError InvalidOutputError InvalidSafeguardError "
        "InvalidTemplateError InvalidToolBatchError InvalidToolProposalError JSON "
        "JSONSchema Layer Match NoModelError NoStreamError NoStreamerError "
        "OutputCompletionError OutputFormat OutputStream Partial Round Safeguard "
        "SingleBatchTools Stream StreamClient Substrings Template Text ToolBatchError "
        "ToolContinuationError ToolLoop ToolLoopLimitError UnsafeContentError UsageMeter "
        "cache conversation fallback history interrupted_batch is_transient log retry "
        "timeout tool_rounds trace usage_meter"
    ),
    "chatport.providers": (
        "AuthenticationError ContentBlockedError ContextLengthError CutStreamError "
        "OverloadedError ProviderError RateLimitedError Timeouts TransportError async_model model"
    ),
    "chatport.tools": (
        "Authorization AuthorizationError CallError DuplicateToolError Failure "
        "FunctionTool Guard InvalidFailureError InvalidInvocationError InvalidToolError "
        "InvalidWrappingError Registry SchemaTool Tool bind tool"
    ),
    "chatport.chat.cancellation": (
        "CallCancelledError CallTimeoutError CancelScope cancellable checkpoint remaining"
    ),
}
"""What ``from chatport import …`` offers, by the package it comes from."""
_HOME: Final = {name: package for package, names in _NAMES.items() for name in names.split()}

__all__ = sorted(_HOME)


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    value = getattr(import_module(_HOME[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *_HOME})
