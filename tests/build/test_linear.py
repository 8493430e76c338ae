"""The linear classifier of AFLite."""

from __future__ import annotations

import numpy as np
import pytest

from referee.build.linear import fit, standardised


@pytest.mark.parametrize("classes", [2, 3])
def test_the_classifier_learns_what_is_linear(classes: int) -> None:
    draws = np.random.default_rng(0)
    labels = draws.integers(0, classes, 400)
    features = draws.normal(size=(400, 10)).astype(np.float32)
    features[np.arange(400), labels] += 4
    scaled = standardised(features)
    learned = fit(scaled[:200], labels[:200], classes)
    assert (learned.predict(scaled[200:]) == labels[200:]).mean() > 0.95


def test_a_column_that_never_changes_does_no_harm() -> None:
    features = np.ones((10, 3), np.float32)
    assert np.isfinite(standardised(features)).all()
    assert np.isfinite(fit(standardised(features), np.arange(10) % 2, 2).weights).all()
