"""The treebanks that are learned from, and those that are not."""

from __future__ import annotations

from pathlib import Path

import pytest

from referee.errors import MissingError
from referee.train.recipes.encoder.treebanks import MEASURED, TELLING, TRAINING, read, sentences

small_treebanks = pytest.importorskip("tests.support.small_treebanks", exc_type=ImportError)


def test_no_measured_file_is_trained_on() -> None:
    trained = {file for styles in TRAINING.values() for style in styles for file in style}
    assert trained.isdisjoint(MEASURED.values())
    assert TRAINING.keys() == MEASURED.keys()


@pytest.mark.parametrize("language", TRAINING)
def test_measured_sentences_are_left_out_by_id_and_by_text(treebanks: Path, language: str) -> None:
    first = TRAINING[language][0][0]
    folder = MEASURED[language].partition("/")[0]
    measured = list(read(treebanks, MEASURED[language]))
    ids = {sentence.id for sentence in measured}
    texts = {sentence.text for sentence in measured if len(sentence.text) >= TELLING}
    everything, kept = list(read(treebanks, first)), list(sentences(treebanks, first))
    assert any(sentence.text in texts for sentence in everything)
    assert not any(sentence.text in texts for sentence in kept)
    if first.startswith(folder):
        left_out = [sentence for sentence in everything if sentence.id in ids and sentence.text not in texts]
        # The short sentence has an id of the measured file too.
        assert {sentence.id for sentence in left_out} == {measured[2].id, f"{language}-short"}
        assert not any(sentence.id in ids for sentence in kept)
    expected = [small_treebanks.sentence(language, small_treebanks.PER_MEASURED + n).text for n in range(3)]
    assert [sentence.text for sentence in kept][:3] == expected


def test_a_short_sentence_of_another_treebank_stays(treebanks: Path) -> None:
    kept = [sentence.text for sentence in sentences(treebanks, TRAINING["it"][0][0])]
    assert small_treebanks.short("it").text in kept


def test_a_file_without_a_blank_line_at_its_end(tmp_path: Path) -> None:
    path = tmp_path / "ud/X/x.conllu"
    path.parent.mkdir(parents=True)
    path.write_text("# newdoc\n# sent_id = 1\n# text = Hi\n1\tHi\n\n\n# sent_id = 2\n# text = # no\n1\t#\n2\tno")
    assert [(one.id, one.text, one.rows) for one in read(tmp_path, "X/x")] == [
        ("1", "Hi", ("1\tHi",)),
        ("2", "# no", ("1\t#", "2\tno")),
    ]


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(MissingError, match=r"x\.conllu"):
        list(read(tmp_path, "X/x"))
