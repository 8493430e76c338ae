"""The artifact check: whether a judge is right even without what one must know to be right.

A set whose premise, candidates or first half were taken away cannot be solved. Who beats chance on it leans on
something else: a word that gives the answer away, the length of an alternative, memory.
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from referee.analysis.accuracy import Findings, findings
from referee.analysis.attacks import AttackEffect
from referee.analysis.judged import Judged
from referee.analysis.setups import hides, place
from referee.reports.wording import in_percent
from referee.stats.chance import ALPHA
from referee.stats.correction import holm
from referee.stats.intervals import Interval


class Artifact(msgspec.Struct, frozen=True, kw_only=True):
    """A baseline: what was taken away (`without`), and how often a judge is right all the same.

    `chance` and `p` as in findings (one-sided), for single items and whole groups; `beats_chance` is whether either
    does, by Holm's correction, and None where chance is not known. `full` is the accuracy on the suite itself, None
    where it is not in the run; `difference` is that of the items that are in both, with the baseline less the suite.
    """

    setup: str
    suite: str
    without: str
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
    beats_chance: bool | None
    full: float | None
    difference: float | None
    difference_interval: Interval | None
    difference_p: float | None
    words: str


def artifacts(found: Findings, of_run: Sequence[Findings], judged: Sequence[Judged]) -> list[Artifact]:
    """The baselines of a suite that the same run judged in the same way; a baseline that stands alone is its own."""
    dataset, setup = place(found.suite)
    if hides(setup):
        return _made(setup, found)
    beside = [each for each in of_run if (each.kind, each.rule) == (found.kind, found.rule)]
    drops = [drop for drop in (found.attacks.drops if found.attacks else []) if hides(drop.perturbation)]
    paired = {drop.suite for drop in drops}
    made = [
        artifact
        for drop in drops
        for each in beside
        if each.suite == drop.suite
        for artifact in _made(drop.perturbation, _only(drop.perturbation, each, judged), drop, drop.before)
    ]
    # Published baselines do not name their originals: only their own name says whose they are.
    for each in beside:
        owner, name = place(each.suite)
        if owner == dataset and hides(name) and each.suite not in paired and found.overall is not None:
            made += _made(name, each, full=found.overall.accuracy)
    return made


def _only(perturbation: str, found: Findings, judged: Sequence[Judged]) -> Findings:
    """The findings on what one perturbation made, where a file holds what several did."""
    for each in judged:
        if (each.suite, each.kind) == (found.suite, found.kind):
            own = [
                (item, verdict)
                for item, verdict in each
                if item.origin is not None and item.origin.change == perturbation
            ]
            if len(own) < len(each):
                return findings(found.suite, own, (found.rule,) if found.rule else (), ())[0]
    return found


def _made(setup: str, found: Findings, drop: AttackEffect | None = None, full: float | None = None) -> list[Artifact]:
    row, group = found.overall, found.group
    if row is None:
        return []
    known = [p for p in (found.p, group.p if group else None) if p is not None]
    artifact = Artifact(
        setup=setup,
        suite=found.suite,
        without=hides(setup),
        items=row.items,
        accuracy=row.accuracy,
        interval=row.bootstrap if group else row.wilson,
        chance=found.chance,
        p=found.p,
        groups=group.groups if group else None,
        group_score=group.score if group else None,
        group_interval=group.bootstrap if group else None,
        group_chance=group.chance if group else None,
        group_p=group.p if group else None,
        beats_chance=min(holm(known)) < ALPHA if known else None,
        full=full,
        difference=drop.difference if drop else None,
        difference_interval=drop.interval if drop else None,
        difference_p=drop.p if drop else None,
        words="",
    )
    return [msgspec.structs.replace(artifact, words=_words(artifact))]


def _words(found: Artifact) -> str:
    in_full = "" if found.full is None else f"; in full {in_percent(found.full)}"
    if found.difference_p is not None and found.difference_p >= ALPHA:
        in_full += ", no clear difference"
    single = in_percent(found.accuracy)
    if found.chance is None:
        return f"{single} without {found.without}{in_full}; chance is not known"
    if not found.beats_chance:
        return f"{single} without {found.without}, no better than chance ({in_percent(found.chance)}){in_full}"
    if found.p is not None and found.p < ALPHA:
        return f"beats chance ({in_percent(found.chance)}) without {found.without}: {single}{in_full}"
    whole, chance = in_percent(found.group_score or 0.0), in_percent(found.group_chance or 0.0)
    return f"beats chance in whole groups ({chance}) without {found.without}: {whole}"
