from __future__ import annotations

from pathlib import Path

import pytest

from referee.annotate.document import ROOT, Word
from referee.annotate.protocols import SourceText
from referee.annotate.registry import Choice, open_annotator
from referee.annotate.stanza import StanzaAnnotator, installed, models_folder, sentence_of
from referee.errors import InputError, MissingError, UsageError


class Record:
    """A shape that Stanza 1.15 returned: attributes of documents, sentences, tokens and words."""

    def __init__(self, **fields: object) -> None:
        self.__dict__ |= fields


def record(text: str, **fields: object) -> Record:
    defaults = {"lemma": None, "upos": None, "xpos": None, "feats": None, "head": None, "deprel": None}
    return Record(text=text, **(defaults | fields))


DE = record("de", lemma="de", upos="ADP", head=3, deprel="case")
LE = record("le", lemma="le", upos="DET", feats="Definite=Def", head=3, deprel="det")
CHAT = record("chat", lemma="chat", upos="NOUN", xpos="NC", head=0, deprel="root")
TOKENS = [
    Record(text="du", start_char=1, end_char=3, words=[DE, LE]),
    Record(text="chat", start_char=4, end_char=8, words=[CHAT]),
]
SENTENCE = Record(tokens=TOKENS, words=[DE, LE, CHAT])


def test_recorded_shapes() -> None:
    sentence = sentence_of(SENTENCE, 10)
    assert (sentence.start, sentence.end) == (11, 18)
    assert sentence.words == (
        Word("de", "de", "ADP", "", 2, "case", 11, 13, 1),
        Word("le", "le", "DET", "Definite=Def", 2, "det", 11, 13, 2),
        Word("chat", "chat", "NOUN", "", ROOT, "root", 14, 18, 0, "NC"),
    )


class Recorded:
    """A pipeline that answers every line alike."""

    def bulk_process(self, lines: list[str]) -> list[Record]:
        assert all(line.strip() for line in lines)
        return [Record(sentences=[SENTENCE]) for _ in lines]


def test_lines_end_sentences() -> None:
    annotator = StanzaAnnotator("stanza:fr", "1", "fr", Recorded())
    text = " du chat\n\n \n du chat"
    [document, empty] = annotator.annotate([SourceText("d", text), SourceText("e", "\n")], "fr-CA")
    assert [document.text[word.start : word.end] for s in document.sentences for word in s.words] == [
        *("du", "du", "chat", "du", "du", "chat")
    ]
    assert (document.annotator, empty.sentences) == ("stanza:fr 1", ())
    with pytest.raises(UsageError, match=r"'stanza:fr' is not for 'de'\. Use `stanza:de`"):
        list(annotator.annotate([], "de"))


def test_models_on_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("STANZA_RESOURCES_DIR", str(tmp_path))
    assert models_folder() == tmp_path
    (tmp_path / "de" / "tokenize").mkdir(parents=True)
    assert installed("") == [], "Stanza cannot open them without its list"
    (tmp_path / "resources.json").write_text("{}")
    assert installed("") == installed("de") == [Choice(60, "de")]
    assert installed("fr") == []


def test_nothing_is_downloaded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("stanza", reason="needs Stanza (`pip install stanza`)")
    monkeypatch.setenv("STANZA_RESOURCES_DIR", str(tmp_path))
    with pytest.raises(MissingError, match=r"'stanza:de' has no models in .* stanza\.download\('de'\)"):
        open_annotator("stanza:de", language="de")
    (tmp_path / "de" / "tokenize").mkdir(parents=True)
    (tmp_path / "resources.json").write_text("{}")
    with pytest.raises(InputError, match=r"'stanza:de' cannot be loaded \(.*\)\. Download the models again\."):
        open_annotator("stanza:de", language="de")


@pytest.mark.slow
@pytest.mark.filterwarnings("default")
def test_real_models(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Models that Stanza's own programs train in seconds: tokens and lemmas are learned, tags and trees are random."""
    pytest.importorskip("stanza", reason="needs Stanza (`pip install stanza`)")
    from tests.support.stanza_models import write_models

    write_models(tmp_path / "resources", tmp_path)
    monkeypatch.setenv("STANZA_RESOURCES_DIR", str(tmp_path / "resources"))
    annotator = open_annotator("stanza", language="fr")
    assert annotator.name == "stanza:fr"
    text = "Il parle du chat. Elle va au jardin.\n\n Elle parle du chat."
    [document] = annotator.annotate([SourceText("d", text)], "fr")
    assert document.text == text
    first, second, third = document.sentences
    surfaces = [(word.form, text[word.start : word.end], word.part) for word in first.words]
    assert surfaces == [
        *(("Il", "Il", 0), ("parle", "parle", 0), ("de", "du", 1), ("le", "du", 2), ("chat", "chat", 0), (".", ".", 0))
    ]
    assert [word.lemma for word in second.words] == ["il", "aller", "à", "le", "jardin", "."]
    assert text[third.start : third.end] == "Elle parle du chat."
    assert isinstance(annotator, StanzaAnnotator)
    for sentence, theirs in zip((first, second), annotator.pipeline(text).sentences, strict=False):
        assert [word.upos for word in sentence.words] == [word.upos for word in theirs.words]
        assert [word.head + 1 for word in sentence.words] == [word.head for word in theirs.words]
        assert [word.deprel for word in sentence.words] == [word.deprel for word in theirs.words]
        assert [word.feats for word in sentence.words] == [word.feats or "" for word in theirs.words]
