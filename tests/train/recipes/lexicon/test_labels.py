"""Labels of forms for training."""

from __future__ import annotations

import json
import lzma
from collections import Counter
from pathlib import Path

import pytest

from referee.languages.analyses import Analysis
from referee.train.recipes.lexicon.counting import Counts
from referee.train.recipes.lexicon.labels import after_determiners, labels

TASSE = Analysis("NOUN", "Fem", "Sing", "Nom", "", "Tasse")
NOTHING = Analysis(*["*"] * 6)


def labelled(
    language: str, form: str, analyses: list[Analysis], total: dict[str, int], initial: int = 0, followed: int = 9
) -> Analysis | None:
    """The label of a form."""
    counts = Counts(Counter(total), Counter({form: initial}))
    found = dict(
        labels(language, lambda word: tuple(analyses) if word == form else (), counts, Counter({form: followed}))
    )
    return found.get(form)


def test_only_what_all_analyses_say_is_a_label() -> None:
    both = [TASSE, TASSE._replace(case="Acc")]
    assert labelled("de", "Tasse", both, {"Tasse": 9}) == TASSE._replace(case="*")


@pytest.mark.parametrize(
    ("total", "initial", "followed", "expected"),
    [
        ({"Tasse": 9}, 0, 9, "NOUN"),
        ({"Tasse": 9}, 0, 1, "*"),
        ({"Tasse": 1}, 0, 1, None),
        ({"Tasse": 9, "tasse": 9}, 0, 9, None),
        ({"Tasse": 9, "tasse": 1}, 2, 9, None),
        ({"Tasse": 9}, 9, 9, None),
    ],
)
def test_german_nouns_must_be_nouns_in_the_text(
    total: dict[str, int], initial: int, followed: int, expected: str | None
) -> None:
    label = labelled("de", "Tasse", [TASSE], total, initial, followed)
    assert (label.upos if label else None) == expected


def test_a_polish_noun_with_a_capital_may_be_a_name() -> None:
    noun = Analysis("NOUN", "Fem", "Sing", "Nom", "", "mama")
    assert labelled("pl", "mama", [noun], {"mama": 2}) == noun
    assert labelled("pl", "Mama", [noun], {"Mama": 2}) == noun._replace(upos="*", lemma="*")


def test_french_nouns_have_their_lemma_where_it_is_certain() -> None:
    noun = Analysis("NOUN", "Fem", "Sing", "", "", "acteur")
    assert labelled("fr", "actrice", [noun], {"actrice": 2}) == noun._replace(lemma="*")
    assert labelled("fr", "marche", [noun, Analysis("VERB", lemma="marcher")], {"marche": 2}) is None
    assert labelled("fr", "Actrice", [noun], {"Actrice": 2}) is None


def test_words_after_determiners_are_counted(tmp_path: Path) -> None:
    path = tmp_path / "text.jsonl.xz"
    with lzma.open(path, "wt", encoding="utf-8") as file:
        file.write(json.dumps(["train", "de", "", "Die Tasse, meiner Tasse, zur Tasse; guten Tag"]) + "\n")
    assert after_determiners(path) == {"Tasse": 3}
