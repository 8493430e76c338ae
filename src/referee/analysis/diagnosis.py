"""The diagnosis of a run: suite by suite, what a headline accuracy hides."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache

import msgspec

from referee.analysis.accuracy import Findings
from referee.analysis.artifacts import Artifact, artifacts
from referee.analysis.attacks import outcomes
from referee.analysis.bias.bias import Bias, biases
from referee.analysis.bias.choice_counts import CODING
from referee.analysis.bias.decisions import FEATURES, decisions
from referee.analysis.bias.priors import Prior, priors
from referee.analysis.group_consistency import WholeGroups, whole_groups
from referee.analysis.judged import Judged
from referee.analysis.robustness import Robustness, robustness, without_baselines
from referee.analysis.setups import ORIGINAL, place
from referee.errors import UsageError
from referee.verdicts import Kind, Rule


class SuiteDiagnosis(msgspec.Struct, frozen=True, kw_only=True):
    """One suite, judged in one way; `rule` where outputs were matched. What a run has nothing on is empty or None."""

    suite: str
    kind: Kind
    rule: Rule | None
    items: int
    biases: list[Bias]
    priors: list[Prior]
    artifacts: list[Artifact]
    robustness: Robustness | None
    groups: WholeGroups | None


def diagnose(
    judged: Sequence[Judged], findings: Sequence[Findings], coding: Mapping[str, Sequence[str]] | None = None
) -> list[SuiteDiagnosis]:
    """One for each of the findings, except those on attacked and baseline sets, which belong to their suite.

    `coding` orders the values of features for the published measure of bias.
    """
    order = {**CODING, **_checked(coding or {})}
    sets = {(each.suite, each.kind): each for each in judged}
    owned = _owned(judged, findings)

    @cache
    def leaning(suite: str, kind: Kind) -> tuple[list[Bias], list[Prior]]:
        """The same whatever the rule."""
        own = sets[suite, kind]
        preferences = next(each.preferences for each in findings if (each.suite, each.kind) == (suite, kind))
        cases = [decision for item, verdict in own if verdict.dropped is None for decision in decisions(item, verdict)]
        return biases(cases, order), priors(own, preferences)

    found = []
    for each in findings:
        if each.suite in owned or (each.suite, each.kind) not in sets:
            continue
        own_biases, own_priors = leaning(each.suite, each.kind)
        found.append(
            SuiteDiagnosis(
                suite=each.suite,
                kind=each.kind,
                rule=each.rule,
                items=len(sets[each.suite, each.kind]),
                biases=own_biases,
                priors=own_priors,
                artifacts=artifacts(each, findings, judged),
                robustness=_robustness(each, judged),
                groups=_groups(each, sets[each.suite, each.kind]),
            )
        )
    return found


def _checked(coding: Mapping[str, Sequence[str]]) -> Mapping[str, Sequence[str]]:
    for feature, values in coding.items():
        if feature not in FEATURES:
            raise UsageError(f"there is no bias of '{feature}'", f"give a coding for {' or '.join(FEATURES)}")
        if len(set(values)) < len(values):
            raise UsageError(f"the coding of '{feature}' names a value twice", "name each once, in order")
    return coding


def _owned(judged: Sequence[Judged], findings: Sequence[Findings]) -> set[str]:
    """The sets that are attacked forms or baselines of another set of the run."""
    placed = {each.suite: place(each.suite) for each in findings}
    originals = {dataset for dataset, setup in placed.values() if setup == ORIGINAL}
    named = {
        suite
        for suite, (dataset, setup) in placed.items()
        if (setup != ORIGINAL and dataset in originals) or any(suite.startswith(f"{other}+") for other in placed)
    }
    attacking = {
        drop.suite
        for each in findings
        if each.attacks is not None
        for drop in each.attacks.drops
        if drop.suite != each.suite
    }
    # A file may hold originals beside what was made of others.
    mixed = {
        each.suite for each in judged if each.suite in attacking and any(item.origin is None for item in each.items)
    }
    return named | attacking - mixed


def _robustness(found: Findings, judged: Sequence[Judged]) -> Robustness | None:
    seen = without_baselines(
        found.attacks,
        found.suite,
        lambda: {each.suite: outcomes(each, found.rule) for each in judged if each.kind == found.kind},
    )
    return None if seen is None else robustness(seen)


def _groups(found: Findings, judged: Judged) -> WholeGroups | None:
    if found.group is None:
        return None
    cases = [each for each in outcomes(judged, found.rule) if each.correct is not None]
    return whole_groups([bool(each.correct) for each in cases], [each.group for each in cases])
