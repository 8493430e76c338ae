"""The page of the demo, as text and in a browser."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

from referee.demo.plan import STEPS
from referee.demo.run import Told
from tests.support.browser import Visitor, eventually

if TYPE_CHECKING:
    from playwright.sync_api import Page as BrowserPage


def count(page: BrowserPage) -> int:
    return int(page.inner_text("#count").split(" ")[0].replace(",", ""))


def test_the_page_in_a_browser(finished: tuple[Path, Told], visitor: Visitor) -> None:
    """Somebody reads, filters, searches, opens an item and a method, and switches the theme; no request, no error."""
    folder, told = finished
    page = visitor.visit((folder / "report.html").read_text("utf-8"))
    # One sentence, the chart, then the other sentence.
    assert f"{page.inner_text('.lead')} {page.inner_text('.finding')}" == told.sentence
    titles = [step.title for step in STEPS.values()]
    assert page.locator("h2").all_inner_texts() == ["Scorecard", *titles, "Items", "Methods"]
    assert page.locator("#summary tbody tr").count() == len(told.summary)
    drawn = page.locator("#opening svg:visible text").evaluate_all("(texts) => texts.map((text) => text.textContent)")
    assert {"Noun gender", "Pleonastic 'it' ('It was raining')", "Noun gender, no context"} <= set(drawn)
    assert page.locator("figure.chart svg").count() >= 8
    cards = page.locator("figure.card figcaption").all_inner_texts()
    assert [card.partition("\n")[0] for card in cards] == ["pocket (context 1)", "pocket (context 0)"]
    # Which step of pronoun translation fails first is said once, below the chart.
    assert "step" in page.inner_text(".finding")
    assert "step" not in page.locator("figure.card .headline").first.inner_text()
    assert "Not measured: " in page.locator("figure.card .note").first.inner_text()

    everything = count(page)
    page.select_option("#by-result", "incorrect")
    page.wait_for_function("(all) => parseInt(document.querySelector('#count').textContent) < all", arg=everything)
    incorrect = count(page)
    assert 0 < incorrect < everything
    page.check("#by-flip")
    page.wait_for_function("(all) => parseInt(document.querySelector('#count').textContent) < all", arg=incorrect)
    page.click("#clear")
    page.wait_for_function("() => !document.querySelector('#count').textContent.includes(' of ')")
    page.fill("#find", "it was")
    page.wait_for_function("() => document.querySelector('#count').textContent.includes(' of ')")
    assert 0 < count(page) < everything
    item = page.locator("#list details").first
    item.locator("summary").click()
    item.locator(".body").wait_for()
    assert "It was" in item.inner_text()
    assert item.locator("text=chosen").count() > 0

    page.get_by_role("button", name="Bias").first.click()
    opened = page.locator("[popover]:popover-open")
    opened.wait_for()
    assert opened.inner_text().startswith("Bias")
    page.keyboard.press("Escape")
    opened.wait_for(state="hidden")
    before = page.evaluate("getComputedStyle(document.body).backgroundColor")
    page.click("#theme")
    page.click("#theme")
    eventually(page, lambda: page.inner_text("#theme"), "Theme: dark")
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") != before


def test_the_page_on_a_phone(finished: tuple[Path, Told], visitor: Visitor) -> None:
    page = visitor.visit((finished[0] / "report.html").read_text("utf-8"), width=360)
    assert page.evaluate("document.documentElement.scrollWidth") <= 360


def test_the_page_asks_for_nothing(finished: tuple[Path, Told]) -> None:
    text = (finished[0] / "report.html").read_text("utf-8")
    assert len(re.findall("<script>", text)) == 1
    assert not re.search(r"https?:|<link|<img|@import|<iframe", text)
    assert len(text) < 4_000_000
