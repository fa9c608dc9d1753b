"""Answers legacy raised: the program's handlers keep their classes, and a test raises them."""

from __future__ import annotations

import pytest

from tests.support.port import refused, warned, whole_ported

BLOCKED = """\
class BlockedPromptException(Exception):
    \"\"\"The prompt was blocked.\"\"\"
"""
STOPPED = """\
class StopCandidateException(Exception):
    \"\"\"The answer ended for another reason than its own end or its length.\"\"\"
"""
ENDS = """\
not in (
    None,
    types.FinishReason.FINISH_REASON_UNSPECIFIED,
    types.FinishReason.STOP,
    types.FinishReason.MAX_TOKENS,
):
"""

ROWS = {
    "a message whose answer has a name": (
        """
        def ask(question):
            chat = genai.GenerativeModel("m").start_chat()
            try:
                answer = chat.send_message(question)
            except genai.types.BlockedPromptException:
                return "blocked"
            return answer.text
        """,
        """\
    try:
        answer = chat.send_message(message=question)
        if answer.prompt_feedback and answer.prompt_feedback.block_reason:
            raise BlockedPromptException(answer.prompt_feedback)
    except BlockedPromptException:
        return "blocked"
    return answer.text
""",
        [BLOCKED],
    ),
    "a message that stands alone": (
        """
        def ask(question):
            chat = genai.GenerativeModel("m").start_chat()
            try:
                chat.send_message(question)
            except (genai.types.BlockedPromptException, ValueError) as error:
                print("blocked")
        """,
        """\
    try:
        response = chat.send_message(message=question)
        if response.prompt_feedback and response.prompt_feedback.block_reason:
            raise BlockedPromptException(response.prompt_feedback)
    except (BlockedPromptException, ValueError) as error:
        print("blocked")
""",
        [BLOCKED],
    ),
    "an answer that is read where it comes, also under a handler of its text": (
        """
        from google.generativeai.types.generation_types import StopCandidateException as Stopped
        import google.generativeai as genai

        async def ask(question):
            chat = genai.GenerativeModel("m").start_chat()
            try:
                return (await chat.send_message_async(question)).text
            except Stopped:
                return "stopped"
            except Exception as error:
                return isinstance(error, Stopped)
        """,
        """\
    try:
        response = await chat.send_message(message=question)
        if response.candidates[0].finish_reason not in (
            None,
            types.FinishReason.FINISH_REASON_UNSPECIFIED,
            types.FinishReason.STOP,
            types.FinishReason.MAX_TOKENS,
        ):
            raise StopCandidateException(response.candidates[0])
        if response.text is None:
            raise ValueError("the answer holds no text")
        return response.text
    except StopCandidateException:
        return "stopped"
    except Exception as error:
        return isinstance(error, StopCandidateException)
""",
        [STOPPED],
    ),
    "a message that is waited for": (
        """
        import asyncio
        import google.generativeai as genai

        async def ask(question):
            chat = genai.GenerativeModel("m").start_chat()
            try:
                r = await asyncio.wait_for(chat.send_message_async(question), timeout=20)
                return r.text
            except genai.types.BlockedPromptException:
                return "blocked"
        """,
        """\
    try:
        r = await asyncio.wait_for(chat.send_message(message=question), timeout=20)
        if r.prompt_feedback and r.prompt_feedback.block_reason:
            raise BlockedPromptException(r.prompt_feedback)
        return r.text
""",
        [BLOCKED],
    ),
    "a model, which never raised them": (
        """
        model = genai.GenerativeModel("m")
        try:
            print(model.generate_content("x").text)
        except genai.types.BlockedPromptException:
            print("blocked")
        """,
        """\
try:
    print(client.models.generate_content(model="m", contents="x").text)
except BlockedPromptException:
    print("blocked")
""",
        [BLOCKED],
    ),
}


@pytest.mark.parametrize(("before", "after", "classes"), ROWS.values(), ids=ROWS)
def test_raises_what_the_program_waits_for(before: str, after: str, classes: list[str]) -> None:
    now = whole_ported(before)
    assert after in now, now
    assert now.count("(Exception):") == len(classes)
    assert all(f"\n\n{code}\n\n" in now for code in classes), now


def test_a_chat_that_goes_on_forgets_what_was_not_given_back() -> None:
    now = whole_ported(
        """
        chat = genai.GenerativeModel("m").start_chat()
        for question in ["x", "y"]:
            try:
                print(chat.send_message(question).text)
            except genai.types.BlockedPromptException:
                print("blocked")
            except genai.types.StopCandidateException as error:
                print("stopped", error)
        """
    )
    assert (
        """\
        if response.prompt_feedback and response.prompt_feedback.block_reason:
            raise BlockedPromptException(response.prompt_feedback)
"""
        in now
    )
    assert (
        """\
            if response.candidates[0].content in chat.get_history(curated=True)[-1:]:
                del chat.get_history(curated=True)[-2:]
            raise StopCandidateException(response.candidates[0])
"""
        in now
    )


def test_says_that_the_exception_reads_otherwise() -> None:
    before = """
        chat = genai.GenerativeModel("m").start_chat()
        try:
            answer = chat.send_message("x")
        except genai.types.BlockedPromptException as error:
            print(error)
        """
    assert (3, "error_text_changed") in warned(before)


REFUSED = {
    "a stream": """
        chat = genai.GenerativeModel("m").start_chat()
        try:
            for chunk in chat.send_message("x", stream=True):
                print(chunk.text)
        except genai.types.BlockedPromptException:
            print("blocked")
        """,
    "what the exception carries": """
        chat = genai.GenerativeModel("m").start_chat()
        try:
            answer = chat.send_message("x")
        except genai.types.StopCandidateException as error:
            print(error.args[0].finish_reason)
        """,
    "a message inside an expression": """
        chat = genai.GenerativeModel("m").start_chat()
        try:
            answers = [chat.send_message(word) for word in ["x"]]
        except genai.types.StopCandidateException:
            print("stopped")
        """,
    "functions that are called by themselves": """
        def add(a: int, b: int) -> int:
            return a + b

        chat = genai.GenerativeModel("m", tools=[add]).start_chat(
            enable_automatic_function_calling=True)
        try:
            answer = chat.send_message("x")
        except genai.types.StopCandidateException:
            print("stopped")
        """,
    "a broken stream": """
        chat = genai.GenerativeModel("m").start_chat()
        try:
            answer = chat.send_message("x")
        except genai.types.BrokenResponseError:
            print("broken")
        """,
    "a class that is put somewhere": """
        chat = genai.GenerativeModel("m").start_chat()
        try:
            answer = chat.send_message("x")
        except genai.types.StopCandidateException:
            print("stopped")
        StopCandidateException = None
        """,
    "on one line": """
        chat = genai.GenerativeModel("m").start_chat()
        try: answer = chat.send_message("x")
        except genai.types.StopCandidateException:
            print("stopped")
        """,
}


@pytest.mark.parametrize("before", REFUSED.values(), ids=REFUSED)
def test_refuses(before: str) -> None:
    assert "error_class_changed" in refused(before)
