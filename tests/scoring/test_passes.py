"""A pass over a set: what need not be judged is skipped."""

from __future__ import annotations

from referee.models.files import ScoreList
from referee.scoring.from_files import contrasting
from referee.scoring.passes import Pass
from referee.verdicts import Verdict
from tests.support.items import item

ITEMS = [item(id=name) for name in "abc"]


def test_a_model_that_computes_need_not_be_told_of_skipped_items() -> None:
    scoring = Pass(lambda items, _: [Verdict(item=each.id, kind="contrastive") for each in items])
    scoring.skip(ITEMS[:2])
    assert [verdict.item for verdict in scoring.evaluate(ITEMS[2:], lambda _: None)] == ["c"]


def test_scores_of_skipped_items_are_passed_over() -> None:
    scores = ScoreList((3.0, 1.0, 1.0, 1.0, 3.0, 1.0, 1.0, 1.0, 3.0), "higher")
    scoring = contrasting(scores.scores(9), higher=True)
    assert [verdict.choice for verdict in scoring.evaluate(ITEMS[:1], lambda _: None)] == [0]
    scoring.skip(ITEMS[1:2])
    assert [verdict.choice for verdict in scoring.evaluate(ITEMS[2:], lambda _: None)] == [2]
