"""A page of fifty thousand verdicts: small enough to send, and to be searched."""

from __future__ import annotations

import random
from dataclasses import replace
from itertools import islice

import pytest

from referee.build.templates import open_templates, shipped
from referee.report.web.contents import Contents, Entry, Result
from referee.report.web.render import render
from tests.browser import Visitor
from tests.report.web import pages

pytestmark = pytest.mark.slow

COUNT = 50_000


@pytest.fixture(scope="module")
def large() -> Contents:
    chance = random.Random(3)
    every = (each for code in shipped() for each in open_templates(code).items())
    found = [
        Entry(f"templates/{item.target_lang}", item, [Result(0, pages.scored(item, chance))])
        for item in islice(every, COUNT)
    ]
    return pages.page(found=found)


def varied(contents: Contents) -> Contents:
    """The same with texts that repeat nothing, which do not pack well."""
    chance = random.Random(4)
    words = ["".join(chance.choices("abcdefghijklmnopqrstuvwxyz", k=chance.randint(3, 9))) for _ in range(20_000)]

    def entry(own: Entry) -> Entry:
        source = " ".join(chance.choices(words, k=25))
        return replace(own, item=pages.with_source(own.item, source))

    return replace(contents, entries=[entry(own) for own in contents.entries])


def test_the_page_is_small(large: Contents) -> None:
    assert len(render(large).encode()) < 4_000_000
    text = render(varied(large))
    assert len(text.encode()) < 4_000_000
    assert f"of {COUNT:,} items, drawn at random" in text


def test_the_page_can_be_searched(visitor: Visitor, large: Contents) -> None:
    page = visitor.visit(render(large, budget=10**8))
    assert page.inner_text("#count") == f"{COUNT:,} items"
    page.fill("#find", "no-such-word")
    page.wait_for_function("() => document.querySelector('#count').textContent.startsWith('0 of ')")
    assert page.inner_text("#count") == f"0 of {COUNT:,} items"
    page.fill("#find", "dog ate the")
    page.wait_for_function("() => !document.querySelector('#count').textContent.startsWith('0 of ')")
    assert page.locator("#list details").count() == 20
