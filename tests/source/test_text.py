"""Where nodes stand in the text, and what is said of files that cannot be read."""

from __future__ import annotations

import ast
import random
import sysconfig
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chatport.port.findings import Place
from chatport.port.source.text import (
    MAX_BYTES,
    SourceError,
    SourceFile,
    UnreliablePosition,
)
from chatport.port.source.trees import MAX_DEPTH

STDLIB = sorted(Path(sysconfig.get_paths()["stdlib"]).glob("*.py"))
SAMPLE = random.Random(8).sample(STDLIB, 12)


def read(text: str, encoding: str = "utf-8") -> SourceFile:
    return SourceFile.read("a.py", text.encode(encoding))


def names(source: SourceFile) -> dict[str, tuple[int, int]]:
    return {
        node.id: source.span(node) for node in ast.walk(source.tree) if isinstance(node, ast.Name)
    }


# --- reading ---------------------------------------------------------------------------------

LINE_ENDS = st.sampled_from(["\n", "\r\n", "\r"])
LINES = st.lists(
    st.sampled_from(
        [
            "",
            "\f",
            "x = 1",
            "if x:\n\ty = 'é'",
            "\fz = 2",
            "'''a\nb'''  # 漢 ü",
            "名 = '\v\x1c\u2028'",
        ]
    )
)


@given(LINES, LINE_ENDS, st.booleans(), st.booleans())
def test_text_and_encoding_give_the_bytes_back(
    lines: list[str], newline: str, mark: bool, final: bool
) -> None:
    text = "\n".join(lines).replace("\n", newline) + (newline if final else "")
    data = text.encode("utf-8-sig" if mark else "utf-8")
    source = SourceFile.read("a.py", data)
    assert source.text == text
    assert source.encoding == ("utf-8-sig" if mark else "utf-8")
    assert source.text.encode(source.encoding) == data


@pytest.mark.parametrize(
    ("text", "newline"),
    [
        ("", "\n"),
        ("x", "\n"),
        ("a\nb\n", "\n"),
        ("a\r\nb\r\n", "\r\n"),
        ("a\rb\r", "\r"),
        ("a\r\nb\nc\n", "\n"),
        ("a\r\nb\r\nc\n", "\r\n"),
        ("a\nb\r\n", "\n"),
    ],
)
def test_the_dominant_line_end_is_the_files_own(text: str, newline: str) -> None:
    assert read(text).newline == newline


def test_an_encoding_comment_is_followed() -> None:
    source = read("# -*- coding: latin-1 -*-\né = 'ü'\n", "latin-1")
    assert source.encoding == "iso-8859-1"
    assert names(source) == {"é": (26, 27)}


def test_an_encoding_comment_counts_on_the_second_line_only() -> None:
    assert read("#!/usr/bin/python\r# coding: cp1252\rx\r").encoding == "cp1252"
    assert read("#!/usr/bin/python\r#\r# coding: cp1252\rx\r").encoding == "utf-8"


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"x = 1\ny = '\xe9'\n", "line 2: byte 0xe9 is not UTF-8 and the file names no other"),
        (b"# coding: ascii\n'\xe9'\n", "line 2: the file says it is ascii, but byte 0xe9 is not"),
        (b"# coding: nope\nx\n", "line 1: unknown encoding: nope"),
        (b"# coding: hex\nx\n", "line 1: hex cannot encode Python text"),
        (b"\xef\xbb\xbf# coding: latin-1\nx\n", "line 1: encoding problem"),
        (b"# coding: utf-7\n'+2AA-'\n", "Python cannot read the file"),
        (b"x = 1\ny\0 = 2\n", "line 2: the file holds a null byte"),
        ("x = 1\n".encode("utf-16"), "line 1: byte 0xff|line 1: the file holds a null byte"),
        (b"x = (\n", "line 1: not valid on Python"),
        (b"\nif x:\ny\n", "line 3: not valid on Python"),
        (b"x = 1\nprint 'a'\n", "line 2: this is Python 2"),
        (b"try:\n    f()\nexcept E, e:\n    pass\n", "line 3: this is Python 2"),
        (b"raise E, 'x'\n", "line 1: this is Python 2"),
        (b"exec 'x' in d\n", "line 1: this is Python 2"),
        (b"x = 0777\n", "line 1: this is Python 2"),
        (b"if a <> b: pass\n", "line 1: this is Python 2"),
        (b"x = `a`\n", "line 1: this is Python 2"),
        (b"x = ur'a'\n", "line 1: this is Python 2"),
        (b"x = " + b"+".join([b"a"] * 10_000), "nested too deeply"),
        (b"x = " + b"-" * 10_000 + b"1", "nested too deeply"),
        (b"x = " + b"(" * 10_000 + b")" * 10_000, "line 1: .*nested"),
        (b"if a: pass\n" + b"elif b: pass\n" * 10_000, "nested too deeply"),
        (b"\nx = " + b".a" * MAX_DEPTH + b"\n", "line 2: not valid"),
        (b"\nx = a" + b".a" * MAX_DEPTH + b"\n", "line 2: an expression .* nested too deeply"),
        (b"#" * MAX_BYTES + b"\n", "larger than 4 MB; split it"),
        (b"x = " + b"9" * 5_000, "line 1: .*digits"),
    ],
)
def test_a_file_that_cannot_be_read_says_where_and_what_to_do(data: bytes, message: str) -> None:
    with pytest.raises(SourceError, match=message):
        SourceFile.read("a.py", data)


@pytest.mark.parametrize(
    "line",
    ["lazy import a", "lazy from a import b"],
)
def test_a_file_for_a_later_python_names_the_version_it_needs(line: str) -> None:
    with pytest.raises(SourceError, match=r"line 1: a lazy import needs Python 3.15 and chatport"):
        read(line + "\n")


def test_a_chain_just_under_the_limit_is_read() -> None:
    source = read("x = " + "+".join(["a"] * (MAX_DEPTH - 4)) + "\n")
    assert isinstance(source.tree.body[0], ast.Assign)


def test_reading_warns_of_nothing() -> None:
    assert read("x = '\\d'\n").tree.body


# --- positions -------------------------------------------------------------------------------


@pytest.mark.parametrize("newline", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("mark", ["", "\ufeff"])
def test_spans_are_offsets_into_the_text_as_it_is(newline: str, mark: str) -> None:
    text = "\fa = 'é'; b = c\n\nif a:\n\t\td(\n'漢', e)\n'''x\ny''' + f".replace("\n", newline)
    source = read(mark + text)
    assert source.text == text
    for name, (start, end) in names(source).items():
        assert text[start:end] == name
    last = source.tree.body[-1]
    assert source.segment(last) == text[text.index("'''") :]


@pytest.mark.parametrize("path", SAMPLE, ids=lambda path: path.name)
def test_segments_agree_with_the_standard_library(path: Path) -> None:
    source = SourceFile.read(path.name, path.read_bytes())
    nodes = [node for node in ast.walk(source.tree) if isinstance(node, ast.expr | ast.stmt)]
    for node in random.Random(3).sample(nodes, min(len(nodes), 60)):
        assert source.segment(node) == ast.get_source_segment(source.text, node)


@pytest.mark.parametrize("path", SAMPLE, ids=lambda path: path.name)
def test_every_node_outside_an_f_string_has_a_reliable_position(path: Path) -> None:
    source = SourceFile.read(path.name, path.read_bytes())
    formatted = {
        id(inner)
        for outer in ast.walk(source.tree)
        if isinstance(outer, ast.JoinedStr)
        for inner in ast.walk(outer)
        if inner is not outer
    }
    nodes = [
        node
        for node in ast.walk(source.tree)
        if isinstance(node, ast.expr | ast.stmt | ast.keyword | ast.arg | ast.alias)
        and id(node) not in formatted
    ]
    for node in random.Random(4).sample(nodes, min(len(nodes), 80)):
        assert source.verified_span(node) == source.span(node)


@pytest.mark.parametrize(
    "text",
    [
        "x = yield y",
        "x = await y",
        "f(*a, **k)",
        "f(x for x in y)",
        "f(z := 1)",
        "a[1:2, 3]",
        "a[1:2]",
        "a[b, *c]",
        "x, y = 1, 2",
        "for x, y in z: pass",
        "del x.y",
        "lambda a, *b: a",
        "(a\n  + b)",
        "if x:\n    def f(a: int, *b) -> None:\n        return '''\nx'''\n    y = 1; z = 2",
        "@d\ndef f(): pass",
        "import a.b as c, d\nfrom . import e as f, g",
        "from a import *",
    ],
)
def test_a_verified_span_is_the_span(text: str) -> None:
    source = read(text)
    for node in ast.walk(source.tree):
        if isinstance(node, ast.expr | ast.stmt | ast.keyword | ast.arg | ast.alias):
            assert source.verified_span(node) == source.span(node)


def test_a_call_inside_an_f_string_is_found_or_refused() -> None:
    source = read('x = (f"é{a.b(1)!r}" "{{" f"{c.d(2):>{w}}")\n')
    for node in ast.walk(source.tree):
        if isinstance(node, ast.Call):
            try:
                start, end = source.verified_span(node)
            except UnreliablePosition:
                continue
            assert source.text[start:end] in ("a.b(1)", "c.d(2)")


def test_the_literal_piece_of_an_f_string_has_no_position_of_its_own() -> None:
    source = read('x = f"a{b}"\n')
    (joined,) = (node for node in ast.walk(source.tree) if isinstance(node, ast.JoinedStr))
    with pytest.raises(UnreliablePosition, match="line 1: the position of this Constant"):
        source.verified_span(joined.values[0])


def test_a_place_has_lines_and_columns_from_one() -> None:
    source = read("é = (1,\r\n   2)\r\n")
    (statement,) = source.tree.body
    assert source.place(*source.span(statement)) == Place(1, 1, 2, 6)
    assert source.place(len(source.text), len(source.text)) == Place(3, 1, 3, 1)


@pytest.mark.parametrize(
    ("text", "offset", "start", "indent"),
    [
        ("x\n", 0, 0, ""),
        ("if x:\n\t y\n", 8, 6, "\t "),
        ("if x:\n\t y\n", 6, 6, "\t "),
        ("if x:\r  y", 8, 6, "  "),
        ("if x:\n \f  y\n", 10, 6, "  "),
        ("x\n", 2, 2, ""),
    ],
)
def test_the_line_of_an_offset(text: str, offset: int, start: int, indent: str) -> None:
    source = read(text)
    assert source.line_start(offset) == start
    assert source.indent_at(offset) == indent


# --- comments --------------------------------------------------------------------------------


@pytest.mark.parametrize("newline", ["\n", "\r\n", "\r"])
def test_comments_inside_a_span_are_found_and_strings_are_not(newline: str) -> None:
    text = "# é top\nf(  # one\n  '#no',\n  # two\n)  # after\n\f# end".replace("\n", newline)
    source = read(text)
    call = source.tree.body[0]
    assert [found for _, found in source.comments(*source.span(call))] == ["# one", "# two"]
    everything = source.comments(0, len(text))
    assert [found for _, found in everything] == ["# é top", "# one", "# two", "# after", "# end"]
    assert all(text.startswith(found, offset) for offset, found in everything)


@pytest.mark.parametrize("path", SAMPLE, ids=lambda path: path.name)
def test_comments_are_found_in_real_files(path: Path) -> None:
    source = SourceFile.read(path.name, path.read_bytes())
    for offset, comment in source.comments(0, len(source.text)):
        assert source.text.startswith(comment, offset)
        assert comment.startswith("#")
