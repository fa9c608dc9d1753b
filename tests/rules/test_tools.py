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
            ).candidates or [])
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
            ).candidates or [])
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
            print(chat.send_message(message="x").candidates or [])
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
        pytest.param(
            """
            wait = genai.protos.FunctionDeclaration(name="wait", description="Waits.")
            print(genai.GenerativeModel("m", tools=wait).generate_content("x").candidates)
            """,
            """
            wait = types.FunctionDeclaration(name="wait", description="Waits.")
            print(client.models.generate_content(
                model="m",
                contents="x",
                config=types.GenerateContentConfig(
                    tools=[types.Tool(function_declarations=[wait])],
                ),
            ).candidates or [])
            """,
            id="one-declaration-alone",
        ),
        pytest.param(
            """
            tools = [{"name": "wait", "description": "Waits."}]
            print(genai.GenerativeModel("m", tools=tools).generate_content("x").candidates)
            """,
            """
            tools = [{"name": "wait", "description": "Waits."}]
            print(client.models.generate_content(
                model="m",
                contents="x",
                config=types.GenerateContentConfig(tools=[types.Tool(function_declarations=tools)]),
            ).candidates or [])
            """,
            id="declarations-as-mappings",
        ),
        pytest.param(
            """
            wait = genai.types.FunctionDeclaration(name="wait", description="Waits.")
            tool = genai.types.Tool(function_declarations=[wait])
            print(genai.GenerativeModel("m", tools=tool).generate_content("x").candidates)
            """,
            """
            wait = types.FunctionDeclaration(name="wait", description="Waits.")
            tool = types.Tool(function_declarations=[wait])
            print(client.models.generate_content(
                model="m",
                contents="x",
                config=types.GenerateContentConfig(tools=[tool]),
            ).candidates or [])
            """,
            id="one-tool-alone",
        ),
        pytest.param(
            """
            tool = {"function_declarations": [{"name": "wait", "description": "Waits."}]}
            print(genai.GenerativeModel("m", tools=[tool]).generate_content("x").candidates)
            """,
            """
            tool = {"function_declarations": [{"name": "wait", "description": "Waits."}]}
            print(client.models.generate_content(
                model="m",
                contents="x",
                config=types.GenerateContentConfig(tools=[tool]),
            ).candidates or [])
            """,
            id="tools-as-mappings",
        ),
        pytest.param(
            '''
            def wait() -> str:
                """Waits."""
                return "w"


            known = {"wait": wait}
            print(genai.GenerativeModel("m", tools=known.values()).generate_content("x").candidates)
            ''',
            '''
            def wait() -> str:
                """Waits."""
                return "w"


            known = {"wait": wait}
            print(client.models.generate_content(
                model="m",
                contents="x",
                config=types.GenerateContentConfig(
                    tools=list(known.values()),
                    automatic_function_calling=types.AutomaticFunctionCallingConfig(disable=True),
                ),
            ).candidates or [])
            ''',
            id="values-of-a-mapping",
        ),
        pytest.param(
            '''
            def wait(how: str) -> str:
                """Waits."""
                return how


            mode = {"function_calling_config": {"mode": "any", "allowed_function_names": ["wait"]}}
            model = genai.GenerativeModel("m", tools=[wait], tool_config=mode)
            print(model.generate_content("x").candidates)
            ''',
            '''
            def wait(how: str) -> str:
                """Waits."""
                return how


            mode = {"function_calling_config": {"mode": "any", "allowed_function_names": ["wait"]}}
            print(client.models.generate_content(
                model="m",
                contents="x",
                config=types.GenerateContentConfig(
                    tools=[wait],
                    tool_config=types.ToolConfig(
                        function_calling_config=types.FunctionCallingConfig(
                            mode="ANY", allowed_function_names=["wait"],
                        ),
                    ),
                    automatic_function_calling=types.AutomaticFunctionCallingConfig(disable=True),
                ),
            ).candidates or [])
            ''',
            id="mode-of-a-mapping-that-has-a-name",
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
        pytest.param(
            '''
            def add(a, b):
                """Adds."""
                return a + b


            print(genai.GenerativeModel("m", tools=[add]).generate_content("x").candidates)
            ''',
            {"afc_semantics_differ"},
            id="function-without-annotations",
        ),
        pytest.param(
            '''
            def add(*numbers: int):
                """Adds."""
                return sum(numbers)


            print(genai.GenerativeModel("m", tools=[add]).generate_content("x").candidates)
            ''',
            {"afc_semantics_differ"},
            id="function-of-any-number-of-arguments",
        ),
        pytest.param(
            '''
            def word() -> str:
                """A word."""
                return "w"


            tool = genai.types.FunctionDeclaration(name="f", description="d")
            print(genai.GenerativeModel("m", tools=[word, tool]).generate_content("x").candidates)
            ''',
            {"afc_semantics_differ"},
            id="functions-beside-declarations",
        ),
        pytest.param(
            """
            kind = {"type_": "OBJECT"}
            tool = {"name": "f", "description": "d", "parameters": kind}
            print(genai.GenerativeModel("m", tools=[tool]).generate_content("x").candidates)
            """,
            {"afc_semantics_differ"},
            id="mapping-with-keys-of-legacy",
        ),
        pytest.param(
            '''
            def word() -> str:
                """A word."""
                return "w"


            tool = genai.protos.Tool(function_declarations=[{"name": "f"}])
            model = genai.GenerativeModel("m", tools=[word, tool])
            chat = model.start_chat(enable_automatic_function_calling=True)
            print(chat.send_message("x").text)
            ''',
            {"afc_semantics_differ"},
            id="called-beside-a-tool",
        ),
        pytest.param(
            '''
            def word() -> str:
                """A word."""
                return "w"


            config = {"function_calling_config": {"mode": "ANY"}}
            model = genai.GenerativeModel("m", tools=[word], tool_config=config)
            chat = model.start_chat(enable_automatic_function_calling=True)
            print(chat.send_message("x").text)
            ''',
            {"afc_semantics_differ"},
            id="called-in-a-mode",
        ),
        pytest.param(
            '''
            def look(name: str):
                """Looks."""
                return open(name)


            model = genai.GenerativeModel("m", tools=[look])
            chat = model.start_chat(enable_automatic_function_calling=True)
            print(chat.send_message("x").text)
            ''',
            {"afc_semantics_differ"},
            id="called-for-something-unknown",
        ),
        pytest.param(
            '''
            def count(n: int) -> str:
                """Counts."""
                return f"{n} items"


            model = genai.GenerativeModel("m", tools=[count])
            chat = model.start_chat(enable_automatic_function_calling=True)
            print(chat.send_message("x").text)
            ''',
            {"afc_semantics_differ"},
            id="called-with-a-number-in-text",
        ),
        pytest.param(
            '''
            def count(n: int) -> str:
                """Counts."""
                m = n * 2
                return "%s items" % m


            model = genai.GenerativeModel("m", tools=[count])
            chat = model.start_chat(enable_automatic_function_calling=True)
            print(chat.send_message("x").text)
            ''',
            {"afc_semantics_differ"},
            id="called-with-a-number-in-text-by-a-name",
        ),
        pytest.param(
            '''
            def count(n: int) -> str:
                """Counts."""
                return str(n)


            model = genai.GenerativeModel("m", tools=[count])
            chat = model.start_chat(enable_automatic_function_calling=True)
            print(chat.send_message("x").text)
            ''',
            {"afc_semantics_differ"},
            id="called-with-a-number-in-a-call",
        ),
        pytest.param(
            '''
            def count(n: int) -> str:
                """Counts."""
                print(n)
                return "done"


            model = genai.GenerativeModel("m", tools=[count])
            chat = model.start_chat(enable_automatic_function_calling=True)
            print(chat.send_message("x").text)
            ''',
            {"afc_semantics_differ"},
            id="called-with-a-number-in-a-print",
        ),
        pytest.param(
            '''
            from registry import tool


            @tool
            def look(name: str) -> str:
                """Looks."""
                return name


            print(genai.GenerativeModel("m", tools=[look]).generate_content("x").candidates)
            ''',
            {"afc_semantics_differ"},
            id="function-that-is-decorated",
        ),
        pytest.param(
            '''
            def look(name: str) -> str:
                """Looks."""
                raise LookupError(name)


            model = genai.GenerativeModel("m", tools=[look])
            chat = model.start_chat(enable_automatic_function_calling=True)
            print(chat.send_message("x").text)
            ''',
            {"afc_semantics_differ"},
            id="called-to-raise",
        ),
        pytest.param(
            '''
            def word() -> str:
                """A word."""
                return "w"


            config = {"function_calling_config": "SOME"}
            model = genai.GenerativeModel("m", tools=[word], tool_config=config)
            print(model.generate_content("x").text)
            ''',
            {"afc_semantics_differ"},
            id="mode-that-is-not-listed",
        ),
    ],
)
def test_refused(before: str, codes: set[str]) -> None:
    assert refused(before) == codes
