"""Holm's correction, against statsmodels."""

from __future__ import annotations

import numpy as np
import pytest
from statsmodels.stats.multitest import multipletests

from referee.stats.correction import holm


@pytest.mark.parametrize(
    "ps",
    [
        [0.04],
        [0.01, 0.04, 0.03],
        [0.5, 0.5, 0.001, 0.02],
        [0.0, 1.0, 0.9],
        [0.02, 0.02, 0.02],
        np.random.default_rng(5).random(40).tolist(),
        (np.random.default_rng(6).random(40) ** 6).tolist(),
    ],
)
def test_equals_statsmodels(ps: list[float]) -> None:
    assert holm(ps) == pytest.approx(multipletests(ps, method="holm")[1].tolist())


def test_keeps_the_order_given() -> None:
    assert holm([0.3, 0.01, 0.04]) == pytest.approx([0.3, 0.03, 0.08])


def test_nothing_to_correct() -> None:
    assert holm([]) == []
