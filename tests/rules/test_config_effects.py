"""The configuration: changed, copied or shared on the way, and the order of its effects."""

from __future__ import annotations

import pytest

from tests.support.port import clean, ported, refused


@pytest.mark.parametrize(
    ("before", "after"),
    [
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
            common = {"temperature": 0}
            model = genai.GenerativeModel("m", generation_config={**common, "top_k": 1})
            common["temperature"] = 1
            print(model.generate_content("x").text)
            """,
            """
            common = {"temperature": 0}
            model = "m"
            model_config = types.GenerateContentConfig(**{**common, "top_k": 1})
            common["temperature"] = 1
            print(client.models.generate_content(
                model=model,
                contents="x",
                config=model_config,
            ).text)
            """,
            id="unpacked-and-changed-after",
        ),
        pytest.param(
            """
            rules = ["be brief"]
            model = genai.GenerativeModel("m", system_instruction=f"Rules: {rules}")
            rules.append("be kind")
            print(model.generate_content("x").text)
            """,
            """
            rules = ["be brief"]
            model = "m"
            model_config = types.GenerateContentConfig(system_instruction=f"Rules: {rules}")
            rules.append("be kind")
            print(client.models.generate_content(
                model=model,
                contents="x",
                config=model_config,
            ).text)
            """,
            id="read-and-changed-after",
        ),
        pytest.param(
            """
            ends = ["x"]
            model = genai.GenerativeModel("m", generation_config={"stop_sequences": ends})
            ends.append("y")
            print(model.generate_content("x").text)
            """,
            """
            ends = ["x"]
            ends.append("y")
            print(client.models.generate_content(
                model="m",
                contents="x",
                config=types.GenerateContentConfig(stop_sequences=ends),
            ).text)
            """,
            id="kept-and-changed-after",
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
                model = "m"
                model_config = types.GenerateContentConfig(**config)
                return client.models.generate_content(
                    model=model,
                    contents="x",
                    config=model_config,
                ).text


            print(ask({"temperature": 0}))
            """,
            id="parameter-called-with-a-literal",
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
            print(client.models.generate_content(
                model="m",
                contents="x",
                config=types.GenerateContentConfig(**config),
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
        pytest.param(
            """
            def settings():
                print("settings")
                return {"temperature": 0}

            model = genai.GenerativeModel("m", generation_config=settings())
            print(model.generate_content("x").text)
            """,
            """
            def settings():
                print("settings")
                return {"temperature": 0}

            model = "m"
            model_config = types.GenerateContentConfig(**settings())
            print(client.models.generate_content(
                model=model,
                contents="x",
                config=model_config,
            ).text)
            """,
            id="of-a-function-that-does-more",
        ),
        pytest.param(
            """
            def settings():
                only = {"temperature": 0}
                return only

            model = genai.GenerativeModel("m", generation_config=settings())
            print(model.generate_content("x").text)
            """,
            """
            def settings():
                only = {"temperature": 0}
                return only

            print(client.models.generate_content(
                model="m",
                contents="x",
                config=types.GenerateContentConfig(temperature=0),
            ).text)
            """,
            id="of-a-function-that-only-gives-it",
        ),
        pytest.param(
            """
            class Settings:
                @property
                def cold(self):
                    print("cold")
                    return {"temperature": 0}

            settings = Settings()
            model = genai.GenerativeModel("m", generation_config=settings.cold)
            print(model.generate_content("x").text)
            """,
            """
            class Settings:
                @property
                def cold(self):
                    print("cold")
                    return {"temperature": 0}

            settings = Settings()
            model = "m"
            model_config = types.GenerateContentConfig(**settings.cold)
            print(client.models.generate_content(
                model=model,
                contents="x",
                config=model_config,
            ).text)
            """,
            id="of-a-property-that-does-more",
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
