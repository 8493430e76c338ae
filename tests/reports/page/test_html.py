"""The page as text: whole, closed, and with nothing in it that was not meant to be there."""

from __future__ import annotations

import base64
import hashlib
import random
import re
from collections import Counter
from dataclasses import replace
from html import unescape
from html.parser import HTMLParser
from importlib.resources import files
from pathlib import Path

import pytest

from referee.analysis.scorecard import Cell, NotMeasured, ScorecardRow
from referee.reports.model import Scorecard, Section, Table
from referee.reports.page.html import Page
from tests.support.pages import TRAPS, entries, hostile, page, with_source

VOID = {"meta", "input", "wbr", "rect", "line"}
RAW = ("script", "style")


class Reader(HTMLParser):
    """Collects tags and attributes; complains of what is not closed."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: Counter[str] = Counter()
        self.attributes: list[tuple[str, str]] = []
        self.text: dict[str, list[str]] = {}

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags[tag] += 1
        self.attributes += [(name, value or "") for name, value in attrs]
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if tag not in VOID:
            assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text.setdefault(self.open[-1] if self.open else "", []).append(data)


def read(text: str) -> Reader:
    reader = Reader()
    reader.feed(text)
    reader.close()
    assert reader.open == []
    return reader


def values(reader: Reader, name: str) -> list[str]:
    return [value for own, value in reader.attributes if own == name]


@pytest.fixture(scope="module")
def ordinary() -> str:
    return page().html()


def test_the_page_is_whole(ordinary: str) -> None:
    reader = read(ordinary)
    assert ordinary.startswith("<!doctype html>\n")
    ids = values(reader, "id")
    assert len(ids) == len(set(ids))
    # Whatever is pointed to is there.
    assert {target[1:] for target in values(reader, "href")} <= set(ids)
    assert set(values(reader, "popovertarget")) <= set(ids)
    assert reader.tags["section"] == 7
    assert reader.tags["figure"] == 8
    assert reader.tags["h1"] == 1


def test_the_page_opens_with_a_sentence_and_a_chart(ordinary: str) -> None:
    assert 0 < ordinary.index('class="lead"') < ordinary.index("<svg") < ordinary.index("<table")
    opening = ordinary[ordinary.index('<section id="opening"') : ordinary.index('<section id="summary"')]
    # One drawing for a phone, one for a wide screen.
    assert re.findall(r'<div class="(drawing[^"]*)"><svg', opening) == ["drawing", "drawing broad"]


def test_one_script_runs_and_it_is_ours(ordinary: str) -> None:
    scripts = re.findall(r"<script([^>]*)>(.*?)</script>", ordinary, re.DOTALL)
    data = ' type="application/octet-stream" id="{}"'
    assert [attributes for attributes, _ in scripts] == ["", data.format("packed"), data.format("exports")]
    policy = re.search(r'http-equiv="Content-Security-Policy" content="([^"]+)"', ordinary)
    assert policy is not None
    rules = policy[1].replace("&#39;", "'").split("; ")
    digest = base64.b64encode(hashlib.sha256(scripts[0][1].encode()).digest()).decode()
    assert rules == [
        "default-src 'none'",
        f"script-src 'sha256-{digest}'",
        "style-src 'unsafe-inline'",
        "img-src data:",
        "base-uri 'none'",
        "form-action 'none'",
    ]
    assert all(re.fullmatch(r"[A-Za-z0-9+/=]+", text) for _, text in scripts[1:])


def test_it_needs_nothing_from_outside(ordinary: str) -> None:
    without_data = re.sub(r'id="packed">[^<]*', "", ordinary)
    assert not re.search(r"https?:|<link|@import|url\(|\bsrc=", without_data)


def test_the_script_only_sets_text() -> None:
    own = files("referee.reports.page").joinpath("script")
    script = "".join(file.read_text("utf-8") for file in own.iterdir())
    forbidden = r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\b|Function\(|srcdoc|DOMParser|setHTML"
    assert not re.search(forbidden, script)
    assert "</script" not in script
    assert "<!--" not in script


def test_hostile_text_makes_no_tag() -> None:
    plain, trapped = read(_alike(hostile()).html()), read(hostile().html())
    # Of other texts the page has the same shape; only that endless names may be broken is marked.
    assert trapped.tags - Counter(wbr=10**6) == plain.tags - Counter(wbr=10**6)
    assert {name for name, _ in trapped.attributes} == {name for name, _ in plain.attributes}
    assert not any(name.startswith("on") for name, _ in trapped.attributes)
    for name in ("id", "class", "type", "popovertarget"):
        # `breaks`, for an endless word, is our own word.
        assert {value.replace(" breaks", "") for value in values(trapped, name)} == set(values(plain, name))
    assert not any(value.startswith("javascript") for value in values(trapped, "href"))
    shown = "".join(text for tag, texts in trapped.text.items() if tag not in RAW for text in texts)
    assert all(trap in shown for trap in TRAPS)


def _alike(contents: Page) -> Page:
    """Contents of the same shape, of harmless words."""

    def table(own: Table) -> Table:
        return Table("t", tuple("h" for _ in own.columns), [tuple("c" for _ in row) for row in own.rows], note="n")

    return replace(
        contents,
        title="t",
        lead="l",
        runs=["a", "b"],
        methods={name: replace(method, title="m") for name, method in contents.methods.items()},
        summary=[table(own) for own in contents.summary],
        notes=["r"] * len(contents.notes),
        sections=[Section("p", "a", "c", "s", [table(own) for own in part.tables]) for part in contents.sections],
        footer="s",
    )


def test_templates_in_texts_are_not_run() -> None:
    text = Page("{{ 7*7 }}", "{% include 'x' %}", []).html()
    assert "<title>{{ 7*7 }}</title>" in text
    assert "49" not in re.sub(r"<style>.*?</style>|<script>.*?</script>|content=\"[^\"]*\"", "", text, flags=re.DOTALL)


@pytest.mark.parametrize(
    ("change", "shown"),
    [
        ("phrase", "<code>eval</code> <code>--perturb</code> <code>phrase</code>)."),
        ("<b>` & \u202e", "`eval --perturb &lt;b&gt;` &amp; ‹U+202E›`)."),
        ("<i>`", "`eval --perturb &lt;i&gt;``)."),
    ],
)
def test_commands_in_words(change: str, shown: str) -> None:
    cell = Cell(outcome=NotMeasured("not_perturbed", change))
    line = ScorecardRow(suite="s", kind="contrastive", items=1, cells={"attacks": cell})
    text = Page("t", "", [], scorecards=[Scorecard("r", [line])]).html()
    assert f'<p class="note" dir="auto">Not measured: robustness (run {shown}</p>' in text
    # A column with nothing in it is not shown.
    assert ">Robustness<" not in text


def test_an_empty_page() -> None:
    reader = read(Page("t", "", []).html())
    assert reader.tags["section"] == 0
    assert reader.tags["script"] == 1


def test_the_page_keeps_to_its_budget() -> None:
    many = entries(400, 2)
    whole = page(("a", "b"), shown=many).html(budget=10**8)
    assert "random sample" not in whole
    budget = len(whole.encode()) - 40_000
    text = page(("a", "b"), shown=many).html(budget=budget)
    shown = re.search(r"A random sample of ([\d,]+) of 1,600 items", text)
    assert shown is not None
    assert 0 < int(shown[1].replace(",", "")) < 1600
    assert len(text.encode()) <= budget


def test_the_same_contents_make_the_same_bytes() -> None:
    assert page().html() == page().html()


def test_the_tables_of_a_page_are_in_its_order() -> None:
    contents = page()
    assert [table.title for table in contents.tables()] == re.findall(
        r"<table aria-label=\"([^\"]*)\"", contents.html().replace("&#39;", "'")
    )


def test_a_page_is_saved_whole(tmp_path: Path) -> None:
    contents = page(count=2)
    contents.save(str(tmp_path / "page.html"))
    assert [path.name for path in tmp_path.iterdir()] == ["page.html"]
    assert (tmp_path / "page.html").read_bytes() == contents.html().encode()


def test_a_page_in_words() -> None:
    contents = Page("A title", "What was found.", ["a"], sections=[Section("s")], entries=entries(1, 1))
    assert repr(contents) == "<Page 'A title': 1 sections, 4 items>"
    assert str(contents).splitlines() == [
        "A title",
        "What was found.",
        '1 sections, 4 items. Write the page with .save("report.html").',
    ]
    assert str(Page("A title", "", [])).splitlines()[0] == "A title"


def test_a_notebook_gets_the_page_in_a_frame_of_its_own() -> None:
    contents = replace(page(count=2), title='"><script>window.hacked=1</script>')
    (frame,) = re.findall(r"<iframe ([^>]*)></iframe>", contents._repr_html_())
    attributes = dict(re.findall(r'([a-z]+)="([^"]*)"', frame))
    # Without `allow-same-origin` nothing in it can reach the notebook.
    assert attributes["sandbox"] == "allow-scripts allow-downloads"
    assert unescape(attributes["srcdoc"]) == contents.html()
    assert unescape(attributes["title"]) == contents.title


def test_a_notebook_is_not_filled_with_items() -> None:
    rng = random.Random(1)
    texts = ("".join(rng.choices("abcdefghij ", k=400)) for _ in range(8000))
    first = entries(1, 1)[0]
    many = [replace(first, item=with_source(first.item, text)) for text in texts]
    assert len(Page("t", "", ["a"], entries=many)._repr_html_()) < 1_100_000


def _luminance(colour: str) -> float:
    shares = [int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5)]
    red, green, blue = (share / 12.92 if share <= 0.04045 else ((share + 0.055) / 1.055) ** 2.4 for share in shares)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    low, high = sorted((_luminance(one), _luminance(other)))
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("theme", [0, 1], ids=["light", "dark"])
def test_words_and_lines_stand_out(theme: int) -> None:
    css = files("referee.reports.page").joinpath("style", "theme.css").read_text("utf-8")
    pairs = re.findall(r"--(\w+): light-dark\((#\w{6}), (#\w{6})\);", css)
    colours = {name: pair[theme] for name, *pair in pairs}
    assert set(colours) >= {"line", *(f"c{number}" for number in range(1, 9))}
    for ground in ("ground", "card", "pick"):
        for name in ("ink", "soft", "accent", "good", "fair", "bad"):
            assert contrast(colours[name], colours[ground]) >= 4.5
    for name in ("edge", *(f"c{number}" for number in range(1, 9))):
        assert min(contrast(colours[name], colours[ground]) for ground in ("ground", "card")) >= 3
    # Signs in a filled circle.
    assert all(contrast(colours[mood], colours["card"]) >= 4.5 for mood in ("good", "fair", "bad"))
