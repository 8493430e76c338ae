"""The heads against the same network in plain float64, and against themselves in other batches."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest

from referee.annotate.pocket.exact import Ends
from referee.annotate.pocket.heads import Heads
from referee.annotate.pocket.scores import Scorer
from tests.support import tiny_annotator

COUNT = 90


class Plain:
    """The definition of the heads, word by word."""

    def __init__(self, heads: Heads) -> None:
        self.arrays = {name: matrix.whole * matrix.scale[:, None] for name, matrix in heads.matrices.items()}
        self.arrays |= heads.vectors

    def layer(self, name: str, vector: np.ndarray) -> np.ndarray:
        return np.asarray(self.arrays[name] @ vector + self.arrays[f"{name}.bias"], np.float64)

    def hidden(self, name: str, vector: np.ndarray) -> np.ndarray:
        return np.array([x * 0.5 * (1 + math.erf(x / math.sqrt(2))) for x in self.layer(name, vector)])

    def arc(self, dependent: np.ndarray, head: np.ndarray) -> float:
        above = self.hidden("arc.head", head)
        below = self.hidden("arc.dependent", dependent)
        return float(below @ self.arrays["arc.weight"] @ above + self.arrays["arc.bias"] @ above)

    def labels(self, dependent: np.ndarray, head: np.ndarray) -> np.ndarray:
        below, above = (
            [*self.hidden(f"label.{side}", x), 1.0] for side, x in (("dependent", dependent), ("head", head))
        )
        weights = self.arrays["label.weight"].reshape(-1, len(below), len(above))
        return np.asarray(np.einsum("i,rij,j->r", below, weights, above))


@pytest.fixture(scope="module")
def heads(tmp_path_factory: pytest.TempPathFactory) -> Heads:
    return tiny_annotator.heads(tmp_path_factory.mktemp("heads"))


@pytest.fixture(scope="module")
def states() -> np.ndarray:
    return np.random.default_rng(4).standard_normal((COUNT + 1, 16)).astype(np.float32)


def ends() -> Ends:
    first = np.arange(COUNT)
    return Ends(first, first + first % 2)


def vectors_of(states: np.ndarray) -> np.ndarray:
    first, last = ends()
    return np.concatenate([states[first], states[last]], axis=1)


def agree(one: np.ndarray, other: np.ndarray | list[np.ndarray]) -> bool:
    return bool(np.abs(one - np.asarray(other)).max() < 0.06)


def test_borders_and_splits(heads: Heads, states: np.ndarray) -> None:
    scorer, plain = Scorer(heads, "en"), Plain(heads)
    grounded = scorer.grounded(states.copy())
    expected = [plain.layer("border", vector) for vector in vectors_of(states)]
    assert agree(scorer.borders(grounded, ends()), expected)
    scores = [plain.layer("split.out", plain.hidden("split.down", vector)) for vector in vectors_of(states)]
    clear = [index for index, row in enumerate(scores) if np.diff(np.sort(row)[-2:])[0] > 0.1]
    assert len(clear) > COUNT / 2
    assert scorer.splits(grounded, ends())[clear].tolist() == [int(scores[index].argmax()) for index in clear]


def test_tags_and_lemmas_of_words_and_parts(heads: Heads, states: np.ndarray) -> None:
    scorer, plain = Scorer(heads, "en"), Plain(heads)
    parts = np.arange(COUNT) % 4
    words = scorer.words(scorer.grounded(states.copy()), ends(), parts)
    vectors = vectors_of(states) + heads.vectors["parts"][parts]
    hidden = [plain.hidden("tag.hidden", vector) for vector in vectors]
    expected = [np.concatenate([plain.layer("upos", row), plain.layer("feats", row)]) for row in hidden]
    assert agree(words.tags, expected)
    scores = [plain.layer("lemma.out", plain.hidden("lemma.down", vector)) for vector in vectors]
    clear = [index for index, row in enumerate(scores) if np.diff(np.sort(row)[-2:])[0] > 0.1]
    assert words.lemmas[clear].tolist() == [int(scores[index].argmax()) for index in clear]


def test_arcs_are_the_scores_times_a_constant(heads: Heads, states: np.ndarray) -> None:
    scorer, plain = Scorer(heads, "en"), Plain(heads)
    words = scorer.words(scorer.grounded(states.copy()), ends(), np.zeros(COUNT, np.int64))
    vectors = vectors_of(states) + heads.vectors["parts"][0]
    sentences = np.array([[3, 4, 5, 6], [10, 11, 12, 13]])
    scores = scorer.arcs(words, sentences)
    assert scores.shape == (2, 4, 5)
    assert (scores == np.rint(scores)).all()
    expected = np.empty(scores.shape)
    for number, sentence in enumerate(sentences):
        heads_of = [heads.vectors["root"], *vectors[sentence]]
        expected[number] = [[plain.arc(vectors[word], head) for head in heads_of] for word in sentence]
    factor = float((scores * expected).sum() / (expected * expected).sum())
    assert agree(scores / factor, expected)


def test_labels_are_the_scores_times_a_constant_of_the_word(heads: Heads, states: np.ndarray) -> None:
    scorer, plain = Scorer(heads, "en"), Plain(heads)
    words = scorer.words(scorer.grounded(states.copy()), ends(), np.zeros(COUNT, np.int64))
    vectors = vectors_of(states) + heads.vectors["parts"][0]
    above = np.arange(COUNT) - 1
    scores = scorer.labels(words, above)
    for word, head in enumerate(above):
        expected = plain.labels(vectors[word], heads.vectors["root"] if head < 0 else vectors[head])
        factor = float((scores[word] * expected).sum() / (expected * expected).sum())
        assert agree(scores[word] / factor, expected)


def test_a_word_gets_the_same_bits_in_any_batch(heads: Heads, states: np.ndarray) -> None:
    scorer = Scorer(heads, "en")
    grounded = scorer.grounded(states.copy())
    parts = np.arange(COUNT) % 3
    together = scorer.words(grounded, ends(), parts)
    order = np.random.default_rng(5).permutation(COUNT)
    shuffled = scorer.words(grounded, Ends(*(side[order] for side in ends())), parts[order])
    for one, other in zip(together, shuffled, strict=True):
        assert (one[order] == other).all()
    for word in range(0, COUNT, 7):
        alone = scorer.words(grounded, Ends(*(side[word : word + 1] for side in ends())), parts[word : word + 1])
        for one, other in zip(together, alone, strict=True):
            assert (one[word] == other[0]).all()
        label = scorer.labels(alone, np.array([-1]))
        assert (scorer.labels(together, np.full(COUNT, -1))[word] == label[0]).all()


def test_a_language_can_have_a_choice_of_its_own(tmp_path: Path, states: np.ndarray) -> None:
    limited = tiny_annotator.heads(
        tmp_path, lemmas={"en": [1, 2]}, splits={"en": [0]}, tags={"en": [2, 4]}, marked={"en": ["Case"]}
    )
    for language, free in (("en", False), ("de", True)):
        scorer = Scorer(limited, language)
        grounded = scorer.grounded(states.copy())
        words = scorer.words(grounded, ends(), np.zeros(COUNT, np.int64))
        assert set(words.lemmas.tolist()) <= ({0, 1, 2} if free else {1, 2})
        assert (0 in words.lemmas) == free
        assert scorer.splits(grounded, ends()).any() == free
        assert (words.tags[:, 6:9].argmax(axis=1) > 0).any() == free  # Number
        assert (words.tags[:, 9:12].argmax(axis=1) > 0).any()  # Case
        assert set(words.tags[:, :6].argmax(axis=1).tolist()) <= (set(range(6)) if free else {2, 4})
