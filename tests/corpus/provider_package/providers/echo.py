"""A provider for tests."""

from .base import Provider


class EchoProvider(Provider):
    def __init__(self, **settings):
        self.settings = settings

    def complete(self, prompt, temperature=None):
        return prompt

    def stream(self, prompt):
        yield from prompt.split()

    def count(self, prompt):
        return len(prompt.split())
