"""Files in which the import was changed and the calls were not, or the other way round."""

from __future__ import annotations

import pytest

from tests.support.port import is_untouched, plan_source


def codes(source: str) -> set[str]:
    return {finding.code or "" for file in plan_source(source) for finding in file.findings}


@pytest.mark.parametrize(
    "use",
    [
        'genai.configure(api_key="K")',
        'model = genai.GenerativeModel("m")',
        "print(genai.list_models())",
        "def f(chat: genai.ChatSession): ...",
    ],
)
def test_a_name_that_the_new_sdk_has_not_is_named(use: str) -> None:
    assert codes(f"from google import genai\n\n{use}\n") == {"half_migrated"}


def test_it_is_followed_through_names() -> None:
    source = "from google import genai as g\n\nmake = g.GenerativeModel\nprint(make('m'))\n"
    assert "half_migrated" in codes(source)


def test_a_new_name_on_the_legacy_import_is_named() -> None:
    found = codes("import google.generativeai as genai\n\nclient = genai.Client(api_key='K')\n")
    assert "usage_unmapped" in found


@pytest.mark.parametrize(
    "source",
    [
        "from google import genai\n\nclient = genai.Client(api_key='K')\n",
        "from mine import genai\n\ngenai.configure(api_key='K')\n",
        "genai = object()\ngenai.GenerativeModel('m')\n",
        "from vertexai.generative_models import GenerativeModel\n\nGenerativeModel('m')\n",
    ],
)
def test_other_names_are_no_finding(source: str) -> None:
    assert is_untouched(source)
