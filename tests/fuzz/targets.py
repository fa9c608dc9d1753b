"""What is fed with bytes that anybody may have written, and what each must then do.

A target takes bytes and ends, or raises one of the errors that are its answer to what is wrong with
them. Anything else it raises, a property it finds broken, and a hang are mistakes.
"""

from __future__ import annotations

import ast
import os
import tempfile
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import cache
from pathlib import Path

CORPUS = Path(__file__).with_name("corpus")
Target = Callable[[bytes], None]


def program(data: bytes) -> None:
    """The reader, the flow, the rules and the planner: what they write parses, if it did before."""
    from tests.port.test_properties import planned, written

    files = {"app.py": data}
    after = written(files, planned(files))["app.py"]
    if after != data:
        ast.parse(after)


def notebook(data: bytes) -> None:
    """A notebook is read or refused; unedited it keeps its bytes."""
    from chatport.port.source.errors import SourceError
    from chatport.port.source.notebook import NotebookFile

    try:
        read = NotebookFile.read("n.ipynb", data)
    except SourceError:
        return
    assert read.apply([]) == data


def pack(data: bytes) -> None:
    """A pack is one, or is refused with its place."""
    from chatport.port.packs.load import PackError, parse

    try:
        parse(data.decode("utf-8", "replace"), "fuzzed")
    except PackError:
        return


def configuration(data: bytes) -> None:
    """A configuration is one, or is refused with its line; its patterns can be asked."""
    from chatport.port.config import ConfigError, read
    from chatport.port.render.style import width_of

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "pyproject.toml")
        path.write_bytes(data)
        width_of(Path(folder))
        try:
            config = read(path)
        except ConfigError:
            return
    config.is_excluded("src/app.py")


def manifest(data: bytes) -> None:
    """Requirements of every kind are ported, left, or named as unreadable."""
    from chatport.port.planner import plan

    kinds = ("requirements.txt", "pyproject.toml", "setup.py", "setup.cfg", "Dockerfile", "run.sh")
    with tempfile.TemporaryDirectory() as folder:
        name, _, rest = data.partition(b"\n")
        wanted = name.decode("ascii", "replace")
        Path(folder, wanted if wanted in kinds else kinds[0]).write_bytes(rest)
        Path(folder, "app.py").write_text("import google.generativeai as genai\n")
        plan([folder], root=Path(folder))


def events(data: bytes) -> None:
    """Events are the same however the network cuts them."""
    from chatport.providers.sse import EventParser

    def parsed(size: int) -> list[object]:
        parser = EventParser()
        pieces = [data[at : at + size] for at in range(0, len(data), size)]
        found = [event for piece in pieces for event in parser.feed(piece)]
        return [*found, *parser.finish()]

    whole = parsed(max(len(data), 1))
    assert parsed(1) == parsed(3) == whole


def http(data: bytes) -> None:
    """An answer of HTTP is the same however the network cuts it, or a fault of ours."""
    from chatport.providers.incoming import Incoming

    def received(size: int) -> tuple[object, ...]:
        incoming = Incoming()
        body = b""
        for at in range(0, len(data), size):
            incoming.feed(data[at : at + size])
            body += incoming.take()
        incoming.end(None)
        assert incoming.is_over or incoming.fault is not None
        head = incoming.headers if incoming.has_head else None
        return incoming.status, head, body, incoming.is_over, incoming.fault is not None

    assert received(1) == received(3) == received(max(len(data), 1))


def _protocol(name: str) -> Target:
    def decoded(data: bytes) -> None:
        """An answer, whole or as events, is a value or an error of ours."""
        from chatport.chat import ChatError, Request, user
        from chatport.chat.options import Options
        from chatport.providers.connection import ANSWER_FAULTS
        from chatport.providers.sse import EventParser

        codec = _codecs()[name]
        asked = Request(user("Hello"), options=Options(model="m"))
        with suppress(ChatError, *ANSWER_FAULTS):
            codec.decode(asked, data, {})
        parser, decoder = EventParser(), codec.decoder(asked, {})
        with suppress(ChatError, *ANSWER_FAULTS):
            for event in [*parser.feed(data), *parser.finish()]:
                list(decoder.feed(event))
            list(decoder.finish())
        codec.error(500, data, {})

    return decoded


@cache
def _codecs() -> dict[str, object]:
    from chatport.providers.anthropic import Messages
    from chatport.providers.gemini import GenerateContent
    from chatport.providers.openai import Chat, Responses

    return {
        "openai_chat": Chat(),
        "openai_responses": Responses(),
        "anthropic": Messages(),
        "gemini": GenerateContent(),
    }


def values(data: bytes) -> None:
    """JSON of the chat protocol is a value, which is written as it is read, or an error."""
    from chatport.chat import ChatError, Request, Response, ResponseDelta

    for kind in (Request, Response, ResponseDelta):
        try:
            value = kind.from_json(data)
        except ChatError:
            continue
        assert kind.from_json(value.to_json()) == value


def template(data: bytes) -> None:
    """A template renders within its budget, or is an error of ours."""
    from chatport import InvalidTemplateError, Template

    try:
        Template(data.decode("utf-8", "replace")).render({"name": "Ann", "items": [1, 2, 3]})
    except InvalidTemplateError:
        return


TARGETS: dict[str, Target] = {
    one.__name__: one
    for one in (program, notebook, pack, configuration, manifest, events, http, values, template)
} | {name: _protocol(name) for name in ("openai_chat", "openai_responses", "anthropic", "gemini")}


def seeds(name: str) -> Iterator[bytes]:
    """What changes begin with: small examples, what once broke the target, and, where there are
    such, whole programs and packs."""
    for path in sorted((CORPUS / name).iterdir()):
        yield path.read_bytes()
    if name == "program":
        for folder in ("fixtures/scan", "corpus"):
            for path in sorted((CORPUS.parents[1] / folder).rglob("*.before.py")):
                yield path.read_bytes()
    elif name == "pack":
        from tests.packs.test_schema import TEXT

        yield TEXT.encode()


def keep(name: str, data: bytes) -> Path:
    """Put what breaks a target into its corpus, where the tests will find it."""
    import hashlib

    path = CORPUS / name / f"found-{hashlib.sha256(data).hexdigest()[:12]}"
    path.write_bytes(data)
    return path


SECONDS = float(os.environ.get("CHATPORT_FUZZ_SECONDS", "20"))
"""What one input may take: the longest of the corpora take a tenth of a second."""
