"""The page: whole, quiet, and nothing in it is taken for markup."""

from __future__ import annotations

import re
from html.parser import HTMLParser

import pytest

from referee.items import Candidate
from referee.report.page import Example, Page, Section, html
from referee.report.tables import Table
from referee.verdicts import Verdict
from tests.items import item

HOSTILE = "<script>alert('x')</script>\"'&amp;</style></table><img src=x onerror=alert(1)>"
VOID = {"meta"}


class Reader(HTMLParser):
    """Collects tags and text; complains of what is not closed."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: list[str] = []
        self.text: list[str] = []
        self.values: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.values += [f"{name}={value}" for name, value in attrs]
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text.append(data)


def read(text: str) -> Reader:
    reader = Reader()
    reader.feed(text)
    reader.close()
    assert reader.open == []
    return reader


def page(text: str = "ordinary") -> Page:
    table = Table(text, ("name", "items", text), [(text, "1", text), ("  part of it", "2", "")], (0, 2), text)
    shown = item(
        source=text,
        source_context=(text,),
        target_context=(text,),
        candidates=(Candidate(f"{text} er"), Candidate(f"{text} sie")),
    )
    scored = Verdict(item="a", kind="contrastive", correct=False, choice=1, scores=(-1.5, -0.25), ranks=(2, 1))
    written = Verdict(item="a", kind="generative", correct=True, choice=0, output=text)
    section = Section(text, text, text, [table], [Example(text, shown, scored), Example(text, shown, written)])
    return Page(text, text, table, [text], [section], text)


def test_hostile_text_is_text() -> None:
    plain, hostile = read(html(page())), read(html(page(HOSTILE)))
    # The same tags whatever the text: none of it became markup.
    assert hostile.tags == plain.tags
    assert "script" not in hostile.tags
    assert "img" not in hostile.tags
    assert not any(value.startswith("on") for value in hostile.values)
    assert sum(HOSTILE in text for text in hostile.text) == sum("ordinary" in text for text in plain.text)


def test_it_needs_nothing_from_outside() -> None:
    text = html(page())
    assert not re.search(r"https?:|//|<link|@import|url\(|<script", text)
    assert text.startswith("<!doctype html>")
    assert '<meta charset="utf-8">' in text
    assert "prefers-color-scheme: dark" in text
    assert "@media print" in text


def test_an_item_and_its_verdict() -> None:
    text = html(page())
    assert '<article class="example bad">' in text
    assert '<li class="chosen"><span class="score">-0.250</span>' in text
    chosen, right = (re.search(rf"<li[^>]*>(?:(?!</li>).)*{mark}</span></li>", text) for mark in ("chosen", "answer"))
    assert chosen is not None
    assert right is not None
    assert "ordinary sie" in chosen[0]
    assert "ordinary er" in right[0]
    assert 'it wrote: <span lang="de" class="output">ordinary</span>' in text


@pytest.mark.parametrize(("correct", "said"), [(True, "right"), (False, "wrong"), (None, "nothing is right here")])
def test_how_it_went_is_said_in_words(correct: bool | None, said: str) -> None:
    verdict = Verdict(item="a", kind="contrastive", correct=correct, choice=0, scores=(1.0, 0.0, 0.0), ranks=(1, 2, 3))
    table = Table("t", ("a",), [])
    text = html(Page("t", "l", table, [], [Section("s", "a", "c", [], [Example("e", item(), verdict)])], "s"))
    assert f"<span>{said}</span>" in text


def test_tables() -> None:
    text = html(page())
    assert '<th scope="row" class="words part">part of it</th>' in text
    assert '<td class="figure" data-name="items">1</td>' in text
    assert '<p class="note">ordinary</p>' in text
