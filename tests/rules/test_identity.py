"""Models told apart from what stands in their place."""

from __future__ import annotations

import pytest

from tests.support.port import clean, ported, refused


@pytest.mark.parametrize(
    ("use", "code"),
    [
        pytest.param("print(a == b)", "model_object_escapes", id="equal"),
        pytest.param("print(a is not b)", "model_object_escapes", id="same"),
        pytest.param("print(a in [b])", "model_object_escapes", id="in-a-list"),
        pytest.param("print(isinstance(a, str))", "model_object_escapes", id="class"),
        pytest.param("print(type(a) is type(b))", "model_object_escapes", id="type"),
        pytest.param("print(id(a) == id(b))", "model_object_escapes", id="id"),
        pytest.param(
            "print(hasattr(a, 'generate_content'))", "model_object_escapes", id="attribute"
        ),
        pytest.param("print(len({a: 1, b: 2}))", "model_object_escapes", id="keys"),
        pytest.param("print(len({a, b}))", "model_object_escapes", id="set"),
        pytest.param("exec('print(a)')", "dynamic_reference", id="exec"),
        pytest.param("print(eval('b.model_name'))", "dynamic_reference", id="eval"),
        pytest.param("exec('print(genai)')", "dynamic_reference", id="exec-of-the-module"),
    ],
)
def test_refused(use: str, code: str) -> None:
    before = f"""
            a = genai.GenerativeModel("m")
            b = genai.GenerativeModel("m")
            {use}
            print(a.generate_content("x").text, b.generate_content("x").text)
            """
    assert code in refused(before)


@pytest.mark.parametrize(
    "use",
    [
        pytest.param("print(a is None, a == None, not a)", id="presence"),
        pytest.param("print(a == b)", id="names-that-differ"),
        pytest.param("exec('print(1)')", id="program-of-other-names"),
    ],
)
def test_kept(use: str) -> None:
    before = f"""
            a = genai.GenerativeModel("m")
            b = genai.GenerativeModel("n")
            pair = (a, b)
            {use}
            print(pair[0].generate_content("x").text)
            """
    after = f"""
            a = "m"
            b = "n"
            pair = (a, b)
            {use}
            print(client.models.generate_content(model=pair[0], contents="x").text)
            """
    assert ported(before) == clean(after)
