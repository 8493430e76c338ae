"""The diagnosis of a run: what accuracy hides, per suite."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache

import msgspec

from referee.analysis.accuracy import Findings
from referee.analysis.artifacts import Artifact, artifacts
from referee.analysis.bias.bias import Bias, biases
from referee.analysis.bias.choice_counts import CODING
from referee.analysis.bias.decisions import FEATURES, decisions
from referee.analysis.bias.priors import Prior
from referee.analysis.group_consistency import GroupConsistency, group_consistency
from referee.analysis.robustness import Robustness, attacks_alone, robustness
from referee.analysis.written_forms import WrittenForms
from referee.errors import UsageError, either
from referee.verdicts import Judged, Kind, Rule, Verdict


class SuiteDiagnosis(msgspec.Struct, frozen=True, kw_only=True):
    """One suite, scored in one way; `rule` if outputs were matched. What the run did not measure is empty or None."""

    suite: str
    kind: Kind
    rule: Rule | None
    items: int
    biases: list[Bias]
    priors: list[Prior]
    artifacts: list[Artifact]
    robustness: Robustness | None
    groups: GroupConsistency | None
    written: list[WrittenForms] = []


def diagnose_suites(
    judged: Sequence[Judged], findings: Sequence[Findings], coding: Mapping[str, Sequence[str]] | None = None
) -> list[SuiteDiagnosis]:
    """One diagnosis per suite, way of scoring and rule; attacked and baseline sets belong to their suite.

    `coding` orders the values of features for the published measure of bias.
    """
    order = {**CODING, **_checked(coding or {})}
    sets = {(of_set.suite, of_set.kind): of_set for of_set in judged}
    owned = _owned(judged, findings)

    @cache
    def bias_of(suite: str, kind: Kind) -> list[Bias]:
        """The biases of a suite, which do not depend on the rule."""
        scored = ((item, verdict) for item, verdict in sets[suite, kind] if verdict.dropped is None)
        return biases([decision for item, verdict in scored for decision in decisions(item, verdict)], order)

    diagnoses = []
    for of_suite in findings:
        suite, kind = of_suite.suite, of_suite.kind
        if suite in owned or (suite, kind) not in sets:
            continue
        diagnoses.append(
            SuiteDiagnosis(
                suite=suite,
                kind=kind,
                rule=of_suite.rule,
                items=len(sets[suite, kind]),
                biases=_with_written(bias_of(suite, kind), of_suite.written),
                priors=of_suite.priors,
                artifacts=artifacts(of_suite, findings, judged),
                robustness=_robustness(of_suite),
                groups=_groups(of_suite, sets[suite, kind]),
                written=of_suite.written,
            )
        )
    return diagnoses


def _with_written(biases: Sequence[Bias], written: Sequence[WrittenForms]) -> list[Bias]:
    """Biases in what was chosen, or in what was written: there, outputs that show no value count against the claim."""
    shown = {forms.feature: forms.bias for forms in written if forms.bias is not None}
    chosen = {bias.feature: bias for bias in biases}
    return [
        # The measure as published has the value order of the user.
        msgspec.structs.replace(shown[feature], published=bias.published) if feature in shown else bias
        for feature, bias in chosen.items()
    ] + [bias for feature, bias in shown.items() if feature not in chosen]


def _checked(coding: Mapping[str, Sequence[str]]) -> Mapping[str, Sequence[str]]:
    for feature, values in coding.items():
        if feature not in FEATURES:
            raise UsageError(
                f"--coding: '{feature}' is not a feature with a bias measure", f"choose {either(FEATURES)}"
            )
        if len(set(values)) < len(values):
            raise UsageError(f"--coding: '{feature}' has a value twice", "write each value once, in order")
    return coding


def _owned(judged: Sequence[Judged], findings: Sequence[Findings]) -> set[str]:
    """The sets that are attacked forms, baselines or probes of another set of the run."""
    suites = {of_suite.suite for of_suite in findings}
    origins = {
        of_suite.suite: of_suite.origin
        for of_suite in findings
        if of_suite.origin is not None and of_suite.origin.kind != "parallel" and of_suite.origin.of in suites
    }
    # Published attacks whose items do not name their originals cannot be paired with them: they stand alone.
    alone = {
        of_set.suite
        for of_set in judged
        if of_set.suite in origins
        and origins[of_set.suite].kind == "attack"
        and all(item.origin is None for item in of_set.items)
    }
    attacking = {
        drop.suite
        for of_suite in findings
        if of_suite.attacks is not None
        for drop in of_suite.attacks.drops
        if drop.suite != of_suite.suite
    }
    # A file may hold originals next to what was made of others.
    mixed = {
        of_set.suite
        for of_set in judged
        if of_set.suite in attacking and any(item.origin is None for item in of_set.items)
    }
    return origins.keys() - alone | attacking - mixed


def _robustness(findings: Findings) -> Robustness | None:
    effects = attacks_alone(findings.attacks)
    return None if effects is None else robustness(effects)


def _groups(findings: Findings, judged: Judged) -> GroupConsistency | None:
    if findings.group is None:
        return None
    # An item without a correct answer was never a member that could be correct.
    scored = [pair for pair in judged if pair[1].correct is not None or (_lost(pair[1]) and pair[0].has_answer)]
    correct = [None if _lost(verdict) else verdict.right(findings.rule) for _, verdict in scored]
    return group_consistency(correct, [item.group_id for item, _ in scored])


def _lost(verdict: Verdict) -> bool:
    return verdict.dropped is not None or verdict.not_applicable
