"""The client: what keeps it alive, and where it cannot be held."""

from __future__ import annotations

import pytest

from tests.support.port import clean, ported, refused


@pytest.mark.parametrize(
    ("before", "after"),
    [
        pytest.param(
            """
            from dataclasses import dataclass

            import google.generativeai as genai


            @dataclass(frozen=True)
            class Bot:
                name: str

                def ask(self, q):
                    genai.configure(api_key="K")
                    model = genai.GenerativeModel(self.name)
                    return model.generate_content(q).text


            print(Bot("m").ask("x"))
            """,
            """
            from dataclasses import dataclass

            from google import genai
            from google.genai import types


            @dataclass(frozen=True)
            class Bot:
                name: str

                def ask(self, q):
                    client = genai.Client(
                        api_key="K",
                        http_options=types.HttpOptions(api_version="v1beta"),
                    )
                    model = self.name
                    return client.models.generate_content(model=model, contents=q).text


            print(Bot("m").ask("x"))
            """,
            id="frozen-dataclass",
        ),
        pytest.param(
            """
            import google.generativeai as genai


            def make():
                genai.configure(api_key="K")
                chat = genai.GenerativeModel("m").start_chat()
                return lambda q: chat.send_message(q).text


            say = make()
            print(say("x"), say("y"))
            """,
            """
            from google import genai
            from google.genai import types


            def make():
                global client
                client = genai.Client(
                    api_key="K",
                    http_options=types.HttpOptions(api_version="v1beta"),
                )
                chat = client.chats.create(model="m")
                return lambda q: chat.send_message(message=q).text


            say = make()
            print(say("x"), say("y"))
            """,
            id="lambda-returned-chat",
        ),
        pytest.param(
            """
            import google.generativeai as genai


            def make():
                genai.configure(api_key="K")
                model = genai.GenerativeModel("m")

                def ask(q):
                    return model.generate_content(q).text

                return ask


            print(make()("x"))
            """,
            """
            from google import genai
            from google.genai import types


            def make():
                client = genai.Client(
                    api_key="K",
                    http_options=types.HttpOptions(api_version="v1beta"),
                )

                def ask(q):
                    return client.models.generate_content(model="m", contents=q).text

                return ask


            print(make()("x"))
            """,
            id="closure-returned",
        ),
        pytest.param(
            """
            import google.generativeai as genai


            class Bot:
                def __init__(self):
                    self._setup()
                    self.chat = genai.GenerativeModel("m").start_chat()

                def _setup(self):
                    genai.configure(api_key="K")

                def say(self, q):
                    return self.chat.send_message(q).text


            print(Bot().say("x"))
            """,
            """
            from google import genai
            from google.genai import types


            class Bot:
                def __init__(self):
                    self._setup()
                    self.chat = self.client.chats.create(model="m")

                def _setup(self):
                    self.client = genai.Client(
                        api_key="K",
                        http_options=types.HttpOptions(api_version="v1beta"),
                    )

                def say(self, q):
                    return self.chat.send_message(message=q).text


            print(Bot().say("x"))
            """,
            id="init-helper",
        ),
        pytest.param(
            """
            import google.generativeai as genai


            class Base:
                def __init__(self):
                    genai.configure(api_key="K")


            class Bot(Base):
                def __init__(self):
                    super().__init__()
                    self.model = genai.GenerativeModel("m")

                def ask(self, q):
                    return self.model.generate_content(q).text


            print(Bot().ask("x"))
            """,
            """
            from google import genai
            from google.genai import types


            class Base:
                def __init__(self):
                    self.client = genai.Client(
                        api_key="K",
                        http_options=types.HttpOptions(api_version="v1beta"),
                    )


            class Bot(Base):
                def __init__(self):
                    super().__init__()

                def ask(self, q):
                    return self.client.models.generate_content(model="m", contents=q).text


            print(Bot().ask("x"))
            """,
            id="subclass-configures",
        ),
        pytest.param(
            """
            import google.generativeai as genai


            class Configured:
                def setup(self):
                    genai.configure(api_key="K")


            class Asking:
                def ask(self, q):
                    return genai.GenerativeModel("m").generate_content(q).text


            class Bot(Configured, Asking):
                pass


            b = Bot()
            b.setup()
            print(b.ask("x"))
            """,
            """
            from google import genai
            from google.genai import types


            class Configured:
                def setup(self):
                    global client
                    client = genai.Client(
                        api_key="K",
                        http_options=types.HttpOptions(api_version="v1beta"),
                    )


            class Asking:
                def ask(self, q):
                    return client.models.generate_content(model="m", contents=q).text


            class Bot(Configured, Asking):
                pass


            b = Bot()
            b.setup()
            print(b.ask("x"))
            """,
            id="mixin",
        ),
        pytest.param(
            """
            import google.generativeai as genai

            DEBUG = False
            if DEBUG:
                def setup():
                    genai.configure(api_key="D")
            else:
                def setup():
                    genai.configure(api_key="K")

            setup()
            print(genai.GenerativeModel("m").generate_content("x").text)
            """,
            """
            from google import genai
            from google.genai import types

            DEBUG = False
            if DEBUG:
                def setup():
                    global client
                    client = genai.Client(
                        api_key="D",
                        http_options=types.HttpOptions(api_version="v1beta"),
                    )
            else:
                def setup():
                    global client
                    client = genai.Client(
                        api_key="K",
                        http_options=types.HttpOptions(api_version="v1beta"),
                    )

            setup()
            print(client.models.generate_content(model="m", contents="x").text)
            """,
            id="conditional-function",
        ),
        pytest.param(
            """
            import google.generativeai as genai


            def setup():
                genai.configure(api_key="K")


            setup()
            chat = genai.GenerativeModel("m").start_chat()
            print(chat.send_message("x").text)
            setup()
            print(chat.send_message("y").text)
            """,
            '''
            import functools

            from google import genai
            from google.genai import types


            @functools.cache
            def client_for(api_key: str | None) -> genai.Client:
                """The client of a key, kept: what it made would stop if it were closed."""
                return genai.Client(
                    api_key=api_key,
                    http_options=types.HttpOptions(api_version="v1beta"),
                )


            def setup():
                global client
                client = client_for("K")


            setup()
            chat = client.chats.create(model="m")
            print(chat.send_message(message="x").text)
            setup()
            print(chat.send_message(message="y").text)
            ''',
            id="reconfigured-same-chat",
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


            class Bot:
                client = None
                genai.configure(api_key="K")

                def ask(self, q):
                    return genai.GenerativeModel("m").generate_content(q).text


            print(Bot().ask("x"))
            """,
            {"client_placement_ambiguous"},
            id="pydantic-style-class",
        ),
        pytest.param(
            """
            import google.generativeai as genai


            class Bot:
                genai.configure(api_key="K")
                model = genai.GenerativeModel("m")

                def ask(self, q):
                    return self.model.generate_content(q).text


            print(Bot().ask("x"))
            """,
            {"client_placement_ambiguous"},
            id="class-body",
        ),
        pytest.param(
            """
            class Bot:
                import google.generativeai as genai

                genai.configure(api_key="K")

                def ask(self, q):
                    return self.genai.GenerativeModel("m").generate_content(q).text


            print(Bot().ask("x"))
            """,
            {"client_placement_ambiguous"},
            id="class-body-import",
        ),
        pytest.param(
            """
            import asyncio
            import google.generativeai as genai


            def ask(key, q):
                genai.configure(api_key=key)
                model = genai.GenerativeModel("m")
                return asyncio.run(answer(model, q))


            async def answer(model, q):
                chat = model.start_chat()
                print(chat.send_message(q).text)
                return await model.generate_content_async(q), chat


            print(ask("K", "x"), ask("L", "y"))
            """,
            {"client_placement_ambiguous"},
            id="kept-for-several-event-loops",
        ),
    ],
)
def test_refused(before: str, codes: set[str]) -> None:
    assert refused(before) == codes
