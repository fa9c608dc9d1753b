"""Writes product texts in the voice of a brand."""

import os
from dataclasses import dataclass

import google.generativeai as genai


@dataclass(frozen=True)
class Brand:
    """How a brand speaks."""

    name: str
    voice: str
    model: str = "gemini-1.5-flash"
    temperature: float = 0.6
    banned: tuple[str, ...] = ()


class Writer:
    """Writes for one brand."""

    def __init__(self, brand: Brand):
        genai.configure(api_key=os.environ["GOOGLE_API_KEY"])
        self.brand = brand
        self.llm = genai.GenerativeModel(
            model_name=brand.model,
            generation_config={
                "temperature": brand.temperature,
                "max_output_tokens": 300,
            },
            system_instruction=self._voice(),
        )

    def _voice(self) -> str:
        lines = [f"You write for {self.brand.name}.", f"Voice: {self.brand.voice}."]
        if self.brand.banned:
            lines.append("Never say: " + ", ".join(self.brand.banned))
        return "\n".join(lines)

    def text(self, product: str) -> str:
        """A product text; a second attempt when a banned word was used."""
        response = self.llm.generate_content(f"Describe: {product}")
        text = response.text
        if any(word in text for word in self.brand.banned):
            response = self.llm.generate_content(
                f"Describe again, without banned words: {product}",
                generation_config={"temperature": 0.1},
            )
            text = response.text
        return text

    def slogan(self) -> str:
        return self.llm.generate_content("A slogan.").text


def main() -> None:
    plain = Writer(Brand("Holt", "dry"))
    print(plain.slogan())
    fussy = Writer(Brand("Reed", "warm", temperature=1.1, banned=("soap",)))
    print(fussy.text("a bar of soap"))
    print(fussy.text("a towel"))


if __name__ == "__main__":
    main()
