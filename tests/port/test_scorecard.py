"""The scorecard says of each repository what is ported, and why the rest is not."""

from __future__ import annotations

import json
from pathlib import Path

from benchmarks.scorecard import Wanted, document, main, measure, table

from tests.support.manifests import NO_USE, PORTS, STAYS


def repositories(root: Path) -> Path:
    for name, files in {
        "whole": {"app.py": PORTS},
        "partly": {"app.py": PORTS, "other.py": STAYS},
        "clean": {"app.py": NO_USE},
    }.items():
        for path, text in files.items():
            (root / name).mkdir(exist_ok=True)
            (root / name / path).write_text(text, encoding="utf-8")
    return root


def test_a_repository_is_whole_when_all_of_its_legacy_files_are_ported(tmp_path: Path) -> None:
    root = repositories(tmp_path)
    whole, partly, clean = (measure(root / n, Wanted()) for n in ("whole", "partly", "clean"))
    assert (whole.ported, whole.files, whole.whole) == (1, 1, True)
    assert (partly.ported, partly.files, partly.whole) == (1, 2, False)
    assert partly.codes == {"usage_unmapped": 1}
    assert (clean.files, clean.whole) == (0, False)
    assert whole.broken == []


def test_the_table_sums_up(tmp_path: Path) -> None:
    rows = [measure(folder, Wanted()) for folder in sorted(repositories(tmp_path).iterdir())]
    text = "\n".join(table(rows))
    assert "files ported         2 of 3 (67 %)" in text
    assert "repositories whole   1 of 2 (50 %)" in text
    assert "1  usage_unmapped" in text


def test_the_totals_are_said_again_without_some(tmp_path: Path) -> None:
    rows = [measure(folder, Wanted()) for folder in sorted(repositories(tmp_path).iterdir())]
    text = "\n".join(table(rows, ["part"]))
    assert "files ported         2 of 3 (67 %)" in text
    assert "without part:\nfiles ported         1 of 1 (100 %)" in text


def test_everything_is_there_as_json(tmp_path: Path) -> None:
    rows = [measure(folder, Wanted()) for folder in sorted(repositories(tmp_path).iterdir())]
    made = document(rows, Wanted())
    assert [row["name"] for row in made["repositories"]] == ["clean", "partly", "whole"]
    assert json.loads(json.dumps(made)) == made


def test_the_command_writes_both(tmp_path: Path) -> None:
    repositories(tmp_path)
    out = tmp_path / "scorecard.json"
    assert main([str(tmp_path), "--plan-only", "--json", str(out)]) == 0
    assert len(json.loads(out.read_text(encoding="utf-8"))["repositories"]) == 3
