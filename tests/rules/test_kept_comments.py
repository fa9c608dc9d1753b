"""No comment is lost: what the new code has no place for goes above it."""

from __future__ import annotations

import re

import pytest

from tests.support.port import ported

PROGRAMS = {
    "a model that is named": """
        import os
        model = genai.GenerativeModel(  # one for all
            # the fast one
            model_name=os.environ["NAME"],  # from outside
            # be nice
            system_instruction=input(),  # asked for
            # no filter
            safety_settings={
                # customers swear
                "harassment": "block_none",  # really
            },
        )  # made
        def ask(q):
            return model.generate_content(q).text
        """,
    "a model that is folded": """
        model = genai.GenerativeModel(
            "m",  # fast
            # short
            generation_config={
                "temperature": 0.2,  # calm
                # dear
                "max_output_tokens": 100,
            },
        )
        print(model.generate_content("x"))
        """,
    "an argument that goes": """
        class Bot:
            def __init__(self, name):
                self.model = genai.GenerativeModel(  # per bot
                    model_name=name,  # any
                    tools=None,  # none yet
                )

            def ask(self, q):
                return self.model.generate_content(q, stream=False).text  # at once
        """,
    "a constructor in a chain": """
        chat = genai.GenerativeModel(
            "m",  # fast
        ).start_chat(
            # nothing said yet
            history=[],  # empty
        )
        print(chat.send_message("x"))
        """,
    "a branch": """
        if input():
            pass  # nothing
        elif genai.GenerativeModel(
            "m",  # fast
            tools=None,  # none
        ).generate_content("x").candidates:  # asked
            print("there")
        """,
    "the same comment twice": """
        one = genai.GenerativeModel(input())  # a model
        two = genai.GenerativeModel(
            input(),  # a model
        )
        print(one.generate_content("x"), two.generate_content("y"))
        """,
}


@pytest.mark.parametrize("program", PROGRAMS.values(), ids=PROGRAMS)
def test_every_comment_stays(program: str) -> None:
    comments = sorted(re.findall(r"# .*", program))
    assert sorted(re.findall(r"# .*", ported(program))) == comments


def test_a_comment_goes_above_the_statement_it_stood_in() -> None:
    program = """
        def ask(name, q):
            return genai.GenerativeModel(
                name,  # any of them
                tools=None,  # none yet
            ).generate_content(q)
        """
    assert ported(program) == (
        "def ask(name, q):\n"
        "    # any of them\n"
        "    # none yet\n"
        "    return client.models.generate_content(model=name, contents=q)\n"
    )


def test_what_speaks_to_a_tool_about_a_line_goes_with_the_line() -> None:
    program = """
        print(genai.GenerativeModel(
            "m",
            tools=None,  # type: ignore
        ).generate_content("x"))
        """
    assert "#" not in ported(program)


def test_nothing_is_put_into_a_text_that_ends_on_the_line() -> None:
    program = '''
        import os
        text = """one
        two"""; model = genai.GenerativeModel(
            os.environ["NAME"],  # any
            system_instruction=input(),
        )
        print(text, model.generate_content("x"))
        '''
    assert 'text = """one\ntwo"""; ' in ported(program)


def test_a_comment_that_goes_along_is_not_said_twice() -> None:
    after = ported("""
        config = {
            "temperature": 0.2,    # calm
            # dear
            "max_output_tokens": 100,
        }
        model = genai.GenerativeModel("m")
        print(model.generate_content("x", generation_config=config))
        """)
    assert after.count("# calm") == 1
    assert "temperature=0.2,  # calm\n" in after
    assert after.count("# dear") == 1
