"""The seconds a request may take, from legacy's options into the new configuration."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from chatport.port.findings import FilePlan
from chatport.port.planner import plan
from chatport.port.prove.pair import prove_pair
from chatport.port.prove.running import Worker
from tests.prove.workers import worker
from tests.support.free_functions import AFTER, BEFORE, body

__all__ = ["worker"]

MODEL = 'model = genai.GenerativeModel("gemini-1.5-flash")\n'


def ported(root: Path, code: str) -> FilePlan:
    (root / "app.py").write_text(BEFORE + MODEL + body(code))
    (file,) = plan([root], root=root).files
    return file


PORTED = {
    "a mapping": (
        """
        print(model.generate_content("hi", request_options={"timeout": 60}).text)
        """,
        """
        print(client.models.generate_content(
            model="gemini-1.5-flash",
            contents="hi",
            config=types.GenerateContentConfig(http_options=types.HttpOptions(timeout=60_000)),
        ).text)
        """,
    ),
    "a part of a second, beside other keys": (
        """
        r = model.generate_content(
            "hi",
            generation_config={"temperature": 0},
            request_options=genai.types.RequestOptions(timeout=2.5, retry=None),
        )
        print(r.text)
        """,
        """
        r = client.models.generate_content(
            model="gemini-1.5-flash",
            contents="hi",
            config=types.GenerateContentConfig(
                temperature=0,
                http_options=types.HttpOptions(timeout=2_500),
            ),
        )
        print(r.text)
        """,
    ),
    "options in a variable": (
        """
        options = genai.types.RequestOptions(timeout=60)
        print(model.generate_content("a", request_options=options).text)
        print(model.generate_content("b", request_options=options).text)
        """,
        """
        print(client.models.generate_content(
            model="gemini-1.5-flash",
            contents="a",
            config=types.GenerateContentConfig(http_options=types.HttpOptions(timeout=60_000)),
        ).text)
        print(client.models.generate_content(
            model="gemini-1.5-flash",
            contents="b",
            config=types.GenerateContentConfig(http_options=types.HttpOptions(timeout=60_000)),
        ).text)
        """,
    ),
    "a mapping in a variable that is shown": (
        """
        options = {"timeout": 60}
        print(options)
        print(model.generate_content("a", request_options=options).text)
        """,
        """
        options = {"timeout": 60}
        print(options)
        print(client.models.generate_content(
            model="gemini-1.5-flash",
            contents="a",
            config=types.GenerateContentConfig(http_options=types.HttpOptions(timeout=60_000)),
        ).text)
        """,
    ),
    "seconds in a name": (
        """
        SECONDS = 60
        print(model.generate_content("hi", request_options={"timeout": SECONDS}).text)
        print(model.generate_content("hi", request_options={"timeout": SECONDS + 1}).text)
        """,
        """
        SECONDS = 60
        print(client.models.generate_content(
            model="gemini-1.5-flash",
            contents="hi",
            config=types.GenerateContentConfig(
                http_options=types.HttpOptions(timeout=int(SECONDS * 1000)),
            ),
        ).text)
        print(client.models.generate_content(
            model="gemini-1.5-flash",
            contents="hi",
            config=types.GenerateContentConfig(
                http_options=types.HttpOptions(timeout=int((SECONDS + 1) * 1000)),
            ),
        ).text)
        """,
    ),
    "options that say nothing": (
        """
        print(model.generate_content("hi", request_options=None).text)
        print(model.generate_content("hi", request_options={}).text)
        print(model.generate_content("hi", request_options={"timeout": None}).text)
        """,
        """
        print(client.models.generate_content(model="gemini-1.5-flash", contents="hi").text)
        print(client.models.generate_content(model="gemini-1.5-flash", contents="hi").text)
        print(client.models.generate_content(model="gemini-1.5-flash", contents="hi").text)
        """,
    ),
    "a message of a chat that is configured": (
        """
        brief = genai.GenerativeModel("gemini-1.5-flash", system_instruction="Be brief.")
        chat = brief.start_chat()
        print(chat.send_message("hi", request_options={"timeout": 60}).text)
        print(chat.send_message("again").text)
        """,
        """
        chat = client.chats.create(
            model="gemini-1.5-flash",
            config=types.GenerateContentConfig(system_instruction="Be brief."),
        )
        print(chat.send_message(
            message="hi",
            config=types.GenerateContentConfig(
                system_instruction="Be brief.",
                http_options=types.HttpOptions(timeout=60_000),
            ),
        ).text)
        print(chat.send_message(message="again").text)
        """,
    ),
}


@pytest.mark.parametrize(("before", "after"), PORTED.values(), ids=PORTED)
def test_options_become_a_field_of_the_configuration(
    tmp_path: Path, before: str, after: str
) -> None:
    file = ported(tmp_path, before)
    assert file.after is not None, file.findings
    assert file.after.decode() == AFTER + body(after)


@pytest.mark.parametrize("environment", ["genai1", "genai2", "genai3"])
@pytest.mark.parametrize(("before", "after"), PORTED.values(), ids=PORTED)
def test_both_programs_do_the_same(
    worker: Callable[[str], Worker], before: str, after: str, environment: str
) -> None:
    workers = (worker("legacy"), worker(environment))
    result = prove_pair(BEFORE + MODEL + body(before), AFTER + body(after), workers)
    assert result.same, result.explain()


REFUSED = {
    "a retry": """
        from google.api_core import retry
        print(model.generate_content("hi", request_options={"retry": retry.Retry()}).text)
        """,
    "options of unknown making": """
        import settings
        print(model.generate_content("hi", request_options=settings.OPTIONS).text)
        """,
    "options that are changed": """
        options = {"timeout": 60}
        options["timeout"] = 70
        print(model.generate_content("hi", request_options=options).text)
        """,
    "a connection's own time": """
        print(model.generate_content("hi", request_options={"timeout": (3, 60)}).text)
        """,
    "seconds that may be missing": """
        def ask(seconds=None):
            return model.generate_content("hi", request_options={"timeout": seconds}).text
        """,
    "an object that is read": """
        options = genai.types.RequestOptions(timeout=60)
        print(options)
        print(model.generate_content("hi", request_options=options).text)
        """,
    "seconds that are bound again": """
        seconds = 60
        options = {"timeout": seconds}
        seconds = 70
        print(model.generate_content("hi", request_options=options).text)
        """,
    "a count": """
        print(model.count_tokens("hi", request_options={"timeout": 60}))
        """,
}


@pytest.mark.parametrize("code", REFUSED.values(), ids=REFUSED)
def test_what_else_options_say_is_refused(tmp_path: Path, code: str) -> None:
    file = ported(tmp_path, code)
    assert (file.status, file.after) == ("refused", None)
    assert "unsupported_kwarg" in {finding.code for finding in file.findings}
