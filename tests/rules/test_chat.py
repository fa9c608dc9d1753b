"""Chats: one object on both sides, made on the client and called with what its model said."""

from __future__ import annotations

import pytest

from tests.support.port import clean, ported, refused


@pytest.mark.parametrize(
    ("before", "after"),
    [
        pytest.param(
            """
            chat = genai.GenerativeModel("m").start_chat()
            print(chat.send_message("x").text)
            """,
            """
            chat = client.chats.create(model="m")
            print(chat.send_message(message="x").text)
            """,
            id="plain",
        ),
        pytest.param(
            """
            model = genai.GenerativeModel("m")
            chat = model.start_chat(history=[])
            print(chat.send_message("x").text)
            """,
            """
            chat = client.chats.create(model="m")
            print(chat.send_message(message="x").text)
            """,
            id="history-empty",
        ),
        pytest.param(
            """
            chat = genai.GenerativeModel("m").start_chat(history=None)
            print(chat.send_message("x").text)
            """,
            """
            chat = client.chats.create(model="m")
            print(chat.send_message(message="x").text)
            """,
            id="history-none",
        ),
        pytest.param(
            """
            chat = genai.GenerativeModel("m").start_chat(history=[
                {"role": "user", "parts": ["Hello"]},
                {"role": "model", "parts": "Hi"},
            ])
            print(chat.send_message("x").text)
            """,
            """
            chat = client.chats.create(
                model="m",
                history=[
                    {"role": "user", "parts": [{"text": "Hello"}]},
                    {"role": "model", "parts": [{"text": "Hi"}]},
                ],
            )
            print(chat.send_message(message="x").text)
            """,
            id="history-literal",
        ),
        pytest.param(
            """
            name = input()
            model = genai.GenerativeModel("m")
            chat = model.start_chat(history=[{"role": "user", "parts": [f"I am {name}."]}])
            print(chat.send_message("x").text)
            """,
            """
            name = input()
            chat = client.chats.create(
                model="m",
                history=[{"role": "user", "parts": [{"text": f"I am {name}."}]}],
            )
            print(chat.send_message(message="x").text)
            """,
            id="history-f-string",
        ),
        pytest.param(
            """
            model = genai.GenerativeModel("m")
            chat = model.start_chat(history=[{"role": "user", "parts": [{"text": "x"}]}])
            print(chat.send_message("x").text)
            """,
            """
            chat = client.chats.create(
                model="m",
                history=[{"role": "user", "parts": [{"text": "x"}]}],
            )
            print(chat.send_message(message="x").text)
            """,
            id="history-already-new",
        ),
        pytest.param(
            """
            one = genai.GenerativeModel("m").start_chat()
            print(one.send_message("x").text)
            two = genai.GenerativeModel("n").start_chat(history=one.history)
            print(two.send_message("y").text)
            """,
            """
            one = client.chats.create(model="m")
            print(one.send_message(message="x").text)
            two = client.chats.create(model="n", history=one.get_history(curated=True))
            print(two.send_message(message="y").text)
            """,
            id="history-of-another-chat",
        ),
        pytest.param(
            """
            chat = genai.GenerativeModel("m").start_chat()
            print(chat.send_message("x").text)
            for turn in chat.history:
                print(turn.role, turn.parts[0].text)
            """,
            """
            chat = client.chats.create(model="m")
            print(chat.send_message(message="x").text)
            for turn in chat.get_history(curated=True):
                print(turn.role, turn.parts[0].text)
            """,
            id="history-read",
        ),
        pytest.param(
            """
            one = genai.GenerativeModel("m").start_chat()
            two = genai.GenerativeModel("n").start_chat()
            print((one if input() else two).send_message("x").text)
            """,
            """
            one = client.chats.create(model="m")
            two = client.chats.create(model="n")
            print((one if input() else two).send_message(message="x").text)
            """,
            id="parenthesised-receiver",
        ),
        pytest.param(
            """
            chat = None
            print((chat or genai.GenerativeModel("n").start_chat()).send_message("x").text)
            """,
            """
            chat = None
            print((chat or client.chats.create(model="n")).send_message(message="x").text)
            """,
            id="or-receiver",
        ),
        pytest.param(
            """
            async def make():
                return genai.GenerativeModel("m").start_chat()


            async def main():
                return (await (await make()).send_message_async("x")).text
            """,
            """
            async def make():
                return client.aio.chats.create(model="m")


            async def main():
                return (await (await make()).send_message(message="x")).text
            """,
            id="awaited-receiver",
        ),
        pytest.param(
            """
            model = genai.GenerativeModel("m")
            print((chat := model.start_chat()).send_message("x").text, chat.history)
            """,
            """
            print((chat := client.chats.create(model="m")).send_message(
                message="x",
            ).text, chat.get_history(curated=True))
            """,
            id="walrus-receiver",
        ),
        pytest.param(
            """
            chat = genai.GenerativeModel("m").start_chat()
            for chunk in chat.send_message("x", stream=True):
                print(chunk.text)
            """,
            """
            chat = client.chats.create(model="m")
            for chunk in chat.send_message_stream(message="x"):
                print(chunk.text)
            """,
            id="stream",
        ),
        pytest.param(
            """
            async def talk():
                chat = genai.GenerativeModel("m").start_chat()
                response = await chat.send_message_async("x")
                return response.text
            """,
            """
            async def talk():
                chat = client.aio.chats.create(model="m")
                response = await chat.send_message(message="x")
                return response.text
            """,
            id="async-only",
        ),
        pytest.param(
            """
            async def talk():
                chat = genai.GenerativeModel("m").start_chat()
                async for chunk in await chat.send_message_async("x", stream=True):
                    print(chunk.text)
            """,
            """
            async def talk():
                chat = client.aio.chats.create(model="m")
                async for chunk in await chat.send_message_stream(message="x"):
                    print(chunk.text)
            """,
            id="async-stream",
        ),
        pytest.param(
            """
            model = genai.GenerativeModel("m")


            async def talk():
                chat = model.start_chat()
                return (await chat.send_message_async("x")).text


            def say():
                chat = model.start_chat()
                return chat.send_message("x").text
            """,
            """
            async def talk():
                chat = client.aio.chats.create(model="m")
                return (await chat.send_message(message="x")).text


            def say():
                chat = client.chats.create(model="m")
                return chat.send_message(message="x").text
            """,
            id="two-chats-one-each-way",
        ),
        pytest.param(
            """
            chat = genai.GenerativeModel("m").start_chat()
            print(chat.send_message("x", generation_config={"temperature": 0}).text)
            """,
            """
            chat = client.chats.create(model="m")
            print(chat.send_message(
                message="x",
                config=types.GenerateContentConfig(temperature=0),
            ).text)
            """,
            id="message-config-over-none",
        ),
        pytest.param(
            """
            warm = {"temperature": 1, "top_k": 3}
            model = genai.GenerativeModel("m", system_instruction="Brief.", generation_config=warm)
            chat = model.start_chat()
            print(chat.send_message("x", generation_config={"temperature": 0}).text)
            print(chat.send_message("y").text)
            """,
            """
            chat = client.chats.create(
                model="m",
                config=types.GenerateContentConfig(
                    system_instruction="Brief.",
                    temperature=1,
                    top_k=3,
                ),
            )
            print(chat.send_message(
                message="x",
                config=types.GenerateContentConfig(
                    system_instruction="Brief.",
                    temperature=0,
                    top_k=3,
                ),
            ).text)
            print(chat.send_message(message="y").text)
            """,
            id="message-config-over-model",
        ),
        pytest.param(
            """
            model = genai.GenerativeModel("m", safety_settings={"HARASSMENT": "BLOCK_NONE"})
            chat = model.start_chat()
            print(chat.send_message("x", safety_settings={"HATE": "BLOCK_NONE"}).text)
            """,
            """
            chat = client.chats.create(
                model="m",
                config=types.GenerateContentConfig(
                    safety_settings=[
                        types.SafetySetting(
                            category=types.HarmCategory.HARM_CATEGORY_HARASSMENT,
                            threshold=types.HarmBlockThreshold.BLOCK_NONE,
                        ),
                    ],
                ),
            )
            print(chat.send_message(
                message="x",
                config=types.GenerateContentConfig(
                    safety_settings=[
                        types.SafetySetting(
                            category=types.HarmCategory.HARM_CATEGORY_HARASSMENT,
                            threshold=types.HarmBlockThreshold.BLOCK_NONE,
                        ),
                        types.SafetySetting(
                            category=types.HarmCategory.HARM_CATEGORY_HATE_SPEECH,
                            threshold=types.HarmBlockThreshold.BLOCK_NONE,
                        ),
                    ],
                ),
            ).text)
            """,
            id="message-safety-over-model",
        ),
        pytest.param(
            """
            chat = genai.GenerativeModel("m").start_chat()
            print(chat.send_message(["x", "y"]).text)
            """,
            """
            chat = client.chats.create(model="m")
            print(chat.send_message(message=["x", "y"]).text)
            """,
            id="list-message",
        ),
        pytest.param(
            '''
            def word() -> str:
                """A word."""
                return "w"


            model = genai.GenerativeModel("m", tools=[word])
            chat = model.start_chat(enable_automatic_function_calling=True)
            print(chat.send_message("x").text)
            ''',
            '''
            def word() -> str:
                """A word."""
                return "w"


            chat = client.chats.create(model="m", config=types.GenerateContentConfig(tools=[word]))
            print(chat.send_message(message="x").text)
            ''',
            id="afc-enabled",
        ),
        pytest.param(
            """
            chat = genai.GenerativeModel("m").start_chat(enable_automatic_function_calling=True)
            print(chat.send_message("x").text)
            """,
            """
            chat = client.chats.create(model="m")
            print(chat.send_message(message="x").text)
            """,
            id="afc-without-tools",
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
            model = genai.GenerativeModel("m")
            chat = model.start_chat()
            print(chat.model.model_name, chat.send_message("x").text)
            """,
            {"attribute_removed"},
            id="chat-model",
        ),
        pytest.param(
            """
            chat = genai.GenerativeModel("m").start_chat()


            async def talk():
                return await chat.send_message_async("x")


            print(chat.send_message("x").text)
            """,
            {"receiver_method_unmapped"},
            id="mixed",
        ),
        pytest.param(
            '''
            def half(n: int) -> dict:
                """Half."""
                return {"half": n / 2}


            model = genai.GenerativeModel("m", tools=[half])
            chat = model.start_chat(enable_automatic_function_calling=True)
            print(chat.send_message("x").text)
            ''',
            {"afc_semantics_differ"},
            id="afc-enabled-mappings",
        ),
    ],
)
def test_refused(before: str, codes: set[str]) -> None:
    assert refused(before) == codes


def test_a_message_over_one_configuration_of_several_chats() -> None:
    before = """
        def talk(questions):
            model = genai.GenerativeModel("m", system_instruction="Be short.")
            chat = model.start_chat()
            for question in questions:
                if question == "again":
                    chat = model.start_chat(history=[])
                print(chat.send_message(question, generation_config={"temperature": 0}).text)
        """
    now = ported(before)
    assert now.count("system_instruction='Be short.'") + now.count('"Be short."') == 3
    assert now.count("temperature=0") == 1


@pytest.mark.parametrize(
    "other",
    [
        'genai.GenerativeModel("m", system_instruction="Be long.").start_chat()',
        'genai.GenerativeModel("m", generation_config={"top_k": 1}).start_chat()',
        'genai.GenerativeModel("m").start_chat()',
        "genai.GenerativeModel(question, system_instruction=question).start_chat()",
        'genai.GenerativeModel("m", system_instruction=input()).start_chat()',
        'genai.GenerativeModel("m", system_instruction="Be short.", tools=[str]).start_chat()',
    ],
)
def test_a_message_over_different_configurations_is_refused(other: str) -> None:
    before = f"""
        def talk(questions):
            chat = genai.GenerativeModel("m", system_instruction="Be short.").start_chat()
            for question in questions:
                if question == "again":
                    chat = {other}
                print(chat.send_message(question, generation_config={{"temperature": 0}}).text)
        """
    assert "config_not_portable" in refused(before)


def test_a_message_to_chats_of_which_one_calls_functions_is_refused() -> None:
    before = """
        def add(a: int, b: int) -> int:
            \"\"\"Adds.\"\"\"
            return a + b

        def talk(questions):
            model = genai.GenerativeModel("m", tools=[add])
            chat = model.start_chat()
            for question in questions:
                if question == "again":
                    chat = model.start_chat(enable_automatic_function_calling=True)
                print(chat.send_message(question, generation_config={"temperature": 0}).text)
        """
    assert refused(before) & {"config_not_portable", "afc_semantics_differ"}
