"""Configurations that are taken whole: what is said of their fields."""

from __future__ import annotations

from tests.support.port import warned


def test_fields_that_are_not_known_are_mentioned() -> None:
    source = """
        def ask(config: dict):
            model = genai.GenerativeModel("m")
            return model.generate_content("x", generation_config=config)
        """
    assert (3, "generation_config_spread") in warned(source)


def test_fields_that_are_known_are_not() -> None:
    source = """
        config = {"temperature": 0}
        config["top_k"] = 1
        model = genai.GenerativeModel("m")
        answer = model.generate_content("x", generation_config=config)
        """
    assert warned(source) == []
