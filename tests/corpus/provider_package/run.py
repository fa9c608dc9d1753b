"""Asks a question of every provider."""

from providers import PROVIDERS, make

QUESTION = "What is the capital of Norway?"

if __name__ == "__main__":
    for name in sorted(PROVIDERS):
        provider = make(name, api_key="fake", model="gemini-1.5-flash")
        print(f"{name}: {provider.complete(QUESTION)}")
        for piece in provider.stream(QUESTION):
            print("|", piece)
        print("tokens:", provider.count(QUESTION))
