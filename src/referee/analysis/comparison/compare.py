"""Runs compared: the same items evaluated by two, suite by suite, and what flipped."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Literal

import msgspec
import numpy as np

from referee.analysis.accuracy import dimension_of, natural_order
from referee.analysis.comparison.flips import Flip, flips
from referee.analysis.comparison.pairing import ItemPair, SharedSuite, Unpaired, matched, shared
from referee.analysis.comparison.written import WrittenChange, written_changes
from referee.stats.correction import holm
from referee.stats.groups import index_groups
from referee.stats.levels import ALPHA, MARGIN, fewest, further_groups, groups_to_significance
from referee.stats.paired import MacroDifference, PairedDifference, macro_difference, paired
from referee.stats.proportions import Proportion, proportion
from referee.verdicts import Judged, Kind, Rule


class BreakdownRow(msgspec.Struct, frozen=True):
    """The items of a suite that are called `key` in a breakdown."""

    key: str
    items: PairedDifference


class Comparison(msgspec.Struct, frozen=True, kw_only=True):
    """Two runs on one suite, by one matching rule where outputs were matched; the suite is named as the first names it.

    `items` compares items with gold, `groups` their groups (correct where all members are), `same` the `without_gold`
    items without: how often both chose the same. Each is None where there is nothing to compare. `written` is what both
    generated; it does not depend on the rule and stands with the first. The last two hold the
    ids of what flipped.
    """

    suite: str
    kind: Kind
    rule: Rule | None
    unpaired: Unpaired
    items: PairedDifference | None
    groups: PairedDifference | None
    without_gold: int
    same: Proportion | None
    by: dict[str, list[BreakdownRow]]
    correct_to_incorrect: list[str]
    incorrect_to_correct: list[str]
    written: list[WrittenChange] = []


class AllSuites(msgspec.Struct, frozen=True, kw_only=True):
    """The mean over all suites that were evaluated in one way."""

    kind: Kind
    rule: Rule | None
    suites: list[str]
    mean: MacroDifference


Significance = Literal["base_better", "other_better", "equal", "inconclusive"]
"""What a difference says; `equal` where a difference of the margin or more is ruled out."""


@dataclass(frozen=True)
class RunPair:
    """Two runs, by their index in the list of runs; suites that only one of them has, with their kind."""

    base: int
    other: int
    comparisons: Sequence[Comparison]
    all_suites: Sequence[AllSuites] = ()
    only_base: Sequence[tuple[str, Kind]] = ()
    only_other: Sequence[tuple[str, Kind]] = ()
    flips: Sequence[Flip] = ()


def compare(base: Sequence[Judged], other: Sequence[Judged], dimensions: Sequence[str] = ()) -> list[Comparison]:
    """Compare all that two runs share, also within the labels or features that `dimensions` name."""
    return list(compare_runs([base, other], dimensions)[0].comparisons)


def compare_runs(
    runs: Sequence[Sequence[Judged]], dimensions: Sequence[str] = (), *, all_pairs: bool = False
) -> list[RunPair]:
    """Compare every run with the first, or every one with every other.

    `holm` is corrected over all that is tested in the call; breakdowns are a family of their own.
    """
    pairs = combinations(range(len(runs)), 2) if all_pairs else ((0, index) for index in range(1, len(runs)))
    return _corrected([_compare(pair, runs[pair[0]], runs[pair[1]], dimensions) for pair in pairs])


def significance(difference: PairedDifference | MacroDifference) -> Significance:
    """Decide what a difference says, by its corrected p-value where there is one."""
    p = difference.p if difference.holm is None else difference.holm
    if p < ALPHA:
        return "other_better" if difference.difference > 0 else "base_better"
    low, high = difference.interval
    return "equal" if low > -MARGIN and high < MARGIN else "inconclusive"


def more_groups(difference: PairedDifference | MacroDifference) -> int | None:
    """Estimate how many more groups would show the difference, or rule out one of the margin or more."""
    (low, high), value = difference.interval, difference.difference
    corrected = difference.p if difference.holm is None else difference.holm
    shown = groups_to_significance(difference.groups, difference.p, corrected)
    if shown is None:
        shown = further_groups(difference.groups, value - low if value > 0 else high - value, abs(value))
    changed = isinstance(difference, MacroDifference) or difference.only_base + difference.only_other > 0
    half = max(value - low, high - value)
    return fewest(shown, further_groups(difference.groups, half, MARGIN - abs(value), varies=changed))


def _compare(
    pair: tuple[int, int], base: Sequence[Judged], other: Sequence[Judged], dimensions: Sequence[str]
) -> RunPair:
    matches = matched(base, other)
    suites = [shared(first, second) for first, second in matches]
    matched_base, matched_other = {_key(first) for first, _ in matches}, {_key(second) for _, second in matches}
    return RunPair(
        *pair,
        [_comparison(suite, rule, dimensions) for suite in suites for rule in suite.rules],
        _all_suites(suites),
        [_key(suite) for suite in base if _key(suite) not in matched_base],
        [_key(suite) for suite in other if _key(suite) not in matched_other],
        sorted(
            (flip for suite in suites for rule in suite.rules for flip in flips(suite, rule)),
            key=lambda flip: -abs(flip.change or 0.0),
        ),
    )


def _key(judged: Judged) -> tuple[str, Kind]:
    return judged.suite, judged.kind


def _comparison(suite: SharedSuite, rule: Rule | None, dimensions: Sequence[str]) -> Comparison:
    answers = [(pair, *pair.right(rule)) for pair in suite.with_gold]
    return Comparison(
        suite=suite.suite,
        kind=suite.kind,
        rule=rule,
        unpaired=suite.unpaired,
        items=_of_items(suite.with_gold, rule),
        groups=_of_groups(suite, rule),
        without_gold=len(suite.without_gold),
        same=_same(suite.without_gold),
        by={name: rows for name in dimensions if (rows := _breakdown(suite.with_gold, rule, name))},
        correct_to_incorrect=[pair.item.id for pair, first, second in answers if first and not second],
        incorrect_to_correct=[pair.item.id for pair, first, second in answers if second and not first],
        written=written_changes(suite.with_gold) if rule == suite.rules[0] else [],
    )


def _of_items(pairs: Sequence[ItemPair], rule: Rule | None) -> PairedDifference | None:
    if not pairs:
        return None
    base, other = zip(*(pair.right(rule) for pair in pairs), strict=True)
    return paired(base, other, index_groups([pair.item.group_id for pair in pairs]))


def _of_groups(suite: SharedSuite, rule: Rule | None) -> PairedDifference | None:
    """Groups with two members or more, correct where all members are; None where every item stands alone.

    A group of which a member was not compared does not count.
    """
    pairs = [pair for pair in suite.with_gold if pair.item.group_id not in suite.incomplete]
    sizes = Counter(pair.item.group_id for pair in pairs)
    groups: dict[str, tuple[bool, bool]] = {}
    for pair in (pair for pair in pairs if sizes[pair.item.group_id] > 1):
        so_far, (first, second) = groups.get(pair.item.group_id, (True, True)), pair.right(rule)
        groups[pair.item.group_id] = so_far[0] and first, so_far[1] and second
    if not groups:
        return None
    base, other = zip(*groups.values(), strict=True)
    return paired(base, other, np.arange(len(groups)))


def _breakdown(pairs: Sequence[ItemPair], rule: Rule | None, name: str) -> list[BreakdownRow]:
    by_key: dict[str, list[ItemPair]] = {}
    for pair in pairs:
        if (key := dimension_of(pair.item, name)) is not None:
            by_key.setdefault(key, []).append(pair)
    rows = ((key, _of_items(by_key[key], rule)) for key in sorted(by_key, key=natural_order))
    return [BreakdownRow(key, items) for key, items in rows if items is not None]


def _same(pairs: Sequence[ItemPair]) -> Proportion | None:
    """Two that choose nothing for the same reason, a tie or no match, agree too."""
    if not pairs:
        return None
    hits = [(pair.base.choice, pair.base.tied) == (pair.other.choice, pair.other.tied) for pair in pairs]
    return proportion(hits, index_groups([pair.item.group_id for pair in pairs]))


def _all_suites(suites: Sequence[SharedSuite]) -> list[AllSuites]:
    """One for each way of evaluating that two or more suites have; attacked sets are their originals over again."""
    plain = [suite for suite in suites if suite.with_gold and not suite.perturbed]
    ways = dict.fromkeys((suite.kind, rule) for suite in plain for rule in suite.rules)
    means = []
    for kind, rule in ways:
        alike = [suite for suite in plain if suite.kind == kind and rule in suite.rules]
        if len(alike) > 1:
            names = [suite.suite for suite in alike]
            means.append(AllSuites(kind=kind, rule=rule, suites=names, mean=_mean(alike, rule)))
    return means


def _mean(suites: Sequence[SharedSuite], rule: Rule | None) -> MacroDifference:
    """Groups with the same name in several suites (translations of one set) are one group."""
    pairs = [pair for suite in suites for pair in suite.with_gold]
    base, other = zip(*(pair.right(rule) for pair in pairs), strict=True)
    index = np.repeat(np.arange(len(suites)), [len(suite.with_gold) for suite in suites])
    return macro_difference(base, other, index, index_groups([pair.item.group_id for pair in pairs]))


def _corrected(run_pairs: list[RunPair]) -> list[RunPair]:
    """With `holm` filled in: one family for all lines, one for all rows of breakdowns."""
    families: dict[str, list[float]] = {"lines": [], "rows": []}

    def collect(family: str, p: float) -> float | None:
        families[family].append(p)
        return None

    for run_pair in run_pairs:
        _with_holm(run_pair, collect)
    adjusted = {family: iter(holm(ps)) for family, ps in families.items()}
    return [_with_holm(run_pair, lambda family, _: next(adjusted[family])) for run_pair in run_pairs]


def _with_holm(run_pair: RunPair, correct: Callable[[str, float], float | None]) -> RunPair:
    """Ask for each p-value, always in the same order, what it is among all."""

    def line(difference: PairedDifference | None) -> PairedDifference | None:
        if difference is None:
            return None
        return msgspec.structs.replace(difference, holm=correct("lines", difference.p))

    def breakdown(rows: Sequence[BreakdownRow]) -> list[BreakdownRow]:
        return [
            BreakdownRow(row.key, msgspec.structs.replace(row.items, holm=correct("rows", row.items.p))) for row in rows
        ]

    def suite(comparison: Comparison) -> Comparison:
        by = {name: breakdown(rows) for name, rows in comparison.by.items()}
        return msgspec.structs.replace(comparison, items=line(comparison.items), groups=line(comparison.groups), by=by)

    def mean(all_suites: AllSuites) -> AllSuites:
        corrected = msgspec.structs.replace(all_suites.mean, holm=correct("lines", all_suites.mean.p))
        return msgspec.structs.replace(all_suites, mean=corrected)

    return replace(
        run_pair,
        comparisons=[suite(comparison) for comparison in run_pair.comparisons],
        all_suites=[mean(all_suites) for all_suites in run_pair.all_suites],
    )
