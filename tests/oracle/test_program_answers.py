"""Whole programs that keep histories and read answers, run as found and as ported."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from chatport.port.prove.pair import prove_pair
from chatport.port.prove.running import Worker
from tests.support.port import refused, whole, whole_ported


@pytest.mark.parametrize(
    "program",
    [
        pytest.param(
            """
            class Bot:
                model_config = {"extra": "forbid"}

                def __init__(self, name):
                    self.model = genai.GenerativeModel(name, generation_config={"temperature": 0})

                def ask(self, q):
                    return self.model.generate_content(q).text


            print(Bot("m").ask("x"), Bot.model_config)
            """,
            id="self-model-config-taken",
        ),
        pytest.param(
            """
            import os

            old = [{"role": "user", "parts": ["a"]}, {"role": "model", "parts": ["b"]}]
            history = old if os.environ.get("H") else []
            chat = genai.GenerativeModel("m").start_chat(history=history)
            print(chat.send_message("x").text)
            """,
            id="conditional-history",
        ),
        pytest.param(
            """
            history = []
            for a, b in [("hi", "ho")]:
                history.append({"role": "user", "parts": [a]})
                history.append({"role": "model", "parts": [b]})
            chat = genai.GenerativeModel("m").start_chat(history=history)
            print(chat.send_message("x").text)
            """,
            id="history-built",
        ),
        pytest.param(
            """
            history = [{"role": "user", "parts": ["a"]}, {"role": "model", "parts": ["b"]}]
            one = genai.GenerativeModel("m").start_chat(history=history)
            two = genai.GenerativeModel("m").start_chat(history=history)
            print(one.send_message("x").text, two.send_message("y").text)
            """,
            id="history-literal-twice",
        ),
        pytest.param(
            """
            history = []
            one = genai.GenerativeModel("m").start_chat(history=history)
            print(one.send_message("x").text)
            two = genai.GenerativeModel("m").start_chat(history=history)
            print(two.send_message("y").text, len(history))
            """,
            id="history-aliased-between-chats",
        ),
        pytest.param(
            """
            messages = [{"role": "user", "parts": ["Hello"]}]
            model = genai.GenerativeModel("m")
            r = model.generate_content(messages)
            messages.append(r.candidates[0].content)
            messages.append({"role": "user", "parts": ["Again"]})
            print(model.generate_content(messages).text)
            """,
            id="messages-append-response",
        ),
        pytest.param(
            """
            model = genai.GenerativeModel("m")
            r = model.generate_content("x")
            reason = r.candidates[0].finish_reason
            if reason == 1:
                print("done")
            else:
                print("other", r.text)
            """,
            id="finish-reason-variable",
        ),
        pytest.param(
            """
            def is_done(reason):
                return reason == 1


            model = genai.GenerativeModel("m")
            r = model.generate_content("x")
            print(is_done(r.candidates[0].finish_reason))
            """,
            id="finish-reason-function",
        ),
        pytest.param(
            """
            def reason_of(r):
                return r.candidates[0].finish_reason


            model = genai.GenerativeModel("m")
            print(reason_of(model.generate_content("x")) == 1)
            """,
            id="finish-reason-helper",
        ),
        pytest.param(
            """
            model = genai.GenerativeModel("m")
            r = model.generate_content("a b", stream=True)
            for c in r:
                pass
            print(r.text)
            """,
            id="stream-then-text",
        ),
        pytest.param(
            """
            model = genai.GenerativeModel("m")
            r = model.generate_content("x", stream=True)
            r.resolve()
            print(r.text)
            """,
            id="resolve",
        ),
        pytest.param(
            """
            model = genai.GenerativeModel("m")
            r = model.generate_content("x")
            print(r.text if hasattr(r, "text") else "no text")
            """,
            id="hasattr-text",
        ),
        pytest.param(
            """
            model = genai.GenerativeModel("m")
            r = model.generate_content("FINISH_SAFETY")
            try:
                text = r.text
            except ValueError:
                text = "blocked"
            print(text)
            """,
            id="try-text",
        ),
        pytest.param(
            """
            response = genai.GenerativeModel("m").generate_content("FINISH_SAFETY")
            try:
                print(response.text)
            except Exception as e:
                print("failed")
            """,
            id="try-text-exception",
        ),
        pytest.param(
            """
            def text_of(r):
                return r.text


            model = genai.GenerativeModel("m")
            try:
                print(text_of(model.generate_content("FINISH_SAFETY")))
            except ValueError:
                print("blocked")
            """,
            id="try-text-in-helper",
        ),
        pytest.param(
            """
            chat = genai.GenerativeModel("m").start_chat()
            questions = ["a", "b"]
            while questions and (r := chat.send_message(questions.pop())):
                print(r.text)
            """,
            id="walrus-while",
        ),
        pytest.param(
            """
            model = genai.GenerativeModel("m")
            name = "x"
            print(f"{model.generate_content(f'Hello {name}').text:>30}|{'a' if name else 'b'}")
            """,
            id="f-string-nested",
        ),
        pytest.param(
            """
            Модель = genai.GenerativeModel("m")
            вопрос = "привет"
            print(Модель.generate_content(вопрос + "é").text)
            """,
            id="unicode",
        ),
        pytest.param(
            '''
            model = genai.GenerativeModel("m")


            def ask():
                return model.generate_content("""
                Hello
                  there
                """).text


            print(ask())
            ''',
            id="multi-line-string",
        ),
        pytest.param(
            '''
            model = genai.GenerativeModel("m", system_instruction="""
                Be
                  brief.
            """)
            print(model.generate_content("x").text)
            ''',
            id="multi-line-string-instruction",
        ),
        pytest.param(
            '''
            import textwrap


            class Bot:
                def __init__(self):
                    self.model = genai.GenerativeModel(
                        "m",
                        system_instruction=textwrap.dedent("""
                            Be
                              brief.
                        """),
                    )

                def ask(self, q):
                    return self.model.generate_content(q).text


            print(Bot().ask("x"))
            ''',
            id="multi-line-dedent",
        ),
        pytest.param(
            """
            model = genai.GenerativeModel(  # a model
                "m",  # its name
                # and settings
                generation_config={  # cold
                    "temperature": 0,  # zero
                },  # end
            )  # made
            response = model.generate_content(  # ask
                "x"  # this
            )  # asked
            print(response.text)  # shown
            """,
            id="comments-everywhere",
        ),
        pytest.param(
            '''
            def greet(name: str) -> str:
                """Greets."""
                return "hi " + name


            model = genai.GenerativeModel("m", tools=[greet])
            chat = model.start_chat(enable_automatic_function_calling=True)
            print(chat.send_message("CALL greet").text)
            ''',
            id="tools-chat-enabled",
        ),
        pytest.param(
            '''
            class Shop:
                def price(self, item: str) -> str:
                    """Price."""
                    return "1"

                def __init__(self):
                    self.model = genai.GenerativeModel("m", tools=[self.price])

                def ask(self, q):
                    return self.model.generate_content(q).candidates[0].content.parts[0]


            print(Shop().ask("CALL price").function_call.name)
            ''',
            id="tools-method",
        ),
        pytest.param(
            """
            import os

            name = os.environ.get("NAME", "m")
            model = genai.GenerativeModel(name)
            try:
                raise RuntimeError
            except RuntimeError:
                model = genai.GenerativeModel("n", generation_config={"temperature": 0})
            print(model.generate_content("x").text)
            """,
            id="model-swapped-on-error",
        ),
        pytest.param(
            """
            class Bot:
                def __init__(self):
                    self.model = genai.GenerativeModel("m")

                def close(self):
                    del self.model

                def ask(self, q):
                    return self.model.generate_content(q).text


            b = Bot()
            print(b.ask("x"))
            b.close()
            """,
            id="del-attribute",
        ),
        pytest.param(
            """
            def ask(q, model=None):
                model = model or genai.GenerativeModel("m")
                return model.generate_content(q).text


            print(ask("x"), ask("y", genai.GenerativeModel("n")))
            """,
            id="or-default-model",
        ),
        pytest.param(
            """
            from functools import partial


            def ask(model, q):
                return model.generate_content(q).text


            fast = partial(ask, genai.GenerativeModel("m"))
            print(fast("x"))
            """,
            id="functools-partial-function",
        ),
        pytest.param(
            """
            class Bot:
                def ask(self, q):
                    return self.model.generate_content(q).text


            bot = Bot()
            bot.model = genai.GenerativeModel("m", generation_config={"temperature": 0})
            print(bot.ask("x"))
            """,
            id="external-attribute-set-config",
        ),
        pytest.param(
            """
            import asyncio


            class Bot:
                def __init__(self):
                    self.model = genai.GenerativeModel("m")
                    self.chat = self.model.start_chat(history=[])

                async def say(self, q):
                    response = await self.chat.send_message_async(q)
                    return response.text

                async def stream(self, q):
                    async for chunk in await self.chat.send_message_async(q, stream=True):
                        yield chunk.text


            async def main():
                bot = Bot()
                print(await bot.say("x"))
                print([c async for c in bot.stream("a b")])


            asyncio.run(main())
            """,
            id="async-with-class",
        ),
        pytest.param(
            """
            history = [{"role": "user", "parts": ["a"]}, {"role": "model", "parts": ["b"]}]
            chat = genai.GenerativeModel("m").start_chat(history=history)
            print(chat.send_message("x").text)
            history.append({"role": "user", "parts": ["x"]})
            print(len(history), history[-1]["parts"][0])
            """,
            id="history-kept-by-the-program",
        ),
        pytest.param(
            """
            model = genai.GenerativeModel("m")
            try:
                print(model.generate_content("FINISH_SAFETY").text)
            except ValueError:
                print("blocked")
            """,
            id="try-text-around-call",
        ),
        pytest.param(
            """
            chat = genai.GenerativeModel("m").start_chat()
            print(chat.send_message({"role": "user", "parts": ["a"]}).text)
            """,
            id="send-turn",
        ),
    ],
)
def test_a_ported_program_asks_and_prints_the_same(
    worker: Callable[[str], Worker], program: str
) -> None:
    result = prove_pair(whole(program), whole_ported(program), (worker("legacy"), worker("genai3")))
    assert result.same, result.explain()


@pytest.mark.parametrize(
    ("program", "codes"),
    [
        pytest.param(
            """
            NAMES = {1: "stop", 2: "length"}
            model = genai.GenerativeModel("m")
            r = model.generate_content("x")
            print(NAMES.get(r.candidates[0].finish_reason, "?"))
            """,
            {"enum_value_changed"},
            id="finish-reason-dict",
        ),
        pytest.param(
            """
            model = genai.GenerativeModel("m")
            print(model.generate_content("x").to_dict()["candidates"][0]["content"])
            """,
            {"response_shape_changed"},
            id="to-dict",
        ),
        pytest.param(
            """
            class Bot:
                def __init__(self):
                    self.name = "b"
                    self.model = genai.GenerativeModel("m")

                def ask(self, q):
                    return self.model.generate_content(q).text


            b = Bot()
            print(sorted(vars(b)), b.ask("x"))
            """,
            {"model_object_escapes"},
            id="vars-self",
        ),
        pytest.param(
            """
            chat = genai.GenerativeModel("m").start_chat()
            for chunk in chat.send_message("a b c d", stream=True):
                print(chunk.text)
                break
            print(len(chat.history))
            """,
            {"stream_history_read"},
            id="stop-in-middle",
        ),
    ],
)
def test_a_refused_program_says_why(program: str, codes: set[str]) -> None:
    assert refused(program) == codes
