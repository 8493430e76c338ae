from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from referee.annotate.document import ROOT
from referee.annotate.pocket import syntax
from referee.annotate.pocket.exact import Ends
from referee.annotate.pocket.scores import Scorer, WordScores
from referee.annotate.pocket.syntax import parse
from referee.annotate.pocket.tree import best_tree
from tests.support import tiny_annotator


@pytest.fixture(scope="module")
def scorer(tmp_path_factory: pytest.TempPathFactory) -> Scorer:
    return Scorer(tiny_annotator.heads(tmp_path_factory.mktemp("heads")), "en")


def words_of(scorer: Scorer, count: int) -> WordScores:
    vectors = scorer.grounded(np.random.default_rng(count).standard_normal((count, 16)).astype(np.float32))
    numbers = np.arange(count)
    return scorer.words(vectors, Ends(numbers, numbers), np.zeros(count, np.int64))


def is_tree(heads: list[int]) -> bool:
    for word in range(len(heads)):
        node, steps = word, 0
        while node != ROOT and steps <= len(heads):
            node, steps = heads[node], steps + 1
        if node != ROOT:
            return False
    return heads.count(ROOT) == 1


def test_each_sentence_gets_its_best_tree(scorer: Scorer) -> None:
    lengths = np.array([3, 1, 5, 3, 8, 1])
    words = words_of(scorer, int(lengths.sum()))
    heads, relations = parse(scorer, words, lengths)
    start = 0
    for length in lengths:
        numbers = np.arange(start, start + length)
        expected = best_tree(scorer.arcs(words, numbers[None])[0])
        assert heads[numbers].tolist() == [head - 1 if head else ROOT for head in expected]
        start += length
    root = scorer.about.deprels.index("root")
    assert ((relations == root) == (heads == ROOT)).all()


def test_relations_are_the_best_of_the_chosen_heads(scorer: Scorer) -> None:
    words = words_of(scorer, 20)
    heads, relations = parse(scorer, words, np.array([20]))
    scores = scorer.labels(words, heads)
    scores[:, scorer.about.deprels.index("root")] = -np.inf
    below = heads != ROOT
    assert relations[below].tolist() == scores.argmax(axis=1)[below].tolist()


def test_a_sentence_that_is_too_long_becomes_one_tree_of_several(
    scorer: Scorer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(syntax, "LONGEST", 10)
    heads, _ = parse(scorer, words_of(scorer, 60), np.array([4, 35, 10, 11]))
    for start, length in ((0, 4), (4, 35), (39, 10), (49, 11)):
        assert is_tree(heads[start : start + length].tolist())


def test_batches_of_arcs_make_no_difference(scorer: Scorer, monkeypatch: pytest.MonkeyPatch) -> None:
    words, lengths = words_of(scorer, 60), np.array([6] * 10)
    together = parse(scorer, words, lengths)
    monkeypatch.setattr(syntax, "_ARCS", 1)
    alone = parse(scorer, words, lengths)
    assert (together.heads == alone.heads).all()
    assert (together.relations == alone.relations).all()


def test_relations_without_a_root(tmp_path: Path) -> None:
    heads = tiny_annotator.heads(tmp_path, deprels=["nsubj", "obj", "det", "punct", "case"])
    scorer = Scorer(heads, "en")
    _, relations = parse(scorer, words_of(scorer, 5), np.array([5]))
    assert len(relations) == 5
