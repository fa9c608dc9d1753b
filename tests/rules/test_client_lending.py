"""The client: how modules that do not configure the SDK come to one."""

from __future__ import annotations

from pathlib import Path

import pytest

from chatport.port.findings import FilePlan
from chatport.port.packs.load import bundled, names
from chatport.port.planner import Tree, plan_files

SDK = "import google.generativeai as genai\n"
SETUP = f"{SDK}def setup(key):\n    genai.configure(api_key=key)\n"
ASK = f'{SDK}def ask(q):\n    return genai.GenerativeModel("m").generate_content(q).text\n'
ON_IMPORT = f'{SDK}genai.configure(api_key="K")\n'


def planned(files: dict[str, str]) -> dict[str, FilePlan]:
    """The plans of a repository by path."""
    data = {path: text.encode() for path, text in files.items()}
    tree = Tree(Path("no-such-folder"), list(files), data.get)
    plans, problems = plan_files(tree, list(data.items()), [bundled(name) for name in names()])
    assert not problems
    return {plan.path: plan for plan in plans}


def after(files: dict[str, str], path: str) -> str:
    plan = planned(files)[path]
    assert plan.after is not None, [finding for finding in plan.findings if finding.code]
    return plan.after.decode()


@pytest.mark.parametrize(
    ("files", "imported", "called"),
    [
        pytest.param(
            {"keys.py": ON_IMPORT, "app.py": "import keys\n" + ASK},
            "from keys import client",
            " client.models.",
            id="made-on-import",
        ),
        pytest.param(
            {"keys.py": SETUP, "app.py": "import keys\n" + ASK + 'keys.setup("K")\nask("x")\n'},
            "import keys",
            " keys.client.models.",
            id="looked-up-late",
        ),
        pytest.param(
            {"keys.py": SETUP, "app.py": "from keys import setup\n" + ASK + 'setup("K")\n'},
            "from keys import setup, get_client",
            " get_client().models.",
            id="asked-for-late",
        ),
        pytest.param(
            {"keys.py": SETUP, "app.py": "from keys import *\n" + ASK + 'setup("K")\n'},
            "from keys import get_client",
            " get_client().models.",
            id="beside-a-star",
        ),
        pytest.param(
            {"p/__init__.py": "", "p/keys.py": SETUP, "p/app.py": ASK},
            "from .keys import get_client",
            " get_client().models.",
            id="a-neighbour-that-nobody-calls",
        ),
        pytest.param(
            {"p/__init__.py": "", "p/keys.py": SETUP, "p/app.py": "from p import x\n" + ASK},
            "from p.keys import get_client",
            " get_client().models.",
            id="a-neighbour-by-its-full-name",
        ),
        pytest.param(
            {
                "keys.py": ON_IMPORT,
                "app.py": "import keys\nclient = 1\n" + ASK,
            },
            "from keys import client as genai_client",
            " genai_client.models.",
            id="under-another-name",
        ),
    ],
)
def test_a_module_reads_the_client_of_another(
    files: dict[str, str], imported: str, called: str
) -> None:
    text = after(files, next(path for path in files if path.endswith("app.py")))
    assert imported in text.splitlines()
    assert called in text


def test_what_a_program_configures_from_above_holds_the_client_itself() -> None:
    files = {"llm.py": ASK, "main.py": "import llm\n" + SETUP + 'setup(input())\nllm.ask("x")\n'}
    assert "    llm.client = genai.Client(" in after(files, "main.py")
    assert "return get_client().models" in after(files, "llm.py")


def test_one_of_two_modules_that_are_configured_from_above_holds_the_client() -> None:
    files = {
        "one.py": ASK,
        "two.py": "import one\n" + ASK,
        "main.py": "import one, two\n" + SETUP + 'setup(input())\none.ask("x")\n',
    }
    assert "    one.client = genai.Client(" in after(files, "main.py")
    assert "from one import get_client" in after(files, "two.py")


@pytest.mark.parametrize(
    "files",
    [
        pytest.param(
            {
                "one.py": "import main\n" + ASK,
                "main.py": "import one\n" + SETUP + "setup(input())\n",
            },
            id="a-circle",
        ),
        pytest.param(
            {
                "llm.py": ASK + "def get_client(): ...\n",
                "main.py": "import llm\n" + SETUP + "setup(input())\n",
            },
            id="the-name-is-taken",
        ),
        pytest.param(
            {
                "one.py": f'{SDK}def setup():\n    genai.configure(api_key=input("1"))\n',
                "two.py": f'{SDK}def setup():\n    genai.configure(api_key=input("2"))\n',
                "app.py": "import one, two\n" + ASK,
            },
            id="two-that-configure",
        ),
        pytest.param(
            {"a/keys.py": SETUP, "b/app.py": ASK},
            id="nobody-loads-both",
        ),
    ],
)
def test_where_no_client_is_in_reach_who_calls_is_refused(files: dict[str, str]) -> None:
    callers = [plan for plan in planned(files).values() if "model" in files[plan.path].lower()]
    codes = {finding.code for plan in callers for finding in plan.findings}
    assert "client_source_unresolved" in codes
    assert all(plan.after is None for plan in callers)
