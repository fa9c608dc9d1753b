"""The providers by name."""

from .base import Provider
from .echo import EchoProvider
from .gemini import GeminiProvider

PROVIDERS = {"echo": EchoProvider, "gemini": GeminiProvider}


def make(name, **settings) -> Provider:
    return PROVIDERS[name](**settings)
