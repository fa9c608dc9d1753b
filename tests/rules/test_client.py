"""The client: where it is made, what it is called, and when it would not be there in time."""

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
                api_key=os.getenv("KEY"),
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
            import google.generativeai as genai


            class Bot:
                @staticmethod
                def setup():
                    genai.configure(api_key="K")

                def ask(self, q):
                    return genai.GenerativeModel("m").generate_content(q).text


            Bot.setup()
            print(Bot().ask("x"))
            """,
            """
            from google import genai
            from google.genai import types


            class Bot:
                @staticmethod
                def setup():
                    global client
                    client = genai.Client(
                        api_key="K",
                        http_options=types.HttpOptions(api_version="v1beta"),
                    )

                def ask(self, q):
                    return client.models.generate_content(model="m", contents=q).text


            Bot.setup()
            print(Bot().ask("x"))
            """,
            id="static-method",
        ),
        pytest.param(
            """
            import google.generativeai as genai


            class Bot:
                @classmethod
                def setup(cls):
                    genai.configure(api_key="K")
                    cls.model = genai.GenerativeModel("m")

                def ask(self, q):
                    return self.model.generate_content(q).text


            Bot.setup()
            print(Bot().ask("x"))
            """,
            """
            from google import genai
            from google.genai import types


            class Bot:
                @classmethod
                def setup(cls):
                    global client
                    client = genai.Client(
                        api_key="K",
                        http_options=types.HttpOptions(api_version="v1beta"),
                    )

                def ask(self, q):
                    return client.models.generate_content(model="m", contents=q).text


            Bot.setup()
            print(Bot().ask("x"))
            """,
            id="class-method",
        ),
        pytest.param(
            """
            import google.generativeai as genai

            genai.configure(
                # from the vault
                api_key="K",  # never printed
            )
            """,
            """
            from google import genai
            from google.genai import types

            client = genai.Client(
                # from the vault
                api_key="K",  # never printed
                http_options=types.HttpOptions(api_version="v1beta"),
            )
            """,
            id="comment-inside",
        ),
        pytest.param(
            """
            import google.generativeai as genai

            model = None


            def setup():
                global model
                genai.configure(api_key="K")
                model = genai.GenerativeModel("m")


            setup()
            print(model.generate_content("x").text)
            """,
            """
            from google import genai
            from google.genai import types

            model = None


            def setup():
                global client
                global model
                client = genai.Client(
                    api_key="K",
                    http_options=types.HttpOptions(api_version="v1beta"),
                )
                model = "m"


            setup()
            print(client.models.generate_content(model=model, contents="x").text)
            """,
            id="global-statement-stands",
        ),
        pytest.param(
            """
            import google.generativeai as genai


            def answers(questions):
                genai.configure(api_key="K")
                model = genai.GenerativeModel("m")
                for q in questions:
                    yield model.generate_content(q).text


            print(list(answers(["x"])))
            """,
            """
            from google import genai
            from google.genai import types


            def answers(questions):
                client = genai.Client(
                    api_key="K",
                    http_options=types.HttpOptions(api_version="v1beta"),
                )
                for q in questions:
                    yield client.models.generate_content(model="m", contents=q).text


            print(list(answers(["x"])))
            """,
            id="generator",
        ),
        pytest.param(
            """
            import os
            import google.generativeai as genai


            def setup(key=os.environ.get("KEY")):
                genai.configure(api_key=key)


            setup()
            print(genai.GenerativeModel("m").generate_content("x").text)
            """,
            """
            import os
            from google import genai
            from google.genai import types


            def setup(key=os.environ.get("KEY")):
                global client
                client = genai.Client(
                    api_key=key,
                    http_options=types.HttpOptions(api_version="v1beta"),
                )


            setup()
            print(client.models.generate_content(model="m", contents="x").text)
            """,
            id="with-default-parameter",
        ),
        pytest.param(
            """
            import google.generativeai as genai


            def main():
                genai.configure(api_key="K")
                model = genai.GenerativeModel("m")
                ask = lambda q: model.generate_content(q).text
                print(ask("x"))


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
                ask = lambda q: client.models.generate_content(model="m", contents=q).text
                print(ask("x"))


            main()
            """,
            id="lambda-body-user",
        ),
        pytest.param(
            """
            import threading
            import google.generativeai as genai


            def main():
                genai.configure(api_key="K")
                model = genai.GenerativeModel("m")

                def work():
                    print(model.generate_content("x").text)

                t = threading.Thread(target=work)
                t.start()
                t.join()


            main()
            """,
            """
            import threading
            from google import genai
            from google.genai import types


            def main():
                client = genai.Client(
                    api_key="K",
                    http_options=types.HttpOptions(api_version="v1beta"),
                )

                def work():
                    print(client.models.generate_content(model="m", contents="x").text)

                t = threading.Thread(target=work)
                t.start()
                t.join()


            main()
            """,
            id="thread-user",
        ),
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
        pytest.param(
            """
            import google.generativeai as genai

            genai.configure(api_key="A")
            print(genai.GenerativeModel("m").generate_content("x").text)
            genai.configure(api_key="B")
            print(genai.GenerativeModel("m").generate_content("x").text)
            """,
            {"multiple_configure_calls"},
            id="twice-different",
        ),
        pytest.param(
            """
            import google.generativeai as genai

            done = genai.configure(api_key="K")
            """,
            {"configure_not_a_statement"},
            id="as-value",
        ),
        pytest.param(
            """
            import google.generativeai as genai


            def setup(): genai.configure(api_key="K")


            setup()
            print(genai.GenerativeModel("m").generate_content("x").text)
            """,
            {"configure_not_a_statement"},
            id="one-line-function",
        ),
        pytest.param(
            """
            import google.generativeai as genai

            setup = lambda key: genai.configure(api_key=key)
            setup("K")
            print(genai.GenerativeModel("m").generate_content("x").text)
            """,
            {"configure_not_a_statement"},
            id="in-lambda",
        ),
        pytest.param(
            """
            import os
            import google.generativeai as genai

            genai.configure(api_key="K") if os.environ.get("X") else None
            """,
            {"configure_not_a_statement"},
            id="conditional-expression",
        ),
        pytest.param(
            """
            import os
            import google.generativeai as genai

            key = os.environ.get("KEY")
            key and genai.configure(api_key=key)
            """,
            {"configure_not_a_statement"},
            id="and-expression",
        ),
        pytest.param(
            """
            import google.generativeai as genai


            class Bot:
                @property
                def model(self):
                    genai.configure(api_key="K")
                    return genai.GenerativeModel("m")

                def ask(self, q):
                    return self.model.generate_content(q).text


            print(Bot().ask("x"))
            """,
            {"client_placement_ambiguous"},
            id="property",
        ),
        pytest.param(
            """
            import google.generativeai as genai


            def get_model():
                genai.configure(api_key="K")
                return genai.GenerativeModel("m")


            def ask(q):
                return get_model().generate_content(q).text


            print(ask("x"))
            """,
            {"client_placement_ambiguous"},
            id="get-model-inline",
        ),
        pytest.param(
            """
            import google.generativeai as genai


            class Bot:
                def __init__(self):
                    self._model = None

                def _get(self):
                    if self._model is None:
                        genai.configure(api_key="K")
                        self._model = genai.GenerativeModel("m")
                    return self._model

                def ask(self, q):
                    return self._get().generate_content(q).text


            print(Bot().ask("x"))
            """,
            {"client_placement_ambiguous"},
            id="lazy-model",
        ),
        pytest.param(
            """
            from functools import lru_cache
            import google.generativeai as genai


            @lru_cache
            def get_model(name):
                genai.configure(api_key="K")
                return genai.GenerativeModel(name)


            print(get_model("m").generate_content("x").text)
            """,
            {"client_placement_ambiguous"},
            id="lru-cached",
        ),
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


            def get_model():
                genai.configure(api_key="K")
                return genai.GenerativeModel("m")


            def ask(q):
                return get_model().start_chat().send_message(q).text


            print(ask("x"))
            """,
            {"client_placement_ambiguous"},
            id="chat-inline",
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
            {"client_placement_ambiguous"},
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
            {"client_placement_ambiguous"},
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
            {"client_placement_ambiguous"},
            id="conditional-self",
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
