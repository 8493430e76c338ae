"""Runs compared: the same items judged by two, suite by suite, and what flipped."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

import msgspec
import numpy as np

from referee.analysis.accuracy import dimension_of, natural_order
from referee.analysis.comparison.flips import Flip, flips
from referee.analysis.comparison.pairing import ItemPair, SharedSuite, Unpaired, matched, shared
from referee.stats.correction import holm
from referee.stats.groups import index_groups
from referee.stats.paired import MacroDifference, PairedDifference, macro_difference, paired
from referee.stats.proportions import Proportion, proportion
from referee.verdicts import Judged, Kind, Rule


class BreakdownRow(msgspec.Struct, frozen=True):
    """The items of a suite that are called `key` in a breakdown."""

    key: str
    items: PairedDifference


class Comparison(msgspec.Struct, frozen=True, kw_only=True):
    """Two runs on one suite, by one matching rule where outputs were matched; the suite is named as the first names it.

    `items` is over items with gold, `groups` over whole groups of them (right where all members are), `same` over the
    `without_gold` items without: how often both chose the same. Each is None where there is nothing to compare. The
    last two hold the ids of what flipped.
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
    right_to_wrong: list[str]
    wrong_to_right: list[str]


class AllSuites(msgspec.Struct, frozen=True, kw_only=True):
    """The mean over all suites that were judged in one way."""

    kind: Kind
    rule: Rule | None
    suites: list[str]
    mean: MacroDifference


@dataclass(frozen=True)
class RunPair:
    """Two runs, named by their places in the list of runs; the suites that only one of them has have their kind."""

    base: int
    other: int
    comparisons: Sequence[Comparison]
    all_suites: Sequence[AllSuites] = ()
    only_base: Sequence[tuple[str, Kind]] = ()
    only_other: Sequence[tuple[str, Kind]] = ()
    flips: Sequence[Flip] = ()


def compare(base: Sequence[Judged], other: Sequence[Judged], dimensions: Sequence[str] = ()) -> list[Comparison]:
    """Everything that two runs have in common, also within the labels or features that `dimensions` name."""
    return list(compare_runs([base, other], dimensions)[0].comparisons)


def compare_runs(
    runs: Sequence[Sequence[Judged]], dimensions: Sequence[str] = (), *, all_pairs: bool = False
) -> list[RunPair]:
    """Every run against the first, or every one against every other.

    `holm` is corrected over all that is tested in the call; breakdowns are a family of their own.
    """
    places = combinations(range(len(runs)), 2) if all_pairs else ((0, place) for place in range(1, len(runs)))
    return _corrected([_versus(one, another, runs[one], runs[another], dimensions) for one, another in places])


def _versus(one: int, another: int, base: Sequence[Judged], other: Sequence[Judged], names: Sequence[str]) -> RunPair:
    matches = matched(base, other)
    suites = [shared(mine, its) for mine, its in matches]
    found = [(mine.suite, mine.kind) for mine, _ in matches], [(its.suite, its.kind) for _, its in matches]
    return RunPair(
        one,
        another,
        [_comparison(each, rule, names) for each in suites for rule in each.rules],
        _all_suites(suites),
        [key for each in base if (key := (each.suite, each.kind)) not in found[0]],
        [key for each in other if (key := (each.suite, each.kind)) not in found[1]],
        sorted(
            (flip for each in suites for rule in each.rules for flip in flips(each, rule)),
            key=lambda flip: -abs(flip.change or 0.0),
        ),
    )


def _comparison(suite: SharedSuite, rule: Rule | None, dimensions: Sequence[str]) -> Comparison:
    cases = [(pair, *pair.right(rule)) for pair in suite.with_gold]
    return Comparison(
        suite=suite.suite,
        kind=suite.kind,
        rule=rule,
        unpaired=suite.unpaired,
        items=_of_items(suite.with_gold, rule),
        groups=_of_groups(suite.with_gold, rule),
        without_gold=len(suite.without_gold),
        same=_same(suite.without_gold),
        by={name: parts for name in dimensions if (parts := _breakdown(suite.with_gold, rule, name))},
        right_to_wrong=[pair.item.id for pair, first, second in cases if first and not second],
        wrong_to_right=[pair.item.id for pair, first, second in cases if second and not first],
    )


def _of_items(pairs: Sequence[ItemPair], rule: Rule | None) -> PairedDifference | None:
    if not pairs:
        return None
    base, other = zip(*(pair.right(rule) for pair in pairs), strict=True)
    return paired(base, other, index_groups([pair.item.group_id for pair in pairs]))


def _of_groups(pairs: Sequence[ItemPair], rule: Rule | None) -> PairedDifference | None:
    """None where every item stands alone."""
    whole: dict[str, tuple[bool, bool]] = {}
    for pair in pairs:
        before, (first, second) = whole.get(pair.item.group_id, (True, True)), pair.right(rule)
        whole[pair.item.group_id] = before[0] and first, before[1] and second
    if len(whole) == len(pairs):
        return None
    base, other = zip(*whole.values(), strict=True)
    return paired(base, other, np.arange(len(whole)))


def _breakdown(pairs: Sequence[ItemPair], rule: Rule | None, name: str) -> list[BreakdownRow]:
    parts: dict[str, list[ItemPair]] = {}
    for pair in pairs:
        if (key := dimension_of(pair.item, name)) is not None:
            parts.setdefault(key, []).append(pair)
    rows = ((key, _of_items(parts[key], rule)) for key in sorted(parts, key=natural_order))
    return [BreakdownRow(key, items) for key, items in rows if items is not None]


def _same(pairs: Sequence[ItemPair]) -> Proportion | None:
    """Two that choose nothing for the same reason, a tie or nothing found, agree too."""
    if not pairs:
        return None
    hits = [(pair.base.choice, pair.base.tied) == (pair.other.choice, pair.other.tied) for pair in pairs]
    return proportion(hits, index_groups([pair.item.group_id for pair in pairs]))


def _all_suites(suites: Sequence[SharedSuite]) -> list[AllSuites]:
    """One for each way of judging that two or more suites have; attacked sets are their originals over again."""
    plain = [each for each in suites if each.with_gold and not each.perturbed]
    ways = dict.fromkeys((each.kind, rule) for each in plain for rule in each.rules)
    found = []
    for kind, rule in ways:
        alike = [each for each in plain if each.kind == kind and rule in each.rules]
        if len(alike) > 1:
            names = [each.suite for each in alike]
            found.append(AllSuites(kind=kind, rule=rule, suites=names, mean=_mean(alike, rule)))
    return found


def _mean(suites: Sequence[SharedSuite], rule: Rule | None) -> MacroDifference:
    """Groups with the same name in several suites (translations of one set) are one group."""
    pairs = [pair for suite in suites for pair in suite.with_gold]
    base, other = zip(*(pair.right(rule) for pair in pairs), strict=True)
    index = np.repeat(np.arange(len(suites)), [len(suite.with_gold) for suite in suites])
    return macro_difference(base, other, index, index_groups([pair.item.group_id for pair in pairs]))


def _corrected(found: list[RunPair]) -> list[RunPair]:
    """With `holm` filled in: one family for all lines, one for all rows of breakdowns."""
    families: dict[str, list[float]] = {"lines": [], "rows": []}

    def collect(family: str, p: float) -> float | None:
        families[family].append(p)
        return None

    for each in found:
        _with_holm(each, collect)
    adjusted = {family: iter(holm(ps)) for family, ps in families.items()}
    return [_with_holm(each, lambda family, _: next(adjusted[family])) for each in found]


def _with_holm(versus: RunPair, correct: Callable[[str, float], float | None]) -> RunPair:
    """Asks for each p-value, always in the same order, what it is among all."""

    def line(made: PairedDifference | None) -> PairedDifference | None:
        return None if made is None else msgspec.structs.replace(made, holm=correct("lines", made.p))

    def part(made: BreakdownRow) -> BreakdownRow:
        return BreakdownRow(made.key, msgspec.structs.replace(made.items, holm=correct("rows", made.items.p)))

    def breakdowns(by: Mapping[str, Sequence[BreakdownRow]]) -> dict[str, list[BreakdownRow]]:
        return {name: [part(each) for each in parts] for name, parts in by.items()}

    return replace(
        versus,
        comparisons=[
            msgspec.structs.replace(each, items=line(each.items), groups=line(each.groups), by=breakdowns(each.by))
            for each in versus.comparisons
        ],
        all_suites=[
            msgspec.structs.replace(each, mean=msgspec.structs.replace(each.mean, holm=correct("lines", each.mean.p)))
            for each in versus.all_suites
        ],
    )
