"""The configuration: read from what the author wrote, restated as one object."""

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
            config = {"temperature": 0}
            config["temperature"] = 1
            model = genai.GenerativeModel("m", generation_config=config)
            print(model.generate_content("x").text)
            """,
            """
            config = {"temperature": 0}
            config["temperature"] = 1
            model = "m"
            model_config = types.GenerateContentConfig(**config)
            print(client.models.generate_content(
                model=model,
                contents="x",
                config=model_config,
            ).text)
            """,
            id="changed-before",
        ),
        pytest.param(
            """
            config = {"temperature": 0}
            model = genai.GenerativeModel("m", generation_config=config)
            config["temperature"] = 1
            print(model.generate_content("x").text)
            """,
            """
            config = {"temperature": 0}
            model = "m"
            model_config = types.GenerateContentConfig(**config)
            config["temperature"] = 1
            print(client.models.generate_content(
                model=model,
                contents="x",
                config=model_config,
            ).text)
            """,
            id="changed-after",
        ),
        pytest.param(
            """
            config = {"temperature": 0}
            config.update(top_k=1)
            model = genai.GenerativeModel("m", generation_config=config)
            print(model.generate_content("x").text)
            """,
            """
            config = {"temperature": 0}
            config.update(top_k=1)
            model = "m"
            model_config = types.GenerateContentConfig(**config)
            print(client.models.generate_content(
                model=model,
                contents="x",
                config=model_config,
            ).text)
            """,
            id="updated",
        ),
        pytest.param(
            """
            def ask(config):
                model = genai.GenerativeModel("m", generation_config=config)
                return model.generate_content("x").text


            print(ask({"temperature": 0}))
            """,
            """
            def ask(config):
                return client.models.generate_content(
                    model="m",
                    contents="x",
                    config=types.GenerateContentConfig(temperature=0),
                ).text


            print(ask({"temperature": 0}))
            """,
            id="parameter-called-with-a-literal",
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
        pytest.param(
            """
            import os

            config = {"temperature": float(os.getenv("HEAT", "0"))}
            model = genai.GenerativeModel("m", generation_config=config)
            print(model.generate_content("x").text)
            """,
            """
            import os

            config = {"temperature": float(os.getenv("HEAT", "0"))}
            model = "m"
            model_config = types.GenerateContentConfig(**config)
            print(client.models.generate_content(
                model=model,
                contents="x",
                config=model_config,
            ).text)
            """,
            id="from-environment",
        ),
        pytest.param(
            """
            def show(n):
                print(n)
                return n


            model = genai.GenerativeModel("m", generation_config={"temperature": show(0)})
            print(model.generate_content("x", generation_config={"temperature": show(1)}).text)
            """,
            """
            def show(n):
                print(n)
                return n


            model = "m"
            model_config = types.GenerateContentConfig(temperature=show(0))
            print(client.models.generate_content(
                model=model,
                contents="x",
                config=model_config.model_copy(update={"temperature": show(1)}),
            ).text)
            """,
            id="effect-order",
        ),
        pytest.param(
            """
            config = {"temperature": 0}
            one = genai.GenerativeModel("m", generation_config=config)
            two = genai.GenerativeModel("n", generation_config=config)
            print(one.generate_content("x").text, two.generate_content("x").text)
            """,
            """
            print(client.models.generate_content(
                model="m",
                contents="x",
                config=types.GenerateContentConfig(temperature=0),
            ).text, client.models.generate_content(
                model="n",
                contents="x",
                config=types.GenerateContentConfig(temperature=0),
            ).text)
            """,
            id="two-models-share-a-config",
        ),
        pytest.param(
            """
            config = {
                # calm
                "temperature": 0,
                "top_k": 1,  # one
            }
            model = genai.GenerativeModel("m", generation_config=config)
            print(model.generate_content("x").text)
            """,
            """
            # calm
            # one
            print(client.models.generate_content(
                model="m",
                contents="x",
                config=types.GenerateContentConfig(
                    temperature=0,
                    top_k=1,
                ),
            ).text)
            """,
            id="comments-in-the-literal",
        ),
        pytest.param(
            """
            for heat in (0, 1):
                config = {"temperature": heat}
                model = genai.GenerativeModel("m", generation_config=config)
                print(model.generate_content("x").text)
            """,
            """
            for heat in (0, 1):
                config = {"temperature": heat}
                model = "m"
                model_config = types.GenerateContentConfig(**config)
                print(client.models.generate_content(
                    model=model,
                    contents="x",
                    config=model_config,
                ).text)
            """,
            id="config-in-a-loop",
        ),
        pytest.param(
            """
            model = genai.GenerativeModel("m")
            for config in ({"temperature": 0}, {"temperature": 1}):
                print(model.generate_content("x", generation_config=config).text)
            """,
            """
            for config in ({"temperature": 0}, {"temperature": 1}):
                print(client.models.generate_content(
                    model="m",
                    contents="x",
                    config=types.GenerateContentConfig(**config),
                ).text)
            """,
            id="config-of-the-loop",
        ),
        pytest.param(
            """
            base = {"temperature": 0}
            config = base.copy()
            config["top_k"] = 1
            print(genai.GenerativeModel("m").generate_content("x", generation_config=config).text)
            """,
            """
            base = {"temperature": 0}
            config = base.copy()
            config["top_k"] = 1
            print(client.models.generate_content(
                model="m",
                contents="x",
                config=types.GenerateContentConfig(**config),
            ).text)
            """,
            id="copied",
        ),
        pytest.param(
            """
            base = {"temperature": 0}
            model = genai.GenerativeModel("m", generation_config=base | {"top_k": 1})
            print(model.generate_content("x").text)
            """,
            """
            base = {"temperature": 0}
            model = "m"
            model_config = types.GenerateContentConfig(**base | {"top_k": 1})
            print(client.models.generate_content(
                model=model,
                contents="x",
                config=model_config,
            ).text)
            """,
            id="union",
        ),
        pytest.param(
            """
            CONFIG = {"temperature": 0}


            def warm():
                global CONFIG
                CONFIG = {"temperature": 1}


            def ask(q):
                return genai.GenerativeModel("m", generation_config=CONFIG).generate_content(q).text
            """,
            """
            CONFIG = {"temperature": 0}


            def warm():
                global CONFIG
                CONFIG = {"temperature": 1}


            def ask(q):
                return client.models.generate_content(
                    model="m",
                    contents=q,
                    config=types.GenerateContentConfig(**CONFIG),
                ).text
            """,
            id="globals-rebound",
        ),
        pytest.param(
            """
            model = genai.GenerativeModel("m", system_instruction=None)
            print(model.generate_content("x").text)
            """,
            """
            print(client.models.generate_content(model="m", contents="x").text)
            """,
            id="system-instruction-none",
        ),
        pytest.param(
            """
            def ask(instruction, q):
                model = genai.GenerativeModel("m", system_instruction=instruction)
                return model.generate_content(q).text
            """,
            """
            def ask(instruction, q):
                return client.models.generate_content(
                    model="m",
                    contents=q,
                    config=types.GenerateContentConfig(system_instruction=instruction),
                ).text
            """,
            id="system-instruction-of-a-parameter",
        ),
        pytest.param(
            """
            name = input()
            model = genai.GenerativeModel("m", system_instruction=f"You are {name}.")
            print(model.generate_content("x").text)
            """,
            """
            name = input()
            print(client.models.generate_content(
                model="m",
                contents="x",
                config=types.GenerateContentConfig(system_instruction=f"You are {name}."),
            ).text)
            """,
            id="system-instruction-f-string",
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
            key = "temperature"
            model = genai.GenerativeModel("m", generation_config={key: 0})
            print(model.generate_content("x").text)
            """,
            {"generation_config_not_static"},
            id="key-of-a-variable",
        ),
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
            base = {"temperature": 0}
            config = genai.GenerationConfig(**base)
            model = genai.GenerativeModel("m", generation_config=config)
            print(model.generate_content("x").text)
            """,
            {"generation_config_not_static"},
            id="unpacked-object",
        ),
        pytest.param(
            """
            config = genai.GenerationConfig(temperature=0)
            config.temperature = 1
            model = genai.GenerativeModel("m", generation_config=config)
            print(model.generate_content("x").text)
            """,
            {"generation_config_not_static"},
            id="attribute-changed",
        ),
        pytest.param(
            """
            config = {"temperature": 0} if input() else None
            model = genai.GenerativeModel("m", generation_config=config)
            print(model.generate_content("x").text)
            """,
            {"generation_config_not_static"},
            id="conditional",
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
        pytest.param(
            """
            import json

            config = json.loads('{"temperature": 0}')
            print(genai.GenerativeModel("m").generate_content("x", generation_config=config).text)
            """,
            {"generation_config_not_static"},
            id="json-loaded",
        ),
        pytest.param(
            """
            model = genai.GenerativeModel("m", system_instruction={"parts": ["Be brief."]})
            print(model.generate_content("x").text)
            """,
            {"history_parts_shape_incompatible"},
            id="system-instruction-parts",
        ),
    ],
)
def test_refused(before: str, codes: set[str]) -> None:
    assert refused(before) == codes
