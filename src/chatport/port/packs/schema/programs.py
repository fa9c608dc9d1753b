"""The changes around calls: imports, clients, tests, requirements, what is only found."""

from __future__ import annotations

from typing import Literal

from chatport.port.packs.schema.struct import Struct


class Message(Struct, frozen=True, kw_only=True):
    """A legacy class that is made by keywords on both sides."""

    fields: dict[str, str]
    """Legacy keyword -> new keyword; another one is refused."""
    members: tuple[str, ...] = ()
    """Fields that hold a member of an enumeration, which legacy also took by its number."""
    functions: tuple[str, ...] = ()
    """Fields in which legacy took functions besides."""
    mappings: tuple[str, ...] = ()
    """Fields that hold a mapping whose keys are the program's own."""


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
    awaited: dict[str, str] = {}
    """New name of such a class -> that of its objects whose calls are awaited."""
    names: tuple[str, ...] = ()
    """The names that the one package or the other has, in any version; another is on neither."""
    messages: dict[str, Message] = {}
    """The legacy classes among them that are made by keywords, and how."""


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


class Flag(Struct, frozen=True, kw_only=True):
    code: str
    reason: str
    instead: str = ""
    """What a person would write on the new SDK, as code to read."""
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
    fleeting: tuple[str, ...] = ()
    """Services that a client makes anew each time they are read."""


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
