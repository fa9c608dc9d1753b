"""Works through a queue of jobs; some are streamed, some are not."""

import asyncio
import logging
import os
from dataclasses import dataclass, field

from google import genai
from google.genai import types

logger = logging.getLogger(__name__)

client = genai.Client(
    api_key=os.environ["GOOGLE_API_KEY"],
    http_options=types.HttpOptions(api_version="v1beta"),
)


@dataclass
class Job:
    prompt: str
    stream: bool = False
    result: str = ""
    notes: list[str] = field(default_factory=list)


class Worker:
    """Takes jobs until the queue is empty."""

    def __init__(self, name: str, retries: int = 1):
        self.name = name
        self.retries = retries

    async def whole(self, job: Job) -> None:
        response = await client.aio.models.generate_content(
            model="gemini-1.5-flash",
            contents=job.prompt,
            config=types.GenerateContentConfig(max_output_tokens=256),
        )
        if response.text is None:
            raise ValueError("the answer holds no text")
        job.result = response.text

    async def streamed(self, job: Job) -> None:
        response = await client.aio.models.generate_content_stream(
            model="gemini-1.5-flash",
            contents=job.prompt,
            config=types.GenerateContentConfig(max_output_tokens=256),
        )
        async for chunk in response:
            if chunk.text is None:
                raise ValueError("the answer holds no text")
            job.notes.append(chunk.text)
        job.result = "".join(job.notes)

    def size(self, job: Job) -> int:
        return len(job.prompt.split())

    async def work(self, queue: asyncio.Queue) -> list[Job]:
        done = []
        while not queue.empty():
            job = await queue.get()
            print(self.name, "takes", self.size(job), "words")
            try:
                await (self.streamed(job) if job.stream else self.whole(job))
            except Exception:
                logger.exception("job failed")
            done.append(job)
        return done


async def main() -> None:
    queue: asyncio.Queue = asyncio.Queue()
    for number in range(4):
        queue.put_nowait(Job(f"Job number {number}, please.", stream=number % 2 == 1))
    for job in await Worker("w1").work(queue):
        print(len(job.notes), job.result)


if __name__ == "__main__":
    asyncio.run(main())
