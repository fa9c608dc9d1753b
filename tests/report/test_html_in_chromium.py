"""The page in a real Chromium: filters, keys, themes, paper, and that hostile text stays text.

Needs Chromium: `apt-get install chromium`, or its path in CHATPORT_CHROMIUM.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from playwright import sync_api

from chatport.port.findings import FilePlan, Plan, Status
from chatport.port.report.html import Proven, render
from tests.report.plans import PLAN, REFUSED

CHROMIUM = os.environ.get("CHATPORT_CHROMIUM") or shutil.which("chromium")
pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="there is no Chromium")

HOSTILE = "<img src=x onerror=document.title='hacked'>"
BAD = replace(REFUSED, path=HOSTILE, symbol=HOSTILE, code="history_write", message=HOSTILE)
SHOWN = replace(
    PLAN,
    files=(
        *PLAN.files,
        FilePlan(HOSTILE, Status.REFUSED, (BAD,), f"\n\n</script>{HOSTILE}\n".encode()),
    ),
)


@pytest.fixture(scope="module")
def browser() -> Iterator[sync_api.Browser]:
    with sync_api.sync_playwright() as playwright:
        yield playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])


@pytest.fixture
def page(browser: sync_api.Browser, tmp_path: Path) -> Iterator[sync_api.Page]:
    """The page, open; whatever the browser complains of fails the test."""
    (tmp_path / "port.html").write_text(
        render(SHOWN, {"app/bot.py": Proven("same", 2, 2)}), encoding="utf-8"
    )
    page = browser.new_page(viewport={"width": 1200, "height": 900}, color_scheme="light")
    complaints: list[str] = []
    page.on("console", lambda message: complaints.append(message.text))
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on("request", lambda one: complaints.append(one.url) if one.url[:5] != "file:" else None)
    page.goto((tmp_path / "port.html").as_uri())
    yield page
    assert complaints == []
    page.close()


def shown(page: sync_api.Page) -> list[str]:
    """The paths of the files that are not filtered away."""
    return list(page.locator("details.file:not([hidden]) h2").all_text_contents())


ALL = ["app/bot.py", "app/é.py", HOSTILE, "requirements.txt"]


def test_hostile_text_stays_text(page: sync_api.Page) -> None:
    assert shown(page) == ALL
    assert page.title() == "Port of project"
    assert page.locator("img").count() == 0
    assert HOSTILE in page.locator("#file-3 td.old").nth(2).inner_text()


def test_filters(page: sync_api.Page) -> None:
    page.uncheck("input[value=auto]")
    assert shown(page) == ["app/é.py", HOSTILE]
    assert page.locator("output").inner_text() == "2 of 4 files"
    page.uncheck("input[value=review]")
    assert shown(page) == ["app/é.py"]
    page.click("button[name=clear]")
    assert shown(page) == ALL
    page.select_option("select[name=code]", "history_write")
    assert shown(page) == [HOSTILE]
    page.click("button[name=clear]")
    page.select_option("select[name=folder]", "app")
    assert shown(page) == ["app/bot.py", "app/é.py"]
    page.fill("input[name=path]", "BOT")
    assert shown(page) == ["app/bot.py"]
    page.fill("input[name=path]", "nothing like it")
    assert page.locator(".none").is_visible()
    page.click("button[name=clear]")
    page.fill("input[name=text]", "which tools")
    assert shown(page) == ["app/é.py"]


def test_a_bar_of_the_picture_filters(page: sync_api.Page) -> None:
    bar = page.locator("button.bar", has_text="history_write")
    bar.click()
    assert shown(page) == [HOSTILE]
    assert bar.get_attribute("aria-pressed") == "true"
    bar.click()
    assert shown(page) == ALL


def test_keys(page: sync_api.Page) -> None:
    def focused() -> str:
        text: str = page.evaluate("document.activeElement.closest('details')?.dataset.path ?? ''")
        return text

    page.keyboard.press("j")
    assert focused() == "app/bot.py"
    page.keyboard.press("j")
    assert focused() == "app/é.py"
    page.keyboard.press("o")
    assert page.locator("#file-2").get_attribute("open") is None
    page.keyboard.press("n")
    assert page.locator("#file-2").get_attribute("open") is not None
    assert page.evaluate("document.activeElement.className") == "said"
    page.keyboard.press("k")
    assert focused() == "app/é.py"
    page.keyboard.press("/")
    page.keyboard.type("jn")
    assert page.input_value("input[name=text]") == "jn"
    page.keyboard.press("Escape")
    page.keyboard.press("?")
    assert page.locator("dialog").is_visible()
    page.keyboard.press("Escape")
    assert not page.locator("dialog").is_visible()


def test_side_by_side_with_the_changed_words_marked(page: sync_api.Page) -> None:
    row = page.locator("#file-1 tr.changed")
    assert row.locator("td").all_text_contents() == ["1", "import legacy", "1", "import modern"]
    assert row.locator("del").all_text_contents() == ["legacy"]
    assert row.locator("ins").all_text_contents() == ["modern"]
    assert "proof: same, 2 of 2" in page.locator("#file-1 summary").inner_text()


def test_all_files_can_be_opened_and_folded(page: sync_api.Page) -> None:
    page.click("button[name=collapse]")
    assert page.locator("details.file[open]").count() == 0
    page.click("button[name=expand]")
    assert page.locator("details.file[open]").count() == 4


def test_themes(page: sync_api.Page) -> None:
    def back() -> str:
        text: str = page.evaluate("getComputedStyle(document.body).backgroundColor")
        return text

    light = back()
    page.keyboard.press("t")
    dark = back()
    assert dark != light
    page.click("button[name=theme]")
    assert back() == light
    page.emulate_media(color_scheme="dark")
    assert back() == light, "what was chosen stays"


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_text_stands_out_from_what_is_behind_it(page: sync_api.Page, scheme: str) -> None:
    page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
    faint = page.evaluate(CONTRAST)
    assert faint == []


def test_a_phone_shows_it_without_scrolling_sideways(page: sync_api.Page) -> None:
    page.set_viewport_size({"width": 360, "height": 700})
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    row = page.locator("#file-1 tr.changed")
    old, new = row.locator("td.old").bounding_box(), row.locator("td.new").bounding_box()
    assert old is not None
    assert new is not None
    assert new["y"] >= old["y"] + old["height"], "the new line stands below the old one"


def test_paper_shows_every_file_and_no_filter(page: sync_api.Page) -> None:
    page.click("button[name=collapse]")
    page.emulate_media(media="print")
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    assert not page.locator(".filters").is_visible()
    assert page.locator("#file-1 tr.changed").is_visible()
    page.evaluate("dispatchEvent(new Event('afterprint'))")
    assert page.locator("details.file[open]").count() == 0


def test_without_scripts_it_can_still_be_read(browser: sync_api.Browser, tmp_path: Path) -> None:
    (tmp_path / "port.html").write_text(render(SHOWN), encoding="utf-8")
    page = browser.new_page(java_script_enabled=False)
    page.goto((tmp_path / "port.html").as_uri())
    assert not page.locator(".filters").is_visible()
    assert page.locator("#file-2 .said").first.is_visible()
    page.close()


def test_five_thousand_findings_can_be_filtered(browser: sync_api.Browser, tmp_path: Path) -> None:
    files = tuple(
        replace(PLAN.files[1], path=f"room_{number % 30}/file_{number}.py")
        for number in range(1667)
    )
    (tmp_path / "port.html").write_text(render(Plan(Path("/p"), files)), encoding="utf-8")
    page = browser.new_page()
    page.goto((tmp_path / "port.html").as_uri())
    page.fill("input[name=path]", "file_1234")
    assert shown(page) == ["room_4/file_1234.py"]
    page.close()


CONTRAST = """() => {
  // The ratio of WCAG 2.2 between the colour of a text and the nearest background that is painted.
  const parts = (colour) => colour.match(/[\\d.]+/g).map(Number);
  const light = (colour) => parts(colour).slice(0, 3).map((c) => c / 255)
    .map((c) => c <= 0.03928 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4)
    .reduce((sum, c, i) => sum + c * [0.2126, 0.7152, 0.0722][i], 0);
  const behind = (node) => {
    for (let one = node; one; one = one.parentElement) {
      const colour = getComputedStyle(one).backgroundColor;
      const alpha = parts(colour)[3];
      if (alpha === undefined || alpha > 0) return colour;
    }
    return "rgb(255, 255, 255)";
  };
  const faint = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const node = walker.currentNode.parentElement;
    if (!walker.currentNode.data.trim() || !node.checkVisibility()) continue;
    if (["SCRIPT", "STYLE", "OPTION", "TITLE"].includes(node.tagName.toUpperCase())) continue;
    const [one, other] = [light(getComputedStyle(node).color), light(behind(node))];
    const ratio = (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05);
    if (ratio < 4.5) faint.push([walker.currentNode.data.trim(), node.className, ratio]);
  }
  return faint;
}"""
