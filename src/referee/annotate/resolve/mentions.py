"""Mentions: the noun phrases and pronouns of a document by their head words, and the candidates of each pronoun."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from referee.annotate.resolve.words import (
    CONJ,
    EXPL,
    NMOD,
    NOUN,
    NSUBJ,
    OBJ,
    PRON,
    PRONOUNS,
    PROPN,
    RELATION,
    RELATIONS,
    THIRD,
    UPOS,
    Flags,
    Numbers,
    Words,
)  # fmt: skip

REACH = 5
"""How many preceding sentences are searched for mentions."""
MOST = 24
"""Mentions before a pronoun that are looked at."""
_DEPTH = 12
"""How far above a pronoun a mention is searched that contains it."""
_NOT_MENTIONED = np.isin(
    np.arange(len(RELATIONS)), [RELATION[name] for name in ("flat", "fixed", "discourse", "expl", "det")]
)
_CLAUSES = np.isin(np.arange(len(RELATIONS)), [RELATION[name] for name in ("ccomp", "csubj", "advcl", "xcomp", "acl")])
_TAGS = np.isin(np.arange(len(UPOS)), [UPOS.index(name) for name in ("", "PRON", "DET", "ADJ", "X")])
"""Tags that a pronoun can have: tools differ, and IT is a noun."""
_ALONE = [PRONOUNS["theirs"], PRONOUNS["hers"]]


@dataclass(frozen=True, slots=True)
class Children:
    """For each word, whether something of a kind hangs from it, and the kind of its determiner."""

    clause: Flags
    copula: Flags
    conjunct: Flags
    preposition: Flags
    modifier: Flags
    adjective: Flags
    mark: Flags
    subject: Flags
    object: Flags
    determiner: Numbers


@dataclass(frozen=True, slots=True)
class Mentions:
    """Pronouns to resolve, mentions in the order of their heads, and the mentions before each pronoun."""

    pronouns: Numbers
    heads: Numbers
    grouped: Flags
    """Whether the mention is a coordination: its head with all its conjuncts."""
    candidates: Numbers
    """One row per pronoun: its mentions, the nearest first, and -1 where there are fewer."""


def children_of(words: Words) -> Children:
    """What hangs from each word."""
    hanging = np.flatnonzero(words.head >= 0)
    heads, relation = words.head[hanging], words.relation[hanging]

    def has(chosen: Flags) -> Flags:
        flags = np.zeros(words.size, np.bool_)
        flags[heads[chosen]] = True
        return flags

    determiner = np.zeros(words.size, np.int32)
    kinds = words.determiner[hanging]
    near = (kinds > 0) & ((relation == RELATION["det"]) | (relation == NMOD))
    determiner[heads[near]] = kinds[near]
    return Children(
        clause=has(_CLAUSES[relation]),
        copula=has(relation == RELATION["cop"]),
        conjunct=has(relation == CONJ),
        preposition=has(relation == RELATION["case"]),
        modifier=has((relation == NMOD) | (relation == RELATION["acl"])),
        adjective=has(relation == RELATION["amod"]),
        mark=has(relation == RELATION["mark"]),
        subject=has(relation == NSUBJ),
        object=has(relation == OBJ),
        determiner=determiner,
    )


def mentions_of(words: Words, children: Children) -> Mentions:
    """The pronouns of the third person, and what they may refer to."""
    third = (words.pronoun >= 1) & (words.pronoun <= THIRD) & ~np.isin(words.pronoun, _ALONE) & _TAGS[words.upos]
    pronouns = np.flatnonzero(third).astype(np.int32)
    heads, grouped = _heads(words, children)
    return Mentions(pronouns, heads, grouped, _candidates(words, pronouns, heads))


def _heads(words: Words, children: Children) -> tuple[Numbers, Flags]:
    """Heads of noun phrases; a head with conjuncts makes a second mention, the coordination."""
    pronoun = words.pronoun > 0
    nominal = (words.upos == NOUN) | (words.upos == PROPN)
    nominal |= (words.upos == PRON) & (words.pronoun != PRONOUNS["there"])
    nominal &= ~_NOT_MENTIONED[words.relation] | (pronoun & (words.relation != EXPL))
    nominal &= ~((words.upos == NOUN) & (words.relation == RELATION["compound"]))
    single = np.flatnonzero(nominal).astype(np.int32)
    coordinated = single[children.conjunct[single] & (words.relation[single] != CONJ)]
    heads = np.concatenate([single, coordinated])
    grouped = np.zeros(len(heads), np.bool_)
    grouped[len(single) :] = True
    order = np.lexsort((grouped, heads))
    return heads[order], grouped[order]


def _candidates(words: Words, pronouns: Numbers, heads: Numbers) -> Numbers:
    last = np.searchsorted(heads, pronouns).astype(np.int32) - 1
    candidates = last[:, None] - np.arange(MOST, dtype=np.int32)
    if not len(heads) or not len(pronouns):
        return np.full(candidates.shape, -1, np.int32)
    at = heads[np.maximum(candidates, 0)]
    out = (candidates < 0) | (words.sentence[pronouns][:, None] - words.sentence[at] > REACH)
    # A mention that contains the pronoun is not before it.
    above = pronouns
    for _ in range(_DEPTH):
        above = np.where(above >= 0, words.head[above], -1)
        if (above < 0).all():
            break
        out |= at == above[:, None]
    return np.where(out, -1, candidates).astype(np.int32)
