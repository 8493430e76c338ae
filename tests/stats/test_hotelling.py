"""The test that decides: it is right as often as it says, and finds what is there."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats
from scipy.linalg import hadamard

from referee.analysis.bias.bias import deviations
from referee.analysis.bias.choice_counts import choices
from referee.stats.hotelling import MIN_GROUPS, mean_is_zero
from referee.stats.rank import mann_whitney
from tests.support.simulated_models import POSITION, UNBIASED, SimulatedModel


def p_of(model: SimulatedModel, rng: np.random.Generator) -> float | None:
    made = choices(model.decide(rng))
    return mean_is_zero(made.by_group(deviations(made)))


def alarms(model: SimulatedModel, times: int, seed: int) -> float:
    rng = np.random.default_rng(seed)
    return sum((p := p_of(model, rng)) is not None and p < 0.05 for _ in range(times)) / times


@pytest.mark.slow
@pytest.mark.parametrize("name", UNBIASED)
def test_alarms_are_false_in_one_of_twenty_cases(name: str) -> None:
    # Of 1,000 at 5 % between 28 and 73 in 99.9 of 100 cases.
    low, high = stats.binom.interval(0.999, 1000, 0.05)
    assert low / 1000 <= alarms(UNBIASED[name], 1000, seed=7) <= high / 1000


@pytest.mark.parametrize("name", UNBIASED)
def test_alarms_are_rarely_false(name: str) -> None:
    _, high = stats.binom.interval(0.999, 100, 0.05)
    assert alarms(UNBIASED[name], 100, seed=8) <= high / 100


def test_the_variance_is_that_of_an_estimated_accuracy() -> None:
    """In an uneven set who happens to be right more often also takes the common value more often."""
    rng = np.random.default_rng(4)
    model = UNBIASED["mostly right, an uneven set"]
    sums, squares = [], []
    for _ in range(300):
        made = choices(model.decide(rng))
        own = deviations(made)
        sums.append(own[:, 0].sum())
        squares.append((own[:, 0] ** 2).sum())
    assert np.mean(sums) == pytest.approx(0, abs=1)
    assert np.var(sums) == pytest.approx(np.mean(squares), rel=0.15)


def test_mann_whitney_sees_bias_in_one_of_six_guessers() -> None:
    """Chosen and rejected are no two samples: what is not chosen is rejected."""
    rng = np.random.default_rng(9)
    model = SimulatedModel(values=POSITION, twins=False, groups=200, feature="position")
    found = []
    for _ in range(400):
        totals = choices(model.decide(rng)).totals
        found.append(mann_whitney(totals.chosen, totals.rejected)[1] < 0.05)
    assert 0.13 < np.mean(found) < 0.21
    # By the variance of a difference that is twice what the test believes.
    assert 2 * stats.norm.sf(1.96 / np.sqrt(2)) == pytest.approx(0.166, abs=0.001)


@pytest.mark.parametrize(
    "model",
    [
        SimulatedModel(leans={"n": 0.3}),
        SimulatedModel(leans={"m": 0.3}, candidates=3),
        SimulatedModel(leans={"f": 0.3}, accuracy=0.9),
        SimulatedModel(leans={"first": 0.3}, values=POSITION),
        SimulatedModel(leans={"first": 1.0}, values=POSITION),
    ],
    ids=["neuter", "of three", "though mostly right", "first", "always first"],
)
def test_a_bias_is_found(model: SimulatedModel) -> None:
    assert alarms(model, 50, seed=3) > 0.8


def test_one_column_is_the_t_test() -> None:
    numbers = np.random.default_rng(1).normal(0.2, 1, 60)
    assert mean_is_zero(numbers[:, None]) == pytest.approx(stats.ttest_1samp(numbers, 0).pvalue)


def test_columns_that_depend_on_each_other_count_once() -> None:
    rng = np.random.default_rng(2)
    one, other = rng.normal(0.1, 1, (2, 80))
    free = np.stack([one, other], axis=1)
    # Hotelling's test by its own formula.
    mean, count = free.mean(axis=0), len(free)
    t2 = count * mean @ np.linalg.inv(np.cov(free.T)) @ mean
    expected = stats.f.sf(t2 * (count - 2) / (2 * (count - 1)), 2, count - 2)
    assert mean_is_zero(free) == pytest.approx(expected)
    assert mean_is_zero(np.stack([one, other, -one - other], axis=1)) == pytest.approx(expected)


def test_who_always_does_the_same_is_not_overlooked() -> None:
    """There is no variance then, and no doubt either."""
    sums = np.tile([0.5, -0.5], (40, 1))
    assert mean_is_zero(sums) == 2.0**-39


def test_too_few_groups_give_no_answer() -> None:
    sums = np.tile([0.5, -0.5], (MIN_GROUPS - 1, 1))
    assert mean_is_zero(sums) is None
    assert mean_is_zero(np.zeros((MIN_GROUPS - 1, 2))) is None


def test_as_many_values_as_groups_give_no_answer() -> None:
    sums = hadamard(16).astype(np.float64)
    assert mean_is_zero(sums) is None
    assert mean_is_zero(sums[:, 1:15]) is not None


def test_sums_that_are_zero_are_as_even_as_can_be() -> None:
    assert mean_is_zero(np.zeros((MIN_GROUPS, 2))) == 1.0


def test_a_value_that_hardly_anyone_offers_does_not_decide() -> None:
    """Three groups offer a third value, and all choose it: by a plain pseudo-inverse this alone would be an alarm."""
    common = [[0.5, -0.5, 0.0]] * 50 + [[-0.5, 0.5, 0.0]] * 50
    rare = [[0.0, -1.0, 1.0]] * 3
    p, without = mean_is_zero(np.array(common + rare)), mean_is_zero(np.array(common))
    assert p is not None
    assert without == pytest.approx(1)
    assert p > 0.3
