from __future__ import annotations

import gzip
import random
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import pytest

from referee.annotate.align.aligner import Aligner, learn
from referee.annotate.align.blocks import Pair
from referee.annotate.align.corpus import evenly
from referee.annotate.align.links import Link
from referee.annotate.align.tokens import token_spans, words
from tests.support.gold_alignments import gold


def made_up(count: int, seed: int = 0) -> tuple[list[Pair], list[set[Link]]]:
    """Every word has one translation, neighbours change places, and some words come from nothing."""
    draw = random.Random(seed)
    pairs: list[Pair] = []
    links: list[set[Link]] = []
    for _ in range(count):
        source = [f"s{min(draw.randrange(200), draw.randrange(200))}" for _ in range(draw.randint(3, 12))]
        order = list(range(len(source)))
        for place in range(len(order) - 1):
            if draw.random() < 0.2:
                order[place], order[place + 1] = order[place + 1], order[place]
        target: list[str] = []
        own: set[Link] = set()
        for place in order:
            if draw.random() < 0.1:
                target.append(draw.choice(["uh", "um"]))
            own.add((place, len(target)))
            target.append(source[place].replace("s", "t"))
        pairs.append((source, target))
        links.append(own)
    return pairs, links


def f_score(found: Sequence[Sequence[Link]], right: Sequence[set[Link]]) -> float:
    same = sum(len(set(one) & other) for one, other in zip(found, right, strict=True))
    return 2 * same / (sum(map(len, found)) + sum(map(len, right)))


@pytest.fixture(scope="module")
def corpus() -> tuple[list[Pair], list[set[Link]]]:
    return made_up(1500)


@pytest.fixture(scope="module")
def aligner(corpus: tuple[list[Pair], list[set[Link]]]) -> Aligner:
    return learn(corpus[0])


def test_a_made_up_language_is_learned(corpus: tuple[list[Pair], list[set[Link]]], aligner: Aligner) -> None:
    pairs, right = corpus
    found = aligner.align(pairs)
    recalled = sum(len(set(one) & other) for one, other in zip(found, right, strict=True)) / sum(map(len, right))
    assert recalled > 0.98
    assert f_score(found, right) > 0.95
    assert f_score(aligner.align(pairs, "intersection"), right) > 0.95


def test_what_was_learned_holds_for_sentences_not_seen(aligner: Aligner) -> None:
    pairs, right = made_up(200, seed=1)
    assert f_score(aligner.align(pairs), right) > 0.95


def test_words_that_were_never_seen_are_no_error(aligner: Aligner) -> None:
    (links,) = aligner.align([(["s1", "new", "s2"], ["t1", "neu", "t2"])])
    assert {(0, 0), (2, 2)} <= set(links)
    assert aligner.align([(["new"], ["neu"]), ([], ["t1"]), (["s1"], []), ([], [])])[1:] == [[], [], []]
    assert aligner.align([]) == []


def test_the_same_pairs_give_the_same_links(corpus: tuple[list[Pair], list[set[Link]]], aligner: Aligner) -> None:
    assert learn(corpus[0]).align(corpus[0]) == aligner.align(corpus[0])


def test_links_depend_on_neither_the_order_of_pairs_nor_the_names_of_words(
    corpus: tuple[list[Pair], list[set[Link]]], aligner: Aligner
) -> None:
    pairs = corpus[0]
    wanted = aligner.align(pairs)
    turned = learn(pairs[::-1]).align(pairs)
    renamed = [([word[::-1] for word in source], [f"<{word}>" for word in target]) for source, target in pairs]
    for links in (turned, learn(renamed).align(renamed)):
        assert sum(one != other for one, other in zip(links, wanted, strict=True)) <= 2


def test_the_other_way_round_links_are_turned(corpus: tuple[list[Pair], list[set[Link]]], aligner: Aligner) -> None:
    pairs = corpus[0][:300]
    turned = [(target, source) for source, target in pairs]
    back = learn([(target, source) for source, target in corpus[0]]).align(turned, "intersection")
    ours = aligner.align(pairs, "intersection")
    differ = sum({(b, a) for a, b in one} != set(other) for one, other in zip(back, ours, strict=True))
    assert differ <= 2


def test_pairs_aligned_alone_or_together_have_the_same_links(
    corpus: tuple[list[Pair], list[set[Link]]], aligner: Aligner
) -> None:
    some = corpus[0][:50]
    assert [links for pair in some for links in aligner.align([pair])] == aligner.align(some)


def test_progress_is_told() -> None:
    told: list[tuple[int, int | None]] = []
    learn([(["a"], ["b"])], lambda done, total: told.append((done, total)))
    assert told == [(1, 5), (2, 5), (3, 5), (4, 5), (5, 5)]


def test_sentences_aligned_by_hand() -> None:
    """Learned from these few sentences alone."""
    sentences = gold()
    pairs = [(source, target) for source, target, _ in sentences]
    # Marks are in no hand-made link.
    found = [
        [(i, j) for i, j in links if source[i].isalpha() and target[j].isalpha()]
        for links, (source, target) in zip(learn(pairs).align(pairs), pairs, strict=True)
    ]
    right = [links for _, _, links in sentences]
    assert f_score(found, right) > 0.9
    # The pronoun of a subordinate clause: sie, er, es, sie. One "er" for "it" is too few to learn it from.
    linked = [
        [target[j] for i, j in links if source[i] == "it"]
        for links, (source, target, _) in zip(found, sentences, strict=True)
        if "weil" in target
    ]
    assert [pronoun in own for own, pronoun in zip(linked, ("sie", "er", "es", "sie"), strict=True)].count(True) >= 3


PRONOUNS = {
    "de": ("tatoeba/eng-deu.tsv.gz", {"er", "es"}),
    "fr": ("tatoeba/eng-fra.tsv.gz", {"il", "elle"}),
    "es": ("tatoeba/eng-spa.tsv.gz", {"él", "ella"}),
    "ru": ("tatoeba-challenge/eng-rus.devtest.tsv.gz", {"он", "она", "оно"}),
}
_PERSONS = {"he", "she", "they", "you", "him", "her", "them", "his", "hers", "their", "who", "one"}


@pytest.mark.slow
@pytest.mark.parametrize("language", PRONOUNS)
def test_it_is_linked_to_the_only_pronoun_there_is(language: str, shared_data: Path) -> None:
    """Where a sentence has `it` and no other person, and its translation one pronoun, these belong together."""
    name, forms = PRONOUNS[language]
    with gzip.open(shared_data / "parallel" / name, "rt", encoding="utf-8") as file:
        rows = [line.rstrip("\n").split("\t")[-2:] for line in file]
    texts = [row for row, chosen in zip(rows, evenly(len(rows), 100_000), strict=True) if chosen]
    pairs = [(words(a, token_spans(a, "en")), words(b, token_spans(b, language))) for a, b in texts]
    links = learn([pair for pair in pairs if max(map(len, pair)) <= 100]).align(pairs)
    hits: Counter[str] = Counter()
    there: Counter[str] = Counter()
    for (source, target), own in zip(pairs, links, strict=True):
        pronouns = [place for place, word in enumerate(target) if word in forms]
        if source.count("it") == 1 and len(pronouns) == 1 and _PERSONS.isdisjoint(source):
            there[target[pronouns[0]]] += 1
            hits[target[pronouns[0]]] += (source.index("it"), pronouns[0]) in own
    assert set(there) == forms
    assert all(hits[form] / there[form] > 0.9 for form in forms), (hits, there)
