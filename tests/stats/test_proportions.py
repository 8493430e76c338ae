"""Proportions and means with intervals that respect groups."""

from __future__ import annotations

import numpy as np

from referee.stats.intervals import bootstrap_mean, wilson
from referee.stats.proportions import mean_interval, proportion


def test_a_proportion_by_hand() -> None:
    hits = [True, True, False, True]
    result = proportion(hits, np.arange(4))
    assert (result.count, result.share) == (3, 0.75)
    assert result.wilson == wilson(3, 4)
    assert result.bootstrap == bootstrap_mean(np.array([1.0, 1.0, 0.0, 1.0]), np.ones(4))
    assert proportion(np.array(hits), np.arange(4)) == result


def test_the_wider_interval_is_chosen() -> None:
    """All items are hits, so the bootstrap sees no variance; in two large groups it sees more than Wilson's."""
    everything = proportion([True] * 20, np.arange(20))
    assert everything.bootstrap == (1.0, 1.0)
    assert everything.wider == everything.wilson
    halves = proportion([True] * 50 + [False] * 50, np.repeat([0, 1], 50))
    assert halves.wider == halves.bootstrap == (0.0, 1.0)


def test_whole_groups_are_drawn() -> None:
    values = [-1.0, -1.0, 0.0, 0.0, 1.0]
    expected = bootstrap_mean(np.array([-2.0, 0.0, 1.0]), np.array([2.0, 2.0, 1.0]))
    assert mean_interval(values, np.array([0, 0, 1, 1, 2])) == expected
    # A breakdown keeps the numbers of the whole set.
    assert mean_interval(values, np.array([4, 4, 9, 9, 6])) == expected
