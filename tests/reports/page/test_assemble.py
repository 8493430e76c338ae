"""Runs to a page: every item once, who flipped, which runs belong to one card, which charts there are."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from referee import sets
from referee.items import Candidate, Item
from referee.models.files import ScoreFile
from referee.perturbations import changed
from referee.reports.page.assemble import entries, page_of
from referee.reports.page.sections import lead, scorecards
from referee.runs.diagnosis import Diagnosis, diagnose
from referee.runs.job import carry_out
from referee.runs.run import read_run
from tests.support.items import item
from tests.support.jobs import job

ITEMS = [item(id=f"i{n}", group=f"g{n // 2}", gold=n % 3, label="ab"[n % 2], distance=n % 3) for n in range(40)]


def run(folder: Path, name: str, items: list[Item], best: list[int], *, suite: str = "set") -> Diagnosis:
    """A run in which item n is judged to have best[n]."""
    scores = folder / f"{name}.scores"
    places = range(len(items[0].candidates))
    scores.write_text("".join(f"{float(place == choice)}\n" for choice in best for place in places))
    challenge = sets.of_items(suite, items)
    request = job(f"scores:{name}.scores", ScoreFile(scores), [challenge], command=["referee", "eval", name])
    carry_out(request, folder / name)
    return diagnose(read_run(folder / name))


def gold(items: list[Item]) -> list[int]:
    return [each.gold or 0 for each in items]


def test_every_item_is_there_once_and_flips_are_marked(tmp_path: Path) -> None:
    right = gold(ITEMS)
    other = [(choice + 1) % 3 if n in (3, 8) else choice for n, choice in enumerate(right)]
    found = entries([run(tmp_path, "one", ITEMS, right), run(tmp_path, "two", ITEMS, other)])
    assert [entry.item for entry in found] == ITEMS
    assert [[result.run for result in entry.results] for entry in found] == [[0, 1]] * 40
    assert [entry.item.id for entry in found if entry.flipped] == ["i3", "i8"]


def test_an_attack_that_turns_an_item_flips_it(tmp_path: Path) -> None:
    attacked = [changed(each, "x") for each in ITEMS[:3]]
    best = [*gold(ITEMS), 0, 0, 2]
    found = entries([run(tmp_path, "one", [*ITEMS, *attacked], best)])
    assert [entry.item.id for entry in found if entry.flipped] == ["i1+x"]


def test_other_content_under_the_same_id_is_another_item(tmp_path: Path) -> None:
    changed = [msgspec.structs.replace(each, source="It was tired.") for each in ITEMS[:1]] + ITEMS[1:]
    found = entries([run(tmp_path, "one", ITEMS, gold(ITEMS)), run(tmp_path, "two", changed, gold(changed))])
    assert len(found) == 41
    assert not any(entry.flipped for entry in found)


def test_runs_of_one_judge_are_one_card(tmp_path: Path) -> None:
    one, two = run(tmp_path, "one", ITEMS, gold(ITEMS)), run(tmp_path, "two", ITEMS, [0] * 40)
    again = run(tmp_path, "one", ITEMS, gold(ITEMS))
    shown = scorecards({"a": one, "b": two, "c": again})
    assert [(card.title, len(card.rows)) for card in shown] == [("scores:one.scores", 1), ("scores:two.scores", 1)]
    assert lead(scorecards({"a": one})).startswith("Above chance on 1 of 1 suites. Group score above chance on 1 of 1.")
    assert lead(scorecards({"a": one, "b": two})).startswith("scores:one.scores: Above chance on 1 of 1")


def test_the_parts_of_a_page(tmp_path: Path) -> None:
    one, two = run(tmp_path, "one", ITEMS, gold(ITEMS)), run(tmp_path, "two", ITEMS, [0] * 40)
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
    one = run(tmp_path, "one", ITEMS, gold(ITEMS))
    assert "Comparison of runs" not in [section.title for section in page_of({"a": one, "b": one}).sections]


@pytest.mark.parametrize(("unseen", "hatched"), [([], False), (["qu"], True)])
def test_languages_of_one_family_are_one_chart(tmp_path: Path, unseen: list[str], *, hatched: bool) -> None:
    runs = {}
    for language in ("it", "qu", "th"):
        items = [
            Item(
                id=f"x{n}",
                task="choose",
                source_lang=language,
                target_lang=language,
                source="a",
                candidates=(Candidate("b"), Candidate("c")),
                gold=n % 2,
            )
            for n in range(10)
        ]
        runs[language] = run(tmp_path, language, items, [0] * 10, suite=f"made/{language}/test")
    overview = next(section for section in page_of(runs, unseen=unseen).sections if section.title == "All suites")
    (chart,) = [chart for chart in overview.charts if chart.title == "made/*/test: accuracy by language"]
    assert ("pattern" in chart.svg) is hatched
    assert all(f">{language}<" in chart.svg for language in runs)
