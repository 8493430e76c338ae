from __future__ import annotations

import pytest

from referee.errors import UnknownNameError
from referee.items import is_mixed_script
from referee.languages import languages
from referee.languages.pronouns import GENDERS, mentions, pronouns_of

CASES = [
    # language, text, genders in order
    ("de", "Er sah sie, und es regnete.", ["m", "f", "n"]),
    ("de", "Der Vater erkannte Peter; dieses Essen.", []),
    ("de", "ER ist da.", ["m"]),
    ("de", "Ich sah ihn und gab ihm ihr Buch.", []),  # only nominative forms count
    # The polite form inside a sentence, and where a capital says nothing.
    ("de", "Kommen Sie mit?", ["polite"]),
    ("de", "Kommen sie mit?", ["f"]),
    ("de", "Sie kommen.", ["f"]),
    ("de", "Er sagt, Sie kommen.", ["m", "polite"]),
    ("de", "Er rief: „Sie kommen!“ Sie kamen.", ["m", "f", "f"]),
    ("de", "– Sie kommen.", ["f"]),
    ("de", "Halt! Sie kommen.", ["f"]),
    ("de", "Nr. 3 Sie", ["polite"]),
    ("de", "Hat's geregnet? Es hat.", ["n"]),
    # Impersonal il counts: nothing in the word tells it apart.
    ("fr", "Il y a un chat, et elle dort.", ["m", "f"]),
    ("fr", "Qu'il vienne, vient-elle ?", ["m", "f"]),
    ("fr", "Ils et elles, l'île", []),
    ("ru", "Он, она и оно; его, её.", ["m", "f", "n"]),
    ("ru", "Она пришла. Слон.", ["f"]),
    ("es", "El coche y él; ella.", ["m", "f"]),  # el is an article
    ("it", "Esso o essa? Lui!", ["m", "f", "m"]),
    ("nl", "Het is hij, niet zij of ze.", ["n", "m", "f", "f"]),
    ("pl", "On, ona, ono, jego", ["m", "f", "n"]),
    ("de-AT", "er", ["m"]),
    ("de", "DA KOMMT SIE MIT IHM.", ["f"]),
    ("de", "Da kommen Sie.", ["polite"]),
    ("de", "", []),
    ("de", "ſie eſ \u0130l", []),  # letters that only look the same when case is ignored
]


@pytest.mark.parametrize(("code", "text", "genders"), CASES)
def test_mentions(code: str, text: str, genders: list[str]) -> None:
    pronouns = mentions(text, code)
    assert [mention.gender for mention in pronouns] == genders
    assert all(text[mention.start : mention.end].isalpha() for mention in pronouns)


def test_a_very_long_line_takes_no_longer_than_it_is() -> None:
    assert len(mentions("Da kamen Sie " * 100_000, "de")) == 100_000
    assert len(mentions("Sie" + " (" * 300_000 + "Sie", "de")) == 2


def test_an_unknown_language_is_answered_with_those_that_are_known() -> None:
    with pytest.raises(UnknownNameError, match=r"unknown language 'xx'. Choose one of .*cs, de, "):
        pronouns_of("xx")


@pytest.mark.parametrize("code", languages("pronouns.toml"))
def test_the_tables_of_what_is_counted_are_sound(code: str) -> None:
    pronouns = pronouns_of(code)
    forms = [form for of_gender in pronouns.nominative.values() for form in of_gender]
    assert list(pronouns.nominative) == [gender for gender in GENDERS if gender in pronouns.nominative]
    assert {"m", "f"} <= set(pronouns.nominative)
    assert len(set(forms)) == len(forms)
    assert pronouns.ambiguous <= set(forms)
    assert all(form == form.lower() and form.isalpha() and not is_mixed_script(form) for form in forms)
    for gender, of_gender in pronouns.nominative.items():
        # Dutch het is an article too: it is counted only where it translates a word, and never decides.
        assert set(of_gender) <= set(pronouns.of(gender)) or (code, gender) == ("nl", "n")


def test_the_papers_forms_are_there() -> None:
    assert pronouns_of("de").nominative == {"m": ("er",), "f": ("sie",), "n": ("es",)}
    assert pronouns_of("fr").nominative == {"m": ("il",), "f": ("elle",)}
    assert pronouns_of("ru").nominative == {"m": ("он",), "f": ("она",), "n": ("оно",)}
