"""Small repositories, and remotes, for a fleet to plan."""

from __future__ import annotations

import subprocess
from pathlib import Path

LEGACY = """import google.generativeai as genai

genai.configure(api_key="k")
print(genai.GenerativeModel("gemini-pro").generate_content("Hello").text)
"""
HELD = """import google.generativeai as genai

genai.configure(api_key="k")
print(genai.GenerativeModel("gemini-pro").generate_content(**given()).text)
"""


def repository(folder: Path, **files: str) -> Path:
    """A folder with files; each name gets `.py`."""
    folder.mkdir(parents=True)
    for name, text in files.items():
        (folder / f"{name}.py").write_text(text)
    return folder


def committed(folder: Path) -> str:
    """Make a repository of git of a folder; its URL."""
    git(folder, "init", "--quiet")
    commit(folder)
    return folder.as_uri()


def commit(folder: Path) -> None:
    """Commit all there is."""
    git(folder, "add", "--all")
    git(folder, "-c", "user.name=n", "-c", "user.email=e", "commit", "--quiet", "-m", "m")


def git(folder: Path, *arguments: str) -> str:
    done = subprocess.run(
        ["git", "-C", str(folder), *arguments], check=True, capture_output=True, text=True
    )
    return done.stdout
