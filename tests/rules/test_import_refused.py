"""Imports that are read or replaced in ways that are not followed."""

from __future__ import annotations

import pytest

from tests.support.port import refused


@pytest.mark.parametrize(
    ("before", "codes"),
    [
        pytest.param(
            """
            import google.generativeai as genai
            from google.generativeai.types import BrokenResponseError

            genai.configure(api_key="K")
            try:
                print(genai.GenerativeModel("m").generate_content("x").text)
            except BrokenResponseError:
                print("blocked")
            """,
            {"error_class_changed"},
            id="exception-types-module",
        ),
        pytest.param(
            """
            from unittest import mock

            with mock.patch("google.generativeai.GenerativeModel") as fake:
                fake.return_value = 1
            """,
            {"mock_target"},
            id="mock-target",
        ),
        pytest.param(
            """
            def setup():
                import google.generativeai as genai

                genai.configure(api_key="K")
                return genai


            genai = setup()
            print(genai.GenerativeModel("m").generate_content("x").text)
            """,
            {"usage_unmapped"},
            id="function-import-and-module-use",
        ),
        pytest.param(
            """
            import google.generativeai as genai

            print(genai.__version__)
            """,
            {"usage_unmapped"},
            id="printed-module",
        ),
        pytest.param(
            """
            import google.generativeai as genai


            def use(g):
                g.configure(api_key="K")
                return g.GenerativeModel("m").generate_content("x").text


            print(use(genai))
            """,
            {"usage_unmapped"},
            id="passed-module",
        ),
        pytest.param(
            """
            from google.generativeai import GenerativeModel, configure

            __all__ = ["GenerativeModel"]
            configure(api_key="K")
            print(GenerativeModel("m").generate_content("x").text)
            """,
            {"type_reference"},
            id="offered-to-others",
        ),
    ],
)
def test_refused(before: str, codes: set[str]) -> None:
    assert refused(before) == codes
