from __future__ import annotations

import logging
from pathlib import Path

import pytest

from referee.annotate.document import ROOT
from referee.annotate.protocols import SourceText
from referee.annotate.registry import ANNOTATORS, Choice, open_annotator
from referee.annotate.spacy import installed, open_spacy
from referee.errors import InputError, MissingError, UsageError
from tests.conftest import Install
from tests.support.spacy_pipeline import SENTENCES, pipeline

spacy = pytest.importorskip("spacy", reason="needs spaCy (`pip install 'referee[extract]'`)")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A German pipeline that has learned three sentences by heart."""
    path = tmp_path_factory.mktemp("spacy") / "de_tiny"
    pipeline().to_disk(path)
    return path


def test_a_pipeline_made_on_the_spot(folder: Path) -> None:
    annotator = open_annotator(f"spacy:{folder}", language="de")
    text = "  " + "\n".join(" ".join(sentence.words) for sentence in SENTENCES[:2]) + " \n\n"
    [document] = annotator.annotate([SourceText("d", text)], "de")
    assert document.text == text
    assert document.annotator == f"spacy:{folder} 1.2 (spaCy {spacy.__version__})"
    assert len(document.sentences) == 2
    for sentence, expected in zip(document.sentences, SENTENCES, strict=False):
        words = sentence.words
        assert tuple(text[word.start : word.end] for word in words) == expected.words == tuple(w.form for w in words)
        assert tuple(word.upos for word in words) == expected.pos
        assert tuple(word.feats for word in words) == expected.morphs
        assert tuple(word.lemma for word in words) == expected.lemmas
        assert tuple(word.head for word in words) == expected.heads
        assert tuple(word.deprel for word in words) == expected.deps
        assert (sentence.start, sentence.end) == (words[0].start, words[-1].end)


def test_documents_keep_their_order(folder: Path) -> None:
    texts = [SourceText(str(number), "\n" * (number % 3) + "Es fiel ." * (number % 2)) for number in range(9)]
    documents = list(open_spacy(str(folder)).annotate(texts, "de-AT"))
    assert [(document.id, document.text) for document in documents] == [tuple(text) for text in texts]
    assert [len(document.sentences) > 0 for document in documents] == [bool(number % 2) for number in range(9)]


def test_missing_components_leave_fields_empty(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    spacy.blank("en").to_disk(tmp_path / "blank")
    with caplog.at_level(logging.WARNING):
        documents = list(open_spacy(str(tmp_path / "blank")).annotate([SourceText("d", "It  broke.\nWhy?")] * 2, "en"))
    first, second = documents[0].sentences
    assert [(word.form, word.start) for word in first.words] == [("It", 0), ("broke", 4), (".", 9)]
    assert [word.form for word in second.words] == ["Why", "?"]
    for word in (*first.words, *second.words):
        assert word[1:6] == ("", "", "", ROOT, "")
    [message] = caplog.messages
    assert "has no component for parts of speech, features, lemmas, trees, sentences: they stay empty." in message


def test_a_pipeline_for_another_language(folder: Path) -> None:
    with pytest.raises(UsageError, match="is a pipeline for 'de', not for 'fr'"):
        list(open_spacy(str(folder)).annotate([SourceText("d", "Oui")], "fr"))


def test_names_that_are_not_installed_are_never_loaded(tmp_path: Path) -> None:
    with pytest.raises(MissingError, match="'spacy:de_core_news_xx' is neither an installed pipeline nor the folder"):
        open_spacy("de_core_news_xx")
    (tmp_path / "config.cfg").write_text("[nlp]\nlang = 'qq'\n")
    with pytest.raises(InputError, match="cannot be loaded"):
        open_spacy(str(tmp_path))


def test_an_installed_pipeline(install: Install, folder: Path) -> None:
    code = f"import spacy\n\ndef load(**options):\n    return spacy.load({str(folder)!r}, **options)\n"
    install("de_tiny_sm", "[spacy_models]\nde_tiny_sm = de_tiny_sm\n", code)
    assert Choice(43, "de_tiny_sm") in installed("de")
    assert Choice(43, "de_tiny_sm") not in installed("fr")
    annotator = open_annotator("spacy", language="de")
    assert annotator.name == "spacy:de_tiny_sm"
    assert "with de_tiny_sm" in ANNOTATORS.tools()["spacy"].state()
    assert ANNOTATORS.best(["de"])[0].name == "pocket"


def test_long_lines(tmp_path: Path) -> None:
    spacy.blank("en").to_disk(tmp_path / "blank")
    text = "it " * 40_000
    [document] = open_spacy(str(tmp_path / "blank")).annotate([SourceText("d", text)], "en")
    assert len(document.sentences[0].words) == 40_000
