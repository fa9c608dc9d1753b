"""Imports: the new ones take the place of the legacy ones, whatever form those have."""

from __future__ import annotations

import pytest

from tests.support.port import clean, is_untouched, ported, refused, whole_ported


@pytest.mark.parametrize(
    ("before", "after"),
    [
        pytest.param(
            """
            import google.generativeai as genai

            genai.configure(api_key="K")
            """,
            """
            from google import genai
            from google.genai import types

            client = genai.Client(api_key="K", http_options=types.HttpOptions(api_version="v1beta"))
            """,
            id="as-genai",
        ),
        pytest.param(
            """
            from google import generativeai as genai

            genai.configure(api_key="K")
            """,
            """
            from google import genai
            from google.genai import types

            client = genai.Client(api_key="K", http_options=types.HttpOptions(api_version="v1beta"))
            """,
            id="from-google",
        ),
        pytest.param(
            """
            import google.generativeai as palm

            palm.configure(api_key="K")
            """,
            """
            from google import genai as palm
            from google.genai import types

            client = palm.Client(api_key="K", http_options=types.HttpOptions(api_version="v1beta"))
            """,
            id="another-alias",
        ),
        pytest.param(
            """
            import google.generativeai

            google.generativeai.configure(api_key="K")
            model = google.generativeai.GenerativeModel("m")
            print(model.generate_content("x").text)
            """,
            """
            from google import genai
            from google.genai import types

            client = genai.Client(api_key="K", http_options=types.HttpOptions(api_version="v1beta"))
            print(client.models.generate_content(model="m", contents="x").text)
            """,
            id="without-alias",
        ),
        pytest.param(
            """
            from google.generativeai import GenerativeModel, configure

            configure(api_key="K")
            print(GenerativeModel("m").generate_content("x").text)
            """,
            """
            from google import genai
            from google.genai import types

            client = genai.Client(api_key="K", http_options=types.HttpOptions(api_version="v1beta"))
            print(client.models.generate_content(model="m", contents="x").text)
            """,
            id="names",
        ),
        pytest.param(
            """
            from google.generativeai import GenerativeModel as Model, configure as setup

            setup(api_key="K")
            print(Model("m").generate_content("x").text)
            """,
            """
            from google import genai
            from google.genai import types

            client = genai.Client(api_key="K", http_options=types.HttpOptions(api_version="v1beta"))
            print(client.models.generate_content(model="m", contents="x").text)
            """,
            id="names-renamed",
        ),
        pytest.param(
            """
            import google.generativeai as genai
            from google.generativeai.types import HarmBlockThreshold, HarmCategory

            genai.configure(api_key="K")
            model = genai.GenerativeModel("m", safety_settings={
                HarmCategory.HARM_CATEGORY_HARASSMENT: HarmBlockThreshold.BLOCK_NONE,
            })
            print(model.generate_content("x").text)
            """,
            """
            from google import genai
            from google.genai import types

            client = genai.Client(api_key="K", http_options=types.HttpOptions(api_version="v1beta"))
            print(client.models.generate_content(
                model="m",
                contents="x",
                config=types.GenerateContentConfig(
                    safety_settings=[
                        types.SafetySetting(
                            category=types.HarmCategory.HARM_CATEGORY_HARASSMENT,
                            threshold=types.HarmBlockThreshold.BLOCK_NONE,
                        ),
                    ],
                ),
            ).text)
            """,
            id="members-of-types-that-vanish",
        ),
        pytest.param(
            """
            import google.generativeai as genai
            import google.generativeai.types as types

            genai.configure(api_key="K")
            config = types.GenerationConfig(temperature=0)
            print(genai.GenerativeModel("m", generation_config=config).generate_content("x").text)
            """,
            """
            from google import genai
            from google.genai import types

            client = genai.Client(api_key="K", http_options=types.HttpOptions(api_version="v1beta"))
            print(client.models.generate_content(
                model="m",
                contents="x",
                config=types.GenerateContentConfig(temperature=0),
            ).text)
            """,
            id="types-module",
        ),
        pytest.param(
            """
            import google.generativeai as genai
            from google.generativeai import types

            genai.configure(api_key="K")
            config = types.GenerationConfig(top_k=1)
            print(genai.GenerativeModel("m").generate_content("x", generation_config=config).text)
            """,
            """
            from google import genai
            from google.genai import types

            client = genai.Client(api_key="K", http_options=types.HttpOptions(api_version="v1beta"))
            print(client.models.generate_content(
                model="m",
                contents="x",
                config=types.GenerateContentConfig(top_k=1),
            ).text)
            """,
            id="from-genai-types-generation-config",
        ),
        pytest.param(
            """
            import os, google.generativeai as genai

            genai.configure(api_key=os.environ["KEY"])
            """,
            """
            import os
            from google import genai
            from google.genai import types

            client = genai.Client(
                api_key=os.environ["KEY"],
                http_options=types.HttpOptions(api_version="v1beta"),
            )
            """,
            id="beside-other-names",
        ),
        pytest.param(
            '''
            """Docstring."""
            from __future__ import annotations
            import google.generativeai as genai

            print(genai.GenerativeModel("m").generate_content("x").text)
            ''',
            '''
            """Docstring."""
            from __future__ import annotations
            import os

            from google import genai
            from google.genai import types

            client = genai.Client(
                api_key=os.environ.get("GEMINI_API_KEY") or os.environ.get("GOOGLE_API_KEY"),
                http_options=types.HttpOptions(api_version="v1beta"),
            )

            print(client.models.generate_content(model="m", contents="x").text)
            ''',
            id="after-future",
        ),
        pytest.param(
            """
            def ask(question):
                import google.generativeai as genai

                genai.configure(api_key="K")
                return genai.GenerativeModel("m").generate_content(question).text
            """,
            """
            def ask(question):
                from google import genai
                from google.genai import types

                client = genai.Client(
                    api_key="K",
                    http_options=types.HttpOptions(api_version="v1beta"),
                )
                return client.models.generate_content(model="m", contents=question).text
            """,
            id="in-a-function",
        ),
        pytest.param(
            """
            import google.generativeai as genai  # the old SDK

            genai.configure(api_key="K")
            """,
            """
            from google import genai  # the old SDK
            from google.genai import types

            client = genai.Client(api_key="K", http_options=types.HttpOptions(api_version="v1beta"))
            """,
            id="comment-behind",
        ),
        pytest.param(
            """
            import google.generativeai as genai; genai.configure(api_key="K")
            """,
            """
            from google import genai
            from google.genai import types; client = genai.Client(
                api_key="K",
                http_options=types.HttpOptions(api_version="v1beta"),
            )
            """,
            id="semicolons",
        ),
        pytest.param(
            """
            from google.generativeai import (
                GenerativeModel,  # the model
                configure,
            )

            configure(api_key="K")
            print(GenerativeModel("m").generate_content("x").text)
            """,
            """
            # the model
            from google import genai
            from google.genai import types

            client = genai.Client(api_key="K", http_options=types.HttpOptions(api_version="v1beta"))
            print(client.models.generate_content(model="m", contents="x").text)
            """,
            id="parenthesised",
        ),
        pytest.param(
            r"""
            from google.generativeai import GenerativeModel, \
                configure

            configure(api_key="K")
            print(GenerativeModel("m").generate_content("x").text)
            """,
            """
            from google import genai
            from google.genai import types

            client = genai.Client(api_key="K", http_options=types.HttpOptions(api_version="v1beta"))
            print(client.models.generate_content(model="m", contents="x").text)
            """,
            id="continued-line",
        ),
        pytest.param(
            """
            import google.generativeai as genai


            def one():
                import google.generativeai as genai

                return genai.GenerativeModel("m").generate_content("x").text


            genai.configure(api_key="K")
            """,
            """
            from google import genai
            from google.genai import types


            def one():
                return client.models.generate_content(model="m", contents="x").text


            client = genai.Client(api_key="K", http_options=types.HttpOptions(api_version="v1beta"))
            """,
            id="twice",
        ),
    ],
)
def test_ported(before: str, after: str) -> None:
    assert ported(before) == clean(after)


@pytest.mark.parametrize(
    ("before", "codes"),
    [
        pytest.param(
            """
            from google.generativeai import *

            configure(api_key="K")
            """,
            {"star_import"},
            id="star",
        ),
        pytest.param(
            """
            import importlib

            genai = importlib.import_module("google.generativeai")
            genai.configure(api_key="K")
            """,
            {"dynamic_reference"},
            id="dynamic",
        ),
        pytest.param(
            """
            from google.generativeai import something_else

            something_else()
            """,
            {"usage_unmapped"},
            id="unknown-name",
        ),
        pytest.param(
            """
            from vertexai.generative_models import GenerativeModel

            print(GenerativeModel("m").generate_content("google.generativeai").text)
            """,
            {"dynamic_reference"},
            id="google-cloud-of-the-same-shape",
        ),
        pytest.param(
            """
            import google.generativeai as genai

            g = genai
            g.configure(api_key="K")
            print(g.GenerativeModel("m").generate_content("x").text)
            """,
            {"usage_unmapped"},
            id="alias-of-the-module",
        ),
        pytest.param(
            """
            import google.generativeai as genai

            genai.configure(api_key="K")
            Model = genai.GenerativeModel
            print(Model("m").generate_content("x").text)
            """,
            {"type_reference"},
            id="alias-of-the-class",
        ),
    ],
)
def test_refused(before: str, codes: set[str]) -> None:
    assert refused(before) == codes


@pytest.mark.parametrize(
    "before",
    [
        pytest.param(
            """
            import genai

            genai.configure(api_key="K")
            print(genai.GenerativeModel("m").generate_content("x").text)
            """,
            id="another-genai",
        ),
        pytest.param(
            """
            # import google.generativeai as genai
            genai = None
            """,
            id="a-comment-that-names-it",
        ),
        pytest.param(
            '''
            """We used google.generativeai once."""
            ''',
            id="a-docstring-that-names-it",
        ),
    ],
)
def test_untouched(before: str) -> None:
    assert is_untouched(before)


@pytest.mark.parametrize(
    ("above", "now"),
    [
        ("import json\nimport sys\n", "import json\nimport os\nimport sys\n"),
        ("import json\n", "import json\nimport os\n"),
        ("import sys\nfrom json import dumps\n", "import os\nimport sys\nfrom json import dumps\n"),
        ("import requests\n", "import os\n\nimport requests\n"),
        ('"""Asks."""\n\n', '"""Asks."""\n\nimport os\n\n'),
    ],
)
def test_an_import_of_the_standard_library_stands_in_its_order(above: str, now: str) -> None:
    before = above + (
        "import google.generativeai as genai\n\n"
        'print(genai.GenerativeModel("m").generate_content("x").text)\n'
    )
    assert whole_ported(before).startswith(now + "from google import genai\n")


def test_an_import_in_a_function_goes_with_what_read_it() -> None:
    before = """
        import os


        class Bot:
            def start(self):
                import google.generativeai as genai
                genai.configure(api_key=os.environ["KEY"])

            def ask(self, question):
                import google.generativeai as genai
                return genai.GenerativeModel("m").generate_content(question).text

            def can(self):
                import google.generativeai
                return True


        bot = Bot()
        bot.start()
        print(bot.ask("x"), bot.can())
    """
    after = whole_ported(before)
    assert "def ask(self, question):\n        return self.client" in after
    assert "def can(self):\n        from google import genai\n" in after
