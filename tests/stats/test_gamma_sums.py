"""Against closed forms, and against plain draws."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import beta, binom, norm

from referee.stats.gamma_sums import at_most_zero


@pytest.mark.parametrize(("plus", "minus"), [(1, 1), (6, 1), (9, 4), (2, 2), (40, 1), (150, 101), (520, 501)])
def test_two_terms_are_a_binomial_tail(plus: int, minus: int) -> None:
    """Gamma(a) is at most Gamma(b) as often as a coin shows heads at least a times in a + b - 1 tosses."""
    expected = binom.sf(plus - 1, plus + minus - 1, 0.5)
    assert at_most_zero(np.array([1.0, -1.0]), np.array([plus, minus], float)) == pytest.approx(expected, rel=1e-3)
    if expected > 1e-9:
        assert at_most_zero(np.array([1.0, -1.0]), np.array([plus, minus], float)) == pytest.approx(expected, abs=1e-5)


@given(st.integers(1, 400), st.integers(1, 400), st.floats(0.01, 0.99))
def test_two_weights_are_a_beta_tail(first: int, second: int, share: float) -> None:
    weights = np.array([1 - share, -share])
    expected = beta.cdf(share, first, second)
    assert at_most_zero(weights, np.array([first, second], float)) == pytest.approx(expected, abs=1e-5)


@given(st.lists(st.floats(0.05, 3.0), min_size=1, max_size=30), st.floats(0.05, 3.0))
def test_all_but_one_on_one_side_is_a_product(plus: list[float], minus: float) -> None:
    weights = np.array([*plus, -minus])
    expected = np.prod([minus / (minus + weight) for weight in plus])
    assert at_most_zero(weights, np.ones(len(weights))) == pytest.approx(expected, rel=1e-4)
    assert at_most_zero(-weights, np.ones(len(weights))) == pytest.approx(1 - expected, abs=1e-5)


@pytest.mark.parametrize("seed", range(8))
def test_draws_give_the_same(seed: int) -> None:
    generator = np.random.default_rng(seed)
    count = int(generator.integers(2, 12))
    weights = generator.normal(size=count) * generator.choice([0.1, 1, 10], size=count)
    shapes = generator.integers(1, 50, size=count).astype(float)
    drawn = float((generator.standard_gamma(shapes, (100_000, count)) @ weights <= 0).mean())
    assert at_most_zero(weights, shapes) == pytest.approx(drawn, abs=0.007)


def test_many_terms_are_normal() -> None:
    weights, shapes = np.array([1.0, -1.1]), np.array([50_000.0, 45_000.0])
    mean, deviation = float(weights @ shapes), float(np.sqrt(weights**2 @ shapes))
    assert at_most_zero(weights, shapes) == pytest.approx(norm.cdf(-mean / deviation), abs=0.001)


@pytest.mark.parametrize(
    ("weights", "expected"),
    [([1.0, 2.0], 0.0), ([-1.0, -2.0], 1.0), ([1.0, 0.0], 0.0), ([-1.0, 0.0], 1.0), ([0.0, 0.0], 1.0)],
)
def test_sums_of_one_sign(weights: list[float], expected: float) -> None:
    assert at_most_zero(np.array(weights), np.ones(2)) == expected
