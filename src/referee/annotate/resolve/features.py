"""Features of pronouns, of mentions and of their pairs: small numbers that choose rows of the ranker's tables."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from referee.annotate.resolve.mentions import MOST, REACH, Children, Mentions, children_of, mentions_of
from referee.annotate.resolve.nouns import CLASSES, GENDERS
from referee.annotate.resolve.words import (
    ADJ,
    AUX,
    DETERMINERS,
    NSUBJ,
    PLURAL,
    PRON,
    PRONOUNS,
    RELATIONS,
    UPOS,
    VERB,
    VERBS,
    Flags,
    Numbers,
    Words,
)  # fmt: skip

_KINDS = max(PRONOUNS.values()) + 1
_GROUPS = 4
_GROUP = np.zeros(_KINDS, np.int32)
_GROUP[4:9], _GROUP[9:13], _GROUP[13:17] = 1, 2, 3
"""It, they, he, she."""
_POSSESSIVE = np.isin(np.arange(_KINDS), [PRONOUNS[form] for form in ("its", "their", "his", "her")])
_REFLEXIVE = np.isin(np.arange(_KINDS), [PRONOUNS[form] for form in ("itself", "themselves", "himself", "herself")])
# What a candidate is: no pronoun, one of the four groups, or another pronoun by its number.
_OTHER = np.concatenate([_GROUP[:17] + 1, np.arange(_KINDS - 17) + _GROUPS + 1]).astype(np.int32)
_OTHER[0] = 0
_OTHERS = int(_OTHER.max()) + 1
_ROLES = 8
"""Relations up to this number are told apart as roles: subject, objects, oblique, modifier, conjunct, root."""
_LOGARITHM = (np.log2(np.maximum(np.arange(4096), 1)) * 1.5).astype(np.int32)
_STEPS = 6
"""How far above a word its verb is searched."""

_PRONOUN = (
    _KINDS, len(RELATIONS), len(UPOS), len(VERBS) + 1, len(RELATIONS), 16, 16, 4, len(UPOS) + 1, len(UPOS) + 1, 8, 4,
    len(UPOS), 6,
)  # fmt: skip
_MENTION = (
    len(UPOS), _KINDS, len(RELATIONS), 4, DETERMINERS, len(CLASSES), len(CLASSES), len(GENDERS), 6, 8, len(UPOS),
    len(RELATIONS), 2, 6,
)  # fmt: skip
_PAIR = (
    REACH + 1, 12, 12, 8, 5, _ROLES * _ROLES, 4 * _ROLES, 8, _GROUPS * _OTHERS, _GROUPS * len(CLASSES),
    _GROUPS * len(CLASSES), _GROUPS * len(GENDERS), 12 * _GROUPS, 3, 4 * _GROUPS, 3, 2, 18 * _GROUPS, 8,
)  # fmt: skip


class Sizes(NamedTuple):
    """Rows of the tables."""

    pronoun: int
    mention: int
    pair: int


SIZES = Sizes(sum(_PRONOUN), sum(_MENTION), sum(_PAIR))


@dataclass(frozen=True, slots=True)
class Pairs:
    """Pronouns and mentions (words), candidates (mentions), and the features of each."""

    pronouns: Numbers
    mentions: Numbers
    grouped: Flags
    candidates: Numbers
    of_pronoun: Numbers
    of_mention: Numbers
    of_pair: Numbers


def pairs_of(words: Words) -> Pairs:
    """The pronouns of documents, their candidates and the features of both."""
    children = children_of(words)
    mentions = mentions_of(words, children)
    return Pairs(
        mentions.pronouns,
        mentions.heads,
        mentions.grouped,
        mentions.candidates,
        _stacked(_pronoun_columns(words, children, mentions.pronouns), _PRONOUN),
        _stacked(_mention_columns(words, children, mentions), _MENTION),
        _stacked(_pair_columns(words, mentions), _PAIR)
        if len(mentions.heads)
        else np.zeros((len(mentions.pronouns), MOST, len(_PAIR)), np.int32),
    )


def _stacked(columns: Sequence[NDArray[Any]], sizes: tuple[int, ...]) -> Numbers:
    """Number the values of all columns through; a value beyond the size of its column counts as the last."""
    stacked = np.empty((*columns[0].shape, len(sizes)), np.int32)
    offset = 0
    for number, (column, size) in enumerate(zip(columns, sizes, strict=True)):
        stacked[..., number] = np.minimum(column, size - 1)
        stacked[..., number] += offset
        offset += size
    return stacked


def _at(values: Numbers, where: Numbers) -> Numbers:
    """Values of words; 0 for the word -1."""
    return np.where(where < 0, 0, values[where]).astype(np.int32)


def _flags(where: Numbers, *flags: Flags) -> Numbers:
    total = np.zeros(len(where), np.int32)
    for number, flag in enumerate(flags):
        total += (flag[where] & (where >= 0)).astype(np.int32) << number
    return total


def _pronoun_columns(words: Words, children: Children, pronouns: Numbers) -> list[NDArray[Any]]:
    if not len(pronouns):
        return [pronouns] * len(_PRONOUN)
    head = words.head[pronouns]
    above = np.where(head < 0, -1, words.head[head])
    return [
        words.pronoun[pronouns],
        words.relation[pronouns],
        _at(words.upos, head),
        _at(words.verb, head),
        _at(words.relation, head),
        _flags(head, children.clause, children.copula, children.subject, children.object),
        _flags(head, children.clause, children.copula, words.upos == ADJ, words.passive),
        _flags(pronouns, children.preposition, children.mark),
        _neighbour(words, pronouns, -1),
        _neighbour(words, pronouns, 1),
        words.position[pronouns] // 2,
        _used_before(words, pronouns),
        _at(words.upos, above),
        np.log2(1 + words.ordinal[pronouns]).astype(np.int32),
    ]


def _neighbour(words: Words, where: Numbers, step: int) -> Numbers:
    """Part of speech of the next word, one more than its number; 0 at the border of the sentence."""
    near = np.clip(where + step, 0, words.size - 1)
    inside = (near == where + step) & (words.sentence[near] == words.sentence[where])
    return np.where(inside, words.upos[near] + 1, 0)


def _used_before(words: Words, pronouns: Numbers) -> Numbers:
    """Whether a pronoun of the same group precedes: 0 no, 1 in this sentence, 2 in the one before, 3 earlier."""
    group, sentence = _GROUP[words.pronoun[pronouns]], words.sentence[pronouns]
    document = words.document[pronouns]
    before = np.zeros(len(pronouns), np.int32)
    for number in range(_GROUPS):
        chosen = np.flatnonzero(group == number)
        same = document[chosen[1:]] == document[chosen[:-1]]
        before[chosen[1:]] = np.where(same, np.minimum(np.diff(sentence[chosen]) + 1, 3), 0)
    return before


def _mention_columns(words: Words, children: Children, mentions: Mentions) -> list[NDArray[Any]]:
    heads = mentions.heads
    if not len(heads):
        return [heads] * len(_MENTION)
    above = words.head[heads]
    first = np.ones(len(heads), np.int32)
    first[1:] = words.sentence[heads[1:]] != words.sentence[heads[:-1]]
    return [
        words.upos[heads],
        words.pronoun[heads],
        words.relation[heads],
        _number(words, mentions),
        children.determiner[heads],
        words.kind[heads, 0],
        words.kind[heads, 1],
        words.kind[heads, 2],
        np.log2(1 + _seen_before(words, mentions)).astype(np.int32),
        _flags(heads, children.preposition, children.modifier, children.adjective),
        _at(words.upos, above),
        _at(words.relation, above),
        first,
        words.position[heads] // 2,
    ]


def _number(words: Words, mentions: Mentions) -> Numbers:
    """0 unknown, 1 singular, 2 plural, 3 a coordination."""
    return np.where(mentions.grouped, 3, words.number[mentions.heads])


def _seen_before(words: Words, mentions: Mentions) -> Numbers:
    """How many mentions with the same lemma precede each."""
    lemma = words.lemma[mentions.heads]
    order = np.argsort(lemma, kind="stable")
    ordered = lemma[order]
    seen = np.empty(len(lemma), np.int32)
    seen[order] = np.arange(len(lemma)) - np.searchsorted(ordered, ordered, side="left")
    return np.where(mentions.grouped, 0, seen)


def _pair_columns(words: Words, mentions: Mentions) -> list[NDArray[Any]]:
    """Columns of pronouns (rows) and their candidates (columns); what is said of candidate -1 is not looked at."""
    there = mentions.candidates >= 0
    chosen = np.maximum(mentions.candidates, 0)
    pronoun, candidate = mentions.pronouns[:, None], mentions.heads[chosen]
    kind = words.pronoun[pronoun]
    group, other = _GROUP[kind], _OTHER[words.pronoun[candidate]]
    gap = words.sentence[pronoun] - words.sentence[candidate]
    role, other_role = _role(words.relation[pronoun]), _role(words.relation[candidate])
    same_role = role == other_role
    number = _number(words, mentions)[chosen]
    agrees = there & np.where(group == 1, number >= PLURAL, number < PLURAL)
    suited = agrees & np.where(other > 0, other == group + 1, words.upos[candidate] != PRON)
    subject = suited & (other_role == NSUBJ)
    clause = _clause(words, mentions.pronouns)[:, None]
    part = np.clip(words.upos[candidate] - 1, 0, 2)
    return [
        gap,
        _LOGARITHM[np.minimum(pronoun - candidate, len(_LOGARITHM) - 1)],
        _nearer(there),
        np.where(suited, 1 + _nearer(suited), 0),
        np.where(subject, 1 + _nearer(subject), 0),
        role * _ROLES + other_role,
        (same_role + 2 * (gap == 0)) * _ROLES + other_role,
        _binding(words, mentions, chosen, clause),
        group * _OTHERS + other,
        group * len(CLASSES) + words.kind[candidate, 0],
        group * len(CLASSES) + words.kind[candidate, 1],
        group * len(GENDERS) + words.kind[candidate, 2],
        (group * 4 + number) * 3 + part,
        _parallel(words, pronoun, candidate) * (1 + same_role),
        _repeated(words, mentions) * _GROUPS + group,
        (kind == words.pronoun[candidate]) * (1 + same_role),
        (words.head[candidate] == clause) & (clause >= 0),
        (group * 6 + np.minimum(gap, 5)) * 3 + part,
        np.broadcast_to(suited.sum(axis=1, keepdims=True), gap.shape),
    ]


def _role(relation: Numbers) -> Numbers:
    return np.where(relation < _ROLES, relation, 0)


def _nearer(flag: Flags) -> Numbers:
    """How many flagged candidates are nearer."""
    return (np.cumsum(flag, axis=1) - flag).astype(np.int32)


def _clause(words: Words, where: Numbers) -> Numbers:
    """The nearest verb above a word, or the top of its sentence."""
    above = words.head[where]
    for _ in range(_STEPS):
        upos, further = words.upos[above], words.head[above]
        rising = (above >= 0) & (upos != VERB) & (upos != AUX) & (further >= 0)
        if not rising.any():
            break
        above = np.where(rising, further, above)
    return above


def _binding(words: Words, mentions: Mentions, chosen: Numbers, clause: Numbers) -> Numbers:
    """Whether both depend on one word (1 to 3) or are in one clause (4 to 6): plain, reflexive, possessive."""
    pronoun = mentions.pronouns[:, None]
    above, other_above = words.head[pronoun], words.head[mentions.heads[chosen]]
    both = (above == other_above) & (above >= 0)
    near = (clause == _clause(words, mentions.heads)[chosen]) & ~both
    kind = words.pronoun[pronoun]
    form = _REFLEXIVE[kind] + 2 * _POSSESSIVE[kind]
    bound: Numbers = both * (1 + form) + near * (4 + form)
    return bound


def _parallel(words: Words, pronoun: Numbers, candidate: Numbers) -> Numbers:
    """Whether they depend on two words of one lemma."""
    above, other = words.head[pronoun], words.head[candidate]
    alike: Flags = (above >= 0) & (other >= 0) & (above != other) & (words.lemma[above] == words.lemma[other])
    numbers: Numbers = alike.astype(np.int32)
    return numbers


def _repeated(words: Words, mentions: Mentions) -> Numbers:
    """Whether a nearer candidate has the same lemma (1), a farther one (2), or both (3)."""
    candidates = mentions.candidates
    lemma = np.where(candidates >= 0, words.lemma[mentions.heads[candidates]], -1 - np.arange(candidates.shape[1]))
    same = lemma[:, :, None] == lemma[:, None, :]
    below = np.tri(candidates.shape[1], k=-1, dtype=np.bool_)
    nearer, farther = (same & below).any(axis=2), (same & below.T).any(axis=2)
    repeated: Numbers = nearer.astype(np.int32) + 2 * farther
    return repeated
