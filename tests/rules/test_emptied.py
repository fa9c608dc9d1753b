"""Fields that are None where legacy had nothing: loops over them run no round, sums add nothing."""

from __future__ import annotations

import pytest

from tests.support.port import ported, refused, warned

READ = '            r = genai.GenerativeModel("m").generate_content("x")\n'
NOW = 'r = client.models.generate_content(model="m", contents="x")\n'

ROWS = {
    "a loop": ("for c in r.candidates: print(c)", "for c in r.candidates or []: print(c)"),
    "a comprehension": (
        "c = r.candidates[0]; print([p.text for p in c.content.parts if p])",
        "c = r.candidates[0]; print([p.text for p in c.content and c.content.parts or [] if p])",
    ),
    "a turn that may be missing": (
        "c = r.candidates[0]; print(c.content.parts[0] if c.content.parts else 0)",
        "c = r.candidates[0]; print(c.content.parts[0] if (c.content and c.content.parts) else 0)",
    ),
    "a turn that was tested": (
        "c = r.candidates[0]; print(c.content and c.content.parts and 1)",
        "c = r.candidates[0]; print(c.content and c.content.parts and 1)",
    ),
    "a turn by a name": (
        "c = r.candidates[0].content; print(not c.parts)",
        "c = r.candidates[0].content; print(not (c and c.parts))",
    ),
    "parts by a name, in a loop": (
        "c = r.candidates; print([x for x in c])",
        "c = r.candidates or []; print([x for x in c])",
    ),
    "parts by a name, tested first": (
        "c = r.candidates; print(c and [x for x in c])",
        "c = r.candidates; print(c and [x for x in c])",
    ),
    "parts by a name, an item of them": (
        "c = r.candidates; print(c[0])",
        "c = r.candidates; print(c[0])",
    ),
    "texts that are joined": (
        'print("".join(p.text for p in r.parts))',
        'print("".join(p.text or "" for p in r.parts))',
    ),
    "texts that are joined, tested": (
        'print("".join(p.text for p in r.parts if p.text))',
        'print("".join(p.text for p in r.parts if p.text))',
    ),
    "texts that are listed": (
        "print([p.text for p in r.parts])",
        "print([p.text for p in r.parts])",
    ),
    "a text that is added": (
        'print("> " + r.parts[0].text)',
        'print("> " + (r.parts[0].text or ""))',
    ),
    "a length": ("print(len(r.candidates))", "print(len(r.candidates or []))"),
    "ratings of the prompt": (
        "for s in r.prompt_feedback.safety_ratings: print(s)",
        "for s in r.prompt_feedback and r.prompt_feedback.safety_ratings or []: print(s)",
    ),
    "a sum": (
        "print(r.usage_metadata.prompt_token_count + 1)",
        "print((r.usage_metadata.prompt_token_count or 0) + 1)",
    ),
    "a sum that goes on": (
        "n = 0; n += r.usage_metadata.total_token_count",
        "n = 0; n += r.usage_metadata.total_token_count or 0",
    ),
    "an order": (
        "print(r.usage_metadata.total_token_count > 9)",
        "print((r.usage_metadata.total_token_count or 0) > 9)",
    ),
    "a number of it": (
        "print(int(r.usage_metadata.total_token_count))",
        "print(int(r.usage_metadata.total_token_count or 0))",
    ),
    "a reason that is shown": (
        'print(f"blocked: {r.prompt_feedback.block_reason}")',
        'print(f"blocked: {(r.prompt_feedback and r.prompt_feedback.block_reason)}")',
    ),
    "data that is tested": (
        "print([p.inline_data.data for p in r.parts if p.inline_data.data])",
        "print([p.inline_data.data for p in r.parts if p.inline_data and p.inline_data.data])",
    ),
    "a file that is tested": (
        "print([p.file_data.file_uri for p in r.parts if p.file_data.file_uri])",
        "print([p.file_data.file_uri for p in r.parts if p.file_data and p.file_data.file_uri])",
    ),
    "members that a filter reads": (
        "print(list(filter(lambda m: 'a' in m.supported_generation_methods, genai.list_models())))",
        "print(list(filter(lambda m: 'a' in (m.supported_actions or []), client.models.list())))",
    ),
    "a list that is shown": (
        "print(r.candidates[0].safety_ratings)",
        "print(r.candidates[0].safety_ratings or [])",
    ),
    "a list that is shown behind its source, which stays as it is": (
        'print(f"{r.candidates=}")',
        'print(f"{r.candidates=}")',
    ),
    "a list that is shown in a text": (
        'print(f"{r.candidates}", "%s" % r.candidates)',
        'print(f"{r.candidates or []}", "%s" % (r.candidates or []))',
    ),
    "a list in which something was found": (
        "if 1 in r.candidates: print(r.candidates)",
        "if 1 in (r.candidates or []): print(r.candidates)",
    ),
    "tested before": (
        "print(r.candidates and len(r.candidates))",
        "print(r.candidates and len(r.candidates))",
    ),
    "an item, which fails on both sides": (
        "print(r.candidates[0])",
        "print(r.candidates[0])",
    ),
    "an equality, which is false on both sides": (
        "print(r.usage_metadata.total_token_count == 9)",
        "print(r.usage_metadata.total_token_count == 9)",
    ),
}


@pytest.mark.parametrize(("before", "after"), ROWS.values(), ids=ROWS)
def test_nothing_stays_nothing(before: str, after: str) -> None:
    assert ported(f"{READ}            {before}\n") == f"{NOW}{after}\n"


def test_the_methods_of_a_model() -> None:
    before = """
        for m in genai.list_models():
            if "generateContent" in m.supported_generation_methods:
                print(m.name, m.supported_generation_methods)
        """
    assert (
        '    if "generateContent" in (m.supported_actions or []):\n'
        "        print(m.name, m.supported_actions)\n"
    ) in ported(before)


def test_a_number_that_goes_elsewhere_is_noted_once() -> None:
    before = f"""
{READ}
            print(r.usage_metadata.total_token_count, r.usage_metadata.prompt_token_count)
            """
    assert warned(before) == [(1, "answer_field_may_be_none")]


@pytest.mark.parametrize(
    "use",
    [
        "print(r.prompt_feedback.block_reason == 1)",
        "reason = r.prompt_feedback.block_reason",
        "ratings = r.prompt_feedback.safety_ratings",
        'print(genai.GenerativeModel("m").generate_content("y").prompt_feedback.block_reason)',
    ],
)
def test_what_is_read_through_nothing_is_refused(use: str) -> None:
    assert refused(f"{READ}            {use}\n") == {"value_may_be_none"}
