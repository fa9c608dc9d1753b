"""Imports: the new ones take the place of the legacy ones, where those stand."""

from __future__ import annotations

import pytest

from tests.support.port import clean, is_untouched, ported, refused


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
            import types

            import google.generativeai as genai

            genai.configure(api_key="K")
            space = types.SimpleNamespace(model="m")
            """,
            """
            import types

            from google import genai
            from google.genai import types as genai_types

            client = genai.Client(
                api_key="K",
                http_options=genai_types.HttpOptions(api_version="v1beta"),
            )
            space = types.SimpleNamespace(model="m")
            """,
            id="types-taken-by-the-standard-library",
        ),
        pytest.param(
            """
            import google.generativeai as genai

            genai.configure(api_key="K")


            def kinds(types):
                return len(types)
            """,
            """
            from google import genai
            from google.genai import types as genai_types

            client = genai.Client(
                api_key="K",
                http_options=genai_types.HttpOptions(api_version="v1beta"),
            )


            def kinds(types):
                return len(types)
            """,
            id="types-taken-by-a-parameter",
        ),
        pytest.param(
            """
            import google.generativeai as genai

            genai.configure(api_key="K")


            class Menu:
                types = ["soup"]
            """,
            """
            from google import genai
            from google.genai import types

            client = genai.Client(api_key="K", http_options=types.HttpOptions(api_version="v1beta"))


            class Menu:
                types = ["soup"]
            """,
            id="types-of-a-class-body-is-not-in-the-way",
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
            try:
                import google.generativeai as genai
            except ImportError:
                genai = None


            def ask(question):
                if genai is None:
                    return "not installed"
                genai.configure(api_key="K")
                return genai.GenerativeModel("m").generate_content(question).text
            """,
            """
            try:
                from google import genai
                from google.genai import types
            except ImportError:
                genai = None


            def ask(question):
                if genai is None:
                    return "not installed"
                client = genai.Client(
                    api_key="K",
                    http_options=types.HttpOptions(api_version="v1beta"),
                )
                return client.models.generate_content(model="m", contents=question).text
            """,
            id="guarded",
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
        pytest.param(
            """
            from __future__ import annotations

            from typing import TYPE_CHECKING

            if TYPE_CHECKING:
                import google.generativeai as genai


            def ask(model: genai.GenerativeModel) -> int:
                return 1
            """,
            """
            from __future__ import annotations

            from typing import TYPE_CHECKING

            if TYPE_CHECKING:
                pass


            def ask(model: str) -> int:
                return 1
            """,
            id="type-checking",
        ),
        pytest.param(
            """
            import google.generativeai as genai
            """,
            """
            """,
            id="unused",
        ),
        pytest.param(
            """
            from google import genai as new
            import google.generativeai as genai

            genai.configure(api_key="K")
            print(genai.GenerativeModel("m").generate_content("x").text)
            """,
            """
            from google import genai as new
            from google.genai import types

            client = new.Client(api_key="K", http_options=types.HttpOptions(api_version="v1beta"))
            print(client.models.generate_content(model="m", contents="x").text)
            """,
            id="new-sdk-already-imported",
        ),
        pytest.param(
            """
            try:
                import google.generativeai as genai
                HAVE = True
            except ImportError:
                HAVE = False

            if HAVE:
                genai.configure(api_key="K")
            """,
            """
            try:
                from google import genai
                from google.genai import types
                HAVE = True
            except ImportError:
                HAVE = False

            if HAVE:
                client = genai.Client(
                    api_key="K",
                    http_options=types.HttpOptions(api_version="v1beta"),
                )
            """,
            id="conditional-else",
        ),
        pytest.param(
            """
            try:
                from google.generativeai.types import HarmCategory
            except ImportError:
                pass
            import google.generativeai as genai

            genai.configure(api_key="K")
            """,
            """
            try:
                pass
            except ImportError:
                pass
            from google import genai
            from google.genai import types

            client = genai.Client(api_key="K", http_options=types.HttpOptions(api_version="v1beta"))
            """,
            id="try-with-nothing-left",
        ),
        pytest.param(
            """
            import google.generativeai as genai
            import google.generativeai.types

            genai.configure(api_key="K")
            s = google.generativeai.types.GenerationConfig(temperature=1)
            print(genai.GenerativeModel("m", generation_config=s).generate_content("x").text)
            """,
            """
            from google import genai
            from google.genai import types

            client = genai.Client(api_key="K", http_options=types.HttpOptions(api_version="v1beta"))
            print(client.models.generate_content(
                model="m",
                contents="x",
                config=types.GenerateContentConfig(temperature=1),
            ).text)
            """,
            id="imports-both-package-names",
        ),
        pytest.param(
            """
            import google.generativeai as genai

            genai.configure(api_key="K")


            def ask(model: genai.GenerativeModel, question: str) -> str:
                return model.generate_content(question).text


            print(ask(genai.GenerativeModel("m"), "x"))
            """,
            """
            from google import genai
            from google.genai import types

            client = genai.Client(api_key="K", http_options=types.HttpOptions(api_version="v1beta"))


            def ask(model: str, question: str) -> str:
                return client.models.generate_content(model=model, contents=question).text


            print(ask("m", "x"))
            """,
            id="annotation-only",
        ),
        pytest.param(
            """
            import google.generativeai as genai

            genai.configure(api_key="K")


            def make() -> "genai.GenerativeModel":
                return genai.GenerativeModel("m")


            print(make().generate_content("x").text)
            """,
            """
            from google import genai
            from google.genai import types

            client = genai.Client(api_key="K", http_options=types.HttpOptions(api_version="v1beta"))


            def make() -> "str":
                return "m"


            print(client.models.generate_content(model=make(), contents="x").text)
            """,
            id="quoted-annotation",
        ),
        pytest.param(
            """
            from typing import TYPE_CHECKING

            if TYPE_CHECKING:
                from google.generativeai.types import GenerateContentResponse
            import google.generativeai as genai

            genai.configure(api_key="K")


            def show(r: "GenerateContentResponse") -> None:
                print(r.text)


            show(genai.GenerativeModel("m").generate_content("x"))
            """,
            """
            from typing import TYPE_CHECKING

            if TYPE_CHECKING:
                pass
            from google import genai
            from google.genai import types

            client = genai.Client(api_key="K", http_options=types.HttpOptions(api_version="v1beta"))


            def show(r: "types.GenerateContentResponse") -> None:
                print(r.text)


            show(client.models.generate_content(model="m", contents="x"))
            """,
            id="type-checking-first",
        ),
        pytest.param(
            """
            try:
                from google.generativeai.types import HarmCategory, HarmBlockThreshold
            except ImportError:
                HarmCategory = HarmBlockThreshold = None
            import google.generativeai as genai

            genai.configure(api_key="K")
            print(genai.GenerativeModel("m").generate_content("x").text)
            """,
            """
            try:
                pass
            except ImportError:
                HarmCategory = HarmBlockThreshold = None
            from google import genai
            from google.genai import types

            client = genai.Client(api_key="K", http_options=types.HttpOptions(api_version="v1beta"))
            print(client.models.generate_content(model="m", contents="x").text)
            """,
            id="guarded-types-first",
        ),
        pytest.param(
            """
            import sys

            if sys.version_info > (3, 8):
                import google.generativeai as genai
            else:
                from google import generativeai as genai

            genai.configure(api_key="K")
            """,
            """
            import sys

            if sys.version_info > (3, 8):
                from google import genai
                from google.genai import types
            else:
                from google import genai
                from google.genai import types

            client = genai.Client(api_key="K", http_options=types.HttpOptions(api_version="v1beta"))
            """,
            id="two-branches",
        ),
        pytest.param(
            """
            def load():
                global genai
                import google.generativeai as genai

                genai.configure(api_key="K")


            def ask(q):
                return genai.GenerativeModel("m").generate_content(q).text


            load()
            print(ask("x"))
            """,
            """
            def load():
                global client
                global genai
                from google import genai
                from google.genai import types

                client = genai.Client(
                    api_key="K",
                    http_options=types.HttpOptions(api_version="v1beta"),
                )


            def ask(q):
                return client.models.generate_content(model="m", contents=q).text


            load()
            print(ask("x"))
            """,
            id="global-import",
        ),
        pytest.param(
            """
            def ask(q):
                import google.generativeai as genai

                genai.configure(api_key="K")
                return genai.GenerativeModel("m").generate_content(q).text


            def safe(q):
                import google.generativeai as genai
                from google.generativeai.types import HarmCategory, HarmBlockThreshold

                genai.configure(api_key="K")
                settings = {HarmCategory.HARM_CATEGORY_HARASSMENT: HarmBlockThreshold.BLOCK_NONE}
                return genai.GenerativeModel("m", safety_settings=settings).generate_content(q).text


            print(ask("x"), safe("y"))
            """,
            """
            def ask(q):
                from google import genai
                from google.genai import types

                client = genai.Client(
                    api_key="K",
                    http_options=types.HttpOptions(api_version="v1beta"),
                )
                return client.models.generate_content(model="m", contents=q).text


            def safe(q):
                from google import genai
                from google.genai import types

                client = genai.Client(
                    api_key="K",
                    http_options=types.HttpOptions(api_version="v1beta"),
                )
                return client.models.generate_content(
                    model="m",
                    contents=q,
                    config=types.GenerateContentConfig(
                        safety_settings=[
                            types.SafetySetting(
                                category=types.HarmCategory.HARM_CATEGORY_HARASSMENT,
                                threshold=types.HarmBlockThreshold.BLOCK_NONE,
                            ),
                        ],
                    ),
                ).text


            print(ask("x"), safe("y"))
            """,
            id="two-functions-import",
        ),
        pytest.param(
            """
            import google.generativeai as genai

            genai.configure(api_key="K")


            def safe(q):
                from google.generativeai.types import HarmCategory, HarmBlockThreshold

                settings = {HarmCategory.HARM_CATEGORY_HARASSMENT: HarmBlockThreshold.BLOCK_NONE}
                return genai.GenerativeModel("m", safety_settings=settings).generate_content(q).text


            print(safe("y"))
            """,
            """
            from google import genai
            from google.genai import types

            client = genai.Client(api_key="K", http_options=types.HttpOptions(api_version="v1beta"))


            def safe(q):
                return client.models.generate_content(
                    model="m",
                    contents=q,
                    config=types.GenerateContentConfig(
                        safety_settings=[
                            types.SafetySetting(
                                category=types.HarmCategory.HARM_CATEGORY_HARASSMENT,
                                threshold=types.HarmBlockThreshold.BLOCK_NONE,
                            ),
                        ],
                    ),
                ).text


            print(safe("y"))
            """,
            id="module-and-function",
        ),
        pytest.param(
            """
            import os
            import google.generativeai as genai

            print(os.sep)
            """,
            """
            import os

            print(os.sep)
            """,
            id="unused-with-more",
        ),
        pytest.param(
            """
            def f():
                import google.generativeai as genai
                print(1)
            """,
            """
            def f():
                from google import genai
                print(1)
            """,
            id="unused-in-function",
        ),
        pytest.param(
            """
            def f():
                import google.generativeai as genai
            """,
            """
            def f():
                from google import genai
            """,
            id="only-statement-of-a-function",
        ),
        pytest.param(
            """
            import google.generativeai as genai

            genai.configure(api_key="K")
            print(genai.GenerativeModel("m").generate_content("x").text)
            del genai
            """,
            """
            from google import genai
            from google.genai import types

            client = genai.Client(api_key="K", http_options=types.HttpOptions(api_version="v1beta"))
            print(client.models.generate_content(model="m", contents="x").text)
            del genai
            """,
            id="deleted-name",
        ),
        pytest.param(
            """
            import google.generativeai as genai

            genai.configure(api_key="K")


            def ask(client, q):
                return client, genai.GenerativeModel("m").generate_content(q).text
            """,
            """
            from google import genai
            from google.genai import types

            genai_client = genai.Client(
                api_key="K",
                http_options=types.HttpOptions(api_version="v1beta"),
            )


            def ask(client, q):
                return client, genai_client.models.generate_content(model="m", contents=q).text
            """,
            id="client-name-taken-in-function",
        ),
        pytest.param(
            """
            import google.generativeai as genai

            genai.configure(api_key="K")


            def f(genai):
                return genai.upper()


            print(f("a"), genai.GenerativeModel("m").generate_content("x").text)
            """,
            """
            from google import genai as google_genai
            from google.genai import types

            client = google_genai.Client(
                api_key="K",
                http_options=types.HttpOptions(api_version="v1beta"),
            )


            def f(genai):
                return genai.upper()


            print(f("a"), client.models.generate_content(model="m", contents="x").text)
            """,
            id="genai-name-shadowed",
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
        pytest.param(
            """
            import google.generativeai as genai
            from google.generativeai.types import BlockedPromptException

            genai.configure(api_key="K")
            try:
                print(genai.GenerativeModel("m").generate_content("x").text)
            except BlockedPromptException:
                print("blocked")
            """,
            {"error_class_changed"},
            id="exception-types-module",
        ),
        pytest.param(
            """
            from unittest import mock

            with mock.patch("google.generativeai.GenerativeModel") as fake:
                fake.return_value = 1
            """,
            {"mock_target"},
            id="mock-target",
        ),
        pytest.param(
            """
            def setup():
                import google.generativeai as genai

                genai.configure(api_key="K")
                return genai


            genai = setup()
            print(genai.GenerativeModel("m").generate_content("x").text)
            """,
            {"usage_unmapped"},
            id="function-import-and-module-use",
        ),
        pytest.param(
            """
            import google.generativeai as genai

            print(genai.__version__)
            """,
            {"usage_unmapped"},
            id="printed-module",
        ),
        pytest.param(
            """
            import google.generativeai as genai


            def use(g):
                g.configure(api_key="K")
                return g.GenerativeModel("m").generate_content("x").text


            print(use(genai))
            """,
            {"usage_unmapped"},
            id="passed-module",
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
