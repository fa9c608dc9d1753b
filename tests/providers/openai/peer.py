"""Run by the interpreter that has the official SDK: does what it reads, prints what comes of it.

Its standard input is JSON: the address of a server and a list of tasks, each a name of a function
here and its arguments. Its output is the list of their results.
"""

from __future__ import annotations

import json
import sys
from typing import Any

import openai
from pydantic import BaseModel


class City(BaseModel):
    city: str


def chat(client: openai.OpenAI, arguments: Any) -> Any:
    return client.chat.completions.create(model="m", **arguments).model_dump(exclude_none=True)


def chat_stream(client: openai.OpenAI, arguments: Any) -> Any:
    """What the SDK's own accumulation makes of a stream."""
    with client.chat.completions.stream(model="m", **arguments) as stream:
        for _ in stream:
            pass
        return stream.get_final_completion().model_dump(exclude_none=True)


def chat_parse(client: openai.OpenAI, arguments: Any) -> Any:
    done = client.chat.completions.parse(model="m", response_format=City, **arguments)
    parsed = done.choices[0].message.parsed
    return parsed.model_dump() if parsed else None


def responses(client: openai.OpenAI, arguments: Any) -> Any:
    return client.responses.create(model="m", **arguments).model_dump(exclude_none=True)


def responses_stream(client: openai.OpenAI, arguments: Any) -> Any:
    with client.responses.stream(model="m", **arguments) as stream:
        for _ in stream:
            pass
        return stream.get_final_response().model_dump(exclude_none=True)


def responses_parse(client: openai.OpenAI, arguments: Any) -> Any:
    done = client.responses.parse(model="m", text_format=City, **arguments)
    return done.output_parsed.model_dump() if done.output_parsed else None


def models(client: openai.OpenAI, arguments: Any) -> Any:
    return [model.id for model in client.models.list()]


def main() -> None:
    given = json.load(sys.stdin)
    client = openai.OpenAI(
        api_key="key", base_url=given["url"], organization="org", project="proj", max_retries=0
    )
    results = []
    for name, arguments in given["tasks"]:
        try:
            results.append(globals()[name](client, arguments))
        except openai.APIStatusError as error:
            results.append({"error": type(error).__name__, "status": error.status_code})
        except openai.OpenAIError as error:
            results.append({"error": type(error).__name__})
    json.dump(results, sys.stdout)


main()
