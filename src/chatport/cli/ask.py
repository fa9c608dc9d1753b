"""`chatport ask`: put a question to a model, and see the answer as it comes."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

from chatport.cli.exits import CLEAN, FOUND, UsageError
from chatport.cli.models import in_terminal, keyed, shown

if TYPE_CHECKING:
    import argparse
    from pathlib import Path

    from chatport.chat import JSONSchemaFormat, Media, Message, Request, Response
    from chatport.providers import AnyModel

MODEL_VARIABLE = "CHATPORT_MODEL"
FROM_STDIN = "-"

EXAMPLE = 'chatport ask -m gemini:gemini-2.5-flash "What is six times seven?"'


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the options of the command."""
    parser.usage = f"{parser.prog} [OPTION ...] [TEXT ...]"
    parser.add_argument(
        "question",
        nargs="*",
        type=_text,
        metavar="TEXT",
        help="the question; what is piped in comes after it, and '-' waits for it",
    )
    parser.add_argument(
        "-m",
        "--model",
        default=os.environ.get(MODEL_VARIABLE),
        metavar="MODEL",
        help=f"provider:model, see `chatport models` (default: ${MODEL_VARIABLE})",
    )
    parser.add_argument(
        "-s", "--system", type=_text, metavar="TEXT", help="what the model is told first"
    )
    parser.add_argument(
        "--image", action="append", default=[], metavar="FILE", help="show it (may be repeated)"
    )
    parser.add_argument(
        "--schema", metavar="FILE", help="a JSON schema; the answer is JSON that conforms to it"
    )
    parser.add_argument(
        "--json", action="store_true", help="print the whole response as JSON, once it is there"
    )
    parser.add_argument(
        "--key-variable", metavar="NAME", help="take the key from this environment variable"
    )


def _text(word: str) -> str:
    """A word of the command line as UTF-8, whatever the locale takes its bytes for."""
    from argparse import ArgumentTypeError

    try:
        return os.fsencode(word).decode()
    except UnicodeDecodeError as error:
        raise ArgumentTypeError(f"{word!a} is not UTF-8 ({error.reason})") from error


def run(arguments: argparse.Namespace) -> int:
    """Ask, and print the answer. 1 when the model did not say all there was to say."""
    from chatport.chat import ChatError

    if not arguments.model:
        raise UsageError(
            f"which model? say -m, or set {MODEL_VARIABLE}; -m echo needs no key and no network"
        )
    try:
        schema = _schema(arguments.schema)
        request = _request(arguments, schema)
        with _model(arguments) as model:
            response = _answered(model, request, quiet=arguments.json or schema is not None)
    except ChatError as error:
        raise UsageError(in_terminal(error)) from error
    if arguments.json:
        print(shown(response.to_json().decode()))
    elif schema is not None:
        print(shown(_conforming(response, schema)))
    return _ended(response)


def _model(arguments: argparse.Namespace) -> AnyModel:
    from chatport.providers import model

    try:
        return model(arguments.model, **keyed(arguments.key_variable))
    except ValueError as error:
        raise UsageError(str(error)) from error


def _request(arguments: argparse.Namespace, schema: JSONSchemaFormat | None) -> Request:
    from chatport.chat import Options, Request, system, user

    texts = [word for word in arguments.question if word != FROM_STDIN]
    question = " ".join(texts)
    awaited = FROM_STDIN in arguments.question or not sys.stdin.isatty()
    piped = _piped() if awaited else ""
    said = [text for text in (question, piped) if text.strip()]
    images = [_image(name) for name in arguments.image]
    if not said and not images:
        raise UsageError("what is the question? give it as words, or pipe it in")
    messages: list[Message] = [system(arguments.system)] if arguments.system else []
    messages.append(user(*["\n\n".join(said)] * bool(said), *images))
    return Request(*messages, options=Options(output_format=schema))


def _piped() -> str:
    try:
        return sys.stdin.read()
    except UnicodeDecodeError as error:
        raise UsageError(f"what is piped in is not text ({error.reason})") from error


def _image(name: str) -> Media:
    from mimetypes import guess_type
    from pathlib import Path

    from chatport.chat import Media

    mime = guess_type(name)[0]
    if mime is None:
        raise UsageError(f"{name}: the ending does not say what it is; name it .png, .jpg, …")
    return Media.of_bytes(mime, _bytes(Path(name)), name=Path(name).name)


def _schema(name: str | None) -> JSONSchemaFormat | None:
    import re
    from pathlib import Path

    from chatport.chat import InvalidValueError, JSONSchemaFormat

    if name is None:
        return None
    path = Path(name)
    try:
        return JSONSchemaFormat(
            name=re.sub(r"[^A-Za-z0-9_-]+", "_", path.stem)[:64] or "answer", schema=_bytes(path)
        )
    except InvalidValueError as error:
        raise UsageError(f"{name}: not a JSON schema ({error})") from error


def _bytes(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise UsageError(f"{path}: cannot be read ({error.strerror})") from error


def _answered(model: AnyModel, request: Request, *, quiet: bool) -> Response:
    """The response; unless quiet, its text has been printed as it came."""
    from chatport.client import Stream, StreamClient

    stream: Stream = StreamClient(model).stream(request)
    ends_line = True
    with stream:
        try:
            for delta in stream:
                if not quiet and (text := delta.text()):
                    print(shown(text), end="", flush=True)
                    ends_line = text.endswith("\n")
        finally:
            if not ends_line:
                print()
    return stream.response()


def _conforming(response: Response, schema: JSONSchemaFormat) -> str:
    """The answer's JSON. Raises `UsageError` when it does not conform."""
    from chatport.chat import InvalidValueError
    from chatport.chat.schema import compiled

    text = response.text()
    if response.finish_reason == "stop":
        try:
            compiled(schema.schema).validate(text)
        except InvalidValueError as error:
            raise UsageError(
                f"the answer does not conform to the schema: {error}: {text}"
            ) from error
    return text


def _ended(response: Response) -> int:
    """Say how an answer ended that is not whole."""
    from chatport.chat import RefusalPart

    for part in response.message.parts if response.message else ():
        if isinstance(part, RefusalPart):
            print(f"chatport: the model refused: {shown(part.text, sys.stderr)}", file=sys.stderr)
            return FOUND
    if response.finish_reason == "stop":
        return CLEAN
    print(f"chatport: the model ended with {response.finish_reason}", file=sys.stderr)
    return FOUND
