"""Classes of nouns from files in WordNet's form, and genders of names from files in that of the census."""

from __future__ import annotations

from pathlib import Path

import pytest

from referee.train.recipes.lexicon.english import name_kinds, noun_classes

INDEX = """  1 A line of the licence.
cup n 2 1 @ 2 1 00000010 00000020
gnome n 1 1 @ 1 0 00000030
wolf n 3 1 @ 3 2 00000040 00000030 00000050
"""
DATA = """  1 A line of the licence.
00000010 06 n 01 cup 0 000 | a vessel
00000020 21 n 02 cup 0 loving_cup 0 000 | a prize
00000030 18 n 02 gnome 0 wolf 0 000 | somebody
00000040 05 n 01 wolf 0 000 | an animal
00000050 26 n 01 wolf 0 000 | hunger
"""
SENSES = """cup%1:06:00:: 1 9
cup%1:21:00:: 2 1
cup%2:30:00:: 1 100
wolf%1:05:00:: 1 2
"""


@pytest.fixture
def wordnet(tmp_path: Path) -> Path:
    for name, content in (("index.noun", INDEX), ("data.noun", DATA), ("cntlist.rev", SENSES)):
        (tmp_path / name).write_text(content)
    return tmp_path


def test_classes_are_ordered_by_how_often_their_senses_were_tagged(wordnet: Path) -> None:
    classes = noun_classes(wordnet, {"cup": 5, "wolf": 5, "gnome": 1})
    # The prize has 1.5 of 11.5 tags, less than the share from which on a class counts; one gnome is too few.
    assert classes == {"cup": ["artifact"], "wolf": ["animal"]}


def test_a_rare_noun_counts_its_senses_alone(wordnet: Path) -> None:
    (wordnet / "cntlist.rev").write_text("cup%1:06:00:: 1 1\n")
    assert noun_classes(wordnet, {"wolf": 2})["wolf"] == ["animal", "person", "state"]


def test_names_that_are_words_or_rare_are_left_out(tmp_path: Path) -> None:
    (tmp_path / "dist.male.first").write_text("ROBIN 0.10 0.10 1\nHUGO 0.02 0.12 2\n")
    (tmp_path / "dist.female.first").write_text("ROBIN 0.20 0.20 1\nIDA 0.001 0.201 2\n")
    (tmp_path / "dist.all.last").write_text("HUGO 0.02 0.02 1\nSTONE 0.10 0.12 2\nKELLER 0.10 0.22 3\n")
    kinds = name_kinds(tmp_path, {"stone": 9, "Stone": 3, "Keller": 2})
    assert kinds == {"Robin": "mf", "Hugo": "m", "Keller": "s"}
