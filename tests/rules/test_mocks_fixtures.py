"""Fixtures that give stand-ins, followed into the tests that ask for them."""

from __future__ import annotations

from textwrap import dedent

import pytest

from chatport.port.findings import Status
from tests.rules.mocked import IMPORTS, MODEL, planned

FIXTURE = IMPORTS + dedent("""
    import pytest


    @pytest.fixture
    def model():
        with patch("app.model") as model:
            yield model


    @pytest.fixture
    def both():
        with patch("app.model") as model:
            yield model, "a"
    """)


def test_a_fixture_for_other_files_is_followed_into_them() -> None:
    test = """
    def test(model):
        model.generate_content.return_value.text = "a"
        app.ask("q")


    def test_both(both):
        model, text = both
        model.generate_content.return_value.text = text
        app.ask("q")


    def test_one(both):
        both[0].generate_content.return_value.text = both[1]
        app.ask("q")
    """
    files = planned(MODEL, test, conftest=FIXTURE)
    assert {file.status for file in files.values()} == {Status.PORTED}
    after = files["test_app.py"].after
    assert after is not None
    assert after.decode() == IMPORTS + dedent(test).replace(".generate", ".models.generate")


@pytest.mark.parametrize(
    "test",
    [
        "def test(model):\n    other(model)",
        "def test(model):\n    model.model_name = 'x'",
        "def test(both):\n    other(*both)",
        "def test(request):\n    request.getfixturevalue('model').generate_content.return_value",
    ],
)
def test_a_fixture_that_goes_where_it_is_not_followed_is_refused_with_its_users(test: str) -> None:
    files = planned(MODEL, test, conftest=FIXTURE)
    assert files["conftest.py"].status is Status.REFUSED
    assert files["app.py"].status is Status.PORTED
    assert files.get("test_app.py") is None or files["test_app.py"].status is Status.REFUSED


def test_a_fixture_of_its_own_hides_that_of_another_file() -> None:
    test = """
    import pytest


    @pytest.fixture
    def model():
        return 1


    def test(model):
        model.generate_content()
    """
    files = planned(MODEL, test, conftest=FIXTURE)
    assert files["conftest.py"].status is Status.PORTED
    assert "test_app.py" not in files


def test_a_fixture_of_the_same_file_is_followed() -> None:
    files = planned(
        MODEL,
        """
        import pytest


        @pytest.fixture
        def model():
            with patch("app.model") as model:
                yield model


        def test(model):
            model.generate_content.return_value = Mock(text="a")
            app.ask("q")
        """,
    )
    after = files["test_app.py"].after
    assert after is not None
    assert b"model.models.generate_content.return_value" in after
