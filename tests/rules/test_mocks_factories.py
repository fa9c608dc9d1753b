"""Tests that replace functions of the program that give models, or that make the client."""

from __future__ import annotations

import pytest

from chatport.port.findings import Status
from tests.rules.mocked import IN_A_CLASS, check_rewritten, planned

GIVES = """
import google.generativeai as genai

genai.configure(api_key="K")


def get_model():
    return genai.GenerativeModel("m")


def ask(text):
    return get_model().generate_content(text).text
"""
OWN = """
import google.generativeai as genai


class Bot:
    def __init__(self, key):
        genai.configure(api_key=key)
        self.model = self.make()

    def make(self):
        return genai.GenerativeModel("m")

    def ask(self, text):
        return self.model.generate_content(text).text
"""
TELLS = GIVES.replace("get_model():", 'get_model(name="m"):').replace('Model("m")', "Model(name)")
CHECKS = GIVES.replace("    return genai", '    print("asked for")\n    return genai')
KEPT = "import functools\n" + GIVES.replace("def get", "@functools.cache\ndef get")
MAKES = OWN.replace("        genai.configure(api_key=key)\n", "").replace(
    "(self):\n", "(self):\n        genai.configure(api_key='k')\n"
)
BEGINS = IN_A_CLASS.replace("__init__(self, key)", "begin(self, key)")
CHATS = GIVES.replace('Model("m")', 'Model("m").start_chat()').replace(
    "generate_content", "send_message"
)


@pytest.mark.parametrize(
    ("program", "before", "after"),
    [
        pytest.param(
            GIVES,
            """
            def test(monkeypatch):
                model = MagicMock()
                monkeypatch.setattr("app.get_model", lambda: model)
                model.generate_content.return_value.text = "a"
                with patch.object(app, "get_model", return_value=model):
                    app.ask("q")
                with patch("app.get_model") as made:
                    made.return_value.generate_content.side_effect = OSError
            """,
            """
            def test(monkeypatch):
                model = MagicMock()
                monkeypatch.setattr("app.client", model)
                model.models.generate_content.return_value.text = "a"
                with patch.object(app, "client", new=model):
                    app.ask("q")
                with patch("app.client") as made:
                    made.models.generate_content.side_effect = OSError
            """,
            id="a-function",
        ),
        pytest.param(
            OWN,
            """
            @patch("app.Bot.make")
            def test(make):
                make.return_value.generate_content.return_value.text = "a"
                assert app.Bot("k").ask("q") == "a"
            """,
            """
            @patch("app.genai.Client")
            def test(make):
                make.return_value.models.generate_content.return_value.text = "a"
                assert app.Bot("k").ask("q") == "a"
            """,
            id="a-method",
        ),
    ],
)
def test_what_gives_a_model_runs_and_the_client_is_replaced(
    program: str, before: str, after: str
) -> None:
    check_rewritten(program, before, after)


@pytest.mark.parametrize(
    ("program", "test"),
    [
        pytest.param(TELLS, "patch('app.get_model')", id="told-something"),
        pytest.param(CHECKS, "patch('app.get_model')", id="does-more"),
        pytest.param(KEPT, "patch('app.get_model')", id="keeps-it"),
        pytest.param(CHATS, "patch('app.get_model')", id="gives-a-chat"),
        pytest.param(MAKES, "patch('app.Bot.make')", id="makes-the-client"),
        pytest.param(BEGINS, "patch('app.Bot.begin')", id="makes-the-client-for-others"),
        pytest.param(BEGINS, "patch.object(app.Bot('k'), 'begin')", id="of-an-object"),
        pytest.param(OWN, "patch.object(app.Bot, 'make')", id="of-a-class"),
        pytest.param(GIVES, "patch('app.get_model', new=Mock())", id="that-gives-nothing-known"),
        pytest.param(
            GIVES, "patch('app.get_model', side_effect=[Mock(), Mock()])", id="that-gives-several"
        ),
    ],
)
def test_what_does_more_is_refused_and_says_what_to_replace(program: str, test: str) -> None:
    files = planned(program, f"def test():\n    with {test} as made:\n        made.x = 1\n")
    assert files["test_app.py"].status is Status.REFUSED
    assert "mock_target" in {finding.code for finding in files["test_app.py"].findings}
    assert files["app.py"].status is Status.PORTED


def test_the_client_to_replace_is_named() -> None:
    files = planned(MAKES, "def test():\n    with patch('app.Bot.make'):\n        app.Bot('k')\n")
    (finding,) = files["test_app.py"].findings
    assert "replace `app.genai.Client`" in finding.message


def test_what_gives_texts_is_no_finding() -> None:
    files = planned(GIVES, "def test():\n    with patch('app.ask', return_value='a'): pass\n")
    assert "test_app.py" not in files
