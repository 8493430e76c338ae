"""The classes that the heads choose from."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from referee.annotate.pocket.scripts import KEEP, WHOLE, SplitScript
from referee.train.recipes.encoder.inventory import FEATURES, Inventory, count, universal
from referee.train.recipes.encoder.tokens import Token, TreebankWord

small_treebanks = pytest.importorskip("tests.support.small_treebanks", exc_type=ImportError)


def word(**changes: Any) -> TreebankWord:
    return TreebankWord("Hunde", "Hund", "NOUN", {"Number": "Plur"}, -1, "nsubj:pass")._replace(**changes)


def counted(*words: TreebankWord, times: int = 20) -> Inventory:
    return count([[Token("Hunde", 0, 5, (one,)) for one in words]] * times)


def test_rare_classes_are_left_out() -> None:
    assert counted(word()).features["Number"] == ("", "Plur")
    assert counted(word(), times=19).features["Number"] == ("",)
    assert len(counted(word(), times=3).lemmas) == 2
    assert counted(word(), times=2).lemmas == (KEEP,)
    split = [Token("zum", 0, 3, (word(form="zu"), word(form="dem")))]
    assert count([split] * 2).splits == (WHOLE, SplitScript(1, "", ("dem",)))
    assert count([split]).splits == (WHOLE,)


def test_what_is_unknown_is_not_a_class() -> None:
    found = counted(word(lemma="?", deprel="?", features={"Number": "?", "Case": "Nom"}))
    assert found.deprels == ()
    assert found.lemmas == (KEEP,)
    assert found.features["Number"] == ("",)
    assert found.features["Case"] == ("", "Nom")


def test_relations_lose_their_subtype() -> None:
    assert universal("nsubj:pass") == universal("nsubj") == "nsubj"
    assert counted(word()).deprels == ("nsubj",)


def test_the_most_frequent_classes_come_first() -> None:
    found = count([[Token("x", 0, 1, (word(features={"Case": value}),))] for value in "CBBA" for _ in range(20)])
    assert found.features["Case"] == ("", "B", "A", "C")


def test_what_is_saved_is_read(tmp_path: Path) -> None:
    inventory = small_treebanks.inventory()
    inventory.save(tmp_path / "inventory.json")
    again = Inventory.read(tmp_path / "inventory.json")
    assert again == inventory
    assert list(again.features) == list(FEATURES)
    assert again.splits[0].further == ()
