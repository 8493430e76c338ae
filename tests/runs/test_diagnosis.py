"""The diagnosis of a run: a scorecard row per suite, coverage of translations, salience on request."""

from __future__ import annotations

import pytest

import referee
from referee.errors import UsageError
from tests.support.items import item

ITEMS = [
    item(id=f"i{number}", gold=number % 3, source=f"It was number {number}.", reference=("Er", "Sie", "Es")[number % 3])
    for number in range(12)
]
TEXTS = [each.candidates[each.gold or 0].text for each in ITEMS]


def test_a_run_of_scores() -> None:
    run = referee.score(ITEMS, scores=[1.0, 0.0, 0.0] * len(ITEMS))
    diagnosis = referee.diagnose(run)
    assert diagnosis.run is run
    assert [row.suite for row in diagnosis.scorecard] == [suite.suite for suite in diagnosis.suites] == ["items"]
    assert (diagnosis.importance, diagnosis.coverage, list(diagnosis.salience)) == ({}, {}, [])


def test_a_run_of_translations_has_coverage_where_there_are_references() -> None:
    assert list(referee.diagnose(referee.score(ITEMS, translations=TEXTS)).coverage) == ["items"]
    bare = [item(id=each.id, gold=each.gold, source=each.source) for each in ITEMS]
    assert referee.diagnose(referee.score(bare, translations=TEXTS)).coverage == {}


def test_a_limit_without_salience() -> None:
    run = referee.score(ITEMS, scores=[1.0, 0.0, 0.0] * len(ITEMS))
    with pytest.raises(UsageError, match="limit= needs salience=True"):
        referee.diagnose(run, limit=3)


def test_a_set_of_one_item_has_a_row() -> None:
    run = referee.score(ITEMS[:1], scores=[1.0, 0.0, 0.0])
    assert [row.items for row in referee.diagnose(run).scorecard] == [1]


def test_a_coding_is_that_of_the_biases() -> None:
    run = referee.score(ITEMS, scores=[1.0, 0.0, 0.0] * len(ITEMS))
    (suite,) = referee.diagnose(run, coding={"gender": ["n", "m", "f"]}).suites
    assert [(bias.feature, bias.published.coding) for bias in suite.biases] == [("gender", ["n", "m", "f"])]
    (row,) = referee.diagnose(run).scorecard
    assert (row.suite, row.items) == ("items", 12)


def test_coverage_counts_translations_not_scores() -> None:
    diagnosis = referee.diagnose(referee.score(ITEMS, translations=TEXTS))
    covered = diagnosis.coverage["items"]
    assert (covered.target_lang, covered.lines, covered.left_out) == ("de", 12, 0)
    assert referee.diagnose(referee.score(ITEMS, scores=[1.0] * 36)).coverage == {}
