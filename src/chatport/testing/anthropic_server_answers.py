"""The answers the loopback Anthropic server derives from a request, and what it refuses."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, Final

from chatport.testing.anthropic_server_script import Answer, text, thinking, tool_use
from chatport.testing.gemini_server_answers import sample
from chatport.testing.loopback import Json

OLD: Final = "2023-06-01"
VERSIONS: Final = (OLD, "2026-10-21")
ROLES: Final = ("user", "assistant", "system")
SAMPLING: Final = ("temperature", "top_p", "top_k")


def derived(asked: Json) -> Answer:
    """Answer a request: its text comes back, a tool that has to be called is called, a schema met.

    A tool is called when it has to be, or when the prompt says CALL; thinking, when turned on,
    comes first.
    """
    last = asked["messages"][-1]
    said = " ".join(_texts(last.get("content"))) or "(no text)"
    choice = asked.get("tool_choice") or {"type": "auto"}
    own = [tool for tool in asked.get("tools") or [] if "input_schema" in tool]
    must = choice["type"] in ("any", "tool") or (choice["type"] == "auto" and "CALL" in said)
    if own and must and not any(_of_kind(last.get("content"), "tool_result")):
        tool = next((one for one in own if one["name"] == choice.get("name")), own[0])
        return tool_use(tool["name"], sample(tool["input_schema"]))
    wanted = ((asked.get("output_config") or {}).get("format") or {}).get("schema")
    if wanted is not None:
        return text(json.dumps(sample(wanted)))
    if (asked.get("thinking") or {}).get("type") in ("enabled", "adaptive"):
        return thinking("I say it again.", f"Answer: {said}")
    return text(*re.findall(r"\s*\S+", f"Answer: {said}"))


def fault_in(asked: Json, headers: Mapping[str, str]) -> str | None:
    """What the API would refuse the request for; None when it is well."""
    version = headers.get("anthropic-version")
    if version not in VERSIONS:
        return "anthropic-version: header is required"
    return next((fault for check in CHECKS for fault in check(asked, version)), None)


def _required(asked: Json, _: str) -> Iterator[str]:
    for name, kind in (("model", str), ("max_tokens", int), ("messages", list)):
        if type(asked.get(name)) is not kind:
            yield f"{name}: Field required"
    if not asked.get("messages"):
        yield "messages: at least one message is required"


def _sampling(asked: Json, version: str) -> Iterator[str]:
    for name in SAMPLING:
        if version != OLD and name in asked:
            yield f"{name}: Extra inputs are not permitted"


def _messages(asked: Json, version: str) -> Iterator[str]:
    for index, message in enumerate(asked["messages"]):
        place = f"messages.{index}"
        if message.get("role") not in ROLES:
            yield f'{place}.role: Input should be "user" or "assistant"'
        content = message.get("content")
        if not isinstance(content, str | list) or not content:
            yield f"{place}.content: Field required"
        is_assistant = message.get("role") == "assistant"
        if version != OLD and is_assistant and any(_of_kind(content, "document")):
            yield f"{place}.content: document blocks are not permitted"
        for block in _of_kind(content, "text"):
            if not str(block.get("text", "")).strip():
                yield f"{place}: text content blocks must contain non-whitespace text"
            if version != OLD and not is_assistant and block.get("citations"):
                yield f"{place}: citations are not permitted on text blocks"


def _results(asked: Json, _: str) -> Iterator[str]:
    """Every call is answered in the next message, and nothing else is."""
    waiting: set[str] = set()
    for index, message in enumerate(asked["messages"]):
        content = message.get("content")
        answered = {block.get("tool_use_id") for block in _of_kind(content, "tool_result")}
        if answered - waiting:
            yield f"messages.{index}: unexpected `tool_use_id` found in `tool_result` blocks"
        if waiting - answered:
            yield f"messages.{index - 1}: `tool_use` ids were found without `tool_result` blocks"
        waiting = {str(block.get("id")) for block in _of_kind(content, "tool_use")}


def _choice(asked: Json, _: str) -> Iterator[str]:
    if "tool_choice" in asked and not asked.get("tools"):
        yield "tool_choice may only be specified while providing tools"


CHECKS: Final[tuple[Callable[[Json, str], Iterable[str]], ...]] = (
    _required,
    _sampling,
    _messages,
    _results,
    _choice,
)


def tokens(asked: Json) -> int:
    """One token for each four characters begun of all text in the request."""
    said = [*_texts(asked.get("system"))]
    for message in asked.get("messages") or []:
        said += _texts(message.get("content"))
    return -(-sum(map(len, said)) // 4)


def _texts(content: Any) -> Iterator[str]:
    if isinstance(content, str):
        yield content
    for block in content if isinstance(content, list) else []:
        if isinstance(block, dict):
            yield from _texts(block.get("text") or block.get("content"))


def _of_kind(content: Any, kind: str) -> Iterator[Json]:
    for block in content if isinstance(content, list) else []:
        if isinstance(block, dict) and block.get("type") == kind:
            yield block
