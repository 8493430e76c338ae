from __future__ import annotations

import logging
import random
from pathlib import Path

import pytest

from referee.annotate.align.pocket import LONGEST, PocketAligner, open_pocket
from referee.annotate.protocols import Aligner, SentencePair, Tokens
from referee.errors import RefereeError
from referee.train.recipes.aligner.gold import in_columns, scores
from tests.support.small_aligner import WORDS, pair

pytest.importorskip("ctranslate2")


def sentences(count: int) -> list[SentencePair]:
    chance = random.Random(4)
    texts = [[chance.choice(list(WORDS)) for _ in range(chance.randint(1, 12))] for _ in range(count)]
    return [pair(" ".join(words), " ".join(WORDS[word] for word in words[::-1])) for words in texts]


def test_the_bundled_aligner_is_an_aligner(aligner: PocketAligner) -> None:
    assert isinstance(aligner, Aligner)
    assert aligner.name == "pocket"
    assert len(aligner.version) == 12


def test_words_of_the_table_and_names_are_linked(aligner: PocketAligner) -> None:
    links = aligner.align([pair("The dog sees Maria.", "Maria sieht das Hund.")], "en", "de")
    assert links == [((0, 2), (1, 3), (2, 1), (3, 0), (4, 4))]


def test_the_other_direction_uses_the_same_table(aligner: PocketAligner) -> None:
    pairs = sentences(20)
    turned = [SentencePair(one.target, one.source) for one in pairs]
    expected = [tuple(sorted((j, i) for i, j in links)) for links in aligner.align(pairs, "en", "de")]
    assert aligner.align(turned, "de", "en") == expected
    assert any(expected)


def test_links_depend_on_neither_batch_nor_order(aligner: PocketAligner) -> None:
    pairs = sentences(60)
    together = aligner.align(pairs, "en", "de")
    assert [links for one in pairs for links in aligner.align([one], "en", "de")] == together
    assert aligner.align(pairs[::-1], "en", "de")[::-1] == together


def test_empty_sentences_and_odd_characters(aligner: PocketAligner) -> None:
    odd = [pair("", ""), pair("dog", ""), pair("\x00\u200b dog \ud800", "hund \ufffd"), pair("…", "…")]
    links = aligner.align(odd, "en", "de")
    assert links[:2] == [(), ()]
    assert len(links) == 4
    assert aligner.align([], "en", "de") == []


def test_long_pairs_are_counted_and_not_aligned(aligner: PocketAligner, caplog: pytest.LogCaptureFixture) -> None:
    long = pair("dog " * (LONGEST + 1), "hund")
    with caplog.at_level(logging.WARNING, "referee"):
        for _ in range(2):
            assert aligner.align([long, pair("dog", "hund")], "en", "de") == [(), ((0, 0),)]
    assert caplog.text.count(f"1 of 2 pairs are longer than {LONGEST} tokens and are not aligned") == 1


def test_languages_that_the_encoder_lacks_are_learned_from_the_pairs(
    aligner: PocketAligner, caplog: pytest.LogCaptureFixture
) -> None:
    words = {"un": "a", "deux": "b", "trois": "c"}
    chance = random.Random(1)
    texts = [chance.sample(list(words), 2) for _ in range(40)]
    pairs = [pair(" ".join(one), " ".join(words[word] for word in one), ("fr", "xx")) for one in texts]
    with caplog.at_level(logging.WARNING, "referee"):
        links = aligner.align([*pairs, pair("", "", ("fr", "xx"))], "fr", "xx")
    assert links == [((0, 0), (1, 1))] * 40 + [()]
    assert "does not know fr-xx: it learns from these 41 pairs alone" in caplog.text
    assert aligner.align([pair("", "", ("fr", "xx"))], "fr", "xx") == [()]


def test_languages_without_a_table_have_vectors(aligner: PocketAligner) -> None:
    assert aligner.align([pair("Maria", "Maria", ("de", "ru"))], "de", "ru") == [((0, 0),)]


def test_a_corpus_teaches_new_words(aligner: PocketAligner) -> None:
    corpus = [pair("ship zzz dog", "ship zzz hund")] * 30
    adapted = aligner.adapted(corpus, "en", "de")
    assert "ship" in adapted.tables["en-de"].words.sources
    assert "ship" not in aligner.tables["en-de"].words.sources
    assert adapted.align(corpus[:1], "en", "de") == [((0, 0), (1, 1), (2, 2))]


def test_tokens_may_share_characters(aligner: PocketAligner) -> None:
    source = Tokens("dog", ((0, 3), (0, 3)))
    assert aligner.align([SentencePair(source, Tokens("hund", ((0, 4),)))], "en", "de") == [((0, 0), (1, 0))]


@pytest.fixture(scope="module")
def shipped() -> PocketAligner:
    return open_pocket()


def test_the_shipped_aligner_links_pronouns(shipped: PocketAligner) -> None:
    one = pair("I bought the cup because it is small.", "Ich kaufte die Tasse, weil sie klein ist.")
    (links,) = shipped.align([one], "en", "de")
    words = [[side.text[slice(*span)] for span in side.spans] for side in one]
    linked = {(words[0][i], words[1][j]) for i, j in links}
    assert {("I", "Ich"), ("cup", "Tasse"), ("because", "weil"), ("it", "sie"), ("small", "klein")} <= linked
    assert ("it", "Tasse") not in linked


@pytest.mark.slow
@pytest.mark.parametrize(("language", "least"), [("es", 0.8), ("it", 0.75), ("pt", 0.82), ("ru", 0.78)])
def test_gold_alignments(shipped: PocketAligner, shared_data: Path, language: str, least: float) -> None:
    gold = in_columns(shared_data / f"align/xl-wa/en-{language}.test.tsv")
    links = shipped.align([one.pair for one in gold], "en", language)
    assert scores(links, gold)[2] > least


def test_a_name_that_is_unknown() -> None:
    with pytest.raises(RefereeError, match="Write pocket or pocket:adapt"):
        open_pocket("large")
