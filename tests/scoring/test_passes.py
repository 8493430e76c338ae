"""A pass over a set: what need not be judged is skipped."""

from __future__ import annotations

from referee.models.files import ScoreList
from referee.scoring.from_files import contrasting
from referee.scoring.passes import Judge
from referee.verdicts import Verdict
from tests.support.items import item

ITEMS = [item(id=name) for name in "abc"]


def test_a_model_that_computes_need_not_be_told_of_skipped_items() -> None:
    judge = Judge(lambda items, _: [Verdict(item=each.id, kind="contrastive") for each in items])
    judge.skip(ITEMS[:2])
    assert [verdict.item for verdict in judge.judge(ITEMS[2:], lambda _: None)] == ["c"]


def test_scores_of_skipped_items_are_passed_over() -> None:
    scores = ScoreList((3.0, 1.0, 1.0, 1.0, 3.0, 1.0, 1.0, 1.0, 3.0), "higher")
    judge = contrasting(scores.scores(9), higher=True)
    assert [verdict.choice for verdict in judge.judge(ITEMS[:1], lambda _: None)] == [0]
    judge.skip(ITEMS[1:2])
    assert [verdict.choice for verdict in judge.judge(ITEMS[2:], lambda _: None)] == [2]
