from __future__ import annotations

import pytest

from referee.languages import language
from referee.languages.schema import Contractions, FeatureForms, Pronouns


@pytest.mark.parametrize(
    ("code", "article", "noun", "joined"),
    [
        ("fr", "la", "école", "l'école"),
        ("fr", "La", "école", "l'école"),
        ("fr", "le", "Hôtel", None),  # a mute h, but which is mute the spelling does not tell
        ("fr", "le", "hibou", "le hibou"),
        ("fr", "une", "école", "une école"),
        ("it", "un", "zaino", "uno zaino"),
        ("it", "Il", "specchio", "lo specchio"),
        ("it", "una", "arancia", "un'arancia"),
        ("it", "il", "yogurt", "lo yogurt"),
        ("it", "Il", "cane", "Il cane"),
        ("ca", "el", "amic", "l'amic"),
        ("ca", "del", "amic", "de l'amic"),
        ("ca", "Pel", "arbre", "per l'arbre"),
        ("ca", "la", "infermera", "la infermera"),
        ("ca", "la", "idea", None),  # without stress, which the spelling does not show
        ("ca", "el", "iogurt", "el iogurt"),
        ("es", "el", "agua", "el agua"),
        ("en", "the", "apple", "the apple"),
    ],
)
def test_articles_join_as_the_language_does(code: str, article: str, noun: str, joined: str | None) -> None:
    assert language(code).contractions.join(article, noun) == joined


def test_changes_come_in_their_order() -> None:
    contractions = Contractions(
        replace=((r"\bil (?=z)", "lo "),),
        elide=("la",),
        before="aeiou",
        contract=(("di lo", "dello"), ("di l'", "dell'")),
    )
    for before, after in (("di il zio", "dello zio"), ("Di la oca", "Dell'oca"), ("di la zia", "di la zia")):
        text = before
        for pattern, replacement in contractions.changes:
            text = pattern.sub(replacement, text)
        assert text == after


def test_pronouns_by_gender() -> None:
    pronouns = Pronouns(m=("er",), f=("sie",), nominative={"m": ("er",), "f": ("sie",)}, ambiguous=frozenset({"sie"}))
    assert (pronouns.of("m"), pronouns.of("n"), pronouns.of("x")) == (("er",), (), ())
    assert (pronouns.is_ambiguous("f"), pronouns.is_ambiguous("m")) == (True, False)


def test_patterns_belong_to_a_value_and_can_be_read() -> None:
    forms = FeatureForms(values={"formal": ("Sie",)}, patterns={"other": ("man",)})
    assert forms.patterns["other"] == ("man",)
    with pytest.raises(ValueError, match="patterns: 'formel' is not one of the values"):
        FeatureForms(values={"formal": ("Sie",)}, patterns={"formel": ("man",)})
    with pytest.raises(ValueError, match=r"patterns: '\(' is not a pattern"):
        FeatureForms(values={"formal": ("Sie",)}, patterns={"formal": ("(",)})
