"""Choosing among the analyses of a lexicon by the scores of the heads."""

from __future__ import annotations

import numpy as np
import pytest

from referee.annotate.pocket.lexicon import Lexicon, Ranker
from referee.languages.analyses import Analysis

UPOS = ("ADJ", "NOUN", "PROPN", "VERB")
FEATURES = {
    "Number": ("", "Plur", "Sing"),
    "Mood": ("", "Ind"),
    "Gender": ("", "Fem", "Masc", "Neut"),
    "Case": ("", "Acc", "Nom"),
}
COLUMNS = [f"{name}={value}" for name, values in FEATURES.items() for value in values]

WORDS = {
    "See": [Analysis("NOUN", "Fem", "Sing", "Nom", "", "See"), Analysis("NOUN", "Masc", "Sing", "Nom", "", "See")],
    "Anna": [Analysis("PROPN", "Fem", "Sing", "Nom", "", "Anna")],
    "Tasse": [Analysis("NOUN", "Fem", "Sing", "*", "", "Tasse")],
    "Dual": [Analysis("NOUN", "Masc", "Dual", "Nom", "", "Dual")],
    "mamy": [Analysis("NOUN", "Fem", "Sing", "Nom", "", "mama"), Analysis("VERB", "", "Plur", "", "", "mieć")],
    "ma": [Analysis("VERB", "", "Sing", "", "", "mieć"), Analysis("VERB", "", "Sing", "", "", "maić")],
}


def lexicon(language: str) -> Lexicon:
    return Lexicon(language, "1", lambda form: tuple(WORDS.get(form, ())))


def ranker(language: str) -> Ranker:
    return lexicon(language).ranker(UPOS, FEATURES)


def scores(*words: str) -> tuple[np.ndarray, np.ndarray]:
    """Scores of words in which what is named is better than the rest."""
    upos = np.array([[float(name in word.split()) for name in UPOS] for word in words], np.float32)
    feats = np.array([[float(name in word.split()) for name in COLUMNS] for word in words], np.float32)
    return upos, feats


def test_the_most_probable_analysis_is_taken() -> None:
    forms = ["See", "See", "Tasse", "Haus"]
    chosen = ranker("de").choose(
        forms, *scores("NOUN Gender=Fem", "NOUN Gender=Masc Number=Plur", "NOUN Gender=Neut Case=Acc", "NOUN")
    )
    # The class is the heads' where a lexicon has nouns only.
    assert chosen.upos.tolist() == [-1] * 4
    # Gender, Number, Case, Animacy; the heads have no Animacy, and the lexicon does not know the case of Tasse.
    assert chosen.values.tolist() == [[1, 2, 2, -1], [2, 2, 2, -1], [1, 2, -1, -1], [-1, -1, -1, -1]]
    assert chosen.lemmas == ["See", "See", "Tasse", None]


def test_a_lexicon_of_nouns_leaves_other_classes_alone() -> None:
    chosen = ranker("de").choose(["See", "Anna", "Anna"], *scores("VERB", "ADJ", "NOUN"))
    assert chosen.lemmas == [None, None, "Anna"]


def test_what_is_hardly_a_name_has_the_gender_of_the_noun() -> None:
    upos, feats = scores("PROPN", "PROPN", "PROPN")
    chosen = ranker("de").choose(["Tasse", "Tasse"], upos[:2] * [[1.0], [9.0]], feats[:2])
    assert chosen.lemmas == ["Tasse", None]


def test_a_complete_lexicon_decides_the_class() -> None:
    chosen = ranker("pl").choose(["mamy", "mamy"], *scores("ADJ Number=Plur", "NOUN Gender=Fem Number=Plur Case=Nom"))
    assert [UPOS[number] for number in chosen.upos] == ["VERB", "NOUN"]
    assert chosen.lemmas == ["mieć", "mama"]


def test_closed_classes_are_left_to_the_heads() -> None:
    tego = [Analysis("DET", "Neut", "Sing", "Nom", "", "ten"), Analysis("PRON", "Neut", "Sing", "Nom", "", "to")]
    opened = Lexicon("pl", "1", lambda _: tuple(tego)).ranker(("DET", "NOUN", "PRON"), FEATURES)
    upos = np.array([[1, 0, 2], [2, 0, 1], [1, 2, 1]], np.float32)
    chosen = opened.choose(["tego"] * 3, upos, np.zeros((3, len(COLUMNS)), np.float32))
    assert chosen.lemmas == ["to", "ten", None]


def test_an_abbreviation_is_not_a_form() -> None:
    assert Lexicon("pl", "1", lambda _: (WORDS["See"][0],)).candidates("mln") == ()


def test_animacy_does_not_decide_against_a_gender() -> None:
    animacies = {**FEATURES, "Animacy": ("", "Hum")}
    mu = [Analysis("PRON", "Masc", "Sing", "Nom", "Hum", "on"), Analysis("PRON", "Neut", "Sing", "Nom", "", "on")]
    opened = Lexicon("pl", "1", lambda _: tuple(mu)).ranker(("PRON",), animacies)
    columns = [f"{name}={value}" for name, values in animacies.items() for value in values]
    feats = np.array([[{"Gender=Masc": 1.0, "Animacy=": 5.0}.get(name, 0.0) for name in columns]], np.float32)
    assert opened.choose(["mu"], np.zeros((1, 1), np.float32), feats).values.tolist() == [[2, 2, 2, 1]]


def test_the_lemma_of_the_heads_decides_between_equal_analyses() -> None:
    upos, feats = scores("VERB", "VERB", "VERB")
    chosen = ranker("pl").choose(["ma", "ma", "ma"], upos, feats, ["mieć", "maić", "mać"])
    assert chosen.lemmas == ["mieć", "maić", "mieć"]
    assert ranker("pl").choose(["ma"], upos[:1], feats[:1]).lemmas == ["mieć"]


def test_a_value_that_the_heads_do_not_have_is_not_chosen() -> None:
    chosen = ranker("de").choose(["Dual"], *scores("NOUN"))
    assert chosen.values.tolist() == [[-1] * 4]


@pytest.mark.parametrize(
    ("language", "form", "classes"),
    [
        ("pl", "Mamy", {"NOUN", "PROPN", "VERB"}),
        ("pl", "MAMY", {"NOUN", "PROPN", "VERB"}),
        ("pl", "mamy", {"NOUN", "VERB"}),
        ("de", "Anna", {"NOUN", "PROPN"}),
        ("de", "SEE", {"NOUN"}),
        ("de", "see", {"NOUN"}),
        ("de", "Mamy", set()),
    ],
)
def test_capitals(language: str, form: str, classes: set[str]) -> None:
    assert {analysis.upos for analysis in lexicon(language).candidates(form)} == classes


def test_words_do_not_depend_on_those_they_are_chosen_with() -> None:
    rng = np.random.default_rng(5)
    forms = [["See", "Anna", "Tasse", "Haus", "mamy"][number] for number in rng.integers(0, 5, 60)]
    upos, feats = (rng.normal(size=(60, size)).astype(np.float32) for size in (len(UPOS), len(COLUMNS)))
    together = ranker("pl").choose(forms, upos, feats)
    for number, form in enumerate(forms):
        alone = ranker("pl").choose([form], upos[number : number + 1], feats[number : number + 1])
        assert alone.upos[0] == together.upos[number]
        assert alone.values[0].tolist() == together.values[number].tolist()
        assert alone.lemmas[0] == together.lemmas[number]


def test_nothing_known() -> None:
    chosen = ranker("de").choose(["Haus"], *scores("NOUN"))
    assert chosen.lemmas == [None]
    assert ranker("de").choose([], np.zeros((0, 4), np.float32), np.zeros((0, 12), np.float32)).lemmas == []
