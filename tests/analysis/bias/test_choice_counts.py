"""What was offered, right and chosen, counted by hand."""

from __future__ import annotations

from referee.analysis.bias.choice_counts import choices
from referee.analysis.bias.decisions import Decision

DECIDED = [
    Decision("gender", ("m", "f", "n"), 0, 1, "a"),
    Decision("gender", ("m", "f", "f"), 1, 1, "a"),
    Decision("gender", ("f", "m"), 1, 0, "b"),
    Decision("gender", ("f", "m"), 1, 0, "b"),
]


def test_values_in_order() -> None:
    assert choices(DECIDED).values == ("f", "m", "n")
    assert choices(DECIDED, ("n", "x", "m")).values == ("n", "m", "f")


def test_rows_by_hand() -> None:
    counts = choices(DECIDED)
    assert counts.offered.tolist() == [[1, 1, 1], [2, 1, 0], [1, 1, 0], [1, 1, 0]]
    assert counts.right.tolist() == [[0, 1, 0], [1, 0, 0], [0, 1, 0], [0, 1, 0]]
    assert counts.chosen.tolist() == [[1, 0, 0], [1, 0, 0], [1, 0, 0], [1, 0, 0]]
    assert counts.wrong.tolist() == [[0.5, 0, 0.5], [0.5, 0.5, 0], [1, 0, 0], [1, 0, 0]]
    assert (counts.hit.tolist(), counts.accuracy) == ([0, 1, 0, 0], 0.25)
    assert counts.groups.tolist() == [0, 0, 1, 1]


def test_totals_by_hand() -> None:
    totals = choices(DECIDED).totals
    assert totals.offered.tolist() == [5, 4, 1]
    assert totals.right.tolist() == [1, 3, 0]
    assert totals.wrong.tolist() == [3, 0.5, 0.5]
    assert totals.chosen.tolist() == [4, 0, 0]
    assert (totals.hits.tolist(), totals.items.tolist()) == ([1], [4])
    assert totals.rejected.tolist() == [1, 4, 1]
    # Right in a quarter, else any wrong one: 1/4 * right + 3/4 * wrong.
    assert totals.expected.tolist() == [2.5, 1.125, 0.375]


def test_sums_over_groups() -> None:
    counts = choices(DECIDED)
    assert counts.by_group(counts.chosen).tolist() == [[2, 0, 0], [2, 0, 0]]


def test_who_did_not_choose_chose_no_value() -> None:
    counts = choices([Decision("gender", ("m", "f"), 0, None, "a")])
    assert (counts.chosen.tolist(), counts.hit.tolist()) == ([[0, 0]], [0])
