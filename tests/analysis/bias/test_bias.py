"""Bias beyond what was published: what is expected, which way it goes, how sure that is, and what is said."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from referee.analysis.bias.bias import Bias, biases
from referee.analysis.bias.decisions import Decision
from tests.support.simulated_models import POSITION, SimulatedModel


def bias_of(model: SimulatedModel, seed: int = 1) -> Bias:
    (found,) = biases(model.decide(np.random.default_rng(seed)))
    return found


@pytest.mark.parametrize(
    ("model", "value"),
    [
        (SimulatedModel(leans={"n": 0.5}), "n"),
        (SimulatedModel(leans={"m": 0.5}, candidates=3), "m"),
        (SimulatedModel(leans={"f": 0.6}, accuracy=0.9), "f"),
        (SimulatedModel(leans={"first": 0.4}, values=POSITION, feature="position"), "first"),
        (SimulatedModel(leans={"second": 1.0}, values=POSITION, feature="position"), "second"),
        (SimulatedModel(leans={"x": 0.5}, values=("x", "y")), "x"),
    ],
)
def test_a_planted_bias_is_found_with_its_direction(model: SimulatedModel, value: str) -> None:
    found = bias_of(model)
    assert found.p < 0.05
    assert (found.outcome, found.biased_towards, found.more_groups) == ("biased", value, None)
    (own,) = [each for each in found.values if each.value == value]
    assert 0 < own.interval[0] <= own.difference <= own.interval[1]


def test_the_sign_follows_the_coding() -> None:
    cases = SimulatedModel(leans={"n": 0.5}).decide(np.random.default_rng(1))
    (as_published,) = biases(cases)
    (reversed_,) = biases(cases, {"gender": ("n", "m", "f")})
    assert as_published.published.coding == ["f", "m", "n"]
    assert reversed_.published.coding == ["n", "m", "f"]
    assert as_published.published.rbc == pytest.approx(-reversed_.published.rbc)
    assert as_published.published.rbc > 0.2
    assert as_published.published.p == pytest.approx(reversed_.published.p)
    # What needs no coding does not depend on it.
    assert as_published.p == pytest.approx(reversed_.p)
    assert as_published.cramers_v == pytest.approx(reversed_.cramers_v)
    assert as_published.biased_towards == reversed_.biased_towards


def test_a_bias_that_the_coding_hides_is_found() -> None:
    """With masculine between the two others a leaning to it has no direction in numbers."""
    found = bias_of(SimulatedModel(groups=400, leans={"m": 0.5}))
    assert found.published.size == "negligible"
    assert (found.biased_towards, found.size) == ("m", "medium")


def test_values_that_the_coding_does_not_name_follow_by_name() -> None:
    cases = [Decision("gender", ("u", "f", "c", "m"), 0, number % 4, str(number)) for number in range(40)]
    (found,) = biases(cases)
    assert found.published.coding == ["f", "m", "c", "u"]


def test_nothing_is_found_where_nothing_is() -> None:
    few = bias_of(SimulatedModel(groups=40))
    assert (few.outcome, few.biased_towards) == ("inconclusive", None)
    assert few.more_groups is not None
    many = bias_of(SimulatedModel(groups=4000))
    assert many.size == "negligible"
    assert (many.outcome, many.biased_towards, many.more_groups) == ("none", None, None)
    assert all(-0.05 < value.interval[0] < value.interval[1] < 0.05 for value in many.values)


def unbalanced(count: int, accuracy: float, seed: int = 4) -> list[Decision]:
    """Masculine is right in four of five items; the model is as often right with either."""
    rng = np.random.default_rng(seed)
    right = rng.random(count) < accuracy
    golds = rng.random(count) < 0.2
    return [
        Decision("gender", ("m", "f"), int(gold), int(gold) if hit else 1 - int(gold), str(number))
        for number, (gold, hit) in enumerate(zip(golds, right, strict=True))
    ]


def test_a_good_model_of_an_uneven_set_has_no_bias() -> None:
    """It chooses what is right, and that is mostly masculine: the published measure calls this a large bias."""
    (found,) = biases(unbalanced(4000, 0.9))
    assert found.published.size == "large"
    assert found.published.p < 1e-9
    assert found.published.rbc == pytest.approx(found.published.rbc_expected, abs=0.03)
    assert (found.biased_towards, found.size) == (None, "negligible")
    for each in found.values:
        assert each.interval[0] < 0 < each.interval[1]


def test_what_is_expected_differs_from_what_is_right_in_an_uneven_set() -> None:
    cases = [replace(case, choice=0) for case in unbalanced(1000, 0.9)]
    (found,) = biases(cases)
    masculine = next(each for each in found.values if each.value == "m")
    share = sum(case.gold == 0 for case in cases) / 1000
    # Always masculine is right in so many, and by this accuracy a part of the wrong ones would be masculine too.
    assert masculine.expected_share == pytest.approx(share * share + (1 - share) * (1 - share))


def test_expected_by_hand() -> None:
    """Right in two of four; of the two wrong alternatives each is as likely."""
    values = ("f", "m", "n")
    cases = [
        Decision("gender", values, 0, 0, "a"),
        Decision("gender", values, 0, 1, "b"),
        Decision("gender", values, 1, 1, "c"),
        Decision("gender", values, 2, 1, "d"),
        Decision("gender", values, 2, None, "e"),
    ]
    (found,) = biases(cases)
    assert (found.items, found.undecided, found.groups, found.accuracy) == (4, 1, 4, 0.5)
    assert [(each.offered, each.right, each.chosen) for each in found.values] == [(4, 2, 1), (4, 1, 3), (4, 1, 0)]
    # An error is any of two: a value that is taken in one of two items where it is incorrect is taken as often as all.
    assert [(value.taken, value.left) for value in found.values] == [(0.0, 0.5), (4 / 3, 0.0), (0.0, 1.0)]
    rates = [(0, 0.5), (4 / 3, 0), (0, 1)]
    scales = [1.5 * right * (4 - right) / 16 for right in (2, 1, 1)]
    differences = [scale * (taken - left) for scale, (taken, left) in zip(scales, rates, strict=True)]
    assert [value.difference for value in found.values] == pytest.approx(differences)
    assert [value.chosen_share - value.expected_share for value in found.values] == pytest.approx(differences)
    assert found.outcome == "inconclusive"
    assert found.biased_towards is None
    assert found.more_groups is not None
    assert found.more_groups >= 6


def test_two_candidates_of_the_same_value_are_twice_as_likely() -> None:
    """As in the 31 items of ContraPro with four candidates: an error falls on masculine in two of three cases."""
    cases = [Decision("gender", ("n", "f", "m", "m"), 0, choice, str(choice)) for choice in (1, 2, 3)]
    (found,) = biases(cases)
    assert [value.offered for value in found.values] == [3, 6, 3]
    assert {value.value: value.taken for value in found.values} == {"f": 1.0, "m": 1.0, "n": None}


def test_a_model_without_errors_is_unbiased_only_if_there_are_enough_groups() -> None:
    few, many = (bias_of(SimulatedModel(groups=groups, accuracy=1.0, values=POSITION, feature="position"))
                 for groups in (20, 60))  # fmt: skip
    assert (few.outcome, many.outcome) == ("inconclusive", "none")
    assert few.more_groups is not None
    assert 12 <= few.more_groups <= 25


def test_one_value_that_is_always_correct_cannot_be_assessed() -> None:
    cases = [Decision("gender", ("m", "f"), 0, number % 2, str(number)) for number in range(40)]
    (found,) = biases(cases)
    assert (found.outcome, found.biased_towards, found.more_groups) == ("unassessed", None, None)


def test_a_model_that_errs_evenly_has_no_bias() -> None:
    """One of two twins is correct, in each group once with either gender: the errors tell nothing apart."""
    cases = [
        Decision("gender", ("m", "f"), gold, choice, str(group))
        for group in range(200)
        for gold, choice in ((0, 0), (1, 1), (0, 1), (1, 0))
    ]
    (found,) = biases(cases)
    assert (found.outcome, found.p) == ("none", 1.0)


@pytest.mark.parametrize("rare", [0.02, 0.05, 0.1])
def test_a_rare_gold_value_is_no_bias(rare: float) -> None:
    """Hotelling's test found one in 46 to 52% of such sets; here at most 5%, 13 of 200 by the binomial at 99%."""
    rng = np.random.default_rng(7)
    alarms = 0
    for _ in range(200):
        golds = (rng.random(200) < rare).astype(int)
        hits = rng.random(200) < 0.8
        cases = [
            Decision("gender", ("m", "f"), int(gold), int(gold if hit else 1 - gold), str(number))
            for number, (gold, hit) in enumerate(zip(golds, hits, strict=True))
        ]
        alarms += biases(cases)[0].outcome == "biased"
    assert alarms <= 13


def test_under_ten_groups_nothing_is_claimed() -> None:
    cases = [Decision("gender", ("m", "f"), gold, 0, str(group)) for group in range(9) for gold in (0, 1)]
    (found,) = biases(cases)
    assert (found.outcome, found.more_groups) == ("inconclusive", 1)
    (more,) = biases([*cases, *(Decision("gender", ("m", "f"), gold, 0, "9") for gold in (0, 1))])
    assert (more.outcome, more.biased_towards) == ("biased", "m")


def test_a_feature_in_which_nothing_was_decided_is_left_out() -> None:
    assert biases([Decision("gender", ("m", "f"), 0, None, "a")]) == []
    assert biases([]) == []


def test_both_features() -> None:
    rng = np.random.default_rng(1)
    cases = SimulatedModel().decide(rng) + SimulatedModel(
        values=POSITION, feature="position", leans={"first": 0.5}
    ).decide(rng)
    assert [(each.feature, each.biased_towards) for each in biases(cases)] == [("gender", None), ("position", "first")]


def test_two_features_are_corrected_for_each_other() -> None:
    """The scorecard shows the worse of the two, so each has half of the level."""
    cases = SimulatedModel(groups=60, values=("f", "m"), leans={"f": 0.2}).decide(np.random.default_rng(3))
    (alone,) = biases(cases)
    others = [replace(case, feature="position", values=("first", "second")) for case in cases]
    gender, position = biases([*cases, *others])
    assert gender.p == pytest.approx(min(1.0, 2 * alone.p))
    assert position.p >= alone.p
    assert gender.values[0].interval[0] < alone.values[0].interval[0]


def test_twins_that_are_answered_alike_say_less() -> None:
    cases = SimulatedModel(groups=300, values=("f", "m"), alike=1.0).decide(np.random.default_rng(5))
    alone = [replace(case, group=str(number)) for number, case in enumerate(cases)]
    (grouped,), (single,) = biases(cases), biases(alone)
    widths = [bias.values[0].interval[1] - bias.values[0].interval[0] for bias in (grouped, single)]
    assert widths[0] > 1.2 * widths[1]


def test_the_order_of_items_does_not_matter() -> None:
    cases = SimulatedModel(leans={"n": 0.2}).decide(np.random.default_rng(1))
    (one,), (other,) = biases(cases), biases(cases[::-1])
    assert one.published == other.published
    assert one.values == other.values
    assert one.p == pytest.approx(other.p)


@pytest.mark.parametrize(
    ("feature", "values", "coding"),
    [
        ("position", ("second", "between", "first"), ["first", "second", "between"]),
        ("gender", ("n", "f", "c", "m"), [*"fmnc"]),
    ],
)
def test_every_feature_has_its_own_coding(feature: str, values: tuple[str, ...], coding: list[str]) -> None:
    cases = [Decision(feature, values, 0, number % 3, str(number)) for number in range(12)]
    for results in (biases(cases), biases(cases, {"other": ("x",)})):
        assert [bias.published.coding for bias in results] == [coding]
