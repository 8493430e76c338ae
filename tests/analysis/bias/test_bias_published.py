"""The published measure of bias, against the papers' own figures and scipy."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats.contingency import association

from referee.analysis.bias.bias import biases
from referee.analysis.bias.decisions import Decision
from referee.stats.rank import rank_biserial


def pairs(*counts: tuple[str, str, int]) -> list[Decision]:
    """So many items in which the first value was chosen and the second rejected; right in every other."""
    return [
        Decision("gender", (chosen, rejected), number % 2, 0, f"{chosen}{rejected}{number // 2}")
        for chosen, rejected, count in counts
        for number in range(count)
    ]


def test_table_14_french() -> None:
    """1,893 masculine and 1,095 feminine of 2,988 pairs."""
    (found,) = biases(pairs(("m", "f", 1893), ("f", "m", 1095)))
    assert found.items == 2988
    assert round(abs(found.published.rbc), 3) == 0.267
    assert found.published.rbc > 0  # f is 1, m is 2
    assert found.published.size == found.size == "medium"
    assert {value: round(each, 4) for value, each in found.published.thresholds.items()} == {
        "small": 0.0995,
        "medium": 0.2425,
        "large": 0.3714,
    }
    # With two values that are offered in every pair all three measures are the same.
    assert found.cramers_v == pytest.approx(found.published.rbc)
    assert found.beyond == pytest.approx(found.published.rbc)


@pytest.mark.parametrize(("coding", "rbc"), [(("f", "m", "n"), 0.33), (("m", "f", "n"), 0.33), (("f", "n", "m"), 0.01)])
def test_table_14_german_depends_on_the_coding(coding: tuple[str, ...], rbc: float) -> None:
    """982 masculine, 985 feminine, 1,807 neuter; offered as in the set that was rebuilt from LM-Wino-X.

    How the rejected are spread over the pairs does not matter to the measure, only their counts do.
    """
    chosen = {"f": 985, "m": 982, "n": 1807}
    offered = {"f": 2610, "m": 2570, "n": 2368}
    found = rank_biserial(
        np.array([chosen[value] for value in coding], np.float64),
        np.array([offered[value] - chosen[value] for value in coding], np.float64),
    )
    assert float(found) == pytest.approx(rbc, abs=0.005)


@pytest.mark.parametrize(
    "counts",
    [
        (("m", "f", 30), ("f", "m", 10)),
        (("m", "f", 30), ("f", "n", 10), ("n", "m", 20), ("f", "m", 8)),
        (("n", "f", 50), ("n", "m", 50), ("m", "f", 5), ("f", "m", 6)),
    ],
)
def test_cramers_v_equals_scipy(counts: tuple[tuple[str, str, int], ...]) -> None:
    cases = pairs(*counts)
    (found,) = biases(cases)
    table = np.array([[each.chosen, each.offered - each.chosen] for each in found.values])
    assert found.cramers_v == pytest.approx(association(table, method="cramer"))


def test_cramers_v_is_the_largest_correlation_that_a_coding_can_give() -> None:
    cases = pairs(("m", "f", 30), ("f", "n", 10), ("n", "m", 20), ("f", "m", 8))
    (found,) = biases(cases)
    taken = np.array([value for case in cases for value in case.values])
    chosen = np.array([place == case.choice for case in cases for place in (0, 1)], np.float64)
    shares = {value: chosen[taken == value].mean() for value in "fmn"}
    best = np.array([shares[value] for value in taken])
    assert np.corrcoef(best, chosen)[0, 1] == pytest.approx(found.cramers_v)
