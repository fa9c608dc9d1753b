import os
from dataclasses import dataclass, field
from typing import Dict, Optional

from google import genai
from google.genai import types


@dataclass
class ModelSettings:
    name: str = "gemini-1.5-flash"
    temperature: float = 0.3
    max_tokens: int = 256
    instruction: Optional[str] = None
    extra: Dict[str, str] = field(default_factory=dict)


def create_model(settings: ModelSettings) -> dict:
    global client
    client = genai.Client(
        api_key=os.environ["GOOGLE_API_KEY"],
        http_options=types.HttpOptions(api_version="v1beta"),
    )
    return {
        "model": settings.name,
        "config": types.GenerateContentConfig(
            system_instruction=settings.instruction,
            temperature=settings.temperature,
            max_output_tokens=settings.max_tokens,
        ),
    }


def run(settings: ModelSettings, question: str) -> str:
    model = create_model(settings)
    response = client.models.generate_content(**model, contents=question)
    return response.text


if __name__ == "__main__":
    print(run(ModelSettings(), "What is a fjord?"))
    pirate = ModelSettings(instruction="You are a pirate.", temperature=0.9)
    print(run(pirate, "What is a fjord?"))
