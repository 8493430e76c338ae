from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from referee.annotate.document import ROOT
from referee.errors import RefereeError
from referee.train.recipes.resolver import gum
from tests.support.coreferent import GENRES, NOT_FREE, document_lines


def test_documents_have_text_words_and_mentions(gum_folder: Path) -> None:
    [first, *_] = gum.read(gum_folder / "sources" / "news.conllu.gz")
    document = first.document
    assert (document.id, first.genre, document.language) == ("GUM_news_0", "news", "en")
    assert document.text == "The cup hit the plate. It's broken.\nThen it rained."
    for sentence in document.sentences:
        for word in sentence.words:
            if not word.part:
                assert document.text[word.start : word.end] == word.form
    it, verb, *_ = document.sentences[1].words
    assert (it.form, it.part, verb.form, verb.part) == ("It", 1, "'s", 2)
    assert document.text[it.start : it.end] == document.text[verb.start : verb.end] == "It's"
    assert [word.head for word in document.sentences[2].words] == [2, 2, ROOT, 2]
    mentions = [
        (mention.entity, document.text[mention.start : mention.end], mention.upos) for mention in first.mentions
    ]
    assert mentions == [(1, "The cup", "NOUN"), (2, "the plate", "NOUN"), (1, "It's", "PRON")]
    assert [document.text[start:end] for mention in first.mentions for start, end in mention.heads] == [
        "cup",
        "plate",
        "It's",
    ]


def test_training_documents_are_free_and_unseen(gum_folder: Path) -> None:
    training = gum.training(gum_folder)
    assert {gold.genre for gold in training} == set(GENRES) == set(gum.FREE)
    held_out = {gold.document.id for gold in gum.measured(gum_folder)}
    assert not held_out & {gold.document.id for gold in training}
    assert {identifier for identifier in held_out if NOT_FREE in identifier} == {"GUM_fiction_0", "GUM_fiction_1"}
    assert len(gum.measured(gum_folder, "dev")) == len(GENRES) + 1


def _written(path: Path, lines: list[str]) -> Path:
    with gzip.open(path, "wt", encoding="utf-8") as file:
        file.write("\n".join(lines))
    return path


def test_nested_mentions_and_names(tmp_path: Path) -> None:
    path = _written(
        tmp_path / "nested.conllu.gz",
        [
            "# newdoc id = n",
            "# meta::genre = news",
            "1\tAnn\tAnn\tPROPN\tNNP\t_\t3\tnsubj\t_\tEntity=(1-person-new-cf1-1,2-coref(7-person-new-cf1*-1-coref)",
            "2\tLee\tLee\tPROPN\tNNP\t_\t1\tflat\t_\tEntity=1)",
            "3\tsang\tsing\tVERB\tVBD\t_\t0\troot\t_\tEntity=(2-event-new-cf3-1-sgl)",
            "3.1\tsang\tsing\tVERB\tVBD\t_\t_\t_\t0:root\t_",
        ],
    )
    [gold] = gum.read(path)
    found = [
        (mention.entity, gold.document.text[mention.start : mention.end], mention.upos, len(mention.heads))
        for mention in gold.mentions
    ]
    assert found == [(1, "Ann Lee", "PROPN", 2), (7, "Ann", "PROPN", 1), (2, "sang", "VERB", 1)]


def test_what_is_not_gum_is_refused(tmp_path: Path) -> None:
    lines = [line.replace("-cf1-2-", "-") for line in document_lines(0, "news")]
    with pytest.raises(RefereeError, match="cannot read the entity"):
        list(gum.read(_written(tmp_path / "old.conllu.gz", lines)))
    with pytest.raises(RefereeError):
        gum.training(tmp_path)
