"""Tests that patch the legacy SDK or an object that came of it: what is rewritten."""

from __future__ import annotations

import pytest

from tests.rules.mocked import BESIDE, IN_A_CLASS, MODEL, check_rewritten


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
                configure.assert_called_once_with(
                    api_key="k",
                    HTTP,
                )
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
    ],
)
def test_a_test_is_rewritten(program: str, before: str, after: str) -> None:
    check_rewritten(program, before, after)
