"""Ask for a value and get one: the answer is checked and typed."""

from __future__ import annotations

from dataclasses import dataclass

from chatport import JSON, Client, Request, user
from chatport.testing import ScriptedModel


@dataclass
class Answer:
    value: int


def main() -> None:
    client = Client(ScriptedModel('{"value": 42}'))
    request = Request(user("What is six times seven?"))
    answer = client.output(request, JSON(Answer))
    print(answer.value)


if __name__ == "__main__":
    main()
