"""Free functions: what is not certain is refused, and how a task is spelled."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.free_functions import ported

REFUSED = {
    "content without a name": (
        """
        def embed(page):
            m = "models/embedding-001"
            return genai.embed_content(model=m, content=page.text())["embedding"]
        """,
        "embed_shape",
    ),
    "a coroutine that is handed on": (
        """
        import store
        store.keep(genai.embed_content_async(model="models/embedding-001", content="hi"))
        """,
        "embed_shape",
    ),
    "a task by a short name that a caller gives": (
        """
        def embed(text: str, task="retrieval_document"):
            m = "models/embedding-001"
            return genai.embed_content(model=m, content=text, task_type=task)["embedding"]

        print(embed("a", task="query"))
        """,
        "unsupported_kwarg",
    ),
    "a task that may be none": (
        """
        def embed(text: str, task=None):
            m = "models/embedding-001"
            return genai.embed_content(model=m, content=text, task_type=task)["embedding"]

        print(embed("a", task="retrieval_query"))
        """,
        "unsupported_kwarg",
    ),
    "a task that is not known": (
        """
        m = "models/embedding-001"
        print(genai.embed_content(model=m, content="hi", task_type=os.environ["T"])["embedding"])
        """,
        "unsupported_kwarg",
    ),
    "a task outside of the table": (
        """
        m = "models/embedding-001"
        print(genai.embed_content(model=m, content="hi", task_type="search")["embedding"])
        """,
        "unsupported_kwarg",
    ),
    "a source that may be an open file": (
        """
        def upload(source, mime_type):
            return genai.upload_file(source, mime_type=mime_type).name
        """,
        "upload_source_unknown",
    ),
    "a source that cannot be evaluated twice": (
        """
        import tempfile
        genai.upload_file(tempfile.mktemp(".txt"))
        """,
        "upload_source_unknown",
    ),
    "an upload in one piece": (
        """
        genai.upload_file("a.txt", resumable=False)
        """,
        "unsupported_kwarg",
    ),
    "a file or its name": (
        """
        def forget(file):
            genai.delete_file(file)
        """,
        "receiver_unresolved",
    ),
    "a method that has gone": (
        """
        file = genai.get_file("files/abc")
        print(file.to_dict())
        """,
        "attribute_removed",
    ),
    "a function that is passed around": (
        """
        files = list(map(genai.get_file, ["files/a", "files/b"]))
        """,
        "method_used_as_value",
    ),
    "arguments that are not known": (
        """
        options = {"page_size": 5}
        print(list(genai.list_models(**options)))
        """,
        "unsupported_kwarg",
    ),
    "a client of one's own": (
        """
        print(list(genai.list_models(client=None)))
        """,
        "unsupported_kwarg",
    ),
}


@pytest.mark.parametrize(("code", "name"), REFUSED.values(), ids=REFUSED)
def test_what_is_not_certain_is_refused(tmp_path: Path, code: str, name: str) -> None:
    file = ported(tmp_path, code)
    assert (file.status, file.after) == ("refused", None)
    assert name in {finding.code for finding in file.findings}


SPELLINGS = {
    "retrieval_query": "RETRIEVAL_QUERY",
    "QUERY": "RETRIEVAL_QUERY",
    "Document": "RETRIEVAL_DOCUMENT",
    "similarity": "SEMANTIC_SIMILARITY",
    "semantic_similarity": "SEMANTIC_SIMILARITY",
    "classification": "CLASSIFICATION",
    "clustering": "CLUSTERING",
    "qa": "QUESTION_ANSWERING",
    "question_answering": "QUESTION_ANSWERING",
    "verification": "FACT_VERIFICATION",
    "FACT_VERIFICATION": "FACT_VERIFICATION",
    "unspecified": "TASK_TYPE_UNSPECIFIED",
}


@pytest.mark.parametrize(("said", "written"), SPELLINGS.items(), ids=SPELLINGS)
def test_a_task_is_written_as_the_service_spells_it(
    tmp_path: Path, said: str, written: str
) -> None:
    call = f'genai.embed_content(model="models/embedding-001", content="a", task_type="{said}")'
    file = ported(tmp_path, f"{call}\n")
    assert file.after is not None
    assert f'task_type="{written}"' in file.after.decode()


def test_the_number_of_a_task_is_written_as_its_name(tmp_path: Path) -> None:
    code = 'genai.embed_content(model="models/embedding-001", content="a", task_type=2)\n'
    file = ported(tmp_path, code)
    assert file.after is not None
    assert 'task_type="RETRIEVAL_DOCUMENT"' in file.after.decode()
