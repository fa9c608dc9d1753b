"""What legacy took and the new SDK takes otherwise: refused where it is, and only there."""

from __future__ import annotations

from pathlib import Path

import pytest

from chatport.port import plan

HEAD = """\
import copy

import google.generativeai as genai

genai.configure(api_key="k")
model = genai.GenerativeModel("m")
"""
CALL = 'genai.protos.Part(function_call=genai.protos.FunctionCall(name="f", args={}))'
RESULT = 'genai.protos.Part(function_response=genai.protos.FunctionResponse(name="f", response={}))'

ROWS = {
    "a call beside its result": (
        f"model.generate_content([{CALL}, {RESULT}])",
        "history_parts_shape_incompatible",
    ),
    "a call in a list that is built": (
        f"said = ['q']\nsaid.append({CALL})\nmodel.generate_content(said)",
        "history_parts_shape_incompatible",
    ),
    "a call alone": (f"model.generate_content([{CALL}])", None),
    "a result alone": (f"model.generate_content([{RESULT}])", None),
    "results together": (f"model.generate_content([{RESULT}, {RESULT}])", None),
    "a call in a chat's message, which is one turn": (
        f"model.start_chat().send_message([{CALL}, {RESULT}])",
        None,
    ),
    "a picture of a notebook": (
        "from IPython.display import Image\nmodel.generate_content(['q', Image('a.png')])",
        "history_parts_shape_incompatible",
    ),
    "a picture of a notebook by itself": (
        "from IPython import display\nmodel.generate_content(display.Image('a.png'))",
        "history_parts_shape_incompatible",
    ),
    "what a notebook shows, and nobody sends": (
        (
            "from IPython.display import Image, display\n"
            "display(Image('a.png'))\nmodel.generate_content('q')"
        ),
        None,
    ),
    "a schema in legacy's spelling": (
        "model.generate_content('q', generation_config={'response_schema': {'type_': 'STRING'}})",
        "generation_config_not_static",
    ),
    "that spelling further in": (
        (
            "kind = {'type': 'object', 'properties': {'a': {'type_': 'STRING'}}}\n"
            "model.generate_content('q', generation_config={'response_schema': kind})"
        ),
        "generation_config_not_static",
    ),
    "the spelling that both know": (
        (
            "kind = {'type': 'object', 'properties': {'a': {'type': 'STRING'}}}\n"
            "model.generate_content('q', generation_config={'response_schema': kind})"
        ),
        None,
    ),
    "a copy of a chat": (
        "chat = model.start_chat()\nother = copy.copy(chat)\nother.send_message('q')",
        "history_write",
    ),
    "a copy of what a chat remembers": (
        "chat = model.start_chat()\nchat.send_message('q')\nprint(len(copy.copy(chat.history)))",
        None,
    ),
    "where an answer is quoted from": (
        (
            "answer = model.generate_content('q')\n"
            "print(answer.candidates[0].citation_metadata.citation_sources)"
        ),
        "attribute_removed",
    ),
    "whether an answer quotes": (
        "answer = model.generate_content('q')\nprint(bool(answer.candidates[0].citation_metadata))",
        None,
    ),
}


@pytest.mark.parametrize("row", ROWS.values(), ids=ROWS)
def test_what_the_new_sdk_takes_otherwise_is_refused(
    row: tuple[str, str | None], tmp_path: Path
) -> None:
    source, code = row
    (tmp_path / "app.py").write_text(f"{HEAD}{source}\n")
    found = {one.code for one in plan([tmp_path], root=tmp_path).findings() if not one.cause}
    assert found - {None, "file_withheld"} == ({code} if code else set())
