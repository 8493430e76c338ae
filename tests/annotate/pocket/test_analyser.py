from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest

from referee.annotate.document import ROOT, Sentence, Word
from referee.annotate.pocket import analyser as module
from referee.annotate.pocket.analyser import Analyser
from referee.annotate.pocket.passages import Given, Stretch
from referee.annotate.pocket.pieces import Pieces
from tests.support import tiny_annotator
from tests.support.tiny_annotator import LANGUAGES, SENTENCES, pieces_model

TOKENS: dict[str, Any] = {"border": np.zeros((3, 32)), "border_bias": [0, 1, 0]}
"""Every atom is a token."""
WHOLE: dict[str, Any] = {"split.out": np.zeros((3, 8)), "split_out_bias": [1, 0, 0]}
SPLIT: dict[str, Any] = {"split.out": np.zeros((3, 8)), "split_out_bias": [0, 1, 0]}


def analyser(folder: Path, ranker: module.Ranker | None = None, **changes: object) -> Analyser:
    encoder = tiny_annotator.encoder(folder)
    heads = tiny_annotator.heads(folder, encoder.sha256, **changes)
    return Analyser(encoder, Pieces(pieces_model(), LANGUAGES), heads, "en", ranker)


def words(sentences: Sequence[Sentence]) -> list[Word]:
    return [word for sentence in sentences for word in sentence.words]


def test_words_bear_the_characters_of_their_stretch(tmp_path: Path) -> None:
    text = "It fell.\n\nThe cup broke!"
    found = analyser(tmp_path, **TOKENS, **WHOLE).annotate([Stretch(0, "A cup."), Stretch(100, text), Stretch(7, "")])
    assert [len(sentences) for sentences in found] == [1, 2, 0]
    for word in words(found[1]):
        assert text[word.start - 100 : word.end - 100] == word.form
        assert word.part == 0
    assert [(sentence.start - 100, sentence.end - 100) for sentence in found[1]] == [(0, 8), (10, 24)]
    assert [word.form for word in words(found[0])] == ["A", "cup", "."]


def test_words_of_a_token_share_its_characters(tmp_path: Path) -> None:
    [[sentence]] = analyser(tmp_path, **TOKENS, **SPLIT).annotate([Stretch(0, "du vu")])
    assert [(word.form, word.start, word.end, word.part) for word in sentence.words] == [
        ("de", 0, 2, 1),
        ("le", 0, 2, 2),
        ("ve", 3, 5, 1),
        ("le", 3, 5, 2),
    ]
    assert len({(word.upos, word.feats, word.lemma) for word in sentence.words}) > 1


def test_every_word_is_annotated(tmp_path: Path) -> None:
    opened = analyser(tmp_path)
    found = opened.annotate([Stretch(0, text) for text in SENTENCES])
    about = tiny_annotator.about()
    for sentence in (sentence for sentences in found for sentence in sentences):
        assert [word.head for word in sentence.words].count(ROOT) == 1
        for word in sentence.words:
            assert word.upos in about["upos"]
            assert word.deprel in about["deprels"]
            assert (word.deprel == "root") == (word.head == ROOT)
            assert word.lemma
            assert ROOT <= word.head < len(sentence.words)
    assert len({word.feats for sentences in found for word in words(sentences)}) > 3


def test_given_words_are_kept_and_the_rest_is_predicted(tmp_path: Path) -> None:
    opened = analyser(tmp_path, **TOKENS, **WHOLE)
    text = "The cup fell off the table"
    [sentences] = opened.annotate([Stretch(0, text)])
    blank = tuple(Word(word.form, "?", "?", "?", 0, "?", word.start, word.end) for word in sentences[0].words)
    [tagged] = opened.tag([Given(text, (Sentence(0, len(text), blank),))])
    assert tagged == sentences


def test_given_parts_of_a_token_are_those_of_split_tokens(tmp_path: Path) -> None:
    opened = analyser(tmp_path, **TOKENS, **SPLIT)
    text = "du vu"
    [sentences] = opened.annotate([Stretch(0, text)])
    [tagged] = opened.tag([Given(text, tuple(sentences))])
    assert tagged == sentences


def test_given_sentences_without_words(tmp_path: Path) -> None:
    empty = Sentence(0, 0, ())
    cup = Sentence(0, 3, (Word("cup", "", "", "", ROOT, "", 0, 3),))
    opened = analyser(tmp_path)
    assert [len(part) for part in opened.tag([Given("cup", (empty, cup, empty)), Given("", ())])] == [3, 0]


def test_words_of_a_long_line_are_those_of_its_sentences(tmp_path: Path) -> None:
    opened = analyser(tmp_path)
    text = " ".join(SENTENCES * 3)
    [sentences] = opened.annotate([Stretch(0, text)])
    [again] = opened.tag([Given(text, tuple(sentences))])
    assert len(sentences) > 3
    assert again == sentences


class Answer(NamedTuple):
    upos: np.ndarray
    values: np.ndarray
    lemmas: list[str | None]


class CupRanker:
    """A lexicon that knows one word, and checks the scores that it is given."""

    def choose(self, forms: Sequence[str], upos: np.ndarray, feats: np.ndarray, lemmas: Sequence[str]) -> Answer:
        assert upos.shape == (len(forms), 6)
        assert feats.shape == (len(forms), 10)
        assert len(lemmas) == len(forms)
        known = np.array([form == "cup" for form in forms])
        # Gender, Number, Case, Animacy: the heads have no Animacy.
        values = np.where(known[:, None], [2, 1, -1, 1], -1)
        return Answer(np.where(known, 2, -1), values, ["Cup" if form == "cup" else None for form in forms])


def test_a_lexicon_decides_what_it_knows(tmp_path: Path) -> None:
    texts = [Stretch(0, "The cup fell off the cup")]
    [plain] = analyser(tmp_path, **TOKENS, **WHOLE).annotate(texts)
    [ranked] = analyser(tmp_path, CupRanker(), **TOKENS, **WHOLE).annotate(texts)
    for before, after in zip(words(plain), words(ranked), strict=True):
        if before.form != "cup":
            assert before == after
            continue
        assert (after.lemma, after.upos) == ("Cup", "NOUN")
        assert (after.feature("Gender"), after.feature("Number")) == ("Masc", "Plur")
        assert after.feature("Case") == before.feature("Case")
        assert (after.head, after.deprel) == (before.head, before.deprel)


@pytest.mark.parametrize("batch", [1, 60, 100_000])
def test_batches_of_the_encoder_make_no_difference(tmp_path: Path, batch: int, monkeypatch: pytest.MonkeyPatch) -> None:
    opened = analyser(tmp_path)
    stretches = [Stretch(0, "\n".join(SENTENCES)), *(Stretch(0, text) for text in SENTENCES)]
    expected = opened.annotate(stretches)
    monkeypatch.setattr(module, "BATCH", batch)
    assert opened.annotate(stretches) == expected
