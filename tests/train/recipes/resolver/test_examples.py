from __future__ import annotations

from pathlib import Path

import numpy as np

from referee.train.recipes.resolver import gum
from referee.train.recipes.resolver.examples import examples_of, together
from tests.support.coreferent import parsed


def test_correct_candidates_are_marked(gum_folder: Path) -> None:
    [gold, *_] = gum.training(gum_folder)
    examples = examples_of(gold.document, gold)
    assert len(examples.pronouns) == 2
    # Nearest first: the object, then the subject. The rain refers to nothing, and the pronoun before is no antecedent.
    assert examples.correct[0].nonzero()[0].tolist() == [1]
    assert not examples.correct[1].any()
    assert examples.there.sum(axis=1).tolist() == [2, 3]
    assert (examples.mentions.shape[:2], examples.pairs.shape[:2]) == ((2, 24), (2, 24))


def test_examples_of_several_documents(gum_folder: Path) -> None:
    golds = gum.training(gum_folder)[:3]
    joined = together([examples_of(gold.document, gold) for gold in golds])
    assert len(joined.correct) == 6
    np.testing.assert_array_equal(joined.pairs[2:4], examples_of(golds[1].document, golds[1]).pairs)


def test_a_parse_without_mentions(gum_folder: Path) -> None:
    [gold, *_] = gum.training(gum_folder)
    examples = examples_of(parsed("it/X/0/root", "it/X/0/root"), gold)
    assert len(examples.pronouns) == 2
    assert not examples.there.any()
