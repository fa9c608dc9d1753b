"""Ported code against the installed google-genai: what fits, and each way of not fitting."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from chatport.port.prove.environments import Environment, Side, UnusableEnvironmentError
from chatport.port.prove.running import Worker
from chatport.port.prove.signatures import Checked, check_plan, check_sources
from tests.prove.pairs import CALLS, CHAT, REST, TOOLS
from tests.prove.plans import plan_of, write
from tests.prove.workers import FOLDER
from tests.support.cases import load_cases

Workers = Callable[[str], Worker]
MAJORS = ("genai1", "genai2", "genai3")

HEAD = """\
from google import genai
from google.genai import types
client = genai.Client(api_key="k")
"""

FITS = """\
import asyncio
class Assistant:
    def __init__(self):
        self.client = genai.Client(api_key="k")
        self.config = types.GenerateContentConfig(
            temperature=0.5,
            maxOutputTokens=5,
            safety_settings=[
                types.SafetySetting(
                    category=types.HarmCategory.HARM_CATEGORY_HARASSMENT,
                    threshold=types.HarmBlockThreshold.BLOCK_NONE,
                )
            ],
        )
        self.chat = self.client.chats.create(model="m", config=self.config, history=[])
    def ask(self, question):
        response = self.chat.send_message(message=question)
        print(response.text, response.candidates[0].finish_reason.name)
        print(response.usage_metadata.total_token_count, response.parts[0].function_call.args)
        return [chunk.text for chunk in self.chat.send_message_stream(message=question)]
    async def ask_async(self, question):
        response = await self.client.aio.models.generate_content(model="m", contents=question)
        async for chunk in await self.client.aio.models.generate_content_stream(
            model="m", contents=question, config={"temperature": 1}
        ):
            print(chunk.text, response.prompt_feedback.block_reason)
for model in client.models.list():
    print(model.name, model.supported_actions)
uploaded = client.files.upload(file="x", config=types.UploadFileConfig(display_name="d"))
print(uploaded.state.name)
print(client.models.embed_content(model="m", contents="x").embeddings[0].values)
print(types.Part.from_bytes(data=b"x", mime_type="image/png").inline_data.data)
options = {"model": "m"}
client.models.generate_content(contents="x", **options)
"""

MISFITS = {
    "positional arguments": (
        'client.models.generate_content("m", "x")',
        "Models.generate_content: too many positional arguments",
    ),
    "unknown argument": (
        'client.models.generate_content(model="m", contents="x", stream=True)',
        "got an unexpected keyword argument 'stream'",
    ),
    "missing argument": (
        'client.models.generate_content(model="m")',
        "missing a required argument: 'contents'",
    ),
    "unknown method": ("client.models.generate_text()", "Models has no generate_text"),
    "unknown service": ("client.model.get()", "Client has no model"),
    "unknown class": ("types.GenerationConfigs()", "google.genai.types has no GenerationConfigs"),
    "unknown import": ("from google.genai import protos", "google.genai has no protos"),
    "unknown field": (
        "types.GenerateContentConfig(temprature=1)",
        "GenerateContentConfig has no field temprature",
    ),
    "field of the wrong type": (
        'types.GenerateContentConfig(temperature="hot")',
        "GenerateContentConfig.temperature: Input should be a valid number",
    ),
    "key of a configuration": (
        'client.models.generate_content(model="m", contents="x", config={"temprature": 1})',
        "GenerateContentConfig has no field 'temprature'",
    ),
    "unknown member": (
        "types.HarmCategory.HARM_CATEGORY_DEROGATORY_",
        "HarmCategory has no HARM_CATEGORY_DEROGATORY_",
    ),
    "invented member": (
        'types.SafetySetting(category="harassment", threshold="BLOCK_NONE")',
        "SafetySetting: harassment is not a valid HarmCategory",
    ),
    "attribute of a response": (
        'client.models.generate_content(model="m", contents="x").result',
        "GenerateContentResponse has no result",
    ),
    "attribute further in": (
        'client.models.generate_content(model="m", contents="x").candidates[0].content.partz',
        "Content has no partz",
    ),
    "attribute of a chunk": (
        'for c in client.models.generate_content_stream(model="m", contents="x"):\n    c.texts',
        "GenerateContentResponse has no texts",
    ),
    "attribute in a comprehension": (
        "x = [m.supported_generation_methods for m in client.models.list()]",
        "Model has no supported_generation_methods",
    ),
    "attribute of self": (
        (
            "class A:\n"
            "    def use(self):\n        self.chat.history\n"
            '    def __init__(self):\n        self.chat = client.chats.create(model="m")\n'
        ),
        "Chat has no history",
    ),
    "await left out": (
        'client.aio.models.generate_content(model="m", contents="x").text',
        "GenerateContentResponse has to be awaited before .text is read",
    ),
    "await left out of a loop": (
        (
            "async def f():\n"
            "    models = client.aio.models\n"
            '    async for c in models.generate_content_stream(model="m", contents="x"):\n'
            "        pass"
        ),
        "has to be awaited before it is iterated",
    ),
    "await of a plain call": (
        'async def f():\n    await client.models.generate_content(model="m", contents="x")',
        "GenerateContentResponse cannot be awaited",
    ),
    "iteration over a response": (
        'for c in client.models.generate_content(model="m", contents="x"):\n    pass',
        "iterating over GenerateContentResponse gives pairs of names and values",
    ),
    "part by position": ('types.Part.from_text("x")', "Part.from_text"),
}


def check(worker: Workers, source: str, on: str = "genai3") -> Checked:
    return check_sources({"app.py": (HEAD + source).encode()}, worker(on).environment)


@pytest.mark.parametrize("environment", MAJORS)
def test_code_that_fits_is_followed_and_has_no_misfit(worker: Workers, environment: str) -> None:
    checked = check(worker, FITS, environment)
    assert checked.misfits == ()
    assert checked.calls >= 15
    assert checked.reads >= 40


@pytest.mark.parametrize("environment", MAJORS)
@pytest.mark.parametrize("name", MISFITS)
def test_each_misfit_is_named(worker: Workers, name: str, environment: str) -> None:
    source, message = MISFITS[name]
    (misfit,) = check(worker, source, environment).misfits
    assert message in misfit.message
    assert misfit.line >= 4


def test_names_bound_to_two_things_are_not_followed(worker: Workers) -> None:
    source = "x = client\nx = object()\nx.models.nothing()\nclient.models.get(model='m')\n"
    checked = check(worker, source)
    assert (checked.misfits, checked.calls) == ((), 2)


@pytest.mark.parametrize("environment", MAJORS)
def test_every_port_of_the_repository_fits(worker: Workers, environment: str) -> None:
    cases = load_cases()
    sources = {
        f"{case.name}/{path}": content
        for case in cases
        if case.ported
        for path, content in case.after.items()
        if path.endswith(".py")
    }
    for name, pair in {"calls": CALLS, "chat": CHAT, "tools": TOOLS, "rest": REST}.items():
        sources[name] = pair.after.encode()
    checked = check_sources(sources, worker(environment).environment)
    meant = {  # names neither SDK has are kept, and fail on both
        (f"{case.name}/{file.path}", grade.symbol.rpartition(".")[2])
        for case in cases
        for file in case.files
        for grade in file.findings
        if "attribute_on_neither" in grade.warnings and grade.symbol.count(".") == 2
    }
    assert {(misfit.path, misfit.message.rpartition(" ")[2]) for misfit in checked.misfits} == meant
    assert checked.calls > 3 * len(sources)


def test_the_files_of_a_plan_are_checked(worker: Workers, tmp_path: Path) -> None:
    write(tmp_path, "app.py", "")
    plan = plan_of(tmp_path, {"app.py": HEAD + "client.nothing"})
    (misfit,) = check_plan(plan, worker("genai3").environment).misfits
    assert (misfit.path, misfit.line, misfit.column) == ("app.py", 4, 1)


@pytest.mark.parametrize(
    ("source", "target", "code", "said"),
    [
        (HEAD, "genai3", 0, ""),
        (HEAD + "client.nothing", "genai3", 2, "app.py:4:1: the new code does not fit: Client has"),
        (HEAD, "legacy", 2, "--check-target legacy: that is the old SDK; name genai1"),
        (HEAD, "/no/python", 2, "--check-target /no/python: /no/python does not start"),
    ],
)
def test_fix_checks_its_target_before_it_writes(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    source: str,
    target: str,
    code: int,
    said: str,
) -> None:
    from chatport.cli import app
    from chatport.port import planner as engine

    write(tmp_path, "app.py", "before")
    monkeypatch.setattr(engine, "plan", lambda *_, **__: plan_of(tmp_path, {"app.py": source}))
    monkeypatch.setenv("CHATPORT_ENVS", str(FOLDER))
    assert app.run(["fix", "--write", "--check-target", target, str(tmp_path)]) == code
    assert said in capsys.readouterr().err
    assert ((tmp_path / "app.py").read_text() == "before") is bool(said)


def test_an_environment_that_cannot_check_is_named() -> None:
    broken = Environment("mine", Side.NEW, Path("/no/such/python"), "?")
    with pytest.raises(UnusableEnvironmentError, match="mine"):
        check_sources({"app.py": b""}, broken)
