"""The answers the loopback OpenAI server derives from a request when no script says otherwise."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from typing import Any

from chatport.testing.gemini_server_answers import sample
from chatport.testing.loopback import Json, Reply, document
from chatport.testing.openai_server_script import Answer, call, text


def derived_chat(asked: Json) -> Answer:
    """Answer a request of Chat Completions."""
    messages = asked.get("messages") or [{}]
    tools = [tool.get("function") or tool.get("custom") or {} for tool in asked.get("tools") or []]
    choice = asked.get("tool_choice")
    named = ((choice.get("function") or {}) if isinstance(choice, dict) else {}).get("name")
    wanted = asked.get("response_format") or {}
    schema = (wanted.get("json_schema") or {}).get("schema")
    return _derived(messages[-1], tools, choice, named, wanted.get("type"), schema)


def derived_response(asked: Json) -> Answer:
    """Answer a request of Responses."""
    given = asked.get("input") or [{}]
    last = {"content": given} if isinstance(given, str) else given[-1]
    if last.get("type") == "function_call_output":
        last = {"role": "tool", "content": last.get("output")}
    tools = [tool for tool in asked.get("tools") or [] if tool.get("type") == "function"]
    choice = asked.get("tool_choice")
    named = choice.get("name") if isinstance(choice, dict) else None
    wanted = (asked.get("text") or {}).get("format") or {}
    return _derived(last, tools, choice, named, wanted.get("type"), wanted.get("schema"))


def _derived(
    last: Json, tools: list[Json], choice: Any, named: str | None, kind: str | None, schema: Any
) -> Answer:
    said = " ".join(_texts(last.get("content"))) or "(no text)"
    must = named is not None or choice == "required" or "CALL" in said
    if tools and must and choice != "none" and last.get("role") != "tool":
        tool = next((one for one in tools if one.get("name") == named), tools[0])
        return call(str(tool.get("name")), json.dumps(sample(tool.get("parameters") or {})))
    if kind == "json_schema":
        return text(json.dumps(sample(schema or {})))
    if kind == "json_object":
        return text(json.dumps({"answer": said}))
    return text(*re.findall(r"\s*\S+", f"Answer: {said}"))


def _texts(content: Any) -> Iterable[str]:
    if isinstance(content, str):
        yield content
    for part in content if isinstance(content, list) else []:
        if isinstance(part, dict) and isinstance(part.get("text"), str):
            yield part["text"]


def failing(status: int, message: str, kind: str = "invalid_request_error") -> Reply:
    """The service's error document."""
    error = {"message": message, "type": kind, "param": None, "code": None}
    return Reply((document({"error": error}),), status)
