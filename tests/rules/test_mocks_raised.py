"""Errors of the transport that stand-ins raise and tests wait for."""

from __future__ import annotations

import pytest

from chatport.port.findings import Status
from tests.rules.mocked import IN_A_CLASS, WITH, planned

IMPORT = "from google.api_core import exceptions\n\nimport pytest\n\n"
ANSWER = WITH + "        asked = made.return_value.generate_content\n        "
FAILS = 'ResourceExhausted("quota")'
NEW = (
    "errors.ClientError(\n{0}    429,\n"
    '{0}    {{"error": {{"message": "quota", "status": "RESOURCE_EXHAUSTED"}}}},\n{0})'
)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (
            ANSWER + f"asked.side_effect = exceptions.{FAILS}",
            "asked.side_effect = " + NEW.format("        "),
        ),
        (
            ANSWER + f"error = exceptions.{FAILS}\n        asked.side_effect = error",
            "error = " + NEW.format("        ") + "\n        asked.side_effect = error",
        ),
        (
            f"def fail(*args, **kwargs):\n    raise exceptions.{FAILS}\n\n"
            + ANSWER
            + "asked.side_effect = fail",
            "    raise " + NEW.format("    "),
        ),
        (
            ANSWER + "with pytest.raises(exceptions.NotFound):\n            app.Bot('k').ask('q')",
            "with pytest.raises(errors.ClientError, match='^404 '):",
        ),
        (
            ANSWER + "with pytest.raises(exceptions.InvalidArgument, match='bad') as met:\n"
            "            app.Bot('k').ask('q')\n        assert met.value.message == 'bad'",
            "with pytest.raises(errors.ClientError, match='^400 INVALID_ARGUMENT.*bad') as met:",
        ),
        (
            ANSWER + "with pytest.raises(exceptions.GoogleAPIError):\n            app.Bot('k')",
            "with pytest.raises(errors.APIError):",
        ),
        (
            ANSWER
            + "with self.assertRaises(exceptions.ServiceUnavailable):\n            app.Bot('k')",
            'with self.assertRaisesRegex(errors.ServerError, "^503 "):',
        ),
    ],
)
def test_an_error_becomes_the_new_one_of_its_status(before: str, after: str) -> None:
    files = planned(IN_A_CLASS, IMPORT + before)
    assert [f.message for file in files.values() for f in file.findings if f.code] == []
    text = files["test_app.py"].after
    assert text is not None
    assert after in text.decode()
    assert b"api_core" not in text


@pytest.mark.parametrize(
    "test",
    [
        "asked.side_effect = exceptions.DeadlineExceeded('late')",
        "asked.side_effect = exceptions.GoogleAPIError('of no status')",
        "asked.side_effect = exceptions.NotFound('x', errors=[1])",
        "asked.side_effect = exceptions.NotFound",
        "other = exceptions.NotFound('x')\n        store(other)",
        "asked.side_effect = store(exceptions.NotFound('x')).error\n        store(exceptions)",
        "asked.side_effect = exceptions.NotFound('x')\n        assert app.error() == '404 x'",
        "asked.side_effect = exceptions.NotFound('x')\n        assert 'NotFound' in app.error()",
        "with pytest.raises((exceptions.NotFound, OSError)):\n            app.Bot('k')",
        "with pytest.raises(exceptions.NotFound, match='^404 x$'):\n            app.Bot('k')",
        "with pytest.raises(exceptions.NotFound, match='404'):\n            app.Bot('k')",
        (
            "with pytest.raises(exceptions.NotFound) as met:\n            app.Bot('k')\n"
            "        assert str(met.value) == 'x'"
        ),
        (
            "with pytest.raises(exceptions.NotFound) as met:\n            app.Bot('k')\n"
            "        assert met.value.details == []"
        ),
        "pytest.raises(exceptions.NotFound, app.Bot)",
        "try:\n            app.Bot('k')\n        except exceptions.NotFound:\n            pass",
        "assert isinstance(app.error(), exceptions.NotFound)",
        "asked.side_effect = exceptions.NotFound('x')\n        import google.cloud.storage",
        "import google.api_core.exceptions as errors\n        app.use(errors)",
    ],
)
def test_errors_that_are_more_than_raised_by_stand_ins_leave_the_test(test: str) -> None:
    files = planned(IN_A_CLASS, IMPORT + ANSWER + test)
    assert files["test_app.py"].status is Status.REFUSED
    assert "mock_target" in {finding.code for finding in files["test_app.py"].findings}
    assert files["app.py"].status is Status.PORTED
