"""A page in which every text is a trap, in a real browser."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from referee.io.text import visible
from referee.items import Item, Span
from referee.reports.model import ItemEntry, ItemResult
from referee.verdicts import Verdict
from tests.reports.page.test_browser import check_exports
from tests.support import pages
from tests.support.browser import Visitor, eventually

if TYPE_CHECKING:
    from playwright.sync_api import Page as BrowserPage

HOSTILE = pages.hostile()
TEXTS = (*pages.TRAPS, pages.BIDI, pages.CONTROLS, pages.LONG)


def text_of(page: BrowserPage, selector: str) -> list[str]:
    return [text or "" for text in page.locator(selector).evaluate_all("(all) => all.map((each) => each.textContent)")]


def test_nothing_runs_and_all_is_shown(visitor: Visitor) -> None:
    page = visitor.visit(HOSTILE)
    assert count_of(page, "section") == 4 + len(TEXTS)
    assert count_of(page, "main h1") == 1
    assert count_of(page, "figure.table") == 2 + len(TEXTS)
    assert text_of(page, "h1") == [visible(HOSTILE.title)]
    assert text_of(page, "section.part h2") == [visible(text) for text in TEXTS]
    assert text_of(page, "section.part code") == [visible(text) for text in TEXTS for _ in range(2)]
    assert text_of(page, "figure.card .suite") == [visible(text) for text in TEXTS]
    assert text_of(page, "#summary tbody tr:first-child > *") == [visible(text) for text in TEXTS]
    assert text_of(page, "#method-accuracy p") == [visible(text) for text in TEXTS]
    seen = 0
    for number in range(2):
        if number:
            turn(page, "Next page")
        for place in range(page.locator("#list .item").count()):
            check_item(page, place, 20 * number + place)
            seen += 1
    assert seen == len(HOSTILE.entries)
    assert page.evaluate("window.hacked") is None
    assert page.evaluate("({}).hacked === undefined && Object.keys(Object.prototype).length === 0")


def turn(page: BrowserPage, name: str) -> None:
    """Turn to the second and last page of the list."""
    page.locator(".pager").first.get_by_role("button", name=name).click()
    eventually(page, lambda: count_of(page, "#list > li"), len(HOSTILE.entries) - 20)


def count_of(page: BrowserPage, selector: str) -> int:
    return page.locator(selector).count()


def check_item(page: BrowserPage, place: int, number: int) -> None:
    entry = HOSTILE.entries[number]
    item = page.locator("#list > li").nth(place).locator(".item")
    item.locator("summary").click()
    item.locator(".body").wait_for()
    shown = item.locator(".fields > dd").evaluate_all("(all) => all.map((each) => each.textContent)")
    source = visible(entry.item.source)
    assert shown[0] == " ".join([*(visible(text) for text in entry.item.source_context), source])
    assert shown[1] == source
    assert shown[2] == source
    assert visible(entry.item.id) in shown[-2]
    assert shown[-1] == visible(entry.suite)
    roles = item.locator(".fields .mark").evaluate_all("(all) => all.map((each) => each.title)")
    assert visible(entry.item.spans[0].role) in roles
    if entry.results[0].salience is not None:
        item.get_by_role("button", name="salience").click()
        # The word that lies nowhere is left out.
        eventually(page, lambda: count_of(page, "#list .item[open] .fields .weight"), 1)
        assert item.locator(".fields .weight").evaluate("(each) => each.textContent") == source
    item.locator("summary").click()
    eventually(page, lambda: count_of(page, "#list .item[open]"), 0)


def test_search_and_filters_take_any_text(visitor: Visitor) -> None:
    page = visitor.visit(HOSTILE)
    assert text_of(page, "#by-suite option")[1:] == [
        visible(suite) for suite in dict.fromkeys(entry.suite for entry in HOSTILE.entries)
    ]
    for trap in pages.TRAPS[::3]:
        page.select_option("#by-label", label=trap)
        eventually(page, lambda: page.inner_text("#count"), f"2 of {len(HOSTILE.entries)} items")
        # What is not there first: else the answer to the label would pass for that to the search.
        for words, hits in (("no-such-word", 0), (trap.split()[0], 2)):
            page.fill("#find", words)
            eventually(page, lambda: page.inner_text("#count"), f"{hits} of {len(HOSTILE.entries)} items")
        page.click("#clear")
        eventually(page, lambda: page.inner_text("#count"), f"{len(HOSTILE.entries)} items")
    assert page.evaluate("window.hacked") is None


def test_an_address_may_hold_anything(visitor: Visitor) -> None:
    page = visitor.visit(HOSTILE)
    for place in (0, 6, 12):
        page.locator("#list summary").nth(place).click()
        page.wait_for_selector("#list .body")
        address = page.evaluate("location.hash")
        assert "<" not in address
        page.evaluate("location.hash = '#main'")
        page.click("#clear")
        eventually(page, lambda: count_of(page, "#list .item[open]"), 0)
        page.evaluate("(address) => (location.hash = address)", address)
        page.wait_for_selector("#list .body")
        assert visible(HOSTILE.entries[place].item.id) in text_of(page, "#list .item[open] .facts")[-1]
        page.click("#clear")
        eventually(page, lambda: count_of(page, "#list .item[open]"), 0)


def test_tables_of_traps_are_saved_as_python_writes_them(visitor: Visitor) -> None:
    check_exports(visitor, HOSTILE)


def test_a_direction_ends_with_its_text(visitor: Visitor) -> None:
    page = visitor.visit(HOSTILE)
    place = 2 * len(pages.TRAPS)
    turn(page, "Next page")
    page.locator("#list summary").nth(place - 20).click()
    page.wait_for_selector("#list .body")
    paragraph = page.locator("#list .item[open] .text").first
    assert paragraph.evaluate("(each) => getComputedStyle(each).direction") == "rtl"
    assert paragraph.get_attribute("lang") == "he"
    # What stands around it goes from left to right as before.
    assert page.evaluate("getComputedStyle(document.querySelector('#list .item[open] .fields dt')).direction") == "ltr"
    assert "\u202e" not in page.evaluate("document.body.textContent")


@pytest.mark.slow
def test_a_very_long_text(visitor: Visitor) -> None:
    source = "word " * 20_000
    spans = tuple(Span("word", "source", start, start + 4) for start in range(0, 100_000, 5))
    item = Item(id="long", task="translate", source_lang="en", target_lang="de", source=source, spans=spans)
    entry = ItemEntry("long", item, [ItemResult(0, Verdict(item="long", kind="generative", output=source * 2))])
    page = visitor.visit(replace(pages.page(), entries=[entry]))
    page.locator("#list summary").click()
    page.wait_for_selector("#list .body")
    assert page.locator("#list .item[open] .mark").count() > 20_000
    assert page.evaluate("document.documentElement.scrollWidth") <= 1280
