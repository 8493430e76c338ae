from __future__ import annotations

import pytest

from referee.stats.levels import Against, against, fewest, further_groups, groups_to_significance
from referee.stats.worst_group import clopper_pearson


def of(hits: int, total: int, level: float) -> Against:
    return against(hits / total, clopper_pearson(hits, total), level, total)


@pytest.mark.parametrize(
    ("hits", "total", "level", "expected"),
    [
        (6, 6, 0.5, Against("above")),
        (0, 6, 0.5, Against("below")),
        (4, 4, 0.5, Against("inconclusive", 2)),
        (0, 5, 0.5, Against("not_above")),
        (205, 410, 0.5, Against("at")),
        (20, 40, 0.5, Against("inconclusive", 394)),
        (1000, 1000, 1.0, Against("at")),
        (999, 1000, 1.0, Against("below")),
    ],
)
def test_where_a_share_lies(hits: int, total: int, level: float, expected: Against) -> None:
    result = of(hits, total, level)
    assert result.standing == expected.standing
    assert result.more_groups == (None if expected.more_groups is None else pytest.approx(expected.more_groups, abs=60))
    if total < 10:
        assert result == expected


def test_the_edge_belongs_to_neither_side() -> None:
    assert against(0.5, (0.4, 0.55), 0.5, 10).standing == "inconclusive"
    assert against(0.5, (0.4, 0.549), 0.5, 10).standing == "not_above"
    assert against(0.5, (0.451, 0.549), 0.5, 10).standing == "at"
    assert against(0.6, (0.5, 0.7), 0.5, 10).standing == "inconclusive"
    assert against(0.6, (0.501, 0.7), 0.5, 10).standing == "above"
    assert against(0.4, (0.3, 0.499), 0.5, 10).standing == "below"


def test_the_groups_that_are_said_to_be_missing_decide() -> None:
    """Twice as wide as it must be takes four times as many groups."""
    assert further_groups(10, 0.2, 0.1) == 30
    assert further_groups(10, 0.01, 0.1) == 1
    # Five groups without a change leave 52 points open; 72 rule out five.
    assert further_groups(5, 1 - 0.025**0.2, 0.05, varies=False) == 67
    assert further_groups(10, 0.2, 0.0) is None
    assert further_groups(10, 0.2, -0.1) is None
    assert further_groups(10, 1.0, 1e-6) is None
    # Five of five one way: p = 1/16, and one more group makes it 1/32.
    assert groups_to_significance(5, 1 / 16, 1 / 16) == 1
    # Corrected for four tests it takes about as many as make p = 0.0125.
    assert groups_to_significance(20, 0.04, 0.16) == 10
    assert groups_to_significance(20, 1.0, 1.0) is None
    assert fewest(None, 3, 2) == 2
    assert fewest(None) is None
