"""Functions about models and files become calls of the client; every row runs on both SDKs."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from chatport.port.prove.running import Worker
from tests.prove.workers import worker
from tests.support.free_functions import assert_ported, assert_same, ported

__all__ = ["worker"]

PORTED = {
    "models": (
        """
        for m in genai.list_models():
            if "generateContent" in m.supported_generation_methods:
                print(m.name, m.display_name, m.input_token_limit)
        """,
        """
        for m in client.models.list():
            if "generateContent" in (m.supported_actions or []):
                print(m.name, m.display_name, m.input_token_limit)
        """,
    ),
    "models, a page at a time": (
        """
        print([m.name for m in genai.list_models(page_size=2)])
        """,
        """
        print([m.name for m in client.models.list(config=types.ListModelsConfig(page_size=2))])
        """,
    ),
    "one model": (
        """
        print(genai.get_model("models/gemini-1.5-flash").output_token_limit)
        """,
        """
        print(client.models.get(model="models/gemini-1.5-flash").output_token_limit)
        """,
    ),
    "one model, with a deadline": (
        """
        m = genai.get_model(name="models/gemini-1.5-flash", request_options={"timeout": 5})
        print(m.name)
        """,
        """
        m = client.models.get(
            model="models/gemini-1.5-flash",
            config=types.GetModelConfig(http_options=types.HttpOptions(timeout=5_000)),
        )
        print(m.name)
        """,
    ),
    "an upload of what is called a path": (
        """
        with open("a.txt", "w") as out:
            out.write("Present: all.")
        def upload(file_path, kind):
            return genai.upload_file(file_path, mime_type=kind)
        print(upload(os.environ.get("NONE", "a.txt"), "text/plain").display_name)
        """,
        """
        with open("a.txt", "w") as out:
            out.write("Present: all.")
        def upload(file_path, kind):
            return client.files.upload(
                file=file_path,
                config=types.UploadFileConfig(
                    mime_type=kind,
                    display_name=os.path.basename(file_path),
                ),
            )
        print(upload(os.environ.get("NONE", "a.txt"), "text/plain").display_name)
        """,
    ),
    "an upload": (
        """
        with open("notes.txt", "w") as out:
            out.write("Present: all.")
        notes = genai.upload_file("notes.txt")
        print(notes.name, notes.uri, notes.display_name, notes.mime_type)
        """,
        """
        with open("notes.txt", "w") as out:
            out.write("Present: all.")
        notes = client.files.upload(
            file="notes.txt",
            config=types.UploadFileConfig(display_name="notes.txt"),
        )
        print(notes.name, notes.uri, notes.display_name, notes.mime_type)
        """,
    ),
    "uploads that say more": (
        """
        def upload(path, mime_type=None):
            return genai.upload_file(path, mime_type=mime_type, resumable=True)


        folder = "."
        with open("a.txt", "w") as out:
            out.write("Present: all.")
        print(upload("a.txt", mime_type="text/plain").name)
        print(genai.upload_file(os.path.join(folder, "a.txt"), name="abc").display_name)
        print(genai.upload_file(path=f"{folder}/a.txt", display_name="Minutes").display_name)
        """,
        """
        def upload(path, mime_type=None):
            return client.files.upload(
                file=path,
                config=types.UploadFileConfig(
                    mime_type=mime_type,
                    display_name=os.path.basename(path),
                ),
            )


        folder = "."
        with open("a.txt", "w") as out:
            out.write("Present: all.")
        print(upload("a.txt", mime_type="text/plain").name)
        print(client.files.upload(
            file=os.path.join(folder, "a.txt"),
            config=types.UploadFileConfig(
                name="abc",
                display_name=os.path.basename(os.path.join(folder, "a.txt")),
            ),
        ).display_name)
        print(client.files.upload(
            file=f"{folder}/a.txt",
            config=types.UploadFileConfig(display_name="Minutes"),
        ).display_name)
        """,
    ),
    "an upload from memory": (
        """
        import io

        file = genai.upload_file(io.BytesIO(b"Present: all."), mime_type="text/plain")
        print(file.name)
        """,
        """
        import io

        file = client.files.upload(
            file=io.BytesIO(b"Present: all."),
            config=types.UploadFileConfig(mime_type="text/plain"),
        )
        print(file.name)
        """,
    ),
    "a display name that may be missing": (
        """
        def upload(path, name=None):
            return genai.upload_file(path, display_name=name).display_name


        with open("a.txt", "w") as out:
            out.write("Present: all.")
        print(upload("a.txt"), upload("a.txt", "A"))
        """,
        """
        def upload(path, name=None):
            return client.files.upload(
                file=path,
                config=types.UploadFileConfig(
                    display_name=name if name is not None else os.path.basename(path),
                ),
            ).display_name


        with open("a.txt", "w") as out:
            out.write("Present: all.")
        print(upload("a.txt"), upload("a.txt", "A"))
        """,
    ),
    "files": (
        """
        import time

        with open("a.txt", "w") as out:
            out.write("Present: all.")
        file = genai.upload_file("a.txt", display_name="A")
        while file.state.name == "PROCESSING":
            time.sleep(1)
            file = genai.get_file(file.name)
        if file.state != 2:
            raise ValueError(file.state.name)
        for known in genai.list_files():
            print(known.name, known.display_name)
        print(genai.get_file(name=file.name).uri)
        genai.delete_file(file.name)
        other = genai.upload_file("a.txt", display_name="B")
        other.delete()
        """,
        """
        import time

        with open("a.txt", "w") as out:
            out.write("Present: all.")
        file = client.files.upload(
            file="a.txt",
            config=types.UploadFileConfig(display_name="A"),
        )
        while file.state.name == "PROCESSING":
            time.sleep(1)
            file = client.files.get(name=file.name)
        if file.state != types.FileState.ACTIVE:
            raise ValueError(file.state.name)
        for known in client.files.list():
            print(known.name, known.display_name)
        print(client.files.get(name=file.name).uri)
        client.files.delete(name=file.name)
        other = client.files.upload(
            file="a.txt",
            config=types.UploadFileConfig(display_name="B"),
        )
        client.files.delete(name=other.name)
        """,
    ),
    "a file in a question, with a deadline": (
        """
        with open("a.txt", "w") as out:
            out.write("Present: all.")
        file = genai.upload_file("a.txt", display_name="A")
        model = genai.GenerativeModel("gemini-1.5-pro")
        print(model.generate_content([file, "Who?"], request_options={"timeout": 600}).text)
        genai.delete_file(file)
        """,
        """
        with open("a.txt", "w") as out:
            out.write("Present: all.")
        file = client.files.upload(
            file="a.txt",
            config=types.UploadFileConfig(display_name="A"),
        )
        print(client.models.generate_content(
            model="gemini-1.5-pro",
            contents=[file, "Who?"],
            config=types.GenerateContentConfig(http_options=types.HttpOptions(timeout=600_000)),
        ).text)
        client.files.delete(name=file.name)
        """,
    ),
}


@pytest.mark.parametrize(("before", "after"), PORTED.values(), ids=PORTED)
def test_a_free_function_becomes_a_call_of_the_client(
    tmp_path: Path, before: str, after: str
) -> None:
    assert_ported(tmp_path, before, after)


@pytest.mark.parametrize("environment", ["genai1", "genai2", "genai3"])
@pytest.mark.parametrize(("before", "after"), PORTED.values(), ids=PORTED)
def test_both_programs_do_the_same(
    worker: Callable[[str], Worker], before: str, after: str, environment: str
) -> None:
    assert_same(worker, environment, before, after)


def test_a_name_that_legacy_gave_by_itself_is_noted(tmp_path: Path) -> None:
    file = ported(tmp_path, PORTED["an upload"][0])
    assert [f.warnings for f in file.findings if f.symbol.endswith("upload_file")] == [
        ("upload_display_name",)
    ]
