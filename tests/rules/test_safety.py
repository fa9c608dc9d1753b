"""Safety settings: closed tables on both sides."""

from __future__ import annotations

import pytest

from tests.support.port import clean, ported, refused


@pytest.mark.parametrize(
    ("before", "after"),
    [
        pytest.param(
            """
            model = genai.GenerativeModel("m", safety_settings={"HARASSMENT": "BLOCK_NONE"})
            print(model.generate_content("x").text)
            """,
            """
            print(client.models.generate_content(
                model="m",
                contents="x",
                config=types.GenerateContentConfig(
                    safety_settings=[
                        types.SafetySetting(
                            category=types.HarmCategory.HARM_CATEGORY_HARASSMENT,
                            threshold=types.HarmBlockThreshold.BLOCK_NONE,
                        ),
                    ],
                ),
            ).text)
            """,
            id="strings",
        ),
        pytest.param(
            """
            safety = {"harm_category_hate_speech": "block_only_high"}
            model = genai.GenerativeModel("m", safety_settings=safety)
            print(model.generate_content("x").text)
            """,
            """
            print(client.models.generate_content(
                model="m",
                contents="x",
                config=types.GenerateContentConfig(
                    safety_settings=[
                        types.SafetySetting(
                            category=types.HarmCategory.HARM_CATEGORY_HATE_SPEECH,
                            threshold=types.HarmBlockThreshold.BLOCK_ONLY_HIGH,
                        ),
                    ],
                ),
            ).text)
            """,
            id="long-strings-in-lower-case",
        ),
        pytest.param(
            """
            safety = [{"category": "HARM_CATEGORY_DANGEROUS_CONTENT", "threshold": "BLOCK_NONE"}]
            model = genai.GenerativeModel("m", safety_settings=safety)
            print(model.generate_content("x").text)
            """,
            """
            print(client.models.generate_content(
                model="m",
                contents="x",
                config=types.GenerateContentConfig(
                    safety_settings=[
                        types.SafetySetting(
                            category=types.HarmCategory.HARM_CATEGORY_DANGEROUS_CONTENT,
                            threshold=types.HarmBlockThreshold.BLOCK_NONE,
                        ),
                    ],
                ),
            ).text)
            """,
            id="list-of-mappings",
        ),
        pytest.param(
            """
            from google.generativeai.types import HarmBlockThreshold, HarmCategory
            import google.generativeai as genai

            genai.configure(api_key="K")
            safety = {HarmCategory.HARM_CATEGORY_HARASSMENT: HarmBlockThreshold.BLOCK_ONLY_HIGH}
            print(genai.GenerativeModel("m").generate_content("x", safety_settings=safety).text)
            """,
            """
            from google import genai
            from google.genai import types

            client = genai.Client(api_key="K", http_options=types.HttpOptions(api_version="v1beta"))
            print(client.models.generate_content(
                model="m",
                contents="x",
                config=types.GenerateContentConfig(
                    safety_settings=[
                        types.SafetySetting(
                            category=types.HarmCategory.HARM_CATEGORY_HARASSMENT,
                            threshold=types.HarmBlockThreshold.BLOCK_ONLY_HIGH,
                        ),
                    ],
                ),
            ).text)
            """,
            id="members",
        ),
        pytest.param(
            """
            safety = {"HARASSMENT": "LOW", "HATE": "HIGH"}
            model = genai.GenerativeModel("m", safety_settings=safety)
            more = {"HATE": "BLOCK_NONE", "DANGEROUS": "BLOCK_NONE"}
            print(model.generate_content("x", safety_settings=more).text)
            """,
            """
            print(client.models.generate_content(
                model="m",
                contents="x",
                config=types.GenerateContentConfig(
                    safety_settings=[
                        types.SafetySetting(
                            category=types.HarmCategory.HARM_CATEGORY_HARASSMENT,
                            threshold=types.HarmBlockThreshold.BLOCK_LOW_AND_ABOVE,
                        ),
                        types.SafetySetting(
                            category=types.HarmCategory.HARM_CATEGORY_HATE_SPEECH,
                            threshold=types.HarmBlockThreshold.BLOCK_NONE,
                        ),
                        types.SafetySetting(
                            category=types.HarmCategory.HARM_CATEGORY_DANGEROUS_CONTENT,
                            threshold=types.HarmBlockThreshold.BLOCK_NONE,
                        ),
                    ],
                ),
            ).text)
            """,
            id="merged-by-category",
        ),
        pytest.param(
            """
            print(genai.GenerativeModel("m", safety_settings=[]).generate_content("x").text)
            """,
            """
            print(client.models.generate_content(model="m", contents="x").text)
            """,
            id="empty",
        ),
    ],
)
def test_ported(before: str, after: str) -> None:
    assert ported(before) == clean(after)


@pytest.mark.parametrize(
    ("before", "codes"),
    [
        pytest.param(
            """
            model = genai.GenerativeModel("m", safety_settings={"HARASMENT": "BLOCK_NONE"})
            print(model.generate_content("x").text)
            """,
            {"safety_settings_not_static"},
            id="unknown-category",
        ),
        pytest.param(
            """
            model = genai.GenerativeModel("m", safety_settings={"HARASSMENT": "NONE_AT_ALL"})
            print(model.generate_content("x").text)
            """,
            {"safety_settings_not_static"},
            id="unknown-threshold",
        ),
        pytest.param(
            """
            model = genai.GenerativeModel("m", safety_settings={"HARASSMENT": "OFF"})
            print(model.generate_content("x").text)
            """,
            {"safety_settings_not_static"},
            id="off-as-a-string",
        ),
        pytest.param(
            """
            def ask(safety):
                return genai.GenerativeModel("m", safety_settings=safety).generate_content("x").text
            """,
            {"safety_settings_not_static"},
            id="of-a-parameter",
        ),
        pytest.param(
            """
            class HarmCategory:
                HARM_CATEGORY_HARASSMENT = 7


            safety = {HarmCategory.HARM_CATEGORY_HARASSMENT: "BLOCK_NONE"}
            print(genai.GenerativeModel("m", safety_settings=safety).generate_content("x").text)
            """,
            {"safety_settings_not_static"},
            id="member-of-another-class",
        ),
        pytest.param(
            """
            base = {"HARASSMENT": "BLOCK_NONE"}
            safety = {**base, "HATE": "BLOCK_NONE"}
            print(genai.GenerativeModel("m", safety_settings=safety).generate_content("x").text)
            """,
            {"safety_settings_not_static"},
            id="unpacked",
        ),
        pytest.param(
            """
            safety = [{"category": "HARASSMENT", "threshold": "BLOCK_NONE", "method": "x"}]
            print(genai.GenerativeModel("m", safety_settings=safety).generate_content("x").text)
            """,
            {"safety_settings_not_static"},
            id="extra-key",
        ),
    ],
)
def test_refused(before: str, codes: set[str]) -> None:
    assert refused(before) == codes


OF_ATTRIBUTES = """
class One{base}:
    def __init__(self{taken}):
        self.safety = {value}

    def ask(self, model):
        return model.generate_content("x", safety_settings=self.safety).text


{more}
print(One().ask(genai.GenerativeModel("m")))
"""
FINE = '[{"category": "HARASSMENT", "threshold": "BLOCK_NONE"}]'
ANOTHER = """
class Two{base}:
    def __init__(self):
        self.safety = "all"
"""


@pytest.mark.parametrize(
    ("said", "is_ported"),
    [
        pytest.param({}, True, id="alone"),
        pytest.param({"more": ANOTHER.replace("{base}", "")}, True, id="in-another-class-too"),
        pytest.param({"more": ANOTHER.replace("{base}", "(One)")}, False, id="in-an-heir"),
        pytest.param({"more": "one = One()\none.safety = input()"}, False, id="from-outside"),
        pytest.param(
            {"more": "def change(it):\n    it.safety = 7\n\n\nchange(One())"},
            False,
            id="on-something-like-it",
        ),
        pytest.param({"more": "import other\nother.it.safety = 7"}, False, id="on-who-knows-what"),
        pytest.param({"taken": ", safety=None", "value": f"safety or {FINE}"}, False, id="given"),
        pytest.param({"value": f"{FINE} if input() else None"}, False, id="perhaps-none"),
        pytest.param({"value": f"{FINE} + {FINE}"}, False, id="put-together"),
        pytest.param({"more": "one = One()\none.safety.clear()"}, False, id="changed"),
        pytest.param(
            {
                "value": '[{"category": "HARASSMENT", "threshold": "BLOCK_NONE"}]',
                "more": 'one = One()\none.safety[0]["threshold"] = "BLOCK_LOW_AND_ABOVE"',
            },
            False,
            id="changed-in-a-row",
        ),
        pytest.param(
            {
                "value": '[{"category": c, "threshold": "BLOCK_NONE"} for c in ["HARASSMENT"]]',
                "more": 'for row in One().safety:\n    row["threshold"] = "BLOCK_LOW_AND_ABOVE"',
            },
            False,
            id="changed-in-every-row",
        ),
    ],
)
def test_a_table_is_read_of_the_attribute_of_its_class(
    said: dict[str, str], is_ported: bool
) -> None:
    empty = {"base": "", "taken": "", "value": FINE, "more": ""}
    source = OF_ATTRIBUTES.format(**(empty | said))
    if is_ported:
        assert "types.HarmBlockThreshold.BLOCK_NONE" in ported(source)
    else:
        assert "safety_settings_not_static" in refused(source)


ANNOUNCED = """
{above}class One{base}:
    safety: dict{value}

    def __init__(self):
        self.safety = self.made()

    def made(self):
        return {{"HARASSMENT": "BLOCK_NONE"}}

    def ask(self, model):
        return model.generate_content("x", safety_settings=self.safety).text


print(One().ask(genai.GenerativeModel("m")))
"""


def test_an_announced_table_is_the_one_that_is_assigned() -> None:
    source = ANNOUNCED.format(above="", base="", value="")
    assert "types.HarmBlockThreshold.BLOCK_NONE" in ported(source)


@pytest.mark.parametrize(
    "said",
    [
        pytest.param({"above": "@dataclass\n"}, id="a-field"),
        pytest.param({"base": "(BaseModel)"}, id="a-field-of-a-model"),
        pytest.param({"value": " = {}"}, id="with-a-default"),
    ],
)
def test_a_table_that_constructors_may_give_is_refused(said: dict[str, str]) -> None:
    source = ANNOUNCED.format(**({"above": "", "base": "", "value": ""} | said))
    assert "safety_settings_not_static" in refused(source)
