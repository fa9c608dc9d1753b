"""Which files are worth parsing; each is read once where they are not too many."""

from __future__ import annotations

from pathlib import Path

import pytest

from chatport.port import found as module
from chatport.port.found import Found
from chatport.port.packs.load import bundled, names
from chatport.port.source import discover

PACKS = [bundled(name) for name in names()]
FILES = {
    "models.py": "import google.generativeai as genai\n",
    "app.py": "import os\nfrom models import genai\n",
    "test_app.py": "def test(mocker):\n    mocker.patch('models.genai')\n",
    "other.py": "import os\nimport sys\n",
    "plain.py": "x = 1\n",
}


def candidates(folder: Path) -> list[str]:
    return [path for path, _ in Found([str(folder)], folder, {}).candidates(PACKS)]


@pytest.mark.parametrize("kept", [0, 30, 16_000_000])
def test_what_may_be_kept_does_not_change_what_is_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kept: int
) -> None:
    monkeypatch.setattr(module, "_KEPT", kept)
    for name, text in FILES.items():
        (tmp_path / name).write_text(text)
    assert candidates(tmp_path) == ["models.py", "app.py", "test_app.py"]


@pytest.mark.parametrize("length", [3, 9, 40])
def test_a_long_file_is_found_by_what_stands_behind_its_imports(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, length: int
) -> None:
    for home in (module, discover):
        monkeypatch.setattr(home, "MAX_SEARCHED", 10)
    monkeypatch.setattr(discover, "_PIECE", 4)
    (tmp_path / "long.py").write_text("import os\n" + "x" * length + "google.generativeai")
    (tmp_path / "none.py").write_text("import os\n" + "x" * 60)
    assert candidates(tmp_path) == ["long.py"]
