from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from referee.build.templates.rare import MIN_COUNT, RareNoun, rare_nouns
from referee.build.templates.wordlists import WordEntry, WordList
from referee.errors import InputError, MissingError

CUP = WordEntry("cup", {"word": "Becher", "gen": "Bechers"}, "m")
LAMP = WordEntry("lamp", {"word": "Lampe"}, "f")
CREAM = WordEntry("ice cream", {"word": "crème glacée", "paper": "Eis", "en.paper": "ice"}, "f")
BIG = WordEntry("big", {"word": "groß"})
WORDS = WordList("noun", ("en", "word", "gender"), (CUP, LAMP, CREAM, BIG))


def corpus(tmp_path: Path, text: str, name: str = "train.de") -> Path:
    path = tmp_path / name
    path.write_bytes(gzip.compress(text.encode()) if name.endswith(".gz") else text.encode())
    return path


def counts(path: Path) -> dict[str, int]:
    return {noun.english: noun.count for noun in rare_nouns([WORDS], path, 10**9).rare}


def test_all_forms_count_in_any_case_as_whole_words(tmp_path: Path) -> None:
    text = "Der Becher, des BECHERS\nBecherchen und Bierbecher\nbecher.Becher\nEis ice\n"
    assert counts(corpus(tmp_path, text)) == {"cup": 4, "lamp": 0, "ice cream": 0}


def test_a_noun_of_several_words(tmp_path: Path) -> None:
    text = "Crème glacée ou crème, glacée: crème glacée\nglacée\ncrème\nglacée\n"
    # Marks between the words do not matter, ends of lines do.
    assert counts(corpus(tmp_path, text))["ice cream"] == 3
    decomposed = "cre\u0300me glace\u0301e\n"
    assert counts(corpus(tmp_path, decomposed))["ice cream"] == 1


@pytest.mark.parametrize("name", ["train.de", "train.de.gz"])
def test_what_is_rare(tmp_path: Path, name: str) -> None:
    path = corpus(tmp_path, "Becher\n" * 30 + "Lampe\r\n" * 29, name)
    told: list[int] = []
    found = rare_nouns([WORDS, WORDS], path, progress=lambda done, _: told.append(done))
    assert MIN_COUNT == 30
    assert found.rare == (RareNoun("lamp", "Lampe", 29), RareNoun("ice cream", "crème glacée", 0))
    assert (found.nouns, found.lines, told[-1], found.corpus) == (3, 59, 59, name)
    assert found.words == {("lamp", "Lampe"), ("ice cream", "crème glacée")}
    assert found.sha256 == rare_nouns([WORDS], corpus(tmp_path, "Becher\n" * 30 + "Lampe\r\n" * 29, "copy.de")).sha256


def test_rare_nouns_are_removed_after_every_second_word_was_taken() -> None:
    words = WordList("noun", (), (CUP, LAMP, CREAM, BIG), frozenset({("cup", "Becher"), ("big", "groß")}))
    assert words.every(2).words == (CREAM,)
    # Only nouns are dropped.
    assert words.every(1).words == (LAMP, CREAM, BIG)


def test_a_corpus_of_another_language_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"train\.de: has none of the 3 nouns of the templates. Use the target side"):
        rare_nouns([WORDS], corpus(tmp_path, "The cup and the lamp.\n"))


def test_bad_files(tmp_path: Path) -> None:
    with pytest.raises(MissingError, match="does not exist"):
        rare_nouns([WORDS], tmp_path / "none")
    with pytest.raises(InputError, match="is empty"):
        rare_nouns([WORDS], corpus(tmp_path, ""))
    (tmp_path / "latin").write_bytes(b"Becher\nB\xe4r\n")
    with pytest.raises(InputError, match="latin:2: is not valid UTF-8"):
        rare_nouns([WORDS], tmp_path / "latin")
    (tmp_path / "cut.gz").write_bytes(gzip.compress(b"Becher\n" * 1000)[:-12])
    with pytest.raises(InputError, match="damaged gzip"):
        rare_nouns([WORDS], tmp_path / "cut.gz")
