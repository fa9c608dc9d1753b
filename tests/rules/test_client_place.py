"""The client: where it is made, and whether it is one."""

from __future__ import annotations

import pytest

from tests.support.port import clean, ported, refused


@pytest.mark.parametrize(
    ("before", "after"),
    [
        pytest.param(
            """
            import google.generativeai as genai


            class Bot:
                def __init__(self, key):
                    genai.configure(api_key=key)
                    self.model = genai.GenerativeModel("m")

                def ask(self, question):
                    return self.model.generate_content(question).text


            print(Bot("K").ask("x"))
            """,
            """
            from google import genai
            from google.genai import types


            class Bot:
                def __init__(self, key):
                    self.client = genai.Client(
                        api_key=key,
                        http_options=types.HttpOptions(api_version="v1beta"),
                    )

                def ask(self, question):
                    return self.client.models.generate_content(model="m", contents=question).text


            print(Bot("K").ask("x"))
            """,
            id="in-init",
        ),
        pytest.param(
            """
            import google.generativeai as genai


            class Bot:
                def __init__(self, key):
                    genai.configure(api_key=key)
                    self.client = "web"
                    self.model = genai.GenerativeModel("m")

                def ask(self, question):
                    return self.model.generate_content(question).text
            """,
            """
            from google import genai
            from google.genai import types


            class Bot:
                def __init__(self, key):
                    self.genai_client = genai.Client(
                        api_key=key,
                        http_options=types.HttpOptions(api_version="v1beta"),
                    )
                    self.client = "web"

                def ask(self, question):
                    return self.genai_client.models.generate_content(
                        model="m",
                        contents=question,
                    ).text
            """,
            id="in-init-self-client-taken",
        ),
        pytest.param(
            """
            import google.generativeai as genai


            class One:
                def __init__(self, key):
                    genai.configure(api_key=key)
                    self.model = genai.GenerativeModel("m")

                def ask(self, q):
                    return self.model.generate_content(q).text


            class Two:
                def __init__(self, key):
                    genai.configure(api_key=key)
                    self.model = genai.GenerativeModel("n")

                def ask(self, q):
                    return self.model.generate_content(q).text
            """,
            """
            from google import genai
            from google.genai import types


            class One:
                def __init__(self, key):
                    self.client = genai.Client(
                        api_key=key,
                        http_options=types.HttpOptions(api_version="v1beta"),
                    )

                def ask(self, q):
                    return self.client.models.generate_content(model="m", contents=q).text


            class Two:
                def __init__(self, key):
                    self.client = genai.Client(
                        api_key=key,
                        http_options=types.HttpOptions(api_version="v1beta"),
                    )

                def ask(self, q):
                    return self.client.models.generate_content(model="n", contents=q).text
            """,
            id="two-classes-configure-the-same",
        ),
        pytest.param(
            """
            import os

            import google.generativeai as genai

            if os.environ.get("A"):
                genai.configure(api_key="A")
            else:
                genai.configure(api_key="B")
            print(genai.GenerativeModel("m").generate_content("x").text)
            """,
            """
            import os

            from google import genai
            from google.genai import types

            if os.environ.get("A"):
                client = genai.Client(
                    api_key="A",
                    http_options=types.HttpOptions(api_version="v1beta"),
                )
            else:
                client = genai.Client(
                    api_key="B",
                    http_options=types.HttpOptions(api_version="v1beta"),
                )
            print(client.models.generate_content(model="m", contents="x").text)
            """,
            id="if-else",
        ),
        pytest.param(
            """
            import google.generativeai as genai

            genai.configure(api_key="K")
            genai.configure(api_key="K")
            print(genai.GenerativeModel("m").generate_content("x").text)
            """,
            """
            from google import genai
            from google.genai import types

            client = genai.Client(api_key="K", http_options=types.HttpOptions(api_version="v1beta"))
            client = genai.Client(api_key="K", http_options=types.HttpOptions(api_version="v1beta"))
            print(client.models.generate_content(model="m", contents="x").text)
            """,
            id="twice-the-same",
        ),
        pytest.param(
            """
            import google.generativeai as genai

            KEYS = ["A", "B"]
            for key in KEYS:
                genai.configure(api_key=key)
                print(genai.GenerativeModel("m").generate_content("x").text)
            """,
            """
            from google import genai
            from google.genai import types

            KEYS = ["A", "B"]
            for key in KEYS:
                client = genai.Client(
                    api_key=key,
                    http_options=types.HttpOptions(api_version="v1beta"),
                )
                print(client.models.generate_content(model="m", contents="x").text)
            """,
            id="rotating-keys",
        ),
        pytest.param(
            """
            import google.generativeai as genai

            try:
                genai.configure(api_key="K")
            except Exception as error:
                print(error)
            """,
            """
            from google import genai
            from google.genai import types

            try:
                client = genai.Client(
                    api_key="K",
                    http_options=types.HttpOptions(api_version="v1beta"),
                )
            except Exception as error:
                print(error)
            """,
            id="in-a-try",
        ),
        pytest.param(
            """
            import asyncio
            import google.generativeai as genai


            async def main():
                genai.configure(api_key="K")
                model = genai.GenerativeModel("m")
                print((await model.generate_content_async("x")).text)


            asyncio.run(main())
            """,
            """
            import asyncio
            from google import genai
            from google.genai import types


            async def main():
                client = genai.Client(
                    api_key="K",
                    http_options=types.HttpOptions(api_version="v1beta"),
                )
                print((await client.aio.models.generate_content(model="m", contents="x")).text)


            asyncio.run(main())
            """,
            id="in-async-main",
        ),
        pytest.param(
            """
            import google.generativeai as genai


            def outer():
                def setup():
                    genai.configure(api_key="K")

                setup()
                return genai.GenerativeModel("m").generate_content("x").text


            print(outer())
            """,
            """
            from google import genai
            from google.genai import types


            def outer():
                def setup():
                    global client
                    client = genai.Client(
                        api_key="K",
                        http_options=types.HttpOptions(api_version="v1beta"),
                    )

                setup()
                return client.models.generate_content(model="m", contents="x").text


            print(outer())
            """,
            id="in-nested-function",
        ),
        pytest.param(
            """
            import google.generativeai as genai


            def make(key):
                genai.configure(api_key=key)
                return genai.GenerativeModel("m")


            model = make("K")
            print(model.generate_content("x").text)
            """,
            """
            from google import genai
            from google.genai import types


            def make(key):
                global client
                client = genai.Client(
                    api_key=key,
                    http_options=types.HttpOptions(api_version="v1beta"),
                )
                return "m"


            model = make("K")
            print(client.models.generate_content(model=model, contents="x").text)
            """,
            id="returned-model",
        ),
        pytest.param(
            """
            import google.generativeai as genai


            def make(key):
                genai.configure(api_key=key)
                return genai.GenerativeModel("m").start_chat()


            chat = make("K")
            print(chat.send_message("x").text)
            """,
            """
            from google import genai
            from google.genai import types


            def make(key):
                global client
                client = genai.Client(
                    api_key=key,
                    http_options=types.HttpOptions(api_version="v1beta"),
                )
                return client.chats.create(model="m")


            chat = make("K")
            print(chat.send_message(message="x").text)
            """,
            id="returned-chat",
        ),
        pytest.param(
            """
            import os

            import google.generativeai as genai

            def even(n):
                genai.configure(api_key=os.environ["K"])
                odd(n)

            def odd(n):
                print(genai.GenerativeModel("m").generate_content(str(n)).text)
                if n:
                    even(n - 1)
            """,
            """
            import os

            from google import genai
            from google.genai import types

            def even(n):
                global client
                client = genai.Client(
                    api_key=os.environ["K"],
                    http_options=types.HttpOptions(api_version="v1beta"),
                )
                odd(n)

            def odd(n):
                print(client.models.generate_content(model="m", contents=str(n)).text)
                if n:
                    even(n - 1)
            """,
            id="called-by-what-it-calls",
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
            chat = model.start_chat()


            def main():
                genai.configure(api_key="K")
                print(chat.send_message("x").text)


            main()
            """,
            {"client_placement_ambiguous"},
            id="model-module-level-configure-in-main",
        ),
        pytest.param(
            """
            import google.generativeai as genai


            class Bot:
                def __init__(self, model):
                    self.chat = model.start_chat()

                def setup(self):
                    genai.configure(api_key="K")

                def ask(self, q):
                    return self.chat.send_message(q).text


            bot = Bot(genai.GenerativeModel("m"))
            bot.setup()
            print(bot.ask("x"))
            """,
            {"client_placement_ambiguous"},
            id="two-instances-module-chat",
        ),
    ],
)
def test_refused(before: str, codes: set[str]) -> None:
    assert refused(before) == codes
