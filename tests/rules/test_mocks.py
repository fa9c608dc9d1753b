"""Tests that put stand-ins in the place of the legacy SDK: what is rewritten, and what holds back
the program that is tested."""

from __future__ import annotations

from pathlib import Path
from textwrap import dedent

import pytest

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


@pytest.mark.parametrize(
    ("program", "before", "after"),
    [
        pytest.param(
            IN_A_CLASS,
            """
            @patch("app.genai.GenerativeModel")
            @patch("app.genai.configure")
            def test(configure, made):
                made.return_value.generate_content.return_value = Mock(text="a")
            """,
            """
            @patch("app.genai.Client")
            def test(made):
                made.return_value.models.generate_content.return_value = Mock(text="a")
            """,
            id="two-decorators-become-one",
        ),
        pytest.param(
            IN_A_CLASS,
            """
            class Test:
                @patch("app.genai.configure")
                @patch("app.genai.GenerativeModel")
                def test(self, made, configure, tmp_path):
                    made.return_value.generate_content.side_effect = OSError
                    app.Bot("k")
                    configure.assert_called_once()
            """,
            """
            class Test:
                @patch("app.genai.Client")
                def test(self, made, tmp_path):
                    made.return_value.models.generate_content.side_effect = OSError
                    app.Bot("k")
                    made.assert_called_once()
            """,
            id="what-is-asked-of-the-one-is-asked-of-the-other",
        ),
        pytest.param(
            IN_A_CLASS,
            """
            def test():
                with patch("app.genai.configure") as configure:
                    app.Bot("k")
                configure.assert_called_once_with(api_key="k")
            """,
            """
            def test():
                with patch("app.genai.Client") as configure:
                    app.Bot("k")
                configure.assert_called_once_with(api_key="k", HTTP)
            """,
            id="a-configuration-alone",
        ),
        pytest.param(
            IN_A_CLASS,
            """
            def make(text):
                model = MagicMock()
                model.generate_content.return_value = Mock(text=text)
                return model


            def test():
                with patch("app.genai.GenerativeModel", return_value=make("a")):
                    assert app.Bot("k").ask("q") == "a"
            """,
            """
            def make(text):
                model = MagicMock()
                model.models.generate_content.return_value = Mock(text=text)
                return model


            def test():
                with patch("app.genai.Client", return_value=make("a")):
                    assert app.Bot("k").ask("q") == "a"
            """,
            id="a-helper-makes-it",
        ),
        pytest.param(
            IN_A_CLASS,
            """
            def test(mocker):
                mocker.patch("app.genai.configure")
                made = mocker.patch("app.genai.GenerativeModel")
                model = made.return_value
                app.Bot("k").ask("q")
                model.generate_content.assert_called_once_with("q")
                assert model.generate_content.call_count == 1
            """,
            """
            def test(mocker):
                made = mocker.patch("app.genai.Client")
                model = made.return_value
                app.Bot("k").ask("q")
                model.models.generate_content.assert_called_once_with(model="m", contents="q")
                assert model.models.generate_content.call_count == 1
            """,
            id="by-a-fixture",
        ),
        pytest.param(
            BESIDE,
            """
            def test():
                with patch("app.genai.GenerativeModel") as made:
                    model = MagicMock()
                    made.return_value = model
                    model.generate_content.return_value.text = "a"
            """,
            """
            def test():
                with patch("app.client") as made:
                    model = MagicMock()
                    made.models = model.models
                    model.models.generate_content.return_value.text = "a"
            """,
            id="the-client-is-there-before",
        ),
        pytest.param(
            BESIDE,
            """
            def test():
                model = MagicMock()
                model.generate_content.return_value.text = "a"
                with patch("app.genai.GenerativeModel", return_value=model):
                    app.ask("q")
            """,
            """
            def test():
                model = MagicMock()
                model.models.generate_content.return_value.text = "a"
                with patch("app.client", new=model):
                    app.ask("q")
            """,
            id="the-client-is-given-at-once",
        ),
        pytest.param(
            MODEL,
            """
            def test():
                with patch.object(app, "model") as model:
                    model.generate_content.return_value = iter([Mock(text="a")])
                    app.stream("q")
                    given = model.generate_content.call_args_list[0]
                    assert given[0][0] == "q"
            """,
            """
            def test():
                with patch.object(app, "client") as model:
                    model.models.generate_content_stream.return_value = iter([Mock(text="a")])
                    app.stream("q")
                    given = model.models.generate_content_stream.call_args_list[0]
                    assert given.kwargs["contents"] == "q"
            """,
            id="a-stream-by-the-call-that-the-test-makes",
        ),
        pytest.param(
            IN_A_CLASS,
            """
            import sys

            sdk = MagicMock()
            sys.modules["google.generativeai"] = sdk
            sdk.GenerativeModel.return_value.generate_content.return_value.text = "a"
            """,
            """
            import sys

            sdk = MagicMock()
            sys.modules["google.genai"] = sdk
            sdk.Client.return_value.models.generate_content.return_value.text = "a"
            """,
            id="the-whole-sdk-as-a-stub",
        ),
        pytest.param(
            IN_A_CLASS,
            """
            def test():
                bot = app.Bot("k")
                bot.model.generate_content = Mock(return_value=Mock(text="a"))
                bot.model.generate_content.assert_called_once_with("q")
            """,
            """
            def test():
                bot = app.Bot("k")
                bot.client.models.generate_content = Mock(return_value=Mock(text="a"))
                bot.client.models.generate_content.assert_called_once_with(model="m", contents="q")
            """,
            id="a-method-of-a-model-of-an-object",
        ),
        pytest.param(
            IN_A_CLASS,
            """
            class Test:
                def setup_method(self):
                    self.bot = app.Bot("k")
                    self.bot.model = MagicMock()

                def test(self):
                    self.bot.model.generate_content.return_value.text = "a"
                    assert self.bot.model is not None
            """,
            """
            class Test:
                def setup_method(self):
                    self.bot = app.Bot("k")
                    self.bot.client = MagicMock()

                def test(self):
                    self.bot.client.models.generate_content.return_value.text = "a"
                    assert self.bot.model is not None
            """,
            id="a-model-of-an-object",
        ),
        pytest.param(
            APART,
            """
            import pytest


            @pytest.fixture
            def bot():
                with patch("app.genai.GenerativeModel") as made:
                    made.return_value.generate_content.return_value.text = "a"
                    yield app.Bot("k")


            def test(bot):
                assert bot.ask("q") == "a"


            @patch("app.genai.GenerativeModel")
            def test_failure(made):
                made.return_value.generate_content.side_effect = lambda *args, **kwargs: 1
                bot = app.Bot("k")
                bot.ask("q")
            """,
            """
            import pytest


            @pytest.fixture
            def bot():
                with patch("app.genai.Client") as made:
                    made.return_value.models.generate_content.return_value.text = "a"
                    yield app.Bot("k")


            def test(bot):
                assert bot.ask("q") == "a"


            @patch("app.genai.Client")
            def test_failure(made):
                made.return_value.models.generate_content.side_effect = lambda *args, **kwargs: 1
                bot = app.Bot("k")
                bot.ask("q")
            """,
            id="the-object-is-made-meanwhile",
        ),
        pytest.param(
            IN_A_CLASS,
            """
            def test_configuration(monkeypatch):
                monkeypatch.setattr("app.genai.configure", lambda api_key: None)
                app.Bot("k")


            def test(monkeypatch):
                model = MagicMock()
                monkeypatch.setattr(app.genai, "configure", lambda **kw: None)
                monkeypatch.setattr(app.genai, "GenerativeModel", lambda name="m": model)
                model.generate_content.return_value.text = "a"
                assert app.Bot("k").ask("q") == "a"
            """,
            """
            def test_configuration(monkeypatch):
                monkeypatch.setattr("app.genai.Client", lambda *args, **kwargs: None)
                app.Bot("k")


            def test(monkeypatch):
                model = MagicMock()
                monkeypatch.setattr(app.genai, "Client", lambda *args, **kwargs: model)
                model.models.generate_content.return_value.text = "a"
                assert app.Bot("k").ask("q") == "a"
            """,
            id="by-functions",
        ),
        pytest.param(
            IN_A_CLASS,
            """
            import google.generativeai as genai


            class FakeModel:
                asked = 0

                def __init__(self, model_name):
                    self.model_name = model_name

                def generate_content(self, prompt: str, stream=False):
                    FakeModel.asked += 1
                    return Mock(text=f"to {prompt}")


            def test(monkeypatch):
                monkeypatch.setattr(genai, "configure", lambda **kw: None)
                monkeypatch.setattr(genai, "GenerativeModel", FakeModel)
                assert app.Bot("k").ask("q") == "to q"
                assert FakeModel.asked == 1
            """,
            """
            from google import genai


            class FakeModel:
                asked = 0

                def __init__(self, *args, **kwargs):
                    self.models = self

                def generate_content(self, contents: str, **kwargs):
                    FakeModel.asked += 1
                    return Mock(text=f"to {contents}")


            def test(monkeypatch):
                monkeypatch.setattr(genai, "Client", FakeModel)
                assert app.Bot("k").ask("q") == "to q"
                assert FakeModel.asked == 1
            """,
            id="a-class-of-the-test",
        ),
        pytest.param(
            TALKS,
            """
            class FakeChat:
                def __init__(self, answer):
                    self.answer = answer
                    self.sent = []

                def send_message(self, message):
                    self.sent.append(message)
                    return Mock(text=self.answer)


            class FakeModel:
                def start_chat(self, history=None):
                    return FakeChat("a")


            def test(monkeypatch):
                model = FakeModel()
                monkeypatch.setattr("app.genai.GenerativeModel", lambda *a, **kw: model)
                assert app.Bot("k").talk("q") == "a"
            """,
            """
            class FakeChat:
                def __init__(self, answer):
                    self.answer = answer
                    self.sent = []

                def send_message(self, message, **kwargs):
                    self.sent.append(message)
                    return Mock(text=self.answer)


            class FakeModel:
                def __init__(self):
                    self.chats = self

                def create(self, **kwargs):
                    return FakeChat("a")


            def test(monkeypatch):
                model = FakeModel()
                monkeypatch.setattr("app.genai.Client", lambda *a, **kw: model)
                assert app.Bot("k").talk("q") == "a"
            """,
            id="an-object-of-a-class-of-the-test",
        ),
        pytest.param(
            BESIDE,
            """
            class FakeModel:
                def __init__(self, *a, **kw):
                    pass

                def generate_content(self, *args, **kwargs):
                    raise OSError


            def test():
                with patch("app.genai.GenerativeModel", FakeModel):
                    app.ask("q")
            """,
            """
            class FakeModel:
                def __init__(self, *a, **kw):
                    self.models = self

                def generate_content(self, *args, **kwargs):
                    raise OSError


            def test():
                with patch("app.client", FakeModel()):
                    app.ask("q")
            """,
            id="a-class-of-the-test-where-the-client-is-there-before",
        ),
        pytest.param(
            BESIDE,
            """
            def test(monkeypatch):
                model = MagicMock()
                monkeypatch.setattr("app.genai.GenerativeModel", lambda name: (model))
                model.generate_content.return_value.text = "a"
                assert app.ask("q") == "a"
            """,
            """
            def test(monkeypatch):
                model = MagicMock()
                monkeypatch.setattr("app.client", model)
                model.models.generate_content.return_value.text = "a"
                assert app.ask("q") == "a"
            """,
            id="by-a-function-where-the-client-is-there-before",
        ),
        pytest.param(
            IN_A_CLASS,
            """
            def test():
                with patch("app.genai.GenerativeModel") as made:
                    made.side_effect = Exception("no")
                    app.Bot("k")
                with patch("app.genai.GenerativeModel", side_effect=OSError):
                    app.Bot("k")
            """,
            """
            def test():
                with patch("app.genai.Client") as made:
                    made.side_effect = Exception("no")
                    app.Bot("k")
                with patch("app.genai.Client", side_effect=OSError):
                    app.Bot("k")
            """,
            id="no-model-can-be-made",
        ),
        pytest.param(
            BESIDE,
            """
            def test():
                with patch("app.genai.GenerativeModel") as made:
                    made.side_effect = Exception("no")
                    app.ask("q")
            """,
            """
            def test():
                with patch("app.client") as made:
                    made.models.generate_content.side_effect = Exception("no")
                    app.ask("q")
            """,
            id="no-model-can-be-made-beside-a-client",
        ),
        pytest.param(
            CONFIGURED,
            """
            def test():
                settings = Mock()
                settings.heat = 0.5
                with patch("app.genai.GenerativeModel"):
                    app.Bot("k", settings)
            """,
            """
            def test():
                settings = Mock()
                settings.heat = 0.5
                with patch("app.genai.Client"):
                    app.Bot("k", settings)
            """,
            id="a-configuration-of-a-stand-in-that-says-it",
        ),
        pytest.param(
            IN_A_CLASS,
            """
            def test(monkeypatch):
                bot = app.Bot("k")
                with patch.object(bot.model, "generate_content") as ask:
                    ask.return_value.text = "a"
                    ask.assert_called_once_with("q")
                ask = MagicMock(return_value=Mock(text="a"))
                monkeypatch.setattr(bot.model, "generate_content", ask)
            """,
            """
            def test(monkeypatch):
                bot = app.Bot("k")
                with patch.object(bot.client.models, "generate_content") as ask:
                    ask.return_value.text = "a"
                    ask.assert_called_once_with(model="m", contents="q")
                ask = MagicMock(return_value=Mock(text="a"))
                monkeypatch.setattr(bot.client.models, "generate_content", ask)
            """,
            id="a-method-of-an-object-for-a-while",
        ),
        pytest.param(
            MODEL,
            """
            def test():
                with patch.object(app.model, "generate_content") as ask:
                    ask.return_value.text = "a"
                    assert app.ask("q") == "a"
            """,
            """
            def test():
                with patch.object(app.client.models, "generate_content") as ask:
                    ask.return_value.text = "a"
                    assert app.ask("q") == "a"
            """,
            id="a-method-of-a-model-for-a-while",
        ),
        pytest.param(
            TALKS,
            """
            def test():
                bot = app.Bot("k")
                with patch.object(bot.chat, "send_message") as send:
                    send.assert_called_with("q")
            """,
            """
            def test():
                bot = app.Bot("k")
                with patch.object(bot.chat, "send_message") as send:
                    send.assert_called_with(message="q")
            """,
            id="a-method-of-a-chat-for-a-while",
        ),
        pytest.param(
            TALKS,
            """
            def test():
                bot = app.Bot("k")
                bot.chat = Mock()
                bot.chat.send_message.side_effect = OSError
                talk = bot.chat
                talk.send_message.assert_called_with("q")
            """,
            """
            def test():
                bot = app.Bot("k")
                bot.chat = Mock()
                bot.chat.send_message.side_effect = OSError
                talk = bot.chat
                talk.send_message.assert_called_with(message="q")
            """,
            id="a-chat-of-an-object",
        ),
    ],
)
def test_a_test_is_rewritten(program: str, before: str, after: str) -> None:
    files = planned(program, before)
    test, tested = files["test_app.py"], files["app.py"]
    assert test.status is Status.PORTED, [finding.message for finding in test.findings]
    assert tested.status is Status.PORTED
    assert test.after is not None
    expected = IMPORTS + dedent(after).replace("HTTP", HTTP)
    if "types." in expected:
        expected = expected.replace(
            "\nimport app\n", "\nimport app\nfrom google.genai import types\n"
        )
    assert test.after.decode() == expected


HTTP = 'http_options=types.HttpOptions(api_version="v1beta")'
WITH = 'def test():\n    with patch("app.genai.GenerativeModel") as made:\n'


@pytest.mark.parametrize(
    ("program", "test"),
    [
        pytest.param(IN_A_CLASS, WITH + "        made.side_effect = [Mock(), Mock()]", id="two"),
        pytest.param(IN_A_CLASS, WITH + "        made.side_effect = make", id="made-by-a-function"),
        pytest.param(
            IN_A_CLASS,
            "def test(monkeypatch):\n"
            "    monkeypatch.setattr('app.genai.GenerativeModel', lambda name: fakes[name])",
            id="a-function-that-reads-the-name",
        ),
        pytest.param(
            IN_A_CLASS,
            "def test(monkeypatch):\n    seen = []\n"
            "    monkeypatch.setattr('app.genai.configure', lambda api_key: seen.append(api_key))",
            id="a-function-that-keeps-the-key",
        ),
        pytest.param(
            IN_A_CLASS,
            "def test(monkeypatch):\n    configure = Mock()\n    model = Mock()\n"
            "    monkeypatch.setattr('app.genai.configure', configure)\n"
            "    monkeypatch.setattr('app.genai.GenerativeModel', lambda name: model)\n"
            "    configure.assert_called_once()",
            id="a-configuration-that-is-asked",
        ),
        pytest.param(BUSY, WITH + "        made.side_effect = OSError()", id="more-is-done-before"),
        pytest.param(
            BESIDE_BUSY, WITH + "        made.side_effect = OSError", id="more-is-done-behind"
        ),
        pytest.param(
            APART,
            BOT.replace("bot):", "bot):\n    with patch('app.genai.GenerativeModel') as made:")
            + "        bot.ask('q')",
            id="the-object-is-there-before",
        ),
        pytest.param(
            APART,
            "old = app.Bot('o')\n\n" + WITH + "        app.Bot('k')\n        old.ask('q')",
            id="another-object-is-there-before",
        ),
        pytest.param(
            APART + "\n\nbot = Bot('k')\n\n\ndef the_bot():\n    return bot\n",
            WITH + "        app.the_bot().ask('q')",
            id="the-object-is-one-that-is-kept",
        ),
        pytest.param(
            IN_A_CLASS,
            WITH + '        made.assert_called_once_with("m", tools=[])',
            id="configured",
        ),
        pytest.param(IN_A_CLASS, WITH + "        other(made)", id="passed-on"),
        pytest.param(
            IN_A_CLASS, WITH + "        made.return_value = Mock(spec=['x'])", id="narrow"
        ),
        pytest.param(
            IN_A_CLASS,
            WITH + "        made.return_value.generate_content = lambda text: Mock(text=text)",
            id="a-function-of-the-old-arguments",
        ),
        pytest.param(
            IN_A_CLASS,
            WITH + "        made.return_value.generate_content.side_effect = lambda text: 1",
            id="an-effect-of-the-old-arguments",
        ),
        pytest.param(
            IN_A_CLASS,
            WITH
            + "        made.return_value.generate_content.assert_called_with('q', stream=True)",
            id="an-argument-that-goes",
        ),
        pytest.param(
            IN_A_CLASS,
            WITH + "        args, kwargs = made.return_value.generate_content.call_args",
            id="the-arguments-taken-apart",
        ),
        pytest.param(
            IN_A_CLASS,
            WITH + "        answer = Mock(finish_reason=2)\n"
            "        made.return_value.generate_content.return_value.candidates = [answer]",
            id="a-number-for-a-reason",
        ),
        pytest.param(
            IN_A_CLASS,
            WITH + "        made.return_value.generate_content.return_value.to_dict = dict",
            id="a-member-that-went",
        ),
        pytest.param(
            IN_A_CLASS,
            "from google.api_core.exceptions import NotFound\n"
            + WITH
            + "        made.return_value.generate_content.side_effect = NotFound('x')",
            id="an-error-of-the-old-transport",
        ),
        pytest.param(
            IN_A_CLASS,
            'def test():\n    with patch("app.genai.GenerativeModel", autospec=True): pass',
            id="made-after-the-class",
        ),
        pytest.param(
            IN_A_CLASS,
            "class Fake:\n    pass\n\ndef test():\n"
            '    with patch("app.genai.GenerativeModel", Fake): pass',
            id="a-class-of-its-own",
        ),
        pytest.param(
            IN_A_CLASS,
            '@patch("app.genai.GenerativeModel")\nclass Test:\n    def test(self, made): pass',
            id="every-test-of-a-class",
        ),
        pytest.param(
            IN_A_CLASS, 'def test():\n    patch("app.genai.upload_file")', id="a-function"
        ),
        pytest.param(APART, WITH + "        bot().ask('q')", id="the-client-is-made-elsewhere"),
        pytest.param(
            TWO_MODELS,
            'def test():\n    with patch("app.small") as s, patch("app.large") as l:\n'
            "        s.generate_content.return_value = l.generate_content.return_value = 1",
            id="two-models-of-one-client",
        ),
        pytest.param(
            MODEL,
            "def test():\n    with patch(\"app.model\") as model:\n        model.model_name = 'x'",
            id="a-member-of-the-model",
        ),
        pytest.param(
            MODEL,
            "import pytest\n\n@pytest.fixture\ndef model():\n    m = MagicMock()\n"
            "    app.model = m\n    return m\n\n"
            "def test(model):\n    model.generate_content.return_value = 1",
            id="put-there-by-hand",
        ),
        *(
            pytest.param(program, f"{test}{USED}", id=f"a-class-{name}")
            for name, program, test in FAKES
        ),
        pytest.param(
            CONFIGURED,
            WITH + "        app.Bot('k', Mock()).ask('q')",
            id="a-configuration-made-of-stand-ins",
        ),
        pytest.param(
            CONFIGURED.replace(
                "genai.GenerationConfig(temperature=settings.heat)",
                '{"temperature": settings.heat}',
            ),
            WITH + "        app.Bot('k', settings=MagicMock()).ask('q')",
            id="a-mapping-of-stand-ins",
        ),
        pytest.param(
            IN_A_CLASS,
            "import sys\n\nsys.modules['google.generativeai.types'] = MagicMock()",
            id="a-stub-of-a-part",
        ),
        *(
            pytest.param(program, f"{BOT}    {line}", id=name)
            for name, program, line in (
                ("put-a-lambda", IN_A_CLASS, "bot.model.generate_content = lambda text: 1"),
                ("put-a-function", IN_A_CLASS, "bot.model.generate_content = fake"),
                ("put-narrow", IN_A_CLASS, "bot.model.generate_content = Mock(spec=len)"),
                ("put-with-parts", IN_A_CLASS, "bot.model = Mock(generate_content=Mock())"),
                ("put-by-another-name", IN_A_CLASS, "m = bot.model; m.generate_content = Mock()"),
                ("put-two-at-once", IN_A_CLASS, "bot.model.generate_content = x = Mock()"),
                ("asked-otherwise", IN_A_CLASS, "bot.model.generate_content.mock_calls"),
                ("asked-in-two-ways", TWO_WAYS, "bot.model.generate_content.return_value = 1"),
                ("one-of-two", TWO_OF_ONE, "bot.small.generate_content = Mock()"),
                ("both-of-two", TWO_OF_ONE, "bot.small = Mock(); bot.large = Mock()"),
                ("a-chat-is-made", TALKS, "bot.model.start_chat = Mock()"),
                ("a-client-of-all", OF_ALL, "bot.model.generate_content = Mock()"),
                ("a-client-of-all-put", OF_ALL, "bot.model = Mock()"),
            )
        ),
    ],
)
def test_a_test_that_is_not_understood_is_refused_and_the_program_ported(
    program: str, test: str
) -> None:
    files = planned(program, test)
    assert files["test_app.py"].status is Status.REFUSED
    assert "mock_target" in {finding.code for finding in files["test_app.py"].findings}
    assert files["app.py"].status is Status.PORTED


@pytest.mark.parametrize(
    "test",
    [
        "T = 'app.genai.GenerativeModel'\n\ndef test():\n    with patch(T): pass",
        "M = 'app'\n\ndef test():\n    with patch(f'{M}.genai.GenerativeModel'): pass",
        "def test():\n    with patch.multiple('app.genai', GenerativeModel=Mock()): pass",
        "import sys\n\nsys.modules['google'] = sys.modules['google.generativeai'] = Mock()",
        "def test(sdk):\n    with patch.object(sdk, 'GenerativeModel'): pass",
    ],
)
def test_what_is_replaced_in_ways_that_are_not_followed_is_refused(test: str) -> None:
    files = planned(IN_A_CLASS, test)
    assert files["test_app.py"].status is Status.REFUSED


FIXTURE = IMPORTS + dedent("""
    import pytest


    @pytest.fixture
    def model():
        with patch("app.model") as model:
            yield model


    @pytest.fixture
    def both():
        with patch("app.model") as model:
            yield model, "a"
    """)


def test_a_fixture_for_other_files_is_followed_into_them() -> None:
    test = """
    def test(model):
        model.generate_content.return_value.text = "a"
        app.ask("q")


    def test_both(both):
        model, text = both
        model.generate_content.return_value.text = text
        app.ask("q")


    def test_one(both):
        both[0].generate_content.return_value.text = both[1]
        app.ask("q")
    """
    files = planned(MODEL, test, conftest=FIXTURE)
    assert {file.status for file in files.values()} == {Status.PORTED}
    after = files["test_app.py"].after
    assert after is not None
    assert after.decode() == IMPORTS + dedent(test).replace(".generate", ".models.generate")


@pytest.mark.parametrize(
    "test",
    [
        "def test(model):\n    other(model)",
        "def test(model):\n    model.model_name = 'x'",
        "def test(both):\n    other(*both)",
        "def test(request):\n    request.getfixturevalue('model').generate_content.return_value",
    ],
)
def test_a_fixture_that_goes_where_it_is_not_followed_is_refused_with_its_users(test: str) -> None:
    files = planned(MODEL, test, conftest=FIXTURE)
    assert files["conftest.py"].status is Status.REFUSED
    assert files["app.py"].status is Status.PORTED
    assert files.get("test_app.py") is None or files["test_app.py"].status is Status.REFUSED


def test_a_fixture_of_its_own_hides_that_of_another_file() -> None:
    test = """
    import pytest


    @pytest.fixture
    def model():
        return 1


    def test(model):
        model.generate_content()
    """
    files = planned(MODEL, test, conftest=FIXTURE)
    assert files["conftest.py"].status is Status.PORTED
    assert "test_app.py" not in files


def test_a_fixture_of_the_same_file_is_followed() -> None:
    files = planned(
        MODEL,
        """
        import pytest


        @pytest.fixture
        def model():
            with patch("app.model") as model:
                yield model


        def test(model):
            model.generate_content.return_value = Mock(text="a")
            app.ask("q")
        """,
    )
    after = files["test_app.py"].after
    assert after is not None
    assert b"model.models.generate_content.return_value" in after


def test_a_test_of_a_refused_module_is_left_with_it() -> None:
    program = IN_A_CLASS + "\n    def to_dict(self):\n        return self.model.rewind()\n"
    files = planned(program, WITH + "        made.return_value.generate_content.return_value = 1")
    assert {file.status for file in files.values()} == {Status.REFUSED}


def test_what_is_replaced_of_other_modules_is_no_finding() -> None:
    files = planned(IN_A_CLASS, 'def test():\n    with patch("app.Bot"), patch("os.getcwd"): pass')
    assert "test_app.py" not in files
