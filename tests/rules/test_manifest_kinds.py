"""Declared dependencies follow the code: every other kind of file, before and after."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.manifests import NO_USE, PORTS, STAYS, dedent, manifest, planned, ported

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
    "Dockerfile in the JSON form": (
        "Dockerfile",
        """
        RUN ["python", "-m", "pip", "install", "rich", "google-generativeai==0.8.3"]
        RUN bash -c "pip install google-generativeai"
        """,
        """
        RUN ["python", "-m", "pip", "install", "rich", "google-genai>=1.56"]
        RUN bash -c "pip install 'google-genai>=1.56'"
        """,
    ),
    "steps of a continuous integration": (
        ".github/workflows/test.yml",
        """
        steps:
          - run: pip install google-generativeai pytest  # both
          - run: |
              python -m pip install -U Google_GenerativeAI
          - run: "pip install google-generativeai"
        """,
        """
        steps:
          - run: pip install "google-genai>=1.56" pytest  # both
          - run: |
              python -m pip install -U "google-genai>=1.56"
          - run: "pip install 'google-genai>=1.56'"
        """,
    ),
    "a script": (
        "scripts/setup.sh",
        "uv add google-generativeai\n# pip install google-generativeai\n",
        'uv add "google-genai>=1.56"\n# pip install google-generativeai\n',
    ),
    "a makefile": (
        "Makefile",
        "install:\n\tpip install google-generativeai\n",
        'install:\n\tpip install "google-genai>=1.56"\n',
    ),
    "another spelling alone": ("requirements.txt", "Google.GenerativeAI\n", "google-genai>=1.56\n"),
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
    "Dockerfile in the JSON form": (
        "Dockerfile",
        'RUN ["pip", "install", "google-generativeai", "rich"]\n',
        'RUN ["pip", "install", "google-generativeai", "google-genai>=1.56", "rich"]\n',
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


@pytest.mark.parametrize(("name", "before", "after"), FILES.values(), ids=FILES)
def test_a_second_run_finds_nothing_to_do(
    tmp_path: Path, name: str, before: str, after: str
) -> None:
    assert manifest(tmp_path, name, dedent(after), NO_USE) is None
