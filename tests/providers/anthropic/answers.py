"""Answers of the Messages API in the shapes its reference shows, and what they mean."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from chatport.chat import (
    Citation,
    FinishReason,
    Part,
    ReasoningPart,
    RefusalPart,
    TextPart,
    ToolCall,
    ToolCallPart,
    Usage,
)

COUNTS = {"input_tokens": 10, "output_tokens": 4}

Json = dict[str, Any]


def pieces(block: Json) -> list[Json]:
    """How the API streams a block: its beginning without content, and the content in two deltas."""
    match block["type"]:
        case "text":
            start = block | {"text": ""} | ({"citations": []} if block.get("citations") else {})
            text, half = block["text"], len(block["text"]) // 2
            deltas = [{"type": "text_delta", "text": one} for one in (text[:half], text[half:])]
            cited = [
                {"type": "citations_delta", "citation": one} for one in block.get("citations") or []
            ]
            return [start, *cited[:1], *deltas, *cited[1:]]
        case "thinking":
            return [
                {"type": "thinking", "thinking": "", "signature": ""},
                {"type": "thinking_delta", "thinking": block["thinking"]},
                {"type": "signature_delta", "signature": block["signature"]},
            ]
        case "tool_use" | "server_tool_use" if block["input"]:
            import json

            text = json.dumps(block["input"], separators=(",", ":"))
            deltas = [
                {"type": "input_json_delta", "partial_json": one}
                for one in ("", text[:3], text[3:])
            ]
            return [block | {"input": {}}, *deltas]
    return [block]


@dataclass(frozen=True)
class Answered:
    """The blocks of an answer, how it ended, and what it means."""

    content: list[Json]
    parts: tuple[Part, ...]
    reason: FinishReason = "stop"
    end: Json = field(default_factory=lambda: {"stop_reason": "end_turn", "stop_sequence": None})
    counts: Json = field(default_factory=lambda: COUNTS)
    usage: Usage = Usage(input_tokens=10, output_tokens=4)  # noqa: RUF009

    @property
    def events(self) -> list[Json]:
        """The answer as the events of a stream."""
        begun = whole(self) | {"content": [], "stop_reason": None, "stop_sequence": None}
        begun["usage"] = self.counts | {"output_tokens": 1}
        events: list[Json] = [{"type": "message_start", "message": begun}, {"type": "ping"}]
        for index, block in enumerate(self.content):
            start, *deltas = pieces(block)
            events.append({"type": "content_block_start", "index": index, "content_block": start})
            events += [{"type": "content_block_delta", "index": index, "delta": d} for d in deltas]
            events.append({"type": "content_block_stop", "index": index})
        events.append({"type": "message_delta", "delta": self.end, "usage": self.counts})
        return [*events, {"type": "message_stop"}]


def whole(answer: Answered) -> Json:
    """The answer in one piece."""
    return {
        "id": "msg_1",
        "type": "message",
        "role": "assistant",
        "model": "claude-x",
        "content": answer.content,
        "usage": answer.counts,
        **answer.end,
    }


def text(said: str, **more: Any) -> Json:
    return {"type": "text", "text": said, **more}


SEARCHED = {
    "type": "web_search_result_location",
    "url": "https://h.test/a",
    "title": "A page",
    "encrypted_index": "x1",
    "cited_text": "It is so.",
}
QUOTED = {
    "type": "char_location",
    "cited_text": "grass",
    "document_index": 0,
    "document_title": "Botany",
    "start_char_index": 0,
    "end_char_index": 5,
}
UNTITLED = {
    "type": "page_location",
    "cited_text": "sky",
    "document_index": 1,
    "document_title": None,
}
USED = {"type": "server_tool_use", "id": "srv_1", "name": "web_search", "input": {"query": "q"}}
FOUND = {
    "type": "web_search_tool_result",
    "tool_use_id": "srv_1",
    "content": [{"type": "web_search_result", "url": "https://h.test/a", "title": "A page"}],
}


def marked(number: int, **more: Any) -> Any:
    return {"anthropic/block": number} | {f"anthropic/{key}": value for key, value in more.items()}


ANSWERS: dict[str, Answered] = {
    "text": Answered([text("Hello")], (TextPart("Hello"),)),
    "nothing": Answered([], ()),
    "an empty text": Answered([text("")], ()),
    "a stop sequence": Answered(
        [text("Hi")], (TextPart("Hi"),), end={"stop_reason": "stop_sequence", "stop_sequence": "."}
    ),
    "a cut answer": Answered(
        [text("He")], (TextPart("He"),), "length", {"stop_reason": "max_tokens"}
    ),
    "a full context": Answered(
        [text("He")], (TextPart("He"),), "length", {"stop_reason": "model_context_window_exceeded"}
    ),
    "thinking": Answered(
        [
            {"type": "thinking", "thinking": "Let me see.", "signature": "sig1"},
            {"type": "redacted_thinking", "data": "hidden"},
            {"type": "thinking", "thinking": "", "signature": "sig2"},
            text("42"),
        ],
        (
            ReasoningPart("Let me see.", b"sig1", marked(0)),
            ReasoningPart("", b"hidden", marked(1, redacted=True)),
            ReasoningPart("", b"sig2", marked(2)),
            TextPart("42"),
        ),
    ),
    "calls": Answered(
        [
            text("I look."),
            {"type": "tool_use", "id": "toolu_1", "name": "f", "input": {"x": 1, "y": [True]}},
            {
                "type": "tool_use",
                "id": "toolu_2",
                "name": "g",
                "input": {},
                "caller": {"type": "direct"},
            },
        ],
        (
            TextPart("I look."),
            ToolCallPart(ToolCall("toolu_1", "f", '{"x":1,"y":[true]}')),
            ToolCallPart(
                ToolCall("toolu_2", "g", "{}"),
                {"anthropic/caller": {"type": "direct"}},  # type: ignore[arg-type]
            ),
        ),
        "tool_calls",
        {"stop_reason": "tool_use"},
    ),
    "a tool of the provider's": Answered(
        [USED, FOUND, text("It is so.", citations=[SEARCHED])],
        (
            ReasoningPart(
                "",
                b'{"type":"server_tool_use","id":"srv_1","name":"web_search","input":{"query":"q"}}\n'
                b'{"type":"web_search_tool_result","tool_use_id":"srv_1","content":'
                b'[{"type":"web_search_result","url":"https://h.test/a","title":"A page"}]}\n',
                {"anthropic/blocks": True},  # type: ignore[arg-type]
            ),
            TextPart(
                "It is so.",
                (Citation.of_uri("https://h.test/a", title="A page", quote="It is so."),),
            ),
        ),
    ),
    "a pause": Answered(
        [USED],
        (
            ReasoningPart(
                "",
                b'{"type":"server_tool_use","id":"srv_1","name":"web_search","input":{"query":"q"}}\n',
                {"anthropic/blocks": True},  # type: ignore[arg-type]
            ),
        ),
        "length",
        {"stop_reason": "pause_turn"},
    ),
    "citations": Answered(
        [
            text("The grass is "),
            text("green", citations=[QUOTED, UNTITLED]),
            text("."),
        ],
        (
            TextPart("The grass is "),
            TextPart(
                "green",
                (
                    Citation.of_reference("Botany", title="Botany", quote="grass"),
                    Citation.of_reference("document 1", quote="sky"),
                ),
                marked(1),
            ),
            TextPart(".", (), marked(2)),
        ),
    ),
    "a refusal": Answered(
        [text("I was ab")],
        (TextPart("I was ab"), RefusalPart("This could harm.")),
        "refusal",
        {
            "stop_reason": "refusal",
            "stop_details": {
                "type": "refusal",
                "category": "bio",
                "explanation": "This could harm.",
            },
        },
    ),
    "a refusal without a word": Answered([], (), "refusal", {"stop_reason": "refusal"}),
    "a block of tomorrow": Answered(
        [{"type": "hologram", "depth": 3}, text("See?")],
        (
            ReasoningPart(
                "",
                b'{"type":"hologram","depth":3}\n',
                {"anthropic/blocks": True},  # type: ignore[arg-type]
            ),
            TextPart("See?"),
        ),
    ),
    "what it cost": Answered(
        [text("42")],
        (TextPart("42"),),
        counts={
            "input_tokens": 10,
            "output_tokens": 9,
            "cache_creation_input_tokens": 100,
            "cache_read_input_tokens": 1000,
            "output_tokens_details": {"thinking_tokens": 7},
            "service_tier": "standard",
        },
        usage=Usage(
            input_tokens=1110,
            output_tokens=9,
            reasoning_tokens=7,
            cache_read_input_tokens=1000,
            cache_write_input_tokens=100,
        ),
    ),
}
