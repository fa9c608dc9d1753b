"""Members of answers: what stays, what is called otherwise, what is gone."""

from __future__ import annotations

import pytest

from tests.support.port import clean, ported, refused


@pytest.mark.parametrize(
    ("before", "after"),
    [
        pytest.param(
            """
            print(genai.GenerativeModel("m").generate_content("x").text)
            """,
            """
            print(client.models.generate_content(model="m", contents="x").text)
            """,
            id="text",
        ),
        pytest.param(
            """
            r = genai.GenerativeModel("m").generate_content("x")
            print(r.usage_metadata.total_token_count)
            """,
            """
            r = client.models.generate_content(model="m", contents="x")
            print(r.usage_metadata.total_token_count)
            """,
            id="usage",
        ),
        pytest.param(
            """
            r = genai.GenerativeModel("m").generate_content("x")
            if r.prompt_feedback.block_reason:
                print("blocked")
            """,
            """
            r = client.models.generate_content(model="m", contents="x")
            if r.prompt_feedback and r.prompt_feedback.block_reason:
                print("blocked")
            """,
            id="block-reason",
        ),
        pytest.param(
            """
            r = genai.GenerativeModel("m").generate_content("x")
            if not r.prompt_feedback.block_reason:
                print(r.text)
            """,
            """
            r = client.models.generate_content(model="m", contents="x")
            if not (r.prompt_feedback and r.prompt_feedback.block_reason):
                print(r.text)
            """,
            id="block-reason-negated",
        ),
        pytest.param(
            """
            r = genai.GenerativeModel("m").generate_content("x")
            print(r.candidates[0].finish_reason == 1)
            """,
            """
            r = client.models.generate_content(model="m", contents="x")
            print(r.candidates[0].finish_reason == types.FinishReason.STOP)
            """,
            id="finish-reason-number",
        ),
        pytest.param(
            """
            r = genai.GenerativeModel("m").generate_content("x")
            c = r.candidates[0]
            if c.finish_reason in [1, 2]:
                print("cut")
            """,
            """
            r = client.models.generate_content(model="m", contents="x")
            c = r.candidates[0]
            if c.finish_reason in [types.FinishReason.STOP, types.FinishReason.MAX_TOKENS]:
                print("cut")
            """,
            id="finish-reason-several",
        ),
        pytest.param(
            """
            r = genai.GenerativeModel("m").generate_content("x")
            print(r.candidates[0].finish_reason.name)
            """,
            """
            r = client.models.generate_content(model="m", contents="x")
            print(r.candidates[0].finish_reason.name)
            """,
            id="finish-reason-name",
        ),
        pytest.param(
            """
            r = genai.GenerativeModel("m").generate_content("x")
            reason = r.candidates[0].finish_reason
            if reason != 1:
                print("cut")
            """,
            """
            r = client.models.generate_content(model="m", contents="x")
            reason = r.candidates[0].finish_reason
            if reason != types.FinishReason.STOP:
                print("cut")
            """,
            id="finish-reason-through-a-variable",
        ),
        pytest.param(
            """
            r = genai.GenerativeModel("m").generate_content("x")
            try:
                text = r.text
            except ValueError:
                text = ""
            """,
            """
            r = client.models.generate_content(model="m", contents="x")
            try:
                if r.text is None:
                    raise ValueError("the answer holds no text")
                text = r.text
            except ValueError:
                text = ""
            """,
            id="text-under-a-handler",
        ),
        pytest.param(
            """
            model = genai.GenerativeModel("m")
            try:
                print(model.generate_content("x").text)
            except KeyError:
                print("")
            """,
            """
            try:
                print(client.models.generate_content(model="m", contents="x").text)
            except KeyError:
                print("")
            """,
            id="text-under-another-handler",
        ),
    ],
)
def test_ported(before: str, after: str) -> None:
    assert ported(before) == clean(after)


@pytest.mark.parametrize(
    ("before", "codes"),
    [
        pytest.param(
            """
            r = genai.GenerativeModel("m").generate_content("x")
            print(r.candidates[0].finish_reason > 1)
            """,
            {"enum_value_changed"},
            id="finish-reason-ordered",
        ),
        pytest.param(
            """
            r = genai.GenerativeModel("m").generate_content("x")
            print({1: "stop"}[r.candidates[0].finish_reason])
            """,
            {"enum_value_changed"},
            id="finish-reason-as-a-key",
        ),
        pytest.param(
            """
            print(genai.GenerativeModel("m").generate_content("x").to_dict())
            """,
            {"response_shape_changed"},
            id="to-dict",
        ),
    ],
)
def test_refused(before: str, codes: set[str]) -> None:
    assert refused(before) == codes
