from __future__ import annotations

from pathlib import Path

import pytest

from referee.build.templates.published_words import published_words
from referee.build.templates.wordlists import WordEntry
from referee.errors import InputError, MissingError, UnknownNameError


def test_verbs_nouns_and_humans(synthetic_data: Path) -> None:
    verbs, nouns, humans = (published_words(name, synthetic_data) for name in ("trans_verb", "concrete_noun", "human"))
    assert (verbs.name, verbs.columns) == ("data:trans_verb", ("en", "word", "gender"))
    assert verbs.words[0] == WordEntry("painted", {"word": "angemalt"})
    assert [(noun.english, noun.form(), noun.gender) for noun in nouns.words] == [
        ("kite", "Drachen", "m"),
        ("lamp", "Lampe", "f"),
        ("boat", "Boot", "n"),
    ]
    # One English word, and a noun for a woman and one for a man.
    assert [(human.english, human.form(), human.gender) for human in humans.words[:2]] == [
        ("plumber", "Klempnerin", "f"),
        ("plumber", "Klempner", "m"),
    ]


def test_what_is_not_there_or_broken_is_said(tmp_path: Path) -> None:
    with pytest.raises(UnknownNameError, match="unknown published word list 'verbs'"):
        published_words("verbs", tmp_path)
    with pytest.raises(MissingError, match=r"vocabulary/human\.json is not in the data folder"):
        published_words("human", tmp_path)
    path = tmp_path / "contracat/templates/vocabulary/concrete_noun.json"
    path.parent.mkdir(parents=True)
    path.write_text('{"kite": {"de": "Drachen"}}', encoding="utf-8")
    with pytest.raises(InputError, match=r"concrete_noun\.json: field .*gender.*is missing"):
        published_words("concrete_noun", tmp_path)
