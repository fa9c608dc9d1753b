"""The schema of a pack: one migration as data, closed and typed.

A pack is read from TOML into these frozen structs; an unknown or missing field, a wrong type or a
broken cross-reference is a `PackError` that names the field. Nothing in a pack is executed and
nothing is filled into a template: expressions a pack carries are checked to be plain constants,
names, attributes and calls of such.
"""

from __future__ import annotations

from typing import Literal, TypeAlias

import msgspec


class Struct(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A closed table of a pack."""


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
    bound_to_client: tuple[str, ...] = ()
    """Types whose new objects stop working when their client is collected."""
    gone: tuple[str, ...] = ()
    """Names of the legacy module that the new one has not: where they are read from the new one, a
    file is half migrated."""
    distinctive: tuple[str, ...] = ()
    """Method names that are the SDK's even where the receiver is unknown."""


class RenameImport(Struct, frozen=True, kw_only=True, tag_field="kind", tag="rename_import"):
    """Imports of the legacy module become imports of the new one."""

    id: str
    citation: str
    package: str
    """``from <package> import <name>`` is how the new module is imported."""
    name: str
    types_module: str
    """Where the new types live; its last part is the name they are written with."""
    types: dict[str, str]
    """Legacy class -> new name below the types module, or ``service.Name`` beside it."""
    constructors: tuple[str, ...] = ()
    """The legacy classes among them that are made with the same keywords."""


class ConfigureParams(Struct, frozen=True, kw_only=True):
    symbol: str
    client_class: str
    keywords: dict[str, str]
    """Legacy keyword -> new keyword, value carried."""
    positional: tuple[str, ...] = ()
    """Legacy parameters that may be given by position."""
    dropped: dict[str, tuple[str, ...]] = {}
    """Legacy keyword -> constant values with which it may go."""
    always: dict[str, str] = {}
    """New keyword -> constant expression added to every client, to keep what legacy did."""
    environment: tuple[str, ...] = ()
    """Environment variables legacy read the key from, first one wins."""
    environment_keyword: str = ""
    name: str = "client"
    fallback_name: str = "sdk_client"


class ConfigureToClient(
    Struct, frozen=True, kw_only=True, tag_field="kind", tag="configure_to_client"
):
    """A global configuration call becomes the making of a client object."""

    id: str
    citation: str
    params: ConfigureParams


class MethodRewrite(Struct, frozen=True, kw_only=True):
    """How one legacy method is called on the new SDK."""

    root: Literal["client", "receiver"]
    """Where the new call is made: `client` (model and configuration restated) or the receiver."""
    new_call: str
    """`service.method` under `client`, a bare method under `receiver`."""
    stream_call: str | None = None
    """What a call with the stream flag becomes."""
    positional: tuple[str, ...] = ()
    """Legacy parameters in order."""
    keywords: dict[str, str] = {}
    """Legacy parameter -> new keyword, value carried."""
    coroutine: bool = False
    """A coroutine function on both sides."""
    async_call: str | None = None
    """What makes an object that is only used with await; `new_call` makes the other kind."""
    configures: bool = True
    """Whether the new call takes the merged configuration."""
    drops_config: bool = False
    """The new call cannot take the configuration; what may be lost is in `keeps_semantics`."""
    contents: str | None = None
    """The legacy parameter that holds contents."""
    history: str | None = None
    """The legacy parameter that holds a history."""
    afc_kwargs: tuple[str, ...] = ()
    """Parameters about automatic function calling, whose default flipped."""
    empty_means_absent: tuple[str, ...] = ()
    """Parameters that say nothing when they are an empty list or None."""
    absent_when_none: tuple[str, ...] = ()
    """Parameters that are only understood when they are None."""
    order: tuple[str, ...] = ()
    """The new keywords in the order they are written, between the model and the configuration."""


class Safety(Struct, frozen=True, kw_only=True):
    """The safety table: what legacy understood, and the class the new SDK wants."""

    parameter: str
    """The legacy parameter, and the new configuration field of the same name."""
    categories: dict[str, str]
    """Lower-cased strings -> category member."""
    all_categories: tuple[str, ...] = ()
    """The categories that one threshold for all of them stands for."""
    category_members: tuple[str, ...]
    thresholds: dict[str, str]
    threshold_members: tuple[str, ...]
    legacy_category_class: str
    legacy_threshold_class: str
    legacy_category_key: str
    legacy_threshold_key: str
    new_class: str
    new_category_class: str
    new_threshold_class: str


class History(Struct, frozen=True, kw_only=True):
    """Turns: which literal shape may be reshaped."""

    role_key: str
    parts_key: str
    roles: tuple[str, ...]
    text_key: str
    """The one key of a new text part."""
    passing_keys: tuple[str, ...]
    """Keys of parts that are the same on both sides."""
    turn_type: str
    """The new class of one turn, and of the list of them a chat gives back."""
    turns_type: str
    convert: str
    """The new class that makes parts of whatever it is given as ``parts=``, and has them there."""
    blob_keys: tuple[str, str] = ("mime_type", "data")
    blob_call: str = ""
    """The new constructor of a part with inline data, taking the blob keys as keywords."""


class HistoryWrites(Struct, frozen=True, kw_only=True):
    """The two lists a new chat keeps, which are changed together."""

    turns: str
    """The call that gives the list of all turns."""
    sent: str
    """The call that gives the list of those that are sent."""
    rewind: str
    """``Type.method`` that took out the last message and its answer."""


class Tools(Struct, frozen=True, kw_only=True):
    """Tools and the default of automatic function calling."""

    parameter: str
    config_parameter: str
    mode_path: tuple[str, str]
    """The keys of a tool configuration that lead to its mode."""
    modes: tuple[str, ...]
    enable_flag: str
    """The legacy method parameter that switched automatic calling on."""
    strings: dict[str, str]
    """Legacy string tools -> constant expression."""
    off: dict[str, str]
    """Configuration field -> constant expression that keeps functions from being called."""


class ModelCallsParams(Struct, frozen=True, kw_only=True):
    ctor_symbol: str
    """The constructor that roots a binding group."""
    ctor_parameters: tuple[str, ...]
    """In legacy order."""
    model_parameter: str
    default_model: str
    """The model legacy took when none was named."""
    name_attribute: str
    """The attribute of a legacy model that gives its name back."""
    name_prefix: str
    """What legacy put before a name without a slash."""
    model_keyword: str
    """The keyword new calls name the model with."""
    config_keyword: str
    config_class: str
    generation_config: str
    """The legacy parameter that holds generation keys."""
    generation_config_class: str
    generation_config_keys: tuple[str, ...]
    list_keys: tuple[str, ...] = ()
    """Generation keys that hold a list; a string there means something else on each side."""
    schema_keys: tuple[str, ...] = ()
    """Generation keys that hold a schema, whose classes the two SDKs read differently."""
    carried: tuple[str, ...]
    """Constructor parameters that are configuration fields of the same name."""
    methods: tuple[str, ...]
    """Every method of the types below, rewritten or not."""
    method_returns: dict[str, str]
    """Type.method -> a type whose calls stand or fall with the group."""
    rewrites: dict[str, MethodRewrite]
    stream_parameter: str
    history_member: str
    """``Type.attribute`` that gives a chat's history."""
    history_writes: HistoryWrites
    last_member: str = ""
    """``Type.attribute`` that gives a chat's last answer, which the new SDK does not keep."""
    safety: Safety
    history: History
    tools: Tools
    counts_need: tuple[str, ...] = ()
    """Configuration that a call with `drops_config` may not lose."""


class ModelCalls(Struct, frozen=True, kw_only=True, tag_field="kind", tag="model_calls"):
    """Model and chat objects fold into calls on a client."""

    id: str
    citation: str
    params: ModelCallsParams


class MemberRead(Struct, frozen=True, kw_only=True):
    """An attribute of a legacy object, as it reads on the new one."""

    becomes: str | None = None
    """New attribute name, or a call when it ends in ``()``; None keeps the name."""
    warning: str | None = None
    code: str | None = None
    """Refused under this code."""
    reason: str = ""
    raises: str = ""
    """The exception legacy raised where the new value is None."""
    guarded: bool = False
    """The owner may be None on the new SDK; kept where only truth is asked, or with a warning."""
    emptiness: str = ""
    """The exception legacy raised for an item of an empty list, where the new value is None."""
    empty: str = ""
    """What legacy had where the new value is None, as code."""
    shown: str = ""
    """The warning with which it may be shown as text although its owner may be None."""
    enum: str = ""
    """The new enumeration the value belongs to."""
    numbers: dict[str, str] = {}
    """The legacy number of a member -> its name."""
    stores: str | None = None
    """The code a write or a changing call on it is refused with."""


class MemberReads(Struct, frozen=True, kw_only=True, tag_field="kind", tag="member_reads"):
    """Attributes that moved, changed or went."""

    id: str
    citation: str
    members: dict[str, MemberRead]
    """``Type.attribute`` -> how it reads now. A member of a listed type that is missing here is
    refused."""
    types: tuple[str, ...]
    asked_for_fields: tuple[str, ...] = ()
    """Types that told by ``in`` which fields were set."""


class FileName(Struct, frozen=True, kw_only=True):
    """The last part of a path, which legacy said by itself and the new SDK must be told."""

    parameter: str
    """The legacy parameter that says it, and the field of the new configuration."""
    path: str
    """The legacy parameter that holds the path, or an open file, which has no name."""
    only_files_need: str
    """The legacy parameter without which an open file was refused."""


class Embedding(Struct, frozen=True, kw_only=True):
    """A result legacy gave as a mapping: of one item, or of several."""

    key: str
    """The one key that is read."""
    content: str
    """The parameter that holds one text or a list of them."""
    model: str
    joins: tuple[str, ...]
    """Models that make one item of a list on the new SDK, by how their names begin."""
    attribute: str
    """What holds the list of items on the new result."""
    item: str
    """What is read of each."""
    batch: int
    """How many items legacy sent at once."""


class CallRewrite(Struct, frozen=True, kw_only=True):
    """How one free function is called on the new SDK."""

    new_call: str
    """``service.method`` under the client."""
    positional: tuple[str, ...] = ()
    """Legacy parameters in order."""
    keywords: dict[str, str] = {}
    """Legacy parameter -> new keyword, value carried, in the order they are written."""
    config_class: str = ""
    config_keywords: dict[str, str] = {}
    """Legacy parameter -> field of the configuration object."""
    spellings: dict[str, dict[str, str]] = {}
    """Legacy parameter -> lower-cased spelling legacy knew -> the one the new SDK takes."""
    dropped: dict[str, tuple[bool | int | str, ...]] = {}
    """Legacy parameter -> constant values with which it may go."""
    objects: dict[str, str] = {}
    """Legacy parameter that took an object or its name -> the attribute that is the name."""
    coroutine: bool = False
    """A coroutine function on both sides."""
    file_name: FileName | None = None
    embedding: Embedding | None = None


class ReceiverRewrite(Struct, frozen=True, kw_only=True):
    """How a method of a legacy object is called on the client."""

    new_call: str
    keyword: str
    """The new keyword that names the object."""
    attribute: str
    """The attribute of the object that is its name."""


class CallParams(Struct, frozen=True, kw_only=True):
    config_keyword: str
    calls: dict[str, CallRewrite]
    """By symbol."""
    methods: dict[str, ReceiverRewrite] = {}
    """``Type.method`` -> its call."""


class Call(Struct, frozen=True, kw_only=True, tag_field="kind", tag="call"):
    """Free functions become methods of the client."""

    id: str
    citation: str
    params: CallParams


class NewError(Struct, frozen=True, kw_only=True):
    """How the new SDK says what a class of the transport said."""

    name: str
    """The new class."""
    code: int = 0
    """The HTTP status it must have, when the legacy class meant only that one."""
    status: str = ""
    """The word of the status, where several share a code."""


class ErrorClasses(Struct, frozen=True, kw_only=True):
    """The exceptions of the transport that have a counterpart."""

    service: str
    """The module of the new classes, beside the types."""
    base: str
    """The new class all others inherit from."""
    parents: dict[str, str]
    """New class -> the one it inherits from."""
    classes: dict[str, NewError]
    """Legacy symbol -> what it became."""
    attributes: tuple[str, ...]
    """Attributes that mean the same on both sides."""
    shared: tuple[str, ...]
    """Import prefixes of other libraries that raise the same legacy classes."""
    apart: tuple[str, ...] = ()
    """New classes that leave out what legacy's said of a broken connection."""


class RaisedAnswers(Struct, frozen=True, kw_only=True):
    """Answers that legacy raised where the new SDK gives them back."""

    blocked: str
    """The legacy exception of a blocked prompt."""
    stopped: str
    """The legacy exception of an answer that ended for a reason not in `ends`."""
    members: tuple[str, ...]
    """``Type.method`` of the calls that raised them, when they did not stream."""
    feedback: str
    """The attribute of the new answer that says of the prompt, and of that the reason."""
    reason: str
    candidates: str
    """The attribute that lists the answers, and of one the reason it ended for."""
    finish: str
    content: str
    """The attribute of one answer that is its turn."""
    enum: str
    """The new enumeration of those reasons."""
    history: str
    """The legacy parameter of a new chat that is only its past."""
    turns: str
    """The new chat's method that gives the list of its turns."""
    sent: str
    """The flag with which it gives the list that is sent."""
    ends: tuple[str, ...]


class ExceptionParams(Struct, frozen=True, kw_only=True):
    modules: tuple[str, ...]
    """Modules whose exceptions and retries the new SDK never raises and never meets."""
    classes: tuple[str, ...] = ()
    """Legacy exceptions without a counterpart."""
    errors: ErrorClasses
    raised: RaisedAnswers
    instead: str
    """What to wait for on the new SDK, as code to read."""


class Exceptions(Struct, frozen=True, kw_only=True, tag_field="kind", tag="exceptions"):
    """Handlers of classes that are not raised any more hold back the calls they guard."""

    id: str
    citation: str
    params: ExceptionParams


class Flag(Struct, frozen=True, kw_only=True):
    code: str
    reason: str
    verdict: Literal["review", "unsupported"] = "review"


class FlagOnly(Struct, frozen=True, kw_only=True, tag_field="kind", tag="flag_only"):
    """Symbols that are found and never rewritten; a prefix ends in ``.*``."""

    id: str
    citation: str
    symbols: dict[str, Flag]


class MockTargets(Struct, frozen=True, kw_only=True, tag_field="kind", tag="mock_targets"):
    """Tests that replace parts of the SDK replace what took their place."""

    id: str
    citation: str
    services: dict[str, str]
    """Service of a client, or a type of its objects -> the class whose methods may be replaced."""


class ManifestParams(Struct, frozen=True, kw_only=True):
    requirement: str
    """What is written when the project pins nothing itself, e.g. ``name>=1.2``."""
    floor: str
    """The oldest version the emitted code runs on."""
    older: dict[str, str] = {}
    """Interpreters (PEP 440) -> what is written for a project that admits no others."""
    companions: dict[str, str] = {}
    """Distribution that came with the old one and goes with it -> the module it gives."""
    brought: dict[str, str] = {}
    """Distribution that came with the old one and does not come with the new one -> its module."""


class ManifestDependency(
    Struct, frozen=True, kw_only=True, tag_field="kind", tag="manifest_dependency"
):
    """Requirements follow the code."""

    id: str
    citation: str
    params: ManifestParams


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


class RequestOptions(Struct, frozen=True, kw_only=True):
    """What a call says about its own request: how long to wait for the answer."""

    parameter: str
    """The legacy parameter."""
    symbol: str
    """The legacy class; a mapping with the same keys does as well."""
    timeout: str
    """Its key for the time to wait, in seconds."""
    field: str
    """The field of every new configuration."""
    new_class: str
    new_timeout: str
    new_per_second: int
    """How many of the new SDK's units a second has."""


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
