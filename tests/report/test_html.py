"""The page as text: what is in it, that nothing breaks out, and what its policy allows."""

from __future__ import annotations

import re
from base64 import b64encode
from dataclasses import replace
from hashlib import sha256
from html.parser import HTMLParser
from pathlib import Path

import pytest

from chatport.port.findings import Accepted, FilePlan, Note, Plan, Status
from chatport.port.report.html import Proven, render
from chatport.port.report.html.rows import Gap, Piece, Row, rows, words
from tests.report.plans import CALL, FOLLOWS, IMPORT, PLAN, REFUSED, suggested

VOID = {"meta", "input", "br", "rect", "col"}


class Page(HTMLParser):
    """The elements of a page: tags with attributes, and the text inside of each kind."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.texts: dict[str, list[str]] = {}
        self.open: list[str] = []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if tag not in VOID:
            assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.texts.setdefault(self.open[-1] if self.open else "", []).append(data)

    def count(self, tag: str) -> int:
        return sum(name == tag for name, _ in self.tags)

    def attribute(self, name: str) -> list[str]:
        return [value for _, attributes in self.tags if (value := attributes.get(name))]


def test_it_is_whole_and_the_same_every_time() -> None:
    text = render(PLAN)
    assert render(PLAN) == text
    page = Page(text)
    assert page.open == []
    assert page.count("details") == 3
    ids = page.attribute("id")
    assert len(ids) == len(set(ids))


def test_every_link_leads_to_a_place_in_it() -> None:
    page = Page(render(PLAN))
    links = page.attribute("href")
    assert "#code-tools_not_known" in links
    assert {link.removeprefix("#") for link in links} <= set(page.attribute("id"))


def test_it_asks_for_nothing_from_outside() -> None:
    text = render(PLAN)
    page = Page(text)
    assert page.attribute("src") == []
    assert page.count("link") == page.count("iframe") == page.count("img") == 0
    assert "url(" not in "".join(page.texts["style"])
    assert not re.search(r"https?://", text)


def test_the_policy_lets_its_own_style_and_script_run_and_nothing_else() -> None:
    page = Page(render(PLAN))
    policy = next(value for value in page.attribute("content") if "default-src" in value)

    def source(tag: str) -> str:
        (text,) = page.texts[tag]
        return f"'sha256-{b64encode(sha256(text.encode()).digest()).decode()}'"

    assert policy == (
        f"default-src 'none'; style-src {source('style')}; script-src {source('script')}; "
        "base-uri 'none'; form-action 'none'"
    )
    assert page.attribute("style") == [], "the policy would not apply them"
    assert not [name for _, attributes in page.tags for name in attributes if name[:2] == "on"]


@pytest.mark.parametrize(
    "hostile",
    [
        "<img src=x onerror=alert(1)>.py",
        "</script><script>alert(1)</script>",
        '" onmouseover="alert(1)',
        "' autofocus onfocus='alert(1)",
        "{{ 7 * 7 }}{% raw %}",
        "javascript:alert(1)",
        "<!--",
        "&lt;b&gt;",
        "</pre></td></table><h1>",
        "\ud800\x1b[31m\u202e",
    ],
)
def test_texts_of_a_repository_stay_text(hostile: str) -> None:
    finding = replace(
        REFUSED,
        path=hostile,
        symbol=hostile,
        code=hostile,
        message=hostile,
        suggestion=suggested(hostile, hostile),
        warnings=(hostile,),
    )
    data = hostile.encode("utf-8", "surrogatepass")
    file = FilePlan(hostile, Status.REFUSED, (finding,), b"\n\n" + data, data)
    accepted = (Accepted(finding, "comment", hostile),)
    plan = Plan(Path("/p"), (file,), notes=(Note(hostile, hostile),), accepted=accepted)
    text = render(plan, {hostile: Proven("same", 1, 1)})
    text.encode()
    plain = render(
        Plan(
            Path("/p"),
            (replace(file, path="a", before=b"\n\na", after=b"a"),),
            notes=(Note("a", "a"),),
            accepted=accepted,
        )
    )
    tags = sorted({tag for tag, _ in Page(text).tags})
    assert tags == sorted({tag for tag, _ in Page(plain).tags} | {"span"})
    assert Page(text).count("script") == Page(text).count("h1") == 1
    assert not [name for _, pairs in Page(text).tags for name in pairs if name[:2] == "on"]
    for character in ("\x1b", "\u202e", "\ud800"):
        assert character not in text


def test_a_refusal_stands_below_its_line_with_reason_and_suggestion() -> None:
    text = render(PLAN)
    file = text.split('id="file-2"')[1].split("</details>")[0]
    note = file.split('data-code="tools_not_known"')[1].split("</tr>")[0]
    assert "Which tools the model may call is not known here." in note
    assert "<del>-Model.send(f)</del>\n<ins>+client.send(</ins>\n<ins>+    tools=[f],</ins>" in note
    assert "<p>Check the tools.</p>" in note
    assert 'follows from <a href="#refusal-2-1">line 3</a>' in file
    assert 'id="refusal-2-1"' in file


def test_what_follows_from_another_file_leads_there() -> None:
    elsewhere = replace(FOLLOWS, path="app/bot.py")
    first = replace(PLAN.files[0], status=Status.REFUSED, findings=(elsewhere,), after=None)
    text = render(replace(PLAN, files=(first, PLAN.files[1])))
    file = text.split('id="file-1"')[1].split("</details>")[0]
    assert 'follows from <a href="#refusal-2-1">app/é.py, line 3</a>' in file


def test_a_long_file_is_folded_and_laid_out_in_parts() -> None:
    before = "".join(f"line {number}\n" for number in range(2_100))
    after = before.replace("line", "row")
    file = FilePlan("app/bot.py", Status.PORTED, (CALL,), before.encode(), after.encode())
    text = render(Plan(Path("/p"), (file,)))
    assert text.count("<table") == 7
    assert "part 7</caption>" in text
    assert " open>" not in text
    assert render(PLAN).count(" open>") == 3


def test_what_is_said_of_a_line_stands_behind_all_that_takes_its_place() -> None:
    file = FilePlan("app/bot.py", Status.PORTED, (IMPORT,), b"a = 1\n", b"a = (\n    1\n)\n")
    text = render(Plan(Path("/p"), (file,)))
    assert text.index('<td class="number">3</td>') < text.index("text_may_be_none</a>")


def test_codes_lead_to_their_pages_when_it_is_known_where_those_are() -> None:
    finding = replace(REFUSED, code="history_write")
    plan = Plan(Path("/p"), (replace(PLAN.files[1], findings=(finding,)),))
    assert "https:" not in render(plan)
    text = render(replace(plan, documentation="https://docs.example.org/x/"))
    assert 'href="https://docs.example.org/x/codes/history_write.html"' in text


def test_the_verdict_of_a_proof_stands_beside_its_file() -> None:
    text = render(PLAN, {"app/bot.py": Proven("same", 4, 3, "7")})
    badge = text.split('id="file-1"')[1].split("</summary>")[0]
    assert "proof: same, 3 of 4 rewritten lines run; not 7" in badge
    assert text.count("proof: ") == 1


def test_an_empty_plan_has_a_page() -> None:
    page = Page(render(Plan(Path("/project"), scanned=3)))
    assert page.open == []
    assert "3 files were read; nothing is reported." in " ".join("".join(page.texts["p"]).split())


# --- side by side ----------------------------------------------------------------------------


def test_changed_words_are_marked_on_both_sides() -> None:
    assert words("chat.send_message(text)", "chat.send_message(message=text)") == (
        (Piece("chat.send_message(", False), Piece("text)", False)),
        (Piece("chat.send_message(", False), Piece("message=", True), Piece("text)", False)),
    )


def shape(old: str, new: str, *wanted: int) -> list[tuple[str, int | None, int | None] | int]:
    found = rows(old.splitlines(True), new.splitlines(True), frozenset(wanted))
    return [
        one.lines if isinstance(one, Gap) else (one.kind, one.old_number, one.new_number)
        for one in found
    ]


def test_like_lines_stand_beside_each_other() -> None:
    old = "model = make('m')\nreply = model.ask(text)\n"
    new = "client = connect()\nreply = client.ask(model='m', contents=text)\n"
    assert shape(old, new) == [
        ("removed", 1, None),
        ("added", None, 1),
        ("changed", 2, 2),
    ]


def test_what_is_far_from_a_change_is_left_out() -> None:
    lines = [f"line {number}\n" for number in range(1, 30)]
    old = "".join(lines)
    new = old.replace("line 10\n", "other\n")
    assert shape(old, new) == [
        6,
        *(("same", number, number) for number in (7, 8, 9)),
        ("removed", 10, None),
        ("added", None, 10),
        *(("same", number, number) for number in (11, 12, 13)),
        16,
    ]


def test_lines_that_are_asked_for_are_shown() -> None:
    text = "".join(f"{number}\n" for number in range(20))
    assert shape(text, text, 10)[0] == 6
    assert shape(text, text) == []


def test_a_single_line_is_shown_and_not_counted() -> None:
    text = "".join(f"{number}\n" for number in range(10))
    assert all(not isinstance(one, int) for one in shape(text, text, 1, 9))


def test_a_long_replaced_stretch_is_paired_line_by_line() -> None:
    old = "".join(f"a{number} = 1\n" for number in range(150))
    new = "".join(f"b{number} = 2\n" for number in range(151))
    found = shape(old, new)
    assert found[0] == ("changed", 1, 1)
    assert found[-1] == ("added", None, 151)


def test_a_line_of_endless_length_is_cut() -> None:
    (row,) = rows(["x" * 10_000 + "\n"], [], frozenset())
    assert isinstance(row, Row)
    assert len(row.old[0].text) < 2_100
    assert row.old[0].text.endswith(" …")


def test_five_thousand_findings_make_a_page_of_moderate_size() -> None:
    files = []
    for number in range(1000):
        path = f"room_{number % 30}/file_{number}.py"
        findings = tuple(
            replace(CALL, path=path, place=replace(CALL.place, line=line, end_line=line))
            for line in (1, 3, 5, 7, 9)
        )
        before = b"".join(b"reply = model.ask(%d)\n" % line for line in range(12))
        after = before.replace(b"model.ask(", b"client.models.ask(model='m', contents=")
        files.append(FilePlan(path, Status.PORTED, findings, before, after))
    text = render(Plan(Path("/p"), tuple(files), scanned=1000))
    assert len(text) < 8_000_000
    assert text.count("<details class=") == 1000
    assert " open>" not in text, "so many files are folded at first"
