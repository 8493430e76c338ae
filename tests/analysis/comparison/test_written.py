"""What two runs wrote on the same items."""

from __future__ import annotations

from referee.analysis.comparison.compare import compare
from referee.analysis.comparison.pairing import shared
from referee.analysis.comparison.written import written_changes
from tests.support.addressed import addressed, mostly, translated
from tests.support.judged_sets import first, judged, twins

ITEMS = addressed(210)
FORMAL, INFORMAL = translated("t", ITEMS, mostly("formal")), translated("t", ITEMS, mostly("informal"))


def test_both_confusions_are_on_the_shared_items() -> None:
    other = translated("t", ITEMS[:105], mostly("informal"))
    (change,) = written_changes(shared(FORMAL, other).with_gold)
    assert (change.base.items, change.other.items) == (105, 105)
    assert change.base.rows[1].written["formal"] > 0 == change.other.rows[1].written["formal"]


def test_a_comparison_has_it_once() -> None:
    paper, token = compare([FORMAL], [INFORMAL])
    (change,) = paper.written
    assert change.base.bias is not None and change.other.bias is not None
    assert (change.base.bias.biased_towards, change.other.bias.biased_towards) == ("formal", "informal")
    assert token.written == []


def test_scores_write_nothing() -> None:
    scored = judged("t", twins(10), first)
    (comparison,) = compare([scored], [scored])
    assert comparison.written == []
