"""The table of a project: every key, what is wrong with it, and where it is looked for."""

from __future__ import annotations

from pathlib import Path

import pytest

from chatport.port.config import Config, ConfigError, load_config, read


def written(folder: Path, text: str) -> Path:
    path = folder / "pyproject.toml"
    path.write_text(text)
    return path


def test_every_key_is_read(tmp_path: Path) -> None:
    path = written(
        tmp_path,
        """\
[tool.chatport]
paths = ["src"]
exclude = ["old"]
only = ["history_write"]
select = ["model_calls"]
skip = ["embed_batch"]
format = "json"
output = "report.json"
atomic = "repo"
annotate = true
baseline = "base.json"
documentation = "https://docs.example.org/chatport/"
""",
    )
    assert read(path) == Config(
        paths=("src",),
        exclude=("old",),
        only=("history_write",),
        select=("model_calls",),
        skip=("embed_batch",),
        format="json",
        output="report.json",
        atomic="repo",
        annotate=True,
        baseline="base.json",
        documentation="https://docs.example.org/chatport/",
    )


@pytest.mark.parametrize(
    ("lines", "line", "message"),
    [
        ("formt = 'json'", 3, "has no option formt; did you mean format?"),
        ("zzz = 1", 3, "has no option zzz; there are: annotate, atomic, baseline,"),
        ("paths = []\nannotate = 'yes'", 4, 'annotate: write true or false, not "yes"'),
        ("atomic = 'all'", 3, 'atomic: write one of repo, file, site, not "all"'),
        ("paths = [1]", 3, "paths: write a list of files and folders, not [1]"),
        ("skip = 1", 3, "skip: write a list of names, as chatport explain lists them, not 1"),
        (
            "documentation = 'javascript:alert(1)'",
            3,
            'documentation: write an address, https://…, not "javascript:alert(1)"',
        ),
        (f"output = [{'1, ' * 30}]", 3, f"output: write the name of a file, not [{'1, ' * 19}1,…"),
    ],
)
def test_a_fault_is_named_with_its_line(
    tmp_path: Path, lines: str, line: int, message: str
) -> None:
    path = written(tmp_path, f"[project]\n[tool.chatport]\n{lines}\n[tool.other]\nformt = 1\n")
    with pytest.raises(ConfigError) as caught:
        read(path)
    assert str(caught.value).startswith(f"{path}:{line}: [tool.chatport] {message}")


def test_a_file_that_is_no_toml_is_named(tmp_path: Path) -> None:
    path = written(tmp_path, "[tool.chatport\n")
    with pytest.raises(ConfigError, match=r"pyproject\.toml: this is not TOML"):
        read(path)


def test_the_nearest_table_counts(tmp_path: Path) -> None:
    inner = tmp_path / "a" / "b"
    inner.mkdir(parents=True)
    written(tmp_path, "[tool.chatport]\nannotate = true\n")
    written(inner, "[tool.other]\n")
    assert load_config(inner) == (Config(annotate=True), tmp_path.resolve())
    written(tmp_path / "a", "[tool.chatport]\nskip = []\n")
    assert load_config(inner) == (Config(), (tmp_path / "a").resolve())


def test_without_a_table_nothing_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    written(tmp_path, "[project]\n")
    assert load_config(".") == (Config(), tmp_path.resolve())


@pytest.mark.parametrize(
    ("pattern", "path", "excluded"),
    [
        ("old", "old/a.py", True),
        ("old/", "old/deep/a.py", True),
        ("old", "src/old/a.py", True),
        ("src/old", "src/old/a.py", True),
        ("src/old", "src/older/a.py", False),
        ("*_pb2.py", "src/x_pb2.py", True),
        ("*_pb2.py", "src/x_pb2.pyi", False),
        ("src/*.py", "src/a.py", True),
        ("a.py", "a.py", True),
        ("a.py", "src/a.py", True),
        ("/a.py", "a.py", True),
        ("/a.py", "src/a.py", False),
        ("a.py", "ba.py", False),
    ],
)
def test_patterns(pattern: str, path: str, excluded: bool) -> None:
    assert Config(exclude=(pattern,)).is_excluded(path) is excluded
