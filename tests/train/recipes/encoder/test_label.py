"""Labels for running text: found by an annotator that knows it by heart, corrected by a lexicon."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("sentencepiece")
pytest.importorskip("google.protobuf")

from referee.errors import InputError  # noqa: E402
from referee.train.recipes.encoder import label, passages  # noqa: E402
from referee.train.recipes.encoder.examples import (  # noqa: E402
    DEPREL,
    HEAD,
    LEMMA,
    PART,
    SPLIT,
    TAG,
    UNKNOWN,
    Builder,
    Examples,
)
from referee.train.recipes.encoder.inventory import FEATURES  # noqa: E402
from referee.train.recipes.encoder.label import Passages, correct, labelled, read_lexicon, read_passages  # noqa: E402
from referee.train.recipes.encoder.numbered import number  # noqa: E402
from referee.train.recipes.encoder.passages import LANGUAGES, Passage  # noqa: E402
from tests.support import small_annotator, small_treebanks  # noqa: E402
from tests.support.small_annotator import Taught  # noqa: E402

KNOWN = [(language, index) for language in LANGUAGES for index in range(3)]


def listed(members: list[tuple[str, str]]) -> Passages:
    texts = [text for _, text in members]
    numbers = number(texts, small_treebanks.pieces())
    return Passages([LANGUAGES.index(language) for language, _ in members], texts, numbers)


def known() -> Passages:
    return listed([(language, small_treebanks.sentence(language, index).text) for language, index in KNOWN])


def gold() -> Examples:
    """The same sentences with the labels of the treebank."""
    builder = Builder(small_treebanks.inventory(), small_treebanks.pieces())
    for language, index in KNOWN:
        ((text, words),) = small_treebanks.texts(language, range(index, index + 1))
        builder.add(language, 0, text, words, small_treebanks.MARKED)
    return builder.examples()


@pytest.fixture(scope="module")
def found(taught: Taught) -> tuple[Examples, np.ndarray, np.ndarray]:
    return labelled(known(), [taught.model], small_treebanks.inventory(), small_annotator.tokens())


def test_sentences_words_and_labels_are_found(found: tuple[Examples, np.ndarray, np.ndarray]) -> None:
    examples, expected = found[0], gold()
    assert examples.first_piece.tolist() == expected.first_piece.tolist()
    assert examples.pieces.tolist() == expected.pieces.tolist()
    assert examples.atoms.tolist() == expected.atoms.tolist()
    assert examples.first_word.tolist() == expected.first_word.tolist()
    assert examples.words[:, :3].tolist() == expected.words[:, :3].tolist()
    assert (examples.words[:, PART] > 0).any()
    for column in (SPLIT, TAG, LEMMA, HEAD, DEPREL):
        assert (examples.words[:, column] == expected.words[:, column]).mean() > 0.95
    marked = [FEATURES.index(name) for name in ("Number", "Gender")]
    assert (examples.feats[:, marked] == expected.feats[:, marked]).mean() > 0.95


def test_words_know_their_atoms(found: tuple[Examples, np.ndarray, np.ndarray]) -> None:
    examples, first, last = found
    texts = known()
    forms = [
        texts.texts[texts.of_atom[end]][texts.starts[start] : texts.ends[end]]
        for start, end in zip(first, last, strict=True)
    ]
    expected = [
        token.form
        for language, index in KNOWN
        for token in small_treebanks.texts(language, range(index, index + 1))[0][1]
        for _ in token.words
    ]
    assert forms == expected
    assert len(examples.words) == len(forms)


def test_a_passage_may_have_several_sentences(taught: Taught) -> None:
    texts = [small_treebanks.sentence("de", index).text for index in range(2)]
    one = listed([("de", " ".join(texts)), ("fr", small_treebanks.sentence("fr", 0).text)])
    examples, _, _ = labelled(one, [taught.model], small_treebanks.inventory(), small_annotator.tokens())
    assert len(examples) == 3
    assert examples.language.tolist() == [1, 1, 3]
    assert one.texts_of(examples) == [range(2), range(2, 3)]


def test_what_teachers_are_not_sure_of_is_left_out() -> None:
    model = small_annotator.untaught().eval()
    examples, _, _ = labelled(known(), [model], small_treebanks.inventory(), small_annotator.tokens())
    assert (examples.words[:, [TAG, LEMMA, DEPREL]] == UNKNOWN).all()
    assert (examples.words[:, SPLIT] == 0).all()
    # -1 is the root: a head that is not known is another number.
    assert (examples.words[:, HEAD] < -1).any()
    # One unsure feature, the gender here, leaves out all features of a word.
    assert (examples.feats == UNKNOWN).all()


def test_a_passage_that_would_not_fit_a_row_keeps_its_tokens_whole(
    taught: Taught, monkeypatch: pytest.MonkeyPatch
) -> None:
    words = [len(gold().words[a:b]) for a, b in zip(gold().first_word, gold().first_word[1:], strict=False)]
    monkeypatch.setattr(label, "WORDS", max(words) - 1)
    examples, _, _ = labelled(known(), [taught.model], small_treebanks.inventory(), small_annotator.tokens())
    counts = np.diff(examples.first_word)
    assert counts.max() < max(words)
    assert [int(count) for count, own in zip(counts, words, strict=True) if own < max(words)] == [
        own for own in words if own < max(words)
    ]


@pytest.fixture
def lexicon(tmp_path: Path) -> label.Lexicon:
    small_treebanks.write_lexicon(tmp_path / "labels.tsv.xz")
    return read_lexicon(tmp_path / "labels.tsv.xz", small_treebanks.inventory())


def test_entries_of_the_lexicon(lexicon: label.Lexicon) -> None:
    inventory = small_treebanks.inventory()
    gender = inventory.features["Gender"]
    tag, *values, script = lexicon["de", "Hund"]
    assert (tag, script) == (inventory.upos.index("NOUN"), 0)
    assert values == [gender.index("Fem"), inventory.features["Number"].index("Sing"), None, 0]
    assert lexicon["ru", "дом"] == [None, gender.index("Masc"), None, None, None, None]
    assert ("de", "дом") not in lexicon


def test_the_lexicon_overrules_what_was_found(taught: Taught, lexicon: label.Lexicon) -> None:
    inventory = small_treebanks.inventory()
    texts = listed([("de", "Der Hund steht zum Hund."), ("fr", "Le Hund dort du jardin.")])
    examples, first, last = labelled(texts, [taught.model], inventory, small_annotator.tokens())
    before = examples.words.copy(), examples.feats.copy()
    hits = correct(examples, texts, first, last, lexicon)
    forms = [texts.texts[texts.of_atom[b]][texts.starts[a] : texts.ends[b]] for a, b in zip(first, last, strict=True)]
    german = texts.of_atom[last] == 0
    dogs = np.flatnonzero(np.array([form == "Hund" for form in forms]) & german)
    # A word that begins a sentence is looked for in lower case too.
    (article,) = np.flatnonzero(np.array([form == "Der" for form in forms]))
    (verb,) = np.flatnonzero(np.array([form == "steht" for form in forms]))
    assert len(dogs) == 2
    assert hits == 4
    gender = FEATURES.index("Gender")
    assert {inventory.features["Gender"][value] for value in examples.feats[dogs, gender]} == {"Fem"}
    assert (examples.words[dogs, TAG] == inventory.upos.index("NOUN")).all()
    assert examples.words[article, TAG] == inventory.upos.index("PRON")
    others = np.setdiff1d(np.arange(len(forms)), [*dogs, article, verb])
    assert (examples.words[others] == before[0][others]).all()
    assert (examples.feats[others] == before[1][others]).all()
    assert (examples.words[:, HEAD] == before[0][:, HEAD]).all()


def test_passages_are_limited_and_the_longest_are_left_out(tmp_path: Path) -> None:
    long = " ".join(small_treebanks.sentence("de", index).text for index in range(30))
    members = [Passage("de", small_treebanks.sentence("en", 0).text, text) for text in (long, "Der Hund steht.")]
    path = tmp_path / "text.jsonl.xz"
    passages.write(path, {"train": members, "watch": members})
    read = read_passages(path, small_treebanks.pieces_model(), 10**6, 1)
    assert sorted(read.texts) == sorted(["Der Hund steht.", small_treebanks.sentence("en", 0).text])
    few = [Passage("de", "", f"Hund {number}.") for number in range(50)]
    passages.write(path, {"train": few, "watch": few})
    assert 3 <= len(read_passages(path, small_treebanks.pieces_model(), 20, 1).texts) <= 5
    passages.write(path, {"train": [Passage("de", "", long)], "watch": few})
    with pytest.raises(InputError, match="has no passage of 1 to 124 pieces"):
        read_passages(path, small_treebanks.pieces_model(), 10**6, 1)
