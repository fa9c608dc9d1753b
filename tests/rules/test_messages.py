"""Messages of the wire format: made alike by the classes of the new SDK, under their names."""

from __future__ import annotations

import pytest

from tests.support.port import clean, ported, refused, warned, whole_ported

HEAD = """\
from google import genai
from google.genai import types
client = genai.Client(api_key="K", http_options=types.HttpOptions(api_version="v1beta"))
"""


@pytest.mark.parametrize(
    ("before", "after"),
    [
        pytest.param(
            """
            kind = genai.protos.Schema(type=genai.protos.Type.STRING, description="d")
            model = genai.GenerativeModel("m", generation_config={"response_schema": kind})
            print(model.generate_content("x").text)
            """,
            """
            kind = types.Schema(type=types.Type.STRING, description="d")
            print(client.models.generate_content(
                model="m",
                contents="x",
                config=types.GenerateContentConfig(response_schema=kind),
            ).text)
            """,
            id="schema",
        ),
        pytest.param(
            """
            kind = genai.protos.Schema(type_="STRING", format_="enum", enum=["a"])
            model = genai.GenerativeModel("m", generation_config={"response_schema": kind})
            print(model.generate_content("x").text)
            """,
            """
            kind = types.Schema(type="STRING", format="enum", enum=["a"])
            print(client.models.generate_content(
                model="m",
                contents="x",
                config=types.GenerateContentConfig(response_schema=kind),
            ).text)
            """,
            id="fields-that-end-in-an-underscore",
        ),
        pytest.param(
            """
            KINDS = {"text": genai.protos.Type.STRING}
            kind = {"type": KINDS["text"]}
            """,
            """
            KINDS = {"text": types.Type.STRING}
            kind = {"type": KINDS["text"]}
            """,
            id="members-of-an-enumeration",
        ),
    ],
)
def test_ported(before: str, after: str) -> None:
    assert ported(before) == clean(after)


@pytest.mark.parametrize(
    "line",
    [
        "from google.ai import generativelanguage as wire",
        "import google.ai.generativelanguage as wire",
        "from google.ai.generativelanguage_v1beta import types as wire",
        "from google.ai.generativelanguage_v1beta.types import content as wire",
        "from google.generativeai import protos as wire",
    ],
)
def test_the_wire_has_several_names(line: str) -> None:
    before = f"""\
{line}
import google.generativeai as genai
genai.configure(api_key="K")
print(genai.GenerativeModel("m").generate_content(wire.Part(text="x")).text)
"""
    after = whole_ported(before)
    assert after.startswith(HEAD), after
    assert after.removeprefix(HEAD) == (
        'print(client.models.generate_content(model="m", contents=types.Part(text="x")).text)\n'
    )


def test_a_class_of_the_wire_is_imported_by_its_name() -> None:
    before = """\
import google.generativeai as genai
from google.ai.generativelanguage_v1beta.types import Part
genai.configure(api_key="K")
print(genai.GenerativeModel("m").generate_content(Part(text="x")).text)
"""
    assert "Part(text" in whole_ported(before)
    assert "generativelanguage" not in whole_ported(before)


def test_a_schema_in_messages_is_read_alike() -> None:
    source = """
    kind = genai.protos.Schema(type=genai.protos.Type.STRING)
    model = genai.GenerativeModel("m", generation_config={"response_schema": kind})
    print(model.generate_content("x").text)
    """
    assert "schema_fields_required" not in {code for _, code in warned(source)}


@pytest.mark.parametrize(
    ("before", "codes"),
    [
        pytest.param("kind = genai.protos.Schema(type=1)", {"usage_unmapped"}, id="number"),
        pytest.param("kind = genai.protos.Schema({})", {"usage_unmapped"}, id="positional"),
        pytest.param("kind = genai.protos.Schema(title='t')", {"usage_unmapped"}, id="unknown"),
        pytest.param(
            "kind = genai.protos.Schema(**{'type': 'STRING'})", {"usage_unmapped"}, id="spread"
        ),
        pytest.param(
            "kind = genai.protos.Schema(properties={'a': {'type_': 'STRING'}})",
            {"usage_unmapped"},
            id="keys-of-legacy",
        ),
        pytest.param(
            "from google.protobuf.struct_pb2 import Struct\n"
            "kind = genai.protos.FunctionResponse(name='f', response=Struct())",
            {"usage_unmapped"},
            id="message-of-another-library",
        ),
        pytest.param(
            "def f(a: str): ...\nkind = genai.types.Tool(function_declarations=[f])",
            {"usage_unmapped"},
            id="functions-in-a-tool",
        ),
        pytest.param(
            "kind = genai.protos.Schema(type='STRING')\nprint(kind.type_)",
            {"attribute_removed"},
            id="field-that-is-read",
        ),
        pytest.param(
            "kind = genai.protos.Type.STRING.value", {"flag_only_surface"}, id="member-as-a-number"
        ),
        pytest.param(
            "import google.ai.generativelanguage as wire\nkind = wire.GenerativeServiceClient()",
            {"flag_only_surface"},
            id="client-of-the-wire",
        ),
        pytest.param(
            "import google.ai.generativelanguage\n"
            "kind = google.ai.generativelanguage.Schema(type='STRING')",
            {"flag_only_surface"},
            id="without-a-name-of-its-own",
        ),
    ],
)
def test_refused(before: str, codes: set[str]) -> None:
    source = f"import google.generativeai as genai\n{before}\ngenai.configure(api_key='K')\n"
    assert refused(source) == codes
