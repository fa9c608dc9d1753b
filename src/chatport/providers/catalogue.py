"""How the wires list the models they have."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from chatport.providers.codec import WireRequest, read_json
from chatport.providers.errors import UnexpectedAnswerError

if TYPE_CHECKING:
    from collections.abc import Mapping


@dataclass(frozen=True, slots=True)
class Catalogue:
    """A wire's list of models, which may come in pages.

    `path` has its query; `models` and `name` are the members with the list and with each name, of
    which `prefix` is taken off. A further page is asked for with the parameter `page`, whose value
    the member `following` has; with `more`, only when that member is true. Of models that tell what
    they can do, in `methods`, those are named that can do `method`.
    """

    path: str
    models: str = "data"
    name: str = "id"
    prefix: str = ""
    page: str = ""
    following: str = ""
    more: str = ""
    methods: str = ""
    method: str = ""
    headers: tuple[tuple[str, str], ...] = ()

    def request(self, page: str | None) -> WireRequest:
        """What asks for a page; None for the first."""
        joint = "&" if "?" in self.path else "?"
        path = self.path if page is None else f"{self.path}{joint}{self.page}={quote(page)}"
        return WireRequest(path, b"", method="GET", headers=self.headers)

    def read(self, body: bytes, provider: str) -> tuple[list[str], str | None]:
        """The names on a page, and what asks for the next. Raises `UnexpectedAnswerError`."""
        told = read_json(body, provider)
        listed = told.get(self.models, []) if isinstance(told, dict) else None
        if not isinstance(listed, list) or not all(isinstance(one, dict) for one in listed):
            raise UnexpectedAnswerError("the answer is no list of models", provider=provider)
        names = [self._name(one) for one in listed if self._serves(one)]
        following = told.get(self.following) if self.following else None
        goes_on = bool(following) and (not self.more or bool(told.get(self.more)))
        return [name for name in names if name], str(following) if goes_on else None

    def _name(self, model: Mapping[str, Any]) -> str:
        return str(model.get(self.name, "")).removeprefix(self.prefix)

    def _serves(self, model: Mapping[str, Any]) -> bool:
        methods = model.get(self.methods) if self.methods else None
        return not isinstance(methods, list) or self.method in methods
