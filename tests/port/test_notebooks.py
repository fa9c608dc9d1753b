"""Notebooks are ported cell by cell, as the one program that they are when run from the top."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from chatport.port.findings import Kind, Status
from chatport.port.planner import plan
from chatport.port.report import json as json_report
from chatport.port.writer import undo, write
from tests.support.notebooks import notebook, planned, sources

BOOK = notebook(
    "!pip install -q -U google-generativeai",
    """
    import google.generativeai as genai
    from google.colab import userdata

    genai.configure(api_key=userdata.get("GOOGLE_API_KEY"))""",
    'model = genai.GenerativeModel("gemini-1.5-flash")',
    """
    %%time
    response = model.generate_content("Hello")
    print(response.text)""",
    """
    # a stream
    for chunk in model.generate_content("Hello", stream=True):
        print(chunk.text)""",
)
PORTED = [
    '!pip install -q -U "google-genai>=1.56"',
    """
from google import genai
from google.genai import types
from google.colab import userdata

client = genai.Client(
    api_key=userdata.get("GOOGLE_API_KEY"),
    http_options=types.HttpOptions(api_version="v1beta"),
)""",
    "",
    """
%%time
response = client.models.generate_content(model="gemini-1.5-flash", contents="Hello")
print(response.text)""",
    """
# a stream
for chunk in client.models.generate_content_stream(
    model="gemini-1.5-flash",
    contents="Hello",
):
    print(chunk.text)""",
]


def test_a_notebook_is_ported() -> None:
    file = planned(BOOK)
    assert file is not None
    assert file.status is Status.PORTED, [one.message for one in file.findings]
    assert file.after is not None
    assert sources(file.after) == PORTED


def test_what_is_no_source_of_a_changed_cell_keeps_its_bytes() -> None:
    file = planned(BOOK)
    assert file is not None
    assert file.after is not None
    before, after = json.loads(BOOK), json.loads(file.after)
    for one in (*before["cells"], *after["cells"]):
        del one["source"]
    assert before == after
    assert file.after.endswith(b"\n")


def test_a_second_run_finds_nothing() -> None:
    file = planned(BOOK)
    assert file is not None
    assert file.after is not None
    assert planned(file.after) is None


@pytest.mark.parametrize(
    ("line", "after"),
    [
        ("%pip install google-generativeai", '%pip install "google-genai>=1.56"'),
        (
            "!pip3 install 'google-generativeai==0.8.3' rich",
            "!pip3 install 'google-genai>=1.56' rich",
        ),
        (
            "!python -m pip install google_generativeai",
            '!python -m pip install "google-genai>=1.56"',
        ),
        ("!pip install langchain-google-generativeai", None),
        ("!echo google-generativeai", None),
    ],
)
def test_the_installing_line_follows(line: str, after: str | None) -> None:
    file = planned(
        notebook(line, "import google.generativeai as genai\ngenai.configure(api_key='K')")
    )
    assert file is not None
    assert file.after is not None
    assert sources(file.after)[0] == (after or line)
    kinds = [finding.kind for finding in file.findings]
    assert (Kind.STRING in kinds) is (after is not None)


def test_await_outside_of_a_function_is_what_notebooks_do() -> None:
    file = planned(
        notebook(
            "import google.generativeai as genai\ngenai.configure(api_key='K')",
            "r = await genai.GenerativeModel('m').generate_content_async('q')",
        )
    )
    assert file is not None
    assert file.after is not None
    assert sources(file.after)[1] == (
        "r = await client.aio.models.generate_content(model='m', contents='q')"
    )


@pytest.mark.parametrize(
    "cell",
    [
        "%%writefile app.py\nimport google.generativeai as genai",
        "%load_ext google.generativeai.notebook",
        "!python run.py {model}",
        "%timeit -n 3 model.generate_content('q')",
    ],
)
def test_what_only_the_notebook_understands_holds_it_back(cell: str) -> None:
    file = planned(
        notebook(
            "import google.generativeai as genai\ngenai.configure(api_key='K')\n"
            "model = genai.GenerativeModel('m')\nprint(model.generate_content('q').text)",
            cell,
        )
    )
    assert file is not None
    assert file.status is Status.REFUSED
    assert file.after is None


def test_a_refusal_names_the_cell_and_its_line(tmp_path: Path) -> None:
    (tmp_path / "book.ipynb").write_bytes(
        notebook("# first", "import google.generativeai as genai\n\ngenai.create_tuned_model()")
    )
    made = plan([tmp_path], root=tmp_path)
    refused = next(one for one in made.findings() if one.code == "flag_only_surface")
    assert (refused.place.cell, refused.place.cell_line) == (2, 3)
    lines = (tmp_path / "book.ipynb").read_text(encoding="utf-8").splitlines()
    assert "create_tuned_model" in lines[refused.place.line - 1]
    finding = json.loads(json_report.render(made))["files"][0]["findings"][-1]
    assert (finding["cell"], finding["cell_line"]) == (2, 3)


def test_a_written_notebook_is_taken_back(tmp_path: Path) -> None:
    book = tmp_path / "book.ipynb"
    book.write_bytes(BOOK)
    (tmp_path / "requirements.txt").write_text("google-generativeai\n", encoding="utf-8")
    made = plan([tmp_path], root=tmp_path)
    assert {file.path for file in made.changes()} == {"book.ipynb", "requirements.txt"}
    write(made, allow_dirty=True)
    assert sources(book.read_bytes()) == PORTED
    undo(tmp_path)
    assert book.read_bytes() == BOOK


def test_a_refused_notebook_keeps_the_old_requirement(tmp_path: Path) -> None:
    (tmp_path / "book.ipynb").write_bytes(
        notebook("import google.generativeai as genai", "genai.create_tuned_model()")
    )
    (tmp_path / "requirements.txt").write_text("google-generativeai\n", encoding="utf-8")
    assert not list(plan([tmp_path], root=tmp_path).changes())


def test_words_outside_of_code_are_no_finding() -> None:
    document = json.loads(notebook("x = 1"))
    document["cells"][0]["outputs"] = [{"text": ["google.generativeai"]}]
    assert planned(json.dumps(document).encode()) is None
