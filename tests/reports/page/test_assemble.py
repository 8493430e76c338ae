"""Diagnosed runs to a page: every item once, flips marked, sections in order."""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path

import msgspec

from referee.perturbations import changed
from referee.reports.page.assemble import entries, page_of
from tests.support.diagnosed import ITEMS, diagnosed, gold


def test_every_item_is_there_once_and_flips_are_marked(tmp_path: Path) -> None:
    right = gold(ITEMS)
    other = [(choice + 1) % 3 if n in (3, 8) else choice for n, choice in enumerate(right)]
    gathered = entries([diagnosed(tmp_path, "one", ITEMS, right), diagnosed(tmp_path, "two", ITEMS, other)])
    assert [entry.item for entry in gathered] == ITEMS
    assert [[result.run for result in entry.results] for entry in gathered] == [[0, 1]] * 40
    assert [entry.item.id for entry in gathered if entry.flipped] == ["i3", "i8"]


def test_an_attack_that_turns_an_item_flips_it(tmp_path: Path) -> None:
    attacked = [changed(item, "x") for item in ITEMS[:3]]
    best = [*gold(ITEMS), 0, 0, 2]
    gathered = entries([diagnosed(tmp_path, "one", [*ITEMS, *attacked], best)])
    assert [entry.item.id for entry in gathered if entry.flipped] == ["i1+x"]


def test_other_content_under_the_same_id_is_another_item(tmp_path: Path) -> None:
    other = [msgspec.structs.replace(item, source="It was tired.") for item in ITEMS[:1]] + ITEMS[1:]
    gathered = entries([diagnosed(tmp_path, "one", ITEMS, gold(ITEMS)), diagnosed(tmp_path, "two", other, gold(other))])
    assert len(gathered) == 41
    assert not any(entry.flipped for entry in gathered)


def test_the_parts_of_a_page(tmp_path: Path) -> None:
    one, two = diagnosed(tmp_path, "one", ITEMS, gold(ITEMS)), diagnosed(tmp_path, "two", ITEMS, [0] * 40)
    page = page_of({"one": one, "two": two}, sizes=[10, 100])
    titles = [section.title for section in page.sections]
    assert titles == ["Comparison of runs", "All suites", "set", "Run details: one", "Run details: two"]
    compared, overview, suite, details, _ = page.sections
    assert any("better by" in cell for table in compared.tables for row in table.rows for cell in row)
    assert any("learning curve" in chart.title.lower() for chart in overview.charts)
    drawn = [chart.title.lower() for chart in suite.charts]
    for what in ("accuracy by label", "chosen and correct values", "accuracy by distance"):
        assert any(what in title for title in drawn), drawn
    assert {table.title.partition(":")[0] for table in (*suite.tables, *suite.details)} == {"one", "two"}
    assert any("chosen against expected" in table.title for table in suite.details)
    assert details.command == "referee eval one"
    assert details.signature == one.run.info.signature


def test_the_same_judge_is_not_compared_with_itself(tmp_path: Path) -> None:
    one = diagnosed(tmp_path, "one", ITEMS, gold(ITEMS))
    assert "Comparison of runs" not in [section.title for section in page_of({"a": one, "b": one}).sections]


def test_no_file_is_read(tmp_path: Path) -> None:
    one = diagnosed(tmp_path, "one", ITEMS, gold(ITEMS))
    expected = page_of({"one": one})
    shutil.rmtree(tmp_path / "one")
    assert page_of({"one": one}) == expected


def test_the_findings_of_the_run_are_shown_as_they_are(tmp_path: Path) -> None:
    one = diagnosed(tmp_path, "one", ITEMS, gold(ITEMS))
    assert one.run.findings[0].overall is not None
    overall = msgspec.structs.replace(one.run.findings[0].overall, accuracy=0.123)
    planted = replace(one.run, findings=[msgspec.structs.replace(one.run.findings[0], overall=overall)])
    suite = next(section for section in page_of({"one": replace(one, run=planted)}).sections if section.title == "set")
    assert any("12.3" in cell for table in suite.tables for row in table.rows for cell in row)


def test_titles(tmp_path: Path) -> None:
    one, two = diagnosed(tmp_path, "one", ITEMS, gold(ITEMS)), diagnosed(tmp_path, "two", ITEMS, gold(ITEMS))
    assert page_of({"one": one}).title == "Evaluation of scores:one.scores"
    assert page_of({"a": one, "b": two, "c": one}).title == "Evaluation of scores:one.scores, scores:two.scores"
    assert page_of({"one": one}, "My title").title == "My title"
