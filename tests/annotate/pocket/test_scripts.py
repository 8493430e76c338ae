from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.annotate.pocket.scripts import KEEP, WHOLE, lemma, lemma_script, split, split_script

_WORDS = st.text("abcdeABCäéßžж'-", min_size=1, max_size=12)


@given(_WORDS, _WORDS)
def test_a_script_makes_the_lemma_that_it_was_made_for(form: str, wanted: str) -> None:
    assert lemma(form, lemma_script(form, wanted)) == wanted


@pytest.mark.parametrize(
    ("learned", "applied"),
    [
        (("gemacht", "machen"), ("gelacht", "lachen")),
        (("Häuser", "Haus"), ("Häuser", "Haus")),
        (("Walked", "walk"), ("Talked", "talk")),
        (("USA", "USA"), ("UNO", "UNO")),
        (("книги", "книга"), ("ноги", "нога")),
    ],
)
def test_a_script_fits_other_words(learned: tuple[str, str], applied: tuple[str, str]) -> None:
    assert lemma(applied[0], lemma_script(*learned)) == applied[1]


def test_a_form_that_is_too_short_stays() -> None:
    assert lemma("ab", lemma_script("gemacht", "machen")) == "ab"
    assert lemma("it", KEEP) == "it"


@pytest.mark.parametrize(
    ("token", "words"),
    [
        ("du", ("de", "le")),
        ("DU", ("DE", "LE")),
        ("Don't", ("Do", "n't")),
        ("dámelo", ("dá", "me", "lo")),
        ("zrobiłem", ("zrobił", "em")),
        ("dell'", ("di", "l'")),
    ],
)
def test_a_token_falls_into_its_words(token: str, words: tuple[str, ...]) -> None:
    assert split(token, split_script(token, words)) == words


def test_a_split_fits_other_tokens() -> None:
    assert split("Zur", split_script("zum", ("zu", "dem"))) == ("Zu", "dem")
    assert split("decirle", split_script("darle", ("dar", "le"))) == ("decir", "le")
    assert split("e", split_script("darle", ("dar", "le"))) == ("e",)
    assert split("du", WHOLE) == ("du",)
