"""What waits for an exception the new SDK does not raise holds back the calls it guards."""

from __future__ import annotations

from pathlib import Path

import pytest

from chatport.port.planner import plan
from tests.support.free_functions import BEFORE, body

MODEL = 'model = genai.GenerativeModel("gemini-1.5-flash")\n'

HELD_BACK = {
    "several under a name that is read otherwise": """
        from google.api_core import exceptions
        WAIT = (exceptions.ResourceExhausted, exceptions.ServiceUnavailable)
        print(len(WAIT))
        try:
            print(model.generate_content("hi").text)
        except WAIT:
            print("wait")
        """,
    "several under a name that is bound again": """
        from google.api_core import exceptions
        WAIT = (exceptions.ResourceExhausted, exceptions.ServiceUnavailable)
        if input():
            WAIT = (ValueError,)
        try:
            print(model.generate_content("hi").text)
        except WAIT:
            print("wait")
        """,
    "several under a name that is offered": """
        from google.api_core import exceptions
        __all__ = ["WAIT"]
        WAIT = (exceptions.ResourceExhausted, exceptions.ServiceUnavailable)
        try:
            print(model.generate_content("hi").text)
        except WAIT:
            print("wait")
        """,
    "several under two names": """
        from google.api_core import exceptions
        WAIT = AGAIN = (exceptions.ResourceExhausted, exceptions.ServiceUnavailable)
        try:
            print(model.generate_content("hi").text)
        except WAIT:
            print("wait")
        """,
    "several in a list that grows": """
        from google.api_core import exceptions
        WAIT = [exceptions.ResourceExhausted, exceptions.ServiceUnavailable]
        try:
            print(model.generate_content("hi").text)
        except tuple(WAIT):
            print("wait")
        """,
    "one of several under a name without a counterpart": """
        from google.api_core import exceptions
        WAIT = (exceptions.ResourceExhausted, exceptions.DeadlineExceeded)
        try:
            print(model.generate_content("hi").text)
        except WAIT:
            print("wait")
        """,
    "several of an attribute": """
        from google.api_core import exceptions
        class Patience:
            WAIT = (exceptions.ResourceExhausted, exceptions.ServiceUnavailable)
        try:
            print(model.generate_content("hi").text)
        except Patience.WAIT:
            print("wait")
        """,
    "a class without a counterpart": """
        from google.api_core import exceptions
        try:
            print(model.generate_content("hi").text)
        except exceptions.DeadlineExceeded:
            print("slow")
        """,
    "one of them without a counterpart": """
        from google.api_core import exceptions
        try:
            print(model.generate_content("hi").text)
        except (exceptions.ResourceExhausted, exceptions.RetryError):
            print("slow")
        """,
    "what the new error does not have": """
        from google.api_core import exceptions
        try:
            print(model.generate_content("hi").text)
        except exceptions.ResourceExhausted as error:
            print(error.details)
        """,
    "what the new error does not have, by its name": """
        from google.api_core import exceptions
        try:
            print(model.generate_content("hi").text)
        except exceptions.ResourceExhausted as error:
            print(getattr(error, "errors", None))
        """,
    "a name of the code": """
        from google.api_core import exceptions
        try:
            print(model.generate_content("hi").text)
        except exceptions.GoogleAPIError as error:
            print(error.code.name)
        """,
    "a class that is raised as well": """
        from google.api_core import exceptions
        try:
            if not model.generate_content("hi").text:
                raise exceptions.NotFound("nothing")
        except exceptions.NotFound:
            print("nothing")
        """,
    "another service that raises the same": """
        from google.api_core import exceptions
        from google.cloud import storage
        try:
            storage.Client().bucket("b")
            print(model.generate_content("hi").text)
        except exceptions.NotFound:
            print("none")
        """,
    "a class beside a wider one, whose error is asked": """
        from google.api_core import exceptions
        try:
            print(model.generate_content("hi").text)
        except (exceptions.DeadlineExceeded, Exception) as error:
            print(error.errors)
        """,
    "a class beside a wider one, and the error is told apart": """
        from google.api_core import exceptions
        try:
            print(model.generate_content("hi").text)
        except (exceptions.DeadlineExceeded, Exception) as error:
            print(isinstance(error, exceptions.DeadlineExceeded))
        """,
    "a class before a wider one": """
        from google.api_core import exceptions
        try:
            print(model.generate_content("hi").text)
        except exceptions.DeadlineExceeded:
            print("slow")
        except Exception:
            print("wrong")
        """,
    "a class beside another that is not wider": """
        from google.api_core import exceptions
        try:
            print(model.generate_content("hi").text)
        except (exceptions.DeadlineExceeded, ValueError):
            print("slow")
        """,
    "handlers that call the error differently": """
        from google.api_core import exceptions
        error = "outside"
        try:
            print(model.generate_content("hi").text)
        except exceptions.ResourceExhausted:
            print(error)
        except Exception as error:
            print(error)
        """,
    "a name that holds something else around the handlers": """
        from google.api_core import exceptions
        error = "outside"
        try:
            print(model.generate_content("hi").text)
        except exceptions.ResourceExhausted:
            print("quota")
        except Exception as error:
            print("other")
        print(error)
        """,
    "another class before a broad one": """
        from google.api_core import exceptions
        try:
            print(model.generate_content("hi").text)
        except (exceptions.ResourceExhausted, KeyError):
            print("no")
        except exceptions.GoogleAPIError:
            print("other")
        """,
    "a condition with others": """
        from google.api_core import exceptions
        from tenacity import retry, retry_if_exception_type

        @retry(retry=retry_if_exception_type((exceptions.ResourceExhausted, KeyError)))
        def ask(text):
            return model.generate_content(text).text
        """,
    "a condition turned round": """
        from google.api_core import exceptions
        from tenacity import retry, retry_if_not_exception_type

        @retry(retry=retry_if_not_exception_type(exceptions.InvalidArgument))
        def ask(text):
            return model.generate_content(text).text
        """,
    "a decorator of this library": """
        from google.api_core import retry

        @retry.Retry()
        def ask(text):
            return model.generate_content(text).text
        """,
    "a decorator of this library under a name": """
        from google.api_core import retry
        patiently = retry.Retry(initial=1)

        @patiently
        def ask(text):
            return model.generate_content(text).text
        """,
    "a context": """
        import contextlib
        from google.api_core import exceptions
        with contextlib.suppress(exceptions.ResourceExhausted):
            print(model.generate_content("hi").text)
        """,
}


@pytest.mark.parametrize("code", HELD_BACK.values(), ids=HELD_BACK)
def test_a_guarded_call_is_refused(tmp_path: Path, code: str) -> None:
    (tmp_path / "app.py").write_text(BEFORE + MODEL + body(code))
    (file,) = plan([tmp_path], root=tmp_path).files
    assert file.status == "refused"
    calls = [f for f in file.findings if f.code == "error_class_changed"]
    assert any(f.kind in {"method_call", "call"} for f in calls)


def test_a_handler_in_another_module_holds_the_call_back(tmp_path: Path) -> None:
    (tmp_path / "desk.py").write_text(
        BEFORE + MODEL + "def ask(text):\n    return model.generate_content(text).text\n"
    )
    (tmp_path / "app.py").write_text(
        "from google.api_core import exceptions\nimport desk\n"
        "try:\n    desk.ask('hi')\nexcept exceptions.ResourceExhausted:\n    pass\n"
    )
    (file,) = plan([tmp_path], root=tmp_path).files
    assert (file.path, file.status) == ("desk.py", "refused")
    (finding,) = [f for f in file.findings if f.kind == "method_call"]
    assert finding.code == "error_class_changed"
    assert "app.py waits for `google.api_core.exceptions.ResourceExhausted`" in (
        finding.message or ""
    )


LET_GO = {
    "another service": """
        from google.api_core import exceptions
        from google.cloud import storage
        try:
            storage.Client().bucket("b")
        except exceptions.NotFound:
            print("none")
        print(model.generate_content("hi").text)
        """,
    "a call after the block": """
        from google.api_core import exceptions
        try:
            print("quiet")
        except exceptions.NotFound:
            print(model.generate_content("hi").text)
        else:
            print(model.generate_content("ho").text)
        """,
    "a function that is only defined there": """
        from google.api_core import exceptions
        try:
            def ask():
                return model.generate_content("hi").text
        except exceptions.NotFound:
            pass
        print(ask())
        """,
    "a broad handler": """
        try:
            print(model.generate_content("hi").text)
        except Exception as error:
            print(error)
        """,
    "a class beside a wider one": """
        from google.api_core import exceptions
        try:
            print(model.generate_content("hi").text)
        except (exceptions.DeadlineExceeded, Exception) as error:
            print("wrong", error)
        """,
    "a class that is raised beside a wider one": """
        from google.api_core import exceptions
        try:
            if not model.generate_content("hi").text:
                raise exceptions.NotFound("nothing")
        except (exceptions.NotFound, Exception) as error:
            print(error)
        """,
    "a class of another service beside a wider one": """
        from google.api_core import exceptions
        from google.cloud import storage
        try:
            print(model.generate_content("hi").text, storage)
        except (exceptions.NotFound, Exception):
            print("none")
        """,
    "an exception that is raised": """
        from google.api_core import exceptions
        text = model.generate_content("hi").text
        if not text:
            raise exceptions.NotFound("nothing")
        """,
}


@pytest.mark.parametrize("code", LET_GO.values(), ids=LET_GO)
def test_a_call_that_nothing_of_it_guards_is_ported(tmp_path: Path, code: str) -> None:
    (tmp_path / "app.py").write_text(BEFORE + MODEL + body(code))
    (file,) = plan([tmp_path], root=tmp_path).files
    assert file.status == "ported", [(f.place.line, f.code, f.message) for f in file.findings]


UNSEEN = """
    from google.api_core import exceptions

    def patiently(job):
        try:
            return job()
        except exceptions.ResourceExhausted as error:
            print(error.errors)

    def ask(text):
        return model.generate_content(text).text
    """


def test_a_handler_that_stays_holds_its_module_back_where_no_call_is_seen(tmp_path: Path) -> None:
    (tmp_path / "app.py").write_text(BEFORE + MODEL + body(UNSEEN))
    (file,) = plan([tmp_path], root=tmp_path).files
    assert file.status == "refused"
    (finding,) = [f for f in file.findings if f.code == "error_class_changed"]
    assert "around which call is not seen" in (finding.message or "")


@pytest.mark.parametrize(
    "other", ["from app import WAIT, ask\nprint(WAIT)\n", "import app\nprint(app.WAIT, app.ask)\n"]
)
def test_several_under_a_name_that_another_module_takes_hold_back(
    tmp_path: Path, other: str
) -> None:
    (tmp_path / "app.py").write_text(BEFORE + MODEL + body(SEVERAL))
    (tmp_path / "other.py").write_text(other)
    file = next(file for file in plan([tmp_path], root=tmp_path).files if file.path == "app.py")
    assert "error_class_changed" in {finding.code for finding in file.findings}


SEVERAL = """
    from google.api_core import exceptions
    WAIT = (exceptions.ResourceExhausted, exceptions.ServiceUnavailable)
    def ask():
        try:
            print(model.generate_content("hi").text)
        except WAIT:
            print("wait")
    """


@pytest.mark.parametrize(
    "code",
    [
        UNSEEN.replace("print(error.errors)", "print(error.code)"),
        UNSEEN.replace(
            "from google.api_core", "from google.cloud import storage\n    from google.api_core"
        ),
    ],
    ids=["it is converted", "another service raises it"],
)
def test_a_handler_where_no_call_is_seen_holds_nothing_back(tmp_path: Path, code: str) -> None:
    (tmp_path / "app.py").write_text(BEFORE + MODEL + body(code))
    (file,) = plan([tmp_path], root=tmp_path).files
    assert file.status == "ported", [(f.place.line, f.code, f.message) for f in file.findings]
