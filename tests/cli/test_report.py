from __future__ import annotations

import re
from pathlib import Path

import pytest

from referee import sets
from referee.items import Candidate
from tests.cli.test_compare import twins, write_scores
from tests.conftest import Command
from tests.support.browser import Visitor
from tests.support.items import item


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, referee: Command) -> Path:
    """Two runs on 60 twins; the current folder."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("REFEREE_DATA", str(tmp_path / "data"))
    items = twins(60)
    sets.save(items, tmp_path / "x.jsonl")
    for name, rate, seed in (("old", 0.5, 1), ("new", 0.9, 2)):
        write_scores(tmp_path / f"{name}.scores", items, rate, seed)
        assert referee("eval", f"scores:{name}.scores", "x.jsonl", "--out", name).code == 0
    return tmp_path


def headings(page: str) -> list[str]:
    return re.findall(r"<h2[^>]*>\s*(?:<[^>]*>)*([^<]+)", page)


def test_one_run(folder: Path, referee: Command) -> None:
    outcome = referee("report", "old", "--out", "page.html")
    assert (outcome.code, outcome.out) == (0, "")
    assert re.fullmatch(r"Report written to page\.html \(\d\.\d MB\)\.\n", outcome.err)
    page = (folder / "page.html").read_text("utf-8")
    assert "<title>Evaluation of scores:old.scores</title>" in page
    assert headings(page) == ["Scorecard", "All suites", "x.jsonl", "Run details: old", "Items", "Methods"]
    assert "referee eval scores:old.scores x.jsonl --out old" in page
    assert "<svg" in page


def test_two_runs_are_compared(folder: Path, referee: Command) -> None:
    assert referee("report", "old", "new", "--out", "page.html", "--title", "Old & new").code == 0
    page = (folder / "page.html").read_text("utf-8")
    assert "<title>Old &amp; new</title>" in page
    assert headings(page)[:2] == ["Scorecard", "Comparison of runs"]
    assert "B is better by" in page


def test_learning_curves_and_tables(folder: Path, referee: Command) -> None:
    outcome = referee("report", "old", "new", "--out", "page.html", "--sizes", "100,1000", "--tables", "tables")
    assert outcome.code == 0, outcome.err
    assert "learning curve" in (folder / "page.html").read_text("utf-8")
    assert re.search(r"\d+ tables written to tables\.\n", outcome.err)
    kinds = {path.suffix for path in (folder / "tables").iterdir()}
    assert kinds == {".csv", ".tex", ".json"}


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("old", "--out", "page.pdf"), "page.pdf: '.pdf' is not a page format. Choose a name such as *.html"),
        (("old", "old", "--out", "page.html"), "a run is given twice"),
        (
            ("old", "new", "--out", "page.html", "--sizes", "100"),
            "--sizes: expected 2 numbers, one per run, but found 1",
        ),
        (("old", "--out", "page.html", "--sizes", "many"), "--sizes: 'many' is not a list of whole numbers"),
        (("x.jsonl", "--out", "page.html"), "x.jsonl: is not a run folder"),
    ],
)
def test_what_cannot_be_done_is_said(folder: Path, referee: Command, arguments: tuple[str, ...], words: str) -> None:
    outcome = referee("report", *arguments)
    assert outcome.code in (1, 2)
    assert words in outcome.err
    assert len(outcome.err.splitlines()) == 1
    assert not (folder / "page.html").exists()


def test_runs_of_the_same_last_name_are_told_apart(folder: Path, referee: Command) -> None:
    (folder / "other").mkdir()
    (folder / "new").rename(folder / "other" / "old")
    assert referee("report", "old", "other/old", "--out", "page.html").code == 0
    assert "Run details: other/old" in (folder / "page.html").read_text("utf-8")


TRAPS = (
    "<script>window.hacked = 1</script>",
    "</script><img src=x onerror='window.hacked=1'>",
    "\u202eright to left \u05de\u05d6\u05dc",
    '"><svg onload=window.hacked=1>',
    "{{ 7 * 7 }} ${7*7}",
    "$x^2$ & <b>",
)


def test_a_set_full_of_traps_makes_a_page_like_any_other(folder: Path, referee: Command, visitor: Visitor) -> None:
    """From a file of items through `eval` to a page in a browser; charts, tables and items name what is in it."""
    items = [
        item(
            id=f"{trap} {number}",
            source=f"It was {trap}.",
            source_context=(trap,),
            label=trap,
            group=f"{trap} {number // 2}",
            features={"clause": trap},
            gold=number % 2,
            candidates=tuple(
                Candidate(f"{trap} {place}", {"gender": trap, "position": place}) for place in ("a", trap)
            ),
        )
        for number, trap in enumerate(TRAPS * 6)
    ]
    sets.save(items, folder / "traps.jsonl")
    (folder / "traps.scores").write_text("".join(f"{number % 5}\n" for number in range(2 * len(items))))
    assert referee("eval", "scores:traps.scores", "traps.jsonl", "--out", "traps").code == 0
    assert referee("report", "traps", "--title", TRAPS[1], "--out", "page.html").code == 0
    page = visitor.visit((folder / "page.html").read_text("utf-8"))
    assert page.evaluate("window.hacked") is None
    assert page.inner_text("#count") == f"{len(items)} items"
    assert page.locator("h2").all_inner_texts()[-2:] == ["Items", "Methods"]
    page.fill("#find", "onerror")
    page.wait_for_function("(all) => parseInt(document.querySelector('#count').textContent) < all", arg=len(items))
    shown = page.locator("#list details").first
    shown.locator("summary").click()
    shown.locator(".body").wait_for()
    assert TRAPS[1] in shown.inner_text()
    assert page.evaluate("window.hacked") is None
