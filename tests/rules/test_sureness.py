"""Functions that configure in some of their runs only: the others went on with the environment."""

from __future__ import annotations

import pytest

from tests.support.port import whole_ported

IMPORTS = "import os\n\nimport google.generativeai as genai\n\nKEY = os.getenv('A')\n\n\n"
ASK = "def ask(q):\n    return genai.GenerativeModel('m').generate_content(q).text\n\n\n"
SKIPPED = {
    "behind a test": "def setup():\n    if KEY:\n"
    "        genai.configure(api_key=KEY)\n\n\nsetup()\n",
    "behind a return": "def setup():\n    if not KEY:\n        return\n"
    "    genai.configure(api_key=KEY)\n\n\nsetup()\n",
    "beside a return": "def setup():\n    if KEY:\n        genai.configure(api_key=KEY)\n"
    "    else:\n        return\n\n\nsetup()\n",
    "in a loop": "def setup(keys):\n    for key in keys:\n        genai.configure(api_key=key)\n"
    "\n\nsetup([KEY])\n",
    "in a handler": "def setup():\n    try:\n        int(KEY)\n    except TypeError:\n"
    "        genai.configure(api_key='K')\n\n\nsetup()\n",
    "called behind a test": "def setup():\n    genai.configure(api_key=KEY)\n\n\n"
    "if KEY:\n    setup()\n",
    "called by who is called behind a test": "def setup():\n    genai.configure(api_key=KEY)\n\n\n"
    "def start():\n    if KEY:\n        setup()\n\n\nstart()\n",
    "a test of a name that is set above": "def setup():\n    key = os.getenv('B')\n"
    "    if not key:\n        return\n    genai.configure(api_key=key)\n\n\nsetup()\n",
    "a test of two names of which one is set": "ready = False\n\n\ndef setup():\n"
    "    global ready\n    if KEY and not ready:\n        genai.configure(api_key=KEY)\n"
    "        ready = True\n\n\nsetup()\n",
}
CERTAIN = {
    "without a test": "def setup():\n    genai.configure(api_key=KEY)\n\n\nsetup()\n",
    "the other way raises": "def setup():\n    if not KEY:\n        raise ValueError('no key')\n"
    "    genai.configure(api_key=KEY)\n\n\nsetup()\n",
    "the other way ends the program": "import sys\n\n\ndef setup():\n    if KEY:\n"
    "        genai.configure(api_key=KEY)\n    else:\n        sys.exit(1)\n\n\nsetup()\n",
    "both ways configure": "def setup():\n    if KEY:\n        genai.configure(api_key=KEY)\n"
    "    else:\n        genai.configure(api_key='K')\n\n\nsetup()\n",
    "a return behind another one": "def setup():\n    if not KEY:\n"
    "        genai.configure(api_key='K')\n        return\n"
    "    genai.configure(api_key=KEY)\n\n\nsetup()\n",
    "done before, told by a name": "ready = False\n\n\ndef setup():\n    global ready\n"
    "    if ready:\n        return\n    genai.configure(api_key=KEY)\n    ready = True\n"
    "\n\nsetup()\n",
    "not done yet, told by a name": "ready = False\n\n\ndef setup():\n    global ready\n"
    "    if not ready:\n        genai.configure(api_key=KEY)\n        ready = True\n\n\nsetup()\n",
    "called in the main part": "def setup():\n    genai.configure(api_key=KEY)\n\n\n"
    "if __name__ == '__main__':\n    setup()\n    print(ask('x'))\n",
}
MADE_BEHIND = """
def model_of(key):
    if not key:
        return None
    genai.configure(api_key=key)
    return genai.GenerativeModel("m")


def ask(q):
    model = model_of(KEY)
    return model.generate_content(q).text if model else ""


print(ask("x"))
"""
LED = """
def main():
    if KEY:
        genai.configure(api_key=KEY)
        print(ask("x"))


main()
"""


@pytest.mark.parametrize("setup", SKIPPED.values(), ids=SKIPPED)
def test_a_call_asks_for_a_client_that_may_not_have_been_made(setup: str) -> None:
    after = whole_ported(IMPORTS + ASK + setup)
    assert "return get_client().models.generate_content(" in after


@pytest.mark.parametrize("setup", CERTAIN.values(), ids=CERTAIN)
def test_a_client_that_has_been_made_is_named(setup: str) -> None:
    after = whole_ported(IMPORTS + ASK + setup)
    assert "return client.models.generate_content(" in after
    assert "get_client" not in after


@pytest.mark.parametrize("program", [MADE_BEHIND, ASK + LED], ids=["made behind it", "led"])
def test_what_only_comes_to_be_behind_the_configuration_names_the_client(program: str) -> None:
    assert "get_client" not in whole_ported(IMPORTS + program)
