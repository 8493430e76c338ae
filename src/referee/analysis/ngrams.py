"""How many n-grams outputs share with their references: the counts of which BLEU and chrF are made.

sacrebleu counts one segment after the other in dictionaries. Here the n-grams of many segments are numbers in one
array, and sorting it brings equal ones together. The counts are the same.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, count

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

BLEU_ORDER = 4
CHRF_ORDER = 6
_BETA = 2
"""In chrF2 recall counts twice as much as precision."""
_BATCH = 512
"""Segments that are sorted together: few enough for a processor to keep them near."""
_LARGEST = 1 << 62


@dataclass(frozen=True)
class Shared:
    """How many n-grams of one length each output has, each reference, and both."""

    output: Ints
    reference: Ints
    both: Ints


def chrf_counts(outputs: Sequence[str], references: Sequence[str]) -> Ints:
    """For each segment and length of character n-grams: those of the output, of the reference, and shared ones."""
    rows = []
    for start in range(0, len(outputs), _BATCH):
        ours, theirs = (_characters(side[start : start + _BATCH]) for side in (outputs, references))
        columns: list[Ints] = []
        for shared in _shared_ngrams(ours, theirs, CHRF_ORDER):
            # Where the reference is too short for an n-gram of this length, those of the output do not count.
            columns += [np.where(shared.reference > 0, shared.output, 0), shared.reference, shared.both]
        rows.append(np.stack(columns, axis=1))
    return np.concatenate(rows)


def bleu_counts(outputs: Sequence[str], references: Sequence[str], tokenize: Callable[[str], list[str]]) -> Ints:
    """For each segment both lengths in tokens, the shared n-grams of each length, and those of the output."""
    numbers: defaultdict[str, int] = defaultdict(count().__next__)
    rows = []
    for start in range(0, len(outputs), _BATCH):
        ours, theirs = (_tokens(side[start : start + _BATCH], tokenize, numbers) for side in (outputs, references))
        counts = list(_shared_ngrams(ours, theirs, BLEU_ORDER))
        lengths = [counts[0].output, counts[0].reference]
        rows.append(np.stack([*lengths, *(one.both for one in counts), *(one.output for one in counts)], axis=1))
    return np.concatenate(rows)


def bleu_scores(sums: Floats) -> Floats:
    """BLEU of summed counts, one per row: exponential smoothing, all four orders, as sacrebleu's default."""
    output, reference = sums[:, 0], sums[:, 1]
    shared, total = sums[:, 2 : 2 + BLEU_ORDER], sums[:, 2 + BLEU_ORDER :]
    with np.errstate(divide="ignore", invalid="ignore"):
        brevity = np.where(output < reference, np.exp(1 - reference / output), 1.0)
        # Every order without a match halves what the next such order counts for.
        halved = 2.0 ** -np.cumsum(shared == 0, axis=1)
        precisions = 100 * np.where(shared > 0, shared, halved) / total
        scores = brevity * np.exp(np.log(precisions).mean(axis=1))
    defined = (shared > 0).any(axis=1) & (total > 0).all(axis=1)
    return np.where(defined, scores, 0.0)


def sentence_bleu_scores(counts: Floats) -> Floats:
    """BLEU of single segments, one per row: only orders that the output is long enough for count, as in sacrebleu."""
    output, reference = counts[:, 0], counts[:, 1]
    shared, total = counts[:, 2 : 2 + BLEU_ORDER], counts[:, 2 + BLEU_ORDER :]
    orders = np.maximum(1, (total > 0).sum(axis=1))
    with np.errstate(divide="ignore", invalid="ignore"):
        brevity = np.where(output < reference, np.exp(1 - reference / output), 1.0)
        halved = 2.0 ** -np.cumsum(shared == 0, axis=1)
        logs = np.log(100 * np.where(shared > 0, shared, halved) / total)
        scores = brevity * np.exp(np.where(total > 0, logs, 0.0).sum(axis=1) / orders)
    return np.where((shared > 0).any(axis=1), scores, 0.0)


def chrf_scores(sums: Floats) -> Floats:
    """chrF2 of summed counts, one per row: mean precision and recall over the orders that both sides have."""
    output, reference, shared = (sums[:, place::3] for place in range(3))
    present = (output > 0) & (reference > 0)
    orders = np.maximum(1, present.sum(axis=1))
    with np.errstate(divide="ignore", invalid="ignore"):
        precision = np.where(present, shared / output, 0.0).sum(axis=1) / orders
        recall = np.where(present, shared / reference, 0.0).sum(axis=1) / orders
        scores = 100 * (1 + _BETA**2) * precision * recall / (_BETA**2 * precision + recall)
    return np.where(precision + recall > 0, scores, 0.0)


def tokenize_13a(tokenizer: Callable[[str], str]) -> Callable[[str], list[str]]:
    """The tokens of sacrebleu's tokenizer 13a, which makes the same of a word between spaces wherever it stands."""
    tokens_of: dict[str, list[str]] = {}

    def word_tokens(word: str) -> list[str]:
        if word.isalnum():
            return [word]
        if word[-1] in ".,!?" and word[:-1].isalpha():
            return [word[:-1], word[-1]]
        return tokenizer(word).split()

    def tokenize(text: str) -> list[str]:
        if "\n" in text:
            return tokenizer(text.rstrip()).split()
        tokens: list[str] = []
        for word in text.split():
            if word not in tokens_of:
                tokens_of[word] = word_tokens(word)
            tokens += tokens_of[word]
        return tokens

    return tokenize


@dataclass(frozen=True)
class _Side:
    """The symbols of all segments in a row, as numbers from 0, and how many each segment has."""

    symbols: Ints
    lengths: Ints


def _characters(texts: Sequence[str]) -> _Side:
    """Without white space, as chrF has it."""
    bare = ["".join(text.split()) for text in texts]
    codes = np.frombuffer("".join(bare).encode("utf-32-le", "surrogatepass"), np.uint32)
    return _Side(codes.astype(np.int64), np.fromiter(map(len, bare), np.int64, len(bare)))


def _tokens(texts: Sequence[str], tokenize: Callable[[str], list[str]], numbers: Mapping[str, int]) -> _Side:
    tokens = [tokenize(text) for text in texts]
    lengths = np.fromiter(map(len, tokens), np.int64, len(tokens))
    symbols = map(numbers.__getitem__, chain.from_iterable(tokens))
    return _Side(np.fromiter(symbols, np.int64, int(lengths.sum())), lengths)


def _shared_ngrams(outputs: _Side, references: _Side, order: int) -> Iterator[Shared]:
    """The counts for n-grams of 1 to `order` symbols."""
    segments = len(outputs.lengths)
    symbols, alphabet = _renumbered(np.concatenate([outputs.symbols, references.symbols]))
    lengths = np.concatenate([outputs.lengths, references.lengths])
    ends = np.repeat(np.cumsum(lengths), lengths)
    owners = np.repeat(np.arange(2 * segments), lengths)
    grams, kinds, starts = symbols, alphabet, np.arange(len(symbols))
    for length in range(1, order + 1):
        if length > 1:
            if kinds * alphabet * segments * 2 > _LARGEST:
                distinct, grams = np.unique(grams, return_inverse=True)
                kinds = len(distinct)
            inside = starts + length <= ends
            starts, ends, owners = starts[inside], ends[inside], owners[inside]
            grams = grams[inside] * alphabet + symbols[starts + length - 1]
            kinds *= alphabet
        counts = np.maximum(lengths - length + 1, 0)
        yield Shared(counts[:segments], counts[segments:], _in_both(grams, kinds, owners, segments))


def _renumbered(symbols: Ints) -> tuple[Ints, int]:
    """The same symbols with small numbers, and how many there are: n-grams of few symbols are small numbers too."""
    there = np.bincount(symbols, minlength=1) > 0
    return (np.cumsum(there) - 1)[symbols], int(there.sum())


def _in_both(grams: Ints, kinds: int, owners: Ints, segments: int) -> Ints:
    """For each segment how many n-grams both sides have; one that is there several times as often as both have it."""
    # The segment, the n-gram and the side in one number: what the sides share comes to stand beside each other.
    side = owners >= segments
    keys = np.sort(((owners - segments * side) * kinds + grams) * 2 + side)
    first = np.flatnonzero(np.diff(keys, prepend=-1))
    distinct, counts = keys[first], np.diff(first, append=len(keys))
    paired = np.flatnonzero(distinct[1:] ^ distinct[:-1] == 1)
    shared = np.minimum(counts[paired], counts[paired + 1])
    return np.bincount(distinct[paired] // 2 // kinds, shared, segments).astype(np.int64)
