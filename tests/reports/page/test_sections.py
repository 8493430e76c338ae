"""Sections of a page: which runs share a scorecard, what a suite shows, which charts compare suites."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import msgspec
import pytest

import referee
from referee.analysis.diagnosis import SuiteDiagnosis
from referee.analysis.salience.record import Salience
from referee.items import Candidate, Item
from referee.reports.charts import most_rows
from referee.reports.page.sections import (
    MOST_DRAWN,
    by_suite,
    failing_steps,
    lead,
    opening,
    overview_section,
    run_section,
    scorecards,
    step_sections,
    suite_details,
    suite_sections,
    suite_tables,
)
from referee.runs.diagnosis import Diagnosis, diagnose
from referee.sets import of_items
from tests.support.diagnosed import ITEMS, diagnosed, gold


@pytest.fixture(scope="module")
def one(tmp_path_factory: pytest.TempPathFactory) -> Diagnosis:
    return diagnosed(tmp_path_factory.mktemp("one"), "one", ITEMS, gold(ITEMS))


def test_runs_of_one_model_share_a_scorecard(tmp_path: Path) -> None:
    one, two = diagnosed(tmp_path, "one", ITEMS, gold(ITEMS)), diagnosed(tmp_path, "two", ITEMS, [0] * 40)
    again = diagnosed(tmp_path, "one", ITEMS, gold(ITEMS))
    shown = scorecards({"a": one, "b": two, "c": again})
    assert [(card.title, len(card.rows)) for card in shown] == [("scores:one.scores", 1), ("scores:two.scores", 1)]
    assert lead(scorecards({"a": one})) == "Accuracy is above chance on 1 of 1 suites, the group score on 1 of 1."
    assert lead(scorecards({"a": one, "b": two})) == (
        "Accuracy is above chance on 1 of 1 suites for scores:one.scores, on 0 of 1 (1 inconclusive) "
        "for scores:two.scores."
    )


def test_a_page_names_the_first_step_that_fails() -> None:
    names = ("markable", "verb-overlap", "object-overlap", "gender")
    sets = [of_items(name, list(referee.templates("de", name))[::16]) for name in names]
    golds = {(one.source, one.source_context[0]): one.gold for of_set in sets for one in of_set}

    def score(source: str, candidates: list[str], context: list[str]) -> list[float]:
        """Knows all but overlap, where it always takes the masculine."""
        correct = 0 if "ate" in context[0] or "drank" in context[0] else golds[source, context[0]]
        return [float(index == correct) for index in range(len(candidates))]

    sentence = "First step that fails: coreference (overlap 35.7%, below chance)."
    run = referee.evaluate(score, *sets, context=1)
    cards = scorecards({"a": diagnose(run)})
    assert failing_steps(cards) == sentence
    assert [row.suite for row in cards[0].rows] == [*names, "de/overlap (pooled)"]
    (section,) = step_sections(cards)
    assert section.title == "Steps of pronoun translation"
    assert section.tables[0].note == sentence
    # Two runs of the model on two sets each say the same; a set in both counts once.
    first, second = referee.evaluate(score, *sets[:3], context=1), referee.evaluate(score, *sets[2:], context=1)
    (card,) = scorecards({"b": diagnose(first), "c": diagnose(second)})
    assert [outcome.parts[1].findings.overall for outcome in card.steps] == [
        outcome.parts[1].findings.overall for outcome in cards[0].steps
    ]
    page = referee.report(run)
    assert page.finding == sentence
    # The page opens with one sentence, and says this one once before the sections.
    assert lead(cards).count(". ") == 0
    html = page.html()
    assert section.title in html
    assert html[: html.index('class="part"')].count(sentence) == 1


def test_scorecards_name_the_settings_that_differ(tmp_path: Path, one: Diagnosis) -> None:
    info = one.run.info
    inputs = msgspec.structs.replace(info.inputs, settings={**info.inputs.settings, "context": "3"})
    other = replace(one, run=replace(one.run, info=msgspec.structs.replace(info, inputs=inputs)))
    first, second = (card.title for card in scorecards({"a": one, "b": other}))
    assert first.startswith("scores:one.scores")
    assert second == "scores:one.scores (context 3)"


def test_results_by_suite(one: Diagnosis) -> None:
    ours = Salience("set", "i0", "er", 0.5, ())
    other = Salience("elsewhere", "i0", "er", 0.5, ())
    results = by_suite(replace(one, salience=[ours, other]))
    assert list(results) == ["set"]
    assert results["set"].saliences == [ours]
    assert results["set"].findings == list(one.run.findings)
    assert results["set"].primary == one.run.findings[0]
    assert results["set"].diagnoses == list(one.suites)


def test_titles_name_the_run_where_there_are_several(one: Diagnosis) -> None:
    result = by_suite(one)["set"]
    alone = [table.title for table in suite_tables({"a": result}) + suite_details({"a": result})]
    both = [table.title for table in suite_tables({"a": result, "b": result})]
    assert not any(title.startswith("a: ") for title in alone)
    assert {title[:3] for title in both} == {"a: ", "b: "}


def test_only_the_first_suites_are_drawn(one: Diagnosis) -> None:
    names = [f"set {number}" for number in range(MOST_DRAWN + 2)]
    many = replace(
        one,
        suites=[replace_suite(one, name) for name in names],
        run=replace(
            one.run,
            findings=[msgspec.structs.replace(one.run.findings[0], suite=name) for name in names],
        ),
    )
    sections = list(suite_sections({"one": many}))
    assert [section.title for section in sections] == names
    assert [bool(section.charts) for section in sections] == [True] * MOST_DRAWN + [False] * 2


def replace_suite(diagnosis: Diagnosis, name: str) -> SuiteDiagnosis:
    return msgspec.structs.replace(diagnosis.suites[0], suite=name)


def test_a_page_opens_with_a_chart_of_all_suites(one: Diagnosis) -> None:
    chart = opening({"one": one, "two": one})
    assert chart is not None
    assert chart.title == "Accuracy and group score by suite"
    assert all(f">{word}<" in chart.wide for word in ("set", "one", "two"))
    overview = overview_section({"one": one})
    assert overview is not None
    assert "Accuracy and group score by suite" not in [chart.title for chart in overview.charts]


def test_suites_that_share_a_row_have_one_each_below(one: Diagnosis) -> None:
    names = [f"family/set {number}" for number in range(most_rows(1) + 1)]
    many = replace(
        one,
        suites=[replace_suite(one, name) for name in names],
        run=replace(one.run, findings=[msgspec.structs.replace(one.run.findings[0], suite=name) for name in names]),
    )
    first, overview = opening({"one": many}), overview_section({"one": many})
    assert first is not None
    assert first.title == "Accuracy and group score by family of suites"
    assert overview is not None
    assert overview.charts[0].title == "Accuracy and group score by suite"


def test_run_details(one: Diagnosis) -> None:
    section = run_section("mine", one)
    assert section.title == "Run details: mine"
    assert section.command == "referee eval one"
    (table,) = section.tables
    assert ("model", "scores:one.scores") in table.rows


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
        runs[language] = diagnosed(tmp_path, language, items, [0] * 10, suite=f"made/{language}/test")
    overview = overview_section(runs, unseen)
    assert overview is not None
    (chart,) = [chart for chart in overview.charts if chart.title == "made/*/test: accuracy by language"]
    assert ("pattern" in chart.svg) is hatched
    assert all(f">{language}<" in chart.svg for language in runs)
