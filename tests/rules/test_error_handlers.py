"""Handlers of the old transport's exceptions, written for those of the new SDK."""

from __future__ import annotations

from pathlib import Path

import pytest

from chatport.port.planner import plan
from tests.support.free_functions import BEFORE, body

MODEL = 'model = genai.GenerativeModel("gemini-1.5-flash")\n'
CALL = 'client.models.generate_content(model="gemini-1.5-flash", contents="hi").text'
QUOTA = "isinstance(e, errors.ClientError) and e.code == 429"

ROWS = {
    "several under a name": (
        """
        from google.api_core.exceptions import ResourceExhausted, ServiceUnavailable
        WAIT = (ResourceExhausted, ServiceUnavailable, TimeoutError)
        try:
            print(model.generate_content("hi").text)
        except WAIT:
            print("wait")
        """,
        """
        try:
            print(CALL)
        except (errors.APIError, TimeoutError) as error:
            if isinstance(error, errors.APIError) and error.code not in (429, 503):
                raise
            print("wait")
        """,
    ),
    "several under a name that is asked about": (
        """
        from google.api_core import exceptions
        GONE = (exceptions.GoogleAPIError, ConnectionError)
        try:
            print(model.generate_content("hi").text)
        except Exception as error:
            print(isinstance(error, GONE))
        """,
        """
        try:
            response = client.models.generate_content(model="gemini-1.5-flash", contents="hi")
            if response.text is None:
                raise ValueError("the answer holds no text")
            print(response.text)
        except Exception as error:
            print(isinstance(error, (errors.APIError, ConnectionError)))
        """,
    ),
    "a class on a line of its own": (
        """
        from google.api_core import exceptions
        try:
            print(model.generate_content("hi").text)
        except (
            exceptions.ResourceExhausted
        ) as error:
            print(error.code)
        """,
        """
        try:
            print(CALL)
        except errors.ClientError as error:
            if error.code != 429:
                raise
            print(error.code)
        """,
    ),
    "a class of its own status": (
        """
        from google.api_core.exceptions import ResourceExhausted
        try:
            print(model.generate_content("hi").text)
        except ResourceExhausted:
            print("wait")
        """,
        """
        try:
            print(CALL)
        except errors.ClientError as error:
            if error.code != 429:
                raise
            print("wait")
        """,
    ),
    "a class of everything": (
        """
        import google.api_core.exceptions
        try:
            print(model.generate_content("hi").text)
        except google.api_core.exceptions.GoogleAPIError as error:
            print(error)
        """,
        """
        try:
            print(CALL)
        except errors.APIError as error:
            print(error)
        """,
    ),
    "a status that shares its code": (
        """
        from google.api_core import exceptions
        try:
            print(model.generate_content("hi").text)
        except exceptions.InvalidArgument as e: print(e.message)
        """,
        """
        try:
            print(CALL)
        except errors.ClientError as e:
            if e.status != "INVALID_ARGUMENT":
                raise
            print(e.message)
        """,
    ),
    "several statuses": (
        """
        from google.api_core import exceptions
        try:
            print(model.generate_content("hi").text)
        except (exceptions.ResourceExhausted, exceptions.ServiceUnavailable) as e:
            print(e.code.value)
        finally:
            print("done")
        """,
        """
        try:
            print(CALL)
        except errors.APIError as e:
            if e.code not in (429, 503):
                raise
            print(e.code)
        finally:
            print("done")
        """,
    ),
    "a class beside another library's": (
        """
        from google.api_core import exceptions
        try:
            print(model.generate_content("hi").text)
        except (exceptions.ResourceExhausted, KeyError):
            print("no")
        """,
        """
        try:
            print(CALL)
        except (errors.ClientError, KeyError) as error:
            if isinstance(error, errors.ClientError) and error.code != 429:
                raise
            print("no")
        """,
    ),
    "a handler of the rest behind it": (
        """
        from google.api_core import exceptions
        try:
            print(model.generate_content("hi").text)
        except exceptions.ResourceExhausted as quota:  # used up
            print(quota)
        # not ours
        except KeyError:
            print("key")
        except Exception as e:
            print(e)  # what else
        """,
        """
        try:
            response = client.models.generate_content(model="gemini-1.5-flash", contents="hi")
            if response.text is None:
                raise ValueError("the answer holds no text")
            print(response.text)
        # not ours
        except KeyError:
            print("key")
        except Exception as e:
            if isinstance(e, errors.ClientError) and e.code == 429:
                # used up
                print(e)
            else:
                print(e)  # what else
        """,
    ),
    "a broader class behind it": (
        """
        from google.api_core import exceptions
        try:
            print(model.generate_content("hi").text)
        except exceptions.NotFound:
            print("none")
        except exceptions.GoogleAPICallError as e:
            print(e.message)
        """,
        """
        try:
            print(CALL)
        except errors.APIError as e:
            if e.code == 404:
                print("none")
            else:
                print(e.message)
        """,
    ),
    "a bare handler behind it, which meets more than errors": (
        """
        from google.api_core import exceptions
        try:
            print(model.generate_content("hi").parts)
        except exceptions.NotFound:
            print("none")
        except:
            print("anything")
        """,
        """
        try:
            print(client.models.generate_content(model="gemini-1.5-flash", contents="hi").parts)
        except BaseException as error:
            if isinstance(error, errors.ClientError) and error.code == 404:
                print("none")
            else:
                print("anything")
        """,
    ),
    "classes that have nothing in common": (
        """
        from google.api_core import exceptions
        try:
            print(model.generate_content("hi").text)
        except exceptions.NotFound:
            print("none")
        except exceptions.ServiceUnavailable:
            print("down")
        """,
        """
        try:
            print(CALL)
        except errors.ClientError as error:
            if error.code != 404:
                raise
            print("none")
        except errors.ServerError as error:
            if error.code != 503:
                raise
            print("down")
        """,
    ),
    "a question in a broad handler": (
        """
        from google.api_core import exceptions
        try:
            print(genai.get_file("files/abc").name)
        except Exception as e:
            if isinstance(e, exceptions.NotFound):
                print("none")
            print(not isinstance(e, exceptions.NotFound))
        """,
        """
        try:
            print(client.files.get(name="files/abc").name)
        except Exception as e:
            if isinstance(e, errors.ClientError) and e.code == 404:
                print("none")
            print(not (isinstance(e, errors.ClientError) and e.code == 404))
        """,
    ),
    "a condition of a library of retries": (
        """
        from google.api_core import exceptions
        from tenacity import retry, retry_if_exception_type

        @retry(retry=retry_if_exception_type(exceptions.ResourceExhausted))
        def ask():
            return model.generate_content("hi").text
        """,
        """
        from tenacity import retry, retry_if_exception_type, retry_if_exception

        @retry(retry=retry_if_exception(lambda e: QUOTA))
        def ask():
            return CALL
        """,
    ),
    "a condition of everything": (
        """
        import tenacity
        from google.api_core import exceptions

        @tenacity.retry(retry=tenacity.retry_if_exception_type(exceptions.GoogleAPIError))
        def ask():
            return model.generate_content("hi").text
        """,
        """
        import tenacity

        @tenacity.retry(retry=tenacity.retry_if_exception_type(errors.APIError))
        def ask():
            return CALL
        """,
    ),
    "a reason to give up": (
        """
        import backoff
        from google.api_core import exceptions

        @backoff.on_exception(backoff.expo, exceptions.ResourceExhausted)
        def ask():
            return model.generate_content("hi").text
        """,
        """
        import backoff

        @backoff.on_exception(backoff.expo, errors.ClientError, giveup=lambda e: e.code != 429)
        def ask():
            return CALL
        """,
    ),
}


def ported(folder: Path, code: str) -> str:
    """What a row becomes behind the imports, the client and the constructor."""
    (folder / "app.py").write_text(BEFORE + MODEL + body(code))
    (file,) = plan([folder], root=folder).files
    assert file.status == "ported", [(f.place.line, f.code, f.message) for f in file.findings]
    assert file.after is not None
    return file.after.decode()


@pytest.mark.parametrize(("before", "after"), ROWS.values(), ids=ROWS)
def test_a_handler_waits_for_the_new_class(tmp_path: Path, before: str, after: str) -> None:
    now = ported(tmp_path, before)
    assert "api_core" not in now
    assert now.endswith(body(after).replace("CALL", CALL).replace("QUOTA", QUOTA)), now
    assert "from google.genai import errors, types\n" in now


def test_a_name_of_the_program_is_not_taken(tmp_path: Path) -> None:
    now = ported(
        tmp_path,
        """
        from google.api_core import exceptions
        errors = []
        try:
            print(model.generate_content("hi").text)
        except exceptions.GoogleAPIError as error:
            errors.append(error)
        """,
    )
    assert "from google.genai import errors as genai_errors, types\n" in now
    assert "except genai_errors.APIError as error:" in now


@pytest.mark.parametrize("more", [", Aborted", "\nimport google.api_core.retry"])
def test_imports_that_nothing_reads_go_with_what_they_name(tmp_path: Path, more: str) -> None:
    line = f"from google.api_core.exceptions import NotFound, GoogleAPIError{more}"
    handled = """
try:
    print(model.generate_content("hi").text)
except (NotFound, GoogleAPIError) as error:
    print(error.code)
"""
    now = ported(tmp_path, line + handled)
    assert "except errors.APIError as error:\n    print(error.code)\n" in now
    assert "api_core" not in now


def test_imports_that_nothing_reads_go_where_nothing_is_waited_for(tmp_path: Path) -> None:
    now = ported(
        tmp_path,
        """
        from google.api_core import exceptions
        model.generate_content("hi")
        """,
    )
    assert "api_core" not in now


def test_an_import_that_others_may_read_stays(tmp_path: Path) -> None:
    (tmp_path / "other.py").write_text("from app import Aborted\n")
    code = """
        from google.api_core.exceptions import Aborted, NotFound
        model.generate_content("hi")
        """
    assert "from google.api_core.exceptions import Aborted\n" in ported(tmp_path, code)


@pytest.mark.parametrize("name", ["NotFound", "exceptions"])
def test_a_class_that_is_offered_to_others_is_left(tmp_path: Path, name: str) -> None:
    (tmp_path / "app.py").write_text(
        BEFORE
        + MODEL
        + body(f"""
        from google.api_core import exceptions
        from google.api_core.exceptions import NotFound
        __all__ = ["{name}"]
        try:
            model.generate_content("hi")
        except (exceptions.NotFound, NotFound):
            print("gone")
        """)
    )
    (file,) = plan([tmp_path], root=tmp_path).files
    (refusal,) = {f.message for f in file.findings if f.code == "error_class_changed"}
    assert f"`{name}` is offered to others" in str(refusal)


def test_a_stream_is_met_where_it_is_made(tmp_path: Path) -> None:
    (tmp_path / "app.py").write_text(
        BEFORE
        + MODEL
        + body("""
        from google.api_core import exceptions
        try:
            chunks = model.generate_content("hi", stream=True)
        except exceptions.ResourceExhausted:
            chunks = []
        for chunk in chunks:
            print(chunk.text)
        """)
    )
    (file,) = plan([tmp_path], root=tmp_path).files
    after = (file.after or b"").decode()
    assert "chunks = start_stream(\n" in after
    assert "except errors.ClientError as error:\n    if error.code != 429:" in after


@pytest.mark.parametrize("read", ["error", "error.args[0]"])
def test_what_differs_is_said_at_the_first_call(tmp_path: Path, read: str) -> None:
    (tmp_path / "app.py").write_text(
        BEFORE
        + MODEL
        + body("""
        from google.api_core import exceptions
        try:
            model.generate_content("hi")
        except exceptions.GoogleAPIError as error:
            print(READ)
        """).replace("READ", read)
    )
    (file,) = plan([tmp_path], root=tmp_path).files
    assert [f.warnings for f in file.findings if f.kind == "method_call"] == [
        ("error_text_changed", "connection_errors_apart")
    ]
