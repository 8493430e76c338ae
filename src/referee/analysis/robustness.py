"""Robustness: the same items before and after each change, paired one by one, and what all attacks cost together.

A changed item names its original by `origin`. The original stands in another set of the run, or in the same.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import msgspec
import numpy as np

from referee.items import ChangeKind, Item, Origin, SetOrigin
from referee.stats.correction import holm
from referee.stats.groups import group_sums, index_groups
from referee.stats.intervals import Interval
from referee.stats.levels import ALPHA, MARGIN, fewest, further_groups, groups_to_significance
from referee.stats.proportions import Proportion, proportion
from referee.stats.worst_group import DIFFERENCE, mean_interval, mean_p
from referee.verdicts import Rule, Verdict

Effect = Literal["loses", "robust", "inconclusive"]
"""A loss was shown; a loss of the margin or more was ruled out; neither."""

MOST_BROKEN = 0.1
"""A model is not robust if this share of its correct answers may break, even where as many others become correct."""


class AttackEffect(msgspec.Struct, frozen=True, kw_only=True):
    """The effect of one change. Accuracies are over the pairs only; interval and `p` are over groups of the originals.

    `broken` items turned from correct to incorrect, `gained` items the other way round; `broken_share` is of the items
    that were correct, None where none was. `unpaired` changed items were not scored, or their original was not.
    """

    perturbation: str
    kind: ChangeKind
    suite: str
    pairs: int
    groups: int
    unpaired: int
    before: float
    after: float
    difference: float
    interval: Interval
    broken: int
    gained: int
    broken_share: Proportion | None
    p: float

    @property
    def is_harmless(self) -> bool:
        """Whether a loss of the margin or more is ruled out, and so are many broken answers."""
        few_broken = self.broken_share is not None and self.broken_share.interval[1] < MOST_BROKEN
        return self.interval[0] > -MARGIN and few_broken


class Attacks(msgspec.Struct, frozen=True):
    """All changes of one suite, baselines and probes included.

    Of the `items` that were attacked, `consistent` are correct before and under every attack; None without an attack.
    """

    drops: list[AttackEffect]
    items: int
    consistent: Proportion | None


class Attack(msgspec.Struct, frozen=True):
    """The effect of one attack, and its p-value after Holm's correction over all attacks on the suite."""

    drop: AttackEffect
    p_holm: float


class Robustness(msgspec.Struct, frozen=True, kw_only=True):
    """All attacks on a suite. `worst` has the largest loss; it decides if it is significant by Holm's correction.

    `robust` needs every attack to be harmless. Otherwise a loss of up to `possible` remains possible, and `more_groups`
    is about how many more groups would decide. `mean` is the mean change, `consistent` are the attacked items that are
    correct before and under every attack.
    """

    attacks: list[Attack]
    worst: Attack
    effect: Effect
    possible: float
    more_groups: int | None
    mean: float
    items: int
    consistent: Proportion


@dataclass(frozen=True, slots=True)
class Outcome:
    """What pairing needs of an item and its verdict; `correct` is None if the item was not scored."""

    item: str
    group: str
    correct: bool | None
    origin: Origin | None = None


Outcomes = Mapping[str, Sequence[Outcome]]
"""The outcomes of a run by suite."""


def outcomes(judged: Iterable[tuple[Item, Verdict]], rule: Rule | None = None) -> list[Outcome]:
    """One outcome per item that has a correct answer."""
    return [outcome for item, verdict in judged for outcome in outcome_of(item, verdict, rule)]


def outcome_of(item: Item, verdict: Verdict, rule: Rule | None = None) -> tuple[Outcome, ...]:
    """The outcome of an item that has a correct answer; empty for others."""
    if verdict.dropped is None and verdict.correct is None:
        return ()
    correct = None if verdict.dropped is not None else verdict.right(rule)
    return (Outcome(item.id, item.group_id, correct, item.origin),)


class _Originals:
    """The unchanged items of a run, by suite and by id."""

    def __init__(self, by_suite: Outcomes) -> None:
        self.by_suite = {
            suite: {outcome.item: outcome for outcome in of_suite if outcome.origin is None}
            for suite, of_suite in by_suite.items()
        }
        self._holders: dict[str, list[str]] = {}
        for suite, items in self.by_suite.items():
            for item in items:
                self._holders.setdefault(item, []).append(suite)

    def suite_of(self, origins: Iterable[Origin], declared: SetOrigin | None) -> str | None:
        """The suite that a changed set says it was made of, else the one that holds most of its originals."""
        items = [origin.item for origin in origins]
        if declared is not None and not self.by_suite.get(declared.of, {}).keys().isdisjoint(items):
            return declared.of
        hits = Counter(suite for item in items for suite in self._holders.get(item, ()))
        return max(hits, key=lambda suite: hits[suite]) if hits else None


def resolve_origins(by_suite: Outcomes, declared: Mapping[str, SetOrigin]) -> dict[str, SetOrigin]:
    """The origins of changed sets, by suite.

    A set's own statement counts if the suite it names is in the run. Otherwise its items decide, if all have the same
    change and another suite holds their originals.
    """
    origins = dict(declared)
    originals = _Originals(by_suite)
    for suite, of_suite in by_suite.items():
        changes = {(origin.change, origin.kind) if (origin := outcome.origin) else None for outcome in of_suite}
        if (suite in declared and declared[suite].of in by_suite) or len(changes) != 1:
            continue
        base = originals.suite_of((outcome.origin for outcome in of_suite if outcome.origin), declared.get(suite))
        change = changes.pop()
        if base is not None and change is not None:
            origins[suite] = SetOrigin(base, *change)
    return origins


def attacks(by_suite: Outcomes, origins: Mapping[str, SetOrigin] | None = None) -> dict[str, Attacks]:
    """The effects of changes by the suite that was changed, in other sets or by items of its own."""
    originals = _Originals(by_suite)
    effects: dict[str, list[AttackEffect]] = {}
    held: dict[str, dict[str, bool]] = {}
    for suite, of_suite in by_suite.items():
        for (change, kind), changed in _by_change(of_suite).items():
            base = originals.suite_of((origin for _, origin in changed), (origins or {}).get(suite))
            pairs = [
                (original, outcome)
                for outcome, origin in changed
                if base is not None
                and (original := originals.by_suite[base].get(origin.item)) is not None
                and original.correct is not None
                and outcome.correct is not None
            ]
            if base is None or not pairs:
                continue
            effects.setdefault(base, []).append(_effect(change, kind, suite, pairs, len(changed) - len(pairs)))
            still = held.setdefault(base, {})
            # A baseline removes the evidence and a probe asks something else: to fail there is not inconsistent.
            for original, outcome in pairs if kind == "attack" else ():
                still[original.item] = still.get(original.item, bool(original.correct)) and bool(outcome.correct)
    return {base: _summary(drops, held[base], originals.by_suite[base]) for base, drops in effects.items()}


def _by_change(of_suite: Iterable[Outcome]) -> dict[tuple[str, ChangeKind], list[tuple[Outcome, Origin]]]:
    changed: dict[tuple[str, ChangeKind], list[tuple[Outcome, Origin]]] = {}
    for outcome in of_suite:
        if (origin := outcome.origin) is not None:
            changed.setdefault((origin.change, origin.kind), []).append((outcome, origin))
    return changed


def _effect(
    change: str, kind: ChangeKind, suite: str, pairs: Sequence[tuple[Outcome, Outcome]], unpaired: int
) -> AttackEffect:
    before = np.array([bool(original.correct) for original, _ in pairs])
    after = np.array([bool(outcome.correct) for _, outcome in pairs])
    groups = index_groups([original.group for original, _ in pairs])
    sums, sizes = group_sums(after.astype(np.float64) - before, groups)
    broken = before & ~after
    return AttackEffect(
        perturbation=change,
        kind=kind,
        suite=suite,
        pairs=len(pairs),
        groups=len(sums),
        unpaired=unpaired,
        before=float(before.mean()),
        after=float(after.mean()),
        difference=float(sums.sum()) / len(pairs),
        interval=mean_interval(sums, sizes, DIFFERENCE),
        broken=int(broken.sum()),
        gained=int((after & ~before).sum()),
        broken_share=proportion(broken[before], groups[before]) if before.any() else None,
        p=mean_p(sums, sizes, 0.0, DIFFERENCE),
    )


def _summary(drops: list[AttackEffect], held: Mapping[str, bool], originals: Mapping[str, Outcome]) -> Attacks:
    groups = [originals[item].group for item in held]
    return Attacks(drops, len(held), proportion(list(held.values()), index_groups(groups)) if held else None)


def attacks_alone(effects: Attacks | None) -> Attacks | None:
    """The effects on a suite without baselines, which must fail, and probes; None where nothing is left."""
    drops = [] if effects is None else [drop for drop in effects.drops if drop.kind == "attack"]
    return msgspec.structs.replace(effects, drops=drops) if effects is not None and drops else None


def robustness(effects: Attacks) -> Robustness:
    """A summary of all attacks on a suite."""
    if effects.consistent is None:
        raise ValueError("attacks: expected at least one attack")
    corrected = holm([drop.p for drop in effects.drops])
    all_attacks = [Attack(drop, p) for drop, p in zip(effects.drops, corrected, strict=True)]
    losing = [attack for attack in all_attacks if attack.p_holm < ALPHA and attack.drop.difference < 0]
    harmless = all(drop.is_harmless for drop in effects.drops)
    effect: Effect = "loses" if losing else "robust" if harmless else "inconclusive"
    return Robustness(
        attacks=all_attacks,
        worst=min(losing or all_attacks, key=lambda attack: attack.drop.difference),
        effect=effect,
        possible=-min(drop.interval[0] for drop in effects.drops),
        more_groups=more_groups(all_attacks) if effect == "inconclusive" else None,
        mean=sum(drop.difference for drop in effects.drops) / len(effects.drops),
        items=effects.items,
        consistent=effects.consistent,
    )


def more_groups(attacks: Sequence[Attack]) -> int | None:
    """Estimate how many more groups show a loss under one attack, or rule one out under all of them."""
    losses = [attack for attack in attacks if attack.drop.difference < 0]
    shown = fewest(*(groups_to_significance(attack.drop.groups, attack.drop.p, attack.p_holm) for attack in losses))
    ruled_out: list[int | None] = []
    for drop in (attack.drop for attack in attacks):
        if drop.interval[0] <= -MARGIN:
            half = drop.difference - drop.interval[0]
            changed = bool(drop.broken or drop.gained)
            ruled_out.append(further_groups(drop.groups, half, drop.difference + MARGIN, varies=changed))
        share = drop.broken_share
        if share is None:
            # Where nothing was correct nothing can break, however many groups there are.
            ruled_out.append(None)
        elif share.interval[1] >= MOST_BROKEN:
            half, distance = share.interval[1] - share.share, MOST_BROKEN - share.share
            ruled_out.append(further_groups(share.groups, half, distance, varies=share.count > 0))
    known = [count for count in ruled_out if count is not None]
    return fewest(shown, max(known, default=None) if len(known) == len(ruled_out) else None)
