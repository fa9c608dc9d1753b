"""Each fault that people met, and each way in which another tool's output breaks, by its number.

A row of ``faults/`` is a small program in a frame of docs/generate_coverage.py, and what must hold
of its port: a text the new code has; `!` and a text it has not; `=` and a code it is refused with;
`~` and a code it warns of.
"""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import pytest
from docs.generate_coverage import FRAMES

from chatport.port.findings import FilePlan, Status
from chatport.port.packs.load import bundled, names
from chatport.port.planner import Tree, plan, plan_files
from chatport.port.prove.calls import Call
from chatport.port.prove.normalise import needed
from tests.support.manifests import PORTS, STAYS, manifest, planned

ROWS: list[dict[str, Any]] = [
    row
    for path in sorted(Path(__file__).with_name("faults").glob("*.toml"))
    for row in tomllib.loads(path.read_text(encoding="utf-8"))["faults"]
]


def file_of(row: dict[str, Any]) -> FilePlan:
    text = FRAMES[row["frame"]] + row["code"] + "\n"
    tree = Tree(Path("no-such-folder"), ["app.py"], lambda _: None)
    files, problems = plan_files(
        tree, [("app.py", text.encode())], [bundled(name) for name in names()]
    )
    assert not problems
    return files[0]


@pytest.mark.parametrize("row", ROWS, ids=[row["number"] for row in ROWS])
def test_what_broke_for_people_does_not_break(row: dict[str, Any]) -> None:
    file = file_of(row)
    codes = {finding.code for finding in file.findings if finding.code} - {"file_withheld"}
    warnings = {warning for finding in file.findings for warning in finding.warnings}
    after = (file.after or b"").decode()
    for wanted in row["wanted"]:
        sign, said = wanted[0], wanted[1:]
        if sign == "=":
            assert file.status is Status.REFUSED
            assert not said or said in codes, codes
        elif sign == "~":
            assert said in warnings
        else:
            assert file.status is Status.PORTED, codes
            assert (said not in after) if sign == "!" else (wanted in after), after


def test_numbers_are_said_once() -> None:
    numbers = [row["number"] for row in ROWS]
    assert len(numbers) == len(set(numbers))


# --- what takes more than one file ---------------------------------------------------------------


def test_0b_the_floor_suits_the_interpreter(tmp_path: Path) -> None:
    file = manifest(
        tmp_path, "pyproject.toml",
        '[project]\nname = "x"\nrequires-python = ">=3.10,<3.11"\n'
        'dependencies = ["google-generativeai"]\n',
    )  # fmt: skip
    assert file is not None
    assert b"google-genai>=1.56,<3" in (file.after or b"")


@pytest.mark.parametrize(("role", "needs"), [("user", {"roles"}), ("model", None)])
def test_0g3_only_the_user_s_turns_may_leave_out_their_role(
    role: str, needs: set[str] | None
) -> None:
    turn = {"parts": [{"text": "q"}]}
    old, new = (
        [Call("generateContent", "models/m", "v1beta", {"contents": [one]})]
        for one in (turn, {**turn, "role": role})
    )
    assert needed(old, new) == needs


def test_2_a_half_migrated_file_is_named(tmp_path: Path) -> None:
    text = 'from google import genai\n\nmodel = genai.GenerativeModel("m")\n'
    made = planned(tmp_path, {"app.py": text})
    assert {one.code for one in made.findings()} == {"half_migrated"}


@pytest.mark.parametrize("copied", ["copy.deepcopy(bot)", "pickle.dumps(bot)"])
def test_17_what_is_copied_holds_no_client(tmp_path: Path, copied: str) -> None:
    made = planned(
        tmp_path,
        {
            "app.py": "import copy\nimport pickle\n\nimport google.generativeai as genai\n\n\n"
            "class Bot:\n    def __init__(self, key):\n        genai.configure(api_key=key)\n"
            '        self.model = genai.GenerativeModel("m")\n\n'
            '    def ask(self):\n        return self.model.generate_content("q").text\n\n\n'
            f'bot = Bot("K")\nprint({copied}, bot.ask())\n'
        },
    )
    (file,) = made.files
    assert file.status is Status.PORTED
    assert b"self.client" not in (file.after or b"")
    assert b"global client" in (file.after or b"")


def test_44_the_sdk_of_vertex_is_another_one(tmp_path: Path) -> None:
    text = (
        "import vertexai\nfrom vertexai.generative_models import GenerativeModel\n\n"
        'vertexai.init(project="p")\nprint(GenerativeModel("m").generate_content("q").text)\n'
    )
    made = planned(tmp_path, {"app.py": text})
    assert not list(made.findings())


def test_45_no_other_service_is_put_in_the_place_of_an_old_one() -> None:
    for name in names():
        pack = bundled(name)
        assert "interactions." not in repr(pack)


def test_6_7_the_requirement_goes_with_what_came_along(tmp_path: Path) -> None:
    text = "google-generativeai\ngoogle-ai-generativelanguage\n"
    file = manifest(tmp_path, "requirements.txt", text)
    assert file is not None
    assert file.after == b"google-genai>=1.56\n"


def test_8_the_requirement_has_a_floor_that_has_every_name(tmp_path: Path) -> None:
    file = manifest(tmp_path, "requirements.txt", "google-generativeai==0.8.3\n")
    assert file is not None
    assert file.after == b"google-genai>=1.56\n"


def test_w8_a_module_that_hands_on_the_sdk_is_ported_with_its_importers(tmp_path: Path) -> None:
    made = planned(
        tmp_path,
        {
            "sdk.py": 'import google.generativeai as genai\n\ngenai.configure(api_key="K")\n',
            "app.py": "from sdk import genai\n\n"
            'print(genai.GenerativeModel("m").generate_content("q").text)\n',
        },
    )
    after = {file.path: (file.after or b"").decode() for file in made.files}
    assert set(after) == {"sdk.py", "app.py"}
    statuses = {file.status for file in made.files}
    assert len(statuses) == 1
    if statuses == {Status.PORTED}:
        assert "GenerativeModel" not in after["app.py"]


def test_w9_a_configuration_that_another_module_changes_is_not_inlined(tmp_path: Path) -> None:
    made = planned(
        tmp_path,
        {
            "app.py": 'import google.generativeai as genai\n\ngenai.configure(api_key="K")\n'
            'CONFIG = {"temperature": 0}\n\n\ndef ask():\n'
            '    return genai.GenerativeModel("m", generation_config=CONFIG)'
            '.generate_content("q").text\n',
            "other.py": 'import app\n\napp.CONFIG["temperature"] = 1\nprint(app.ask())\n',
        },
    )
    file = next(file for file in made.files if file.path == "app.py")
    assert file.status is Status.REFUSED or b"temperature=0" not in (file.after or b"")


def test_the_old_requirement_stays_while_a_file_needs_it(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text(PORTS, encoding="utf-8")
    (tmp_path / "b.py").write_text(STAYS, encoding="utf-8")
    (tmp_path / "requirements.txt").write_text("google-generativeai\n", encoding="utf-8")
    after = {one.path: one.after for one in plan([tmp_path], root=tmp_path).changes()}
    assert after["requirements.txt"] == b"google-generativeai\ngoogle-genai>=1.56\n"
