"""The repositories that the port is measured on."""

from __future__ import annotations

import subprocess
from collections.abc import Iterable, Iterator
from pathlib import Path

CLEAN = "def total(prices: list[int]) -> int:\n    return sum(price * 2 for price in prices)\n\n\n"
HEAD = """import os

import google.generativeai as genai

genai.configure(api_key=os.environ["GOOGLE_API_KEY"])
model = genai.GenerativeModel("gemini-1.5-flash")


"""
USE = "def ask_{0}(text: str) -> str:\n    return model.generate_content(text).text\n\n\n"
PLAIN = (
    "def words_{0}(text: str) -> list[str]:\n"
    "    found = []\n"
    "    for word in text.split():\n"
    "        if word.isalpha() and len(word) > {0}:\n"
    "            found.append(word.lower())\n"
    "    return sorted(found)\n\n\n"
)
LEGACY = HEAD + "".join(map(USE.format, range(4))) + "".join(map(PLAIN.format, range(11)))
LEGACY += "LIMIT = 10\nWORDS = words_1('one two')\n"


def clean_text(number: int) -> str:
    """From 1 to 30 kB, so that neither small nor large files are all there is."""
    return CLEAN * (10 + number * 37 % 340) + f"NUMBER = {number}\n"


def mixed_files(files: int, legacy: int) -> Iterator[tuple[str, str]]:
    """So many files, the first of them legacy; the others of 3 kB on average."""
    for number in range(legacy):
        yield f"legacy_{number}.py", LEGACY
    for number in range(legacy, files):
        yield f"clean_{number}.py", CLEAN * (1 + number * 37 % 70) + f"NUMBER = {number}\n"


def uses(count: int) -> str:
    """One file in which so many functions call one model."""
    return HEAD + "".join(map(USE.format, range(count)))


def tree(folder: Path, files: Iterable[tuple[str, str]]) -> Path:
    """Write the files, a hundred packages of them, and commit them."""
    for number, (name, text) in enumerate(files):
        path = folder / f"package_{number % 100}" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    identity = ["-c", "user.name=Benchmark", "-c", "user.email=benchmark@example.org"]
    for words in (["init", "-q"], ["add", "."], ["commit", "-qm", "all"]):
        subprocess.run(["git", *identity, *words], cwd=folder, check=True)
    return folder
