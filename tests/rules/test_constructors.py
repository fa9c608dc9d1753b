"""Objects of the wire that both SDKs make of the same keywords, and of nothing else."""

from __future__ import annotations

import pytest

from tests.support.port import ported, refused

REFUSED = {
    "by position": 'print(genai.protos.Blob("image/png", b"x"))\n',
    "of a mapping": 'print(genai.protos.FunctionCall({"name": "f"}))\n',
    "of keywords that are not written": (
        'given = {"name": "f"}\nprint(genai.protos.FunctionCall(**given))\n'
    ),
    "by position and by keyword": 'print(genai.protos.Blob("image/png", data=b"x"))\n',
}


def test_an_object_made_of_keywords_is_made_of_the_same() -> None:
    call = 'Blob(mime_type="image/png", data=b"x")'
    assert f"types.{call}" in ported(f"print(genai.protos.{call})\n")


@pytest.mark.parametrize("source", REFUSED.values(), ids=REFUSED)
def test_an_object_made_otherwise_is_refused(source: str) -> None:
    assert refused(source) == {"usage_unmapped"}
