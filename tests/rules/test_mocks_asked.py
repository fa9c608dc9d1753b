"""What tests read of the calls their stand-ins got, and what they expect those to have been."""

from __future__ import annotations

import pytest

from chatport.port.findings import Status
from tests.rules.mocked import (
    BESIDE,
    IN_A_CLASS,
    TWO_WAYS,
    WITH,
    check_rewritten,
    planned,
)

SETTINGS = """
import google.generativeai as genai

genai.configure(api_key="K")


def ask(text, heat):
    model = genai.GenerativeModel("m", generation_config={"temperature": heat})
    return model.generate_content(text).text
"""
INSTRUCTED = """
import google.generativeai as genai

genai.configure(api_key="K")


def roll(sides: int) -> int:
    return sides


def talk(rules, text):
    model = genai.GenerativeModel(model_name="m", system_instruction=rules, tools=[roll])
    return model.start_chat().send_message(text).text
"""
OF_THE_CALL = """
import google.generativeai as genai

genai.configure(api_key="K")


def ask(text):
    return genai.GenerativeModel("m").generate_content(text, generation_config={"top_k": 1}).text
"""
KEPT = """
import google.generativeai as genai


class Bot:
    def ask(self, key, text):
        genai.configure(api_key=key)
        try:
            model = genai.GenerativeModel("m")
        except ValueError:
            return None
        return model.generate_content(text).text
"""
AGAIN = """
import google.generativeai as genai

genai.configure(api_key="K")


def ask(text):
    model = genai.GenerativeModel("m")
    for _ in range(3):
        text = model.generate_content(text).text
    return text
"""


@pytest.mark.parametrize(
    ("program", "before", "after"),
    [
        pytest.param(
            BESIDE,
            """
            def test():
                with patch("app.genai.GenerativeModel") as made:
                    app.ask("q")
                args, kwargs = made.return_value.generate_content.call_args
                assert args[0] == "q"
                one = made.return_value.generate_content.call_args_list[-1]
                assert one.args[0] == "q"
                given = one[0]
                assert given[0] == "q"
            """,
            """
            def test():
                with patch("app.client") as made:
                    app.ask("q")
                args, kwargs = made.models.generate_content.call_args
                assert kwargs["contents"] == "q"
                one = made.models.generate_content.call_args_list[-1]
                assert one.kwargs["contents"] == "q"
                given = one.kwargs
                assert given["contents"] == "q"
            """,
            id="taken-apart",
        ),
        pytest.param(
            BESIDE,
            """
            def test():
                with patch("app.genai.GenerativeModel") as made:
                    app.ask("q")
                asked = made.return_value.generate_content
                assert [c.args[0] for c in asked.call_args_list] == ["q"]
                for one in asked.call_args_list:
                    assert one[0][0] == "q"
                assert len(asked.call_args_list) == 1
                assert asked.call_args is not None
            """,
            """
            def test():
                with patch("app.client") as made:
                    app.ask("q")
                asked = made.models.generate_content
                assert [c.kwargs["contents"] for c in asked.call_args_list] == ["q"]
                for one in asked.call_args_list:
                    assert one.kwargs["contents"] == "q"
                assert len(asked.call_args_list) == 1
                assert asked.call_args is not None
            """,
            id="one-after-the-other",
        ),
        pytest.param(
            SETTINGS,
            """
            def test():
                with patch("app.genai.GenerativeModel") as made:
                    app.ask("q", 1)
                assert made.call_args[0][0] == "m"
                assert made.call_args.kwargs["generation_config"]["temperature"] == 1
                made.assert_called_once_with("m", generation_config={"temperature": 1})
                made.assert_called_with(model_name="m", generation_config=dict(temperature=1))
            """,
            """
            def test():
                with patch("app.client") as made:
                    app.ask("q", 1)
                assert made.models.generate_content.call_args.kwargs["model"] == "m"
                assert made.models.generate_content.call_args.kwargs["config"].temperature == 1
                made.models.generate_content.assert_called_once_with(
                    model="m",
                    contents=ANY,
                    config=types.GenerateContentConfig(temperature=1),
                )
                made.models.generate_content.assert_called_with(
                    model="m",
                    contents=ANY,
                    config=types.GenerateContentConfig(**dict(temperature=1)),
                )
            """,
            id="what-models-are-made-with",
        ),
        pytest.param(
            INSTRUCTED,
            """
            def test():
                with patch("app.genai.GenerativeModel") as made:
                    app.talk("r", "q")
                kwargs = made.call_args.kwargs
                assert kwargs["system_instruction"] == "r"
                assert kwargs.get("model_name") == "m"
                assert "tools" in kwargs
            """,
            """
            def test():
                with patch("app.client") as made:
                    app.talk("r", "q")
                kwargs = made.chats.create.call_args.kwargs
                assert kwargs["config"].system_instruction == "r"
                assert kwargs["model"] == "m"
                assert kwargs["config"].tools is not None
            """,
            id="what-is-said-when-a-chat-is-made",
        ),
        pytest.param(
            OF_THE_CALL,
            """
            def test():
                with patch("app.genai.GenerativeModel") as made:
                    app.ask("q")
                made.assert_called_once_with("m")
                settings = made.return_value.generate_content.call_args.kwargs["generation_config"]
                assert settings["top_k"] == 1
            """,
            """
            def test():
                with patch("app.client") as made:
                    app.ask("q")
                made.models.generate_content.assert_called_once_with(
                    model="m",
                    contents=ANY,
                    config=ANY,
                )
                settings = made.models.generate_content.call_args.kwargs["config"]
                assert settings.top_k == 1
            """,
            id="a-configuration-of-the-call",
        ),
        pytest.param(
            KEPT,
            """
            @patch("app.genai.GenerativeModel")
            @patch("app.genai.configure")
            def test(configure, made):
                configure.return_value = None
                made.return_value.generate_content.return_value.text = "a"
                assert app.Bot().ask("k", "q") == "a"
                configure.assert_called_once_with(api_key="k")
                assert configure.call_args.kwargs["api_key"] == "k"
            """,
            """
            @patch("app.client_for")
            def test(made):
                made.return_value.models.generate_content.return_value.text = "a"
                assert app.Bot().ask("k", "q") == "a"
                made.assert_called_once_with("k")
                assert made.call_args.args[0] == "k"
            """,
            id="a-key-whose-client-is-kept",
        ),
        pytest.param(
            IN_A_CLASS,
            """
            import pytest


            @pytest.fixture
            def model():
                with patch("app.genai.GenerativeModel") as made:
                    yield made.return_value


            @patch("app.genai.configure")
            def test(configure, model):
                model.generate_content.return_value.text = "a"
                assert app.Bot("k").ask("q") == "a"
            """,
            """
            import pytest


            @pytest.fixture
            def model():
                with patch("app.genai.Client") as made:
                    yield made.return_value


            def test(model):
                model.models.generate_content.return_value.text = "a"
                assert app.Bot("k").ask("q") == "a"
            """,
            id="a-configuration-below-a-fixture",
        ),
    ],
)
def test_what_is_asked_of_a_call_is_asked_of_the_new_one(
    program: str, before: str, after: str
) -> None:
    check_rewritten(program, before, after)


ASKED = WITH + "        asked = made.return_value.generate_content\n        "
CONFIGURED = "def test():\n    with patch('app.genai.configure') as c:\n        "
BELOW = (
    "import pytest\n\n@pytest.fixture\ndef model():\n    with patch('app.genai.{}') as made:\n"
    "        yield made\n\n@patch('app.genai.{}')\ndef test(other, model):\n    {}"
)


@pytest.mark.parametrize(
    ("program", "test"),
    [
        pytest.param(program, test, id=name)
        for name, program, test in (
            ("the-second-by-position", IN_A_CLASS, ASKED + "asked.call_args[0][1]"),
            ("what-is-not-said-any-more", IN_A_CLASS, ASKED + "asked.call_args[1]['stream']"),
            ("a-call-compared", IN_A_CLASS, ASKED + "assert asked.call_args == call('q')"),
            ("calls-compared", IN_A_CLASS, ASKED + "assert asked.call_args_list == [call('q')]"),
            ("handed-on", IN_A_CLASS, ASKED + "other(asked.call_args)"),
            ("by-position-handed-on", IN_A_CLASS, ASKED + "other(*asked.call_args.args)"),
            ("taken-apart-in-part", IN_A_CLASS, ASKED + "args, _ = asked.call_args"),
            ("a-key-that-is-none", IN_A_CLASS, ASKED + "name = 'x'; asked.call_args[1][name]"),
            (
                "a-whole-configuration",
                OF_THE_CALL,
                ASKED + "assert asked.call_args.kwargs['generation_config'] == {'top_k': 1}",
            ),
            (
                "a-configuration-without-such-a-field",
                OF_THE_CALL,
                ASKED + "asked.call_args.kwargs['generation_config']['heat']",
            ),
            ("what-is-absent", SETTINGS, WITH + "        'tools' not in made.call_args.kwargs"),
            (
                "a-table",
                SETTINGS,
                WITH + "        made.call_args.kwargs['safety_settings']",
            ),
            ("a-model-that-answers-twice", TWO_WAYS, WITH + "        made.call_args[0][0]"),
            (
                "a-model-that-is-asked-again-and-again",
                AGAIN,
                WITH + "        made.assert_called_once_with('m')",
            ),
            (
                "two-configurations-in-one",
                OF_THE_CALL,
                WITH + "        made.assert_called_once_with('m', generation_config={'top_k': 1})",
            ),
            (
                "a-field-that-is-not-known",
                SETTINGS,
                WITH + "        made.assert_called_once_with('m', generation_config={'heat': 1})",
            ),
            (
                "an-object-of-the-old-sdk",
                SETTINGS,
                WITH + "        made.assert_called_with('m', generation_config=app.settings())",
            ),
            (
                "a-comment",
                SETTINGS,
                WITH + "        made.assert_called_with(\n            'm'  # small\n        )",
            ),
            (
                "a-key-by-position",
                IN_A_CLASS,
                CONFIGURED + "c.call_args[0][0]",
            ),
            (
                "how-else-it-was-configured",
                IN_A_CLASS,
                (
                    "def test():\n    with patch('app.genai.configure') as c:\n"
                    "        c.call_args.kwargs['transport']"
                ),
            ),
            (
                "what-a-configuration-gave",
                IN_A_CLASS,
                (
                    "def test():\n    with patch('app.genai.configure') as c:\n"
                    "        c.return_value.x = 1"
                ),
            ),
            (
                "a-configuration-that-is-asked-below-a-fixture",
                IN_A_CLASS,
                BELOW.format("GenerativeModel", "configure", "other.assert_called_once()"),
            ),
            (
                "a-configuration-of-a-fixture-that-is-asked",
                IN_A_CLASS,
                BELOW.format("configure", "GenerativeModel", "model.assert_called_once()"),
            ),
        )
    ],
)
def test_what_is_asked_otherwise_is_refused(program: str, test: str) -> None:
    files = planned(program, test)
    assert files["test_app.py"].status is Status.REFUSED
    assert "mock_target" in {finding.code for finding in files["test_app.py"].findings}
    assert files["app.py"].status is Status.PORTED


def test_a_fixture_of_another_file_replaces_the_client_already() -> None:
    conftest = (
        "from unittest.mock import patch\n\nimport pytest\n\nimport app\n\n\n@pytest.fixture\n"
        "def made():\n    with patch('app.genai.GenerativeModel') as made:\n        yield made\n"
    )
    test = (
        "@patch('app.genai.configure')\ndef test(_, made):\n    app.Bot('k')\n"
        "    made.assert_called_once()\n"
    )
    files = planned(IN_A_CLASS, test, conftest=conftest)
    after = files["test_app.py"].after
    assert after is not None
    assert b"@patch" not in after
    assert b"def test(made):\n    app.Bot('k')\n    made.assert_called_once()" in after
