"""A page of fifty thousand verdicts: small enough to send, and to be searched."""

from __future__ import annotations

import random
from dataclasses import replace
from itertools import islice

import pytest

from referee.build.templates import open_templates, shipped
from referee.reports.model import ItemEntry, ItemResult
from referee.reports.page.html import Page
from tests.support import pages
from tests.support.browser import Visitor

pytestmark = pytest.mark.slow

COUNT = 50_000


@pytest.fixture(scope="module")
def large() -> Page:
    chance = random.Random(3)
    every = (each for code in shipped() for each in open_templates(code).items())
    shown = [
        ItemEntry(f"templates/{item.target_lang}", item, [ItemResult(0, pages.scored(item, chance))])
        for item in islice(every, COUNT)
    ]
    return pages.page(shown=shown)


def varied(contents: Page) -> Page:
    """The same with texts that repeat nothing, which do not pack well."""
    chance = random.Random(4)
    words = ["".join(chance.choices("abcdefghijklmnopqrstuvwxyz", k=chance.randint(3, 9))) for _ in range(20_000)]

    def entry(own: ItemEntry) -> ItemEntry:
        source = " ".join(chance.choices(words, k=25))
        return replace(own, item=pages.with_source(own.item, source))

    return replace(contents, entries=[entry(own) for own in contents.entries])


def test_the_page_is_small(large: Page) -> None:
    assert len(large.html().encode()) < 4_000_000
    text = varied(large).html()
    assert len(text.encode()) < 4_000_000
    assert f"of {COUNT:,} items, to keep the page" in text


def test_the_page_can_be_searched(visitor: Visitor, large: Page) -> None:
    page = visitor.visit(large.html(budget=10**8))
    assert page.inner_text("#count") == f"{COUNT:,} items"
    page.fill("#find", "no-such-word")
    page.wait_for_function("() => document.querySelector('#count').textContent.startsWith('0 of ')")
    assert page.inner_text("#count") == f"0 of {COUNT:,} items"
    page.fill("#find", "dog ate the")
    page.wait_for_function("() => !document.querySelector('#count').textContent.startsWith('0 of ')")
    assert page.locator("#list details").count() == 20
