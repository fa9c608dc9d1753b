"""What is suggested where something is refused: by form, at its place, and never written."""

from __future__ import annotations

import textwrap
from pathlib import Path

import pytest

from chatport.port import plan
from chatport.port.codes import CODES
from chatport.port.findings import Finding

HEAD = """\
import google.generativeai as genai

genai.configure(api_key="k")
"""


def refusals(root: Path, source: str, name: str = "app.py") -> list[Finding]:
    """What is refused for itself in a program."""
    (root / name).write_text(source)
    found = plan([root], root=root).findings()
    return [one for one in found if one.code not in {None, "file_withheld"} and one.cause is None]


ROWS = {
    "arguments that may be anything go into the configuration": (
        (
            'model = genai.GenerativeModel("m")\n'
            "def ask(question, options):\n"
            "    return model.generate_content(question, **options).text\n"
        ),
        "unsupported_kwarg",
        (
            "-    return model.generate_content(question, **options).text\n"
            "+    return client.models.generate_content(\n"
            '+        model="m",\n'
            "+        contents=question,\n"
            "+        config=types.GenerateContentConfig(**options),\n"
            "+    ).text"
        ),
    ),
    "a table of safety settings that is made elsewhere": (
        (
            "import rules\n"
            'chat = genai.GenerativeModel("m").start_chat()\n'
            'print(chat.send_message("Hi", safety_settings=rules.table()).text)\n'
        ),
        "safety_settings_not_static",
        (
            '-print(chat.send_message("Hi", safety_settings=rules.table()).text)\n'
            "+print(chat.send_message(\n"
            '+    message="Hi",\n'
            "+    config=types.GenerateContentConfig(\n"
            "+        safety_settings=[types.SafetySetting(category=category, threshold=threshold)"
            " for category, threshold in rules.table().items()],\n"
            "+    ),\n"
            "+).text)"
        ),
    ),
    "a spelling that no table has": (
        (
            "def ask(level):\n"
            '    model = genai.GenerativeModel("m", safety_settings={"harassment": level})\n'
            '    return model.generate_content("Hi")\n'
        ),
        "safety_settings_not_static",
        (
            '-    model = genai.GenerativeModel("m", safety_settings={"harassment": level})\n'
            '-    return model.generate_content("Hi")\n'
            "+    return client.models.generate_content(\n"
            '+        model="m",\n'
            '+        contents="Hi",\n'
            "+        config=types.GenerateContentConfig(\n"
            "+            safety_settings=[types.SafetySetting("
            'category="harassment", threshold=level)],\n'
            "+        ),\n"
            "+    )"
        ),
    ),
    "a stream that is read twice is kept in a list": (
        (
            'stream = genai.GenerativeModel("m").generate_content("Hi", stream=True)\n'
            "for chunk in stream:\n    print(chunk.text)\n"
            "for chunk in stream:\n    print(chunk.text)\n"
        ),
        "response_shape_changed",
        (
            '-stream = genai.GenerativeModel("m").generate_content("Hi", stream=True)\n'
            '+stream = list(client.models.generate_content_stream(model="m", contents="Hi"))'
        ),
    ),
    "a flag chooses between the two methods": (
        (
            'model = genai.GenerativeModel("m")\n'
            "def ask(stream):\n"
            '    return model.generate_content("Hi", stream=stream)\n'
        ),
        "dynamic_stream_flag",
        (
            '-    return model.generate_content("Hi", stream=stream)\n'
            "+    return (client.models.generate_content_stream if stream else "
            "client.models.generate_content)(\n"
            '+        model="m",\n'
            '+        contents="Hi",\n'
            "+    )"
        ),
    ),
    "a flag for the functions is handed on": (
        (
            "import os\n\n"
            "def buy(what: str):\n    return what\n\n"
            'chat = genai.GenerativeModel("m", tools=[buy]).start_chat(\n'
            '    enable_automatic_function_calling=os.environ.get("FREE")\n)\n'
        ),
        "afc_semantics_differ",
        (
            '-chat = genai.GenerativeModel("m", tools=[buy]).start_chat(\n'
            '-    enable_automatic_function_calling=os.environ.get("FREE")\n'
            "+chat = client.chats.create(\n"
            '+    model="m",\n'
            "+    config=types.GenerateContentConfig(\n"
            "+        tools=[buy],\n"
            "+        automatic_function_calling=types.AutomaticFunctionCallingConfig("
            'disable=not os.environ.get("FREE")),\n'
            "+    ),"
        ),
    ),
    "a member that was compared by its number": (
        (
            'answer = genai.GenerativeModel("m").generate_content("Hi")\n'
            "for rating in answer.candidates[0].safety_ratings:\n"
            "    print(rating.probability >= 3)\n"
        ),
        "enum_value_changed",
        (
            "-    print(rating.probability >= 3)\n"
            '+    print(rating.probability.name in ("MEDIUM", "HIGH"))'
        ),
    ),
    "what a handler waits for": (
        (
            "from google.api_core import exceptions\n"
            'model = genai.GenerativeModel("m")\n'
            "try:\n"
            '    print(model.generate_content("Hi").text)\n'
            "except (exceptions.RetryError, KeyError) as error:\n"
            "    print(error)\n"
        ),
        "error_class_changed",
        (
            "-except (exceptions.RetryError, KeyError) as error:\n"
            "+except (errors.APIError, KeyError) as error:"
        ),
    ),
    "a service that has gone keeps what it was told": (
        'print(genai.generate_text(prompt="Hi", temperature=0.1).result)\n',
        "flag_only_surface",
        (
            '-print(genai.generate_text(prompt="Hi", temperature=0.1).result)\n'
            '+print(client.models.generate_content(model="gemini-2.5-flash", contents="Hi", '
            "config=types.GenerateContentConfig(temperature=0.1)).text.result)"
        ),
    ),
    "a call in a string that shows its source": (
        'model = genai.GenerativeModel("m")\nprint(f"{model.generate_content(\'Hi\').text = }")\n',
        "f_string_position",
        (
            "-print(f\"{model.generate_content('Hi').text = }\")\n"
            "+answer = client.models.generate_content(model=model, contents='Hi')\n"
            '+print(f"{answer.text = }")'
        ),
    ),
    "a method that the classes of answers have not": (
        (
            'reply = genai.GenerativeModel("m").generate_content("Hi")\n'
            "print(type(reply).to_dict(reply))\n"
        ),
        "response_shape_changed",
        (
            "-print(type(reply).to_dict(reply))\n"
            '+print(reply.model_dump(mode="json", exclude_none=True))'
        ),
    ),
    "functions that the chat calls stay called": (
        (
            "def stock() -> dict:\n    return {}\n\n\n"
            'chat = genai.GenerativeModel("m", tools=[stock]).start_chat(\n'
            "    enable_automatic_function_calling=True\n)\n"
        ),
        "afc_semantics_differ",
        (
            '-chat = genai.GenerativeModel("m", tools=[stock]).start_chat(\n'
            "-    enable_automatic_function_calling=True\n"
            "+chat = client.chats.create(\n"
            '+    model="m",\n'
            "+    config=types.GenerateContentConfig(tools=[stock]),"
        ),
    ),
    "a string that names the module": (
        'import importlib\nother = importlib.import_module("google.generativeai.types")\n',
        "dynamic_reference",
        (
            '-other = importlib.import_module("google.generativeai.types")\n'
            '+other = importlib.import_module("google.genai.types")'
        ),
    ),
    "the two last turns": (
        (
            'chat = genai.GenerativeModel("m").start_chat()\n'
            'chat.send_message("Hi")\n'
            "print(chat.rewind())\n"
        ),
        "receiver_method_unmapped",
        (
            "-print(chat.rewind())\n"
            "+print([chat.get_history(curated=True).pop() for _ in range(2)][::-1])"
        ),
    ),
    "a model of a type that is asked for": (
        (
            "def ask(model):\n"
            "    assert isinstance(model, genai.GenerativeModel)\n"
            '    return model.generate_content("Hi").text\n\n'
            'print(ask(genai.GenerativeModel("m")))\n'
        ),
        "type_reference",
        "-    assert isinstance(model, genai.GenerativeModel)\n+    assert isinstance(model, str)",
    ),
}


@pytest.mark.parametrize("row", ROWS.values(), ids=ROWS)
def test_a_refusal_shows_the_rewrite_it_would_get(
    row: tuple[str, str, str], tmp_path: Path
) -> None:
    source, code, expected = row
    found = [one for one in refusals(tmp_path, HEAD + source) if one.code == code]
    assert [one.suggestion.diff() for one in found if one.suggestion][:1] == [expected]
    assert found[0].suggestion is not None
    assert found[0].suggestion.check == CODES[code].check


def test_what_follows_from_another_refusal_suggests_nothing(tmp_path: Path) -> None:
    source = HEAD + textwrap.dedent(
        """
        model = genai.GenerativeModel("m", generation_config={"seed": 7})
        print(model.generate_content("Hi").text)
        """
    )
    (tmp_path / "app.py").write_text(source)
    found = list(plan([tmp_path], root=tmp_path).findings())
    assert [one.code for one in found if one.suggestion] == ["generation_config_not_static"]
    assert any(one.cause is not None for one in found)


def test_an_object_is_shown_with_what_is_asked_of_it(tmp_path: Path) -> None:
    source = HEAD + (
        'model = genai.GenerativeModel("m", generation_config={"seed": 7})\n\n\n'
        'def ask():\n    return model.generate_content("Hi").text\n'
    )
    (found,) = refusals(tmp_path, source)
    assert found.suggestion is not None
    assert [hunk.where for hunk in found.suggestion.hunks] == ["line 4", "line 8"]
    assert "@@ line 8 @@" in found.suggestion.diff()


def test_in_a_notebook_the_lines_of_the_cell_are_shown(tmp_path: Path) -> None:
    from tests.support.notebooks import notebook

    cells = [HEAD, 'print(genai.get_tuned_model("tunedModels/x"))\n']
    (tmp_path / "port.ipynb").write_bytes(notebook(*cells))
    found = [one for one in plan([tmp_path], root=tmp_path).findings() if one.suggestion]
    (hunk,) = found[0].suggestion.hunks if found[0].suggestion else ()
    assert hunk.old == ('print(genai.get_tuned_model("tunedModels/x"))',)
    assert hunk.new == ('print(client.models.get(model="tunedModels/x"))',)
    assert hunk.where == "cell 2, line 1"


def test_a_requirement_is_shown_in_its_line(tmp_path: Path) -> None:
    (tmp_path / "requirements.txt").write_text(
        "google-generativeai==0.8.4  # chat\ngoogle-genai==1.2\n"
    )
    (tmp_path / "app.py").write_text(HEAD)
    (found,) = [one for one in plan([tmp_path], root=tmp_path).findings() if one.suggestion]
    assert found.suggestion is not None
    assert found.suggestion.diff() == (
        "-google-generativeai==0.8.4  # chat\n+google-genai>=1.56  # chat"
    )


def test_nothing_that_is_suggested_is_written(tmp_path: Path) -> None:
    for by_site in (False, True):
        source = HEAD + "print(genai.generate_text(prompt='Hi').result)\n"
        (tmp_path / "app.py").write_text(source)
        from chatport.port.config import Config

        made = plan([tmp_path], root=tmp_path, config=Config(atomic="site" if by_site else "file"))
        assert any(one.suggestion for one in made.findings())
        after = made.files[0].after or made.files[0].before
        assert b"genai.generate_text(prompt='Hi')" in after


def test_lines_end_as_the_file_has_them(tmp_path: Path) -> None:
    source = (HEAD + "print(\x0cgenai.generate_text(prompt='Hi').result)\n").replace("\n", "\r\n")
    (tmp_path / "app.py").write_bytes(source.encode())
    (found,) = [one for one in plan([tmp_path], root=tmp_path).findings() if one.suggestion]
    assert found.suggestion is not None
    assert found.suggestion.hunks[0].old == ("print(\x0cgenai.generate_text(prompt='Hi').result)",)


def test_a_file_that_does_not_compile_by_itself_is_not_our_fault(tmp_path: Path) -> None:
    source = HEAD + "print(genai.GenerativeModel('m').generate_content('q').text)\nreturn 1\n"
    (tmp_path / "app.py").write_text(source)
    found = list(plan([tmp_path], root=tmp_path).findings())
    assert {one.code for one in found} == {"output_check_failed"}
    assert all("the file as it stands does not compile" in (one.message or "") for one in found)
