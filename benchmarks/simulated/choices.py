"""Verdicts on what is chosen: bias where there is a correct answer, priors where there is none."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
import numpy as np
from numpy.random import Generator

from referee.analysis.bias.bias import Bias, biases
from referee.analysis.bias.decisions import decisions
from referee.analysis.bias.preferences import chosen as preference_of
from referee.analysis.bias.preferences import preferences
from referee.analysis.bias.priors import Prior, priors
from referee.analysis.diagnosis import SuiteDiagnosis, diagnose_suites
from referee.analysis.findings import findings_on
from referee.analysis.scorecard import Cell, scorecard
from referee.items import Item
from referee.verdicts import Judged, Verdict
from simulated.models import WHOLE, Counts, Flags, chosen, correct, golds, group_kinds, group_sizes
from simulated.sets import EMPTY, GENDERS, NOTHING_FOUND, SUITE, answer, make_items, value_order
from simulated.study import Events, Read, Study

Sample = tuple[Counts, Counts]
"""The correct value of each item, and the chosen one."""


def bias(
    groups: int,
    sizes: str,
    share: float,
    within: str,
    gold: str,
    rare: float = 0.5,
    lean: float = 0.0,
    values: int = 2,
    features: tuple[str, ...] = ("gender",),
) -> Study:
    """Read the bias of a model; the value that it leans to, and that is rare, is feminine."""
    counts = group_sizes(sizes, groups)
    total = int(counts.sum())
    versions = [
        make_items(counts, candidates=values, features=features, golds=np.full(total, value)) for value in range(values)
    ]
    verdicts = [[_answers(number, item, values, features) for number, item in enumerate(items)] for items in versions]
    cases = [
        [[decisions(item, verdict) for verdict in of_item] for item, of_item in zip(items, of_gold, strict=True)]
        for items, of_gold in zip(versions, verdicts, strict=True)
    ]

    def draw(rng: Generator) -> Sample:
        gold_values = golds(rng, counts, gold, rare)
        if values > 2:
            # The values that are not rare share the rest.
            gold_values = np.where(gold_values == 1, 1, np.where(rng.random(total) < 0.5, 0, 2))
        return gold_values, chosen(rng, gold_values, correct(rng, counts, share, within), lean, values)

    def events(biases_found: Sequence[Bias], cell: Cell, sample: Sample) -> Events:
        assert isinstance(cell.outcome, Bias)
        said = {"cell biased": cell.outcome.outcome == "biased"}
        return _bias_events(biases_found[0], sample[0], lean, values) | said

    def read(sample: Sample) -> Events:
        picked = [
            case
            for index, (right, took) in enumerate(zip(*_lists(sample), strict=True))
            for case in cases[right][index][took]
        ]
        result = biases(picked)
        return events(result, _bias_cell(result, []), sample)

    def full(sample: Sample) -> Read:
        pairs = list(enumerate(zip(*_lists(sample), strict=True)))
        items = [versions[right][index] for index, (right, _) in pairs]
        suite, cell = _diagnosed(
            Judged(SUITE, "contrastive", items, [verdicts[right][index][took] for index, (right, took) in pairs])
        )
        return events(suite.biases, cell, sample), [_sentence(cell)]

    def kind(sample: Sample) -> bytes:
        gold_values, choices = sample
        return group_kinds(counts, *(gold_values * values + choices == number for number in range(values**2)))

    return Study(draw, read, full, kind if len(features) == 1 else None)


def prior(
    groups: int, sizes: str, within: str, values: int = 2, lean: float = 0.0, features: tuple[str, ...] = ("gender",)
) -> Study:
    """Read the prior of a model that has none, or leans to feminine, where there is no correct answer."""
    counts = group_sizes(sizes, groups)
    total = int(counts.sum())
    items = [
        msgspec.structs.replace(item, gold=None) for item in make_items(counts, candidates=values, features=features)
    ]
    verdicts = [_answers(number, item, values, features) for number, item in enumerate(items)]
    picks_of = [[preference_of(item, verdict) for verdict in verdicts[number]] for number, item in enumerate(items)]
    asked = preferences([of_item[number % values] for number, of_item in enumerate(picks_of)])

    def draw(rng: Generator) -> Counts:
        together: Flags = correct(rng, counts, 1 / values, within)
        # Feminine is taken where `together` says so; elsewhere the others, each as likely.
        alone, as_one = rng.integers(1, values, total), np.repeat(rng.integers(1, values, groups), counts)
        picks = np.where(together, 1, (1 + (as_one if within == WHOLE else alone)) % values)
        return np.where(rng.random(total) < lean, 1, picks)

    def judged(sample: Counts) -> Judged:
        answers = [of_item[took] for of_item, took in zip(verdicts, sample.tolist(), strict=True)]
        return Judged(SUITE, "contrastive", items, answers)

    def events(results: Sequence[Prior], cell: Cell) -> Events:
        assert isinstance(cell.outcome, Prior)
        return _prior_events(results, values, lean) | {"cell biased": cell.outcome.outcome == "biased"}

    def read(sample: Counts) -> Events:
        results = priors([of_item[took] for of_item, took in zip(picks_of, sample.tolist(), strict=True)], asked)
        return events(results, _bias_cell([], results))

    def full(sample: Counts) -> Read:
        suite, cell = _diagnosed(judged(sample))
        return events(suite.priors, cell), [_sentence(cell)]

    def kind(sample: Counts) -> bytes:
        return group_kinds(counts, *(sample == value for value in range(values)))

    return Study(draw, read, full, kind if len(features) == 1 else None)


def _answers(number: int, item: Item, values: int, features: tuple[str, ...]) -> list[Verdict]:
    """The verdict on an item for each value that may be chosen."""
    order = value_order(number, values, features)
    return [answer(item, order.index(value)) for value in range(values)]


def _diagnosed(judged: Judged) -> tuple[SuiteDiagnosis, Cell]:
    findings = findings_on([judged])
    suites = diagnose_suites([judged], findings)
    return suites[0], scorecard(suites, findings, {}, {})[0].cells["bias"]


def _bias_cell(found: list[Bias], known: list[Prior]) -> Cell:
    suite = msgspec.structs.replace(EMPTY, biases=found, priors=known)
    return scorecard([suite], [NOTHING_FOUND], {}, {})[0].cells["bias"]


def _sentence(cell: Cell) -> str:
    from referee.reports.wording.scorecard import cell_verdict

    return cell_verdict(cell)


def _bias_events(result: Bias, gold: Counts, lean: float, values: int) -> Events:
    events = {
        "biased": result.outcome == "biased",
        "biased towards it": result.biased_towards == GENDERS[1],
        "none": result.outcome == "none",
        "inconclusive": result.outcome in ("inconclusive", "unassessed"),
    }
    if values == 2:
        rare = float((gold == 1).mean())
        value = next((value for value in result.values if value.value == GENDERS[1]), None)
        true = 2 * rare * (1 - rare) * lean
        events["covered"] = value is None or value.interval[0] - 1e-9 <= true <= value.interval[1] + 1e-9
    return events


def _prior_events(results: Sequence[Prior], values: int, lean: float) -> Events:
    result = next(result for result in results if result.feature == "gender")
    low, high = result.interval
    true = 1 / values if result.value != GENDERS[1] else lean + (1 - lean) / values
    return {
        **{word: result.outcome == word for word in ("biased", "none", "inconclusive")},
        "covered": lean > 0 or low - 1e-9 <= true <= high + 1e-9,
    }


def _lists(sample: Sample) -> tuple[list[int], list[int]]:
    return sample[0].tolist(), sample[1].tolist()
