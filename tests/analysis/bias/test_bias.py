"""Bias beyond what was published: what is expected, which way it goes, how sure that is, and what is said."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from referee.analysis.bias.bias import Bias, biases, deviations
from referee.analysis.bias.choice_counts import choices
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
    assert found.p is not None
    assert found.p < 0.05
    assert found.biased_towards == value
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
    assert found.published.interval[0] < 0 < found.published.interval[1]
    assert (found.biased_towards, found.size) == ("m", "medium")


def test_values_that_the_coding_does_not_name_follow_by_name() -> None:
    cases = [Decision("gender", ("u", "f", "c", "m"), 0, number % 4, str(number)) for number in range(40)]
    (found,) = biases(cases)
    assert found.published.coding == ["f", "m", "c", "u"]


def test_nothing_is_found_where_nothing_is() -> None:
    found = bias_of(SimulatedModel(groups=300))
    assert (found.unassessed, found.biased_towards, found.size) == (None, None, "negligible")


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
    assert [each.expected for each in found.values] == [1.5, 1.25, 1.25]
    assert [each.difference for each in found.values] == [-0.125, 0.4375, -0.3125]
    assert found.p is None
    assert found.unassessed == "too_few_groups"


def test_two_alternatives_of_the_same_value_are_twice_as_likely() -> None:
    """As in the 31 items of ContraPro with four alternatives."""
    (found,) = biases([Decision("gender", ("n", "f", "m", "m"), 0, 2, "a")])
    assert [each.expected for each in found.values] == pytest.approx([1 / 3, 2 / 3, 0])
    assert [each.offered for each in found.values] == [1, 2, 1]


def test_who_never_errs_shows_no_bias() -> None:
    found = bias_of(SimulatedModel(accuracy=1.0))
    assert found.p is None
    assert found.unassessed == "no_errors"


def test_who_always_errs_shows_no_bias_in_pairs() -> None:
    found = bias_of(SimulatedModel(accuracy=0.0))
    assert found.p is None
    assert found.unassessed == "all_incorrect"
    # Of three, there are two ways to be wrong.
    assert bias_of(SimulatedModel(accuracy=0.0, candidates=3)).p is not None


def test_who_errs_evenly_has_no_bias() -> None:
    """One of two twins is right, in each group once with either gender."""
    cases = [
        Decision("gender", ("m", "f"), gold, choice, str(group))
        for group in range(20)
        for gold, choice in ((0, 0), (1, 1), (0, 1), (1, 0))
    ]
    (found,) = biases(cases)
    assert (found.p, found.unassessed) == (1.0, None)


def test_few_errors_say_too_little() -> None:
    found = bias_of(SimulatedModel(groups=500, accuracy=0.995))
    assert found.p is None
    assert found.unassessed == "too_few_groups"


def test_a_feature_in_which_nothing_was_decided_is_left_out() -> None:
    assert biases([Decision("gender", ("m", "f"), 0, None, "a")]) == []
    assert biases([]) == []


def test_both_features() -> None:
    rng = np.random.default_rng(1)
    cases = SimulatedModel().decide(rng) + SimulatedModel(
        values=POSITION, feature="position", leans={"first": 0.5}
    ).decide(rng)
    assert [(each.feature, each.biased_towards) for each in biases(cases)] == [("gender", None), ("position", "first")]


@pytest.mark.parametrize(
    ("times", "least"), [pytest.param(400, 366, marks=pytest.mark.slow), pytest.param(40, 34, id="quick")]
)
def test_intervals_of_the_rank_biserial_correlation_hold(times: int, least: int) -> None:
    """In 95 of 100 cases, with twins that are answered alike; the true value is that of a very large set."""
    model = SimulatedModel(groups=150, alike=0.5, leans={"n": 0.2})
    truth = bias_of(replace(model, groups=20_000)).published.rbc
    intervals = [bias_of(model, seed).published.interval for seed in range(times)]
    assert least <= sum(low <= truth <= high for low, high in intervals) <= times


def test_groups_are_drawn_as_one() -> None:
    """Twins that are answered alike leave half of the information."""
    cases = SimulatedModel(groups=300, values=("f", "m"), alike=1.0).decide(np.random.default_rng(5))
    alone = [replace(case, group=str(number)) for number, case in enumerate(cases)]
    (grouped,), (single,) = biases(cases), biases(alone)
    widths = [each.published.interval[1] - each.published.interval[0] for each in (grouped, single)]
    assert widths[0] == pytest.approx(np.sqrt(2) * widths[1], rel=0.1)


def test_the_order_of_items_does_not_matter() -> None:
    cases = SimulatedModel(leans={"n": 0.2}).decide(np.random.default_rng(1))
    (one,), (other,) = biases(cases), biases(cases[::-1])
    assert one.published == other.published
    assert one.values == other.values
    assert one.p == pytest.approx(other.p)


def test_deviations_by_hand() -> None:
    """Masculine is right in three of four: a hit more also moves what is expected of the others."""
    pairs = [(0, 0), (0, 1), (0, 0), (1, 1)]
    counts = choices([Decision("gender", ("m", "f"), gold, choice, "g") for gold, choice in pairs])
    assert counts.values == ("f", "m")
    assert deviations(counts).tolist() == [[-0.125, 0.125], [0.375, -0.375], [-0.125, 0.125], [0.375, -0.375]]


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
