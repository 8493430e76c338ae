"""The words of the demo: levels of accuracy, falls without context, and what its summary says answers follow."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.random import Generator

from referee.analysis.findings import findings_on
from referee.stats.groups import index_groups
from referee.stats.paired import paired
from simulated.models import Flags, correct, group_sizes
from simulated.sets import answered, make_items
from simulated.study import Events, Read, Study

if TYPE_CHECKING:
    from referee.demo.story import Line, Steps

GERMAN = ("de/gender", "de/overlap", "de/world-knowledge", "de/markable", "de/event", "de/pleonastic")
FRENCH = ("fr/gender", "fr/overlap", "fr/world-knowledge")
GENDER = GERMAN[0]

Sample = tuple[Flags, Flags, Flags]
"""Which items of noun gender are correct with context and without, and which of antecedent choice."""


def demo(groups: int, sizes: str, share: float, bare: float, within: str, resolved: float = 0.5) -> Study:
    """Read the rows of noun gender with its context and without, and the summary.

    The three shares are those of items that are correct with context, without it, and of antecedent choice.
    """
    from referee.demo.story import lines, sentence

    counts = group_sizes(sizes, groups)
    items = make_items(counts, candidates=3, features=("gender",))
    sets = {name: answered(items, name) for name in (*GERMAN, *FRENCH)}
    index = index_groups([item.group_id for item in items])
    perfect = np.ones(len(items), np.bool_)
    fixed = {name: findings_on([known.judged(perfect)])[0] for name, known in sets.items()}

    def steps(sample: Sample) -> Steps:
        found = [findings_on([sets[name].judged(flags)])[0] for name, flags in zip(_NAMES, sample, strict=True)]
        return {
            "de-gender": found[:1],
            "de-pronouns": [found[2], *(fixed[name] for name in GERMAN[2:])],
            "fr": [fixed[name] for name in FRENCH],
            "de-priors": [],
            "de-attacks": [],
            "de-both": [found[0], found[0]],
            "de-sentence": found[1:2],
        }

    def shown(sample: Sample) -> tuple[Line, Line, str]:
        known = steps(sample)
        table = lines(known, {GENDER: paired(sample[0].tolist(), sample[1].tolist(), index)})
        return table[0], table[-1], sentence(known)

    def draw(rng: Generator) -> Sample:
        return (
            correct(rng, counts, share, within),
            correct(rng, counts, bare, within),
            correct(rng, counts, resolved, within),
        )

    def full(sample: Sample) -> Read:
        level, fall, summary = shown(sample)
        return _events(level, fall, summary, share), [level.interpretation, fall.interpretation, *_sentences(summary)]

    return Study(draw, lambda sample: _events(*shown(sample), share), full)


_NAMES = (GENDER, GENDER, GERMAN[1])


def _events(level: Line, fall: Line, summary: str, share: float) -> Events:
    assert level.interval is not None
    low, high = level.interval
    claim, loss = level.interpretation, fall.interpretation
    return {
        "above chance": claim.startswith("above chance"),
        "nearly always": "nearly always correct" in claim,
        "mostly": "mostly correct" in claim,
        "often incorrect": "often incorrect" in claim,
        "at chance": claim.startswith("at chance"),
        "not above chance": claim.startswith("not above chance"),
        "below chance": claim.startswith("below chance"),
        "falls to chance": loss.startswith("falls to chance"),
        "falls": loss.startswith("falls"),
        "not used": "context is not used" in loss,
        "often wrong": "often gets noun gender wrong" in summary,
        "follows": "answers follow" in summary,
        "covered": low - 1e-9 <= share <= high + 1e-9,
    }


def _sentences(summary: str) -> Sequence[str]:
    return [f"{part.strip().rstrip('.')}." for part in summary.split(". ")]
