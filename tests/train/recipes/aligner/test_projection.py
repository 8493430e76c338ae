from __future__ import annotations

import numpy as np
import pytest

pytest.importorskip("torch")

from referee.annotate.align.vectors import Vectors
from referee.train.recipes.aligner.projection import DIMENSIONS, Linked, project


def examples() -> list[Linked]:
    """The first half of a vector is the meaning, which both languages share; the rest is noise, and louder."""
    chance = np.random.default_rng(1)
    meanings = chance.normal(size=(60, 8))

    def side(words: np.ndarray) -> Vectors:
        noise = chance.normal(scale=2, size=(len(words), 8))
        return np.concatenate([meanings[words], noise], axis=1).astype(np.float32)

    made: list[Linked] = []
    for _ in range(320):
        words = chance.choice(60, size=9, replace=False)
        order = chance.permutation(9)
        links = tuple(sorted((int(source), target) for target, source in enumerate(order)))
        made.append((side(words), side(words[order]), links))
    return made


def nearest(source: Vectors, target: Vectors) -> list[tuple[int, int]]:
    return [(row, int(column)) for row, column in enumerate((source @ target.T).argmax(axis=1))]


def test_the_projection_keeps_what_translations_share() -> None:
    *learned, last = examples()
    projection = project(learned * 8)
    assert projection.matrix.shape == (DIMENSIONS, 16)
    source, target, links = last
    correct = set(links)
    assert len(correct & set(nearest(source, target))) < 6
    assert len(correct & set(nearest(projection.of(source), projection.of(target)))) >= 8
