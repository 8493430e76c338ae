from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from referee.annotate.pocket import tags as module
from referee.annotate.pocket.heads import About
from referee.annotate.pocket.scripts import KEEP, LemmaScript, lemma
from referee.annotate.pocket.tags import Lemmas, Tags
from tests.support import tiny_annotator


@pytest.fixture
def about(tmp_path: Path) -> About:
    return tiny_annotator.heads(tmp_path).about


def test_the_best_values_are_found_feature_by_feature(about: About) -> None:
    scores = np.random.default_rng(1).standard_normal((50, 6 + 10)).astype(np.float32)
    best = Tags(about).best(scores)
    for row, numbers in zip(scores, best, strict=True):
        parts = np.split(row, [6, 9, 12])
        assert numbers.tolist() == [int(part.argmax()) for part in parts]


def test_features_are_joined_in_the_order_of_their_names(about: About) -> None:
    # The rows are Number, Case, Gender.
    best = np.array([[2, 1, 2, 1], [4, 0, 0, 0], [3, 0, 0, 3], [2, 1, 2, 1], [0, 2, 0, 0]], np.uint8)
    upos, feats = Tags(about).texts(best)
    assert upos == ["NOUN", "PUNCT", "PRON", "NOUN", "ADP"]
    assert feats == [
        "Case=Nom|Gender=Fem|Number=Plur",
        "",
        "Gender=Neut",
        "Case=Nom|Gender=Fem|Number=Plur",
        "Number=Sing",
    ]
    assert feats[0] is feats[3]


def test_every_combination_has_its_text(about: About) -> None:
    every = np.array(np.meshgrid([0], range(3), range(3), range(4))).reshape(4, -1).T.astype(np.uint8)
    tags = Tags(about)
    assert len(set(tags.texts(every)[1])) == 36
    assert tags.texts(every[::-1])[1] == tags.texts(every)[1][::-1]


def test_names_sort_without_regard_to_capitals(tmp_path: Path) -> None:
    features = {"Zed": ["", "a", "b"], "alpha": ["", "a", "b"], "Beta": ["", "a", "b", "c"]}
    tags = Tags(tiny_annotator.heads(tmp_path, features=features).about)
    assert tags.texts(np.array([[0, 1, 1, 1]], np.uint8))[1] == ["alpha=a|Beta=a|Zed=a"]


def test_lemmas_are_those_of_the_scripts() -> None:
    scripts = [KEEP, LemmaScript(True, 0, "", 0, ""), LemmaScript(False, 2, "", 1, "en")]
    lemmas = Lemmas(scripts)
    forms = ["Gelacht", "gemacht", "gemacht", "x" * 500, "Gelacht"]
    numbers = np.array([1, 2, 0, 2, 1])
    expected = [lemma(form, scripts[number]) for form, number in zip(forms, numbers, strict=True)]
    assert lemmas.of(forms, numbers) == expected
    assert lemmas.of(forms, numbers) == expected
    assert len(lemmas._known) == 3  # the long form is not kept


def test_the_memory_of_lemmas_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_KEPT", 5)
    lemmas = Lemmas([KEEP])
    for number in range(100):
        assert lemmas.of([f"w{number}"], np.array([0])) == [f"w{number}"]
        assert len(lemmas._known) <= 6
