"""Notebooks for tests, made of the sources of their cells."""

from __future__ import annotations

import json
from pathlib import Path
from textwrap import dedent
from typing import Any

from chatport.port.findings import FilePlan
from chatport.port.packs.load import bundled, names
from chatport.port.planner import Tree, plan_files


def notebook(*cells: str | list[str], indent: int | None = 1, **more: Any) -> bytes:
    """A notebook; a text is a code cell, written as a list of lines."""
    document = {
        "cells": [
            {
                "cell_type": "code",
                "execution_count": number,
                "metadata": {"id": f"c{number}"},
                "outputs": [{"name": "stdout", "output_type": "stream", "text": ["é\n"]}],
                "source": cell if isinstance(cell, list) else dedent(cell).splitlines(True),
            }
            for number, cell in enumerate(cells, 1)
        ],
        "metadata": {"kernelspec": {"language": "python", "name": "python3"}},
        "nbformat": 4,
        "nbformat_minor": 5,
        **more,
    }
    return json.dumps(document, indent=indent, ensure_ascii=False).encode() + b"\n"


def sources(data: bytes) -> list[str]:
    """The sources of the code cells."""
    cells = json.loads(data)["cells"]
    return ["".join(cell["source"]) for cell in cells if cell["cell_type"] == "code"]


def planned(data: bytes, path: str = "book.ipynb") -> FilePlan | None:
    """The plan of a notebook alone; None when nothing is found. Fails when it cannot be read."""
    tree = Tree(Path("no-such-folder"), [path], lambda _: None)
    files, problems = plan_files(tree, [(path, data)], [bundled(name) for name in names()])
    assert not problems, problems
    return files[0] if files else None
