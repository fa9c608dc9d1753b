"""Attributes that are set on a model, which never read them."""

from __future__ import annotations

import pytest

from tests.support.port import clean, ported, refused, warned

PORTED = {
    "on a model of a function": (
        """
        def ask(name, prompt, temperature):
            model = genai.GenerativeModel(name)
            model.temperature = temperature
            return model.generate_content(prompt).text
        """,
        """
        def ask(name, prompt, temperature):
            model = name
            return client.models.generate_content(model=model, contents=prompt).text
        """,
    ),
    "on a model of an object, behind a comment": (
        """
        class Bot:
            def __init__(self, limits):
                self.model = genai.GenerativeModel("m")
                # short
                self.model.max_output_tokens = limits["out"]

            def ask(self, prompt):
                return self.model.generate_content(prompt).text
        """,
        """
        class Bot:
            def __init__(self, limits):
                self.model = "m"
                # short

            def ask(self, prompt):
                return client.models.generate_content(model=self.model, contents=prompt).text
        """,
    ),
    "alone in its branch": (
        """
        model = genai.GenerativeModel("m")
        if __debug__:
            model.temperature = 0
        print(model.generate_content("x").text)
        """,
        """
        model = "m"
        if __debug__:
            pass
        print(client.models.generate_content(model=model, contents="x").text)
        """,
    ),
}


@pytest.mark.parametrize(("before", "after"), PORTED.values(), ids=PORTED)
def test_the_line_goes(before: str, after: str) -> None:
    assert ported(before) == clean(after)


def test_it_is_said_that_the_line_did_nothing() -> None:
    before = """
        model = genai.GenerativeModel("m")
        model.temperature = 0
        print(model.generate_content("x"))
        """
    assert "attribute_set_in_vain" in {warning for _, warning in warned(before)}


REFUSED = {
    "read again": "model.temperature = 0\nprint(model.temperature)",
    "asked for by name": "model.temperature = 0\nprint(getattr(model, 'temperature', 1))",
    "asked for": "model.temperature = 0\nprint(hasattr(model, 'temperature'))",
    "all of them read": "model.temperature = 0\nprint(vars(model))",
    "given to something else as well": "limits = model.temperature = 0",
    "counted up": "model.temperature += 1",
    "computed by a call": "model.temperature = float(input())",
    "a method of the model": "model.generate_content = print",
    "an attribute of its own": "model._generation_config = {'temperature': 0}",
    "set by name": "setattr(model, 'temperature', 0)",
}


@pytest.mark.parametrize("lines", REFUSED.values(), ids=REFUSED)
def test_what_somebody_reads_or_what_has_an_effect_is_refused(lines: str) -> None:
    before = f'model = genai.GenerativeModel("m")\n{lines}\nprint(model.generate_content("x"))\n'
    assert refused(before)


def test_what_may_be_no_model_is_refused() -> None:
    assert refused("""
        model = genai.GenerativeModel("m") if input() else None
        model.temperature = 0
        print(model.generate_content("x"))
        """)
