"""Scores against translations, counted by hand."""

from __future__ import annotations

import pytest

from referee.analysis.generation_agreement import Agreement, Answers, agreement
from referee.items import Candidate, Item
from referee.scoring.decision import contrastive, generative
from referee.verdicts import Verdict
from tests.support.items import item

M, F, N = 0, 1, 2


def case(number: int, gold: int | None, scored: int | None, translated: int | None) -> tuple[Item, Verdict, Verdict]:
    made = item(id=f"i{number}", gold=gold)
    values = [1.0 if scored in (None, place) else 0.0 for place in range(3)]
    correct = None if gold is None else translated == gold
    output = Verdict(item=made.id, kind="generative", correct=correct, choice=translated, output="...")
    return made, contrastive(made.id, values, gold, higher=True), output


def agreed(cases: list[tuple[Item, Verdict, Verdict]]) -> Agreement | None:
    scores, translations = Answers(), Answers()
    for made, scored, translated in cases:
        scores.add(made, scored)
        translations.add(made, translated)
    return agreement(scores, translations)


def test_counts() -> None:
    found = agreed(
        [
            case(1, M, M, M),
            case(2, M, M, F),
            case(3, M, F, M),
            case(4, M, N, N),
            case(5, M, N, F),
            case(6, None, F, F),  # no right answer, the same choice
            case(7, M, None, None),  # a tie and no alternative found: not the same
        ]
    )
    assert found is not None
    assert (found.items, found.same.count, found.same.share) == (7, 3, 3 / 7)
    right = (found.both_right, found.only_scores, found.only_translations, found.both_wrong)
    assert right == (1, 1, 1, 3)
    # m m f n n f tied against m f m n f f other: expected (2*2 + 2*3 + 2*1) / 49.
    assert found.kappa == pytest.approx((3 / 7 - 12 / 49) / (1 - 12 / 49))


def test_dropped_items_are_left_out() -> None:
    made, scored, _ = case(1, M, M, M)
    dropped = Verdict(item=made.id, kind="generative", dropped="too long")
    assert agreed([(made, scored, dropped)]) is None
    found = agreed([(made, scored, dropped), case(2, M, M, M)])
    assert found is not None
    assert found.items == 1


def test_choices_are_compared_by_gender_not_by_place() -> None:
    """In ContraPro the right alternative always comes first: by place everything would agree by chance."""
    made = item(candidates=tuple(reversed(item().candidates)))
    cases = [case(1, M, M, M), (made, contrastive("a", [1.0, 0.0, 0.0], 0, higher=True), case(1, M, M, M)[2])]
    found = agreed(cases)
    assert found is not None
    assert found.kappa == 1.0


def test_expected_forms_are_compared_by_right_and_wrong() -> None:
    made = item(expected=("er",))
    outputs = [generative("a", "...", {"paper": hit, "token": hit}) for hit in (True, False)]
    found = agreed([(made, contrastive("a", [1.0, 0.0, 0.0], M, higher=True), output) for output in outputs])
    assert found is not None
    assert (found.same.count, found.both_right, found.only_scores) == (1, 1, 1)


def test_alternatives_without_gender_are_compared_by_place() -> None:
    made = item(candidates=(Candidate("a"), Candidate("b")))
    output = Verdict(item="a", kind="generative", correct=False, choice=1, output="b")
    found = agreed([(made, contrastive("a", [0.0, 1.0], 0, higher=True), output)])
    assert found is not None
    assert found.same.count == 1
