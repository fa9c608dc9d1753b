"""Templates, cassettes and JSON written to exhaust or to reach: an answer of ours, and quickly."""

from __future__ import annotations

from pathlib import Path

import pytest

from chatport import ChatError, InvalidTemplateError, Request, Response, ResponseDelta, Template
from chatport.testing import CassetteError, replay

TEMPLATES: dict[str, str] = {
    "pow const": "{{ 9**9**9 }}",
    "mul const": "{{ 'a' * 10**10 }}",
    "list const": "{{ [1]*10**10 }}",
    "fmt const": "{{ '%99999999999d' % 1 }}",
    "format": "{{ '{:99999999999}'.format(1) }}",
    "center": "{{ 'a'|center(10**10) }}",
    "range": "{{ range(10**10)|list }}",
    "nested": "{{ " + "(" * 5000 + "1" + ")" * 5000 + " }}",
    "if nest": "{% if 1 %}" * 3000 + "x" + "{% endif %}" * 3000,
    "for nest": "{% for a in [1,2,3,4,5,6,7,8,9,10] %}" * 20 + "x" + "{% endfor %}" * 20,
    "laughs": '{% set a0="lol" %}'
    + "".join(f"{{% set a{i}=a{i - 1}~a{i - 1} %}}" for i in range(1, 60))
    + "{{ a59 }}",
    "laughs ns": '{% set ns=namespace(x="lol") %}{% for i in range(100) %}{% set ns.x=ns.x~ns.x %}{% endfor %}{{ ns.x }}',
    "laughs list": "{% set a0=[1] %}"
    + "".join(f"{{% set a{i}=a{i - 1}+a{i - 1} %}}" for i in range(1, 60))
    + "{{ a59 }}",
    "laughs rep": "{% set x='aaaaaaaaaa' %}"
    + "{% set x=x.replace('a','aaaaaaaaaa') %}" * 12
    + "{{ x }}",
    "join": "{{ ('a'*1000)|join('b'*1000)|join('c'*1000) }}",
    "macro rec": "{% macro f() %}{{ f() }}{% endmacro %}{{ f() }}",
    "caller": "{% macro f() %}{{ caller() }}{% endmacro %}{% call f() %}{{ f() }}{% endcall %}",
    "wordwrap": "{{ ('a '*100000)|wordwrap(1) }}",
    "indent": "{{ ('a\n'*10000)|indent(100000) }}",
    "tojson": "{{ [1]|tojson(10**9) }}",
    "pprint": "{% set l=[] %}{{ l.append(l) }}{{ l|pprint }}",
    "attr": "{{ ''|attr('__class__') }}",
    "mro": "{{ ''['__class__'] }}",
    "fmt attr": "{{ '{0.__class__.__mro__}'.format(x) }}",
    "fmtmap": "{{ '{a.__class__}'.format_map({'a':x}) }}",
    "globals": "{{ cycler.__init__.__globals__ }}",
    "lipsum": "{{ lipsum(n=10**9) }}",
    "lipsum g": "{{ lipsum.__globals__ }}",
    "self": "{{ self._TemplateReference__context }}",
    "import": "{% import '/etc/passwd' as x %}",
    "include": "{% include '/etc/passwd' %}",
    "extends": "{% extends '/etc/passwd' %}",
    "debug": "{% debug %}",
    "do": "{% do x.append(1) %}",
    "gen": "{{ x.gi_frame }}",
    "int": "{{ '9'*5000|int }}",
    "int2": "{{ ('9'*100000)|int }}",
    "round": "{{ 1|round(10**9) }}",
    "slice": "{{ [1]|slice(10**9)|list }}",
    "batch": "{{ [1]|batch(10**9)|list }}",
    "batch fill": "{{ [1]|batch(10**8,0)|list }}",
    "urlize": "{{ ('http://a.b/'+'('*100000)|urlize }}",
    "striptags": "{{ ('<'*200000)|striptags }}",
    "title": "{{ ('a-'*100000)|title }}",
    "xmlattr": "{{ {'a b':1}|xmlattr }}",
    "surr": '{{ "\ud800" }}',
    "shift": "{{ 1.__lshift__(10**10) }}",
    "filesize": "{{ (10**5000)|filesizeformat }}",
    "sum": "{{ [[1]]*10**6|sum(start=[]) }}",
    "sort": "{{ range(10**6)|sort }}",
    "unique": "{{ range(10**7)|unique|list|length }}",
    "zfill": "{{ 'a'.zfill(10**10) }}",
    "ljust": "{{ 'a'.ljust(10**10) }}",
    "expandtabs": "{{ ('\t'*1000).expandtabs(10**7) }}",
    "encode": "{{ 'a'.encode().hex()*10**9 }}",
    "translate": "{{ ('a'*1000).translate({97:'b'*1000000}) }}",
    "splitl": "{{ ('a\n'*10000000).splitlines() }}",
    "join2": "{{ ','.join(['a'*10**6]*10**5) }}",
}
REACHED = ("root:", "<class", "_TemplateReference", "mappingproxy")
"""What would be in a text that has reached a file or the inside of Python."""
JSON: dict[str, str] = {
    "deep": "[" * 100000 + "]" * 100000,
    "deepobj": '{"a":' * 50000 + "1" + "}" * 50000,
    "bigint": '{"a":' + "9" * 10000 + "}",
    "exp": '{"a":1e999999}',
    "dup": '{"a":1,"a":2}',
    "nan": '{"a":NaN}',
    "surr": '{"a":"\\ud800"}',
    "trail": "{} {}",
    "nul": '{"a":"\\u0000"}',
    "lone": '{"\\udfff":1}',
    "many": "{" + ",".join(f'"{i}":1' for i in range(300000)) + "}",
}
CASSETTES: dict[str, bytes] = {
    "nested": b"[" * 200_000,
    "nested objects": b'{"a":' * 100_000,
    "a version beyond all bounds": b'{"version":1e999,"exchanges":[]}',
    "a version of many digits": b'{"version":' + b"9" * 6000 + b',"exchanges":[]}',
    "a nested request": (
        b'{"version":1,"exchanges":[{"request":' + b"[" * 100_000 + b"]" * 100_000 + b"}]}"
    ),
    "half a surrogate pair": b'{"version":1,"exchanges":[{"request":"\\ud800"}]}',
    "no text": b"\xff",
    "null": b"null",
}


@pytest.mark.parametrize("name", TEMPLATES)
def test_a_template_reaches_nothing_and_ends(name: str) -> None:
    try:
        text = Template(TEMPLATES[name]).render({"x": [1]})
    except InvalidTemplateError:
        return
    assert len(text) <= 1_000_000
    assert not any(word in text for word in REACHED)


@pytest.mark.parametrize("kind", [Request, Response, ResponseDelta])
@pytest.mark.parametrize("name", JSON)
def test_json_of_anybody_is_an_error_of_ours(name: str, kind: type[Request]) -> None:
    with pytest.raises(ChatError):
        kind.from_json(JSON[name].encode())


@pytest.mark.parametrize("name", CASSETTES)
def test_a_cassette_of_anybody_is_refused_by_name(tmp_path: Path, name: str) -> None:
    path = tmp_path / "exchanges.json"
    path.write_bytes(CASSETTES[name])
    with pytest.raises(CassetteError, match=r"exchanges.json"):
        replay(path)
