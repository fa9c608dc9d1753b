import os
import textwrap

import google.generativeai as genai

genai.configure(api_key=os.environ["GOOGLE_API_KEY"])

PATCH = """\
-    return a + b
+    return a - b
"""


def review(patch, style="short"):
    model = genai.GenerativeModel(
        "gemini-1.5-pro",
        generation_config={"temperature": 0, "candidate_count": 1},
    )
    prompt = textwrap.dedent(
        f"""\
        Review this patch. Be {style}.
        """
    ) + patch
    response = model.generate_content(prompt)
    if response.prompt_feedback.block_reason:
        return "the patch was not read"
    if not response.candidates:
        return "no answer"
    parts = response.candidates[0].content.parts
    return "".join(part.text for part in parts)


if __name__ == "__main__":
    print(review(PATCH))
    print(review(PATCH, style="thorough"))
