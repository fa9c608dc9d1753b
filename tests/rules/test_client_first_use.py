"""The client: made on first use, beside the model it replaces."""

from __future__ import annotations

import pytest

from tests.support.port import clean, ported, refused


@pytest.mark.parametrize(
    ("before", "after"),
    [
        pytest.param(
            """
            import google.generativeai as genai


            def ask(q, key=None):
                if not key:
                    raise ValueError("no key")
                else:
                    genai.configure(api_key=key)
                return genai.GenerativeModel("m").generate_content(q).text


            print(ask("x", "K"))
            """,
            """
            from google import genai
            from google.genai import types


            def ask(q, key=None):
                if not key:
                    raise ValueError("no key")
                else:
                    client = genai.Client(
                        api_key=key,
                        http_options=types.HttpOptions(api_version="v1beta"),
                    )
                return client.models.generate_content(model="m", contents=q).text


            print(ask("x", "K"))
            """,
            id="else-raises",
        ),
        pytest.param(
            """
            import google.generativeai as genai


            def ask(q, key=None):
                if key:
                    genai.configure(api_key=key)
                    return genai.GenerativeModel("m").generate_content(q).text
                return "no key"


            print(ask("x", "K"))
            """,
            """
            from google import genai
            from google.genai import types


            def ask(q, key=None):
                if key:
                    client = genai.Client(
                        api_key=key,
                        http_options=types.HttpOptions(api_version="v1beta"),
                    )
                    return client.models.generate_content(model="m", contents=q).text
                return "no key"


            print(ask("x", "K"))
            """,
            id="inside",
        ),
        pytest.param(
            """
            import google.generativeai as genai


            def ask(q, key=None):
                if key:
                    genai.configure(api_key=key)
                return genai.GenerativeModel("m").generate_content(q).text


            print(ask("x", "K"))
            """,
            '''
            import os

            from google import genai
            from google.genai import types

            client: genai.Client | None = None


            def get_client() -> genai.Client:
                """The client configured last; before that, the one of the environment."""
                global client
                if client is None:
                    key = os.environ.get("GEMINI_API_KEY") or os.environ.get("GOOGLE_API_KEY")
                    client = genai.Client(
                        api_key=key,
                        http_options=types.HttpOptions(api_version="v1beta"),
                    )
                return client


            def ask(q, key=None):
                global client
                if key:
                    client = genai.Client(
                        api_key=key,
                        http_options=types.HttpOptions(api_version="v1beta"),
                    )
                return get_client().models.generate_content(model="m", contents=q).text


            print(ask("x", "K"))
            ''',
            id="conditional-local",
        ),
        pytest.param(
            """
            import google.generativeai as genai


            def ask(q, keys):
                for key in keys:
                    genai.configure(api_key=key)
                return genai.GenerativeModel("m").generate_content(q).text


            print(ask("x", "K"))
            """,
            '''
            import os

            from google import genai
            from google.genai import types

            client: genai.Client | None = None


            def get_client() -> genai.Client:
                """The client configured last; before that, the one of the environment."""
                global client
                if client is None:
                    key = os.environ.get("GEMINI_API_KEY") or os.environ.get("GOOGLE_API_KEY")
                    client = genai.Client(
                        api_key=key,
                        http_options=types.HttpOptions(api_version="v1beta"),
                    )
                return client


            def ask(q, keys):
                global client
                for key in keys:
                    client = genai.Client(
                        api_key=key,
                        http_options=types.HttpOptions(api_version="v1beta"),
                    )
                return get_client().models.generate_content(model="m", contents=q).text


            print(ask("x", "K"))
            ''',
            id="conditional-in-loop",
        ),
        pytest.param(
            """
            import google.generativeai as genai


            class Bot:
                def __init__(self, key=None):
                    if key is not None:
                        genai.configure(api_key=key)
                    self.model = genai.GenerativeModel("m")

                def ask(self, q):
                    return self.model.generate_content(q).text


            print(Bot().ask("x"))
            """,
            '''
            import os

            from google import genai
            from google.genai import types

            client: genai.Client | None = None


            def get_client() -> genai.Client:
                """The client configured last; before that, the one of the environment."""
                global client
                if client is None:
                    key = os.environ.get("GEMINI_API_KEY") or os.environ.get("GOOGLE_API_KEY")
                    client = genai.Client(
                        api_key=key,
                        http_options=types.HttpOptions(api_version="v1beta"),
                    )
                return client


            class Bot:
                def __init__(self, key=None):
                    global client
                    if key is not None:
                        client = genai.Client(
                            api_key=key,
                            http_options=types.HttpOptions(api_version="v1beta"),
                        )

                def ask(self, q):
                    return get_client().models.generate_content(model="m", contents=q).text


            print(Bot().ask("x"))
            ''',
            id="conditional-self",
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

            model = genai.GenerativeModel("m")


            def prompt():
                genai.configure(api_key="K")
                return "x"


            print(model.generate_content(prompt()).text)
            """,
            {"client_placement_ambiguous"},
            id="argument-configures",
        ),
        pytest.param(
            """
            import google.generativeai as genai


            def ask(q, key=None):
                model = genai.GenerativeModel("m")
                chat = model.start_chat()
                genai.configure(api_key=key)
                return chat.send_message(q).text


            print(ask("x", "K"))
            """,
            {"client_placement_ambiguous"},
            id="used-before",
        ),
        pytest.param(
            """
            import google.generativeai as genai

            chat = genai.GenerativeModel("m").start_chat()
            genai.configure(api_key="K")
            print(chat.send_message("x").text)
            """,
            {"client_placement_ambiguous"},
            id="module-used-before",
        ),
        pytest.param(
            """
            import google.generativeai as genai


            class Bot:
                def __init__(self):
                    self.chat = genai.GenerativeModel("m").start_chat()
                    genai.configure(api_key="K")

                def ask(self, q):
                    return self.chat.send_message(q).text


            print(Bot().ask("x"))
            """,
            {"client_placement_ambiguous"},
            id="self-used-before",
        ),
    ],
)
def test_refused(before: str, codes: set[str]) -> None:
    assert refused(before) == codes
