"""An ordinary page in a real browser: somebody clicks, types and reads."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import pytest

import referee
from referee.items import Item, Origin
from referee.reports.export import csv_text, latex_text, table_files
from referee.reports.model import ItemEntry, ItemResult
from referee.reports.page.html import Page
from referee.verdicts import Verdict
from tests.support import pages
from tests.support.browser import Visitor, eventually

if TYPE_CHECKING:
    from playwright.sync_api import Page as BrowserPage

ONE = pages.page()
TWO = pages.page(("pocket", "opus-mt-en-de"))


def count(page: BrowserPage) -> int:
    """How many items there are by what the page says."""
    words = page.inner_text("#count")
    return int(words.split(" ")[0].replace(",", ""))


def ids(page: BrowserPage) -> list[str]:
    return [text.split(" · ")[-1] for text in page.locator("#list .tail").all_inner_texts()]


def settle(page: BrowserPage, expected: int) -> None:
    """Wait until the page shows this number of items."""
    eventually(page, lambda: count(page), expected)


def settle_on(page: BrowserPage, expected: Sequence[str]) -> None:
    """Wait until these items are listed."""
    eventually(page, lambda: ids(page), list(expected))


def results(entry: ItemEntry, run: int | None = None) -> list[ItemResult]:
    return [result for result in entry.results if run in (None, result.run)]


def test_what_is_on_the_page(visitor: Visitor) -> None:
    page = visitor.visit(TWO)
    assert page.title() == TWO.title
    assert page.locator("h2").all_inner_texts() == [
        "Scorecard",
        *(part.title for part in TWO.sections),
        "Items",
        "Methods",
    ]
    assert page.locator("figure.card").count() == 2
    assert page.locator("figure.card tbody tr").count() == 6
    cell = page.locator("figure.card tbody td").nth(3)
    assert cell.inner_text().split("\n") == [
        "✗",
        "−21.3\N{NO-BREAK SPACE}pp",
        "−25.1 to −17.8",
        "Below chance (33.3%).",
    ]
    assert cell.get_by_role("img", name="poor").count() == 1
    assert page.locator("section.part .drawing svg").count() == 2
    settle(page, len(TWO.entries))


def _any(wanted: Callable[[Verdict], bool]) -> Callable[[ItemEntry], bool]:
    return lambda entry: any(wanted(result.verdict) for result in entry.results)


FILTERS: list[tuple[str, str, Callable[[ItemEntry], bool]]] = [
    ("result", "correct", _any(lambda verdict: verdict.correct is True)),
    ("result", "incorrect", _any(lambda verdict: verdict.correct is False)),
    ("result", "tie", _any(lambda verdict: verdict.tied)),
    ("result", "no correct answer", _any(lambda verdict: verdict.correct is None and verdict.dropped is None)),
    ("result", "dropped", _any(lambda verdict: verdict.dropped is not None)),
    ("suite", "templates/de/role-prior", lambda entry: entry.suite == "templates/de/role-prior"),
    ("label", "verb-overlap", lambda entry: entry.item.label == "verb-overlap"),
    ("flip", "", lambda entry: entry.flipped),
    ("weight", "", lambda entry: any(result.salience is not None for result in entry.results)),
]


def test_filters(visitor: Visitor) -> None:
    page = visitor.visit(TWO)
    for field, value, wanted in FILTERS:
        expected = [entry.item.id for entry in TWO.entries if wanted(entry)]
        assert 0 < len(expected) < len(TWO.entries)
        if value:
            page.select_option(f"#by-{field}", label=value)
        else:
            page.check(f"#by-{field}")
        settle(page, len(expected))
        settle_on(page, expected[:20])
        page.click("#clear")
        settle(page, len(TWO.entries))


def test_pronouns_without_an_antecedent_have_words_of_their_own(visitor: Visitor) -> None:
    items = [one for one in referee.templates("de", "event") if one.source == "It came as a surprise."][:3]
    outputs = ["Es kam überraschend.", "Das kam überraschend.", "Der Angriff kam überraschend."]
    page = visitor.visit(referee.report(referee.score(items, translations=outputs)))
    for label, found in (("correct", 2), ("correct by other means", 1), ("not applicable", 1)):
        page.select_option("#by-result", label=label)
        settle(page, found)
    settle_on(page, [items[2].id])
    entry = page.locator("#list details").first
    entry.locator("summary").click()
    entry.locator(".body").wait_for()
    assert "not applicable" in entry.inner_text()
    page.select_option("#by-result", label="no correct answer")
    settle(page, 0)


def test_filters_together(visitor: Visitor) -> None:
    page = visitor.visit(TWO)
    page.select_option("#by-run", label="opus-mt-en-de")
    page.select_option("#by-result", label="incorrect")
    expected = [
        entry for entry in TWO.entries if any(result.verdict.correct is False for result in results(entry, run=1))
    ]
    settle(page, len(expected))
    page.select_option("#by-suite", label="templates/de/gender")
    expected = [entry for entry in expected if entry.suite == "templates/de/gender"]
    settle(page, len(expected))
    # Of one suite there is one label: nothing to choose.
    page.locator("#by-label").wait_for(state="hidden")
    page.check("#by-flip")
    settle_on(page, [entry.item.id for entry in expected if entry.flipped][:20])


def test_search(visitor: Visitor) -> None:
    page = visitor.visit(ONE)
    hits = [entry for entry in ONE.entries if "HUND" in _words(entry) and "GEFRESSEN" in _words(entry)]
    assert 0 < len(hits) < len(ONE.entries)
    page.fill("#find", "  gefressen   HUND ")
    settle(page, len(hits))
    settle_on(page, [entry.item.id for entry in hits][:20])
    page.fill("#find", ONE.entries[7].item.id)
    page.wait_for_function(
        "(id) => document.querySelector('#list .tail').textContent.endsWith(id)", arg=ONE.entries[7].item.id
    )
    page.fill("#find", "no such word anywhere")
    settle(page, 0)
    page.locator("#list", has_text="No item matches").wait_for()
    page.locator(".pager").first.wait_for(state="hidden")
    page.click("#clear")
    settle(page, len(ONE.entries))


def _words(entry: ItemEntry) -> str:
    item = entry.item
    texts = [*item.source_context, item.source, *item.target_context, *(each.text for each in item.candidates)]
    return " ".join(texts).upper()


def test_pages_by_keyboard(visitor: Visitor) -> None:
    page = visitor.visit(ONE)
    every = [entry.item.id for entry in ONE.entries]
    settle_on(page, every[:20])
    page.locator(".pager").first.get_by_role("button", name="Next page").focus()
    page.keyboard.press("Enter")
    settle_on(page, every[20:40])
    page.keyboard.press("Enter")
    settle_on(page, every[40:60])
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    settle_on(page, every[-20:])
    # At the end there is no next: the focus is where one goes on.
    eventually(page, lambda: page.evaluate("document.activeElement.textContent"), "«")
    page.locator(".pager input").first.fill("2")
    page.keyboard.press("Enter")
    settle_on(page, every[20:40])
    page.locator(".pager").last.get_by_role("button", name="Previous page").press("Enter")
    settle_on(page, every[:20])


def test_an_item_opens_and_can_be_linked(visitor: Visitor) -> None:
    page = visitor.visit(TWO)
    entry = next(each for each in TWO.entries if each.suite.endswith("gender") and each.results[-1].verdict.output)
    place = TWO.entries.index(entry)
    page.locator("#list summary").nth(place).focus()
    page.keyboard.press("Enter")
    page.wait_for_selector("#list .body")
    text = page.locator("#list .item[open]").inner_text()
    assert f"{entry.item.source_context[0]} {entry.item.source}" in text
    assert entry.item.target_context[0] in text
    for candidate in entry.item.candidates:
        assert candidate.text in text
    for result in entry.results[:2]:
        assert all(f"{score:.3f}" in text for score in result.verdict.scores)
    assert text.count("✓ correct answer") == 1
    assert text.count("chosen") == sum(result.verdict.choice is not None for result in entry.results[:2])
    assert entry.item.group is not None
    assert entry.item.group in text
    address = "#item=templates%2Fde%2Fgender%2F" + entry.item.id
    eventually(page, lambda: page.evaluate("location.hash"), address)
    # Opened anew by that address, whatever page it is on.
    late = TWO.entries[-3]
    again = visitor.visit(TWO, address=f"#item={late.suite}/{late.item.id}")
    again.wait_for_selector("#list .body")
    assert again.locator("#list .item[open]").count() == 1
    assert late.item.id in again.locator("#list .item[open]").inner_text()
    eventually(again, lambda: again.evaluate("document.activeElement.tagName"), "SUMMARY")
    again.locator("#list .item[open] > summary").click()
    again.wait_for_function("() => location.hash === '#items'")
    # A link that is followed while the page is open.
    again.evaluate("location.hash = '#item=' + encodeURIComponent('templates/de/gender/de-gender-0')")
    again.locator("#list .item[open]", has_text="de-gender-0").locator(".body").wait_for()


def test_every_field_of_an_item_is_shown(visitor: Visitor) -> None:
    item = Item(
        id="an-id",
        task="choose",
        source_lang="en",
        target_lang="de",
        source="It slept.",
        question="Who slept?",
        reference="Es schlief.",
        expected=("es", "Es"),
        group="a-group",
        distance=2,
        features={"clause": "main"},
        origin=Origin(item="the-original", change="swap", kind="attack"),
        meta={"hidden": "never shown"},
    )
    verdict = Verdict(item="an-id", kind="generative", correct=True, output="Er schlief.", found={"paper": True})
    page = visitor.visit(Page("t", "", ["a"], entries=[ItemEntry("a-suite", item, [ItemResult(0, verdict)])]))
    page.locator("#list summary").click()
    page.wait_for_selector("#list .body")
    heads = page.locator("#list .fields > dt").all_inner_texts()
    texts = page.locator("#list .fields > dd").all_inner_texts()
    shown = dict(zip(heads, (" ".join(text.split()) for text in texts), strict=True))
    assert shown == {
        "Source, en": "It slept.",
        "Question, en": "Who slept?",
        "Output": "Er schlief.",
        "Verdict": "✓ generation correct; expected form found (rule paper): yes",
        "Expected forms": "es Es",
        "Reference, de": "Es schlief.",
        "Metadata": "id an-id task choose group a-group distance 2 clause main "
        "origin item the-original origin change swap origin kind attack",
        "Suite": "a-suite",
    }
    assert "never shown" not in page.content()
    page.fill("#find", "no such word")
    settle(page, 0)
    page.fill("#find", "the-original main")
    settle(page, 1)


def test_an_address_of_no_item(visitor: Visitor) -> None:
    page = visitor.visit(ONE, address="#item=nothing")
    for address in ("#item=nothing", "#item=%E0%A4%A", "#item="):
        page.evaluate("(address) => (location.hash = address)", address)
        page.get_by_text("is not on this page").wait_for()
        assert len(ids(page)) == 20
        page.click("#clear")
        settle(page, len(ONE.entries))


def test_spans_and_salience(visitor: Visitor) -> None:
    page = visitor.visit(ONE)
    page.check("#by-weight")
    settle(page, sum(any(result.salience is not None for result in entry.results) for entry in ONE.entries))
    page.locator("#list summary").first.click()
    page.wait_for_selector("#list .body")
    item = page.locator("#list .item[open]")
    entry = ONE.entries[0]
    marks = item.locator(".fields .mark")
    expected = {_cut(entry, place) for place in range(len(entry.item.spans))}
    assert set(marks.all_inner_texts()) == expected
    assert {"antecedent", "pronoun"} <= set(item.locator(".legend-key").all_inner_texts())
    item.get_by_role("button", name="salience").click()
    salience = entry.results[0].salience
    assert salience is not None
    eventually(page, lambda: item.locator(".mark").count(), 0)
    assert item.locator(".fields .weight").count() == len(salience.weights)
    framed = item.locator(".weight.trigger")
    assert framed.all_inner_texts() == [entry.item.source.split(" ")[-1]]
    assert salience.target in item.locator(".controls").first.inner_text()
    # Weighty words are darker than light ones.
    shares = [float(each) for each in item.locator(".fields .weight").evaluate_all(
        "(marks) => marks.map((mark) => mark.style.getPropertyValue('--share'))"
    )]  # fmt: skip
    top = max(abs(weight.value) for weight in salience.weights)
    assert shares == pytest.approx([abs(weight.value) / top for weight in salience.weights], abs=2e-3)
    item.get_by_role("button", name="spans").press("Enter")
    eventually(page, lambda: set(item.locator(".fields .mark").all_inner_texts()), expected)


def _cut(entry: ItemEntry, place: int) -> str:
    span, item = entry.item.spans[place], entry.item
    texts = {
        "source": (item.source,),
        "source_context": item.source_context,
        "target_context": item.target_context,
        "candidate": tuple(candidate.text for candidate in item.candidates),
    }
    return texts[span.field][span.index][span.start : span.end]


def test_the_theme(visitor: Visitor) -> None:
    page = visitor.visit(ONE, color_scheme="dark")
    ground = "getComputedStyle(document.body).backgroundColor"
    dark = page.evaluate(ground)
    button = page.locator("#theme")
    assert button.inner_text() == "Theme: auto"
    button.click()
    eventually(page, button.inner_text, "Theme: light")
    light = page.evaluate(ground)
    assert light != dark
    button.press("Enter")
    eventually(page, lambda: page.evaluate(ground), dark)
    page.reload()
    eventually(page, button.inner_text, "Theme: dark")
    button.click()
    eventually(page, button.inner_text, "Theme: auto")
    page.emulate_media(color_scheme="light")
    eventually(page, lambda: page.evaluate(ground), light)


def test_a_browser_that_remembers_nothing(visitor: Visitor) -> None:
    refuse = (
        "Object.defineProperty(window, 'localStorage', { get() { throw new DOMException('no', 'SecurityError'); } });"
    )
    page = visitor.visit(ONE, init=refuse)
    page.locator("#theme").click()
    eventually(page, lambda: page.evaluate("document.documentElement.dataset.theme"), "light")


def test_a_method_is_one_click_away(visitor: Visitor) -> None:
    page = visitor.visit(ONE)
    head = page.get_by_role("button", name="Bias")
    method = page.locator("#method-bias")
    assert method.is_hidden()
    head.click()
    method.wait_for()
    assert method.inner_text().startswith("Bias\n\nHow this figure comes about")
    page.keyboard.press("Escape")
    method.wait_for(state="hidden")
    head.press("Enter")
    method.wait_for()
    # The focus is on its button.
    method.locator("button:focus").wait_for()
    page.keyboard.press("Enter")
    method.wait_for(state="hidden")


def test_contents(visitor: Visitor) -> None:
    page = visitor.visit(ONE)
    page.get_by_role("button", name="Contents").click()
    page.locator("#contents").wait_for()
    links = page.locator("#contents a")
    assert links.all_inner_texts() == [
        "Summary",
        "Scorecard",
        *(part.title for part in ONE.sections),
        "Items",
        "Methods",
    ]
    links.nth(3).click()
    eventually(page, lambda: page.evaluate("location.hash"), "#part-2")
    page.locator("#contents").wait_for(state="hidden")


def test_a_table_is_saved(visitor: Visitor) -> None:
    page = visitor.visit(ONE)
    for name, file in (("CSV", "templates-de-gender.csv"), ("LaTeX", "templates-de-gender.tex")):
        with page.expect_download() as waiting:
            page.get_by_role("button", name=f"{name} of templates/de/gender").click()
        assert waiting.value.suggested_filename == file
        text = waiting.value.path().read_bytes().decode()
        assert text == ("\ufeff" + csv_text(TABLE) if name == "CSV" else latex_text(TABLE))


TABLE = ONE.sections[0].tables[0]

# What is saved is kept where the test can see it, since a browser saves no more than a few files a second.
_KEEP = """
window.saved = [];
URL.createObjectURL = (blob) => { window.saved.push(blob.text()); return "#"; };
HTMLAnchorElement.prototype.click = function () { window.saved.push(this.download); };
"""


def test_every_table_is_saved_as_python_writes_it(visitor: Visitor) -> None:
    check_exports(visitor, TWO)


def check_exports(visitor: Visitor, contents: Page) -> None:
    """What the page saves of its tables is what Python makes of them, whichever table it is."""
    page = visitor.visit(contents, init=_KEEP)
    page.evaluate("document.querySelectorAll('.tools button').forEach((button) => button.click())")
    tables = contents.tables()
    page.wait_for_function("(count) => window.saved.length === count", arg=4 * len(tables))
    saved = page.evaluate("Promise.all(window.saved)")
    # Decoding takes the byte order mark off.
    assert saved[::2] == [text for table in tables for text in (csv_text(table), latex_text(table))]
    names = [table_files(table).name for table in tables]
    assert saved[1::2] == [name + suffix for name in names for suffix in (".csv", ".tex")]


def test_a_page_in_a_notebook(visitor: Visitor) -> None:
    page = visitor.visit(f"<!doctype html><title>n</title><h1>notebook</h1>{ONE._repr_html_()}", ready=False)
    frame = page.frame_locator("iframe")
    frame.locator("#browser:not([hidden])").wait_for()
    assert frame.locator("h1").inner_text() == ONE.title
    frame.locator("#list summary").first.click()
    frame.locator("#list .body").wait_for()
    frame.locator("#theme").click()
    eventually(page, frame.locator("#theme").inner_text, "Theme: light")
    with page.expect_download() as waiting:
        frame.get_by_role("button", name="CSV of templates/de/gender").click()
    assert waiting.value.suggested_filename == "templates-de-gender.csv"
    frame.get_by_role("button", name="Contents").click()
    frame.locator("#contents a", has_text="Methods").click()
    top = "(section) => section.getBoundingClientRect().top"
    eventually(page, lambda: 0 <= frame.locator("#methods").evaluate(top) < 640, expected=True)
    assert page.locator("h1").inner_text() == "notebook"
    # A frame may not take the focus of the notebook.
    visitor.complaints[:] = [words for words in visitor.complaints if "autofocusing" not in words]


def test_without_script(visitor: Visitor) -> None:
    page = visitor.visit(ONE, java_script_enabled=False, ready=False)
    # Without script nothing can be asked of the page at the end.
    visitor.pages.clear()
    assert page.locator("table").first.is_visible()
    assert page.locator("#opening .broad svg").is_visible()
    assert page.get_by_text("needs JavaScript").is_visible()
    assert page.locator("#browser").is_hidden()
    assert page.locator("#theme").is_hidden()
    page.get_by_role("button", name="Accuracy").click()
    page.locator("#method-accuracy").wait_for()


def test_a_browser_that_cannot_unpack(visitor: Visitor) -> None:
    page = visitor.visit(ONE, init="delete window.DecompressionStream;", ready=False)
    page.get_by_text("cannot unpack the items").wait_for()
    assert page.locator("#browser").is_hidden()
    assert page.locator(".tools").count() == 0


def test_a_phone(visitor: Visitor) -> None:
    page = visitor.visit(TWO, width=360, height=800)
    page.locator("#list summary").first.click()
    page.get_by_role("button", name="salience: pocket").click()
    page.locator("#list .weight").first.wait_for()
    for width in (400, 360):
        page.set_viewport_size({"width": width, "height": 800})
        assert page.evaluate("document.documentElement.scrollWidth") <= width
    # The scorecard is cards: a line is as wide as the page, its cells stand below each other.
    boxes = [cell.bounding_box() for cell in page.locator("figure.card tbody tr").first.locator("td").all()]
    lefts = {round(box["x"]) for box in boxes if box is not None}
    assert len(lefts) == 1
    page.get_by_role("button", name="Contents").click()
    page.locator("#contents").wait_for()
    assert page.evaluate("document.documentElement.scrollWidth") <= 360


@pytest.mark.parametrize(("width", "shown"), [(1280, [False, True]), (360, [True, False])])
def test_the_first_screen_is_a_picture(visitor: Visitor, width: int, shown: list[bool]) -> None:
    page = visitor.visit(ONE, width=width)
    drawings = page.locator("#opening .drawing").all()
    assert [drawing.is_visible() for drawing in drawings] == shown
    box = page.locator("#opening svg:visible").bounding_box()
    table = page.locator("table").first.bounding_box()
    assert box is not None
    assert table is not None
    assert box["y"] < 450
    assert box["y"] + box["height"] < table["y"]


def test_paper(visitor: Visitor) -> None:
    page = visitor.visit(ONE, color_scheme="dark")
    page.locator("#list summary").first.click()
    page.wait_for_selector("#list .body")
    assert page.pdf(format="A4").startswith(b"%PDF")
    page.emulate_media(media="print")
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
    assert page.evaluate("getComputedStyle(document.body).color") == "rgb(0, 0, 0)"
    for control in (".bar", ".tools", ".filters", ".pager", ".ends"):
        assert page.locator(control).first.is_hidden()
    assert page.locator("#methods").is_visible()
    assert page.locator("#list .item[open]").is_visible()
