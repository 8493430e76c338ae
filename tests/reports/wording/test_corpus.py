"""Pronoun counts, and the sentences that say them."""

from __future__ import annotations

import msgspec
import pytest

from referee.analysis.corpus.frequencies import CountComparison, Order
from referee.reports import wording
from tests.support.priors_sample import priors

change = msgspec.structs.replace


COUNTED = CountComparison("same", "n", "n", [Order("translations", 1.0, 1 / 6), Order("absolute", None, None)])


@pytest.mark.parametrize(
    ("comparison", "sentences"),
    [
        (
            COUNTED,
            [
                "Biased towards neuter, which is also the most frequent translation of 'it' in the corpus.",
                "Rank correlation of bias and counts in translations of 'it': rho = +1.00, as high by chance in 16.7%.",
            ],
        ),
        (
            change(COUNTED, verdict="different", preferred="m", orders=[Order("absolute", -0.5, 5 / 6)]),
            [
                "Biased towards masculine, while neuter is the most frequent translation of 'it' in the corpus.",
                "Rank correlation of bias and counts in the whole text: rho = -0.50, as high by chance in 83.3%.",
            ],
        ),
        (
            change(COUNTED, verdict="no_preference"),
            ["Gender bias not significant, so it is not compared with the corpus."],
        ),
        (change(COUNTED, verdict="no_choices"), ["Not measured: no evaluated candidates differ in gender."]),
    ],
)
def test_counts(comparison: CountComparison, sentences: list[str]) -> None:
    assert wording.count_verdict(comparison, priors("de")) == sentences
