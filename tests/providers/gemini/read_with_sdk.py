"""Run with google-genai's interpreter: asks as often as told, whole and in streams in turn, at the
address given, and prints what the SDK reads of each answer.
"""

from __future__ import annotations

import json
import sys

from google import genai
from google.genai import types


def read(responses: list[types.GenerateContentResponse]) -> dict[str, object]:
    candidates = [one.candidates[0] for one in responses if one.candidates]
    parts = [part for one in candidates if one.content for part in one.content.parts or []]
    usage = responses[-1].usage_metadata
    return {
        "text": "".join(part.text for part in parts if part.text and not part.thought),
        "thoughts": "".join(part.text for part in parts if part.text and part.thought),
        "calls": [
            [part.function_call.name, part.function_call.args]
            for part in parts
            if part.function_call
        ],
        "finish": candidates[-1].finish_reason.value if candidates else None,
        "input": usage.prompt_token_count if usage else None,
    }


address, count = sys.argv[1:]
client = genai.Client(api_key="loopback-key", http_options=types.HttpOptions(base_url=address))
asked = {"model": "m", "contents": "Hi"}
answers = []
for _ in range(int(count)):
    answers.append(read([client.models.generate_content(**asked)]))
    answers.append(read(list(client.models.generate_content_stream(**asked))))
print(json.dumps(answers))
