"""Robustness: what attacks cost, all of them seen together. Baselines that must fail are no attacks."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import msgspec

from referee.analysis.attacks import AttackEffect, Attacks, Outcome, attacks
from referee.analysis.setups import hides
from referee.reports.wording import in_percent
from referee.stats.chance import ALPHA
from referee.stats.correction import holm
from referee.stats.proportions import Proportion


class Attack(msgspec.Struct, frozen=True):
    """What one attack did, and its p-value as it counts among all attacks on the suite."""

    drop: AttackEffect
    p_holm: float


class Robustness(msgspec.Struct, frozen=True, kw_only=True):
    """All attacks on a suite. `worst` is the one after which most was lost, `mean` the change on average.

    `consistent` is about the items that any of them changed: right before and under every attack.
    """

    attacks: list[Attack]
    worst: Attack
    mean: float
    items: int
    consistent: Proportion
    words: str


Outcomes = Callable[[], Mapping[str, Sequence[Outcome]]]


def without_baselines(found: Attacks | None, suite: str, outcomes: Outcomes) -> Attacks | None:
    """The attacks on a suite less the baselines; `outcomes`, asked for only if needed, are those of all its sets."""
    if found is None or not any(hides(drop.perturbation) for drop in found.drops):
        return found
    kept = {
        name: [each for each in own if each.origin is None or not hides(each.origin.change)]
        for name, own in outcomes().items()
    }
    return attacks(kept).get(suite)


def robustness(found: Attacks) -> Robustness:
    """What the attacks on a suite come to."""
    corrected = holm([drop.p for drop in found.drops])
    seen = [Attack(drop, p) for drop, p in zip(found.drops, corrected, strict=True)]
    worst = min(seen, key=lambda attack: attack.drop.difference)
    return Robustness(
        attacks=seen,
        worst=worst,
        mean=sum(drop.difference for drop in found.drops) / len(found.drops),
        items=found.items,
        consistent=found.consistent,
        words=_words(worst, seen, found.consistent),
    )


def _words(worst: Attack, seen: Sequence[Attack], kept: Proportion) -> str:
    steady = f"{in_percent(kept.share)} {kept.value}"
    lost = -100 * worst.drop.difference
    if worst.p_holm >= ALPHA or lost <= 0:
        named = f"under {worst.drop.perturbation}" if len(seen) == 1 else f"under any of {len(seen)} attacks"
        return f"no loss found {named}; {steady}"
    named = worst.drop.perturbation + ("" if len(seen) == 1 else f", the worst of {len(seen)} attacks")
    return f"loses {lost:.1f} points under {named}; {steady}"
