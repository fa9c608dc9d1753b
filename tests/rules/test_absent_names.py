"""Names that neither package has, and names that only an annotation nobody evaluates says."""

from __future__ import annotations

import pytest

from tests.support.port import clean, ported, refused, warned, whole_ported

ASK = """
            try:
                print(genai.GenerativeModel("m").generate_content("x").text)
"""
ASKED = """
            try:
                print(client.models.generate_content(model="m", contents="x").text)
"""


def asked(text: str) -> str:
    return ASK.lstrip("\n") + text.lstrip("\n")


@pytest.mark.parametrize(
    "rest",
    [
        """
            except genai.APIError as error:
                print(error)
            """,
        """
            except (genai.RateLimitError, KeyError):
                print("wait")
            """,
        """
            finally:
                print(callable(getattr(genai.Answer, "x", None)))
            """,
    ],
)
def test_a_name_on_neither_side_stays(rest: str) -> None:
    before = asked(rest)
    assert ported(before) == clean(ASKED.lstrip("\n") + rest.lstrip("\n"))
    assert "attribute_on_neither" in dict(map(reversed, warned(before)))


def test_a_function_on_neither_side_stays() -> None:
    before = """
        try:
            file = genai.upload_file_async("x.png")
        except AttributeError:
            file = None
        print(file)
        """
    assert ported(before) == clean(before)


def test_the_bare_package_is_renamed() -> None:
    before = """
        import google.generativeai

        try:
            print(google.generativeai.GenerativeModel("m").generate_content("x").text)
        except google.generativeai.Overloaded:
            print("wait")
        """
    assert "except genai.Overloaded:" in whole_ported(before)


@pytest.mark.parametrize(
    "name",
    [
        "genai.errors.APIError",
        "genai.types.APIError",
        "genai.client.APIError",
        "genai.live",
        "genai.Client",
        "genai._errors",
        "genai.batches",
        "genai.generate_text",
        "genai.get_base_model",
        "genai.chat_async",
        "genai.notebook",
    ],
)
def test_a_name_that_one_side_has_is_refused(name: str) -> None:
    assert refused(
        asked(f"""
            except {name}:
                print("sorry")
            """)
    ) & {"usage_unmapped", "flag_only_surface"}


@pytest.mark.parametrize(
    ("said", "new"),
    [
        ("list[genai.types.Content]", "list[types.Content]"),
        ("genai.Content", "types.Content"),
        ('"genai.types.Content"', '"types.Content"'),
        ("dict[str, list[genai.types.Part]]", "dict[str, list[types.Part]]"),
    ],
)
def test_an_annotation_of_a_variable_in_a_function(said: str, new: str) -> None:
    before = """
        def turns(chat):
            found: {} = chat.history
            return len(found)

        print(turns(genai.GenerativeModel("m").start_chat()))
        """
    assert f"    found: {new} = chat.get_history(curated=True)\n" in ported(before.format(said))


def test_annotations_that_a_module_leaves_as_text() -> None:
    before = """
        from __future__ import annotations

        import google.generativeai as genai

        def first(turns: list[genai.types.Content]) -> genai.types.Part:
            return turns[0].parts[0]

        chat = genai.GenerativeModel("m").start_chat()
        print(chat.send_message("x").text, first(chat.history))
        """
    new = "def first(turns: list[types.Content]) -> types.Part:"
    assert new in whole_ported(before)


@pytest.mark.parametrize(
    "line",
    [
        "turns: list[genai.types.Content] = []",
        "def first(turns: genai.types.Content): return turns",
        "def first(turns) -> genai.types.Content: return turns",
        "class Kept:\n            turns: genai.types.Content = None",
        "def first(turns=genai.types.Content): return turns",
        "def first():\n            found: genai.types.Turn = None\n            return found",
        "def first():\n            found: object = genai.types.Content\n            return found",
        "class Kept:\n            def first(self, turns: list[genai.types.Content]): return turns",
        "first = lambda: genai.types.Content",
        "def first():\n            class Kept:\n                found: genai.types.Content = None",
    ],
)
def test_what_is_evaluated_is_refused(line: str) -> None:
    before = f"""
        print(genai.GenerativeModel("m").generate_content("x").text)
        {line}
        """
    assert refused(before) == {"usage_unmapped"}
