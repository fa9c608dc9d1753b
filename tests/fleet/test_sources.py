"""What a list of repositories may say."""

from __future__ import annotations

from pathlib import Path

import pytest

from chatport.port.fleet.sources import SourceListError, is_remote, read

HERE = Path("/lists")


@pytest.mark.parametrize(
    ("line", "source", "remote"),
    [
        ("shop", "/lists/shop", False),
        ("  ../shop/  ", "/lists/../shop", False),
        ("/srv/shop", "/srv/shop", False),
        ("a folder: with blanks", "/lists/a folder: with blanks", False),
        ("-rf", "/lists/-rf", False),
        ("ext::sh -c true", "/lists/ext::sh -c true", False),
        ("https://git.example.org/shop.git", "https://git.example.org/shop.git", True),
        ("https://me@git.example.org/shop", "https://me@git.example.org/shop", True),
        ("ssh://git.example.org:22/shop", "ssh://git.example.org:22/shop", True),
        ("file:///srv/shop", "file:///srv/shop", True),
        ("git@git.example.org:team/shop.git", "git@git.example.org:team/shop.git", True),
    ],
)
def test_a_line_is_a_folder_or_a_remote(line: str, source: str, remote: bool) -> None:
    assert list(read([line], HERE)) == [source]
    assert is_remote(source) is remote


def test_comments_and_empty_lines_name_nothing() -> None:
    assert list(read(["# all of ours\n", "\n", "  \n", "shop\n"], HERE)) == ["/lists/shop"]


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("https://me:secret@git.example.org/shop", "a password"),
        ("ext://sh", "ext:// is not used"),
        ("ftp://git.example.org/shop", "there is https"),
        ("sho\x1b[31mp", "cannot be printed"),
        ("https://[::1/shop", "line 2"),
    ],
)
def test_what_is_no_repository_is_told_with_its_line(line: str, why: str) -> None:
    with pytest.raises(SourceListError, match=r"^line 2: ") as told:
        list(read(["shop", line], HERE))
    assert why in str(told.value)
    assert "secret" not in str(told.value)
