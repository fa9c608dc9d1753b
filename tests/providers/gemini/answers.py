"""Answers of the Gemini API in the shapes its reference shows, and what they mean."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from chatport.chat import (
    Citation,
    FinishReason,
    Media,
    MediaPart,
    Part,
    ReasoningPart,
    TextPart,
    ToolCall,
    ToolCallPart,
    Usage,
)

COUNTS = {"promptTokenCount": 4, "candidatesTokenCount": 2, "totalTokenCount": 6}


def chunk(*parts: Any, finish: str | None = "STOP", **around: Any) -> Any:
    """A response of one candidate."""
    candidate: dict[str, Any] = {"content": {"parts": list(parts), "role": "model"}, "index": 0}
    if finish:
        candidate["finishReason"] = finish
    candidate |= around.pop("candidate", {})
    return {"candidates": [candidate], "usageMetadata": COUNTS, "modelVersion": "m-1"} | around


@dataclass(frozen=True)
class Answered:
    """The chunks of a stream, all in one in a plain answer, and what they mean."""

    chunks: list[Any]
    parts: tuple[Part, ...]
    reason: FinishReason = "stop"
    usage: Usage = Usage(input_tokens=4, output_tokens=2)  # noqa: RUF009


GROUNDED = {
    "webSearchQueries": ["tallest"],
    "groundingChunks": [
        {"web": {"uri": "https://h.test/a", "title": "h.test"}},
        {"retrievedContext": {"uri": "gs://b/doc", "title": "Doc"}},
        {"retrievedContext": {"title": "Only a name"}},
    ],
    "groundingSupports": [
        {"segment": {"endIndex": 5, "text": "Burj."}, "groundingChunkIndices": [0, 1]},
        {"segment": {"startIndex": 0, "endIndex": 5}, "groundingChunkIndices": [2, 7]},
    ],
}

ANSWERS: dict[str, Answered] = {
    "text": Answered([chunk({"text": "Hello"})], (TextPart("Hello"),)),
    "text in pieces": Answered(
        [chunk({"text": "Hel"}, finish=None), chunk({"text": "lo"}, {"text": "!"})],
        (TextPart("Hello!"),),
    ),
    "a reason on every chunk, and an empty last one": Answered(
        [chunk({"text": "Hel"}), chunk({"text": "lo"}), chunk({"text": ""})], (TextPart("Hello"),)
    ),
    "no content": Answered(
        [{"candidates": [{"finishReason": "SAFETY", "index": 0}], "usageMetadata": COUNTS}],
        (),
        "content_filter",
    ),
    "a cut answer": Answered(
        [chunk({"text": "Hel"}, finish="MAX_TOKENS")], (TextPart("Hel"),), "length"
    ),
    "thoughts": Answered(
        [
            chunk({"text": "Let ", "thought": True}, finish=None),
            chunk({"text": "me see.", "thought": True}, {"text": "42"}),
        ],
        (ReasoningPart("Let me see."), TextPart("42")),
    ),
    "signed thoughts": Answered(
        [
            chunk({"text": "One", "thought": True, "thoughtSignature": "YQ=="}, finish=None),
            chunk({"text": "Two", "thought": True, "thoughtSignature": "YQ=="}),
        ],
        (
            ReasoningPart("One", b"YQ==", {"gemini/signed": 0}),  # type: ignore[arg-type]
            ReasoningPart("Two", b"YQ==", {"gemini/signed": 1}),  # type: ignore[arg-type]
        ),
    ),
    "a signature at the end": Answered(
        [chunk({"text": "Hi"}, finish=None), chunk({"text": "", "thoughtSignature": "YQ=="})],
        (
            TextPart("Hi"),
            ReasoningPart("", b"YQ==", {"gemini/signed": 0, "gemini/empty_text": True}),  # type: ignore[arg-type]
        ),
    ),
    "a signature at a text": Answered(
        [chunk({"text": "Hi", "thoughtSignature": "YQ=="}, {"text": "!"})],
        (TextPart("Hi", (), {"gemini/thought_signature": "YQ=="}), TextPart("!")),  # type: ignore[arg-type]
    ),
    "calls": Answered(
        [
            chunk(
                {
                    "functionCall": {"id": "c1", "name": "f", "args": {"x": 1.50}},
                    "thoughtSignature": "YQ==",
                },
                {"functionCall": {"name": "g", "id": "c2"}},
            )
        ],
        (
            ToolCallPart(
                ToolCall("c1", "f", '{"x":1.5}'),
                {"gemini/thought_signature": "YQ=="},  # type: ignore[arg-type]
            ),
            ToolCallPart(ToolCall("c2", "g", "")),
        ),
        "tool_calls",
    ),
    "an image": Answered(
        [chunk({"inlineData": {"mimeType": "image/png", "data": "_w"}}, {"text": "Here."})],
        (MediaPart(Media.of_bytes("image/png", b"\xff")), TextPart("Here.")),
    ),
    "a file": Answered(
        [chunk({"fileData": {"mimeType": "video/mp4", "fileUri": "https://h.test/f"}})],
        (MediaPart(Media.of_uri("video/mp4", "https://h.test/f")),),
    ),
    "code that was run": Answered(
        [
            chunk(
                {"executableCode": {"language": "PYTHON", "code": "print(1)"}},
                {"codeExecutionResult": {"outcome": "OUTCOME_OK", "output": "1\n"}},
                {"text": "One."},
            )
        ],
        (
            ReasoningPart(
                "",
                b'{"executableCode":{"language":"PYTHON","code":"print(1)"}}\n'
                b'{"codeExecutionResult":{"outcome":"OUTCOME_OK","output":"1\\n"}}\n',
                {"gemini/parts": True},  # type: ignore[arg-type]
            ),
            TextPart("One."),
        ),
    ),
    "a part of tomorrow": Answered(
        [chunk({"hologram": {"depth": 3}}, {"text": "See?"})],
        (
            ReasoningPart("", b'{"hologram":{"depth":3}}\n', {"gemini/parts": True}),  # type: ignore[arg-type]
            TextPart("See?"),
        ),
    ),
    "grounding": Answered(
        [
            chunk({"text": "Burj."}, finish=None),
            chunk(
                {"text": "", "thoughtSignature": "YQ=="}, candidate={"groundingMetadata": GROUNDED}
            ),
        ],
        (
            TextPart(
                "Burj.",
                (
                    Citation.of_uri("https://h.test/a", title="h.test", quote="Burj."),
                    Citation.of_uri("gs://b/doc", title="Doc", quote="Burj."),
                    Citation.of_reference("Only a name", title="Only a name"),
                ),
            ),
            ReasoningPart("", b"YQ==", {"gemini/signed": 0, "gemini/empty_text": True}),  # type: ignore[arg-type]
        ),
    ),
    "grounding without support": Answered(
        [
            chunk(
                {"text": "Burj."},
                candidate={
                    "groundingMetadata": {"groundingChunks": GROUNDED["groundingChunks"][:1]}
                },
            )
        ],
        (TextPart("Burj.", (Citation.of_uri("https://h.test/a", title="h.test"),)),),
    ),
    "recitation": Answered(
        [
            chunk(
                {"text": "é says so"},
                candidate={
                    "citationMetadata": {
                        "citationSources": [
                            {"startIndex": 3, "endIndex": 7, "uri": "https://h.test/b"}
                        ]
                    }
                },
            )
        ],
        (TextPart("é says so", (Citation.of_uri("https://h.test/b", quote="says"),)),),
    ),
    "what it cost": Answered(
        [
            chunk({"text": "4"}, finish=None, usageMetadata={"promptTokenCount": 10}),
            chunk(
                {"text": "2"},
                usageMetadata={
                    "promptTokenCount": 10,
                    "toolUsePromptTokenCount": 5,
                    "candidatesTokenCount": 2,
                    "thoughtsTokenCount": 7,
                    "cachedContentTokenCount": 8,
                    "totalTokenCount": 24,
                },
            ),
        ],
        (TextPart("42"),),
        usage=Usage(
            input_tokens=15, output_tokens=9, reasoning_tokens=7, cache_read_input_tokens=8
        ),
    ),
    "counts that contradict each other": Answered(
        [chunk({"text": "4"}, usageMetadata={"promptTokenCount": 1, "cachedContentTokenCount": 8})],
        (TextPart("4"),),
        usage=Usage(input_tokens=1),
    ),
}


def whole(answer: Answered) -> Any:
    """The chunks as one plain answer."""
    document = answer.chunks[-1]
    if len(answer.chunks) == 1:
        return document
    parts = [
        part
        for one in answer.chunks
        for part in one["candidates"][0].get("content", {}).get("parts", [])
    ]
    candidate = document["candidates"][0] | {"content": {"parts": parts, "role": "model"}}
    return document | {"candidates": [candidate]}
