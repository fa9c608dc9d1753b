"""What of a tree can be run without knowing it."""

from __future__ import annotations

from pathlib import Path

from chatport.port.prove.entries import functions, scripts, variables
from tests.prove.plans import plan_of, write

LIBRARY = """\
import os
class Service:
    def __init__(self, name="x"): ...
    def ask(self, question="q"): ...
    def tell(self, what): ...
    def _hidden(self): ...
    @staticmethod
    def static(): ...
    @property
    def value(self): ...
class Needy:
    def __init__(self, name): ...
    def ask(self): ...
def run(count=1, *rest, flag=False): ...
async def stream(): ...
def needs(x): ...
def needs_too(*, x): ...
def _private(): ...
KEY = os.environ["MY_API_KEY"] + os.getenv('OTHER_TOKEN') + os.environ.get("COLOUR")
"""


def paths(root: Path) -> list[str]:
    return sorted(path.relative_to(root).as_posix() for path in root.rglob("*.py"))


def test_functions_and_methods_without_arguments_are_found(tmp_path: Path) -> None:
    write(tmp_path, "src/pkg/__init__.py", "")
    write(tmp_path, "src/pkg/lib.py", LIBRARY)
    plan = plan_of(tmp_path, {"src/pkg/lib.py": LIBRARY})
    found = list(functions(plan, tmp_path, paths(tmp_path)))
    assert [entry.function for entry in found] == [
        "pkg.lib:Service().ask",
        "pkg.lib:Service().static",
        "pkg.lib:run",
        "pkg.lib:stream",
    ]
    assert {entry.import_from for entry in found} == {"src"}
    assert found[2].span == range(14, 15)


def test_scripts_reach_ported_code_directly_or_through_others(tmp_path: Path) -> None:
    main = 'if __name__ == "__main__":\n    pass\n'
    for name, text in {
        "pkg/__init__.py": "",
        "pkg/lib.py": LIBRARY,
        "pkg/between.py": "from . import lib\n",
        "pkg/__main__.py": "from pkg.between import x\n" + main,
        "direct.py": "import pkg.lib\n" + main,
        "nothing.py": "import json\n" + main,
        "no_main.py": "import pkg.lib\npkg.lib.run()\n",
        "uses_it.py": "import no_main\nno_main.x()\n",
        "imported.py": "import pkg.lib\npkg.lib.run()\n",
        "imports_it.py": "import imported\n" + main,
        "defines.py": "import pkg.lib\ndef run(): ...\n",
        "acts.py": "print(1)\n",
        "declares.py": "try:\n    import x\nexcept ImportError:\n    x = None\ny = f()\n",
        "broken.py": 'if __name__ == "__main__":\n',
    }.items():
        write(tmp_path, name, text)
    ported = dict.fromkeys(("pkg/lib.py", "acts.py", "declares.py"), "")
    plan = plan_of(tmp_path, ported)
    found = [entry.path for entry in scripts(plan, tmp_path, paths(tmp_path))]
    assert found == ["acts.py", "direct.py", "imports_it.py", "no_main.py", "pkg/__main__.py"]


def test_secrets_that_the_code_asks_for_get_fake_values(tmp_path: Path) -> None:
    write(tmp_path, "lib.py", LIBRARY)
    assert variables(tmp_path, ["lib.py"]) == {
        "MY_API_KEY": "fake-my-api-key",
        "OTHER_TOKEN": "fake-other-token",
    }
