"""The change that folds models and chats into calls on a client, and what calls say."""

from __future__ import annotations

from typing import Literal

from chatport.port.packs.schema.struct import Struct


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
    lacks: tuple[str, ...] = ()
    """The parameters of the constructor that legacy's method has not: it raised TypeError."""
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
    part_type: str
    """The new class of one part."""
    convert: str
    """The new class that makes parts of whatever it is given as ``parts=``, and has them there."""
    blob_keys: tuple[str, str] = ("mime_type", "data")
    blob_call: str = ""
    """The new constructor of a part with inline data, taking the blob keys as keywords."""


class Collected(Struct, frozen=True, kw_only=True):
    """How the whole of a stream is read from a list of its pieces."""

    reads: dict[str, str]
    """``Type.attribute`` -> an expression, with ``{}`` for the list."""
    text: str
    """The one of them that raised `raises` where there was none."""
    raises: str
    resolve: str
    """``Type.method`` that read a stream to its end, and nothing behind its loop."""


class WrittenFunction(Struct, frozen=True, kw_only=True):
    """A function that is written into a module of the program."""

    names: tuple[str, ...]
    """What it is called: the first of these that is free in the module."""
    code: str
    """Its definition, under the first name."""
    needs: tuple[str, ...] = ()
    """The modules of the standard library that it reads."""


class OneTurn(WrittenFunction, frozen=True, kw_only=True):
    """A function of the program that streams a message and keeps its answer as one turn: it takes
    the chat and the message's keywords."""

    of_turns: str
    """What begins the names of the members of a history, ``Type.``."""


class HistoryWrites(Struct, frozen=True, kw_only=True):
    """The list a new chat sends, which is legacy's one list."""

    turns: str
    """The call that gives the list."""
    one: dict[str, int]
    """``Type.method`` that puts a turn into the list -> which of its arguments the turn is."""
    many: str
    """``Type.method`` that puts turns into the list."""
    rewind: str
    """``Type.method`` that took out the last message and its answer."""
    one_turn: OneTurn


class Tools(Struct, frozen=True, kw_only=True):
    """Tools and the default of automatic function calling."""

    parameter: str
    config_parameter: str
    config_class: str
    """The new class of a tool configuration."""
    config_convert: str
    """The legacy function that made one of a mapping."""
    mode_path: tuple[str, str]
    """The keys of a tool configuration that lead to its mode, and the fields of the classes."""
    mode_class: str
    """The new class with the mode."""
    modes: dict[str, str]
    """Lower-cased spellings of a mode, and its numbers -> the one the new SDK takes."""
    strings: dict[str, str]
    """Legacy string tools -> constant expression."""
    tool_class: str
    """The new class declarations are put into."""
    declaration_type: str
    """The legacy type of a declaration."""
    declarations: str
    """Its field for them, and the key of a mapping that is a tool."""
    tool_keys: tuple[str, ...]
    """Keys of a mapping that is a tool on both sides."""
    declaration_keys: tuple[str, ...]
    """Keys of a mapping that is a declaration on both sides; the first is always there."""
    legacy_keys: tuple[str, ...]
    """Keys of a schema that only legacy knew."""
    off: dict[str, str]
    """Configuration field -> constant expression that keeps functions from being called."""


class Cached(Struct, frozen=True, kw_only=True):
    """The other way a model is made: of what the server keeps of an earlier request."""

    symbol: str
    parameter: str
    """The legacy parameter that holds the kept object."""
    type: str
    model: str
    """The attribute of the object that names the model."""
    name: str
    """The attribute that is its own name."""
    field: str
    """The field of the new configuration that takes that name."""


class ModelCallsParams(Struct, frozen=True, kw_only=True):
    ctor_symbol: str
    """The constructor that roots a binding group."""
    ctor_parameters: tuple[str, ...]
    """In legacy order."""
    model_parameter: str
    default_model: str
    """The model legacy took when none was named."""
    name_attributes: tuple[str, ...]
    """The attributes of a legacy model that give its name back."""
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
    mapping_keys: tuple[str, ...] = ()
    """Generation keys that only a mapping may have: the class raised TypeError for them."""
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
    cached: Cached | None = None
    resolve_member: str = ""
    """``Type.method`` that read a stream to its end."""
    collected: Collected
    at_once: WrittenFunction
    """Takes a stream, sends its request and gives its pieces."""
    at_once_awaited: WrittenFunction
    """The same for a stream that was waited for."""
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
