"""The client: which functions, classes and threads can read it."""

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
                    api_key=key or os.environ.get("GEMINI_API_KEY"),
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
    ],
)
def test_refused(before: str, codes: set[str]) -> None:
    assert refused(before) == codes
