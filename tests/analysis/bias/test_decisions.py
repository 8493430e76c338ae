"""Chosen against right, counted by hand."""

from __future__ import annotations

import msgspec
import pytest

from referee.analysis.accuracy import Findings, findings
from referee.analysis.bias.decisions import ChoiceRate, Decision, FeatureRates, tendencies
from referee.items import Candidate, Item
from referee.scoring.decision import contrastive
from referee.stats.groups import index_groups
from referee.stats.proportions import difference_interval
from referee.verdicts import Verdict
from tests.support.items import item

M, F, N = 0, 1, 2


def judged(number: int, gold: int, best: int | None, first: int = M) -> tuple[Item, Verdict]:
    """Three genders, two of them with a position unless `first` is none of them."""
    candidates = tuple(
        Candidate(text, {"gender": gender} | ({"position": "first" if place == first else "second"}))
        for place, (text, gender) in enumerate((("Er", "m"), ("Sie", "f"), ("Es", "n")))
    )
    made = item(id=str(number), gold=gold, candidates=candidates)
    scores = [1.0 if best is None or place == best else 0.0 for place in range(3)]
    return made, contrastive(made.id, scores, gold, higher=True)


def of(found: list[Findings], feature: str) -> FeatureRates:
    return next(each for each in found[0].tendencies if each.feature == feature)


CASES = [judged(1, M, M), judged(2, F, M), judged(3, N, M), judged(4, N, N, first=N), judged(5, F, None)]


def test_genders() -> None:
    found = of(findings("s", CASES), "gender")
    assert (found.items, found.undecided) == (4, 1)
    counts = {each.value: (each.offered, each.right, each.chosen) for each in found.values}
    assert counts == {"m": (4, 1, 3), "f": (4, 1, 0), "n": (4, 2, 1)}
    assert {each.value: each.difference for each in found.values} == {"m": 0.5, "f": -0.25, "n": -0.25}
    for each in found.values:
        assert each.interval[0] <= each.difference <= each.interval[1]


def test_positions() -> None:
    found = of(findings("s", CASES), "position")
    assert {each.value: (each.right, each.chosen) for each in found.values} == {"first": (2, 4), "second": (2, 0)}


def test_shares_of_what_was_chosen_add_up() -> None:
    found = of(findings("s", CASES), "gender")
    assert sum(each.chosen for each in found.values) == sum(each.right for each in found.values) == found.items
    assert sum(each.difference for each in found.values) == pytest.approx(0)


def test_alternatives_that_do_not_differ_say_nothing() -> None:
    """In French and Russian LM-Wino-X both fillers have the same gender."""
    same = tuple(Candidate(text, {"gender": "m"}) for text in ("le vase", "le bouquet"))
    made = item(candidates=same, gold=0)
    assert findings("s", [(made, contrastive(made.id, [1.0, 0.0], 0, higher=True))])[0].tendencies == []


def test_a_feature_that_only_one_alternative_has_says_nothing() -> None:
    some = (Candidate("a", {"gender": "m", "position": "first"}), Candidate("b", {"position": "second"}))
    made = item(candidates=some, gold=0)
    (found,) = findings("s", [(made, contrastive(made.id, [1.0, 0.0], 0, higher=True))])
    assert [each.feature for each in found.tendencies] == ["position"]


def test_items_without_gold_are_not_here() -> None:
    made, verdict = judged(1, M, F)
    bare = msgspec.structs.replace(made, gold=None)
    (found,) = findings("s", [(bare, contrastive(made.id, list(verdict.scores), None, higher=True))])
    assert found.tendencies == []
    assert found.preferences


def test_intervals_draw_groups() -> None:
    """The same counts twice; only where two items are of one group is the interval that of three groups."""
    pairs = [("a", M, M), ("a", F, M), ("b", F, F), ("c", N, M)]
    cases = [Decision("gender", ("m", "f", "n"), gold, choice, group) for group, gold, choice in pairs]
    (rates,) = tendencies([*cases, Decision("gender", ("m", "f", "n"), M, None, "d")])
    assert (rates.feature, rates.items, rates.undecided) == ("gender", 4, 1)
    groups = index_groups(["a", "a", "b", "c"])
    assert rates.values == [
        ChoiceRate("f", 4, 2, 1, -0.25, difference_interval([0.0, -1.0, 0.0, 0.0], groups)),
        ChoiceRate("m", 4, 1, 3, 0.5, difference_interval([0.0, 1.0, 0.0, 1.0], groups)),
        ChoiceRate("n", 4, 1, 0, -0.25, difference_interval([0.0, 0.0, 0.0, -1.0], groups)),
    ]


def test_a_value_is_offered_once_per_item_that_has_it() -> None:
    cases = [Decision("position", ("first", "second", "second"), 0, 1, "a"), Decision("gender", ("m", "f"), 1, 1, "b")]
    gender, position = tendencies(cases)
    assert [(rate.value, rate.offered, rate.chosen) for rate in gender.values] == [("f", 1, 1), ("m", 1, 0)]
    assert [(rate.value, rate.offered, rate.chosen) for rate in position.values] == [("first", 1, 0), ("second", 1, 1)]
