"""The change that makes free functions methods of a client."""

from __future__ import annotations

from chatport.port.packs.schema.struct import Struct


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
    contents: str = ""
    """The legacy parameter that holds contents."""
    seconds: tuple[str, ...] = ()
    """Legacy parameters that hold a time, by the number of its seconds or as a difference of times;
    the new fields take a text."""
    waits: bool = False
    """Legacy asked when the result was gone through; the new SDK asks for a page at once."""
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
