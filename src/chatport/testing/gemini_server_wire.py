"""What a Gemini REST request means: which method on which resource, and its body in one spelling.

The API is JSON over HTTP, transcoded from protocol buffers. A field may be spelled `snake_case` or
`camelCase`, bytes may be base64 or base64url, and the same method is served under more than one
version. Reading a request the way the service does is the same work for the loopback server, which
answers it, and for whoever compares two requests.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

Json: TypeAlias = dict[str, Any]

OPAQUE: Final = frozenset(
    {
        "args",
        "response",
        "parametersJsonSchema",
        "responseJsonSchema",
        "default",
        "example",
        "enum",
        "labels",
        "partMetadata",
    }
)
"""Fields whose value is the caller's own data: nothing inside them is a field name."""

KEYED_BY_CALLER: Final = frozenset({"properties", "defs", "$defs"})
"""Maps whose keys are the caller's and whose values are messages again."""

BYTES: Final = frozenset({"data", "thoughtSignature"})
"""Fields of type bytes: base64 in either alphabet, padding optional."""

GENERATING: Final = frozenset({"generateContent", "streamGenerateContent"})


@dataclass(frozen=True, slots=True)
class Route:
    """One REST method: `version` as it stood in the path, the `method`, and the resource `name`.

    `method` is the service's custom verb (`generateContent`) or `<collection>.<verb>`
    (`files.upload`, `models.list`, ...); `name` is `models/x`, `files/y`, or empty for a whole
    collection.
    """

    version: str
    method: str
    name: str = ""


_CUSTOM_VERB: Final = re.compile(
    r"(?:projects/[^/]+/locations/[^/]+/publishers/[^/]+/)?"  # where the cloud keeps models
    r"(?P<name>(?:models|tunedModels)/[^:]+):(?P<method>\w+)"
)
_UPLOAD: Final = re.compile(r"/(?:resumable/)?upload/(?P<version>v\w+)/files")
_COLLECTION_VERBS: Final[Mapping[str, str]] = {"GET": "list", "POST": "create"}
_RESOURCE_VERBS: Final[Mapping[str, str]] = {"GET": "get", "PATCH": "update", "DELETE": "delete"}
_COLLECTIONS: Final = frozenset({"models", "tunedModels", "files", "cachedContents"})


def route(verb: str, path: str) -> Route | None:
    """Name the method a request calls; None when the API has no such method."""
    if upload := _UPLOAD.fullmatch(path):
        return Route(upload["version"], "files.upload")
    _, version, *rest = path.split("/", 2) if path.count("/") > 1 else ("", "", "")
    resource = rest[0] if rest else ""
    if not re.fullmatch(r"v\d\w*", version) or not resource:
        return None
    if custom := _CUSTOM_VERB.fullmatch(resource):
        return Route(version, custom["method"], custom["name"]) if verb == "POST" else None
    collection, _, identifier = resource.partition("/")
    known = (_RESOURCE_VERBS if identifier else _COLLECTION_VERBS).get(verb)
    if collection not in _COLLECTIONS or known is None:
        return None
    return Route(version, f"{collection}.{known}", resource if identifier else "")


def camel(name: str) -> str:
    """Spell a field name the way JSON of protocol buffers does: `inline_data` -> `inlineData`."""
    head, *tail = name.split("_")
    if not head:
        return name
    return head + "".join(word[:1].upper() + word[1:] for word in tail)


def canonical(value: Any) -> Any:
    """Spell a body one way: camelCase fields, the standard base64 alphabet with padding.

    The caller's own data (`OPAQUE`) is left alone.
    """
    if isinstance(value, list):
        return [canonical(item) for item in value]
    if not isinstance(value, dict):
        return value
    return {
        field: _canonical_field(field, inner)
        for field, inner in ((camel(name), inner) for name, inner in value.items())
    }


def _canonical_field(field: str, value: Any) -> Any:
    if field in OPAQUE:
        return value
    if field in KEYED_BY_CALLER and isinstance(value, dict):
        return {name: canonical(inner) for name, inner in value.items()}
    if field in BYTES and isinstance(value, str):
        plain = value.replace("-", "+").replace("_", "/").rstrip("=")
        return plain + "=" * (-len(plain) % 4)
    return canonical(value)
