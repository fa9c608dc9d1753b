"""Models that are made of the items of a mapping."""

from __future__ import annotations

from pathlib import Path

import pytest

from chatport.port.config import Config
from chatport.port.planner import plan
from tests.support.port import IMPORTS, clean, ported, refused

ASK = "print(model.generate_content('x').text)\n"


def made(before: str) -> str:
    """A program that asks the model some code makes."""
    return clean(before) + ASK


@pytest.mark.parametrize(
    ("before", "model", "config"),
    [
        pytest.param(
            """
            options = {"model_name": input()}
            if input():
                options["system_instruction"] = "s"
            model = genai.GenerativeModel(**options)
            """,
            'options["model_name"]',
            'system_instruction=options.get("system_instruction")',
            id="a-key-that-may-be-there",
        ),
        pytest.param(
            """
            options = {"model_name": input(), "system_instruction": "s"}
            model = genai.GenerativeModel(**options)
            """,
            'options["model_name"]',
            'system_instruction=options["system_instruction"]',
            id="keys-that-are-there",
        ),
        pytest.param(
            """
            options = {}
            if input():
                options["generation_config"] = {"temperature": float(input())}
            model = genai.GenerativeModel(model_name=input(), **options)
            """,
            "input()",
            '**(options.get("generation_config") or {})',
            id="a-name-beside-them",
        ),
    ],
)
def test_what_is_unpacked_is_read_by_its_keys(before: str, model: str, config: str) -> None:
    text = ported(made(before))
    assert f"model = {model}\n" in text
    assert config in text


@pytest.mark.parametrize(
    "before",
    [
        pytest.param("model = genai.GenerativeModel(**input())\n", id="whatever"),
        pytest.param(
            """
            options = {"model_name": "m"}
            options[input()] = "s"
            model = genai.GenerativeModel(**options)
            """,
            id="a-key-that-is-computed",
        ),
        pytest.param(
            """
            options = {"model_name": "m", **input()}
            model = genai.GenerativeModel(**options)
            """,
            id="a-mapping-in-it",
        ),
        pytest.param(
            """
            options = {"model_name": "m", "system_instruction": "s"}
            options.pop("system_instruction")
            model = genai.GenerativeModel(**options)
            """,
            id="a-key-that-is-taken-out",
        ),
        pytest.param(
            """
            options = {"model_name": "m", "system_instruction": "s"}
            del options["system_instruction"]
            model = genai.GenerativeModel(**options)
            """,
            id="a-key-that-is-deleted",
        ),
        pytest.param(
            """
            options = {"model_name": "m"}
            options.update(input())
            model = genai.GenerativeModel(**options)
            """,
            id="what-is-put-in-is-not-known",
        ),
        pytest.param(
            """
            options = {}
            if input():
                options["model_name"] = "m"
            model = genai.GenerativeModel(**options)
            """,
            id="a-model-that-may-be-the-default",
        ),
        pytest.param(
            """
            options = {"model_name": "m"} if input() else {"model_name": "n"}
            model = genai.GenerativeModel(**options)
            """,
            id="one-of-two",
        ),
        pytest.param(
            """
            options = {"model_name": "m", "tools": [input]}
            model = genai.GenerativeModel(**options)
            """,
            id="tools",
        ),
        pytest.param(
            """
            options = {"model_name": "m", "temperature": 0}
            model = genai.GenerativeModel(**options)
            """,
            id="a-key-legacy-did-not-know",
        ),
        pytest.param(
            """
            options = {"model_name": "m"}
            model = genai.GenerativeModel(model_name="n", **options)
            """,
            id="a-name-that-is-said-twice",
        ),
        pytest.param(
            """
            from other import fill

            options = {"model_name": "m"}
            fill(options)
            model = genai.GenerativeModel(**options)
            """,
            id="handed-to-others",
        ),
        pytest.param(
            """
            def make(**options):
                return genai.GenerativeModel(**options)


            model = make(model_name="m")
            """,
            id="the-rest-of-the-keywords",
        ),
    ],
)
def test_what_is_not_certainly_known_is_refused(before: str) -> None:
    assert refused(made(before)) & {"unsupported_kwarg", "default_model_name_required"}


def test_it_is_ported_alike_where_single_uses_may_be_left(tmp_path: Path) -> None:
    before = 'options = {"model_name": input()}\nmodel = genai.GenerativeModel(**options)\n'
    (tmp_path / "app.py").write_text(f"{IMPORTS}\n{before}{ASK}")
    (whole,) = plan([tmp_path], root=tmp_path).files
    (by_site,) = plan([tmp_path], root=tmp_path, config=Config(atomic="site")).files
    assert by_site.after == whole.after is not None
