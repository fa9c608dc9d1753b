"""Run with google-genai's interpreter: makes the calls on stdin at the address given.

A call with ``stream`` is streamed, one with ``vertex`` goes to the cloud's API.
"""

from __future__ import annotations

import base64
import json
import sys

from google import genai
from google.genai import types
from google.oauth2.credentials import Credentials


def with_bytes(value):
    if isinstance(value, list):
        return [with_bytes(one) for one in value]
    if isinstance(value, dict):
        if value.keys() == {"$bytes"}:
            return base64.b64decode(value["$bytes"])
        return {key: with_bytes(one) for key, one in value.items()}
    return value


options = types.HttpOptions(base_url=sys.argv[1])
developer = genai.Client(api_key="loopback-key", http_options=options)
cloud = genai.Client(
    vertexai=True,
    project="p1",
    location="europe-west4",
    credentials=Credentials("loopback-token"),
    http_options=options,
)
for call in json.load(sys.stdin):
    client = cloud if call.pop("vertex", False) else developer
    streamed = call.pop("stream", False)
    call = with_bytes(call)
    call["config"] = {**call.get("config", {}), "automatic_function_calling": {"disable": True}}
    if streamed:
        list(client.models.generate_content_stream(**call))
    else:
        client.models.generate_content(**call)
