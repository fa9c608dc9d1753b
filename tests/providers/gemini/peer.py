"""Run by the interpreter that has google-genai: makes the calls on its standard input, at the
address given, and prints what the SDK reads of each answer.

A call with ``stream`` is streamed, one with ``vertex`` goes to the cloud's API.
"""

from __future__ import annotations

import base64
import json
import sys
from typing import Any

from google import genai
from google.genai import types
from google.oauth2.credentials import Credentials


def with_bytes(value: Any) -> Any:
    if isinstance(value, list):
        return [with_bytes(one) for one in value]
    if isinstance(value, dict):
        if value.keys() == {"$bytes"}:
            return base64.b64decode(value["$bytes"])
        return {key: with_bytes(one) for key, one in value.items()}
    return value


def read(responses: list[types.GenerateContentResponse]) -> dict[str, Any]:
    candidates = [one.candidates[0] for one in responses if one.candidates]
    parts = [part for one in candidates if one.content for part in one.content.parts or []]
    calls = [part.function_call for part in parts if part.function_call]
    usage = responses[-1].usage_metadata
    return {
        "text": "".join(part.text for part in parts if part.text and not part.thought),
        "thoughts": "".join(part.text for part in parts if part.text and part.thought),
        "calls": [[call.name, call.args] for call in calls],
        "finish": candidates[-1].finish_reason.value if candidates else None,
        "input": usage.prompt_token_count if usage else None,
    }


options = types.HttpOptions(base_url=sys.argv[1])
developer = genai.Client(api_key="loopback-key", http_options=options)
cloud = genai.Client(
    vertexai=True,
    project="p1",
    location="europe-west4",
    credentials=Credentials("loopback-token"),
    http_options=options,
)
readings = []
for call in json.load(sys.stdin):
    client = cloud if call.pop("vertex", False) else developer
    streamed = call.pop("stream", False)
    call = with_bytes(call)
    call["config"] = {**call.get("config", {}), "automatic_function_calling": {"disable": True}}
    if streamed:
        readings.append(read(list(client.models.generate_content_stream(**call))))
    else:
        readings.append(read([client.models.generate_content(**call)]))
print(json.dumps(readings))
