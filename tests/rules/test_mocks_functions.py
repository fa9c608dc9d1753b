"""Tests that replace free functions of the legacy SDK, and classes of values."""

from __future__ import annotations

import pytest

from chatport.port.findings import Status
from tests.rules.mocked import CONFIGURED, check_rewritten, planned

EMBEDS = """
import google.generativeai as genai


class Shelf:
    def __init__(self, key):
        genai.configure(api_key=key)

    def vector(self, text: str):
        return genai.embed_content(model="m", content=text)["embedding"]

    def names(self):
        return [
            m.name
            for m in genai.list_models()
            if "generateContent" in m.supported_generation_methods
        ]

    def send(self, path):
        return genai.upload_file(path, mime_type="text/plain").uri
"""


@pytest.mark.parametrize(
    ("program", "before", "after"),
    [
        pytest.param(
            EMBEDS,
            """
            @patch("app.genai.embed_content")
            @patch("app.genai.configure")
            def test(c, embed, tmp_path):
                embed.return_value = {"embedding": [0.5]}
                assert app.Shelf("k").vector("q") == [0.5]
                embed.assert_called_once_with(model="m", content="q")
                assert embed.call_args.kwargs["model"] == "m"
            """,
            """
            @patch("app.genai.Client")
            def test(c, tmp_path):
                c.return_value.models.embed_content.return_value = GIVES
                assert app.Shelf("k").vector("q") == [0.5]
                c.return_value.models.embed_content.assert_called_once_with(
                    model="m",
                    contents="q",
                )
                assert c.return_value.models.embed_content.call_args.kwargs["model"] == "m"
            """.replace("GIVES", "Mock(embeddings=[Mock(values=[0.5])])"),
            id="beside-the-configuration",
        ),
        pytest.param(
            EMBEDS,
            """
            def test(monkeypatch):
                monkeypatch.setattr(app.genai, "embed_content", lambda **kw: {"embedding": []})
                with patch("google.generativeai.embed_content") as embed:
                    embed.side_effect = [{"embedding": [1]}, OSError()]
                    app.Shelf("k").vector("q")
                numbers = {"embedding": [2]}
                with patch.object(app.genai, "embed_content", return_value=numbers):
                    app.Shelf("k").vector("q")
            """,
            """
            def test(monkeypatch):
                monkeypatch.setattr(app.genai.models.Models, "embed_content", LATER(
                    embeddings=[Mock(values=[])],
                ))
                with patch("google.genai.models.Models.embed_content") as embed:
                    embed.side_effect = [Mock(embeddings=[Mock(values=[1])]), OSError()]
                    app.Shelf("k").vector("q")
                numbers = Mock(embeddings=[Mock(values=[2])])
                with patch.object(app.genai.models.Models, "embed_content", return_value=numbers):
                    app.Shelf("k").vector("q")
            """.replace("LATER", "lambda *args, **kwargs: Mock"),
            id="a-method-of-a-class",
        ),
        pytest.param(
            EMBEDS,
            """
            @patch("google.generativeai.list_models")
            def test(models):
                models.return_value = [Mock(supported_generation_methods=["generateContent"])]
                app.Shelf("k").names()
                models.assert_called_once_with()
            """,
            """
            @patch("google.genai.models.Models.list")
            def test(models):
                models.return_value = [Mock(supported_actions=["generateContent"])]
                app.Shelf("k").names()
                models.assert_called_once_with()
            """,
            id="models-with-what-they-do",
        ),
        pytest.param(
            EMBEDS,
            """
            @patch("app.genai.upload_file")
            def test(upload):
                upload.return_value.uri = "there"
                assert app.Shelf("k").send("a.txt") == "there"
                assert upload.call_args.args[0] == "a.txt"
                assert upload.call_args.kwargs["mime_type"] == "text/plain"
            """,
            """
            @patch("google.genai.files.Files.upload")
            def test(upload):
                upload.return_value.uri = "there"
                assert app.Shelf("k").send("a.txt") == "there"
                assert upload.call_args.kwargs["file"] == "a.txt"
                assert upload.call_args.kwargs["config"].mime_type == "text/plain"
            """,
            id="a-file",
        ),
        pytest.param(
            CONFIGURED,
            """
            @patch("google.generativeai.types")
            @patch("google.generativeai.types.GenerationConfig")
            @patch("app.genai.GenerativeModel")
            @patch("app.genai.configure")
            def test(configure, made, config, types, tmp_path):
                made.return_value.generate_content.return_value.text = "a"
                app.Bot("k", tmp_path)


            def test_with():
                with patch("app.genai.types.GenerationConfig"), patch("app.genai.GenerativeModel"):
                    app.Bot("k", 1)
            """,
            """
            @patch("app.genai.Client")
            def test(made, tmp_path):
                made.return_value.models.generate_content.return_value.text = "a"
                app.Bot("k", tmp_path)


            def test_with():
                with patch("app.genai.Client"):
                    app.Bot("k", 1)
            """,
            id="classes-of-values",
        ),
    ],
)
def test_what_is_replaced_is_what_took_its_place(program: str, before: str, after: str) -> None:
    check_rewritten(program, before, after)


EMBED = "@patch('app.genai.embed_content')\ndef test(embed):\n    "


@pytest.mark.parametrize(
    "test",
    [
        pytest.param(EMBED + "embed.return_value = answer()", id="unknown"),
        pytest.param(EMBED + "embed.return_value = {'embedding': [1], 'x': 2}", id="more-keys"),
        pytest.param(EMBED + "embed.return_value['embedding']", id="read"),
        pytest.param(EMBED + "embed.side_effect = lambda model, content: 1", id="old-arguments"),
        pytest.param(EMBED + "embed.side_effect = answers", id="unknown-answers"),
        pytest.param(EMBED + "embed.mock_calls", id="asked-otherwise"),
        pytest.param(EMBED + "embed.assert_called_with('m', 'q')", id="by-position"),
        pytest.param(
            EMBED + "embed.assert_called_with(model='m', content='q', title='t')",
            id="a-field-that-is-not-given",
        ),
        pytest.param(EMBED + "embed.call_args.kwargs['task_type']", id="a-field-spelt-anew"),
        pytest.param(
            EMBED + "numbers = {'embedding': [1]}; embed.return_value = numbers\n"
            "    assert app.Shelf('k').vector('q') == numbers['embedding']",
            id="a-mapping-that-is-read",
        ),
        pytest.param(
            "@patch('app.genai.embed_content', return_value={'embedding': [1]})\n"
            "@patch('app.genai.configure')\ndef test(configure, embed):\n    app.Shelf('k')",
            id="given-beside-the-client",
        ),
        pytest.param(
            "@patch('app.genai.configure')\ndef test(configure):\n"
            "    with patch('app.genai.embed_content') as embed:\n        app.Shelf(1).vector('q')",
            id="below-the-client",
        ),
        pytest.param(
            "shelf = app.Shelf('k')\n\n@patch('app.genai.embed_content')\n"
            "@patch('app.genai.configure')\ndef test(configure, embed):\n    shelf.vector('q')",
            id="an-object-that-is-there-before",
        ),
        pytest.param(
            "@patch('app.genai.upload_file')\ndef test(upload):\n    app.Shelf('k').send('a')\n"
            "    upload.assert_called_with('a', mime_type='text/plain')",
            id="a-configuration-that-says-more-now",
        ),
        pytest.param("def test():\n    patch('app.genai.get_file')", id="not-called"),
        pytest.param(
            "@patch('app.genai.list_models')\ndef test(models):\n    one = Mock()\n"
            "    one.supported_generation_methods = []\n    models.return_value = [one]",
            id="a-field-that-is-put",
        ),
        pytest.param(
            "@patch('app.genai.list_models')\ndef test(models):\n"
            "    models.return_value = [app.Info(supported_generation_methods=[])]",
            id="a-field-of-the-program",
        ),
        pytest.param(
            "@patch('app.genai.types.GenerationConfig')\ndef test(config):\n"
            "    config.assert_called_once_with(temperature=1)",
            id="a-class-of-values-that-is-asked",
        ),
        pytest.param(
            "def test():\n    with patch('app.genai.types'):\n        app.Shelf('k')",
            id="all-that-is-replaced",
        ),
    ],
)
def test_what_is_replaced_otherwise_is_refused(test: str) -> None:
    files = planned(EMBEDS, test)
    assert files["test_app.py"].status is Status.REFUSED
    assert "mock_target" in {finding.code for finding in files["test_app.py"].findings}
    assert files["app.py"].status is Status.PORTED
