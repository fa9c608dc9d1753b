"""The test that raises what reading a text raised: where it is needed, and where it is not."""

from __future__ import annotations

import pytest

from tests.support.port import ported, refused, whole_ported

GUARD = """\
    if r.text is None:
        raise ValueError("the answer holds no text")
"""


def under(lines: str, handler: str = "Exception") -> str:
    return f"""
try:
    r = genai.GenerativeModel("m").generate_content("x")
{lines}
except {handler}:
    print("no")
"""


GUARDED = {
    "asked for first": 'print(r.text if hasattr(r, "text") else str(r))',
    "a default for it": 'said = r.text or "none"',
    "a test of it": "said = bool(r.text) and r.candidates",
    "the first of several": 'said = r.text and "yes"',
}


@pytest.mark.parametrize("line", GUARDED.values(), ids=GUARDED)
@pytest.mark.parametrize("handler", ["Exception", "ValueError"])
def test_a_text_that_is_certainly_read_is_guarded(line: str, handler: str) -> None:
    assert f"{GUARD}    {line}\n" in ported(under(f"    {line}", handler))


@pytest.mark.parametrize("named", ["(ValueError, KeyError)", "(Exception,)", "ValueError"])
def test_a_text_under_an_error_that_has_another_name_is_guarded(named: str) -> None:
    assert f"{GUARD}    print(r.text)" in ported(
        f"FAILED = {named}\n{under(GUARDED_LINE, 'FAILED')}"
    )


GUARDED_LINE = "    print(r.text)"


def test_a_text_under_errors_of_another_kind_is_not_guarded() -> None:
    source = f"FAILED = (KeyError, OSError)\n{under(GUARDED_LINE, 'FAILED')}"
    assert "raise" not in ported(source)


def test_a_text_that_may_not_be_read_is_refused_where_its_error_was_waited_for() -> None:
    assert refused(under("    print(input() and r.text)", "ValueError")) == {
        "text_no_longer_raises"
    }


@pytest.mark.parametrize(
    "lines",
    [
        '    if not r.text:\n        raise KeyError("empty")\n    print(r.text)',
        "    if r is None or not r.text:\n        raise KeyError(1)\n    print(r.text)",
        "    if r.text is None:\n        raise KeyError(1)\n    print(r.text)",
    ],
)
def test_a_text_that_was_asked_for_is_not_guarded_again(lines: str) -> None:
    assert ported(under(lines)).count("raise") == 1


def test_a_test_of_another_answer_does_not_count() -> None:
    lines = (
        '    if not r.text:\n        raise KeyError("empty")\n'
        '    r = genai.GenerativeModel("m").generate_content("y")\n    print(r.text)'
    )
    assert f"{GUARD}    print(r.text)\n" in ported(under(lines))


def test_an_attribute_is_guarded_as_a_name_is() -> None:
    now = ported(
        """
        class Bot:
            def ask(self):
                self.reply = genai.GenerativeModel("m").generate_content("x")
                try:
                    return self.reply.text
                except ValueError:
                    return ""
        """
    )
    assert "            if self.reply.text is None:\n" in now


def test_an_answer_inside_an_f_string_keeps_its_place() -> None:
    before = """
        model = genai.GenerativeModel("m")
        try:
            print(f"{model.generate_content('x').text}")
        except Exception:
            print("no")
        """
    assert "is None" not in ported(before)


def test_what_comes_before_an_answer_stays_before_it() -> None:
    before = """
        model = genai.GenerativeModel("m")
        try:
            print(input(), model.generate_content("x").text)
        except ValueError:
            print("no")
        """
    assert refused(before) == {"text_no_longer_raises"}


ASKED = {
    "whether there is none": "if not answer.text:\n                return 'empty'",
    "whether there is some": "if answer.text:\n                return answer.text",
    "what it is": "if answer.text == 'no':\n                return 'no'",
}


@pytest.mark.parametrize("asked", ASKED.values(), ids=ASKED)
def test_a_question_about_the_text_raises_under_a_broad_handler(asked: str) -> None:
    now = ported(
        f"""
        model = genai.GenerativeModel("m")

        def ask(question):
            try:
                answer = model.generate_content(question)
                {asked.replace(chr(10), chr(10) + "    ")}
                return answer.text
            except Exception:
                return "failed"
        """
    )
    assert now.count("if answer.text is None:") == 1
    assert now.index("if answer.text is None:") < now.index(asked.partition("\n")[0])


def test_a_loop_that_asks_for_text_again_is_refused_under_a_handler() -> None:
    source = """
        model = genai.GenerativeModel("m")
        try:
            answer = model.generate_content("x")
            while not answer.text:
                answer = model.generate_content("y")
        except Exception:
            print("failed")
        """
    assert refused(source) == {"text_no_longer_raises"}


def test_a_question_without_a_handler_is_asked_as_it_was() -> None:
    now = ported(
        """
        answer = genai.GenerativeModel("m").generate_content("x")
        if not answer.text:
            print("empty")
        """
    )
    assert "is None" not in now


@pytest.mark.parametrize("exception", ["ValueError", "Exception"])
def test_a_block_that_suppresses_the_exception_is_a_handler(exception: str) -> None:
    after = whole_ported(
        "import contextlib\n"
        "import google.generativeai as genai\n\n"
        'genai.configure(api_key="K")\n'
        'answer = genai.GenerativeModel("m").generate_content("x")\n'
        f"with contextlib.suppress({exception}):\n"
        "    said = answer.text\n"
    )
    assert "    if answer.text is None:\n        raise ValueError(" in after
