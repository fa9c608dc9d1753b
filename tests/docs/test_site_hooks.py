"""What the hooks of the documentation site make of pages and navigation."""

from __future__ import annotations

import logging
from importlib import import_module
from types import SimpleNamespace

import pytest
from docs.site_hooks import homes, on_config, on_page_markdown

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


@pytest.mark.parametrize("package", ["chatport", "chatport.port", "chatport.testing"])
def test_the_reference_has_every_name_of_a_package(package: str) -> None:
    face = import_module(package)
    found = list(homes(package))
    assert [home.rpartition(".")[2] for home in found] == list(face.__all__)
    text = on_page_markdown(f"<!-- every name of {package} -->", page=PAGE)
    assert text.split() == [word for home in found for word in (":::", home)]


@pytest.mark.parametrize("package", ["chatport", "chatport.port", "chatport.testing"])
def test_every_name_has_a_docstring(package: str) -> None:
    face = import_module(package)
    values = {name: getattr(face, name) for name in face.__all__}
    aliases = {"Answer", "FinishReason", "Format", "Role"}
    aliases |= {name for name in values if name.endswith("Middleware")}
    assert [n for n, value in values.items() if not value.__doc__ and n not in aliases] == []
