import os
from dataclasses import dataclass, field
from typing import Dict, Optional

import google.generativeai as genai


@dataclass
class ModelSettings:
    name: str = "gemini-1.5-flash"
    temperature: float = 0.3
    max_tokens: int = 256
    instruction: Optional[str] = None
    extra: Dict[str, str] = field(default_factory=dict)


def create_model(settings: ModelSettings) -> genai.GenerativeModel:
    genai.configure(api_key=os.environ["GOOGLE_API_KEY"])
    return genai.GenerativeModel(
        model_name=settings.name,
        generation_config={
            "temperature": settings.temperature,
            "max_output_tokens": settings.max_tokens,
        },
        system_instruction=settings.instruction,
    )


def run(settings: ModelSettings, question: str) -> str:
    model = create_model(settings)
    response = model.generate_content(question)
    return response.text


if __name__ == "__main__":
    print(run(ModelSettings(), "What is a fjord?"))
    pirate = ModelSettings(instruction="You are a pirate.", temperature=0.9)
    print(run(pirate, "What is a fjord?"))
