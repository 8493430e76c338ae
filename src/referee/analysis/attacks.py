"""What an attack does: the same items before and after, paired one by one.

An attacked item names its original by `origin`. The original stands in another set of the run, or in the same.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import msgspec

from referee.items import Item, Origin
from referee.stats.intervals import Interval
from referee.stats.proportions import Proportion, mean_interval, proportion
from referee.verdicts import Rule, Verdict

CONSISTENT = "right before and under every attack"


class AttackEffect(msgspec.Struct, frozen=True, kw_only=True):
    """One attack. Accuracies are over the pairs only; `p` is McNemar's exact test, two-sided.

    `broken` were right and are wrong now, `mended` the other way round; `unpaired` attacked items have no original
    that was judged, or were not judged themselves.
    """

    perturbation: str
    suite: str
    pairs: int
    unpaired: int
    before: float
    after: float
    difference: float
    interval: Interval
    broken: int
    mended: int
    p: float


class Attacks(msgspec.Struct, frozen=True):
    """All attacks on one suite; `consistent` is about the items that any of them changed."""

    drops: list[AttackEffect]
    items: int
    consistent: Proportion


@dataclass(frozen=True, slots=True)
class Outcome:
    """The little that is needed of an item and its verdict; `correct` is None where it was not judged."""

    item: str
    group: str
    correct: bool | None
    origin: Origin | None = None


def outcomes(judged: Iterable[tuple[Item, Verdict]], rule: Rule | None = None) -> list[Outcome]:
    """One for every item that has a right answer."""
    return [
        Outcome(
            item.id,
            item.group_id,
            None if verdict.dropped is not None else verdict.right(rule),
            item.origin,
        )
        for item, verdict in judged
        if verdict.dropped is not None or verdict.correct is not None
    ]


def attacks(suites: Mapping[str, Sequence[Outcome]]) -> dict[str, Attacks]:
    """For each suite that was attacked by others (or by items of its own), what became of its items."""
    originals = {suite: {each.item: each for each in found if each.origin is None} for suite, found in suites.items()}
    paired: dict[str, list[AttackEffect]] = {}
    standing: dict[str, dict[str, bool]] = {}
    for suite, found in suites.items():
        for name in dict.fromkeys(each.origin.change for each in found if each.origin is not None):
            attacked = [(each, each.origin.item) for each in found if each.origin and each.origin.change == name]
            base = _base(suite, [of for _, of in attacked], originals)
            if base is None:
                continue
            pairs = [
                (original, each)
                for each, of in attacked
                if (original := originals[base].get(of)) is not None
                and original.correct is not None
                and each.correct is not None
            ]
            if not pairs:
                continue
            paired.setdefault(base, []).append(_drop(name, suite, pairs, len(attacked) - len(pairs)))
            still = standing.setdefault(base, {})
            for original, each in pairs:
                still[original.item] = still.get(original.item, bool(original.correct)) and bool(each.correct)
    return {base: _summary(drops, standing[base], originals[base]) for base, drops in paired.items()}


def _base(suite: str, attacked: Sequence[str], originals: Mapping[str, Mapping[str, Outcome]]) -> str | None:
    """Which suite holds the originals: the one that gave the attacked set its name, else the one that has most."""
    hits = {base: sum(of in items for of in attacked) for base, items in originals.items()}
    best = max(hits, key=lambda base: (hits[base] > 0 and suite.startswith(f"{base}+"), hits[base]))
    return best if hits[best] else None


def _drop(name: str, suite: str, pairs: Sequence[tuple[Outcome, Outcome]], unpaired: int) -> AttackEffect:
    before = [bool(original.correct) for original, _ in pairs]
    after = [bool(each.correct) for _, each in pairs]
    changes = [float(now) - float(then) for then, now in zip(before, after, strict=True)]
    broken, mended = changes.count(-1.0), changes.count(1.0)
    return AttackEffect(
        perturbation=name,
        suite=suite,
        pairs=len(pairs),
        unpaired=unpaired,
        before=sum(before) / len(pairs),
        after=sum(after) / len(pairs),
        difference=(mended - broken) / len(pairs),
        interval=mean_interval(changes, [original.group for original, _ in pairs]),
        broken=broken,
        mended=mended,
        p=mcnemar(broken, mended),
    )


def _summary(drops: list[AttackEffect], standing: Mapping[str, bool], originals: Mapping[str, Outcome]) -> Attacks:
    groups = [originals[item].group for item in standing]
    return Attacks(drops, len(standing), proportion(CONSISTENT, list(standing.values()), groups))


def mcnemar(broken: int, mended: int) -> float:
    """The exact two-sided test: how likely so uneven a split of the changed items is if both ways are as likely."""
    changed, fewer = broken + mended, min(broken, mended)
    ways = term = 1
    for place in range(fewer):
        term = term * (changed - place) // (place + 1)
        ways += term
    # Whole numbers to the end: no tail is too small to be added up.
    return min(1.0, 2 * ways / (1 << changed))
