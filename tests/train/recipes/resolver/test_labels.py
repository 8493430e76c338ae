from __future__ import annotations

from pathlib import Path

from referee.annotate.document import Document, Mention
from referee.annotate.resolve.spans import mention_of
from referee.train.recipes.resolver import gum
from referee.train.recipes.resolver.labels import Index, nominal_before
from tests.support.coreferent import parsed


def test_mentions_are_found_by_the_characters_of_their_heads(gum_folder: Path) -> None:
    [gold, *_] = gum.read(gum_folder / "sources" / "news.conllu.gz")
    # Another parse: one sentence, words joined otherwise, "It" and "'s" as two tokens.
    other = parsed(
        "The/DET/2/det cup/NOUN/3/nsubj hit/VERB/0/root the/DET/5/det plate./NOUN/3/obj It/PRON/7/nsubj broken/ADJ/3/x"
    )
    document = Document("x", gold.document.text, "en", other.sentences)
    index = Index(gold)
    cup = index.find(document, mention_of(document.sentences, 0, 1))
    plate = index.find(document, mention_of(document.sentences, 0, 4))
    it = index.find(document, mention_of(document.sentences, 0, 5))
    assert cup is not None and plate is not None and it is not None
    assert (cup.entity, plate.entity, it.entity) == (1, 2, 1)
    assert index.find(document, mention_of(document.sentences, 0, 2)) is None
    assert nominal_before(gold.mentions, it)
    assert not nominal_before(gold.mentions, cup)


def test_the_most_similar_span_wins() -> None:
    document = parsed("Ann/PROPN/4/nsubj and/CCONJ/3/cc Ben/PROPN/1/conj sang/VERB/0/root")
    alone = gum.GoldMention(1, 0, 3, ((0, 3),), "PROPN", 0)
    both = gum.GoldMention(2, 0, 11, ((0, 3), (8, 11)), "PROPN", 0)
    index = Index(gum.GoldDocument(document, "news", (both, alone)))
    assert index.find(document, mention_of(document.sentences, 0, 0)) == alone
    assert index.find(document, mention_of(document.sentences, 0, 0, grouped=True)) == both
    assert index.find(document, Mention(0, 2, 8, 11)) == both
