from __future__ import annotations

import pickle
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any, NamedTuple

import msgspec
import pydantic
import pytest

from chatport import InvalidTemplateError, InvalidValueError, Media, MediaPart, Template, TextPart

IMAGE = Media.of_bytes("image/png", b"\x89PNG")


@pytest.mark.parametrize(
    "source",
    [
        "",
        "  \n",
        "{{ name",
        "{% if x %}",
        "{{ x|no_such_filter }}",
        "{{ x is no_such_test }}",
        None,
        7,
    ],
)
def test_s30_what_does_not_parse_is_no_template(source: Any) -> None:
    with pytest.raises(InvalidTemplateError):
        Template(source)


def test_s30_a_fault_names_its_line() -> None:
    with pytest.raises(InvalidTemplateError, match="in line 2"):
        Template("fine\n{{ name")


@dataclass
class Record:
    first: str
    second: str


class Model(pydantic.BaseModel):
    first: str
    second: str


class Struct(msgspec.Struct):
    first: str
    second: str


class Named(NamedTuple):
    first: str
    second: str


@pytest.mark.parametrize("kind", [dict, Record, Model, Struct, Named])
def test_s31_data_is_a_mapping_or_a_record(kind: Any) -> None:
    template = Template("{{ first }} and {{ second }}")
    assert template.render(kind(first="a", second="b")) == "a and b"


@pytest.mark.parametrize("source", ["{{ first }}{{ second }}", "{% if second %}{% endif %}"])
def test_s31_a_name_the_data_lacks_is_an_error(source: str) -> None:
    with pytest.raises(InvalidTemplateError, match="'second' is undefined") as caught:
        Template(source).render({"first": "a"})
    assert caught.value.__cause__ is not None


@pytest.mark.parametrize("data", [7, "text", [("first", "a")], Record])
def test_s31_other_data_is_refused(data: Any) -> None:
    with pytest.raises(InvalidTemplateError):
        Template("{{ first }}").render(data)


def test_s32_require_finds_uses_anywhere_and_lists_what_is_missing() -> None:
    template = Template(
        "{% if enabled %}{{ user.name }}{% else %}{{ other|upper }}{% endif %}"
        "{% for item in items %}{{ item.price }}{% endfor %}"
    )
    template.require("user", "enabled", "items", "user", "other")
    with pytest.raises(InvalidTemplateError, match=r"does not use: name, zed$"):
        template.require("zed", "name", "name")
    for blank in ("", "  "):
        with pytest.raises(InvalidTemplateError, match="blank"):
            template.require(blank)
    assert template.names == {"enabled", "user", "other", "items"}


def test_s33_a_name_counts_in_blocks_and_arguments() -> None:
    template = Template(
        "{{ query }}{% with x = 1 %}{{ query }}{% endwith %}{{ '%s'|format(query) }}"
    )
    template.require("query")
    assert template.render({"query": "q"}) == "qqq"


def test_s34_a_name_the_template_sets_is_no_use_of_data() -> None:
    template = Template("{% set item = user %}{{ item.name }}")
    template.require("user")
    for name in ("name", "item"):
        with pytest.raises(InvalidTemplateError):
            template.require(name)


def test_a_loop_variable_is_no_use_and_is_none_outside_its_loop() -> None:
    template = Template("{% for item in items %}{{ item }}{{ loop.index }}{% endfor %}{{ item }}")
    template.require("items", "item")
    assert template.render({"items": ["a"], "item": "z"}) == "a1z"


def test_s35_a_user_message_holds_text_and_attachments() -> None:
    message = Template("Look, {{ name }}").user_message({"name": "Ada"}, IMAGE)
    text, media = message.parts
    assert isinstance(text, TextPart)
    assert text.text == "Look, Ada"
    assert isinstance(media, MediaPart)
    assert media.media is IMAGE


def test_s36_a_rendering_may_be_empty_beside_an_attachment_only() -> None:
    empty = Template("{% if show %}x{% endif %}")
    message = empty.user_message({"show": False}, IMAGE)
    assert [type(part) for part in message.parts] == [MediaPart]
    for make in (
        lambda: empty.user_message({"show": False}),
        lambda: empty.system_message({"show": False}),
    ):
        with pytest.raises(InvalidTemplateError) as caught:
            make()
        assert isinstance(caught.value.__cause__, InvalidValueError)
    with pytest.raises(InvalidTemplateError, match=r"attachments\[1\] is NoneType"):
        empty.user_message({"show": True}, IMAGE, None)  # type: ignore[arg-type]


def test_a_system_message_is_the_rendered_text() -> None:
    message = Template("Be {{ how }}.\n").system_message({"how": "brief"})
    assert (message.role, message.text()) == ("system", "Be brief.\n")


def test_s37_renderings_in_parallel_keep_to_themselves() -> None:
    template = Template("{% for _ in range(50) %}{{ n }} {% endfor %}")
    with ThreadPoolExecutor(8) as pool:
        texts = list(pool.map(lambda n: template.render({"n": n}), range(50)))
    assert texts == [f"{n} " * 50 for n in range(50)]


def test_a_template_is_an_immutable_value() -> None:
    template = Template("{{ x }}")
    with pytest.raises(AttributeError, match="immutable"):
        template.source = "y"  # type: ignore[misc]
    assert template == Template("{{ x }}")
    assert template != Template("{{ y }}")
    assert template != "{{ x }}"
    assert hash(template) == hash(Template("{{ x }}"))
    assert repr(template) == "Template('{{ x }}')"
    assert pickle.loads(pickle.dumps(template)).render({"x": 1}) == "1"


def test_values_are_never_parsed_again() -> None:
    template = Template("{{ text }}")
    assert template.render({"text": "{{ secret }} {% raw %} {"}) == "{{ secret }} {% raw %} {"
    assert Template("no names").render() == "no names"


ESCAPES = [
    "{{ x.__class__ }}",
    "{{ x['__class__'] }}",
    "{{ x|attr('__class__') }}",
    "{{ x._private }}",
    "{{ ''.__class__.__mro__ }}",
    "{{ '{0.__class__}'.format(x) }}",
    "{{ self.__init__ }}",
    "{{ range.__globals__ }}",
    "{{ xs.append(1) }}",
    "{{ xs|map(attribute='__class__')|list }}",
    "{{ xs|map(attribute='__class__')|first }}",
]


@pytest.mark.parametrize("source", ESCAPES)
def test_a_template_cannot_reach_what_starts_with_an_underscore(source: str) -> None:
    with pytest.raises(InvalidTemplateError):
        Template(source).render({"x": 1, "xs": [1]})


@pytest.mark.parametrize(
    "source",
    ["{% include 'a' %}", "{% import 'a' as b %}", "{% from 'a' import b %}", "{% extends 'a' %}"],
)
def test_a_prompt_is_one_template(source: str) -> None:
    with pytest.raises(InvalidTemplateError, match="another template"):
        Template(source)


def _repeated(step: str, times: int = 60) -> str:
    return "{% set x = 'aaaaaaaa' %}" + step * times + "{{ x|length }}"


ENDLESS = {
    "nested loops": "{% for a in range(9999) %}{% for b in range(9999) %}{% endfor %}{% endfor %}",
    "doubling with ~": _repeated("{% set x = x ~ x %}"),
    "doubling with +": _repeated("{% set x = x + x %}"),
    "doubling with %": _repeated("{% set x = '%s%s' % (x, x) %}"),
    "doubling a block": _repeated("{% set x %}{{ x }}{{ x }}{% endset %}"),
    "doubling a list": "{% set x = [1] %}" + "{% set x = x + x %}" * 60 + "{{ x|length }}",
    "squaring with replace": _repeated("{% set x = x|replace('a', x) %}"),
    "squaring with a method": _repeated("{% set x = x.replace('a', x) %}"),
    "squaring with join": _repeated("{% set x = x.join(x) %}"),
    "squaring with the filter": _repeated("{% set x = x|join(x) %}"),
    "formatting": _repeated("{% set x = '%s%s'|format(x, x) %}"),
    "repetition": "{{ 'x' * 1000000000 }}",
    "repetition, turned round": "{{ 1000000000 * [1] }}",
    "a tower of powers": "{{ 9 ** (9 ** 9) }}",
    "a large number": "{% set n = 99999999 %}" + "{% set n = n * n %}" * 60,
    "powers of powers": "{% set n = 99 %}" + "{% set n = n ** 64 %}" * 9 + "{{ n }}",
    "division of large numbers": ("{% set n = ('f' * 5000000)|int(base=16) %}{{ n // 3 }}"),
    "width of a format": "{{ '%999999999d'|format(1) }}",
    "width of an operator": "{{ '%999999999d' % 1 }}",
    "width of a method": "{{ '{:>999999999}'.format(1) }}",
    "width from a value": "{{ '%*d' % (999999999, 1) }}",
    "centring": "{{ 'x'|center(999999999) }}",
    "padding": "{{ 'x'.ljust(999999999) }}",
    "indentation": "{{ 'x\n' * 9 | indent(999999999) }}",
    "slices": "{{ []|slice(999999999)|list }}",
    "batches": "{{ [1]|batch(999999999, 0)|list }}",
    "rounding": "{{ 1.5|round(999999999, 'ceil') }}",
    "tabs": "{{ '\t'.expandtabs(999999999) }}",
    "recursion": "{% macro f() %}{{ f() }}{% endmacro %}{{ f() }}",
    "branching": "{% macro f(n) %}{{ f(n-1) ~ f(n-1) if n }}{% endmacro %}{{ f(60) }}",
    "a loop within itself": "{% for i in xs recursive %}{{ loop(i) }}{% endfor %}",
    "brackets": "{{ " + "(" * 5000 + "1" + ")" * 5000 + " }}",
}


@pytest.mark.parametrize("how", ENDLESS)
def test_a_template_cannot_work_without_end(how: str) -> None:
    xs: list[Any] = []
    xs.append(xs)
    with pytest.raises(InvalidTemplateError):
        Template(ENDLESS[how]).render({"xs": xs})


@pytest.mark.parametrize(
    ("source", "text"),
    [
        ("{{ '%.2f'|format(x) }} {{ '%5d' % 3 }}", "1.50     3"),
        ("{{ [1, 2]|join(', ') }} {{ ['a']|map('upper')|first }}", "1, 2 A"),
        ("{{ {'a': [1]}|tojson }} {{ 'x'|center(5)|trim }}", '{"a": [1]} x'),
        ("{{ 'a,b'.split(',')|length }} {{ 'abc'.replace('b', 'x') }}", "2 axc"),
        ("{{ '{}-{}'.format(1, 2) }} {{ 'ab'.upper().ljust(3) }}|", "1-2 AB |"),
        ("{{ xs|groupby('a')|length }} {{ xs|map(attribute='a')|join }}", "1 1"),
        ("{{ 2 ** 8 }} {{ 3 * 4 }} {{ 'ab' * 2 }} {{ 'a' ~ 1 ~ none }}", "256 12 abab a1None"),
        ("{{ y|default('d') }} {{ y is defined }}", "d False"),
        ("{{ ('a' ~ x)|upper }}{% if 'a' ~ x == 'a1.5' %}!{% endif %}", "A1.5!"),
        (
            "{% set n = namespace(s=0) %}{% for i in [3] %}{% set n.s = i %}{% endfor %}{{ n.s }}",
            "3",
        ),
        ("{% raw %}{{ json }}{% endraw %} {% block b %}{{ x }}{% endblock %}", "{{ json }} 1.5"),
        ("{{ 'ab'|list|length }}", "2"),
        ("{{ x|round(1) }} {{ xs|tojson(indent=0)|length > 0 }} {{ dict(a=1).a }}", "1.5 True 1"),
    ],
)
def test_what_prompts_are_written_with_works(source: str, text: str) -> None:
    assert Template(source).render({"x": 1.5, "xs": [{"a": 1}]}) == text
