"""Make a message of a template whose names have been checked."""

from __future__ import annotations

from chatport import Template


def main() -> None:
    prompt = Template("Explain {{ topic }} in one sentence.")
    prompt.require("topic")
    message = prompt.user_message({"topic": "Go interfaces"})
    print(message.text())


if __name__ == "__main__":
    main()
