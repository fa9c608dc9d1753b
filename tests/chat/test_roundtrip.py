"""Every value survives JSON, pickling and copying."""

from __future__ import annotations

import copy
import json
import pickle

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from chatport.chat import Document, Extensions, InvalidValueError, Metadata
from chatport.chat.value import Value
from tests.chat import strategies

KINDS = {
    name: getattr(strategies, name)
    for name in (
        "sources",
        "media",
        "citations",
        "tool_calls",
        "tool_outputs",
        "tool_results",
        "tool_definitions",
        "tool_choices",
        "formats",
        "options",
        "output_metadata",
        "outputs",
        "response_metadata",
        "responses",
        "part_deltas",
    )
} | {
    "parts": st.one_of(*strategies.parts_by_role.values()),
    "messages": strategies.messages(*strategies.parts_by_role),
    "requests": strategies.requests(),
    "usages": strategies.usages(),
    "response_deltas": strategies.response_deltas(),
}
SLOW_STRATEGIES = settings(
    max_examples=50, suppress_health_check=[HealthCheck.too_slow], deadline=None
)


@pytest.mark.parametrize("kind", KINDS)
@SLOW_STRATEGIES
@given(data=st.data())
def test_a_value_is_equal_after_json_both_ways(kind: str, data: st.DataObject) -> None:
    value: Value = data.draw(KINDS[kind])
    text = value.to_json()
    again = type(value).from_json(text)
    assert again == value
    assert hash(again) == hash(value)
    assert again.to_json() == text
    assert repr(again) == repr(value)


@SLOW_STRATEGIES
@given(value=strategies.values)
def test_what_is_written_is_json_to_anyone(value: Value) -> None:
    json.loads(value.to_json(), parse_constant=pytest.fail)


@SLOW_STRATEGIES
@given(value=strategies.values.filter(lambda value: not holds_documents(value)))
def test_whitespace_does_not_matter(value: Value) -> None:
    assert type(value).from_json(msgspec.json.format(value.to_json(), indent=1)) == value


def holds_documents(value: Value) -> bool:
    """Whether the value has JSON in it that keeps its own spelling."""
    return b'schema"' in value.to_json() or b'"details"' in value.to_json()


@SLOW_STRATEGIES
@given(value=strategies.values)
def test_a_copy_is_the_value_itself_and_a_pickle_its_equal(value: Value) -> None:
    assert copy.copy(value) is value
    assert copy.deepcopy(value) is value
    assert pickle.loads(pickle.dumps(value)) == value


@SLOW_STRATEGIES
@given(value=strategies.values, data=st.data())
def test_damaged_json_is_refused_with_the_values_own_error(
    value: Value, data: st.DataObject
) -> None:
    text = value.to_json()
    cut = data.draw(st.integers(0, len(text) - 1))
    with pytest.raises(InvalidValueError) as caught:
        type(value).from_json(text[:cut])
    assert type(caught.value) is value.fault


@given(strategies.json_values)
def test_a_document_means_what_it_was_made_of(value: object) -> None:
    document = Document.of(value)
    assert json.loads(document.text) == value
    assert Document(document.text) == document
    assert pickle.loads(pickle.dumps(document)) == document


@given(st.dictionaries(strategies.words, strategies.json_values, max_size=3))
def test_metadata_survives_json_and_pickling(values: dict[str, object]) -> None:
    metadata = Metadata(values)
    assert Metadata.from_json(metadata.to_json()) == metadata == values
    assert pickle.loads(pickle.dumps(metadata)) == metadata
    assert Metadata(dict(metadata)) == metadata


@given(strategies.extensions)
def test_extensions_survive_json_and_pickling(extensions: Extensions) -> None:
    again = Extensions.from_json(extensions.to_json())
    assert again == extensions
    assert type(pickle.loads(pickle.dumps(extensions))) is Extensions
