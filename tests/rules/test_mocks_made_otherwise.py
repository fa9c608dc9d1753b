"""Tests that put functions, classes and objects of their own in the place of the legacy SDK."""

from __future__ import annotations

import pytest

from tests.rules.mocked import APART, BESIDE, CONFIGURED, IN_A_CLASS, MODEL, TALKS, check_rewritten


@pytest.mark.parametrize(
    ("program", "before", "after"),
    [
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
    check_rewritten(program, before, after)
