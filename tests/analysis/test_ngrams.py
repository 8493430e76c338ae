"""Counts of shared n-grams: by hand, and against sacrebleu's own."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from sacrebleu.metrics.bleu import BLEU
from sacrebleu.metrics.chrf import CHRF

from referee.analysis.ngrams import (
    bleu_counts,
    bleu_scores,
    chrf_counts,
    chrf_scores,
    sentence_bleu_scores,
    tokenize_13a,
)

WORDS = [
    "die",
    "Katze",
    "katze",
    "été",
    "он",
    "家",
    "5",
    "1,5",
    "5.",
    "3-4",
    "a-b",
    "U.S.",
    "…",
    "😀",
    "&amp;",
    "&lt;b",
]
MARKS = [".", ",", ".,", "..", "!", "?", '"', "'", "(", ")", "<skipped>", "-", "/", "%", "“", "&", "`"]
SPACES = [" ", " ", " ", "  ", "\t", "\n", "-\n", "\u00a0", "\u2028"]
TEXT = st.lists(st.sampled_from(WORDS) | st.sampled_from(MARKS) | st.sampled_from(SPACES), max_size=14).map("".join)
PAIRS = st.lists(st.tuples(TEXT, TEXT) | st.tuples(st.text(max_size=12), st.text(max_size=12)), min_size=1, max_size=6)


def sides(pairs: Sequence[tuple[str, str]]) -> tuple[list[str], list[str]]:
    return [output for output, _ in pairs], [reference for _, reference in pairs]


def assert_those_of_sacrebleu(pairs: Sequence[tuple[str, str]]) -> None:
    outputs, references = sides(pairs)
    assert chrf_counts(outputs, references).tolist() == CHRF()._extract_corpus_statistics(outputs, [references])
    bleu = BLEU()
    counts = bleu_counts(outputs, references, tokenize_13a(bleu.tokenizer))
    assert counts.tolist() == bleu._extract_corpus_statistics(outputs, [references])


@settings(max_examples=400, deadline=None)
@given(PAIRS)
@example([("", "")])
@example([("", "Er kam."), ("Er kam.", ""), ("a", "a")])
@example([("er sah sie und sie sah sie", "sie sah sie und er sah er")])
def test_counts_are_those_of_sacrebleu(pairs: list[tuple[str, str]]) -> None:
    assert_those_of_sacrebleu(pairs)


def test_segments_of_several_batches(monkeypatch: pytest.MonkeyPatch) -> None:
    draws = np.random.default_rng(1)
    texts = [" ".join(draws.choice(WORDS, size=draws.integers(0, 12))) for _ in range(60)]
    monkeypatch.setattr("referee.analysis.ngrams._BATCH", 7)
    assert_those_of_sacrebleu(list(zip(texts[::2], texts[1::2], strict=True)))


def test_more_symbols_than_fit_side_by_side_into_a_number() -> None:
    # Six of 9,000 characters take 79 bits.
    draws = np.random.default_rng(2)
    lines = ["".join(map(chr, draws.integers(0x4E00, 0x4E00 + 9000, size=500))) for _ in range(40)]
    pairs = [(line, line[:200] + other[200:]) for line, other in pairwise(lines)]
    outputs, references = sides(pairs)
    assert chrf_counts(outputs, references).tolist() == CHRF()._extract_corpus_statistics(outputs, [references])


def test_by_hand() -> None:
    # The reference has "er" three times, of which the output can match two.
    (row,) = bleu_counts(["er er sie"], ["er sie er er"], str.split).tolist()
    assert row == [3, 4, 3, 2, 0, 0, 3, 2, 1, 0]
    (row,) = chrf_counts(["a b"], ["ab c"]).tolist()
    assert row[:9] == [2, 3, 2, 1, 2, 1, 0, 1, 0]


def bleu_sums(draw: np.random.Generator) -> list[int]:
    total = np.sort(draw.integers(0, 60, 4))[::-1]
    shared = [int(draw.integers(0, count + 1)) if draw.random() < 0.8 else 0 for count in total]
    return [int(draw.integers(0, 70)), int(draw.integers(1, 70)), *shared, *total.tolist()]


def chrf_sums(draw: np.random.Generator) -> list[int]:
    rows = []
    for _ in range(6):
        output, reference = draw.integers(0, 9, 2).tolist()
        rows += [output, reference, int(draw.integers(0, min(output, reference) + 1))]
    return rows


@pytest.mark.parametrize(
    ("metric", "scores", "sums"), [(BLEU(), bleu_scores, bleu_sums), (CHRF(), chrf_scores, chrf_sums)]
)
def test_scores_of_many_sums_are_those_of_sacrebleu(metric: Any, scores: Any, sums: Any) -> None:
    draw = np.random.default_rng(3)
    rows = [sums(draw) for _ in range(2_000)]
    expected = [metric._compute_score_from_stats(list(row)).score for row in rows]
    assert scores(np.array(rows, np.float64)) == pytest.approx(expected, rel=1e-12, abs=1e-12)
    assert min(expected) == 0 < max(expected)


def test_words_between_spaces_and_lines() -> None:
    tokenizer = BLEU().tokenizer
    tokenize = tokenize_13a(tokenizer)
    texts = [
        "Er kam, sah (1.5) und ging.",
        "ein Ei-\nland, 3-4\n",
        "U.S. <skipped> &amp; 2,5 %",
        "",
        "so so. so! a.b. so.",
    ]
    assert [tokenize(text) for text in texts] == [tokenizer(text.rstrip()).split() for text in texts]


def test_an_output_as_long_as_its_reference_has_no_penalty() -> None:
    same = np.array(
        [[8, 8, 4, 3, 2, 1, 8, 7, 6, 5], [7, 8, 4, 3, 2, 1, 8, 7, 6, 5], [9, 8, 4, 3, 2, 1, 8, 7, 6, 5]], float
    )
    equal, shorter, longer = bleu_scores(same).tolist()
    assert equal == longer
    assert shorter == pytest.approx(equal * np.exp(1 - 8 / 7))


@example([("", "a b"), ("a", "a"), ("a b", "a b c d e"), ("x", "a"), ("a b c", "a b c")])
@settings(deadline=None)
@given(PAIRS)
def test_scores_of_single_sentences_are_those_of_sacrebleu(pairs: list[tuple[str, str]]) -> None:
    outputs, references = sides(pairs)
    metric = BLEU(effective_order=True)
    counts = bleu_counts(outputs, references, tokenize_13a(metric.tokenizer)).astype(np.float64)
    expected = [metric.sentence_score(output, [reference]).score for output, reference in pairs]
    assert sentence_bleu_scores(counts).tolist() == pytest.approx(expected, rel=1e-9)
    chrf = [CHRF().sentence_score(output, [reference]).score for output, reference in pairs]
    assert chrf_scores(chrf_counts(outputs, references).astype(np.float64)).tolist() == pytest.approx(chrf, rel=1e-9)
