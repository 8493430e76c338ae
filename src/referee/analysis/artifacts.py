"""The artifact check: whether a model is correct without the evidence that an item needs.

A set without its premises, candidates or first halves cannot be solved. A model that is above chance on it relies on an
artifact: a word that gives the answer away, the length of a candidate, memory.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import msgspec

from referee.analysis.accuracy import Findings
from referee.analysis.accuracy import findings as findings_on
from referee.analysis.robustness import AttackEffect
from referee.stats.chance import ALPHA
from referee.stats.correction import holm
from referee.stats.intervals import Interval
from referee.verdicts import Judged

AboveChance = Literal["items", "groups", "neither"]
"""Which accuracy is significantly above chance: that of items, only the group score, or none."""


class Artifact(msgspec.Struct, frozen=True, kw_only=True):
    """An artifact baseline (`setup`), and the accuracy that a model still has on it.

    `chance` and `p` as in findings (one-sided), for items and groups; `above_chance` is where it is significant by
    Holm's correction, None where there is no chance level. `full` is the accuracy on the suite itself, None where it is
    not in the run; `difference` is that of the items that are in both, the baseline less the suite.
    """

    setup: str
    suite: str
    items: int
    accuracy: float
    interval: Interval
    chance: float | None
    p: float | None
    groups: int | None
    group_score: float | None
    group_interval: Interval | None
    group_chance: float | None
    group_p: float | None
    above_chance: AboveChance | None
    full: float | None
    difference: float | None
    difference_interval: Interval | None
    difference_p: float | None

    @property
    def has_artifact(self) -> bool:
        """Whether the model is above chance, in items or in groups."""
        return self.above_chance in ("items", "groups")


def artifacts(findings: Findings, of_run: Sequence[Findings], judged: Sequence[Judged]) -> list[Artifact]:
    """The baselines of a suite that the run scored in the same way; for a baseline, the one it is."""
    if findings.origin is not None and findings.origin.kind == "baseline":
        return _artifact(findings.origin.change, findings)
    alike = {other.suite: other for other in of_run if (other.kind, other.rule) == (findings.kind, findings.rule)}
    drops = [drop for drop in (findings.attacks.drops if findings.attacks else []) if drop.kind == "baseline"]
    results = [
        artifact
        for drop in drops
        if drop.suite in alike
        for artifact in _artifact(drop.perturbation, _only(drop.perturbation, alike[drop.suite], judged), drop)
    ]
    # Items of published baselines do not name their originals: only the set says whose they are.
    paired = {drop.suite for drop in drops}
    for other in alike.values():
        origin = other.origin
        if origin is None or (origin.of, origin.kind) != (findings.suite, "baseline") or other.suite in paired:
            continue
        if findings.overall is not None:
            results += _artifact(origin.change, other, full=findings.overall.accuracy)
    return results


def _only(change: str, findings: Findings, judged: Sequence[Judged]) -> Findings:
    """The findings on the items of one change, in a file that holds several."""
    for of_set in judged:
        if (of_set.suite, of_set.kind) == (findings.suite, findings.kind):
            members = [(item, verdict) for item, verdict in of_set if item.origin and item.origin.change == change]
            if len(members) < len(of_set):
                return findings_on(findings.suite, members, (findings.rule,) if findings.rule else (), ())[0]
    return findings


def _artifact(
    change: str, findings: Findings, drop: AttackEffect | None = None, full: float | None = None
) -> list[Artifact]:
    """One artifact, or none if no item of the baseline was scored."""
    row, group = findings.overall, findings.group
    if row is None:
        return []
    return [
        Artifact(
            setup=change,
            suite=findings.suite,
            items=row.items,
            accuracy=row.accuracy,
            interval=row.bootstrap if group else row.wilson,
            chance=findings.chance,
            p=findings.p,
            groups=group.groups if group else None,
            group_score=group.score if group else None,
            group_interval=group.bootstrap if group else None,
            group_chance=group.chance if group else None,
            group_p=group.p if group else None,
            above_chance=_above_chance(findings.p, group.p if group else None),
            full=drop.before if drop else full,
            difference=drop.difference if drop else None,
            difference_interval=drop.interval if drop else None,
            difference_p=drop.p if drop else None,
        )
    ]


def _above_chance(p: float | None, group_p: float | None) -> AboveChance | None:
    tested = [value for value in (p, group_p) if value is not None]
    if not tested:
        return None
    if min(holm(tested)) >= ALPHA:
        return "neither"
    return "items" if p is not None and p < ALPHA else "groups"
