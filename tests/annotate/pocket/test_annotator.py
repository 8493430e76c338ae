"""The annotator as a whole, with a small encoder and random heads."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path

import numpy as np
import pytest

from referee.annotate.document import ROOT, Document, Sentence, Word
from referee.annotate.pocket import annotator as module
from referee.annotate.pocket.annotator import (
    Lexical,
    PocketAnnotator,
    best_lexicon,
    no_lexicon,
    open_pocket,
    shipped_lexicon,
)
from referee.annotate.pocket.lexicon import Lexicon
from referee.annotate.protocols import Annotator, SourceText
from referee.errors import InputError, UnknownNameError, UsageError
from referee.languages.analyses import Analysis
from tests.support import tiny_annotator
from tests.support.tiny_annotator import SENTENCES

BAD = (
    "",
    " \n\t \n\n",
    "\x00\x01\x1b[31m\x7f",
    "😀😀 👩‍👩‍👧 🏳️‍🌈",
    "他们昨天把杯子打碎了。",
    "كسر الكوب",
    "\ud800 \udfff",
    "\ufeff\u200b\u00ad",
    "e\u0301" * 50,
    "a\r\nb\rc",
    "----------" * 30,
    "((((" + "." * 300,
    "▁▁ <s> </s> <mask> <de>",
    "٣٤٥ ⅷ ½ ²",
)


@pytest.fixture(scope="module")
def annotator(tmp_path_factory: pytest.TempPathFactory) -> PocketAnnotator:
    return tiny_annotator.annotator(tmp_path_factory.mktemp("annotator"))


def annotated(annotator: PocketAnnotator, texts: Sequence[str], language: str = "de") -> list[Document]:
    return list(annotator.annotate((SourceText(str(number), text) for number, text in enumerate(texts)), language))


def lines(count: int, seed: int = 1) -> list[str]:
    """Lines of words of the sentences, in any order, some with bad characters."""
    chance = random.Random(seed)
    known = [word for sentence in SENTENCES for word in sentence.split()]
    drawn = [" ".join(chance.choices(known, k=chance.randint(0, 14))) for _ in range(count)]
    return [line + chance.choice(BAD) if number % 20 == 0 else line for number, line in enumerate(drawn)]


def check(document: Document) -> None:
    """Whether a document is sound: characters in order, one root per sentence, no line break within one."""
    end = 0
    for sentence in document.sentences:
        assert sentence.words
        assert (sentence.start, sentence.end) == (sentence.words[0].start, sentence.words[-1].end)
        assert "\n" not in document.text[sentence.start : sentence.end]
        assert [word.head for word in sentence.words].count(ROOT) == 1
        for word in sentence.words:
            assert 0 <= word.start < word.end <= len(document.text)
            if word.part <= 1:
                assert word.start >= end
                assert not document.text[end : word.start].strip() or has_no_atoms(document.text[end : word.start])
            if not word.part:
                assert word.form == document.text[word.start : word.end]
            end = word.end
    assert has_no_atoms(document.text[end:])


def has_no_atoms(text: str) -> bool:
    return all(character.isspace() or ord(character) < 32 or 127 <= ord(character) < 160 for character in text)


def test_it_is_an_annotator(annotator: PocketAnnotator) -> None:
    assert isinstance(annotator, Annotator)
    assert annotator.name == "pocket"
    [document] = annotated(annotator, ["A cup."])
    assert document.annotator == f"pocket {annotator.version}"
    assert (document.id, document.text, document.language) == ("0", "A cup.", "de")


@pytest.mark.parametrize("language", tiny_annotator.LANGUAGES)
def test_documents_are_sound(annotator: PocketAnnotator, language: str) -> None:
    texts = ["\n".join(SENTENCES), *SENTENCES, *lines(30)]
    documents = annotated(annotator, texts, language)
    assert [document.text for document in documents] == texts
    for document in documents:
        check(document)


@pytest.mark.parametrize("text", BAD)
def test_bad_texts(annotator: PocketAnnotator, text: str) -> None:
    [document] = annotated(annotator, [text])
    check(document)
    assert bool(document.sentences) == (not has_no_atoms(text))


def test_long_lines_and_long_words(annotator: PocketAnnotator) -> None:
    texts = [" ".join(SENTENCES * 250)[:100_000], "tasse" * 2_000, "a b " * 3_000, "." * 100_000]
    for document in annotated(annotator, texts):
        check(document)
        assert max(len(sentence.words) for sentence in document.sentences) <= 900  # 300 tokens of three words


def test_a_text_of_many_stretches(annotator: PocketAnnotator, monkeypatch: pytest.MonkeyPatch) -> None:
    text = "\n".join(lines(60))
    [whole] = annotated(annotator, [text])
    check(whole)
    monkeypatch.setattr("referee.annotate.pocket.passages.LONGEST", 300)
    documents = annotated(annotator, ["A cup.", text, "", "It fell."])
    for document in documents:
        check(document)
    assert [len(document.text) for document in documents] == [6, len(text), 0, 8]


def test_an_unknown_language_is_one_clear_error(annotator: PocketAnnotator) -> None:
    with pytest.raises(UnknownNameError, match="unknown language of the pocket annotator 'zh'") as caught:
        annotator.annotate([], "zh")
    assert "Choose one of de, en, es, fr, it, pl, pt, ru" in str(caught.value)


def test_a_region_is_not_another_language(annotator: PocketAnnotator) -> None:
    [plain], [regional] = (annotated(annotator, [SENTENCES[2]], language) for language in ("de", "de-AT"))
    assert plain.sentences == regional.sentences


def test_languages_differ(annotator: PocketAnnotator) -> None:
    english, german = (annotated(annotator, list(SENTENCES), language) for language in ("en", "de"))
    assert [document.sentences for document in english] != [document.sentences for document in german]


def test_documents_come_as_they_are_ready(annotator: PocketAnnotator, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "TOGETHER", 60)
    taken: list[int] = []

    def endless() -> Iterator[SourceText]:
        number = 0
        while True:
            taken.append(number)
            yield SourceText(str(number), "The cup fell off the table")
            number += 1

    documents = annotator.annotate(endless(), "en")
    assert [next(documents).id for _ in range(10)] == [str(number) for number in range(10)]
    assert len(taken) < 20


def unannotated(document: Document, language: str) -> Document:
    """The document with its words alone."""
    sentences = []
    for sentence in document.sentences:
        words = tuple(Word(word.form, "", "", "", 0, "", *word[6:9]) for word in sentence.words)
        sentences.append(Sentence(sentence.start, sentence.end, words))
    return Document(document.id, document.text, language, tuple(sentences))


def test_given_words_are_kept(annotator: PocketAnnotator) -> None:
    documents = annotated(annotator, [*SENTENCES, "", *lines(20)], "fr")
    blank = [unannotated(document, language) for document, language in zip(documents, ["fr", "it"] * 99, strict=False)]
    tagged = list(annotator.tag(blank))
    assert [document.id for document in tagged] == [document.id for document in documents]
    assert [document.language for document in tagged] == [document.language for document in blank]
    for before, after in zip(documents, tagged, strict=True):
        check(after)
        assert unannotated(after, "fr") == unannotated(before, "fr")


def same_in_any_way(folder: Path, count: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Hold documents against those of other orders, batches, chunks and processes."""
    texts = lines(count)
    texts += ["\n".join(texts[start : start + 25]) for start in range(0, count, 25)]
    annotator = tiny_annotator.annotator(folder)
    expected = [document.sentences for document in annotated(annotator, texts)]
    order = np.random.default_rng(3).permutation(len(texts)).tolist()
    shuffled = annotated(annotator, [texts[index] for index in order])
    assert [document.sentences for document in shuffled] == [expected[index] for index in order]
    with ProcessPoolExecutor(2, get_context("spawn")) as pool:
        halves = pool.map(_in_process, [folder] * 2, [texts[::2], texts[1::2]])
        for half, sentences in zip((expected[::2], expected[1::2]), halves, strict=True):
            assert half == sentences
    for together, batch in ((1, 1), (500, 64), (10**9, 10**9)):
        monkeypatch.setattr(module, "TOGETHER", together)
        monkeypatch.setattr("referee.annotate.pocket.analyser.BATCH", batch)
        assert [document.sentences for document in annotated(annotator, texts[-400:])] == expected[-400:]


def _in_process(folder: Path, texts: list[str]) -> list[tuple[Sentence, ...]]:
    return [document.sentences for document in annotated(tiny_annotator.annotator(folder), texts)]


def test_results_do_not_depend_on_batch_order_or_processes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    same_in_any_way(tmp_path, 300, monkeypatch)


@pytest.mark.slow
def test_ten_thousand_lines_give_the_same_in_any_way(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    same_in_any_way(tmp_path, 10_000, monkeypatch)


def test_heads_of_another_encoder_are_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="belong to another encoder"):
        PocketAnnotator(tiny_annotator.encoder(tmp_path), tiny_annotator.heads(tmp_path), no_lexicon)


def test_a_lexicon_is_opened_once_and_named(tmp_path: Path) -> None:
    from tests.annotate.pocket.test_analyser import CupRanker

    opened: list[str] = []
    encoder = tiny_annotator.encoder(tmp_path)
    heads = tiny_annotator.heads(tmp_path, encoder.sha256)

    def lexicons(language: str, _: object) -> Lexical | None:
        opened.append(language)
        return Lexical("cups 1", CupRanker()) if language == "en" else None

    annotator = PocketAnnotator(encoder, heads, lexicons)
    for language in ("en", "de", "en"):
        [document] = annotated(annotator, ["A cup."], language)
        assert document.annotator.endswith(", cups 1") == (language == "en")
    assert opened == ["en", "de"]


def test_an_unknown_argument_is_an_error() -> None:
    with pytest.raises(UsageError, match="is not an argument of the pocket annotator"):
        open_pocket("large")


def test_lexicons_of_a_language_fit_the_heads(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    opened = []

    def open_lexicon(language: str, *, optional: bool = True) -> Lexicon | None:
        opened.append((language, optional))
        noun = Analysis("NOUN", "Neut", "Sing", "Nom", "", "Cup")
        return Lexicon(language, "lexicon 1", lambda form: (noun,) if form == "cup" else ())

    monkeypatch.setattr(module, "open_lexicon", open_lexicon)
    heads = tiny_annotator.heads(tmp_path)
    for lexicons in (shipped_lexicon, best_lexicon):
        lexical = lexicons("en", heads)
        assert lexical is not None
        assert lexical.version == "lexicon 1"
        features = sum(len(values) for _, values in heads.about.features)
        upos = np.array([[float(name == "NOUN") for name in heads.about.upos]], np.float32)
        chosen = lexical.ranker.choose(["cup"], upos, np.zeros((1, features), np.float32), ["cup"])
        assert chosen.lemmas == ["Cup"]
    assert opened == [("en", False), ("en", True)]
