"""The words of documents as arrays: the form in which the resolver looks at them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from referee.annotate.document import Document
from referee.annotate.resolve.nouns import kind_of

Numbers = NDArray[np.int32]
Flags = NDArray[np.bool_]

UPOS = (
    "", "NOUN", "PROPN", "PRON", "VERB", "AUX", "ADJ", "ADV", "DET", "ADP", "NUM", "PUNCT", "CCONJ", "SCONJ", "PART",
    "INTJ", "SYM", "X",
)  # fmt: skip
RELATIONS = (
    "", "nsubj", "obj", "iobj", "obl", "nmod", "conj", "root", "appos", "compound", "flat", "det", "cop", "aux", "mark",
    "case", "cc", "ccomp", "csubj", "xcomp", "advcl", "acl", "advmod", "amod", "expl", "vocative", "dislocated",
    "parataxis", "punct", "nummod", "discourse", "fixed",
)  # fmt: skip
_UPOS = {name: number for number, name in enumerate(UPOS)}
RELATION = {name: number for number, name in enumerate(RELATIONS)}
NOUN, PROPN, PRON, VERB, AUX, ADJ = (_UPOS[name] for name in ("NOUN", "PROPN", "PRON", "VERB", "AUX", "ADJ"))
NSUBJ, OBJ, NMOD, CONJ, EXPL = (RELATION[name] for name in ("nsubj", "obj", "nmod", "conj", "expl"))

PRONOUNS: Mapping[str, int] = {
    form: number
    for number, forms in enumerate(
        (
            ("it",), ("its",), ("itself",), ("they",), ("them", "'em", "em"), ("their",), ("theirs",),
            ("themselves", "themself"), ("he",), ("him",), ("his",), ("himself",), ("she",), ("her",), ("hers",),
            ("herself",), ("i", "me", "my", "myself", "mine"), ("you", "your", "yourself", "yours", "yourselves"),
            ("we", "us", "our", "ourselves", "ours", "'s"), ("this",), ("that",), ("these",), ("those",),
            ("who", "whom", "whose"), ("which",), ("one", "ones"), ("what",), ("there",),
            ("everyone", "everybody", "someone", "somebody", "anyone", "anybody", "nobody"),
            ("something", "anything", "everything", "nothing"),
        ),
        start=1,
    )
    for form in forms
}  # fmt: skip
"""Numbers of pronouns; 0 is any other word."""
THIRD = 16
"""Pronouns up to this number are of the third person: those that are resolved."""
SINGULAR, PLURAL = 1, 2
_DETERMINERS = {
    form: number
    for number, forms in enumerate(
        (
            ("the",), ("a", "an"), ("this", "that", "these", "those"),
            ("my", "your", "his", "her", "its", "our", "their", "whose"), ("no", "any", "every", "each"),
            ("some", "all", "both", "many", "another", "other"),
        ),
        start=1,
    )
    for form in forms
}  # fmt: skip
_APART = 1_000
"""Sentences between two documents: more than any pronoun reaches back."""
DETERMINERS = 7
"""Kinds of determiners, with 0 for none."""

VERBS = (
    "be", "seem", "appear", "take", "make", "matter", "depend", "turn", "look", "sound", "feel", "happen", "work",
    "mean", "say", "have", "do", "get", "go", "come", "see", "know", "think", "like", "want", "use", "call", "give",
    "put", "find", "become", "help", "rain", "hurt", "snow",
)  # fmt: skip
"""Verbs above pronouns that get a feature of their own, from 1."""
_VERBS = {lemma: number for number, lemma in enumerate(VERBS, 1)}


@dataclass(frozen=True, slots=True)
class Words:
    """One entry per word of the documents, in order; `head` is a word of them, or -1."""

    size: int
    document: Numbers
    ordinal: Numbers
    """The number of the sentence in its document."""
    sentence: Numbers
    """The same for one document; sentences of two documents are far apart, so that no pronoun refers across."""
    position: Numbers
    head: Numbers
    upos: Numbers
    relation: Numbers
    number: Numbers
    passive: Flags
    pronoun: Numbers
    determiner: Numbers
    lemma: Numbers
    """The same number is the same lemma in the same document."""
    kind: Numbers
    """Class, second class and gender of nouns and names: three columns."""
    verb: Numbers
    """Verbs that have a number of their own, see `VERBS`."""


def words_of(*documents: Document) -> Words:
    """The arrays of a document, or of several that are computed together."""
    words = [word for document in documents for sentence in document.sentences for word in sentence.words]
    lengths = np.array([len(sentence.words) for document in documents for sentence in document.sentences], np.int32)
    starts = np.repeat(np.cumsum(lengths, dtype=np.int32) - lengths, lengths)
    size = len(words)
    sentences = np.array([len(document.sentences) for document in documents], np.int32)
    numbers = np.repeat(np.arange(len(documents), dtype=np.int32), sentences)
    ordinals = np.arange(len(lengths), dtype=np.int32) - np.repeat(np.cumsum(sentences) - sentences, sentences)
    of_word = np.repeat(numbers, lengths)
    head = np.array([word.head for word in words], np.int32) if size else np.zeros(0, np.int32)
    lowered = [word.form.lower() for word in words]
    numbering: dict[tuple[str, str, int], int] = {}
    lemma = np.array(
        [
            numbering.setdefault((word.lemma, word.upos, number), len(numbering))
            for word, number in zip(words, of_word.tolist(), strict=True)
        ],
        np.int32,
    )
    kinds = np.array([_kind(lemma, upos) for lemma, upos, _ in numbering], np.int32).reshape(-1, 4)
    return Words(
        size,
        of_word,
        np.repeat(ordinals, lengths),
        np.repeat(np.arange(len(lengths), dtype=np.int32) + _APART * numbers, lengths),
        np.arange(size, dtype=np.int32) - starts,
        np.where(head >= 0, head + starts, -1),
        _array(_UPOS.get(word.upos, 0) for word in words),
        _array(_relation(word.deprel) for word in words),
        _array(_number(word.feats) for word in words),
        np.fromiter(("Voice=Pass" in word.feats for word in words), np.bool_, size),
        _array(PRONOUNS.get(form, 0) for form in lowered),
        _array(_DETERMINERS.get(form, 0) for form in lowered),
        lemma,
        kinds[lemma, :3],
        kinds[lemma, 3],
    )


@lru_cache(maxsize=100_000)
def _kind(lemma: str, upos: str) -> tuple[int, int, int, int]:
    if upos in ("NOUN", "PROPN"):
        return (*kind_of(lemma, name=upos == "PROPN"), 0)
    return 0, 0, 0, _VERBS.get(lemma, 0)


def _array(numbers: object) -> Numbers:
    return np.fromiter(numbers, np.int32)  # type: ignore[call-overload, no-any-return]


@lru_cache(maxsize=10_000)
def _relation(deprel: str) -> int:
    """Subtypes do not count: tools differ in them."""
    return RELATION.get(deprel.partition(":")[0], 0)


@lru_cache(maxsize=10_000)
def _number(feats: str) -> int:
    if "Number=Plur" in feats or "Number=Ptan" in feats:
        return PLURAL
    return SINGULAR if "Number=Sing" in feats else 0
