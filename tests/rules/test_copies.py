"""Objects that are copied whole: they are given no client."""

from __future__ import annotations

import pytest

from tests.support.port import whole_ported

CLASS = """\
import google.generativeai as genai


class Writer:
    def __init__(self, key):
        genai.configure(api_key=key)
        self.model = genai.GenerativeModel("m")

    def write(self, x):
        return self.model.generate_content(x).text


writer = Writer("k")
"""


@pytest.mark.parametrize(
    "use",
    [
        pytest.param("import copy\nprint(copy.deepcopy(writer).write('x'))\n", id="deepcopy"),
        pytest.param("import copy\nprint(copy.deepcopy([writer])[0].write('x'))\n", id="in-a-list"),
        pytest.param(
            "import pickle\nprint(len(pickle.dumps(writer)), writer.write('x'))\n", id="pickle"
        ),
        pytest.param(
            "from multiprocessing import Pool\nprint(Pool(1).map(writer.write, ['x']))\n",
            id="another-process",
        ),
        pytest.param("print(writer.__dict__, writer.write('x'))\n", id="attributes-written-out"),
        pytest.param(
            "from joblib import Parallel, delayed\n"
            "print(Parallel(2)(delayed(writer.write)(x) for x in 'xy'))\n",
            id="other-processes-of-joblib",
        ),
        pytest.param(
            "import streamlit as st\n\n\n@st.cache_data\ndef kept():\n    return writer\n\n\n"
            "print(kept().write('x'))\n",
            id="kept-by-a-copy",
        ),
    ],
)
def test_the_client_stays_outside(use: str) -> None:
    after = whole_ported(CLASS + use)
    assert "global client" in after
    assert "self.client" not in after


@pytest.mark.parametrize(
    "use",
    [
        pytest.param("print(writer.write('x'))\n", id="plain"),
        pytest.param("import copy\nprint(copy.copy(writer).write('x'))\n", id="shallow-copy"),
        pytest.param(
            "import copy\nprint(copy.deepcopy({}), writer.write('x'))\n", id="of-something-else"
        ),
    ],
)
def test_the_object_holds_its_client(use: str) -> None:
    after = whole_ported(CLASS + use)
    assert "self.client = genai.Client(" in after
