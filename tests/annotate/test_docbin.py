from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import assume, given, settings

from referee.annotate.docbin import check_spacy, to_doc, write_docbin, wrote_docbin
from referee.annotate.document import ROOT, Document, Sentence, Word
from tests.annotate.test_conllu import DOCUMENT
from tests.support.annotated import documents

pytest.importorskip("spacy", reason="needs spaCy (`pip install 'referee[extract]'`)")


@given(documents())
@settings(max_examples=50)
def test_any_document_keeps_its_text(document: Document) -> None:
    from spacy.vocab import Vocab

    # spaCy has no tokens without characters.
    assume(all(word.start < word.end for sentence in document.sentences for word in sentence.words))
    assert to_doc(document, Vocab()).text == document.text


def test_words_tags_and_trees(tmp_path: Path) -> None:
    from spacy.tokens import DocBin
    from spacy.vocab import Vocab

    second = Word("Oui", "oui", "INTJ", "", ROOT, "root", 18, 21)
    document = Document(
        "d", "Il parle du chat.\nOui", "fr", (*DOCUMENT.sentences, Sentence(18, 21, (second,))), "tiny 1"
    )
    path = tmp_path / "a.spacy"
    write_docbin([document, DOCUMENT], path)
    assert wrote_docbin(path)
    doc, _ = DocBin().from_disk(path).get_docs(Vocab())
    assert doc.text == document.text
    assert [token.text for token in doc] == ["Il", "parle", "du", "chat", ".", "\n", "Oui"]
    assert [token.pos_ for token in doc] == ["PRON", "VERB", "ADP", "NOUN", "PUNCT", "SPACE", "INTJ"]
    assert [token.head.i for token in doc] == [1, 1, 3, 1, 1, 4, 6]
    assert [token.dep_ for token in doc] == ["nsubj", "ROOT", "case", "obl", "punct", "dep", "ROOT"]
    assert (str(doc[3].morph), doc[3].tag_, doc[1].lemma_) == ("Gender=Masc|Number=Sing", "NC", "parler")
    assert [sentence.text for sentence in doc.sents] == ["Il parle du chat.\n", "Oui"]
    assert doc.user_data["referee.annotator"] == "tiny 1"
    assert [word[0] for word in doc.user_data["referee.words"]["2"]] == ["de", "le"]


def test_sentences_without_trees() -> None:
    from spacy.vocab import Vocab

    words = [Word(form, "", "WEIRD", "", ROOT, "", start, start + 1) for form, start in (("a", 1), ("b", 3), ("c", 5))]
    document = Document("d", " a b\nc", "en", (Sentence(1, 4, tuple(words[:2])), Sentence(5, 6, tuple(words[2:]))))
    doc = to_doc(document, Vocab())
    assert [sentence.text for sentence in doc.sents] == [" a b\n", "c"]
    assert not doc.has_annotation("DEP")
    assert doc[1].pos_ == "X"


def test_other_files_are_not_recognised(tmp_path: Path) -> None:
    from spacy.tokens import DocBin

    DocBin().to_disk(tmp_path / "other.spacy")
    (tmp_path / "text").write_text("referee.annotator")
    assert not any(wrote_docbin(tmp_path / name) for name in ("other.spacy", "text", "missing"))
    check_spacy()
