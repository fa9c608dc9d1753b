"""Run by the interpreter that has anthropic: makes the calls on its standard input at the address
given, and prints what the SDK makes of each.

A call is the name of a function here and its arguments. An error of the SDK's is a result too.
"""

from __future__ import annotations

import json
import sys
from typing import Any

import anthropic


def create(client: anthropic.Anthropic, arguments: Any) -> Any:
    """A message; with ``version`` of that version of the API, with ``stream`` its events."""
    headers = arguments.pop("extra_headers", {})
    if version := arguments.pop("version", None):
        headers["anthropic-version"] = version
    answer = client.messages.create(**arguments, extra_headers=headers)
    if arguments.get("stream"):
        return [event.to_dict() for event in answer]
    return answer.to_dict()


def stream(client: anthropic.Anthropic, arguments: Any) -> Any:
    """What the SDK puts together of a stream, and the pieces of text it saw."""
    with client.messages.stream(**arguments) as streamed:
        texts = list(streamed.text_stream)
        return {"texts": texts, "message": streamed.get_final_message().to_dict()}


def count(client: anthropic.Anthropic, arguments: Any) -> Any:
    return client.messages.count_tokens(**arguments).input_tokens


def models(client: anthropic.Anthropic, arguments: Any) -> Any:
    return [model.id for model in client.models.list()]


FUNCTIONS = {function.__name__: function for function in (create, stream, count, models)}

with anthropic.Anthropic(api_key="loopback-key", base_url=sys.argv[1], max_retries=0) as sdk:
    results = []
    for name, given in json.load(sys.stdin):
        try:
            results.append(FUNCTIONS[name](sdk, given))
        except anthropic.APIError as error:
            response = getattr(error, "response", None)
            results.append(
                {
                    "error": type(error).__name__,
                    "message": str(error),
                    "request_id": getattr(error, "request_id", None),
                    "retry_after": response and response.headers.get("retry-after"),
                }
            )
    print(json.dumps(results))
