import os
import textwrap

from google import genai
from google.genai import types

client = genai.Client(
    api_key=os.environ["GOOGLE_API_KEY"],
    http_options=types.HttpOptions(api_version="v1beta"),
)

PATCH = """\
-    return a + b
+    return a - b
"""


def review(patch, style="short"):
    prompt = textwrap.dedent(
        f"""\
        Review this patch. Be {style}.
        """
    ) + patch
    response = client.models.generate_content(
        model="gemini-1.5-pro",
        contents=prompt,
        config=types.GenerateContentConfig(temperature=0, candidate_count=1),
    )
    if response.prompt_feedback and response.prompt_feedback.block_reason:
        return "the patch was not read"
    if not response.candidates:
        return "no answer"
    parts = response.candidates[0].content and response.candidates[0].content.parts or []
    return "".join(part.text or "" for part in parts)


if __name__ == "__main__":
    print(review(PATCH))
    print(review(PATCH, style="thorough"))
