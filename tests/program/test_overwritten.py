"""Attributes that a constructor sets to a name, and then to the model of that name."""

from __future__ import annotations

import pytest

from tests.support.port import ported, refused

BOT = """
        class Bot:
            {above}def __init__(self, key, model):
                {first}
                {between}
                {second}

            def ask(self, text):
                return self.model.generate_content(text).text
        """
FIRST = "self.model = model"
SECOND = "self.model = genai.GenerativeModel(self.model)"


def bot(**said: str) -> str:
    plain = {"above": "", "first": FIRST, "between": "self.key = key", "second": SECOND}
    return BOT.format(**(plain | said))


@pytest.mark.parametrize(
    "said",
    [
        {},
        {"between": "print(self.model, model)"},
        {"between": "if key:\n                    self.key = key"},
        {"between": "self.title = self.model.upper()"},
        {"first": "self.model: str = model"},
        {"second": "self.model: object = genai.GenerativeModel(self.model)"},
        {"second": "self.model = genai.GenerativeModel(model_name=self.model or 'm')"},
    ],
)
def test_the_first_value_is_seen_by_the_constructor_alone(said: dict[str, str]) -> None:
    after = ported(bot(**said))
    assert "client.models.generate_content(model=self.model, contents=text).text" in after


@pytest.mark.parametrize(
    "said",
    [
        {"between": "self.start()"},
        {"between": "print(self)"},
        {"between": "if not key:\n                    return"},
        {"between": "self.show = lambda: self.model"},
        {"between": "print(self.other)"},
        {"between": "print(vars())"},
        {"between": "super().__init__()"},
        {"between": "del self.model"},
        {"second": f"if key:\n                    {SECOND}"},
        {"second": f"try:\n                    {SECOND}\n                except OSError: pass"},
        {"second": f"for _ in key:\n                    {SECOND}"},
        {"first": "self.model = self.kept = self"},
        {
            "above": "@property\n            def key(self): return self.model\n\n            ",
            "between": "print(self.key)",
        },
        {"above": "def __setattr__(self, *given): print(self.model)\n\n            "},
        {"above": "def __getattr__(self, name): return self.model\n\n            "},
    ],
)
def test_what_others_may_see_counts(said: dict[str, str]) -> None:
    assert refused(bot(**said))


def test_another_method_may_run_at_any_time() -> None:
    before = """
        class Bot:
            def start(self, model):
                self.model = model
                self.model = genai.GenerativeModel(self.model)

            def ask(self, text):
                return self.model.generate_content(text).text
        """
    assert "receiver_unresolved" in refused(before)
