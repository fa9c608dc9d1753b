"""Declared dependencies follow the code: requirement files, before and after."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.manifests import PORTS, STAYS, manifest, planned, ported

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
