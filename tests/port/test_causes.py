"""Which module a file is said to wait for."""

from __future__ import annotations

from pathlib import Path
from textwrap import dedent

from chatport.port import plan


def messages(folder: Path, **sources: str) -> dict[str, set[str]]:
    """Module -> what its findings say of the module it waits for."""
    for name, source in sources.items():
        (folder / f"{name}.py").write_text(dedent(source), "utf-8")
    return {
        file.path.removesuffix(".py"): {
            finding.message or ""
            for finding in file.findings
            if finding.code == "depends_on_refused"
        }
        for file in plan([folder], root=folder).files
    }


def test_the_cause_is_named_through_modules_that_only_pass_it_on(tmp_path: Path) -> None:
    said = messages(
        tmp_path,
        keys="""
            import google.generativeai as genai
            genai.configure(api_key="K")
        """,
        refused="""
            import keys
            import google.generativeai as genai
            print(genai.GenerativeModel("m").no_such_method())
        """,
        fine="""
            import keys
            import google.generativeai as genai
            print(genai.GenerativeModel("m").generate_content("x").text)
        """,
    )
    assert all("`refused.py`, line 4" in message for message in said["keys"] | said["fine"])
    assert said["fine"]


def test_a_program_does_not_wait_for_its_tests(tmp_path: Path) -> None:
    said = messages(
        tmp_path,
        app="""
            import google.generativeai as genai
            genai.configure(api_key="K")
            print(genai.GenerativeModel("m").no_such_method())
        """,
        test_app="""
            from unittest.mock import patch
            import app

            @patch("app.genai.GenerativeModel")
            def test_it(model):
                model.side_effect = ValueError
                assert app
        """,
    )
    assert said["app"] == set()
