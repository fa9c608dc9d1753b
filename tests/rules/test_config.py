"""The configuration: read from what the author wrote, restated where it is needed."""

from __future__ import annotations

import pytest

from tests.support.port import clean, ported, refused


@pytest.mark.parametrize(
    ("before", "after"),
    [
        pytest.param(
            """
            model = genai.GenerativeModel("m", generation_config={"temperature": 0, "top_p": 1})
            print(model.generate_content("x").text)
            """,
            """
            print(client.models.generate_content(
                model="m",
                contents="x",
                config=types.GenerateContentConfig(temperature=0, top_p=1),
            ).text)
            """,
            id="literal",
        ),
        pytest.param(
            """
            config = genai.GenerationConfig(temperature=0)
            model = genai.GenerativeModel("m", generation_config=config)
            print(model.generate_content("x").text)
            """,
            """
            print(client.models.generate_content(
                model="m",
                contents="x",
                config=types.GenerateContentConfig(temperature=0),
            ).text)
            """,
            id="object-",
        ),
        pytest.param(
            """
            config = genai.types.GenerationConfig(temperature=0, stop_sequences=["."])
            print(genai.GenerativeModel("m").generate_content("x", generation_config=config).text)
            """,
            """
            print(client.models.generate_content(
                model="m",
                contents="x",
                config=types.GenerateContentConfig(temperature=0, stop_sequences=["."]),
            ).text)
            """,
            id="types-object",
        ),
        pytest.param(
            """
            model = genai.GenerativeModel("m", None, {"temperature": 0})
            print(model.generate_content("x").text)
            """,
            """
            print(client.models.generate_content(
                model="m",
                contents="x",
                config=types.GenerateContentConfig(temperature=0),
            ).text)
            """,
            id="positional",
        ),
        pytest.param(
            """
            config = {"temperature": 0}
            model = genai.GenerativeModel("m", generation_config=config)
            print(model.generate_content("x").text)
            """,
            """
            print(client.models.generate_content(
                model="m",
                contents="x",
                config=types.GenerateContentConfig(temperature=0),
            ).text)
            """,
            id="variable-that-goes",
        ),
        pytest.param(
            """
            config = {"temperature": 0}
            model = genai.GenerativeModel("m", generation_config=config)
            print(model.generate_content("x").text, config)
            """,
            """
            config = {"temperature": 0}
            print(client.models.generate_content(
                model="m",
                contents="x",
                config=types.GenerateContentConfig(temperature=0),
            ).text, config)
            """,
            id="variable-that-is-read-elsewhere",
        ),
        pytest.param(
            """
            model = genai.GenerativeModel("m", generation_config={"temperature": 1, "top_p": 1})
            print(model.generate_content("x", generation_config={"top_p": 0, "top_k": 1}).text)
            """,
            """
            print(client.models.generate_content(
                model="m",
                contents="x",
                config=types.GenerateContentConfig(temperature=1, top_p=0, top_k=1),
            ).text)
            """,
            id="merged-by-the-call",
        ),
        pytest.param(
            """
            model = genai.GenerativeModel("m", generation_config=None, safety_settings=None)
            print(model.generate_content("x").text)
            """,
            """
            print(client.models.generate_content(model="m", contents="x").text)
            """,
            id="none-",
        ),
        pytest.param(
            """
            model = genai.GenerativeModel("m", generation_config={}, safety_settings={})
            print(model.generate_content("x").text)
            """,
            """
            print(client.models.generate_content(model="m", contents="x").text)
            """,
            id="empty",
        ),
        pytest.param(
            """
            base = {"temperature": 0}
            model = genai.GenerativeModel("m", generation_config={**base, "top_k": 1})
            print(model.generate_content("x").text)
            """,
            """
            print(client.models.generate_content(
                model="m",
                contents="x",
                config=types.GenerateContentConfig(temperature=0, top_k=1),
            ).text)
            """,
            id="unpacked",
        ),
        pytest.param(
            """
            model = genai.GenerativeModel("m", generation_config=dict(temperature=0))
            print(model.generate_content("x").text)
            """,
            """
            print(client.models.generate_content(
                model="m",
                contents="x",
                config=types.GenerateContentConfig(temperature=0),
            ).text)
            """,
            id="dict-call",
        ),
        pytest.param(
            """
            def config():
                return {"temperature": 0}


            print(genai.GenerativeModel("m", generation_config=config()).generate_content("x").text)
            """,
            """
            def config():
                return {"temperature": 0}


            print(client.models.generate_content(
                model="m",
                contents="x",
                config=types.GenerateContentConfig(temperature=0),
            ).text)
            """,
            id="returned",
        ),
        pytest.param(
            """
            class Settings:
                CONFIG = {"temperature": 0}


            model = genai.GenerativeModel("m", generation_config=Settings.CONFIG)
            print(model.generate_content("x").text)
            """,
            """
            class Settings:
                CONFIG = {"temperature": 0}


            print(client.models.generate_content(
                model="m",
                contents="x",
                config=types.GenerateContentConfig(temperature=0),
            ).text)
            """,
            id="class-constant",
        ),
        pytest.param(
            """
            CONFIG = {"temperature": 0}


            def ask(q):
                model = genai.GenerativeModel("m", generation_config=CONFIG)
                return model.generate_content(q).text
            """,
            """
            def ask(q):
                return client.models.generate_content(
                    model="m",
                    contents=q,
                    config=types.GenerateContentConfig(temperature=0),
                ).text
            """,
            id="module-constant-in-a-function",
        ),
        pytest.param(
            """
            class Bot:
                def __init__(self):
                    self.config = {"temperature": 0}
                    self.model = genai.GenerativeModel("m", generation_config=self.config)

                def ask(self, q):
                    return self.model.generate_content(q).text
            """,
            """
            class Bot:
                def __init__(self):
                    pass

                def ask(self, q):
                    return client.models.generate_content(
                        model="m",
                        contents=q,
                        config=types.GenerateContentConfig(temperature=0),
                    ).text
            """,
            id="self-config",
        ),
        pytest.param(
            """
            class Bot:
                def __init__(self):
                    self.config = {"temperature": 0}

                def ask(self, q):
                    model = genai.GenerativeModel("m")
                    return model.generate_content(q, generation_config=self.config).text

                def warm(self):
                    self.config["temperature"] = 1
            """,
            """
            class Bot:
                def __init__(self):
                    self.config = {"temperature": 0}

                def ask(self, q):
                    return client.models.generate_content(
                        model="m",
                        contents=q,
                        config=types.GenerateContentConfig(**self.config),
                    ).text

                def warm(self):
                    self.config["temperature"] = 1
            """,
            id="self-config-per-call",
        ),
        pytest.param(
            """
            def ask(q, heat=0.5, limit=None):
                config = {"temperature": heat, "max_output_tokens": limit}
                return genai.GenerativeModel("m").generate_content(q, generation_config=config).text
            """,
            """
            def ask(q, heat=0.5, limit=None):
                return client.models.generate_content(
                    model="m",
                    contents=q,
                    config=types.GenerateContentConfig(temperature=heat, max_output_tokens=limit),
                ).text
            """,
            id="parameter-values",
        ),
        pytest.param(
            """
            config = {"response_mime_type": "application/json"}
            model = genai.GenerativeModel("m", generation_config=config)
            print(model.generate_content("x").text)
            """,
            """
            print(client.models.generate_content(
                model="m",
                contents="x",
                config=types.GenerateContentConfig(response_mime_type="application/json"),
            ).text)
            """,
            id="response-mime-type",
        ),
        pytest.param(
            """
            schema = {"type": "object", "properties": {"a": {"type": "string"}}}
            config = {"response_mime_type": "application/json", "response_schema": schema}
            model = genai.GenerativeModel("m", generation_config=config)
            print(model.generate_content("x").text)
            """,
            """
            schema = {"type": "object", "properties": {"a": {"type": "string"}}}
            print(client.models.generate_content(
                model="m",
                contents="x",
                config=types.GenerateContentConfig(
                    response_mime_type="application/json",
                    response_schema=schema,
                ),
            ).text)
            """,
            id="response-schema-dict",
        ),
        pytest.param(
            """
            import typing_extensions as typing


            class Recipe(typing.TypedDict):
                name: str


            model = genai.GenerativeModel("m")
            config = {"response_mime_type": "application/json", "response_schema": list[Recipe]}
            print(model.generate_content("x", generation_config=config).text)
            """,
            """
            import typing_extensions as typing


            class Recipe(typing.TypedDict):
                name: str


            config = {"response_mime_type": "application/json", "response_schema": list[Recipe]}
            print(client.models.generate_content(
                model="m",
                contents="x",
                config=types.GenerateContentConfig(**config),
            ).text)
            """,
            id="response-schema-typed-dict",
        ),
        pytest.param(
            """
            model = genai.GenerativeModel("m")
            config = {"response_mime_type": "application/json", "response_schema": list[str]}
            print(model.generate_content("x", generation_config=config).text)
            """,
            """
            config = {"response_mime_type": "application/json", "response_schema": list[str]}
            print(client.models.generate_content(
                model="m",
                contents="x",
                config=types.GenerateContentConfig(**config),
            ).text)
            """,
            id="response-schema-generic",
        ),
        pytest.param(
            """
            model = genai.GenerativeModel("m")
            r = model.generate_content("x", generation_config={"candidate_count": 1})
            print(r.text)
            """,
            """
            r = client.models.generate_content(
                model="m",
                contents="x",
                config=types.GenerateContentConfig(candidate_count=1),
            )
            print(r.text)
            """,
            id="candidate-count",
        ),
        pytest.param(
            """
            model = genai.GenerativeModel("m", generation_config={"stop_sequences": ("a", "b")})
            print(model.generate_content("x").text)
            """,
            """
            print(client.models.generate_content(
                model="m",
                contents="x",
                config=types.GenerateContentConfig(stop_sequences=("a", "b")),
            ).text)
            """,
            id="tuple-stop-sequences",
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
            model = genai.GenerativeModel("m", generation_config={"temprature": 0})
            print(model.generate_content("x").text)
            """,
            {"generation_config_not_static"},
            id="unknown-key",
        ),
        pytest.param(
            """
            model = genai.GenerativeModel("m", generation_config={"maxOutputTokens": 5})
            print(model.generate_content("x").text)
            """,
            {"generation_config_not_static"},
            id="camel-case-key",
        ),
        pytest.param(
            """
            def ask(config):
                model = genai.GenerativeModel("m", generation_config=config)
                return model.generate_content("x").text
            """,
            {"generation_config_not_static"},
            id="of-a-parameter",
        ),
    ],
)
def test_refused(before: str, codes: set[str]) -> None:
    assert refused(before) == codes
