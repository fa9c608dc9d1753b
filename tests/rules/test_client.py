"""The client: how it is made from the key that was configured, and what it is called."""

from __future__ import annotations

import pytest

from tests.support.port import clean, ported, refused


@pytest.mark.parametrize(
    ("before", "after"),
    [
        pytest.param(
            """
            import os

            import google.generativeai as genai

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
            id="key-from-environ",
        ),
        pytest.param(
            """
            import os

            import google.generativeai as genai

            genai.configure(api_key=os.getenv("KEY"))
            """,
            """
            import os

            from google import genai
            from google.genai import types

            client = genai.Client(
                api_key=os.getenv("KEY") or os.environ.get("GEMINI_API_KEY"),
                http_options=types.HttpOptions(api_version="v1beta"),
            )
            """,
            id="key-that-may-be-none",
        ),
        pytest.param(
            """
            import google.generativeai as genai

            genai.configure()
            """,
            """
            import os

            from google import genai
            from google.genai import types

            client = genai.Client(
                api_key=os.environ.get("GEMINI_API_KEY") or os.environ.get("GOOGLE_API_KEY"),
                http_options=types.HttpOptions(api_version="v1beta"),
            )
            """,
            id="bare",
        ),
        pytest.param(
            """
            import google.generativeai as genai

            genai.configure(api_key="K", transport="rest")
            """,
            """
            from google import genai
            from google.genai import types

            client = genai.Client(api_key="K", http_options=types.HttpOptions(api_version="v1beta"))
            """,
            id="transport-rest",
        ),
        pytest.param(
            """
            import google.generativeai as genai


            def main():
                genai.configure(api_key="K")
                print(genai.GenerativeModel("m").generate_content("x").text)


            if __name__ == "__main__":
                main()
            """,
            """
            from google import genai
            from google.genai import types


            def main():
                client = genai.Client(
                    api_key="K",
                    http_options=types.HttpOptions(api_version="v1beta"),
                )
                print(client.models.generate_content(model="m", contents="x").text)


            if __name__ == "__main__":
                main()
            """,
            id="in-main",
        ),
        pytest.param(
            '''
            import google.generativeai as genai


            def ask(question):
                return genai.GenerativeModel("m").generate_content(question).text


            def main():
                """Run."""
                genai.configure(api_key="K")
                print(ask("x"))


            main()
            ''',
            '''
            from google import genai
            from google.genai import types


            def ask(question):
                return client.models.generate_content(model="m", contents=question).text


            def main():
                """Run."""
                global client
                client = genai.Client(
                    api_key="K",
                    http_options=types.HttpOptions(api_version="v1beta"),
                )
                print(ask("x"))


            main()
            ''',
            id="in-main-used-elsewhere",
        ),
        pytest.param(
            """
            import os
            import google.generativeai as genai

            if os.environ.get("KEY"): genai.configure(api_key="K")
            """,
            """
            import os
            from google import genai
            from google.genai import types

            if os.environ.get("KEY"): client = genai.Client(
                api_key="K",
                http_options=types.HttpOptions(api_version="v1beta"),
            )
            """,
            id="one-line-if",
        ),
        pytest.param(
            """
            import google.generativeai as genai

            model = genai.GenerativeModel("m")
            print(model.generate_content("x").text)
            """,
            """
            import os

            from google import genai
            from google.genai import types

            client = genai.Client(
                api_key=os.environ.get("GEMINI_API_KEY") or os.environ.get("GOOGLE_API_KEY"),
                http_options=types.HttpOptions(api_version="v1beta"),
            )

            print(client.models.generate_content(model="m", contents="x").text)
            """,
            id="environment",
        ),
        pytest.param(
            """
            import os

            import google.generativeai as genai

            print(os.sep, genai.GenerativeModel("m").generate_content("x").text)
            """,
            """
            import os

            from google import genai
            from google.genai import types

            client = genai.Client(
                api_key=os.environ.get("GEMINI_API_KEY") or os.environ.get("GOOGLE_API_KEY"),
                http_options=types.HttpOptions(api_version="v1beta"),
            )

            print(os.sep, client.models.generate_content(model="m", contents="x").text)
            """,
            id="environment-with-os",
        ),
        pytest.param(
            """
            import google.generativeai as genai

            client = "customer"
            genai.configure(api_key="K")
            print(client, genai.GenerativeModel("m").generate_content("x").text)
            """,
            """
            from google import genai
            from google.genai import types

            client = "customer"
            genai_client = genai.Client(
                api_key="K",
                http_options=types.HttpOptions(api_version="v1beta"),
            )
            print(client, genai_client.models.generate_content(model="m", contents="x").text)
            """,
            id="client-taken",
        ),
        pytest.param(
            """
            import google.generativeai as genai

            client, genai_client = "a", "b"
            genai.configure(api_key="K")
            print(genai.GenerativeModel("m").generate_content("x").text)
            """,
            """
            from google import genai
            from google.genai import types

            client, genai_client = "a", "b"
            genai_client_2 = genai.Client(
                api_key="K",
                http_options=types.HttpOptions(api_version="v1beta"),
            )
            print(genai_client_2.models.generate_content(model="m", contents="x").text)
            """,
            id="both-names-taken",
        ),
        pytest.param(
            """
            import google.generativeai as genai

            genai.configure(api_key="A")
            print(genai.GenerativeModel("m").generate_content("x").text)
            genai.configure(api_key="B")
            print(genai.GenerativeModel("m").generate_content("x").text)
            """,
            """
            from google import genai
            from google.genai import types

            client = genai.Client(api_key="A", http_options=types.HttpOptions(api_version="v1beta"))
            print(client.models.generate_content(model="m", contents="x").text)
            client = genai.Client(api_key="B", http_options=types.HttpOptions(api_version="v1beta"))
            print(client.models.generate_content(model="m", contents="x").text)
            """,
            id="twice-different",
        ),
        pytest.param(
            """
            import google.generativeai as genai

            done = genai.configure(api_key="K")
            """,
            """
            from google import genai
            from google.genai import types

            done = genai.Client(api_key="K", http_options=types.HttpOptions(api_version="v1beta"))
            """,
            id="as-value",
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
            import google.generativeai as genai

            genai.configure("K")
            """,
            {"configure_kwargs_unsupported"},
            id="key-positional",
        ),
        pytest.param(
            """
            import google.generativeai as genai

            TRANSPORT = "rest"
            genai.configure(api_key="K", transport=TRANSPORT)
            """,
            {"configure_kwargs_unsupported"},
            id="transport-of-a-variable",
        ),
        pytest.param(
            """
            import google.generativeai as genai

            genai.configure(api_key="K", client_options={"api_endpoint": "http://localhost"})
            """,
            {"configure_kwargs_unsupported"},
            id="client-options",
        ),
        pytest.param(
            """
            import google.generativeai as genai

            genai.configure(api_key="K", default_metadata=[("x", "y")])
            """,
            {"configure_kwargs_unsupported"},
            id="default-metadata",
        ),
        pytest.param(
            """
            import google.generativeai as genai

            options = {"api_key": "K"}
            genai.configure(**options)
            """,
            {"configure_kwargs_unsupported"},
            id="star-kwargs",
        ),
    ],
)
def test_refused(before: str, codes: set[str]) -> None:
    assert refused(before) == codes
