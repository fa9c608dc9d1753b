"""What every provider can do."""

from abc import ABC, abstractmethod


class Provider(ABC):
    @abstractmethod
    def complete(self, prompt, temperature=None): ...

    @abstractmethod
    def stream(self, prompt): ...

    @abstractmethod
    def count(self, prompt): ...
