"""Models that travel with their configuration: one mapping of the two."""

from __future__ import annotations

import pytest

from tests.support.port import clean, ported, refused


@pytest.mark.parametrize(
    ("before", "after"),
    [
        pytest.param(
            """
            def make(t):
                return genai.GenerativeModel("m", generation_config={"temperature": t})


            print(make(1).generate_content("x").text)
            """,
            """
            def make(t):
                return {"model": "m", "config": types.GenerateContentConfig(temperature=t)}


            print(client.models.generate_content(**make(1), contents="x").text)
            """,
            id="factory",
        ),
        pytest.param(
            """
            def make(name: str, manner: str) -> genai.GenerativeModel:
                return genai.GenerativeModel(name, system_instruction=f"Be {manner}")


            def ask(model: "genai.GenerativeModel", question):
                return model.generate_content(question, generation_config={"top_k": 1}).text


            print(ask(make("m", "kind"), "x"))
            """,
            """
            def make(name: str, manner: str) -> dict:
                return {
                    "model": name,
                    "config": types.GenerateContentConfig(system_instruction=f"Be {manner}"),
                }


            def ask(model: "dict", question):
                return client.models.generate_content(
                    model=model["model"],
                    contents=question,
                    config=model["config"].model_copy(update={"top_k": 1}),
                ).text


            print(ask(make("m", "kind"), "x"))
            """,
            id="annotated-and-overridden",
        ),
        pytest.param(
            """
            MODELS = {}
            for name in ("a", "b"):
                MODELS[name] = genai.GenerativeModel(name, system_instruction=name)
            print(MODELS["a"].generate_content("x").text)
            """,
            """
            MODELS = {}
            for name in ("a", "b"):
                MODELS[name] = {
                    "model": name,
                    "config": types.GenerateContentConfig(system_instruction=name),
                }
            print(client.models.generate_content(**MODELS["a"], contents="x").text)
            """,
            id="mapping-of-models",
        ),
        pytest.param(
            """
            def make(t):
                return genai.GenerativeModel("m", generation_config={"temperature": t})


            chat = make(1).start_chat()
            print(chat.send_message("x").text, make(2).count_tokens("x").total_tokens)
            """,
            """
            def make(t):
                return {"model": "m", "config": types.GenerateContentConfig(temperature=t)}


            chat = client.chats.create(**make(1))
            print(chat.send_message(message="x").text, client.models.count_tokens(
                model=make(2)["model"],
                contents="x",
            ).total_tokens)
            """,
            id="chat-and-count",
        ),
        pytest.param(
            """
            models = [genai.GenerativeModel("a")]
            models.append(genai.GenerativeModel("b", None, {"top_k": 1}))
            for model in models:
                print(model.generate_content("x").text)
            """,
            """
            models = [{"model": "a", "config": None}]
            models.append({"model": "b", "config": types.GenerateContentConfig(top_k=1)})
            for model in models:
                print(client.models.generate_content(**model, contents="x").text)
            """,
            id="one-without-a-configuration",
        ),
        pytest.param(
            """
            def make(name, t):
                return genai.GenerativeModel(name, generation_config={"temperature": t})


            model = make("m", 1)
            name = model.model_name
            print(model.generate_content("x").text)
            """,
            """
            def make(name, t):
                return {"model": name, "config": types.GenerateContentConfig(temperature=t)}


            model = make("m", 1)
            name = model["model"] if "/" in model["model"] else "models/" + model["model"]
            print(client.models.generate_content(**model, contents="x").text)
            """,
            id="name-that-is-read",
        ),
        pytest.param(
            """
            def make(tools):
                return genai.GenerativeModel("m", tools=[look], system_instruction=tools)


            def look(word: str) -> str:
                return word


            print(make("a").start_chat(enable_automatic_function_calling=True).send_message("x").text)
            """,
            """
            def make(tools):
                return {
                    "model": "m",
                    "config": types.GenerateContentConfig(system_instruction=tools, tools=[look]),
                }


            def look(word: str) -> str:
                return word


            print(client.chats.create(**make("a")).send_message(message="x").text)
            """,
            id="functions-called-by-every-user",
        ),
    ],
)
def test_ported(before: str, after: str) -> None:
    assert ported(before) == clean(after)


@pytest.mark.parametrize(
    ("before", "code"),
    [
        pytest.param(
            """
            def make(t):
                return genai.GenerativeModel("m", generation_config={"temperature": t})


            print(make(1).generate_content("x", generation_config={"top_k": 1}).text)
            """,
            "config_not_portable",
            id="receiver-that-would-run-twice",
        ),
        pytest.param(
            """
            def ask(model):
                return model.generate_content("x", generation_config={"top_k": 1}).text


            print(ask(genai.GenerativeModel("m", system_instruction="x")))
            print(ask(genai.GenerativeModel("n")))
            """,
            "config_not_portable",
            id="call-over-a-model-without-configuration",
        ),
        pytest.param(
            """
            import functools


            def make(t):
                return genai.GenerativeModel("m", generation_config={"temperature": t})


            @functools.cache
            def ask(model):
                return model.generate_content("x").text


            print(ask(make(1)))
            """,
            "model_object_escapes",
            id="argument-that-is-remembered",
        ),
        pytest.param(
            """
            import json


            def make(t):
                return genai.GenerativeModel("m", generation_config={"temperature": t})


            model = make(1)
            json.dumps(model)
            print(model.generate_content("x").text)
            """,
            "model_object_escapes",
            id="handed-to-a-library",
        ),
        pytest.param(
            """
            def make(t):
                return genai.GenerativeModel("m", generation_config={"temperature": t})


            model = make(1)
            print(isinstance(model, dict), model.generate_content("x").text)
            """,
            "model_object_escapes",
            id="asked-for-its-class",
        ),
    ],
)
def test_refused(before: str, code: str) -> None:
    assert code in refused(before)
