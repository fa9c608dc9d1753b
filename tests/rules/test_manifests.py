"""Declared dependencies follow the code: before and after, for every kind of file."""

from __future__ import annotations

import textwrap
from pathlib import Path

import pytest

from chatport.port.findings import FilePlan, Plan
from chatport.port.planner import plan

PORTS = """\
import os
import google.generativeai as genai

genai.configure(api_key=os.environ["KEY"])
print(genai.GenerativeModel("gemini-1.5-pro").generate_content("hi").text)
"""
STAYS = """\
import google.generativeai as genai

genai.no_such_function()
"""
NO_USE = "print('hi')\n"


def planned(root: Path, files: dict[str, str | bytes]) -> Plan:
    for name, content in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content.encode() if isinstance(content, str) else content)
    return plan([root], root=root)


def manifest(root: Path, name: str, text: str, code: str = PORTS, **others: str) -> FilePlan | None:
    """The plan of one manifest beside one module; None when it is not in the plan."""
    files = {"app.py": code, name: text, **others}
    if code is STAYS:
        files["front.py"] = PORTS  # one file goes on the new SDK while the other stays
    found = planned(root, dict(files)).manifests
    return next((file for file in found if file.path == name), None)


def ported(root: Path, name: str, text: str, code: str = PORTS, **others: str) -> str:
    file = manifest(root, name, text, code, **others)
    assert file is not None
    assert file.after is not None, file.findings
    assert {finding.verdict for finding in file.findings} == {"auto"}
    return file.after.decode()


def dedent(text: str) -> str:
    return textwrap.dedent(text.removeprefix("\n"))


# --- requirement files -------------------------------------------------------------------------

REPLACED = {
    "bare": ("google-generativeai\n", "google-genai>=1.56\n"),
    "pinned": ("google-generativeai==0.8.3\n", "google-genai>=1.56\n"),
    "ranged": ("google-generativeai >= 0.7, < 0.9\n", "google-genai>=1.56\n"),
    "underscores": ("google_generativeai~=0.8\n", "google-genai>=1.56\n"),
    "dots": ("google.generativeai==0.8\n", "google-genai>=1.56\n"),
    "in parentheses": ("google-generativeai (>=0.7)\n", "google-genai>=1.56\n"),
    "comment": ("google-generativeai  # the model\n", "google-genai>=1.56  # the model\n"),
    "comments around it": (
        "# google-generativeai is old\ngoogle-generativeai\n# end\n",
        "# google-generativeai is old\ngoogle-genai>=1.56\n# end\n",
    ),
    "marker": (
        'google-generativeai==0.8 ; python_version >= "3.10"  # new\n',
        'google-genai>=1.56 ; python_version >= "3.10"  # new\n',
    ),
    "two markers": (
        (
            "google-generativeai==0.5; sys_platform == 'win32'\n"
            "google-generativeai==0.8; sys_platform != 'win32'\n"
        ),
        (
            "google-genai>=1.56; sys_platform == 'win32'\n"
            "google-genai>=1.56; sys_platform != 'win32'\n"
        ),
    ),
    "twice": ("google-generativeai\nx\ngoogle_generativeai\n", "google-genai>=1.56\nx\n"),
    "indented": ("  google-generativeai\n", "  google-genai>=1.56\n"),
    "windows line ends": ("a\r\ngoogle-generativeai\r\nb\r\n", "a\r\ngoogle-genai>=1.56\r\nb\r\n"),
    "no final line end": ("a\ngoogle-generativeai", "a\ngoogle-genai>=1.56"),
    "options around it": (
        "-r base.txt\n--index-url https://x.test/google-generativeai/\ngoogle-generativeai\n",
        "-r base.txt\n--index-url https://x.test/google-generativeai/\ngoogle-genai>=1.56\n",
    ),
    "what came along": (
        "google-generativeai\ngoogle-ai-generativelanguage==0.6.15\nrich\n",
        "google-genai>=1.56\nrich\n",
    ),
    "what came along, with its comment": (
        "google-ai-generativelanguage  # for the above\ngoogle-generativeai\n",
        "# for the above\ngoogle-genai>=1.56\n",
    ),
    "new one stands": (
        "google-genai>=1.60\ngoogle-generativeai\n",
        "google-genai>=1.60\n",
    ),
    "new one stands unpinned": ("google-genai\ngoogle-generativeai # x\n", "google-genai\n# x\n"),
}


@pytest.mark.parametrize(("before", "after"), REPLACED.values(), ids=REPLACED)
def test_a_requirement_is_replaced(tmp_path: Path, before: str, after: str) -> None:
    assert ported(tmp_path, "requirements.txt", before) == after


BESIDE = {
    "bare": ("google-generativeai\n", "google-generativeai\ngoogle-genai>=1.56\n"),
    "comment": (
        "google-generativeai==0.8  # old\nrich\n",
        "google-generativeai==0.8  # old\ngoogle-genai>=1.56\nrich\n",
    ),
    "marker": (
        'google-generativeai; python_version < "4"\n',
        'google-generativeai; python_version < "4"\ngoogle-genai>=1.56; python_version < "4"\n',
    ),
    "no final line end": ("google-generativeai", "google-generativeai\ngoogle-genai>=1.56"),
    "windows line ends": (
        "google-generativeai\r\nb\r\n",
        "google-generativeai\r\ngoogle-genai>=1.56\r\nb\r\n",
    ),
    "what came along stays": (
        "google-generativeai\ngoogle-ai-generativelanguage\n",
        "google-generativeai\ngoogle-genai>=1.56\ngoogle-ai-generativelanguage\n",
    ),
}


@pytest.mark.parametrize(("before", "after"), BESIDE.values(), ids=BESIDE)
def test_the_new_requirement_stands_beside_one_that_is_needed(
    tmp_path: Path, before: str, after: str
) -> None:
    assert ported(tmp_path, "requirements.txt", before, STAYS) == after


UNCHANGED = {
    "nothing of it": ("requests\n", PORTS),
    "another distribution": ("google-generativeai-extras\nmy-google-generativeai\n", PORTS),
    "a comment": ("# google-generativeai\n", PORTS),
    "both stand and both are needed": ("google-generativeai\ngoogle-genai>=1.56\n", STAYS),
    "already moved": ("google-genai>=1.56\n", PORTS),
    "what came along alone": ("google-ai-generativelanguage\n# google-generativeai\n", PORTS),
}


@pytest.mark.parametrize(("text", "code"), UNCHANGED.values(), ids=UNCHANGED)
def test_a_manifest_with_nothing_to_do_is_not_in_the_plan(
    tmp_path: Path, text: str, code: str
) -> None:
    assert manifest(tmp_path, "requirements.txt", text, code) is None


REFUSED = {
    "hashes": (
        "google-generativeai==0.8.3 \\\n    --hash=sha256:00\n",
        "carries hashes or goes on on the next line",
    ),
    "hash on the line": ("google-generativeai==0.8.3 --hash=sha256:00\n", "carries hashes"),
    "extras": ("google-generativeai[dev]==0.8\n", "asks for extras"),
    "address": ("google-generativeai @ https://x.test/a.whl\n", "names an address"),
    "editable": (
        "-e git+https://x.test/repository#egg=google-generativeai\n",
        "is an address of the old distribution",
    ),
    "wheel": ("./google_generativeai-0.8.3-py3-none-any.whl\n", "is an address"),
    "not a requirement": ("google-generativeai>=${VERSION}\n", "PEP 508"),
    "new one too old": ("google-genai<1.20\ngoogle-generativeai\n", "needs 1.56 or newer"),
}


@pytest.mark.parametrize(("text", "detail"), REFUSED.values(), ids=REFUSED)
def test_what_cannot_be_changed_in_place_is_refused(tmp_path: Path, text: str, detail: str) -> None:
    file = manifest(tmp_path, "requirements.txt", text)
    assert file is not None
    assert (file.status, file.after) == ("refused", None)
    (finding,) = file.findings
    assert (finding.symbol, finding.kind) == ("google-generativeai", "manifest")
    assert (finding.verdict, finding.code) == ("review", "manifest_shape_unsupported")
    assert detail in (finding.message or "")


def test_one_refusal_withholds_the_file(tmp_path: Path) -> None:
    text = "google-generativeai[dev]\ngoogle-ai-generativelanguage\n"
    file = manifest(tmp_path, "requirements.txt", text)
    assert file is not None
    codes = [finding.code for finding in file.findings]
    assert codes == ["manifest_shape_unsupported", "file_withheld"]
    assert file.after is None


@pytest.mark.parametrize(
    "name",
    [
        "requirements.txt",
        "requirements-dev.txt",
        "requirements.in",
        "requirements/base.txt",
        "service/requirements.txt",
        "constraints.txt",
        "app/dev_requirements.txt",
    ],
)
def test_requirement_files_by_any_of_their_names(tmp_path: Path, name: str) -> None:
    assert ported(tmp_path, name, "google-generativeai\n") == "google-genai>=1.56\n"


def test_bytes_that_are_not_utf8_stay_as_they_are(tmp_path: Path) -> None:
    found = planned(tmp_path, {"requirements.txt": b"# caf\xe9\ngoogle-generativeai\n"})
    assert found.manifests[0].after == b"# caf\xe9\ngoogle-genai>=1.56\n"


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16"])
def test_a_byte_order_mark_stays(tmp_path: Path, encoding: str) -> None:
    before = "google-generativeai==0.8\r\nrich\r\n".encode(encoding)
    found = planned(tmp_path, {"app.py": PORTS, "requirements.txt": before})
    assert found.manifests[0].after == "google-genai>=1.56\r\nrich\r\n".encode(encoding)


def test_the_place_is_that_of_the_requirement(tmp_path: Path) -> None:
    text = "a\n  google-generativeai >= 0.7 ; python_version > '3'  # x\n"
    file = manifest(tmp_path, "requirements.txt", text)
    assert file is not None
    place = file.findings[0].place
    assert (place.line, place.column, place.end_line, place.end_column) == (2, 3, 2, 29)


# --- other files -------------------------------------------------------------------------------

FILES = {
    "pyproject, dependencies": (
        "pyproject.toml",
        """
        [project]
        name = "app"
        keywords = ["google-generativeai"]
        dependencies = [
            "a",  # first
            'google-generativeai>=0.7; python_version >= "3.10"',  # the model
        ]
        """,
        """
        [project]
        name = "app"
        keywords = ["google-generativeai"]
        dependencies = [
            "a",  # first
            'google-genai>=1.56; python_version >= "3.10"',  # the model
        ]
        """,
    ),
    "pyproject, groups": (
        "pyproject.toml",
        """
        [project.optional-dependencies]
        ai = ["google_generativeai", "rich"]
        [dependency-groups]
        dev = ["google-generativeai~=0.8", {include-group = "x"}]
        [build-system]
        requires = ["hatchling", "google-generativeai"]
        [tool.uv]
        constraint-dependencies = ["google-generativeai==0.8.1"]
        [tool.mypy]
        overrides = [{module = "google.generativeai.*"}]
        """,
        """
        [project.optional-dependencies]
        ai = ["google-genai>=1.56", "rich"]
        [dependency-groups]
        dev = ["google-genai>=1.56", {include-group = "x"}]
        [build-system]
        requires = ["hatchling", "google-genai>=1.56"]
        [tool.uv]
        constraint-dependencies = ["google-genai>=1.56"]
        [tool.mypy]
        overrides = [{module = "google.generativeai.*"}]
        """,
    ),
    "pyproject, what came along": (
        "pyproject.toml",
        """
        [project]
        dependencies = ["google-ai-generativelanguage", "google-generativeai", "x"]
        [dependency-groups]
        dev = ["x", "google-ai-generativelanguage"]
        docs = [
            "google-ai-generativelanguage==0.6",  # needed
            "google-generativeai",
        ]
        """,
        """
        [project]
        dependencies = ["google-genai>=1.56", "x"]
        [dependency-groups]
        dev = ["x"]
        docs = [
            # needed
            "google-genai>=1.56",
        ]
        """,
    ),
    "Poetry": (
        "pyproject.toml",
        """
        [tool.poetry.dependencies]
        python = ">=3.11"
        google-generativeai = "^0.8.3"  # the model
        [tool.poetry.group.dev.dependencies]
        "google_generativeai" = { version = "0.8.3", optional = true }
        [tool.poetry.group.docs.dependencies.google-generativeai]
        version = ">=0.7"
        optional = true
        [tool.poetry.extras]
        ai = ["google-generativeai"]
        """,
        """
        [tool.poetry.dependencies]
        python = ">=3.11"
        google-genai = ">=1.56"  # the model
        [tool.poetry.group.dev.dependencies]
        "google-genai" = { version = ">=1.56", optional = true }
        [tool.poetry.group.docs.dependencies.google-genai]
        version = ">=1.56"
        optional = true
        [tool.poetry.extras]
        ai = ["google-genai"]
        """,
    ),
    "Pipfile": (
        "Pipfile",
        """
        [[source]]
        name = "google-generativeai"
        url = "https://x.test"
        [packages]
        google-generativeai = "*"
        google-ai-generativelanguage = "*"
        [dev-packages]
        google-generativeai = {version = "==0.8.3"}
        [requires]
        python_version = "3.12"
        """,
        """
        [[source]]
        name = "google-generativeai"
        url = "https://x.test"
        [packages]
        google-genai = ">=1.56"
        [dev-packages]
        google-genai = {version = ">=1.56"}
        [requires]
        python_version = "3.12"
        """,
    ),
    "setup.py": (
        "setup.py",
        """
        from setuptools import setup
        NEEDS = ("google-generativeai", 'x')
        setup(
            name="app",
            description="uses google-generativeai",
            install_requires=[
                "google-generativeai>=0.7",  # the model
                "google-ai-generativelanguage",
            ],
            extras_require={"ai": ['google-generativeai; python_version > "3"']},
        )
        """,
        """
        from setuptools import setup
        NEEDS = ("google-genai>=1.56", 'x')
        setup(
            name="app",
            description="uses google-generativeai",
            install_requires=[
                "google-genai>=1.56",  # the model
            ],
            extras_require={"ai": ['google-genai>=1.56; python_version > "3"']},
        )
        """,
    ),
    "setup.cfg": (
        "setup.cfg",
        """
        [metadata]
        description = google-generativeai
        [options]
        install_requires =
            google-generativeai>=0.7
            google-ai-generativelanguage
            x
        tests_require = google-generativeai
        [options.extras_require]
        ai =
            google-generativeai; python_version > "3"
        [mypy-google.generativeai]
        ignore_missing_imports = True
        """,
        """
        [metadata]
        description = google-generativeai
        [options]
        install_requires =
            google-genai>=1.56
            x
        tests_require = google-genai>=1.56
        [options.extras_require]
        ai =
            google-genai>=1.56; python_version > "3"
        [mypy-google.generativeai]
        ignore_missing_imports = True
        """,
    ),
    "tox.ini": (
        "tox.ini",
        """
        [testenv]
        deps =
            -rrequirements.txt
            google-generativeai==0.8
            py312: google-generativeai
        commands = pytest google-generativeai
        [testenv:lint]
        deps = google-generativeai
        """,
        """
        [testenv]
        deps =
            -rrequirements.txt
            google-genai>=1.56
            py312: google-genai>=1.56
        commands = pytest google-generativeai
        [testenv:lint]
        deps = google-genai>=1.56
        """,
    ),
    "environment.yml": (
        "environment.yml",
        """
        name: app
        dependencies:
          - python=3.12
          - google-generativeai=0.8.3  # conda
          - pip
          - pip:
            - "google-generativeai==0.8.3"
            - google-ai-generativelanguage
          - rich
        """,
        """
        name: app
        dependencies:
          - python=3.12
          - google-genai>=1.56  # conda
          - pip
          - pip:
            - "google-genai>=1.56"
          - rich
        """,
    ),
    "Dockerfile": (
        "Dockerfile",
        """
        FROM python:3.12-slim
        # RUN pip install google-generativeai
        RUN pip install --no-cache-dir google-generativeai==0.8.3 rich && echo google-generativeai
        RUN apt-get update && python -m pip install \\
            'google-generativeai; python_version > "3"' \\
            # and what came along
            google-ai-generativelanguage \\
            rich; pip3 install "google-generativeai"
        """,
        """
        FROM python:3.12-slim
        # RUN pip install google-generativeai
        RUN pip install --no-cache-dir "google-genai>=1.56" rich && echo google-generativeai
        RUN apt-get update && python -m pip install \\
            'google-genai>=1.56; python_version > "3"' \\
            # and what came along
            rich; pip3 install "google-genai>=1.56"
        """,
    ),
    "Dockerfile of a service": (
        "docker/Dockerfile.worker",
        """
        RUN uv pip install google-generativeai
        """,
        """
        RUN uv pip install "google-genai>=1.56"
        """,
    ),
}


@pytest.mark.parametrize(("name", "before", "after"), FILES.values(), ids=FILES)
def test_every_kind_of_file(tmp_path: Path, name: str, before: str, after: str) -> None:
    assert ported(tmp_path, name, dedent(before)) == dedent(after)


FILES_BESIDE = {
    "pyproject": (
        "pyproject.toml",
        """
        [project]
        dependencies = [
            "google-generativeai>=0.7",  # the model
            "x"
        ]
        [project.optional-dependencies]
        a = ["google-generativeai"]
        b = [
            "x",
            "google-generativeai; python_version > '3'"  # last
        ]
        """,
        """
        [project]
        dependencies = [
            "google-generativeai>=0.7",  # the model
            "google-genai>=1.56",
            "x"
        ]
        [project.optional-dependencies]
        a = ["google-generativeai", "google-genai>=1.56"]
        b = [
            "x",
            "google-generativeai; python_version > '3'",  # last
            "google-genai>=1.56; python_version > '3'"
        ]
        """,
    ),
    "Poetry": (
        "pyproject.toml",
        """
        [tool.poetry.dependencies]
        google-generativeai = "^0.8.3"  # the model
        x = "*"
        [tool.poetry.group.dev.dependencies]
        google-generativeai = { version = "0.8.3", optional = true }  # y
        [tool.poetry.extras]
        ai = ["google-generativeai"]
        """,
        """
        [tool.poetry.dependencies]
        google-generativeai = "^0.8.3"  # the model
        google-genai = ">=1.56"
        x = "*"
        [tool.poetry.group.dev.dependencies]
        google-generativeai = { version = "0.8.3", optional = true }  # y
        google-genai = { version = ">=1.56", optional = true }
        [tool.poetry.extras]
        ai = ["google-generativeai", "google-genai"]
        """,
    ),
    "setup.py": (
        "setup.py",
        "setup(install_requires=['google-generativeai', 'x'])\n",
        "setup(install_requires=['google-generativeai', 'google-genai>=1.56', 'x'])\n",
    ),
    "setup.cfg": (
        "setup.cfg",
        "[options]\ninstall_requires =\n    google-generativeai\n",
        "[options]\ninstall_requires =\n    google-generativeai\n    google-genai>=1.56\n",
    ),
    "tox.ini": (
        "tox.ini",
        "[testenv]\ndeps =\n  py312: google-generativeai\n",
        "[testenv]\ndeps =\n  py312: google-generativeai\n  py312: google-genai>=1.56\n",
    ),
    "environment.yml": (
        "environment.yml",
        "dependencies:\n- pip:\n  - 'google-generativeai==0.8'  # x\n",
        "dependencies:\n- pip:\n  - 'google-generativeai==0.8'  # x\n  - 'google-genai>=1.56'\n",
    ),
    "Dockerfile": (
        "Dockerfile",
        "RUN pip install google-generativeai rich\n",
        'RUN pip install google-generativeai "google-genai>=1.56" rich\n',
    ),
}


@pytest.mark.parametrize(("name", "before", "after"), FILES_BESIDE.values(), ids=FILES_BESIDE)
def test_every_kind_of_file_takes_the_new_requirement_beside_the_old(
    tmp_path: Path, name: str, before: str, after: str
) -> None:
    assert ported(tmp_path, name, dedent(before), STAYS) == dedent(after)


FILES_REFUSED = {
    "extras in a list": ("pyproject.toml", '[project]\ndependencies=["google-generativeai[x]"]\n'),
    "a source of its own": (
        "pyproject.toml",
        (
            '[project]\ndependencies=["google-generativeai"]\n'
            '[tool.uv.sources]\ngoogle-generativeai = {git = "https://x.test"}\n'
        ),
    ),
    "git with Poetry": (
        "pyproject.toml",
        '[tool.poetry.dependencies]\ngoogle-generativeai = {git = "https://x.test"}\n',
    ),
    "several versions with Poetry": (
        "pyproject.toml",
        "[tool.poetry.dependencies]\ngoogle-generativeai = [{version = '1', python = '3.11'}]\n",
    ),
    "extras in a Pipfile": (
        "Pipfile",
        '[packages]\ngoogle-generativeai = {version = "*", extras = ["x"]}\n',
    ),
    "a string in pieces": ("setup.py", 'x = ["google-" "generativeai"]  # google-generativeai\n'),
}


@pytest.mark.parametrize(("name", "text"), FILES_REFUSED.values(), ids=FILES_REFUSED)
def test_other_forms_are_refused(tmp_path: Path, name: str, text: str) -> None:
    file = manifest(tmp_path, name, text)
    assert file is not None
    assert file.after is None
    assert "manifest_shape_unsupported" in {finding.code for finding in file.findings}


def test_a_key_with_one_value_has_no_room_beside_it(tmp_path: Path) -> None:
    file = manifest(tmp_path, "tox.ini", "[testenv]\ndeps = google-generativeai\n", STAYS)
    assert file is not None
    assert file.findings[0].code == "manifest_shape_unsupported"
    assert "no room" in (file.findings[0].message or "")


def test_a_manifest_that_cannot_be_read_is_a_problem(tmp_path: Path) -> None:
    found = planned(tmp_path, {"app.py": PORTS, "pyproject.toml": "[google-generativeai\n"})
    (problem,) = found.errors
    assert problem.path == "pyproject.toml"
    assert "not TOML" in problem.message


# --- interpreters ------------------------------------------------------------------------------

PYTHONS = {
    "none said": ("", "google-genai>=1.56", ()),
    "new": ('requires-python = ">=3.11"', "google-genai>=1.56", ()),
    "ten and newer": ('requires-python = ">=3.10"', "google-genai>=1.56", ()),
    "ten only": ('requires-python = ">=3.10,<3.11"', "google-genai>=1.56,<3", ()),
    "ten, exactly": ('requires-python = "==3.10.4"', "google-genai>=1.56,<3", ()),
    "nine and newer": ('requires-python = ">=3.9"', "google-genai>=1.56", ("python_floor",)),
    "nine and ten": (
        'requires-python = ">=3.9,<3.11"',
        "google-genai>=1.56,<3",
        ("python_floor",),
    ),
}


@pytest.mark.parametrize(("line", "requirement", "warnings"), PYTHONS.values(), ids=PYTHONS)
def test_the_range_suits_the_interpreters(
    tmp_path: Path, line: str, requirement: str, warnings: tuple[str, ...]
) -> None:
    text = f"[project]\n{line}\ndependencies = ['google-generativeai']\n"
    file = manifest(tmp_path, "pyproject.toml", text)
    assert file is not None
    assert file.findings[0].warnings == warnings
    assert file.after == f"[project]\n{line}\ndependencies = ['{requirement}']\n".encode()


TOO_OLD = {
    "PEP 621": ("pyproject.toml", "[project]\nrequires-python = '>=3.7,<3.10'\n"),
    "Poetry": ("pyproject.toml", "[tool.poetry.dependencies]\npython = '~3.9'\n"),
    "Pipfile": ("Pipfile", "[requires]\npython_version = '3.9'\n"),
    "setup.cfg": ("setup.cfg", "[options]\npython_requires = >=3.8,<3.10\n"),
    "setup.py": ("setup.py", "setup(python_requires='==3.8.*')\n"),
}


@pytest.mark.parametrize(("name", "text"), TOO_OLD.values(), ids=TOO_OLD)
def test_interpreters_too_old_for_the_new_sdk_refuse_the_requirement(
    tmp_path: Path, name: str, text: str
) -> None:
    file = manifest(tmp_path, "requirements.txt", "google-generativeai\n", **{f"./{name}": text})
    assert file is not None
    assert file.findings[0].code == "python_too_old"


def test_an_image_says_its_interpreter(tmp_path: Path) -> None:
    text = "FROM python:3.10-slim\nRUN pip install google-generativeai\n"
    assert '"google-genai>=1.56,<3"' in ported(tmp_path, "Dockerfile", text)


def test_the_nearest_project_speaks(tmp_path: Path) -> None:
    near = "[project]\nrequires-python = '==3.10.*'\n"
    far = "[project]\nrequires-python = '>=3.11'\n"
    found = planned(
        tmp_path,
        {
            "pyproject.toml": far,
            "a/pyproject.toml": near,
            "a/requirements.txt": "google-generativeai\n",
            "b/requirements.txt": "google-generativeai\n",
        },
    )
    after = {file.path: file.after for file in found.manifests}
    assert after == {
        "a/requirements.txt": b"google-genai>=1.56,<3\n",
        "b/requirements.txt": b"google-genai>=1.56\n",
    }


# --- who still needs it ------------------------------------------------------------------------

NEEDED = {
    "a refused file": {"other.py": STAYS},
    "a file that cannot be read": {"other.py": "import google.generativeai as genai\nprint 'x'\n"},
    "a notebook": {"n.ipynb": '{"cells": [{"source": ["import google.generativeai"]}]}'},
    "a string": {"other.py": "NAME = 'google.generativeai'\n"},
}


@pytest.mark.parametrize("files", NEEDED.values(), ids=NEEDED)
def test_the_requirement_stays_while_a_file_needs_it(tmp_path: Path, files: dict[str, str]) -> None:
    found = planned(
        tmp_path, {"app.py": PORTS, "requirements.txt": "google-generativeai\n", **files}
    )
    assert found.manifests[0].after == b"google-generativeai\ngoogle-genai>=1.56\n"


def test_files_outside_of_the_paths_given_count(tmp_path: Path) -> None:
    files = {"app/requirements.txt": "google-generativeai\n", "app/front.py": PORTS}
    planned(tmp_path, {**files, "other.py": STAYS})
    found = plan([tmp_path / "app"], root=tmp_path)
    assert found.manifests[0].after == b"google-generativeai\ngoogle-genai>=1.56\n"


def test_nothing_is_required_anew_while_every_file_stays(tmp_path: Path) -> None:
    found = planned(tmp_path, {"app.py": STAYS, "requirements.txt": "google-generativeai\n"})
    assert found.manifests == ()


def test_once_nothing_needs_it_any_more_the_old_requirement_goes(tmp_path: Path) -> None:
    both = "google-generativeai\ngoogle-genai>=1.56\n"
    assert ported(tmp_path, "requirements.txt", both, NO_USE) == "google-genai>=1.56\n"


def test_what_came_along_stays_while_it_is_imported(tmp_path: Path) -> None:
    text = "google-generativeai\ngoogle-ai-generativelanguage\n"
    code = PORTS + "import google.ai.generativelanguage as glm\n"
    after = ported(tmp_path, "requirements.txt", text, code)
    assert after == "google-genai>=1.56\ngoogle-ai-generativelanguage\n"


@pytest.mark.parametrize(
    ("line", "lost"),
    [
        ("from google.api_core import exceptions", "google-api-core"),
        ("import google.protobuf.json_format", "google-protobuf"),
        ("from google.ai import generativelanguage as glm", "google-ai-generativelanguage"),
        ("import sys, tqdm", "tqdm"),
    ],
)
def test_what_only_came_along_and_is_imported_is_named(
    tmp_path: Path, line: str, lost: str
) -> None:
    code = f"{line}\n{PORTS}"
    found = planned(tmp_path, {"app.py": code, "requirements.txt": "google-generativeai\n"})
    (finding,) = found.manifests[0].findings
    assert finding.warnings == ("transitive_dependency",)
    assert lost.removeprefix("google-protobuf") in found.notes[0]


# --- files that tools write --------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "command"),
    [("poetry.lock", "poetry lock"), ("uv.lock", "uv lock"), ("Pipfile.lock", "pipenv lock")],
)
def test_lock_files_are_named_and_left(tmp_path: Path, name: str, command: str) -> None:
    found = planned(
        tmp_path,
        {"app.py": PORTS, "requirements.txt": "google-generativeai\n", name: "google-generativeai"},
    )
    assert [file.path for file in found.manifests] == ["requirements.txt"]
    (note,) = found.notes
    assert note.startswith(f"{name} still names google-generativeai")
    assert f"`{command}`" in note


def test_a_compiled_requirement_file_is_named_and_left(tmp_path: Path) -> None:
    text = "#\n# This file is autogenerated by pip-compile\n#\ngoogle-generativeai==0.8.3\n"
    found = planned(tmp_path, {"app.py": PORTS, "requirements.txt": text})
    assert found.manifests == ()
    assert "written by pip-compile" in found.notes[0]


# --- the whole ---------------------------------------------------------------------------------


@pytest.mark.parametrize(("name", "before", "after"), FILES.values(), ids=FILES)
def test_a_second_run_finds_nothing_to_do(
    tmp_path: Path, name: str, before: str, after: str
) -> None:
    assert manifest(tmp_path, name, dedent(after), NO_USE) is None
