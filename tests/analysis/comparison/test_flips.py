from __future__ import annotations

import pytest

from referee.analysis.comparison.flips import Flip, flips
from referee.analysis.comparison.pairing import shared
from referee.scoring.decision import contrastive, generative
from referee.verdicts import Judged
from tests.support.items import item

Scores = tuple[float, float, float]


def flipped(base: list[Scores], other: list[Scores], *, higher: bool = True) -> list[Flip]:
    """The first of three candidates is right."""
    items = [item(id=f"i{number}") for number in range(len(base))]
    first, second = (
        Judged("x", "contrastive", items, [contrastive(f"i{n}", s, 0, higher=higher) for n, s in enumerate(scores)])
        for scores in (base, other)
    )
    return list(flips(shared(first, second), None))


def test_only_what_flipped() -> None:
    right, wrong, tied = (3.0, 1.0, 0.0), (0.0, 1.0, 4.0), (2.0, 2.0, 0.0)
    found = flipped([right, right, wrong, tied, tied, wrong], [right, wrong, right, right, wrong, tied])
    assert [(flip.item, flip.direction) for flip in found] == [
        ("i1", "correct to incorrect"),
        ("i2", "incorrect to correct"),
        ("i3", "incorrect to correct"),
    ]
    one = found[0]
    assert (one.source, one.candidates[0], one.gold) == ("It was hungry.", "Er war hungrig.", 0)
    assert (one.base.choice, one.base.scores, one.base.margin) == (0, right, 2.0)
    assert (one.other.choice, one.other.scores, one.other.margin) == (2, wrong, -4.0)
    assert (found[2].base.choice, found[2].base.tied, found[2].base.margin) == (None, True, 0.0)


def test_margins_where_low_scores_are_good() -> None:
    (one,) = flipped([(1.0, 3.0, 9.0)], [(5.0, 3.0, 9.0)], higher=False)
    assert (one.base.margin, one.other.margin) == (2.0, -2.0)


def test_changes_are_in_units_of_each_run() -> None:
    """The second run says the same as the first, on a scale a hundred times as large, but for the last item."""
    base = [(4.0, 0.0, 0.0), (2.0, 0.0, 0.0), (3.0, 0.0, 0.0)]
    other = [(400.0, 0.0, 0.0), (200.0, 0.0, 0.0), (0.0, 300.0, 0.0)]
    (one,) = flipped(base, other)
    assert one.change == pytest.approx(-2.0)


def test_margins_that_are_all_zero() -> None:
    (one,) = flipped([(1.0, 1.0, 1.0)], [(1.0, 0.0, 0.0)])
    assert one.change == pytest.approx(1.0)


def test_translations_have_no_margin() -> None:
    items = [item(expected=("er",), candidates=(), gold=None)]
    first = Judged("x", "generative", items, [generative("a", "Er war da.", {"paper": True, "token": True})])
    second = Judged("x", "generative", items, [generative("a", "Es war da.", {"paper": False, "token": True})])
    both = shared(first, second)
    (one,) = flips(both, "paper")
    assert (one.rule, one.direction, one.change) == ("paper", "correct to incorrect", None)
    assert (one.base.output, one.other.output, one.expected) == ("Er war da.", "Es war da.", ("er",))
    assert list(flips(both, "token")) == []


@pytest.mark.parametrize(
    ("gold", "scores", "higher", "margin", "change"),
    [
        (0, (3.0, 1.0, 2.0), True, 1.0, -2.0),
        (1, (3.0, 1.0, 2.0), True, -2.0, 2.0),
        (2, (3.0, 1.0, 2.0), True, -1.0, 2.0),
        (2, (3.0, 1.0, 2.0), False, -1.0, 2.0),
        (1, (3.0, 1.0, 2.0), False, 1.0, -2.0),
        (2, (2.0, 5.0, 5.0), True, 0.0, 1.0),
    ],
)
def test_margins_are_to_the_best_incorrect_candidate(
    gold: int, scores: Scores, higher: bool, margin: float, change: float
) -> None:
    """The other run has the item correct by one where this one does not, and incorrect by one where it does."""
    one = item(gold=gold)
    verdict = contrastive("a", scores, gold, higher=higher)
    opposite = [float(index == (gold + bool(verdict.correct)) % 3) for index in range(3)]
    first = Judged("x", "contrastive", [one], [verdict])
    second = Judged("x", "contrastive", [one], [contrastive("a", opposite, gold, higher=True)])
    (flip,) = flips(shared(first, second), None)
    assert flip.base.margin == margin
    assert flip.other.margin == (-1.0 if verdict.correct else 1.0)
    assert flip.change == change
