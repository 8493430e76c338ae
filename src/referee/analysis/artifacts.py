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
from referee.analysis.chance_level import ChanceLevel
from referee.analysis.robustness import AttackEffect
from referee.stats.correction import holm
from referee.stats.intervals import Interval
from referee.stats.levels import ALPHA, Against, groups_to_significance
from referee.verdicts import Judged

Outcome = Literal["items", "groups", "none", "inconclusive"]
"""What is above chance: accuracy, only the group score, neither (more than the margin is ruled out), or not known."""


class Artifact(msgspec.Struct, frozen=True, kw_only=True):
    """An artifact baseline (`setup`), and the accuracy that a model still has on it.

    `chance` is as in findings. `above_chance` says whether accuracy or the group score is above its level, by Holm's
    correction over all baselines (`p` is before it); None where there is no chance level. `more_groups` is about how
    many more groups would decide. `full` is the accuracy on the suite itself, None where it is not in the run;
    `difference` is that of the items that are in both, the baseline less the suite.
    """

    setup: str
    suite: str
    items: int
    accuracy: float
    interval: Interval
    chance: ChanceLevel | None
    groups: int | None
    group_score: float | None
    group_interval: Interval | None
    group_chance: float | None
    p: float | None
    above_chance: Outcome | None
    more_groups: int | None
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
        return _decided(_artifact(findings.origin.change, findings))
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
    return _decided(results)


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
            interval=row.interval,
            chance=findings.chance,
            groups=group.groups if group else None,
            group_score=group.score if group else None,
            group_interval=group.interval if group else None,
            group_chance=group.chance if group else None,
            p=_p(findings.against, group.against if group else None),
            above_chance=_above_chance(findings.against, group.against if group else None),
            more_groups=None if findings.against is None else findings.against.more_groups,
            full=drop.before if drop else full,
            difference=drop.difference if drop else None,
            difference_interval=drop.interval if drop else None,
            difference_p=drop.p if drop else None,
        )
    ]


def _above_chance(items: Against | None, groups: Against | None) -> Outcome | None:
    if items is None:
        return None
    if items.standing == "above":
        return "items"
    if groups is not None and groups.standing == "above":
        return "groups"
    return "inconclusive" if items.standing == "inconclusive" else "none"


def _p(items: Against | None, groups: Against | None) -> float | None:
    """The one-sided p-value of items or groups above chance, whichever is smaller, corrected for both."""
    ps = [result.p for result in (items, groups) if result is not None and result.p is not None]
    return min(1.0, 2 * min(ps)) if ps else None


def _decided(results: Sequence[Artifact]) -> list[Artifact]:
    """Correct for the number of baselines: what is above chance alone, but not among all, is inconclusive."""
    tested = [artifact for artifact in results if artifact.p is not None]
    corrected = dict(zip(map(id, tested), holm([artifact.p or 0.0 for artifact in tested]), strict=True))
    return [
        _undecided(artifact, corrected[id(artifact)])
        if artifact.has_artifact and corrected.get(id(artifact), 0.0) >= ALPHA
        else artifact
        for artifact in results
    ]


def _undecided(artifact: Artifact, corrected: float) -> Artifact:
    groups = artifact.groups or artifact.items
    more = groups_to_significance(groups, artifact.p or 0.0, corrected)
    return msgspec.structs.replace(artifact, above_chance="inconclusive", more_groups=more)
