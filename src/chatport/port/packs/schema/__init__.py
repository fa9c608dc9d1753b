"""The schema of a pack: one migration as data, closed and typed.

A pack is read from TOML into these frozen structs; an unknown or missing field, a wrong type or a
broken cross-reference is a `PackError` that names the field. Nothing in a pack is executed and
nothing is filled into a template: expressions a pack carries are checked to be plain constants,
names, attributes and calls of such.
"""

from __future__ import annotations

from typing import TypeAlias

import msgspec

from chatport.port.packs.schema.answers import (
    ErrorClasses,
    ExceptionParams,
    Exceptions,
    MemberRead,
    MemberReads,
    NewError,
    RaisedAnswers,
)
from chatport.port.packs.schema.calls import (
    Call,
    CallParams,
    CallRewrite,
    Embedding,
    FileName,
    ReceiverRewrite,
)
from chatport.port.packs.schema.model_calls import (
    Collected,
    History,
    HistoryWrites,
    MethodRewrite,
    ModelCalls,
    ModelCallsParams,
    OneTurn,
    RequestOptions,
    Safety,
    Tools,
    WrittenFunction,
)
from chatport.port.packs.schema.programs import (
    ConfigureParams,
    ConfigureToClient,
    Flag,
    FlagOnly,
    ManifestDependency,
    ManifestParams,
    Message,
    MockTargets,
    RenameImport,
)
from chatport.port.packs.schema.struct import Struct

__all__ = [
    "Call",
    "CallParams",
    "CallRewrite",
    "Change",
    "Collected",
    "ConfigureParams",
    "ConfigureToClient",
    "Embedding",
    "ErrorClasses",
    "ExceptionParams",
    "Exceptions",
    "FileName",
    "Flag",
    "FlagOnly",
    "History",
    "HistoryWrites",
    "ManifestDependency",
    "ManifestParams",
    "Match",
    "MemberRead",
    "MemberReads",
    "Message",
    "MethodRewrite",
    "MockTargets",
    "ModelCalls",
    "ModelCallsParams",
    "NewError",
    "OneTurn",
    "Pack",
    "RaisedAnswers",
    "ReceiverRewrite",
    "RenameImport",
    "RequestOptions",
    "Safety",
    "Side",
    "Tools",
    "WrittenFunction",
]


class Side(Struct, frozen=True, kw_only=True):
    """One of the two SDKs."""

    distribution: str
    """The name on the package index."""
    module: str
    """The dotted import name."""
    versions: str
    """A version specifier (PEP 440)."""
    python: str = ">=3.9"
    """What the SDK itself needs (PEP 440)."""


class Match(Struct, frozen=True, kw_only=True):
    """What belongs to the legacy SDK and how its objects make one another."""

    tokens: tuple[str, ...]
    """A file with none of these byte strings holds nothing of the SDK."""
    makes: dict[str, str]
    """``symbol`` or ``Type.method`` -> the type a call of it returns."""
    reads: dict[str, str] = {}
    """``Type.attribute`` or ``Type[]`` -> the type it holds."""
    aliases: dict[str, str] = {}
    """Other spellings of a symbol -> its one name here (both below the module)."""
    mappings: tuple[str, ...] = ()
    """Classes a call of which makes a plain mapping of its keywords."""
    wire: dict[str, str] = {}
    """Module with the same classes under its own names -> the legacy module they are known by."""
    bound_to_client: tuple[str, ...] = ()
    """Types whose new objects stop working when their client is collected."""
    gone: tuple[str, ...] = ()
    """Names of the legacy module that the new one has not: where they are read from the new one, a
    file is half migrated."""
    distinctive: tuple[str, ...] = ()
    """Method names that are the SDK's even where the receiver is unknown."""
    others: dict[str, tuple[str, ...]] = {}
    """Classes of other libraries that programs use in the SDK's place -> those of the distinctive
    methods that they have, too."""


Change: TypeAlias = (
    RenameImport
    | ConfigureToClient
    | ModelCalls
    | MemberReads
    | Call
    | Exceptions
    | FlagOnly
    | MockTargets
    | ManifestDependency
)


class Pack(Struct, frozen=True, kw_only=True):
    """One migration."""

    id: str
    title: str
    version: str
    source: Side = msgspec.field(name="from")
    target: Side = msgspec.field(name="to")
    match: Match
    request_options: RequestOptions | None = None
    changes: tuple[Change, ...]
    limitations: tuple[str, ...] = ()
    suggestions: dict[str, str] = {}
    """Symbol or ``Type.member`` that is refused -> what a person may write, with places for the
    author's own: ``{self}`` the object, ``{args}`` all arguments, ``{name}`` one of them."""
