"""The session that the README shows is what happens."""

from __future__ import annotations

import html
import re

import pytest

from docs import record
from tests.prove.workers import FOLDER, ensure

VERSION = re.compile(r"\d+\.\d+\.\d+")


def test_the_picture_shows_what_the_commands_print() -> None:
    for environment in ("legacy", "genai3"):
        ensure(environment, FOLDER)
    made = record.record()
    assert _words(made) == _words(record.PICTURE.read_text(encoding="utf-8"))
    assert "7 requests are the same." in _words(made)


def test_the_picture_fetches_nothing() -> None:
    picture = record.PICTURE.read_text(encoding="utf-8")
    assert "url(http" not in picture
    assert "href" not in picture


def test_a_command_that_ends_otherwise_is_not_recorded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(record, "SESSION", {"chatport explain nonsense": 0})
    with pytest.raises(record.RecordingError, match="chatport explain nonsense ended with 2"):
        record.record()


def _words(picture: str) -> str:
    """What can be read in a picture, with any version for a version."""
    lines = re.findall(r"<text [^>]*>([^<]*)</text>", picture)
    return VERSION.sub("0.0.0", html.unescape("".join(lines)).replace("\xa0", " "))
