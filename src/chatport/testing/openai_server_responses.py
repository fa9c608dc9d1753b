"""Canned answers in the words of OpenAI's Responses."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from chatport.testing.loopback import Json

if TYPE_CHECKING:
    from chatport.testing.openai_server_script import Answer


def whole(answer: Answer, asked: Json) -> Json:
    """The response, complete."""
    from chatport.testing.openai_server_script import CREATED, USAGE

    is_cut = answer.finish in ("length", "content_filter")
    reason = "max_output_tokens" if answer.finish == "length" else answer.finish
    return {
        "id": "resp_loopback",
        "object": "response",
        "created_at": CREATED,
        "model": asked.get("model", ""),
        "status": "incomplete" if is_cut else "completed",
        "incomplete_details": {"reason": reason} if is_cut else None,
        "error": None,
        "output": [item for item, _ in _items(answer, "completed")],
        "parallel_tool_calls": asked.get("parallel_tool_calls", True),
        "tool_choice": asked.get("tool_choice", "auto"),
        "tools": asked.get("tools", []),
        "service_tier": "default",
        "instructions": asked.get("instructions"),
        "metadata": {},
        "temperature": asked.get("temperature"),
        "top_p": asked.get("top_p"),
        "usage": {
            "input_tokens": USAGE["input"],
            "output_tokens": USAGE["output"],
            "total_tokens": USAGE["input"] + USAGE["output"],
            "input_tokens_details": {"cached_tokens": USAGE["cached"]},
            "output_tokens_details": {"reasoning_tokens": USAGE["reasoning"]},
        },
    }


def events(answer: Answer, asked: Json) -> Iterator[Json]:
    """The response as the events of a stream."""
    number = -1

    def step(kind: str, **members: object) -> Json:
        nonlocal number
        number += 1
        return {"type": kind, "sequence_number": number, **members}

    complete = whole(answer, asked)
    begun = complete | {"status": "in_progress", "output": [], "usage": None}
    yield step("response.created", response=begun)
    yield step("response.in_progress", response=begun)
    for index, (item, pieces) in enumerate(_items(answer, "completed")):
        place = {"output_index": index, "item_id": item["id"]}
        hollow = (
            item
            | {"status": "in_progress"}
            | {key: [] for key in ("content", "summary") if key in item}
        )
        if "arguments" in item:
            hollow["arguments"] = ""
        yield step("response.output_item.added", output_index=index, item=hollow)
        for kind, members in pieces:
            yield step(kind, **place, **members)
        yield step("response.output_item.done", output_index=index, item=item)
    yield step(f"response.{complete['status']}", response=complete)


Pieces = list[tuple[str, Json]]


def _items(answer: Answer, status: str) -> Iterator[tuple[Json, Pieces]]:
    """Each output item, and the events between its beginning and its end."""
    if answer.reasoning:
        part = {"type": "summary_text", "text": answer.reasoning}
        item = {
            "id": "rs_1",
            "type": "reasoning",
            "summary": [part],
            "encrypted_content": "c2VjcmV0",
        }
        at = {"summary_index": 0}
        yield (
            item,
            [
                ("response.reasoning_summary_part.added", {**at, "part": part | {"text": ""}}),
                ("response.reasoning_summary_text.delta", {**at, "delta": answer.reasoning}),
                ("response.reasoning_summary_text.done", {**at, "text": answer.reasoning}),
                ("response.reasoning_summary_part.done", {**at, "part": part}),
            ],
        )
    if answer.texts or answer.refusal:
        yield _message(answer, status)
    for identity, name, arguments in answer.calls:
        half = len(arguments) // 2
        item = {"id": f"fc_{identity}", "type": "function_call", "status": status}
        item |= {"call_id": identity, "name": name, "arguments": arguments}
        done = {"arguments": arguments, "name": name}
        deltas = [
            ("response.function_call_arguments.delta", {"delta": piece})
            for piece in (arguments[:half], arguments[half:])
            if piece
        ]
        yield item, [*deltas, ("response.function_call_arguments.done", done)]


def _message(answer: Answer, status: str) -> tuple[Json, Pieces]:
    content: list[Json] = []
    pieces: Pieces = []
    if answer.texts:
        said = "".join(answer.texts)
        part = {"type": "output_text", "text": said, "annotations": [], "logprobs": []}
        at = {"content_index": len(content)}
        content.append(part)
        pieces.append(("response.content_part.added", {**at, "part": part | {"text": ""}}))
        pieces += [
            ("response.output_text.delta", {**at, "delta": piece, "logprobs": []})
            for piece in answer.texts
        ]
        pieces.append(("response.output_text.done", {**at, "text": said, "logprobs": []}))
        pieces.append(("response.content_part.done", {**at, "part": part}))
    if answer.refusal:
        part = {"type": "refusal", "refusal": answer.refusal}
        at = {"content_index": len(content)}
        content.append(part)
        pieces.append(("response.content_part.added", {**at, "part": part | {"refusal": ""}}))
        pieces.append(("response.refusal.delta", {**at, "delta": answer.refusal}))
        pieces.append(("response.refusal.done", {**at, "refusal": answer.refusal}))
        pieces.append(("response.content_part.done", {**at, "part": part}))
    item = {"id": "msg_1", "type": "message", "role": "assistant", "status": status}
    return item | {"content": content}, pieces
