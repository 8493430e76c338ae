"""Verdicts on word salience, on generation against scores, and on what translations wrote."""

from __future__ import annotations

import msgspec
import numpy as np
from numpy.random import Generator

from referee.analysis.bias.bias import Bias
from referee.analysis.diagnosis import diagnose_suites
from referee.analysis.findings import findings_on
from referee.analysis.generation_agreement import Answers, agreement
from referee.analysis.salience.importance import Importance, importance
from referee.analysis.salience.record import Salience, Weight
from referee.analysis.scorecard import Cell, Generation, scorecard
from referee.verdicts import Judged
from simulated.models import Counts, Flags, Floats, chosen, correct, group_sizes, saliences
from simulated.sets import EMPTY, NOTHING_FOUND, SUITE, answer, answered, make_items
from simulated.study import Events, Read, Study

WORDS = 10
WRITTEN = ("formality", "animacy", "tense")


def trigger(groups: int, sizes: str, factor: float = 1.0, triggers: int = 1) -> Study:
    """Read whether trigger words are more salient; they are by `factor`."""
    counts = group_sizes(sizes, groups)
    names = [
        (f"g{group}.{member}", f"g{group}") for group, size in enumerate(counts.tolist()) for member in range(size)
    ]

    def read(sample: list[Floats]) -> Events:
        return _trigger_events(importance(_records(sample)))

    def _records(sample: list[Floats]) -> list[Salience]:
        return [
            Salience(
                SUITE,
                name,
                "it",
                0.5,
                tuple(
                    Weight("source", 0, 2 * place, 2 * place + 1, value, place < triggers)
                    for place, value in enumerate(values.tolist())
                ),
                group,
            )
            for (name, group), values in zip(names, sample, strict=True)
        ]

    def full(sample: list[Floats]) -> Read:
        from referee.reports.wording.diagnosis import salience_verdict

        result = importance(_records(sample))
        assert result is not None
        return _trigger_events(result), [salience_verdict(result)]

    return Study(lambda rng: saliences(rng, counts, WORDS, triggers, factor), read, full)


def generation(groups: int, sizes: str, same: float, within: str, share: float = 0.8) -> Study:
    """Read whether generation agrees with scores; both choose the same in `same` of the items."""
    counts = group_sizes(sizes, groups)
    items = make_items(counts, features=("gender",))
    scored = answered(items)
    written = [[answer(item, choice, "generative") for choice in (0, 1)] for item in items]

    def draw(rng: Generator) -> tuple[Flags, Flags]:
        return correct(rng, counts, share, "independent"), correct(rng, counts, same, within)

    def judged(sample: tuple[Flags, Flags]) -> list[Judged]:
        first = scored.judged(sample[0])
        choices = [int(verdict.choice or 0) for verdict in first.verdicts]
        taken = np.where(sample[1], choices, 1 - np.array(choices)).tolist()
        verdicts = [both[took] for both, took in zip(written, taken, strict=True)]
        return [first, Judged(SUITE, "generative", items, verdicts)]

    def events(result: Cell) -> Events:
        assert isinstance(result.outcome, Generation)
        assert result.interval is not None
        low, high = result.interval
        return {
            **{word: result.outcome.agrees == word for word in ("agrees", "differs", "inconclusive")},
            "covered": low - 1e-9 <= same <= high + 1e-9,
        }

    def read(sample: tuple[Flags, Flags]) -> Events:
        first, second = Answers(), Answers()
        for of_set, answers in zip(judged(sample), (first, second), strict=True):
            for item, verdict in of_set:
                answers.add(item, verdict)
        findings = msgspec.structs.replace(NOTHING_FOUND, agreement=agreement(first, second))
        return events(scorecard([EMPTY], [findings], {}, {})[0].cells["written"])

    def full(sample: tuple[Flags, Flags]) -> Read:
        from referee.reports.wording.scorecard import cell_verdict

        sets = judged(sample)
        findings = findings_on(sets)
        result = scorecard(diagnose_suites(sets, findings), findings, {}, {})[0].cells["written"]
        return events(result), [cell_verdict(result)]

    return Study(draw, read, full)


def written(groups: int, sizes: str, share: float, within: str, features: int = 1, lean: float = 0.0) -> Study:
    """Read the bias of what translations wrote; the groups of a set are about one feature each, in turn."""
    counts = group_sizes(sizes, groups)
    golds = np.arange(int(counts.sum())) % 2
    versions = [make_items(counts, features=(name,), golds=golds) for name in WRITTEN[:features]]
    index = np.repeat(np.arange(groups) % features, counts).tolist()
    items = [versions[feature][number] for number, feature in enumerate(index)]
    verdicts = [[answer(item, choice, "generative") for choice in (0, 1)] for item in items]

    def draw(rng: Generator) -> Counts:
        return chosen(rng, golds, correct(rng, counts, share, within), lean)

    def read(sample: Counts) -> tuple[Events, Cell]:
        answers = [of_item[took] for of_item, took in zip(verdicts, sample.tolist(), strict=True)]
        judged = [Judged(SUITE, "generative", items, answers)]
        findings = findings_on(judged)
        suites = diagnose_suites(judged, findings)
        cell = scorecard(suites, findings, {}, {})[0].cells["bias"]
        assert isinstance(cell.outcome, Bias)
        first = suites[0].biases[0].outcome
        words = {word: first == word for word in ("biased", "none", "inconclusive")}
        return words | {"cell biased": cell.outcome.outcome == "biased"}, cell

    def full(sample: Counts) -> Read:
        from referee.reports.wording.scorecard import cell_verdict

        events, cell = read(sample)
        return events, [cell_verdict(cell)]

    return Study(draw, lambda sample: read(sample)[0], full)


def _trigger_events(result: Importance | None) -> Events:
    effect = None if result is None else result.effect
    words = {word: effect == word for word in ("more", "less", "equal", "inconclusive")}
    return words | {"more or less": words["more"] or words["less"]}
