"""Tests with stand-ins that are not understood: they are refused, and the program is ported."""

from __future__ import annotations

import pytest

from chatport.port.findings import Status
from tests.rules.mocked import (
    APART,
    BESIDE_BUSY,
    BOT,
    BUSY,
    CONFIGURED,
    FAKES,
    IN_A_CLASS,
    MODEL,
    OF_ALL,
    TALKS,
    TWO_MODELS,
    TWO_OF_ONE,
    TWO_WAYS,
    USED,
    WITH,
    planned,
)


@pytest.mark.parametrize(
    ("program", "test"),
    [
        pytest.param(IN_A_CLASS, WITH + "        made.side_effect = [Mock(), Mock()]", id="two"),
        pytest.param(IN_A_CLASS, WITH + "        made.side_effect = make", id="made-by-a-function"),
        pytest.param(
            IN_A_CLASS,
            "def test(monkeypatch):\n"
            "    monkeypatch.setattr('app.genai.GenerativeModel', lambda name: fakes[name])",
            id="a-function-that-reads-the-name",
        ),
        pytest.param(
            IN_A_CLASS,
            "def test(monkeypatch):\n    seen = []\n"
            "    monkeypatch.setattr('app.genai.configure', lambda api_key: seen.append(api_key))",
            id="a-function-that-keeps-the-key",
        ),
        pytest.param(
            IN_A_CLASS,
            "def test(monkeypatch):\n    configure = Mock()\n    model = Mock()\n"
            "    monkeypatch.setattr('app.genai.configure', configure)\n"
            "    monkeypatch.setattr('app.genai.GenerativeModel', lambda name: model)\n"
            "    configure.assert_called_once()",
            id="a-configuration-that-is-asked",
        ),
        pytest.param(BUSY, WITH + "        made.side_effect = OSError()", id="more-is-done-before"),
        pytest.param(
            BESIDE_BUSY, WITH + "        made.side_effect = OSError", id="more-is-done-behind"
        ),
        pytest.param(
            APART,
            BOT.replace("bot):", "bot):\n    with patch('app.genai.GenerativeModel') as made:")
            + "        bot.ask('q')",
            id="the-object-is-there-before",
        ),
        pytest.param(
            APART,
            "old = app.Bot('o')\n\n" + WITH + "        app.Bot('k')\n        old.ask('q')",
            id="another-object-is-there-before",
        ),
        pytest.param(
            APART + "\n\nbot = Bot('k')\n\n\ndef the_bot():\n    return bot\n",
            WITH + "        app.the_bot().ask('q')",
            id="the-object-is-one-that-is-kept",
        ),
        pytest.param(
            IN_A_CLASS,
            WITH + '        made.assert_called_once_with("m", tools=[])',
            id="configured",
        ),
        pytest.param(IN_A_CLASS, WITH + "        other(made)", id="passed-on"),
        pytest.param(
            IN_A_CLASS, WITH + "        made.return_value = Mock(spec=['x'])", id="narrow"
        ),
        pytest.param(
            IN_A_CLASS,
            WITH + "        made.return_value.generate_content = lambda text: Mock(text=text)",
            id="a-function-of-the-old-arguments",
        ),
        pytest.param(
            IN_A_CLASS,
            WITH + "        made.return_value.generate_content.side_effect = lambda text: 1",
            id="an-effect-of-the-old-arguments",
        ),
        pytest.param(
            IN_A_CLASS,
            WITH
            + "        made.return_value.generate_content.assert_called_with('q', stream=True)",
            id="an-argument-that-goes",
        ),
        pytest.param(
            IN_A_CLASS,
            WITH + "        answer = Mock(finish_reason=2)\n"
            "        made.return_value.generate_content.return_value.candidates = [answer]",
            id="a-number-for-a-reason",
        ),
        pytest.param(
            IN_A_CLASS,
            WITH + "        made.return_value.generate_content.return_value.to_dict = dict",
            id="a-member-that-went",
        ),
        pytest.param(
            IN_A_CLASS,
            'def test():\n    with patch("app.genai.GenerativeModel", autospec=True): pass',
            id="made-after-the-class",
        ),
        pytest.param(
            IN_A_CLASS,
            "class Fake:\n    pass\n\ndef test():\n"
            '    with patch("app.genai.GenerativeModel", Fake): pass',
            id="a-class-of-its-own",
        ),
        pytest.param(
            IN_A_CLASS,
            '@patch("app.genai.GenerativeModel")\nclass Test:\n    def test(self, made): pass',
            id="every-test-of-a-class",
        ),
        pytest.param(
            IN_A_CLASS, 'def test():\n    patch("app.genai.upload_file")', id="a-function"
        ),
        pytest.param(APART, WITH + "        bot().ask('q')", id="the-client-is-made-elsewhere"),
        pytest.param(
            TWO_MODELS,
            'def test():\n    with patch("app.small") as s, patch("app.large") as l:\n'
            "        s.generate_content.return_value = l.generate_content.return_value = 1",
            id="two-models-of-one-client",
        ),
        pytest.param(
            MODEL,
            "def test():\n    with patch(\"app.model\") as model:\n        model.model_name = 'x'",
            id="a-member-of-the-model",
        ),
        pytest.param(
            MODEL,
            "import pytest\n\n@pytest.fixture\ndef model():\n    m = MagicMock()\n"
            "    app.model = m\n    return m\n\n"
            "def test(model):\n    model.generate_content.return_value = 1",
            id="put-there-by-hand",
        ),
        *(
            pytest.param(program, f"{test}{USED}", id=f"a-class-{name}")
            for name, program, test in FAKES
        ),
        pytest.param(
            CONFIGURED,
            WITH + "        app.Bot('k', Mock()).ask('q')",
            id="a-configuration-made-of-stand-ins",
        ),
        pytest.param(
            CONFIGURED.replace(
                "genai.GenerationConfig(temperature=settings.heat)",
                '{"temperature": settings.heat}',
            ),
            WITH + "        app.Bot('k', settings=MagicMock()).ask('q')",
            id="a-mapping-of-stand-ins",
        ),
        pytest.param(
            IN_A_CLASS,
            "import sys\n\nsys.modules['google.generativeai.types'] = MagicMock()",
            id="a-stub-of-a-part",
        ),
        *(
            pytest.param(program, f"{BOT}    {line}", id=name)
            for name, program, line in (
                ("put-a-lambda", IN_A_CLASS, "bot.model.generate_content = lambda text: 1"),
                ("put-a-function", IN_A_CLASS, "bot.model.generate_content = fake"),
                ("put-narrow", IN_A_CLASS, "bot.model.generate_content = Mock(spec=len)"),
                ("put-with-parts", IN_A_CLASS, "bot.model = Mock(generate_content=Mock())"),
                ("put-by-another-name", IN_A_CLASS, "m = bot.model; m.generate_content = Mock()"),
                ("put-two-at-once", IN_A_CLASS, "bot.model.generate_content = x = Mock()"),
                ("asked-otherwise", IN_A_CLASS, "bot.model.generate_content.mock_calls"),
                ("asked-in-two-ways", TWO_WAYS, "bot.model.generate_content.return_value = 1"),
                ("one-of-two", TWO_OF_ONE, "bot.small.generate_content = Mock()"),
                ("both-of-two", TWO_OF_ONE, "bot.small = Mock(); bot.large = Mock()"),
                ("a-chat-is-made", TALKS, "bot.model.start_chat = Mock()"),
                ("a-client-of-all", OF_ALL, "bot.model.generate_content = Mock()"),
                ("a-client-of-all-put", OF_ALL, "bot.model = Mock()"),
            )
        ),
    ],
)
def test_a_test_that_is_not_understood_is_refused_and_the_program_ported(
    program: str, test: str
) -> None:
    files = planned(program, test)
    assert files["test_app.py"].status is Status.REFUSED
    assert "mock_target" in {finding.code for finding in files["test_app.py"].findings}
    assert files["app.py"].status is Status.PORTED


@pytest.mark.parametrize(
    "test",
    [
        "T = 'app.genai.GenerativeModel'\n\ndef test():\n    with patch(T): pass",
        "M = 'app'\n\ndef test():\n    with patch(f'{M}.genai.GenerativeModel'): pass",
        "def test():\n    with patch.multiple('app.genai', GenerativeModel=Mock()): pass",
        "import sys\n\nsys.modules['google'] = sys.modules['google.generativeai'] = Mock()",
        "def test(sdk):\n    with patch.object(sdk, 'GenerativeModel'): pass",
    ],
)
def test_what_is_replaced_in_ways_that_are_not_followed_is_refused(test: str) -> None:
    files = planned(IN_A_CLASS, test)
    assert files["test_app.py"].status is Status.REFUSED


def test_a_test_of_a_refused_module_is_left_with_it() -> None:
    program = IN_A_CLASS + "\n    def to_dict(self):\n        return self.model.cached_content\n"
    files = planned(program, WITH + "        made.return_value.generate_content.return_value = 1")
    assert {file.status for file in files.values()} == {Status.REFUSED}


def test_what_is_replaced_of_other_modules_is_no_finding() -> None:
    files = planned(IN_A_CLASS, 'def test():\n    with patch("app.Bot"), patch("os.getcwd"): pass')
    assert "test_app.py" not in files
