"""Works through a queue of jobs; some are streamed, some are not."""

import asyncio
import logging
import os
from dataclasses import dataclass, field

import google.generativeai as genai

logger = logging.getLogger(__name__)

genai.configure(api_key=os.environ["GOOGLE_API_KEY"])


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
        self.model = genai.GenerativeModel(
            model_name="gemini-1.5-flash",
            generation_config={"max_output_tokens": 256},
        )

    async def whole(self, job: Job) -> None:
        response = await self.model.generate_content_async(job.prompt)
        job.result = response.text

    async def streamed(self, job: Job) -> None:
        response = await self.model.generate_content_async(job.prompt, stream=True)
        async for chunk in response:
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
