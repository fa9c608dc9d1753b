"""The peers of benchmarks/providers.py: each asks the same, in its own way."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

QUESTION = "Why? " * 40
MESSAGES = [{"role": "user", "content": QUESTION}]
IN_FLIGHT = 100


class Subject:
    """Something that is measured. What it cannot do is None."""

    package = ""
    """What has to be installed."""
    hidden: tuple[str, ...] = ()
    """What has to look as if it were not."""
    call: Callable[[], object] | None = None
    stream: Callable[[], int] | None = None
    acall: Callable[[], Awaitable[object]] | None = None

    def __init__(self, url: str) -> None:
        """Make the client."""

    async def opened(self, url: str) -> None:
        """Make the asynchronous client, in its loop."""

    async def closed(self) -> None:
        """Close it."""


class OpenAI(Subject):
    """The official SDK."""

    package = "openai"

    def __init__(self, url: str) -> None:
        import openai

        self.create = openai.OpenAI(api_key="k", base_url=url + "/v1").chat.completions.create

    def call(self) -> object:
        answer = self.create(model="m", messages=MESSAGES)
        return answer.choices[0].message.content

    def stream(self) -> int:
        stream = self.create(model="m", messages=MESSAGES, stream=True)
        return sum(1 for chunk in stream if chunk.choices)

    async def opened(self, url: str) -> None:
        import openai

        self.acreate = openai.AsyncOpenAI(api_key="k", base_url=url + "/v1").chat.completions.create

    async def acall(self) -> object:
        answer = await self.acreate(model="m", messages=MESSAGES)
        return answer.choices[0].message.content


class LiteLLM(Subject):
    """litellm."""

    package = "litellm"

    def __init__(self, url: str) -> None:
        import litellm

        litellm.REPEATED_STREAMING_CHUNK_LIMIT = 100_000
        self.litellm = litellm
        self.settings: dict[str, Any] = {
            "model": "openai/m",
            "api_base": url + "/v1",
            "api_key": "k",
        }
        self.settings["messages"] = MESSAGES

    def call(self) -> object:
        return self.litellm.completion(**self.settings).choices[0].message.content

    def stream(self) -> int:
        return sum(1 for _ in self.litellm.completion(**self.settings, stream=True))

    async def acall(self) -> object:
        return (await self.litellm.acompletion(**self.settings)).choices[0].message.content


class PydanticAI(Subject):
    """pydantic-ai, its model requests without an agent."""

    package = "pydantic_ai"

    def __init__(self, url: str) -> None:
        from pydantic_ai import direct
        from pydantic_ai.messages import ModelRequest
        from pydantic_ai.models.openai import OpenAIChatModel
        from pydantic_ai.providers.openai import OpenAIProvider

        self.direct = direct
        self.model = OpenAIChatModel(
            "m", provider=OpenAIProvider(base_url=url + "/v1", api_key="k")
        )
        self.messages = [ModelRequest.user_text_prompt(QUESTION)]

    def call(self) -> object:
        return self.direct.model_request_sync(self.model, self.messages).parts

    def stream(self) -> int:
        with self.direct.model_request_stream_sync(self.model, self.messages) as stream:
            return sum(1 for _ in stream)

    async def opened(self, url: str) -> None:
        import httpx2
        from pydantic_ai.models.openai import OpenAIChatModel
        from pydantic_ai.providers.openai import OpenAIProvider

        # Its own client is shared by the process, and bound to the loop of the calls before.
        client = httpx2.AsyncClient()
        provider = OpenAIProvider(base_url=url + "/v1", api_key="k", http_client=client)
        self.model = OpenAIChatModel("m", provider=provider)

    async def acall(self) -> object:
        return (await self.direct.model_request(self.model, self.messages)).parts


class LangChain(Subject):
    """langchain-core, with the package it has for OpenAI."""

    package = "langchain_openai"

    def __init__(self, url: str) -> None:
        from langchain_core.messages import HumanMessage
        from langchain_openai import ChatOpenAI

        self.model = ChatOpenAI(model="m", base_url=url + "/v1", api_key="k")
        self.messages = [HumanMessage(QUESTION)]

    def call(self) -> object:
        return self.model.invoke(self.messages).content

    def stream(self) -> int:
        return sum(1 for _ in self.model.stream(self.messages))

    async def acall(self) -> object:
        return (await self.model.ainvoke(self.messages)).content


class Anthropic(Subject):
    """The official SDK."""

    package = "anthropic"

    def __init__(self, url: str) -> None:
        import anthropic

        self.client = anthropic.Anthropic(api_key="k", base_url=url)
        self.asked: dict[str, Any] = {"model": "m", "max_tokens": 500, "messages": MESSAGES}

    def call(self) -> object:
        return self.client.messages.create(**self.asked).content[0].text

    def stream(self) -> int:
        stream = self.client.messages.create(**self.asked, stream=True)
        return sum(1 for event in stream if event.type == "content_block_delta")

    async def opened(self, url: str) -> None:
        import anthropic

        self.aclient = anthropic.AsyncAnthropic(api_key="k", base_url=url)

    async def acall(self) -> object:
        return (await self.aclient.messages.create(**self.asked)).content[0].text


class GoogleGenAI(Subject):
    """The official SDK as it is installed, which is without aiohttp: its asynchronous calls go
    through httpx2."""

    package = "google.genai"
    hidden = ("aiohttp",)

    def __init__(self, url: str) -> None:
        from google import genai

        self.client = genai.Client(api_key="k", http_options={"base_url": url})

    def call(self) -> object:
        return self.client.models.generate_content(model="m", contents=QUESTION).text

    def stream(self) -> int:
        stream = self.client.models.generate_content_stream(model="m", contents=QUESTION)
        return sum(1 for _ in stream)

    async def acall(self) -> object:
        return (await self.client.aio.models.generate_content(model="m", contents=QUESTION)).text


class GoogleGenAIFast(GoogleGenAI):
    """The same with its extra."""

    hidden = ()


PEERS: dict[str, type[Subject]] = {
    "openai": OpenAI,
    "anthropic": Anthropic,
    "google-genai": GoogleGenAI,
    "  with aiohttp": GoogleGenAIFast,
    "litellm": LiteLLM,
    "pydantic-ai": PydanticAI,
    "langchain": LangChain,
}
