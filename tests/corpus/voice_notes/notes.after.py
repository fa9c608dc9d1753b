import base64
import os
import time

from google import genai
from google.genai import types

client = genai.Client(
    api_key=os.environ["GOOGLE_API_KEY"],
    http_options=types.HttpOptions(api_version="v1beta"),
)

PROMPT = "Write down what is said. Leave out filler words."
SILENCE = base64.b64decode("UklGRiQAAABXQVZFZm10IBAAAAABAAEA")


class Transcriber:
    def __init__(self, model_name="gemini-1.5-flash", retries=2):
        self.model_name = model_name
        self.retries = retries
        self._model = None

    @property
    def model(self):
        if self._model is None:
            self._model = self.model_name
        return self._model

    def transcribe(self, audio, mime_type="audio/wav"):
        for attempt in range(self.retries + 1):
            try:
                response = client.models.generate_content(
                    model=self.model,
                    contents=[PROMPT, types.Part.from_bytes(mime_type=mime_type, data=audio)],
                )
                return response.text
            except ConnectionError:
                if attempt == self.retries:
                    raise
                time.sleep(2**attempt)


if __name__ == "__main__":
    transcriber = Transcriber()
    print(transcriber.transcribe(SILENCE))
    print(transcriber.transcribe(SILENCE + b"\x00", "audio/x-wav"))
