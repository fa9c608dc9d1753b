"""Names that imports take or give: shadowed, deleted, unused, taken already."""

from __future__ import annotations

import pytest

from tests.support.port import clean, ported, whole_ported


@pytest.mark.parametrize(
    ("before", "after"),
    [
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
            import google.generativeai as genai
            """,
            """
            """,
            id="unused",
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


def test_annotations_of_contents_and_of_the_models_follow() -> None:
    after = whole_ported(
        """
        import google.generativeai as genai
        from google.generativeai.types import ContentType, ModelsIterable

        genai.configure(api_key="K")
        models: ModelsIterable = genai.list_models()

        def show(content: ContentType) -> None:
            print(content, models)
        """
    )
    assert "from google.genai import pagers, types\n" in after
    assert "models: pagers.Pager = client.models.list()\n" in after
    assert "def show(content: types.ContentUnion) -> None:\n" in after
