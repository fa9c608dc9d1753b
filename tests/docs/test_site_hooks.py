"""What the hooks of the documentation site make of pages and navigation."""

from __future__ import annotations

import logging
from types import SimpleNamespace

import pytest
from docs.site_hooks import on_config, on_page_markdown

PAGE = SimpleNamespace(file=SimpleNamespace(src_uri="howto/page.md"))

LINKS = {
    "[a page](../prove.md)": "[a page](../prove.md)",
    "[a place](../prove.md#what-is-run)": "[a place](../prove.md#what-is-run)",
    "[Contributing](../../CONTRIBUTING.md)": "Contributing",
    "[a line](../../tests/__init__.py#L1)": "a line",
    "[elsewhere](https://example.com/../x)": "[elsewhere](https://example.com/../x)",
}


@pytest.mark.parametrize(("link", "left"), LINKS.items())
def test_a_link_out_of_the_site_leaves_its_text(link: str, left: str) -> None:
    assert on_page_markdown(link, page=PAGE) == left


def test_a_link_to_no_file_is_a_warning(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.WARNING):
        on_page_markdown("[gone](../../gone.md)", page=PAGE)
    assert caplog.messages == ["howto/page.md links to ../../gone.md, which is not there"]


def test_a_folder_in_the_navigation_stands_for_its_pages() -> None:
    config = on_config(SimpleNamespace(nav=["index.md", {"The port": [{"Codes": ["codes/"]}]}]))
    first, port = config.nav
    ((codes,),) = (part.values() for part in port["The port"])
    assert first == "index.md"
    assert codes[:2] == ["codes/README.md", "codes/afc_semantics_differ.md"]
    assert codes[1:] == sorted(codes[1:])
