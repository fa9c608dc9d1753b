"""The JSON of the protocol values."""

from __future__ import annotations

from typing import Any, TypeVar

import msgspec

from chatport.chat.document import Document
from chatport.chat.metadata import Metadata, wire_form
from chatport.chat.value import Value

V = TypeVar("V", bound=Value)


def encode(value: Value) -> bytes:
    """Compact JSON, members in the protocol's order, absent ones left out."""
    return _ENCODER.encode(value)


def decode(kind: type[V], data: bytes | str) -> V:
    """A value out of strict JSON."""
    return msgspec.json.decode(data, type=kind)


def _wire_form(value: Any) -> Any:
    if isinstance(value, Metadata):
        return wire_form(value)
    if isinstance(value, Document):
        return msgspec.Raw(value.data)
    raise NotImplementedError(type(value).__name__)


_ENCODER = msgspec.json.Encoder(enc_hook=_wire_form)
