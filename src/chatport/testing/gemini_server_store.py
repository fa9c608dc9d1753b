"""Models, files, cached contents and tuned models of the loopback server, and uploads.

What a program creates is kept, listed, changed and deleted. A name nobody created is answered as if
it existed, with a document derived from the name, so that a program which reads something made
elsewhere goes on; a name that was deleted, or that contains `missing`, does not exist.
"""

from __future__ import annotations

import base64
import hashlib
import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from email.message import Message
from email.parser import BytesParser
from typing import Final
from urllib.parse import parse_qs, urlsplit

from chatport.testing.gemini_server_script import Answer, error
from chatport.testing.gemini_server_wire import Json, Route, canonical

CREATED: Final = "2025-01-01T00:00:00Z"
EXPIRES: Final = "2025-01-02T00:00:00Z"
FILE_HOST: Final = "https://generativelanguage.googleapis.com/v1beta/"
"""Files are named by the service's own address: a port would differ from run to run."""

MODELS: Final = (
    "gemini-1.5-flash",
    "gemini-1.5-pro",
    "gemini-2.0-flash",
    "gemini-2.5-flash",
    "gemini-2.5-pro",
    "text-embedding-004",
)


def _model(name: str, _: Json) -> Json:
    identifier = name.partition("/")[2]
    embeds = "embedding" in identifier
    methods = ["embedContent"] if embeds else ["generateContent", "countTokens"]
    return {
        "name": name,
        "baseModelId": identifier,
        "version": "001",
        "displayName": identifier.replace("-", " ").title(),
        "description": f"The loopback server's {identifier}",
        "inputTokenLimit": 2048 if embeds else 1_048_576,
        "outputTokenLimit": 1 if embeds else 8192,
        "supportedGenerationMethods": methods,
        # Fractions that a 32-bit float holds: one of the SDKs reads these into 32 bits.
        "temperature": 1.0,
        "topP": 0.9375,
        "topK": 64,
    }


def _file(name: str, given: Json) -> Json:
    made = {
        "name": name,
        "displayName": given.get("displayName", ""),
        "mimeType": given.get("mimeType", "text/plain"),
        "sizeBytes": str(given.get("sizeBytes", 0)),
        "createTime": CREATED,
        "updateTime": CREATED,
        "expirationTime": EXPIRES,
        "sha256Hash": given.get("sha256Hash", base64.b64encode(name.encode()).decode()),
        "uri": FILE_HOST + name,
        "state": "ACTIVE",
    }
    return {key: value for key, value in made.items() if value != ""}


def _cached_content(name: str, given: Json) -> Json:
    made = {
        "name": name,
        "model": given.get("model", "models/gemini-1.5-flash-001"),
        "displayName": given.get("displayName", ""),
        "createTime": CREATED,
        "updateTime": CREATED,
        "expireTime": given.get("expireTime") or EXPIRES,
        "usageMetadata": {"totalTokenCount": 16},
    }
    return {key: value for key, value in made.items() if value != ""}


def _tuned_model(name: str, given: Json) -> Json:
    return {
        "name": name,
        "displayName": given.get("displayName", name.partition("/")[2]),
        "baseModel": given.get("baseModel", "models/gemini-1.5-flash-001-tuning"),
        "state": "ACTIVE",
        "createTime": CREATED,
        "updateTime": CREATED,
    }


_DOCUMENTS: Final[Mapping[str, Callable[[str, Json], Json]]] = {
    "models": _model,
    "files": _file,
    "cachedContents": _cached_content,
    "tunedModels": _tuned_model,
}


@dataclass(slots=True)
class Upload:
    """A resumable upload under way: what was declared, and the bytes so far."""

    declared: Json
    content: bytearray = field(default_factory=bytearray)


@dataclass(slots=True)
class Store:
    """What programs have made on one server. Not thread safe: the server holds a lock around it."""

    kept: dict[str, Json] = field(default_factory=dict)
    deleted: set[str] = field(default_factory=set)
    uploads: dict[str, Upload] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.kept.update({f"models/{name}": _model(f"models/{name}", {}) for name in MODELS})

    def answer(self, route: Route, query: Mapping[str, str], body: Json) -> Answer:
        """Answer a `<collection>.<verb>` method other than an upload."""
        collection, _, verb = route.method.partition(".")
        if verb == "list":
            return self._list(collection, query)
        if verb == "create":
            return self._create(collection, body)
        if route.name in self.deleted or "missing" in route.name:
            return error(404, f"{route.name} is not found.")
        return getattr(self, f"_{verb}")(collection, route.name, body)  # type: ignore[no-any-return]

    def _list(self, collection: str, query: Mapping[str, str]) -> Answer:
        found = [one for name, one in self.kept.items() if name.startswith(f"{collection}/")]
        start = int(query.get("pageToken") or 0)
        size = int(query.get("pageSize") or 50)
        page: Json = {collection: found[start : start + size]}
        if start + size < len(found):
            page["nextPageToken"] = str(start + size)
        return Answer((page,))

    def _create(self, collection: str, body: Json) -> Answer:
        if collection not in {"cachedContents", "files"}:
            return error(501, f"the loopback server does not create {collection}")
        given = body.get("file", body)
        # Both SDKs say the same in other spellings, and what they make must have the same name.
        said = body if collection == "files" else [given.get("model"), given.get("displayName")]
        return Answer((self._keep(collection, given, json.dumps(said, sort_keys=True).encode()),))

    def _get(self, collection: str, name: str, _: Json) -> Answer:
        return Answer((self.kept.get(name) or _DOCUMENTS[collection](name, {}),))

    def _update(self, collection: str, name: str, body: Json) -> Answer:
        known = self.kept.get(name) or _DOCUMENTS[collection](name, {})
        self.kept[name] = {**known, **_DOCUMENTS[collection](name, {**known, **body})}
        return Answer((self.kept[name],))

    def _delete(self, _: str, name: str, __: Json) -> Answer:
        self.kept.pop(name, None)
        self.deleted.add(name)
        return Answer(({},))

    def _keep(self, collection: str, given: Json, seed: bytes) -> Json:
        """Keep a new document. Its name is the one asked for, or comes from its content."""
        asked = str(given.get("name") or "").removeprefix(f"{collection}/")
        identifier = asked or hashlib.sha256(seed).hexdigest()[:12]
        name = f"{collection}/{identifier}"
        while not asked and name in self.kept:
            identifier = hashlib.sha256(identifier.encode()).hexdigest()[:12]
            name = f"{collection}/{identifier}"
        self.deleted.discard(name)
        self.kept[name] = _DOCUMENTS[collection](name, given)
        return self.kept[name]

    def upload(self, url: str, headers: Mapping[str, str], content: bytes, origin: str) -> Answer:
        """Answer one request of an upload, in any protocol the API knows.

        `X-Goog-Upload-*` headers (start, upload, finalize), the older resumable form (POST for a
        `Location`, then PUT with `Content-Range`), and one multipart request.
        """
        target = urlsplit(url)
        query = parse_qs(target.query)
        command = headers.get("x-goog-upload-command", "")
        if session := "".join(query.get("upload_id", [])):
            # The older form has no commands; its one PUT is the last unless a range says more.
            final = not command or "finalize" in command
            return self._receive(session, headers, content, final=final)
        if query.get("uploadType") == ["multipart"] or content_type(headers).startswith(
            "multipart/"
        ):
            declared, payload = _multipart(headers, content)
            return Answer(({"file": self._finish(Upload(declared, bytearray(payload)))},))
        session = f"upload-{len(self.uploads) + 1}"
        declared = canonical(json.loads(content or b"{}")).get("file") or {}
        kind = headers.get("x-goog-upload-header-content-type") or headers.get(
            "x-upload-content-type"
        )
        self.uploads[session] = Upload({"mimeType": kind, **declared} if kind else declared)
        where = f"{origin}{target.path}?upload_id={session}"
        return Answer(
            ({},),
            headers=(
                ("Location", where),
                ("X-Goog-Upload-URL", where),
                ("X-Goog-Upload-Status", "active"),
            ),
        )

    def _receive(
        self, session: str, headers: Mapping[str, str], content: bytes, *, final: bool
    ) -> Answer:
        upload = self.uploads.get(session)
        if upload is None:
            return error(404, f"no upload {session}")
        upload.content += content
        span = re.fullmatch(r"bytes (?:\d+-(\d+)|\*)/(\d+|\*)", headers.get("content-range", ""))
        if span is not None:
            final = span[2] != "*" and len(upload.content) >= int(span[2])
            if not final:
                return Answer(
                    status=308, headers=(("Range", f"bytes=0-{len(upload.content) - 1}"),)
                )
        if not final:
            return Answer(({},), headers=(("X-Goog-Upload-Status", "active"),))
        del self.uploads[session]
        return Answer(
            ({"file": self._finish(upload)},), headers=(("X-Goog-Upload-Status", "final"),)
        )

    def _finish(self, upload: Upload) -> Json:
        digest = hashlib.sha256(upload.content)
        measured = {
            "sizeBytes": len(upload.content),
            "sha256Hash": base64.b64encode(digest.hexdigest().encode()).decode(),
        }
        return self._keep("files", {**upload.declared, **measured}, digest.digest())


def content_type(headers: Mapping[str, str]) -> str:
    """The declared content type, empty when there is none."""
    return headers.get("content-type", "")


def _multipart(headers: Mapping[str, str], content: bytes) -> tuple[Json, bytes]:
    head = f"Content-Type: {content_type(headers)}\r\n\r\n".encode()
    message = BytesParser().parsebytes(head + content)
    pieces = [piece for piece in message.walk() if not piece.is_multipart()]
    if len(pieces) != 2:
        return {}, b""
    metadata, media = pieces
    declared = canonical(json.loads(_payload(metadata) or b"{}")).get("file") or {}
    return {"mimeType": media.get_content_type(), **declared}, _payload(media)


def _payload(piece: Message) -> bytes:
    payload = piece.get_payload(decode=True)
    return payload if isinstance(payload, bytes) else b""


def discovery(origin: str) -> Json:
    """The part of the API's discovery document that its upload client reads."""
    upload = {
        "id": "generativelanguage.media.upload",
        "path": "v1beta/files",
        "flatPath": "v1beta/files",
        "httpMethod": "POST",
        "parameters": {},
        "parameterOrder": [],
        "request": {"$ref": "CreateFileRequest"},
        "response": {"$ref": "CreateFileResponse"},
        "supportsMediaUpload": True,
        "mediaUpload": {
            "accept": ["*/*"],
            "maxSize": "2147483648",
            "protocols": {
                "simple": {"multipart": True, "path": "/upload/v1beta/files"},
                "resumable": {"multipart": True, "path": "/resumable/upload/v1beta/files"},
            },
        },
    }
    anything = {"type": "object", "properties": {"file": {"type": "any"}}}
    schemas = ("CreateFileRequest", "CreateFileResponse")
    return {
        "kind": "discovery#restDescription",
        "name": "generativelanguage",
        "version": "v1beta",
        "rootUrl": f"{origin}/",
        "servicePath": "",
        "baseUrl": f"{origin}/",
        "batchPath": "batch",
        "parameters": {},
        "schemas": {name: {"id": name, **anything} for name in schemas},
        "resources": {"media": {"methods": {"upload": upload}}},
    }
