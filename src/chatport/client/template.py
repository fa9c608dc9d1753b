"""Prompt templates: Jinja2, sandboxed, and strict about every name."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from chatport.chat import ChatError, Media, Message, system, user
from chatport.client.errors import InvalidTemplateError

if TYPE_CHECKING:
    from jinja2 import Template as CompiledTemplate

    from chatport.client._sandbox import PromptEnvironment


class Template:
    """An immutable, parsed prompt. Safe to share between threads; holds no data of any rendering.

    The language is Jinja2 in a sandbox: no attribute that starts with an underscore, no other
    templates, no unbounded work. A name the data lacks is an error, also inside a condition;
    values are never parsed again, so text from a person cannot become template text.

    Raises `InvalidTemplateError` for a blank source and for anything that does not parse or
    compile.
    """

    __slots__ = ("_compiled", "_names", "_source")

    _source: str
    _compiled: CompiledTemplate
    _names: frozenset[str]

    def __init__(self, source: str) -> None:
        if not isinstance(source, str) or not source.strip():
            raise InvalidTemplateError("the template is blank; give it some text")
        object.__setattr__(self, "_source", source)
        compiled, names = _compile(source)
        object.__setattr__(self, "_compiled", compiled)
        object.__setattr__(self, "_names", names)

    @property
    def source(self) -> str:
        """The text the template was made from."""
        return self._source

    @property
    def names(self) -> frozenset[str]:
        """Every name the template reads from its data, in any branch."""
        return self._names

    def require(self, *names: str) -> None:
        """Check that the template reads each name from its data, wherever in its text.

        Only root names count: ``{{ person.name }}`` reads ``person``. Loop variables and names
        the template sets itself are not uses. Raises `InvalidTemplateError` naming everything
        that is missing, sorted.
        """
        if any(not name.strip() for name in names):
            raise InvalidTemplateError("a required name is blank")
        missing = sorted(set(names) - self._names)
        if missing:
            raise InvalidTemplateError(f"the template does not use: {', '.join(missing)}")

    def render(self, data: object = None) -> str:
        """The text for a mapping or a record (dataclass, model, struct, named tuple).

        Raises `InvalidTemplateError`, its cause the reason, when a name is missing or anything
        else goes wrong.
        """
        from chatport.client._sandbox import budgeted

        values = _variables(data)
        try:
            return self._compiled.render(budgeted(values))
        except Exception as error:
            raise InvalidTemplateError(f"the template cannot be rendered: {error}") from error

    def system_message(self, data: object = None) -> Message:
        """A system message of the rendered text, which must not be empty."""
        text = self.render(data)
        return _message(lambda: system(text))

    def user_message(self, data: object = None, *attachments: Media) -> Message:
        """A user message: the rendered text, left out when empty, then the attachments in order."""
        for position, attachment in enumerate(attachments):
            if not isinstance(attachment, Media):
                raise InvalidTemplateError(
                    f"attachments[{position}] is {type(attachment).__name__}, not Media"
                )
        text = self.render(data)
        return _message(lambda: user(*((text,) if text else ()), *attachments))

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"a Template is immutable; {name} cannot be set")

    def __eq__(self, other: object) -> bool:
        return self._source == other._source if isinstance(other, Template) else NotImplemented

    def __hash__(self) -> int:
        return hash((Template, self._source))

    def __repr__(self) -> str:
        return f"Template({self._source!r})"

    def __reduce__(self) -> tuple[type[Template], tuple[str]]:
        return Template, (self._source,)


@lru_cache(maxsize=1)
def _environment() -> PromptEnvironment:
    from chatport.client._sandbox import PromptEnvironment

    return PromptEnvironment()


def _compile(source: str) -> tuple[CompiledTemplate, frozenset[str]]:
    from chatport.client._sandbox import count_work, refused_statement, root_names

    environment = _environment()
    try:
        tree = environment.parse(source)
        refused = refused_statement(tree)
        if refused is None:
            names = root_names(tree)
            count_work(environment, tree)
            code = environment.compile(tree)
            namespace = environment.make_globals(None)
            return environment.template_class.from_code(environment, code, namespace), names
    except Exception as error:
        line = getattr(error, "lineno", None)
        place = f" in line {line}" if line else ""
        raise InvalidTemplateError(f"the template does not parse{place}: {error}") from error
    statement = type(refused).__name__.lower()
    raise InvalidTemplateError(
        f"line {refused.lineno} wants another template ({statement}); a prompt is one template"
    )


def _variables(data: object) -> dict[str, Any]:
    if data is None:
        return {}
    if isinstance(data, Mapping):
        return dict(data)
    if is_dataclass(data) and not isinstance(data, type):
        return {field.name: getattr(data, field.name) for field in fields(data)}
    for attribute in ("__struct_fields__", "model_fields", "_fields"):
        names = getattr(type(data), attribute, None)
        if names is not None:
            return {name: getattr(data, name) for name in names}
    raise InvalidTemplateError(
        f"a template is rendered from a mapping or a record, not from {type(data).__name__}"
    )


def _message(build: Any) -> Message:
    try:
        message: Message = build()
    except ChatError as error:
        raise InvalidTemplateError(f"the rendering makes no message: {error}") from error
    return message
