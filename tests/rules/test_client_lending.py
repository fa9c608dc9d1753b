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


MAKES = f"""{SDK}
class Keys:
    MINE = "K"

    @staticmethod
    def model():
        genai.configure(api_key=Keys.MINE)
        return genai.GenerativeModel("m")
"""
ASKS = """from keys import Keys
def ask(q):
    model = Keys.model()
    return model.generate_content(q).text
"""
OTHER = f"{SDK}import app\ndef setup(key):\n    genai.configure(api_key=key)\nsetup(input())\n"


@pytest.mark.parametrize(
    "asks",
    [
        pytest.param(ASKS, id="the-function-that-makes-the-model"),
        pytest.param(
            "from keys import setup\n" + ASK.replace("    return", "    setup('K')\n    return"),
            id="a-function-called-above",
        ),
    ],
)
def test_of_several_that_configure_the_one_that_leads_to_a_call_lends(asks: str) -> None:
    keys = MAKES if asks is ASKS else SETUP
    text = after({"keys.py": keys, "app.py": asks, "main.py": OTHER}, "app.py")
    assert "get_client().models" in text
    assert "get_client" in next(line for line in text.splitlines() if "from keys" in line)


BOTH = """import other
from keys import Keys
def ask(q):
    other.setup("O")
    model = Keys.model()
    return model.generate_content(q).text
"""
SOMETIMES = f"""{SDK}
from keys import Keys
def ask(q):
    model = Keys.model()
    return model.generate_content(q).text
def tell(q):
    return genai.GenerativeModel("m").generate_content(q).text
"""


@pytest.mark.parametrize(
    "files",
    [
        pytest.param({"keys.py": MAKES, "other.py": SETUP, "app.py": BOTH}, id="two-that-lead"),
        pytest.param(
            {"keys.py": MAKES, "app.py": SOMETIMES, "main.py": OTHER}, id="one-call-is-not-led-to"
        ),
        pytest.param(
            {
                "keys.py": SETUP,
                "app.py": "from keys import setup\n" + ASK + "setup('K')\n",
                "main.py": OTHER,
            },
            id="called-in-another-body",
        ),
    ],
)
def test_of_several_that_may_lead_to_a_call_none_lends(files: dict[str, str]) -> None:
    codes = {finding.code for finding in planned(files)["app.py"].findings}
    assert "client_source_unresolved" in codes


SETTINGS = "class Settings:\n    KEY = input()\nsettings = Settings()\n"
OF_SETTING = f"""from settings import settings
{SDK}
def setup():
    genai.configure(api_key=settings.KEY)
"""
STARTS = "import one, two, app\none.setup()\ntwo.setup()\napp.ask('x')\n"


def settled(**changed: str) -> dict[str, str]:
    """Two modules that configure by one setting, and one that calls; files by their stems."""
    said = {"settings": SETTINGS, "one": OF_SETTING, "two": OF_SETTING, "app": ASK, "main": STARTS}
    return {f"{stem}.py": text for stem, text in (said | changed).items()}


@pytest.mark.parametrize(
    ("asks", "imported", "key"),
    [
        pytest.param(ASK, "    from settings import settings", "settings.KEY", id="brought"),
        pytest.param(
            "from settings import settings as mine\n" + ASK,
            "from settings import settings as mine",
            "mine.KEY",
            id="at-hand",
        ),
    ],
)
def test_a_setting_that_all_configure_by_is_read_on_first_use(
    asks: str, imported: str, key: str
) -> None:
    text = after(settled(app=asks), "app.py")
    assert imported in text.splitlines()
    assert f"api_key={key}," in text
    assert "return get_client().models" in text


@pytest.mark.parametrize(
    "files",
    [
        pytest.param(settled(two=OF_SETTING.replace("s.KEY", "s.SPARE")), id="two-settings"),
        pytest.param(settled(two=OF_SETTING.replace("settings.KEY", '"K"')), id="a-constant-too"),
        pytest.param(
            settled(two=OF_SETTING.replace("import settings\n", "import other as settings\n")),
            id="another-object",
        ),
        pytest.param(
            settled(main="from settings import settings\nsettings.KEY = input()\n" + STARTS),
            id="a-setting-that-is-changed",
        ),
        pytest.param(
            settled(one=OF_SETTING.replace("def setup()", "def setup(settings)")), id="a-parameter"
        ),
        pytest.param(
            settled(one=OF_SETTING.replace("\n\ndef", "\nsettings = input()\n\ndef")),
            id="bound-again",
        ),
        pytest.param(
            settled(two=OF_SETTING.replace("s.KEY", "s.KEY, client_options=input()")),
            id="more-than-a-key",
        ),
        pytest.param(
            settled(
                one=OF_SETTING.replace("s.KEY", "s.key()"),
                two=OF_SETTING.replace("s.KEY", "s.key()"),
            ),
            id="what-a-function-gives",
        ),
        pytest.param(settled(app="def get_client(): ...\n" + ASK), id="the-name-is-taken"),
        pytest.param(
            settled(
                one=OF_SETTING.replace("from settings", "from .settings"),
                two=OF_SETTING.replace("from settings", "from .settings"),
            ),
            id="seen-from-one-folder-only",
        ),
    ],
)
def test_settings_that_are_not_certainly_one_give_no_client(files: dict[str, str]) -> None:
    plan = planned(files)["app.py"]
    assert {f.code for f in plan.findings} >= {"client_source_unresolved"}


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
