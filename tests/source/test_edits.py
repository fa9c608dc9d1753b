"""Edits change what they cover and nothing else."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chatport.port.source.edits import Edit, apply
from chatport.port.source.text import SourceError, SourceFile

CODECS = ["utf-8", "utf-8-sig", "latin-1", "cp1252", "shift_jis", "gb18030", "euc_kr"]
LETTERS = {
    "latin-1": "é\xa0",
    "cp1252": "é€",
    "shift_jis": "漢カ",
    "gb18030": "漢é𝄞",
    "euc_kr": "한",
}


@st.composite
def sources(draw: st.DrawFn) -> SourceFile:
    codec = draw(st.sampled_from(CODECS))
    cookie = "" if codec.startswith("utf-8") else f"# coding: {codec}\n"
    words = st.text(alphabet="ab \t#" + LETTERS.get(codec, "é漢𝄞\u2028"), max_size=8)
    body = draw(st.lists(words.map(lambda word: f"'{word}'"), max_size=5))
    newline = draw(st.sampled_from(["\n", "\r\n", "\r"]))
    text = (cookie + "\n".join(body)).replace("\n", newline)
    return SourceFile.read("a.py", text.encode(codec))


@given(sources())
def test_no_edits_give_the_same_bytes(source: SourceFile) -> None:
    assert apply(source, []) == source.data


COOKIES = st.sampled_from(
    [b"", b"\xef\xbb\xbf", b"# coding: latin-1\r", b"#\n#vim:fileencoding=cp932\n"]
)
BYTES = st.binary(max_size=40) | st.text(alphabet="x=1\n\r\f\t #'\"\\é漢\x00", max_size=40).map(
    str.encode
)


@given(COOKIES, BYTES)
def test_any_bytes_are_refused_or_come_back(cookie: bytes, rest: bytes) -> None:
    data = cookie + rest
    try:
        again = apply(SourceFile.read("a.py", data), [])
    except SourceError:
        again = data  # refused, and so left as it is
    assert again == data


@given(sources(), st.data())
def test_edits_keep_every_other_byte(source: SourceFile, data: st.DataObject) -> None:
    cuts = sorted(
        data.draw(st.sets(st.integers(0, len(source.text)), max_size=6), label="cuts"),
    )
    edits = [
        Edit(start, end, data.draw(st.sampled_from(["", "new", "a\nb\n"])))
        for start, end in zip(cuts[::2], cuts[1::2], strict=False)
    ]
    expected, position = "", 0
    for edit in edits:
        expected += source.text[position : edit.start] + edit.text.replace("\n", source.newline)
        position = edit.end
    expected += source.text[position:]
    assert apply(source, reversed(edits)) == expected.encode(source.encoding)


def test_bytes_that_decode_to_the_same_character_stay_as_they_are() -> None:
    # In cp932 two byte pairs mean U+222A; encoding the text again would choose the other one.
    data = b"# coding: cp932\n'\x87\x9b'; x = 1\n"
    source = SourceFile.read("a.py", data)
    assert source.text.encode("cp932") != data
    edited = apply(source, [Edit(source.text.index("1"), source.text.index("1") + 1, "2")])
    assert edited == data.replace(b"1", b"2")


def test_an_encoding_with_a_state_is_refused() -> None:
    source = SourceFile.read("a.py", "# coding: iso2022_jp\n'漢字'; x\n".encode("iso2022_jp"))
    middle = source.text.index("字")
    with pytest.raises(SourceError, match="iso2022_jp cannot be replaced piece by piece"):
        apply(source, [Edit(middle, middle + 1, "x")])


def test_a_character_the_encoding_lacks_is_named() -> None:
    source = SourceFile.read("a.py", "# coding: latin-1\nx = 'é'\n".encode("latin-1"))
    with pytest.raises(SourceError, match="line 2: the new code holds '漢', which iso-8859-1"):
        apply(source, [Edit(22, 23, "漢")])


def test_line_ends_of_an_edit_become_the_files_own() -> None:
    source = SourceFile.read("a.py", b"a\r\nb\r\n")
    assert apply(source, [Edit(3, 4, "x\ny\r\nz\rw")]) == b"a\r\nx\r\ny\r\nz\r\nw\r\n"


@pytest.mark.parametrize(
    ("edits", "expected"),
    [
        ([Edit(1, 1, "y"), Edit(1, 1, "x")], b"axybc"),
        ([Edit(1, 1, "x"), Edit(1, 2, "y")], b"axyc"),
        ([Edit(1, 2, "y"), Edit(2, 2, "x")], b"ayxc"),
        ([Edit(0, 1, "x"), Edit(1, 2, "y")], b"xyc"),
        ([Edit(3, 3, "x"), Edit(3, 3, "x")], b"abcx"),
    ],
)
def test_edits_side_by_side(edits: list[Edit], expected: bytes) -> None:
    assert apply(SourceFile.read("a.py", b"abc"), edits) == expected


@pytest.mark.parametrize(
    ("edits", "message"),
    [
        ([Edit(0, 2, "x"), Edit(1, 3, "y")], "overlap"),
        ([Edit(0, 3, "x"), Edit(1, 1, "y")], "overlap"),
        ([Edit(0, 2, "x"), Edit(0, 2, "y")], "overlap"),
        ([Edit(0, 4, "x")], "not inside a text of 3 characters"),
        ([Edit(2, 1, "x")], "not inside"),
    ],
)
def test_edits_that_cannot_be_made_are_a_mistake_of_the_caller(
    edits: list[Edit], message: str
) -> None:
    with pytest.raises(ValueError, match=message):
        apply(SourceFile.read("a.py", b"abc"), edits)
