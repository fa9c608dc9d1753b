"""The client: which key it gets where the configured one may be missing.

Legacy then took GEMINI_API_KEY before GOOGLE_API_KEY; the new SDK takes them the other way round.
"""

from __future__ import annotations

import pytest

from tests.rules.test_client_lending import planned
from tests.support.port import plan_source

HEAD = "import os\nimport google.generativeai as genai\n"


def key(source: str) -> str:
    """The key the client is made with."""
    (file,) = plan_source(HEAD + source)
    assert file.after is not None, [finding for finding in file.findings if finding.code]
    return file.after.decode().partition("api_key=")[2].partition(",")[0]


@pytest.mark.parametrize(
    "source",
    [
        pytest.param('genai.configure(api_key=os.getenv("LAMP_KEY"))', id="of-another-name"),
        pytest.param('key = os.environ.get("LAMP_KEY")\ngenai.configure(api_key=key)', id="named"),
        pytest.param('genai.configure(api_key="")', id="left-empty"),
        pytest.param('KEY = ""\ngenai.configure(api_key=KEY)', id="left-empty-by-a-name"),
        pytest.param(
            "class Lamp:\n"
            "    def __init__(self, key=None):\n"
            "        genai.configure(api_key=key)\n"
            "Lamp()",
            id="parameter-that-defaults-to-none",
        ),
        pytest.param(
            'import streamlit as st\nkey = st.text_input("Key")\ngenai.configure(api_key=key)',
            id="typed-by-a-visitor",
        ),
        pytest.param(
            'key = os.getenv("LAMP_KEY")\n'
            "if not key:\n"
            '    key = os.getenv("GOOGLE_API_KEY_2")\n'
            "genai.configure(api_key=key)",
            id="one-of-two",
        ),
    ],
)
def test_a_key_that_may_be_missing_is_looked_up_in_the_order_of_legacy(source: str) -> None:
    assert key(source).endswith('or os.environ.get("GEMINI_API_KEY")')


@pytest.mark.parametrize(
    ("source", "said"),
    [
        pytest.param('genai.configure(api_key="K")', '"K"', id="constant"),
        pytest.param(
            'genai.configure(api_key=os.environ["LAMP_KEY"])',
            'os.environ["LAMP_KEY"]',
            id="must-be",
        ),
        pytest.param(
            'genai.configure(api_key=os.getenv("GOOGLE_API_KEY"))',
            'os.getenv("GOOGLE_API_KEY")',
            id="the-second-name",
        ),
        pytest.param(
            'genai.configure(api_key=os.getenv("GEMINI_API_KEY"))',
            'os.getenv("GEMINI_API_KEY")',
            id="the-first-name",
        ),
        pytest.param(
            'key = os.getenv("LAMP_KEY") or os.getenv("GEMINI_API_KEY")\n'
            "genai.configure(api_key=key)",
            "key",
            id="the-first-name-behind-another",
        ),
        pytest.param(
            'key = os.getenv("LAMP_KEY")\n'
            "if not key:\n"
            '    raise SystemExit("no key")\n'
            "genai.configure(api_key=key)",
            "key",
            id="tested-before",
        ),
        pytest.param(
            "class Lamp:\n"
            "    def __init__(self, key):\n"
            "        genai.configure(api_key=key)\n"
            'Lamp(os.getenv("GOOGLE_API_KEY"))',
            "key",
            id="the-second-name-through-a-parameter",
        ),
        pytest.param(
            "def light(*, key):\n"
            "    genai.configure(api_key=key)\n"
            'light(key=os.getenv("GOOGLE_API_KEY"))',
            "key",
            id="the-second-name-by-keyword",
        ),
    ],
)
def test_a_key_that_is_there_or_from_the_same_place_stays_as_it_is(source: str, said: str) -> None:
    assert key(source) == said


def test_what_keeps_the_clients_stands_before_a_script_uses_it() -> None:
    again = """\
import google.generativeai as genai
genai.configure(api_key=os.environ["LAMP_KEY"])
model = genai.GenerativeModel("m")
chat = model.start_chat()
print(chat.send_message("x").text)
"""
    (file,) = plan_source("import os\n" + again * 2)
    assert file.after is not None
    text = file.after.decode()
    assert text.index("def client_for(") < text.index("= client_for(")


ENVIRONMENT = "import os\nimport google.generativeai as genai\n"
ASKS = 'def ask(q):\n    return genai.GenerativeModel("m").generate_content(q).text\n'
MAIN = "import a\nimport b\nprint(a.ask('x'), b.ask('y'))\n"


def warned_of_other_keys(one: str, other: str, main: str = MAIN) -> set[str]:
    """The files where it is said that another module configures another key."""
    files = {
        "a.py": f"{ENVIRONMENT}{one}\n{ASKS}",
        "b.py": f"{ENVIRONMENT}{other}\n{ASKS}",
        "main.py": main,
    }
    return {
        path
        for path, plan in planned(files).items()
        if any("other_keys_elsewhere" in finding.warnings for finding in plan.findings)
    }


@pytest.mark.parametrize(
    ("one", "other"),
    [
        pytest.param(
            'genai.configure(api_key=os.environ["A"])',
            'genai.configure(api_key=os.environ["B"])',
            id="of-two-names",
        ),
        pytest.param(
            'genai.configure(api_key=os.environ["A"])',
            'KEYS = os.environ["KEYS"].split(",")\n'
            "def turn(n):\n    genai.configure(api_key=KEYS[n])\nturn(0)",
            id="that-are-turned-through",
        ),
        pytest.param(
            "key = input()\ngenai.configure(api_key=key)",
            'key = "K"\ngenai.configure(api_key=key)',
            id="under-one-name",
        ),
    ],
)
def test_other_keys_in_other_modules_of_a_program_are_said(one: str, other: str) -> None:
    assert warned_of_other_keys(one, other) == {"a.py", "b.py"}


@pytest.mark.parametrize(
    ("one", "other", "main"),
    [
        pytest.param(
            'genai.configure(api_key=os.environ["A"])',
            'genai.configure(api_key=os.environ["A"])',
            MAIN,
            id="one-key-twice",
        ),
        pytest.param(
            'KEY = os.environ["A"]\ngenai.configure(api_key=KEY)',
            'genai.configure(api_key=os.environ["A"])',
            MAIN,
            id="one-key-under-a-name",
        ),
        pytest.param(
            'genai.configure(api_key=os.environ["A"])',
            'genai.configure(api_key=os.environ["B"])',
            "import a\nprint(a.ask('x'))\n",
            id="two-programs",
        ),
    ],
)
def test_one_key_and_two_programs_are_nothing_to_mind(one: str, other: str, main: str) -> None:
    assert warned_of_other_keys(one, other, main) == set()
