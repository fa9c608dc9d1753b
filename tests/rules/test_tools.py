"""Tools: automatic calling stays as legacy had it."""

from __future__ import annotations

import pytest

from tests.support.port import clean, ported, refused


@pytest.mark.parametrize(
    ("before", "after"),
    [
        pytest.param(
            '''
            def word(n: int) -> str:
                """A word."""
                return "w"


            print(genai.GenerativeModel("m", tools=[word]).generate_content("x").candidates)
            ''',
            '''
            def word(n: int) -> str:
                """A word."""
                return "w"


            print(client.models.generate_content(
                model="m",
                contents="x",
                config=types.GenerateContentConfig(
                    tools=[word],
                    automatic_function_calling=types.AutomaticFunctionCallingConfig(disable=True),
                ),
            ).candidates)
            ''',
            id="function",
        ),
        pytest.param(
            '''
            def word() -> str:
                """A word."""
                return "w"


            print(genai.GenerativeModel("m", tools=word).generate_content("x").candidates)
            ''',
            '''
            def word() -> str:
                """A word."""
                return "w"


            print(client.models.generate_content(
                model="m",
                contents="x",
                config=types.GenerateContentConfig(
                    tools=[word],
                    automatic_function_calling=types.AutomaticFunctionCallingConfig(disable=True),
                ),
            ).candidates)
            ''',
            id="one-function-alone",
        ),
        pytest.param(
            """
            print(genai.GenerativeModel("m", tools="code_execution").generate_content("x").text)
            """,
            """
            print(client.models.generate_content(
                model="m",
                contents="x",
                config=types.GenerateContentConfig(
                    tools=[types.Tool(code_execution=types.ToolCodeExecution())],
                ),
            ).text)
            """,
            id="code-execution",
        ),
        pytest.param(
            '''
            def word() -> str:
                """A word."""
                return "w"


            chat = genai.GenerativeModel("m", tools=[word]).start_chat()
            print(chat.send_message("x").candidates)
            ''',
            '''
            def word() -> str:
                """A word."""
                return "w"


            chat = client.chats.create(
                model="m",
                config=types.GenerateContentConfig(
                    tools=[word],
                    automatic_function_calling=types.AutomaticFunctionCallingConfig(disable=True),
                ),
            )
            print(chat.send_message(message="x").candidates)
            ''',
            id="chat-without-the-flag",
        ),
        pytest.param(
            """
            print(genai.GenerativeModel("m", tools=None).generate_content("x").text)
            """,
            """
            print(client.models.generate_content(model="m", contents="x").text)
            """,
            id="none-",
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
            print(genai.GenerativeModel("m", tools="abacus").generate_content("x").text)
            """,
            {"afc_semantics_differ"},
            id="unknown-string",
        ),
        pytest.param(
            """
            def ask(tools):
                return genai.GenerativeModel("m", tools=tools).generate_content("x").text
            """,
            {"afc_semantics_differ"},
            id="of-a-parameter",
        ),
        pytest.param(
            '''
            def word() -> str:
                """A word."""
                return "w"


            def talk(flag):
                model = genai.GenerativeModel("m", tools=[word])
                chat = model.start_chat(enable_automatic_function_calling=flag)
                return chat.send_message("x").text
            ''',
            {"afc_semantics_differ"},
            id="flag-of-a-parameter",
        ),
    ],
)
def test_refused(before: str, codes: set[str]) -> None:
    assert refused(before) == codes
