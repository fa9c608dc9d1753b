"""What a file imports is looked for through the files that only pass it on."""

from __future__ import annotations

from pathlib import Path

import pytest

from chatport.port import plan
from chatport.port.findings import Status

BOT = (
    "import google.generativeai as genai\n\nfrom app.core import GENERATION\n\n"
    'genai.configure(api_key="K")\n\n\ndef ask(question):\n'
    '    model = genai.GenerativeModel("m", generation_config=GENERATION)\n'
    "    return model.generate_content(question).text\n"
)
CONFIG = 'GENERATION = {"temperature": 0.5}\n'
PASSED_ON = {
    "by name": {
        "core/__init__.py": "from .settings import GENERATION\n",
        "core/settings.py": CONFIG,
    },
    "by name, twice": {
        "core/__init__.py": "from .settings import GENERATION\n",
        "core/settings.py": "from app.config import GENERATION\n",
        "config.py": CONFIG,
    },
    "under another name": {
        "core/__init__.py": "from .settings import CONFIG as GENERATION\n",
        "core/settings.py": "from ..config import GENERATION as CONFIG\n",
        "config.py": CONFIG,
    },
    "with all names": {"core/__init__.py": "from .settings import *\n", "core/settings.py": CONFIG},
    "with all names, twice": {
        "core/__init__.py": "from .settings import *\n",
        "core/settings.py": "from app.config import *\n",
        "config.py": CONFIG,
    },
}
CIRCLE = {
    "core/__init__.py": "from .settings import *\n",
    "core/settings.py": "from app.core import *\n",
}


def _status(folder: Path, files: dict[str, str]) -> Status:
    for name, text in {"__init__.py": "", "bot.py": BOT, **files}.items():
        path = folder / "app" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    (file,) = plan([folder], root=folder).files
    return file.status


@pytest.mark.parametrize("files", PASSED_ON.values(), ids=PASSED_ON)
def test_a_name_is_followed_to_where_it_is_bound(tmp_path: Path, files: dict[str, str]) -> None:
    assert _status(tmp_path, files) is Status.PORTED


def test_files_that_pass_on_in_a_circle_give_nothing(tmp_path: Path) -> None:
    assert _status(tmp_path, CIRCLE) is Status.REFUSED
