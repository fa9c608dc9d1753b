"""Run with an interpreter that has anthropic: makes the calls on stdin at the address given.

A call with ``stream`` is streamed; one with ``version`` is of that version of the API.
"""

from __future__ import annotations

import json
import sys

import anthropic

client = anthropic.Anthropic(api_key="loopback-key", base_url=sys.argv[1], max_retries=0)
for call in json.load(sys.stdin):
    headers = call.pop("extra_headers", {})
    if version := call.pop("version", None):
        headers["anthropic-version"] = version
    answer = client.messages.create(**call, extra_headers=headers)
    if call.get("stream"):
        list(answer)
