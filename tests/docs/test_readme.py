"""What the README shows is what happens."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

from chatport.port.planner import plan

README = Path(__file__).parents[2] / "README.md"


def test_the_port_it_shows_is_the_port_it_makes(tmp_path: Path) -> None:
    before, after, _ = _examples()
    (tmp_path / "app.py").write_text(before)
    (file,) = plan([tmp_path], root=tmp_path).files
    assert file.after is not None
    assert file.after.decode() == after


def test_the_client_it_shows_prints_what_it_says() -> None:
    *_, client = _examples()
    run = subprocess.run(
        [sys.executable, "-W", "error", "-c", client], capture_output=True, text=True, check=True
    )
    assert f"prints `{run.stdout.strip()}`" in README.read_text()


def test_the_pages_it_links_to_are_there() -> None:
    links = re.findall(r"\]\(([^)]+)\)", README.read_text())
    assert [link for link in links if not (README.parent / link).is_file()] == []


def _examples() -> list[str]:
    return re.findall(r"^```python\n(.*?)^```$", README.read_text(), re.MULTILINE | re.DOTALL)
