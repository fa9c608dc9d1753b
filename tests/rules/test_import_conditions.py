"""Imports that depend: guarded, for type checking only, in a branch or in a function."""

from __future__ import annotations

import pytest

from tests.support.port import clean, ported


@pytest.mark.parametrize(
    ("before", "after"),
    [
        pytest.param(
            """
            try:
                import google.generativeai as genai
                IS_HERE = True
            except ImportError:
                IS_HERE = False
            """,
            """
            try:
                from google import genai
                IS_HERE = True
            except ImportError:
                IS_HERE = False
            """,
            id="only-tried",
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
            from typing import Optional

            import google.generativeai as genai

            genai.configure(api_key="K")


            class Desk:
                model: "Optional[genai.GenerativeModel]" = None
                talks: "dict[str, list[genai.ChatSession]]" = {}
                answers: list["genai.types.GenerateContentResponse"] = []

                def use(self, model: "genai.GenerativeModel | None" = None) -> None:
                    self.model = model or genai.GenerativeModel("m")

                def ask(self, q: str) -> "Optional[str]":
                    return self.model.generate_content(q).text


            desk = Desk()
            desk.use()
            print(desk.ask("x"))
            """,
            """
            from typing import Optional

            from google import genai
            from google.genai import chats, types

            client = genai.Client(api_key="K", http_options=types.HttpOptions(api_version="v1beta"))


            class Desk:
                model: "Optional[str]" = None
                talks: "dict[str, list[chats.Chat]]" = {}
                answers: list["types.GenerateContentResponse"] = []

                def use(self, model: "str | None" = None) -> None:
                    self.model = model or "m"

                def ask(self, q: str) -> "Optional[str]":
                    return client.models.generate_content(model=self.model, contents=q).text


            desk = Desk()
            desk.use()
            print(desk.ask("x"))
            """,
            id="quoted-annotations-of-more",
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
    ],
)
def test_ported(before: str, after: str) -> None:
    assert ported(before) == clean(after)
