from __future__ import annotations

import pytest

from referee.annotate.resolve.nouns import CLASSES, GENDERS, kind_of


@pytest.mark.parametrize(
    ("lemma", "name", "first", "gender"),
    [
        ("cup", False, "artifact", ""),
        ("teacher", False, "person", ""),
        ("woman", False, "person", "f"),
        ("father", False, "person", "m"),
        ("Mary", True, "person", "f"),
        ("MARY", True, "person", "f"),
        ("London", True, "location", ""),
        ("Xqzt", True, "", ""),
        ("", False, "", ""),
    ],
)
def test_classes_and_genders(lemma: str, name: bool, first: str, gender: str) -> None:
    kind = kind_of(lemma, name=name)
    assert CLASSES[kind.first] == first
    if gender or not name:
        assert kind.gender == GENDERS[gender]


def test_classes_cover_the_lexicon() -> None:
    from referee.languages.en.animacy import noun_classes

    assert {name for classes in noun_classes().values() for name in classes} <= set(CLASSES)
