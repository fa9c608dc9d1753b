"""Programs that go from key to key: what legacy made of that is not what their text says.

A legacy model kept the key it was first used with, and the one configured last was that of all
models not used yet. What each row sends was compared with what legacy sends.
"""

from __future__ import annotations

import pytest

from tests.support.port import ported, refused, warned

HEAD = "import google.generativeai as genai\n"
BOT = """
class Bot:
    def __init__(self, key):
        self.key = key
        genai.configure(api_key=self.key)
        self.model = genai.GenerativeModel("m")

    def ask(self, question):
        return self.model.generate_content(question).text
"""
MAKE = """
def make(key):
    genai.configure(api_key=key)
    return genai.GenerativeModel("m")
"""
REFUSED = {
    "a loop under a model": """
model = genai.GenerativeModel("m")
for key in ("K", "L"):
    genai.configure(api_key=key)
    print(model.generate_content("x").text)
""",
    "a loop in a function, under a model of the module": """
model = genai.GenerativeModel("m")
def ask(question):
    for key in ("K", "L"):
        genai.configure(api_key=key)
        print(model.generate_content(question).text)
ask("x")
""",
    "two objects": BOT + "one, two = Bot('K'), Bot('L')\nprint(one.ask('x'), two.ask('y'))\n",
    "objects in a list": BOT + "for bot in [Bot(key) for key in ('K', 'L')]:\n    bot.ask('x')\n",
    "objects put into a list": BOT
    + "bots = []\nfor key in ('K', 'L'):\n    bot = Bot(key)\n    bots.append(bot)\n"
    + "print([bot.ask('x') for bot in bots])\n",
    "two models of a function": MAKE
    + "one = make('K')\nprint(one.generate_content('x').text)\n"
    + "two = make('L')\nprint(two.generate_content('x').text, one.generate_content('y').text)\n",
    "one model, made the first time": """
model = None
def connect(key):
    global model
    genai.configure(api_key=key)
    if model is None:
        model = genai.GenerativeModel("m")
connect("K")
print(model.generate_content("x").text)
connect("L")
print(model.generate_content("y").text)
""",
}
PORTED = {
    "a model for each turn of a loop": """
for key in ("K", "L"):
    genai.configure(api_key=key)
    model = genai.GenerativeModel("m")
    print(model.generate_content("x").text)
""",
    "the same key each time": """
KEY = "K"
model = genai.GenerativeModel("m")
for question in ("x", "y"):
    genai.configure(api_key=KEY)
    print(model.generate_content(question).text)
""",
    "objects with one key": BOT
    + "KEY = 'K'\none, two = Bot(KEY), Bot(KEY)\nprint(one.ask('x'), two.ask('y'))\n",
    "one object of two": BOT
    + "import sys\nif sys.argv[1:]:\n    bot = Bot('K')\nelse:\n    bot = Bot('L')\n"
    + "print(bot.ask('x'))\n",
    "objects one after another": BOT
    + "for key in ('K', 'L'):\n    bot = Bot(key)\n    print(bot.ask('x'))\n",
    "a model made where it is used": """
class Bot:
    def __init__(self, key=None):
        if key:
            genai.configure(api_key=key)

    def ask(self, question):
        return genai.GenerativeModel("m").generate_content(question).text


print(Bot("K").ask("x"), Bot().ask("y"))
""",
}


@pytest.mark.parametrize("source", REFUSED.values(), ids=REFUSED)
def test_a_model_that_may_keep_another_key_is_left(source: str) -> None:
    assert "multiple_configure_calls" in refused(HEAD + source)


@pytest.mark.parametrize("source", PORTED.values(), ids=PORTED)
def test_keys_that_cannot_be_mistaken_are_ported(source: str) -> None:
    assert "genai.Client(" in ported(HEAD + source)


def test_an_object_that_gets_another_key_later_is_warned_about() -> None:
    source = """
class Bot:
    def __init__(self, key):
        self.connect(key)
        self.model = genai.GenerativeModel("m")

    def connect(self, key):
        genai.configure(api_key=key)

    def ask(self, question):
        return self.model.generate_content(question).text


bot = Bot("K")
print(bot.ask("x"))
bot.connect("L")
print(bot.ask("y"))
"""
    assert "client_of_the_last_key" in [warning for _, warning in warned(HEAD + source)]
