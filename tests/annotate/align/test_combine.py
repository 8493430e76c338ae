from __future__ import annotations

import numpy as np

from referee.annotate.align.combine import INPUTS, Weighing, around, on_grid
from referee.annotate.align.features import NAMES, cells
from tests.support.small_aligner import table, weighing


def test_the_table_decides_where_it_is_trusted() -> None:
    links = weighing().links(cells([(["the", "dog", "x"], ["hund", "das", "y", "x"])], None, table()))
    assert np.argwhere(links[0]).tolist() == [[0, 1], [1, 0], [2, 3]]


def test_padding_is_never_linked() -> None:
    short, long = (["dog"], ["hund"]), (["dog"] * 5, ["hund"] * 9)
    everything = weighing()
    everything = Weighing(everything.first, everything.second, -1.0)
    assert everything.probabilities(cells([short, long], None, table()))[0].sum() < 1.01


def test_what_is_around_a_cell() -> None:
    scores = np.array([[[0.5, 0.25], [0.0, 1.0]]])
    seen = around(np.zeros_like(scores), scores)
    assert len(NAMES) + seen.shape[3] == INPUTS
    first = seen[0, 0, 0].tolist()
    # Neighbours from the upper left to the lower right, the logit, the score, rivals by column and row, both sums.
    assert first == [0, 0, 0, 0, 0.25, 0, 0, 1.0, 0, 0.5, 0.0, 0.25, 0.5, 0.75]
    assert around(np.zeros((1, 1, 1)), np.ones((1, 1, 1)))[0, 0, 0, 10:12].tolist() == [0, 0]


def test_two_equal_scores_are_rivals_of_each_other() -> None:
    scores = np.array([[[0.5, 0.5]]])
    assert around(scores, scores)[0, 0, :, 11].tolist() == [0.5, 0.5]


def test_the_grid_is_of_1024ths() -> None:
    assert on_grid(np.array([0.5, 1 / 3])).tolist() == [0.5, 341 / 1024]
