"""What is read from the data folder, and what is held out."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from referee.errors import InputError, MissingError
from referee.train.recipes.translator import corpus
from referee.train.recipes.translator.corpus import Line, Pair
from tests.support import tiny_translator as tiny


@pytest.fixture
def data(tmp_path: Path) -> Path:
    return tiny.write(tmp_path / "data")


@pytest.fixture
def lines(data: Path) -> list[Line]:
    return corpus.read(data)


def test_both_sides_of_every_corpus(data: Path, lines: list[Line]) -> None:
    rows = tiny.FILMS * tiny.LINES * len(tiny.LANGUAGES)
    assert corpus.counts(lines) == {
        "CTXPRO contexts": rows + 1,
        "CTXPRO reference sentences": rows,
        "BConTrasT": 4,
        "DiaBLa": 2,
    }
    turned = next(line for line in lines if "animacy" in line.corpus)
    assert turned.language == "de"
    assert (turned.english, turned.other) == (("Who is there? Nobody is there.",), ("Wer ist da?", "Niemand ist da."))
    chat = [line for line in lines if line.corpus == "bcontrast dev.json"]
    assert chat[-1].english == ("The dog is warm.", "It is red.")
    assert chat[-1].other == ("Der Hund ist warm.", "Es ist rot.")
    spoken = [line for line in lines if line.corpus == "diabla"]
    assert spoken[-1].other == ("Le chatte est vieux.", "Il est neuf.")
    assert Pair("ru", "Go.", "Иди.") in list(corpus.tatoeba(data))


def test_every_corpus_has_a_licence(lines: list[Line]) -> None:
    assert {*corpus.counts(lines), "Tatoeba"} == set(corpus.LICENCES)


def test_a_film_is_learnt_from_or_held_out_never_both(lines: list[Line]) -> None:
    split = corpus.split(lines)
    parts = [split.train, split.watch, split.test]
    assert sorted(map(repr, lines)) == sorted(repr(line) for part in parts for line in part)
    assert split.test
    films = [{line.document for line in part if line.document} for part in parts]
    assert not (films[0] & films[1] or films[0] & films[2] or films[1] & films[2])
    assert corpus.split(lines) == split


def test_the_order_of_the_lines_decides_nothing(lines: list[Line]) -> None:
    one, other = corpus.split(lines), corpus.split(lines[::-1])
    assert sorted(map(repr, one.test)) == sorted(map(repr, other.test))


def test_examples_are_documents_parts_and_sentences_none_twice() -> None:
    line = Line("c", 0, "de", ("One.", "Two.", "Three."), ("Eins. Zwei. Drei.",))
    found = list(corpus.pairs([line, line]))
    assert len(found) == len(set(found))
    assert found[0] == Pair("de", "One. Two. Three.", "Eins. Zwei. Drei.")
    assert {Pair("de", "One.", "Eins."), Pair("de", "Two.", "Zwei."), Pair("de", "Three.", "Drei.")} <= set(found)


def test_sides_of_different_length_stay_whole() -> None:
    line = Line("c", 0, "de", ("One.", "Two."), ("Eins, zwei.",))
    assert list(corpus.pairs([line])) == [Pair("de", "One. Two.", "Eins, zwei.")]


def drained(lines: Iterator[object]) -> None:
    list(lines)


@pytest.mark.parametrize(
    "path",
    [
        "ctxpro/paper/inputs",
        "ctxpro/release/evalsets",
        "ctxpro/paper/outputs/deepl.auxiliary.opensubtitles.en-de.test.contexts",
        "parallel/bcontrast/train.json",
        "parallel/diabla-en-fr/dialogues.jsonl",
        "parallel/tatoeba/eng-deu.tsv",
    ],
)
def test_what_is_missing_is_named(data: Path, path: str) -> None:
    (data / path).rename(data / "elsewhere")
    with pytest.raises(MissingError, match=f"{path}: does not exist"):
        drained(iter([*corpus.read(data), *corpus.tatoeba(data)]))


def test_files_of_different_length_are_refused(data: Path) -> None:
    path = data / "ctxpro/paper/outputs/deepl.auxiliary.opensubtitles.en-de.test.contexts"
    path.write_text(path.read_text() + "Zu viel.\n")
    with pytest.raises(InputError, match="90 lines, but 91 translations and 90 records"):
        corpus.read(data)
