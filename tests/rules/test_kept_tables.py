"""Safety tables whose rows are only known when the program runs."""

from __future__ import annotations

import pytest

from tests.support.port import clean, ported, refused

BY_ROWS = """\
[
            types.SafetySetting(category=category, threshold=threshold)
            for category, threshold in {}.items()
        ]"""


@pytest.mark.parametrize(
    ("made", "given"),
    [
        pytest.param(
            """
            tables = {
                "a": [{"category": "HARM_CATEGORY_HARASSMENT", "threshold": "BLOCK_NONE"}],
                "b": [],
            }
            table = tables[input()]
            """,
            "table",
            id="one-of-several",
        ),
        pytest.param(
            """
            strict = {"HARM_CATEGORY_HARASSMENT": "BLOCK_LOW_AND_ABOVE"}
            table = strict if input() else {"harm_category_harassment": "block_none"}
            """,
            BY_ROWS.format("table"),
            id="one-of-two-mappings",
        ),
        pytest.param(
            """
            table = []
            for name in ["A", "B"]:
                level = genai.types.HarmBlockThreshold.BLOCK_NONE
                kind = genai.types.HarmCategory.HARM_CATEGORY_HARASSMENT
                if name == "B":
                    kind = genai.types.HarmCategory.HARM_CATEGORY_HATE_SPEECH
                table.append({"category": kind, "threshold": level})
            """,
            "table",
            id="built-in-a-loop",
        ),
        pytest.param(
            """
            table = None
            if input():
                table = {"HARM_CATEGORY_HARASSMENT": "BLOCK_NONE"}
            """,
            BY_ROWS.format("(table or {})"),
            id="perhaps-none",
        ),
    ],
)
def test_a_table_is_taken_as_it_is(made: str, given: str) -> None:
    call = 'print(genai.GenerativeModel("m").generate_content("x", safety_settings=table).text)\n'
    text = ported("import google.generativeai as genai\n\n" + clean(made) + call)
    assert f"safety_settings={given}" in text


def test_a_model_keeps_a_table_that_is_made_for_it() -> None:
    before = """
    def table(strict):
        level = "BLOCK_LOW_AND_ABOVE" if strict else "BLOCK_NONE"
        print(level)
        return [{"category": "HARM_CATEGORY_HARASSMENT", "threshold": "BLOCK_NONE"}]


    model = genai.GenerativeModel("m", safety_settings=table(strict=True))
    print(model.generate_content("x").text)
    """
    text = ported(before)
    assert "model_config = types.GenerateContentConfig(safety_settings=table(strict=True))" in text
    assert text.count("table(strict") == 2


NONE = '{"category": "HARM_CATEGORY_HARASSMENT", "threshold": "BLOCK_NONE"}'


@pytest.mark.parametrize(
    "made",
    [
        pytest.param('table = {"HARASSMENT": "HIGH"} if input() else {}', id="short-names"),
        pytest.param("table = {7: 4} if input() else {}", id="numbers"),
        pytest.param('table = {"HARM_CATEGORY_HARASSMENT": "OFF"} if input() else {}', id="off"),
        pytest.param('table = [{"category": input(), "threshold": "BLOCK_NONE"}]', id="a-text"),
        pytest.param(
            f'table = [{NONE}] if input() else {{"HARM_CATEGORY_HARASSMENT": "BLOCK_NONE"}}',
            id="a-list-or-a-mapping",
        ),
        pytest.param(f"table = [{NONE}, {NONE}] if input() else []", id="a-category-twice"),
        pytest.param(f"table = [{NONE}]\ntable.append({NONE})", id="a-row-over-another"),
        pytest.param(f"table = []\ntable.append({NONE})\ntable.append({NONE})", id="two-rows-put"),
        pytest.param(f"table = [{NONE}]\nother(table)\ntable += []", id="handed-away"),
        pytest.param(
            'table = {"HARM_CATEGORY_HARASSMENT": "BLOCK_NONE"}\ntable[input()] = "BLOCK_NONE"',
            id="a-mapping-that-is-changed",
        ),
        pytest.param(
            f"row = {NONE}\ntable = [row] if input() else []\nrow['threshold'] = input()",
            id="a-row-that-is-changed",
        ),
        pytest.param("import json\ntable = json.loads(input())", id="read-from-a-file"),
        pytest.param(f"table = [{NONE}] if input() else input()", id="perhaps-a-text"),
        pytest.param(
            'table = [{**{"category": "HARM_CATEGORY_HARASSMENT"}, "threshold": "BLOCK_NONE"}]',
            id="a-row-of-parts",
        ),
        pytest.param(
            "class HarmCategory:\n    HARM_CATEGORY_HARASSMENT = 7\n\n\n"
            'kind = HarmCategory.HARM_CATEGORY_HARASSMENT\ntable = {kind: "BLOCK_NONE"}',
            id="a-member-of-another-class",
        ),
        pytest.param(
            'table = {c: "BLOCK_NONE" for c in genai.types.HarmCategory}', id="every-category"
        ),
    ],
)
def test_what_is_not_certainly_a_table_is_refused(made: str) -> None:
    call = 'print(genai.GenerativeModel("m").generate_content("x", safety_settings=table).text)\n'
    assert "safety_settings_not_static" in refused(f"from other import other\n{SDK}{made}\n{call}")


SDK = 'import google.generativeai as genai\n\ngenai.configure(api_key="K")\n'


@pytest.mark.parametrize(
    "before",
    [
        pytest.param(
            """
            def ask(table):
                return genai.GenerativeModel("m").generate_content("x", safety_settings=table).text
            """,
            id="nobody-is-seen-to-call",
        ),
        pytest.param(
            """
            from app import route


            @route
            def ask(table=None):
                return genai.GenerativeModel("m").generate_content("x", safety_settings=table).text


            ask({"HARM_CATEGORY_HARASSMENT": "BLOCK_NONE"})
            """,
            id="others-may-call",
        ),
        pytest.param(
            """
            def ask(table):
                return genai.GenerativeModel("m").generate_content("x", safety_settings=table).text


            ask({"HARM_CATEGORY_HARASSMENT": "BLOCK_NONE"})
            ask(*input())
            """,
            id="called-with-who-knows-what",
        ),
        pytest.param(
            """
            table = {"HARM_CATEGORY_HARASSMENT": "BLOCK_NONE"} if input() else {}
            model = genai.GenerativeModel("m", safety_settings={"HATE": "HIGH"})
            print(model.generate_content("x", safety_settings=table).text)
            """,
            id="over-another-table",
        ),
        pytest.param(
            """
            table = {"HARM_CATEGORY_HARASSMENT": "BLOCK_NONE"} if input() else {}
            model = genai.GenerativeModel(input(), safety_settings=table)
            print(model.generate_content("x", safety_settings={"HATE": "HIGH"}).text)
            """,
            id="under-another-table",
        ),
        pytest.param(
            """
            table = {"HARM_CATEGORY_HARASSMENT": "BLOCK_NONE"} if input() else {}
            chat = genai.GenerativeModel("m", safety_settings=table).start_chat()
            print(chat.send_message("x", safety_settings={"HATE": "HIGH"}).text)
            """,
            id="under-that-of-a-message",
        ),
    ],
)
def test_tables_that_others_give_or_that_are_merged_are_refused(before: str) -> None:
    assert "safety_settings_not_static" in refused(before)
