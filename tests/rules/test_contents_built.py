"""Turns and parts that a program puts together, and roles that are kept in names."""

from __future__ import annotations

import pytest

from tests.support.port import clean, ported, refused


@pytest.mark.parametrize(
    ("before", "after"),
    [
        pytest.param(
            """
            def ask(text: str, data: bytes):
                parts = [text]
                parts.append({"mime_type": "image/png", "data": data})
                parts += ["end"]
                parts.insert(0, "start")
                return genai.GenerativeModel("m").generate_content({"parts": parts}).text
            """,
            """
            def ask(text: str, data: bytes):
                parts = [text]
                parts.append(types.Part.from_bytes(mime_type="image/png", data=data))
                parts += ["end"]
                parts.insert(0, "start")
                return client.models.generate_content(
                    model="m",
                    contents={"parts": types.UserContent(parts=parts).parts},
                ).text
            """,
            id="appended-parts",
        ),
        pytest.param(
            """
            def ask(messages: list[dict[str, str]]):
                turns = [{"role": m["role"], "parts": [m["content"]]} for m in messages]
                return genai.GenerativeModel("m").start_chat(history=turns)
            """,
            """
            def ask(messages: list[dict[str, str]]):
                turns = [{"role": m["role"], "parts": [{"text": m["content"]}]} for m in messages]
                return client.chats.create(model="m", history=turns)
            """,
            id="annotated-messages",
        ),
        pytest.param(
            """
            from dataclasses import dataclass
            from typing import List, Optional


            @dataclass
            class Message:
                sender: str
                body: str


            def ask(messages: Optional[List[Message]]):
                turns = []
                for message in messages or []:
                    role = "model" if message.sender == "bot" else "user"
                    turns.append({"role": role, "parts": [message.body]})
                return genai.GenerativeModel("m").generate_content(turns).text
            """,
            """
            from dataclasses import dataclass
            from typing import List, Optional


            @dataclass
            class Message:
                sender: str
                body: str


            def ask(messages: Optional[List[Message]]):
                turns = []
                for message in messages or []:
                    role = "model" if message.sender == "bot" else "user"
                    turns.append({"role": role, "parts": [{"text": message.body}]})
                return client.models.generate_content(model="m", contents=turns).text
            """,
            id="annotated-fields",
        ),
        pytest.param(
            """
            chat = genai.GenerativeModel("m").start_chat()
            chat.send_message({"role": "user", "parts": ["a", {"text": "b"}]})
            chat.send_message([{"text": "c"}, "d"])
            chat.send_message({"parts": "e"})
            """,
            """
            chat = client.chats.create(model="m")
            chat.send_message(message=["a", "b"])
            chat.send_message(message=["c", "d"])
            chat.send_message(message="e")
            """,
            id="turns-and-mappings-as-messages",
        ),
        pytest.param(
            """
            turns = [{"role": "system", "parts": ["x"]}]
            genai.GenerativeModel("m").generate_content(turns)
            """,
            """
            turns = [{"role": "system", "parts": [{"text": "x"}]}]
            client.models.generate_content(model="m", contents=turns)
            """,
            id="any-role-to-a-model",
        ),
    ],
)
def test_ported(before: str, after: str) -> None:
    assert ported(before) == clean(after)


@pytest.mark.parametrize(
    "before",
    [
        pytest.param(
            """
            chat = genai.GenerativeModel("m").start_chat(
                history=[{"role": "assistant", "parts": ["x"]}]
            )
            """,
            id="role-a-chat-refuses",
        ),
        pytest.param(
            """
            def ask(who):
                role = "assistant" if who else "user"
                turns = [{"role": "assistant" if who else "user", "parts": ["x"]}]
                return genai.GenerativeModel("m").start_chat(history=turns)
            """,
            id="role-a-chat-refuses-on-one-way",
        ),
        pytest.param(
            """
            chat = genai.GenerativeModel("m").start_chat()
            chat.send_message({"role": "model", "parts": ["x"]})
            """,
            id="turn-of-the-model-as-a-message",
        ),
        pytest.param(
            """
            chat = genai.GenerativeModel("m").start_chat()
            chat.send_message({"role": "user", "parts": [{"file_data": {"file_uri": "u"}}]})
            """,
            id="mapping-a-chat-does-not-take",
        ),
    ],
)
def test_refused(before: str) -> None:
    assert refused(before) == {"history_parts_shape_incompatible"}
