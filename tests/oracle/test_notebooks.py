"""A notebook run from the top sends the same before and after its port."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from chatport.port.prove.compare import compare
from chatport.port.prove.pair import PairResult
from chatport.port.prove.running import Program, Worker
from tests.support.notebooks import notebook, planned, sources

Workers = Callable[[str], Worker]

CELLS = (
    "!pip install -q google-generativeai",
    "import os\n\nimport google.generativeai as genai",
    'genai.configure(api_key=os.environ["GOOGLE_API_KEY"])',
    "model = genai.GenerativeModel('gemini-1.5-flash', system_instruction='Be brief.')",
    "%%time\nresponse = model.generate_content('Hello')\nprint(response.text)",
    "chat = model.start_chat()",
    "for text in ('One', 'Two'):\n    print(chat.send_message(text).text)",
    "for chunk in model.generate_content('Streamed', stream=True):\n    print(chunk.text)",
)


def script(data: bytes, path: Path) -> Path:
    """The cells one after the other, without what is no Python."""
    lines = "\n".join(sources(data)).splitlines()
    path.mkdir(parents=True)
    text = "\n".join(line for line in lines if not line.startswith(("!", "%")))
    (path / "book.py").write_text(text + "\n", encoding="utf-8")
    return path


@pytest.mark.parametrize("environment", ["genai1", "genai2", "genai3"])
def test_a_ported_notebook_sends_what_it_sent(
    worker: Workers, tmp_path: Path, environment: str
) -> None:
    before = notebook(*CELLS)
    file = planned(before)
    assert file is not None
    assert file.after is not None
    old = worker("legacy").run(Program(script(before, tmp_path / "before"), path="book.py"))
    new = worker(environment).run(Program(script(file.after, tmp_path / "after"), path="book.py"))
    result = PairResult(old, new, compare(old, new))
    assert result.same, result.explain()
    assert len(new.exchanges) == 4
