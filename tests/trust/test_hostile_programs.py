"""Programs written to break whoever reads them: they are planned, refused or named, and quickly."""

from __future__ import annotations

import ast

import pytest

from tests.port.test_properties import planned, written

H = (
    "import google.generativeai as genai\n"
    'genai.configure(api_key="K")\n'
    'model = genai.GenerativeModel("m")\n'
)
C = 'print(model.generate_content("q").text)\n'

PROGRAMS: dict[str, str] = {
    "parens": H + "x=" + "(" * 150 + "1" + ")" * 150 + "\n" + C,
    "parens5000": H + "x=" + "(" * 5000 + "1" + ")" * 5000 + "\n" + C,
    "brackets90": H + "x=" + "[" * 90 + "1" + "]" * 90 + "\n" + C,
    "plus1e4": H + "x=" + "+".join(["1"] * 10000) + "\n" + C,
    "attr": H + "x=model" + ".a" * 20000 + "\n" + C,
    "callchain": H + "x=model" + ".f()" * 5000 + "\n" + C,
    "gen nested": H + "x=" + "model.generate_content(" * 80 + '"q"' + ")" * 80 + "\n" + C,
    "unary": H + "x=" + "-" * 50000 + "1\n" + C,
    "not": H + "x=" + "not " * 5000 + "1\n" + C,
    "lambda": H + "x=" + "lambda:" * 5000 + "1\n" + C,
    "hugeint": H + "x=" + "9" * 10000 + "\n" + C,
    "hexint conf": H
    + 'print(model.generate_content("q", generation_config={"max_output_tokens": 0x'
    + "f" * 100000
    + "}).text)\n",
    "nul": H + 'x="\0"\n' + C,
    "surr name": H.replace('"m"', '"\\ud800"') + C,
    "surr q": H + 'print(model.generate_content("\\ud800").text)\n',
    "surr key": H.replace('"K"', '"\\ud800\\udfff"') + C,
    "bigexp": H
    + 'print(model.generate_content("q", generation_config={"temperature": 10**10**10}).text)\n',
    "strmul": H + 'print(model.generate_content("q"*10**12).text)\n',
    "strmul2": H + 'N="a"*10**9\nprint(genai.GenerativeModel(N*9).generate_content("q").text)\n',
    "shift": H
    + 'print(model.generate_content("q", generation_config={"max_output_tokens": 1<<(1<<60)}).text)\n',
    "elif": H + "if 1: pass\n" + "elif 2: pass\n" * 3000 + C,
    "elif model": H
    + "if 1: m=model\n"
    + 'elif 2: m=genai.GenerativeModel("x")\n' * 1500
    + 'm.generate_content("q")\n',
    "nested if": H
    + "".join("\n" + " " * i + "if x:" for i in range(95))
    + "\n"
    + " " * 96
    + "pass\n"
    + C,
    "nested def": H
    + "".join("\n" + " " * i + f"def f{i}(a=model):" for i in range(90))
    + "\n"
    + " " * 91
    + 'a.generate_content("q")\n'
    + C,
    "laughs list": H
    + "a0=[model,model]\n"
    + "".join(f"a{i}=[a{i - 1},a{i - 1}]\n" for i in range(1, 60))
    + "a59[0]\n"
    + C,
    "laughs tuple call": H
    + "def d(x): return (x,x)\na0=model\n"
    + "".join(f"a{i}=d(a{i - 1})\n" for i in range(1, 60))
    + C,
    "laughs dict": H
    + 'a0={"k":model}\n'
    + "".join(f'a{i}={{"a":a{i - 1},"b":a{i - 1}}}\n' for i in range(1, 60))
    + C,
    "laughs cond": H
    + "".join(f'if x{i}: model=genai.GenerativeModel("m{i}")\n' for i in range(300))
    + C,
    "laughs str": H
    + 's0="ab"\n'
    + "".join(f"s{i}=s{i - 1}+s{i - 1}\n" for i in range(1, 60))
    + "print(genai.GenerativeModel(s59).generate_content(s59).text)\n",
    "laughs fstr": H
    + 's0="ab"\n'
    + "".join(f's{i}=f"{{s{i - 1}}}{{s{i - 1}}}"\n' for i in range(1, 60))
    + "print(genai.GenerativeModel(s59).generate_content(s59).text)\n",
    "laughs conf": H
    + 'c0={"temperature":0}\n'
    + "".join(f"c{i}={{**c{i - 1},**c{i - 1}}}\n" for i in range(1, 40))
    + 'print(model.generate_content("q",generation_config=c39).text)\n',
    "laughs inst": H
    + 'tools=[]\nc0=["x"]\n'
    + "".join(f"c{i}=[*c{i - 1},*c{i - 1}]\n" for i in range(1, 40))
    + "print(model.generate_content(c39).text)\n",
    "mutual rec": H
    + "".join(f"def f{i}(m): return f{(i + 1) % 50}(m)\n" for i in range(50))
    + 'f0(model).generate_content("q")\n',
    "higher": H + 'def ap(f,x): return f(f,x)\nap(ap,model).generate_content("q")\n' + C,
    "ycomb": H
    + 'Y=lambda f:(lambda x:x(x))(lambda y:f(lambda z:y(y)(z)))\nY(Y)(model).generate_content("q")\n'
    + C,
    "class cycle": H + 'class A(B): pass\nclass B(A): m=model\nA().m.generate_content("q")\n',
    "self class": H + 'class A(A): m=model\nA.m.generate_content("q")\n',
    "self import": H + 'import app\nfrom app import *\napp.model.generate_content("q")\n',
    "fullwidth": 'import google.generativeai as ｇｅｎａｉ\nｇｅｎａｉ.configure(api_key="K")\nmodel = genai.GenerativeModel("m")\nprint(model.ｇenerate_content("q").text)\n',
    "ligature": 'import google.generativeai as genai\ngenai.conﬁgure(api_key="K")\nmodel = genai.GenerativeModel("m")\nprint(model.generate_content("q").text)\n',
    "bidi": H + 'print(model.generate_content("q\u202e\u2066 # end").text) # \u202e comment\n',
    "zw": H + 'a\u200d="x"\n' + C,
    "formfeed": H + "\x0c\nif 1:\n\x0c  " + C,
    "x85": H + 'x="\x85 \u2028 \u2029"\n' + C,
    "vt": H + 'x="a\\\n\x0bb"\n' + C,
    "cr": (H + 'x="""a\rb"""\n' + C),
    "many models": "".join(f'm{i}=genai.GenerativeModel("m")\n' for i in range(1500)).join([H, C]),
    "many names": H + ",".join(f"a{i}" for i in range(5000)) + "=[model]*5000\n" + C,
    "matchbomb": H
    + "match model:\n"
    + "".join(f"  case [{','.join(['_'] * 50)}]: pass\n" for i in range(200))
    + C,
    "walrus": H + "x=" + " or ".join(f"(m{i}:=model)" for i in range(2000)) + "\n" + C,
    "starargs": H
    + 'a=[model]\nprint(*a,*a,*a,**{"model":model})\ngetattr(model,"generate"+"_content")("q")\nglobals()["model"].generate_content("q")\n',
    "exec": H + 'exec("model=1")\neval("model")\n' + C,
    "del": H + "del model\nfor model in [model]: del model\n" + C,
    "with": H + "with " + ",".join(f'open("x") as m{i}' for i in range(300)) + ": pass\n" + C,
    "try star": H + "try: pass\nexcept* Exception: pass\n" + C,
    "async gen": H
    + 'async def f():\n  async for c in await model.generate_content_async("q",stream=True): yield c\n',
    "decor": H + "".join("@model\n" for _ in range(3000)) + "def f(): pass\n" + C,
    "kwonly": H + "def f(" + ",".join(f"a{i}=model" for i in range(3000)) + "): pass\n" + C,
    "fstring deep": H + "x=f\"{f'{model.generate_content(1)}'}\"\n" + C,
    "format spec": H + 'x=f"{model:{model:{model}}}"\n' + C,
    "comp nested": H + "x=" + "[[" * 40 + "model" + " for a in b] for c in d]" * 40 + "\n" + C,
    "comp 300": H + "x=[model " + "for a in b " * 300 + "]\n" + C,
    "typeparam": H + "type X[T]=int\n" + C,
    "global many": H
    + "def f():\n  global "
    + ",".join(f"g{i}" for i in range(5000))
    + "\n  g0=model\n"
    + C,
    "tab mix": H + "if 1:\n\tif 2:\n        \t" + C,
    "backslash": H + "print(\\\n" * 2000 + C,
}
ENCODINGS: dict[str, bytes] = {
    "utf-7": b"# coding: utf-7\n" + (H + C).encode(),
    "utf-16": b"# coding: utf-16\n" + (H + C).encode(),
    "rot13": b"# coding: rot13\n" + (H + C).encode(),
    "unicode_escape": b"# coding: unicode_escape\n" + (H + C).encode(),
    "raw_unicode_escape": b"# coding: raw_unicode_escape\n" + (H + C).encode(),
    "idna": b"# coding: idna\n" + (H + C).encode(),
    "punycode": b"# coding: punycode\n" + (H + C).encode(),
    "zlib": b"# coding: zlib\n" + (H + C).encode(),
    "base64": b"# coding: base64\n" + (H + C).encode(),
    "mbcs": b"# coding: mbcs\n" + (H + C).encode(),
    "undefined": b"# coding: undefined\n" + (H + C).encode(),
    "oem": b"# coding: oem\n" + (H + C).encode(),
    "hz": b"# coding: hz\n" + (H + C).encode(),
    "iso2022_jp": b"# coding: iso2022_jp\n" + (H + C).encode(),
    "shift_jis": b"# coding: shift_jis\n" + (H + C).encode(),
    "../../etc/passwd": b"# coding: ../../etc/passwd\n" + (H + C).encode(),
    "os.path": b"# coding: os.path\n" + (H + C).encode(),
    "utf-8-nonsense": b"# coding: utf-8-nonsense\n" + (H + C).encode(),
    "aaaa": b"# coding: aaaa\n" + (H + C).encode(),
    "utf-16 with a mark": (H + C).encode("utf-16"),
    "a mark and another name": b"\xef\xbb\xbf# coding: latin-1\n" + H.encode(),
    "an endless name": b"# coding: " + b"a" * 100_000 + b"\n" + H.encode(),
    "a null byte in the name": b"# coding: utf-8\x00\n" + H.encode(),
    "a backslash inside a character": (
        b"# coding: big5\n" + H.encode() + b'x = "\xa5\x5c"\n' + C.encode()
    ),
    "no text": H.encode() + b'x = "\xff"\n',
    "half a surrogate pair": H.encode() + b'x = "\xed\xa0\x80"\n',
    "the token alone": b"google.generativeai",
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_a_hostile_program_is_planned_or_named(name: str) -> None:
    check(PROGRAMS[name].encode("utf-8", "surrogatepass"))


@pytest.mark.parametrize("name", ENCODINGS)
def test_a_hostile_encoding_is_followed_or_named(name: str) -> None:
    check(ENCODINGS[name])


def check(data: bytes) -> None:
    files = {"app.py": data}
    after = written(files, planned(files))["app.py"]
    assert len(after) < 100 * len(data) + 1000
    if after != data:
        assert ast.parse(after)
