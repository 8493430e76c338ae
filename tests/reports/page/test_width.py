"""No text, font or spacing makes the page wider than the screen."""

from __future__ import annotations

import pytest

from referee.reports.page.html import Page
from tests.support import pages
from tests.support.browser import Visitor

FONTS = ("DejaVu", "Noto", "Liberation")
PAGES = {"plain": pages.page(), "hostile": pages.hostile()}
WIDTHS = (1280, 800, 480, 360, 320)
_SPACED = """(space) => {
  for (const element of document.querySelectorAll("*")) element.style.setProperty("letter-spacing", space);
}"""
_WIDTH = "document.documentElement.scrollWidth"


@pytest.mark.parametrize("browser", FONTS, indirect=True, scope="module")
@pytest.mark.parametrize("contents", PAGES.values(), ids=PAGES)
def test_no_font_makes_the_page_wider(visitor: Visitor, contents: Page) -> None:
    assert too_wide(visitor, contents) == {}


@pytest.mark.parametrize("contents", PAGES.values(), ids=PAGES)
@pytest.mark.parametrize("space", ["0", "0.12em", "0.3em"])
def test_no_wide_letters_make_the_page_wider(visitor: Visitor, contents: Page, space: str) -> None:
    assert too_wide(visitor, contents, space) == {}


def too_wide(visitor: Visitor, contents: Page, space: str = "0") -> dict[int, int]:
    """The widths of the screen that the page exceeds, with the width it takes; its first and last items are open."""
    page = visitor.visit(contents)
    for item in (page.locator("#list summary").first, page.locator("#list summary").last):
        item.click()
    page.locator("#list .body").nth(1).wait_for()
    page.evaluate(_SPACED, space)
    taken: dict[int, int] = {}
    for width in WIDTHS:
        page.set_viewport_size({"width": width, "height": 800})
        taken[width] = page.evaluate(_WIDTH)
    return {width: seen for width, seen in taken.items() if seen > width}
