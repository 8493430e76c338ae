"""Classes of English nouns and genders of names."""

from __future__ import annotations

import pytest

from referee.languages.en.animacy import name_kinds, noun_classes


@pytest.mark.parametrize(
    ("noun", "expected"),
    [("doctor", "person"), ("dog", "animal"), ("house", "artifact"), ("team", "group"), ("London", "location")],
)
def test_the_first_class_is_the_usual_one(noun: str, expected: str) -> None:
    assert noun_classes()[noun][0] == expected


@pytest.mark.parametrize(("name", "expected"), [("Mary", "f"), ("James", "m"), ("Bernie", "mf"), ("Crowell", "s")])
def test_names_have_genders(name: str, expected: str) -> None:
    assert name_kinds()[name] == expected


def test_words_that_are_seldom_names_are_left_out() -> None:
    assert "Minister" not in name_kinds()
