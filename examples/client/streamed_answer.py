"""Print an answer while it is being written."""

from __future__ import annotations

from collections.abc import Iterator

from chatport import Request, ResponseDelta, StreamClient, TextDelta, user
from chatport.chat import FunctionStreamer


@FunctionStreamer
def streamer(request: Request) -> Iterator[ResponseDelta]:
    yield ResponseDelta(TextDelta("Hello "))
    yield ResponseDelta(TextDelta("stream"), finish_reason="stop")


def main() -> None:
    client = StreamClient(streamer)
    for delta in client.stream(Request(user("Hello"))):
        print(delta.text(), end="")
    print()


if __name__ == "__main__":
    main()
