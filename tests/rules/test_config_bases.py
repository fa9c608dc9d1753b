"""Configurations that are taken whole: mappings and objects no literal can be read from."""

from __future__ import annotations

import pytest

from tests.support.port import clean, ported, refused


def _case(name: str, before: str, after: str) -> object:
    return pytest.param(before, after, id=name)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        _case(
            "loaded-from-json",
            """
            import json

            config = json.loads("{}")
            print(genai.GenerativeModel("m").generate_content("x", generation_config=config).text)
            """,
            """
            import json

            config = json.loads("{}")
            print(client.models.generate_content(
                model="m",
                contents="x",
                config=types.GenerateContentConfig(**(config or {})),
            ).text)
            """,
        ),
        _case(
            "annotated-parameter",
            """
            def ask(config: dict[str, float]):
                model = genai.GenerativeModel("m")
                return model.generate_content("x", generation_config=config).text
            """,
            """
            def ask(config: dict[str, float]):
                return client.models.generate_content(
                    model="m",
                    contents="x",
                    config=types.GenerateContentConfig(**config),
                ).text
            """,
        ),
        _case(
            "optional-parameter-that-nobody-gave",
            """
            def ask(config: dict | None = None):
                model = genai.GenerativeModel("m", generation_config={"top_k": 1})
                return model.generate_content("x", generation_config=config).text


            print(ask())
            """,
            """
            def ask(config: dict | None = None):
                return client.models.generate_content(
                    model="m",
                    contents="x",
                    config=types.GenerateContentConfig(**{"top_k": 1, **(config or {})}),
                ).text


            print(ask())
            """,
        ),
        _case(
            "default-beside-a-parameter",
            """
            class A:
                def __init__(self, config=None):
                    self.config = config or {"top_k": 1}

                def ask(self):
                    model = genai.GenerativeModel("m")
                    return model.generate_content("x", generation_config=self.config).text


            print(A().ask())
            """,
            """
            class A:
                def __init__(self, config=None):
                    self.config = config or {"top_k": 1}

                def ask(self):
                    return client.models.generate_content(
                        model="m",
                        contents="x",
                        config=types.GenerateContentConfig(**self.config),
                    ).text


            print(A().ask())
            """,
        ),
        _case(
            "call-under-a-mapping-with-other-keys",
            """
            config = {"top_p": 1}
            config["top_k"] = 1
            model = genai.GenerativeModel("m", generation_config={"temperature": 0})
            print(model.generate_content("x", generation_config=config).text)
            """,
            """
            config = {"top_p": 1}
            config["top_k"] = 1
            print(client.models.generate_content(
                model="m",
                contents="x",
                config=types.GenerateContentConfig(temperature=0, **config),
            ).text)
            """,
        ),
        _case(
            "mapping-over-the-same-key",
            """
            config = {"top_p": 1}
            config["temperature"] = 1
            model = genai.GenerativeModel("m", generation_config={"temperature": 0})
            print(model.generate_content("x", generation_config=config).text)
            """,
            """
            config = {"top_p": 1}
            config["temperature"] = 1
            print(client.models.generate_content(
                model="m",
                contents="x",
                config=types.GenerateContentConfig(**{"temperature": 0, **config}),
            ).text)
            """,
        ),
        _case(
            "mapping-over-a-sibling",
            """
            def ask(name, t):
                model = genai.GenerativeModel(name, generation_config={"temperature": t})
                t = {"top_k": 1}
                t["top_p"] = 1
                return model.generate_content("x", generation_config=t).text


            print(ask("m", 1))
            """,
            """
            def ask(name, t):
                model = name
                model_config = types.GenerateContentConfig(temperature=t)
                t = {"top_k": 1}
                t["top_p"] = 1
                return client.models.generate_content(
                    model=model,
                    contents="x",
                    config=model_config.model_copy(update=t),
                ).text


            print(ask("m", 1))
            """,
        ),
        _case(
            "object-or-none",
            """
            def ask(t):
                config = genai.GenerationConfig(temperature=t) if t else None
                model = genai.GenerativeModel("m")
                return model.generate_content("x", generation_config=config).text


            print(ask(1), ask(0))
            """,
            """
            def ask(t):
                config = types.GenerateContentConfig(temperature=t) if t else None
                return client.models.generate_content(model="m", contents="x", config=config).text


            print(ask(1), ask(0))
            """,
        ),
        _case(
            "object-or-none-beside-an-instruction",
            """
            def ask(t):
                config = genai.GenerationConfig(temperature=t) if t else None
                model = genai.GenerativeModel("m", system_instruction="s")
                return model.generate_content("x", generation_config=config).text


            print(ask(1), ask(0))
            """,
            """
            def ask(t):
                config = types.GenerateContentConfig(temperature=t) if t else None
                return client.models.generate_content(
                    model="m",
                    contents="x",
                    config=(config or types.GenerateContentConfig()).model_copy(
                        update={"system_instruction": "s"},
                    ),
                ).text


            print(ask(1), ask(0))
            """,
        ),
        _case(
            "object-of-a-caller",
            """
            def ask(config: genai.GenerationConfig):
                model = genai.GenerativeModel("m")
                return model.generate_content("x", generation_config=config).text
            """,
            """
            def ask(config: types.GenerateContentConfig):
                return client.models.generate_content(model="m", contents="x", config=config).text
            """,
        ),
        _case(
            "object-that-is-changed",
            """
            config = genai.GenerationConfig(temperature=0)
            config.top_k = 1
            model = genai.GenerativeModel("m")
            print(config.temperature, model.generate_content("x", generation_config=config).text)
            """,
            """
            config = types.GenerateContentConfig(temperature=0)
            config.top_k = 1
            print(config.temperature, client.models.generate_content(
                model="m",
                contents="x",
                config=config,
            ).text)
            """,
        ),
        _case(
            "objects-in-a-mapping-and-from-a-function",
            """
            CONFIGS = {"calm": genai.GenerationConfig(temperature=0)}


            def wild():
                return genai.GenerationConfig(temperature=1)


            model = genai.GenerativeModel("m")
            print(model.generate_content("x", generation_config=CONFIGS["calm"]).text)
            print(model.generate_content("x", generation_config=wild()).text)
            """,
            """
            CONFIGS = {"calm": types.GenerateContentConfig(temperature=0)}


            def wild():
                return types.GenerateContentConfig(temperature=1)


            print(client.models.generate_content(
                model="m",
                contents="x",
                config=CONFIGS["calm"],
            ).text)
            print(client.models.generate_content(model="m", contents="x", config=wild()).text)
            """,
        ),
        _case(
            "object-of-whatever-is-unpacked",
            """
            def ask(request):
                model = genai.GenerativeModel("m")
                return model.generate_content(
                    request.text, generation_config=genai.GenerationConfig(**request.settings)
                ).text
            """,
            """
            def ask(request):
                return client.models.generate_content(
                    model="m",
                    contents=request.text,
                    config=types.GenerateContentConfig(**request.settings),
                ).text
            """,
        ),
        _case(
            "object-of-spread-fields",
            """
            def ask(n, **more):
                model = genai.GenerativeModel("m", system_instruction="s")
                config = genai.GenerationConfig(top_k=n, **more)
                return model.generate_content("x", generation_config=config).text


            def ask_at_once(n, **more):
                model = genai.GenerativeModel("m", system_instruction="s")
                return model.generate_content(
                    "x", generation_config=genai.GenerationConfig(top_k=n, **more)
                ).text


            print(ask(1, temperature=0), ask_at_once(1, temperature=0))
            """,
            """
            def ask(n, **more):
                config = types.GenerateContentConfig(top_k=n, **more)
                return client.models.generate_content(
                    model="m",
                    contents="x",
                    config=config.model_copy(update={"system_instruction": "s"}),
                ).text


            def ask_at_once(n, **more):
                return client.models.generate_content(
                    model="m",
                    contents="x",
                    config=types.GenerateContentConfig(system_instruction="s", top_k=n, **more),
                ).text


            print(ask(1, temperature=0), ask_at_once(1, temperature=0))
            """,
        ),
        _case(
            "copied-and-updated",
            """
            BASE = {"temperature": 0}


            def ask(t):
                config = BASE.copy()
                config.update({"temperature": t}, top_p=1)
                model = genai.GenerativeModel("m")
                return model.generate_content("x", generation_config=dict(config, top_k=1)).text


            print(ask(1))
            """,
            """
            BASE = {"temperature": 0}


            def ask(t):
                config = BASE.copy()
                config.update({"temperature": t}, top_p=1)
                return client.models.generate_content(
                    model="m",
                    contents="x",
                    config=types.GenerateContentConfig(**dict(config, top_k=1)),
                ).text


            print(ask(1))
            """,
        ),
    ],
)
def test_ported(before: str, after: str) -> None:
    assert ported(before) == clean(after)


@pytest.mark.parametrize(
    "before",
    [
        pytest.param(
            """
            def ask(config):
                model = genai.GenerativeModel("m")
                return model.generate_content("x", generation_config=config).text
            """,
            id="parameter-of-any-kind",
        ),
        pytest.param(
            """
            config = {"temperature": 0}
            config["seed"] = 1
            model = genai.GenerativeModel("m")
            print(model.generate_content("x", generation_config=config).text)
            """,
            id="key-legacy-had-not",
        ),
        pytest.param(
            """
            config = {"temperature": 0}
            config["stop_sequences"] = "ab"
            model = genai.GenerativeModel("m")
            print(model.generate_content("x", generation_config=config).text)
            """,
            id="text-for-a-list",
        ),
        pytest.param(
            """
            config = genai.GenerationConfig(temperature=0)
            model = genai.GenerativeModel("m", generation_config=config)
            config.temperature = 1
            print(model.generate_content("x").text)
            """,
            id="object-changed-after-the-model-was-made",
        ),
        pytest.param(
            """
            config = genai.GenerationConfig(temperature=0) if input() else {"temperature": 1}
            model = genai.GenerativeModel("m")
            print(model.generate_content("x", generation_config=config).text)
            """,
            id="object-or-mapping",
        ),
        pytest.param(
            """
            def ask(t):
                config = genai.GenerationConfig(temperature=t) if t else None
                model = genai.GenerativeModel("m", generation_config={"temperature": 0})
                return model.generate_content("x", generation_config=config).text


            print(ask(1))
            """,
            id="object-that-may-leave-the-models-value",
        ),
        pytest.param(
            """
            def ask(**more):
                model = genai.GenerativeModel("m", generation_config={"temperature": 0})
                return model.generate_content(
                    "x", generation_config=genai.GenerationConfig(**more)
                ).text


            print(ask(temperature=None))
            """,
            id="spread-fields-that-may-be-none",
        ),
        pytest.param(
            """
            def ask(request):
                model = genai.GenerativeModel("m", generation_config={"temperature": 0})
                return model.generate_content(
                    "x", generation_config=genai.GenerationConfig(**request.settings)
                ).text
            """,
            id="whatever-is-unpacked-over-a-field",
        ),
        pytest.param(
            """
            def ask(request):
                model = genai.GenerativeModel("m")
                return model.generate_content("x", generation_config=request.settings).text
            """,
            id="what-is-not-unpacked",
        ),
        pytest.param(
            """
            import json

            config = genai.GenerationConfig(temperature=0)
            print(json.dumps(config))
            print(genai.GenerativeModel("m").generate_content("x", generation_config=config).text)
            """,
            id="object-handed-to-a-library",
        ),
        pytest.param(
            """
            import dataclasses


            def ask(config: genai.GenerationConfig):
                print(dataclasses.asdict(config))
                model = genai.GenerativeModel("m")
                return model.generate_content("x", generation_config=config).text
            """,
            id="object-of-a-caller-handed-to-a-library",
        ),
        pytest.param(
            """
            def ask(config: genai.GenerationConfig):
                model = genai.GenerativeModel("m", generation_config={"top_k": 1})
                return model.generate_content("x", generation_config=config).text
            """,
            id="object-of-a-caller-over-a-field",
        ),
        pytest.param(
            """
            config = genai.GenerationConfig(temperature=0)
            config.seed = 1
            print(genai.GenerativeModel("m").generate_content("x", generation_config=config).text)
            """,
            id="attribute-legacy-did-not-send",
        ),
    ],
)
def test_refused(before: str) -> None:
    assert "generation_config_not_static" in refused(before)
