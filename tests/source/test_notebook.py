"""Notebooks as one Python file: what is read, what is masked, and the way back into the cells."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chatport.port.source.edits import Edit, apply
from chatport.port.source.errors import SourceError
from chatport.port.source.text import SourceFile
from tests.support.notebooks import notebook, sources


def read(data: bytes) -> SourceFile:
    return SourceFile.read("book.ipynb", data)


@pytest.mark.parametrize(
    ("cell", "masked"),
    [
        ("!pip install x", "##############"),
        ("%matplotlib inline", "##################"),
        ("    !ls\n", "    0##\n"),
        ("files = !ls\n", "files = 0##\n"),
        ("%time x = f()", "True; x = f()"),
        ("%%time\nx = 1", "######\nx = 1"),
        ("%%bash\necho 'it\nx = 1", "######\n########\n#####"),
        ("!echo a \\\n  b\nx = 1", "#########\n###\nx = 1"),
        ("f?", "##"),
        ("??f", "###"),
        ("x = 7 %2", "x = 7 %2"),
        ('x = """\n%time\n!ls\n"""', 'x = """\n%time\n!ls\n"""'),
        ("x = (5\n%2)", "x = (5\n%2)"),
    ],
)
def test_what_is_no_python_is_masked_by_as_much(cell: str, masked: str) -> None:
    lines = cell if "\n" in cell else [cell]
    prefix = "if 1:\n" if cell.startswith("    ") else ""
    source = read(notebook(lines if isinstance(lines, list) else (prefix + cell).splitlines(True)))
    assert source.text.rstrip("\n") == (prefix + masked).rstrip("\n")
    assert source.shown.rstrip("\n") == (prefix + cell).rstrip("\n")


def test_cells_follow_one_another_with_an_empty_line_between() -> None:
    assert read(notebook("a = 1", "b = 2\n")).text == "a = 1\n\nb = 2\n\n"


def test_cells_of_other_kinds_are_left_out_but_counted() -> None:
    document = json.loads(notebook("a = 1", "b = 2"))
    document["cells"][0]["cell_type"] = "markdown"
    source = read(json.dumps(document).encode())
    assert source.text == "b = 2\n\n"
    assert source.place(0, 1).cell == 2


def test_another_language_has_no_python() -> None:
    data = notebook("a <- 1", metadata={"kernelspec": {"language": "R"}})
    assert read(data).text == ""


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"{", "not JSON"),
        (b'{"worksheets": []}', "no list of cells"),
        (notebook("a = 1", "b =\n"), "cell 2, line 1"),
        (notebook([3]), "not text"),  # type: ignore[list-item]
    ],
)
def test_a_notebook_that_is_none_says_what_to_do(data: bytes, message: str) -> None:
    with pytest.raises(SourceError, match=message):
        read(data)


@pytest.mark.parametrize("indent", [None, 1, 2, "\t"])
@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_only_the_strings_of_changed_lines_are_written_anew(
    indent: int | None, newline: str
) -> None:
    data = notebook("a = 1\nb = 2\nc = 3", "d = 4", indent=indent)
    data = data.replace(b"\n", newline.encode())
    source = read(data)
    start = source.text.index("b = 2")
    after = apply(source, [Edit(start, start + 5, "b = 'é'\nbb = 2")])
    assert sources(after) == ["a = 1\nb = 'é'\nbb = 2\nc = 3", "d = 4"]
    before = data.split(newline.encode())
    changed = after.split(newline.encode())
    same = [line for line in before if line in changed]
    assert len(before) - len(same) <= 1


def test_a_source_that_is_one_string_stays_one() -> None:
    document = json.loads(notebook("a = 1"))
    document["cells"][0]["source"] = "a = 1\nb = 2"
    source = read(json.dumps(document).encode())
    after = json.loads(apply(source, [Edit(0, 1, "x")]))
    assert after["cells"][0]["source"] == "x = 1\nb = 2"


def test_a_line_below_the_last_of_a_cell_stays_in_it() -> None:
    source = read(notebook("a = 1", "b = 2"))
    behind = source.text.index("\n") + 1
    assert sources(apply(source, [Edit(behind, behind, "aa = 1\n")])) == ["a = 1\naa = 1", "b = 2"]


def test_a_line_above_the_first_of_a_cell_stays_in_it() -> None:
    source = read(notebook("a = 1", "b = 2"))
    start = source.text.index("b = 2")
    assert sources(apply(source, [Edit(start, start, "bb = 2\n")])) == ["a = 1", "bb = 2\nb = 2"]


def test_what_is_masked_is_not_edited() -> None:
    source = read(notebook("%time x = f()"))
    with pytest.raises(SourceError, match="cell 1, line 1"):
        apply(source, [Edit(4, 13, "")])


LINES = st.lists(
    st.sampled_from(["x = 1", "", "# é", "!ls", "%%time", "%time x = 2", "f?", 'y = "a\\\\"']),
    max_size=5,
)


@given(st.lists(LINES, max_size=4))
def test_no_edit_is_no_change(cells: list[list[str]]) -> None:
    data = notebook(*["\n".join(lines).splitlines(keepends=True) for lines in cells])
    source = read(data)
    assert apply(source, []) == data
    assert len(source.text) == len(source.shown)


@given(st.lists(LINES, min_size=1, max_size=4), st.data())
def test_an_edit_changes_no_other_cell(cells: list[list[str]], draw: st.DataObject) -> None:
    data = notebook(*["\n".join(lines).splitlines(keepends=True) for lines in cells])
    source = read(data)
    offset = draw.draw(st.integers(0, len(source.text)))
    place = source.place(offset, offset)
    try:
        after = sources(apply(source, [Edit(offset, offset, "z = 0")]))
    except SourceError:
        return
    before = sources(data)
    assert len(after) == len(before)
    assert all(
        one == other or number == place.cell
        for number, (one, other) in enumerate(zip(before, after, strict=True), 1)
    )
