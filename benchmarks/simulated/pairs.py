"""Verdicts on the same items answered twice: robustness, comparison, minimum detectable difference."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import msgspec
import numpy as np
from numpy.random import Generator

from referee.analysis.comparison.compare import RunPair, compare_runs, significance
from referee.analysis.diagnosis import diagnose_suites
from referee.analysis.findings import findings_on
from referee.analysis.robustness import Outcome, Robustness, attacks, robustness
from referee.analysis.scorecard import scorecard
from referee.items import SetOrigin
from referee.stats.groups import index_groups
from referee.stats.paired import PairedDifference, paired
from simulated.models import Counts, Flags, Way, changed, correct, group_kinds, group_sizes
from simulated.sets import SUITE, Answered, answered, make_items
from simulated.study import Events, Read, Study

Pair = tuple[Flags, Flags]


def attack(groups: int, sizes: str, lost: float, won: float, way: Way, count: int = 1, share: float = 0.8) -> Study:
    """Read the robustness to `count` attacks, each of which breaks and recovers the given numbers of items."""
    counts = group_sizes(sizes, groups)
    names = [f"attack-{number}" for number in range(count)]
    original = answered(make_items(counts))
    sets = [
        answered(
            make_items(counts, change=(name, "attack")), f"{SUITE}+{name}", origin=SetOrigin(SUITE, name, "attack")
        )
        for name in names
    ]
    outcomes = {of_set.suite: _outcomes(of_set) for of_set in (original, *sets)}
    origins = {of_set.suite: of_set.origin for of_set in sets if of_set.origin is not None}

    def draw(rng: Generator) -> list[Flags]:
        before, after = changed(rng, counts, lost, won, way, share)
        return [before, after, *(_again(rng, before, counts, lost, won, way) for _ in names[1:])]

    def read(sample: Sequence[Flags]) -> Events:
        by_suite = {
            suite: [both[right] for both, right in zip(of_suite, flags.tolist(), strict=True)]
            for (suite, of_suite), flags in zip(outcomes.items(), sample, strict=True)
        }
        return _robust_events(robustness(attacks(by_suite, origins)[SUITE]), won - lost)

    def full(sample: Sequence[Flags]) -> Read:
        from referee.reports.wording.scorecard import cell_verdict

        judged = [of_set.judged(flags) for of_set, flags in zip((original, *sets), sample, strict=True)]
        findings = findings_on(judged)
        suites = diagnose_suites(judged, findings)
        cell = scorecard(suites, findings, {}, {})[0].cells["attacks"]
        result = suites[0].robustness
        assert result is not None
        return _robust_events(result, won - lost), [cell_verdict(cell)]

    def kind(sample: Sequence[Flags]) -> bytes:
        before, after = sample
        return group_kinds(counts, before, after, before & after)

    return Study(draw, read, full, kind if count == 1 else None)


def comparison(groups: int, sizes: str, lost: float, won: float, way: Way) -> Study:
    """Read which of two runs is better on one suite, by items."""
    counts = group_sizes(sizes, groups)
    known = answered(make_items(counts))
    index = index_groups([item.group_id for item in known.items])

    def read(sample: Pair) -> Events:
        return _better_events(paired(*sample, index), won - lost)

    def full(sample: Pair) -> Read:
        pair = compare_runs([[known.judged(sample[0])], [known.judged(sample[1])]])[0]
        return _better_events(_items(pair), won - lost), _sentences(pair)

    def kind(sample: Pair) -> bytes:
        return group_kinds(counts, *sample, sample[0] & sample[1])

    return Study(lambda rng: changed(rng, counts, lost, won, way), read, full, kind)


def group_comparison(groups: int, sizes: str, share: float, within: str) -> Study:
    """Read which of two runs is better on one suite, by groups; both are alike."""
    counts = group_sizes(sizes, groups)
    known = answered(make_items(counts))

    def run_pair(sample: Pair) -> RunPair:
        return compare_runs([[known.judged(sample[0])], [known.judged(sample[1])]])[0]

    def events(pair: RunPair) -> Events:
        line = pair.comparisons[0].groups
        assert line is not None
        return {f"groups {word}": said for word, said in _better_events(line, 0.0).items()} | _any_better(pair)

    def draw(rng: Generator) -> Pair:
        return correct(rng, counts, share, within), correct(rng, counts, share, within)

    return Study(draw, lambda sample: events(run_pair(sample)), lambda sample: _read(run_pair(sample), events))


def suites_mean(
    groups: int, sizes: str, lost: float, won: float, way: Way, suites: int = 3, *, shared: bool = False
) -> Study:
    """Read which of two runs is better on average over suites, of which each has fewer groups than the last.

    `shared` suites have the same groups, as translations of one set have.
    """
    patterns = [group_sizes(sizes, groups if shared else max(3, groups // (1 + number))) for number in range(suites)]
    known = [
        answered(make_items(counts, prefix="g" if shared else f"s{number}g"), f"{SUITE}{number}")
        for number, counts in enumerate(patterns)
    ]

    def draw(rng: Generator) -> list[Pair]:
        first = changed(rng, patterns[0], lost, won, way)
        rest = [changed(rng, counts, lost, won, way) for counts in patterns[1:]]
        return [first, *(first if shared else pair for pair in rest)]

    def run_pair(sample: Sequence[Pair]) -> RunPair:
        runs = [[of_set.judged(pair[run]) for of_set, pair in zip(known, sample, strict=True)] for run in (0, 1)]
        return compare_runs(runs)[0]

    def events(pair: RunPair) -> Events:
        mean = pair.all_suites[0].mean
        low, high = mean.interval
        alone = not low <= 0.0 <= high
        return {
            "mean better": alone,
            "mean covered": low - 1e-9 <= won - lost <= high + 1e-9,
            "mean better, corrected": significance(mean) in ("base_better", "other_better"),
        } | _any_better(pair)

    return Study(draw, lambda sample: events(run_pair(sample)), lambda sample: _read(run_pair(sample), events))


def several_runs(groups: int, sizes: str, share: float, within: str, runs: int = 4) -> Study:
    """Read whether any of several runs is better than the first; all are alike."""
    counts = group_sizes(sizes, groups)
    known = answered(make_items(counts, labels=3))

    def draw(rng: Generator) -> list[Flags]:
        return [correct(rng, counts, share, within) for _ in range(runs)]

    def pairs(sample: Sequence[Flags]) -> list[RunPair]:
        return compare_runs([[known.judged(flags)] for flags in sample], ("label",))

    def events(sample: Sequence[Flags]) -> Events:
        found = pairs(sample)
        rows = [row.items for pair in found for line in pair.comparisons for of in line.by.values() for row in of]
        return {
            "any better": any(_any_better(pair)["any better"] for pair in found),
            "any row better": any(_is_better(row) for row in rows),
        }

    return Study(draw, events, lambda sample: (events(sample), _sentences(pairs(sample)[0])))


def detectable(groups: int, sizes: str, changes: float, way: Way) -> Study:
    """Read whether a difference as large as the minimum detectable one is found; a pilot gives the figure.

    `changes` of the items change each way in the pilot. A figure that no such items can have is left out.
    """
    counts = group_sizes(sizes, groups)
    known = answered(make_items(counts))
    index = index_groups([item.group_id for item in known.items])

    def draw(rng: Generator) -> tuple[Pair, Pair | None]:
        pilot = changed(rng, counts, changes, changes, way)
        figure = paired(*pilot, index).detectable
        if figure is None or figure + 2 * changes > 1:
            return pilot, None
        return pilot, changed(rng, counts, changes, changes + figure, way)

    def read(sample: tuple[Pair, Pair | None]) -> Events:
        return {} if sample[1] is None else {"found": _is_better(paired(*sample[1], index))}

    def full(sample: tuple[Pair, Pair | None]) -> Read:
        pilot = compare_runs([[known.judged(flags)] for flags in sample[0]])[0]
        if sample[1] is None:
            return {}, _sentences(pilot)
        pair = compare_runs([[known.judged(flags)] for flags in sample[1]])[0]
        return {"found": _is_better(_items(pair))}, _sentences(pilot)

    return Study(draw, read, full)


def _again(rng: Generator, before: Flags, sizes: Counts, lost: float, won: float, way: Way) -> Flags:
    """Another change of the same items: of those that are correct as many break, of the others as many recover."""
    share = float(before.mean()) or 0.5
    first, second = (
        changed(rng, sizes, min(1.0, lost / share), 0.0, way),
        changed(rng, sizes, min(1.0, won / max(1 - share, 1e-9)), 0.0, "independent" if way == "asymmetric" else way),
    )
    broken, recovered = first[0] & ~first[1], second[0] & ~second[1]
    return np.where(before, ~broken, recovered)


def _outcomes(known: Answered) -> list[tuple[Outcome, Outcome]]:
    groups = [item.group_id for item in known.items]
    return [
        (Outcome(item.id, group, False, item.origin), Outcome(item.id, group, True, item.origin))  # noqa: FBT003
        for item, group in zip(known.items, groups, strict=True)
    ]


def _robust_events(result: Robustness, true: float) -> Events:
    effects = [attack.drop for attack in result.attacks]
    low, high = effects[0].interval
    return {
        "loses": result.effect == "loses",
        "robust": result.effect == "robust",
        "inconclusive": result.effect == "inconclusive",
        "covered": low - 1e-9 <= true <= high + 1e-9,
    }


def _items(pair: RunPair) -> PairedDifference:
    """The line of all items, as if nothing else had been tested."""
    line = pair.comparisons[0].items
    assert line is not None
    return msgspec.structs.replace(line, holm=None)


def _is_better(line: PairedDifference) -> bool:
    return significance(line) in ("base_better", "other_better")


def _better_events(line: PairedDifference, true: float) -> Events:
    low, high = line.interval
    said = significance(line)
    return {
        "better": said in ("base_better", "other_better"),
        "equal": said == "equal",
        "inconclusive": said == "inconclusive",
        "covered": low - 1e-9 <= true <= high + 1e-9,
    }


def _any_better(pair: RunPair) -> dict[str, bool]:
    lines = [line for comparison in pair.comparisons for line in (comparison.items, comparison.groups) if line]
    return {"any better": any(_is_better(line) for line in lines)}


def _read(pair: RunPair, events: Callable[[RunPair], Events]) -> Read:
    return events(pair), _sentences(pair)


def _sentences(pair: RunPair) -> list[str]:
    from referee.reports.wording.comparison import difference_verdict

    lines = [line for comparison in pair.comparisons for line in (comparison.items, comparison.groups) if line]
    return [difference_verdict(line, "A", "B") for line in lines]
