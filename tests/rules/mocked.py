"""Programs whose tests put stand-ins in the place of the legacy SDK, and how they are planned."""

from __future__ import annotations

from pathlib import Path
from textwrap import dedent

from chatport.port.findings import FilePlan, Status
from chatport.port.packs.load import bundled, names
from chatport.port.planner import Tree, plan_files

IN_A_CLASS = """
import google.generativeai as genai


class Bot:
    def __init__(self, key):
        genai.configure(api_key=key)
        self.model = genai.GenerativeModel("m")

    def ask(self, text):
        return self.model.generate_content(text).text
"""
BESIDE = """
import google.generativeai as genai

genai.configure(api_key="K")


def ask(text):
    return genai.GenerativeModel("m").generate_content(text).text
"""
MODEL = """
import google.generativeai as genai

genai.configure(api_key="K")
model = genai.GenerativeModel("m")


def ask(text):
    return model.generate_content(text).text


def stream(text):
    return [chunk.text for chunk in model.generate_content(text, stream=True)]
"""
APART = """
import google.generativeai as genai


class Bot:
    def __init__(self, key):
        genai.configure(api_key=key)

    def ask(self, text):
        return genai.GenerativeModel("m").generate_content(text).text
"""
TWO_MODELS = """
import google.generativeai as genai

genai.configure(api_key="K")
small = genai.GenerativeModel("s")
large = genai.GenerativeModel("l")


def ask(text):
    return small.generate_content(text).text + large.generate_content(text).text
"""
FIRST_USE = """
import google.generativeai as genai
import app


def size(text):
    return genai.GenerativeModel("m").count_tokens(text).total_tokens
"""
CONFIGURED = """
import google.generativeai as genai


class Bot:
    def __init__(self, key, settings):
        genai.configure(api_key=key)
        config = genai.GenerationConfig(temperature=settings.heat)
        self.model = genai.GenerativeModel("m", generation_config=config)

    def ask(self, text):
        return self.model.generate_content(text).text
"""
BUSY = """
import google.generativeai as genai


def ask(key, text):
    genai.configure(api_key=key)
    print("asked")
    return genai.GenerativeModel("m").generate_content(text).text
"""
BESIDE_BUSY = """
import google.generativeai as genai

genai.configure(api_key="K")


def ask(text):
    model = genai.GenerativeModel("m")
    print("asked")
    return model.generate_content(text).text
"""
TWO_WAYS = (
    IN_A_CLASS
    + """
    def stream(self, text):
        return [chunk.text for chunk in self.model.generate_content(text, stream=True)]
"""
)
TWO_OF_ONE = """
import google.generativeai as genai


class Bot:
    def __init__(self, key):
        genai.configure(api_key=key)
        self.small = genai.GenerativeModel("s")
        self.large = genai.GenerativeModel("l")

    def ask(self, text):
        return self.small.generate_content(text).text + self.large.generate_content(text).text
"""
TALKS = """
import google.generativeai as genai


class Bot:
    def __init__(self, key):
        genai.configure(api_key=key)
        self.model = genai.GenerativeModel("m")

    def talk(self, text):
        self.chat = self.model.start_chat()
        return self.chat.send_message(text).text
"""
OF_ALL = """
import google.generativeai as genai

genai.configure(api_key="K")


class Bot:
    def __init__(self, key):
        self.model = genai.GenerativeModel("m")

    def ask(self, text):
        return self.model.generate_content(text).text
"""
USED = """


def test():
    with patch("app.genai.GenerativeModel", F):
        app.Bot("k").ask("q")
"""
FAKES = [
    (
        "that-inherits",
        IN_A_CLASS,
        (
            "class F(object):\n    def __init__(self, name):\n        pass\n"
            "    def generate_content(self, text):\n        return 1"
        ),
    ),
    ("without-arguments", IN_A_CLASS, "class F:\n    def generate_content(self, text): return 1"),
    ("without-methods", IN_A_CLASS, "class F:\n    def __init__(self, name):\n        pass"),
    *(
        (
            name,
            program,
            f"class F:\n    seen = []\n    def __init__(self, n):\n        {maker}\n    {method}",
        )
        for name, program, maker, method in (
            (
                "that-keeps-the-name",
                IN_A_CLASS,
                "self.name = n",
                "def generate_content(self, text):\n        return Mock(text=self.name)",
            ),
            (
                "that-notes-the-name",
                IN_A_CLASS,
                "F.seen.append(n)",
                "def generate_content(self, text):\n        return Mock(text='a')",
            ),
            (
                "that-reads-the-configuration",
                IN_A_CLASS,
                "pass",
                (
                    "def generate_content(self, text, generation_config=None):\n"
                    "        return Mock(text=str(generation_config))"
                ),
            ),
            (
                "that-gives-anything",
                IN_A_CLASS,
                "pass",
                "def __getattr__(self, name): return Mock()",
            ),
            (
                "with-a-name-taken",
                IN_A_CLASS,
                "pass",
                "def generate_content(self, text):\n        contents = 1\n        return text",
            ),
            (
                "with-a-service-of-its-own",
                IN_A_CLASS,
                "self.models = 1",
                "def generate_content(self, text):\n        return Mock(text='a')",
            ),
            (
                "that-counts",
                APART,
                "pass",
                "def generate_content(self, text):\n        self.n = 1\n        return Mock()",
            ),
            (
                "that-is-decorated",
                IN_A_CLASS,
                "pass",
                "@staticmethod\n    def generate_content(text):\n        return Mock()",
            ),
            (
                "that-the-test-calls",
                IN_A_CLASS,
                "pass",
                (
                    "def generate_content(self, text):\n        return Mock()\n\n"
                    "F('m').generate_content('q')"
                ),
            ),
            (
                "whose-chat-is-not-known",
                TALKS,
                "pass",
                "def start_chat(self):\n        return chat",
            ),
        )
    ),
]
BOT = (
    "import pytest\n\n@pytest.fixture\ndef bot():\n    return app.Bot('k')\n\n"
    "def fake(text): pass\n\ndef test(bot):\n"
)
IMPORTS = "from unittest.mock import AsyncMock, MagicMock, Mock, call, patch\n\nimport app\n"


def planned(program: str, test: str, **others: str) -> dict[str, FilePlan]:
    texts = {"app.py": program, "test_app.py": IMPORTS + dedent(test)}
    texts |= {f"{name}.py": text for name, text in others.items()}
    data = {path: text.lstrip("\n").encode() for path, text in texts.items()}
    tree = Tree(Path("no-such-folder"), sorted(data), data.get)
    files, problems = plan_files(tree, list(data.items()), [bundled(name) for name in names()])
    assert not problems
    return {file.path: file for file in files}


HTTP = 'http_options=types.HttpOptions(api_version="v1beta")'
WITH = 'def test():\n    with patch("app.genai.GenerativeModel") as made:\n'


def check_rewritten(program: str, before: str, after: str) -> None:
    """A test becomes another, and the program it tests is ported."""
    files = planned(program, before)
    test, tested = files["test_app.py"], files["app.py"]
    assert test.status is Status.PORTED, [finding.message for finding in test.findings]
    assert tested.status is Status.PORTED
    assert test.after is not None
    expected = IMPORTS + dedent(after).replace("HTTP", HTTP)
    if "ANY" in expected:
        expected = expected.replace("Mock, call, patch\n", "Mock, call, patch, ANY\n")
    if "types." in expected:
        expected = expected.replace(
            "\nimport app\n", "\nimport app\nfrom google.genai import types\n"
        )
    assert test.after.decode() == expected
