"""A diagnosis as tables: first its interpretation, then the figures behind each sentence."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from referee.analysis.artifacts import Artifact
from referee.analysis.bias.bias import Bias
from referee.analysis.bias.choice_counts import CODING
from referee.analysis.bias.priors import Prior
from referee.analysis.diagnosis import SuiteDiagnosis
from referee.analysis.group_consistency import GroupConsistency
from referee.analysis.robustness import Robustness
from referee.reports import wording
from referee.reports.format import interval, percent, points, points_interval, probability
from referee.reports.model import Table
from referee.reports.tables.written import confusion_table


def diagnosis_tables(suites: Sequence[SuiteDiagnosis]) -> list[Table]:
    """Suite by suite: a table of sentences, then one for each kind of figures that there are."""
    return [
        table
        for suite in suites
        for table in (
            _sentences(_title(suite, suites), suite),
            *confusions([suite]),
            *_figures(_title(suite, suites), suite),
        )
    ]


def sentences(suites: Sequence[SuiteDiagnosis]) -> list[Table]:
    """Only the sentences."""
    return [_sentences(_title(suite, suites), suite) for suite in suites]


def figures(suites: Sequence[SuiteDiagnosis]) -> list[Table]:
    """Only the figures behind them."""
    return [table for suite in suites for table in _figures(_title(suite, suites), suite)]


def _title(suite: SuiteDiagnosis, suites: Sequence[SuiteDiagnosis]) -> str:
    both = {other.kind for other in suites if other.suite == suite.suite} > {suite.kind}
    return wording.suite_name(suite.suite, suite.kind if both else None, suite.rule)


def _sentences(title: str, suite: SuiteDiagnosis) -> Table:
    rows = [(f"bias: {bias.feature}", wording.bias_verdict(bias)) for bias in suite.biases]
    rows += [(f"written: {forms.feature}", wording.written_verdict(forms)) for forms in suite.written]
    rows += [(f"prior: {_of_label(prior, suite.priors)}", wording.prior_verdict(prior)) for prior in suite.priors]
    rows += [(f"artifacts: {artifact.setup}", wording.artifact_verdict(artifact)) for artifact in suite.artifacts]
    if suite.robustness is not None:
        rows.append(("robustness", wording.robustness_verdict(suite.robustness)))
    if suite.groups is not None:
        rows.append(("group score", wording.group_verdict(suite.groups)))
    return Table(f"{title}: diagnosis", ("", "interpretation"), rows or [("", wording.NOTHING)], left=(0, 1))


def confusions(suites: Sequence[SuiteDiagnosis]) -> list[Table]:
    """What was written instead; it does not depend on the rule."""
    return [
        confusion_table(wording.suite_name(suite.suite, None), forms)
        for suite in suites
        if suite.rule in (None, "paper")
        for forms in suite.written
    ]


def _figures(title: str, suite: SuiteDiagnosis) -> Iterator[Table]:
    if suite.biases:
        yield _bias_table(title, suite.biases)
        # The paper measures gender and position.
        if published := [bias for bias in suite.biases if bias.feature in CODING]:
            yield _published_table(title, published)
        yield _values_table(title, suite.biases)
    if suite.priors:
        yield _prior_table(title, suite.priors)
    if suite.artifacts:
        yield _artifact_table(title, suite.artifacts)
    if suite.robustness is not None:
        yield _attack_table(title, suite.robustness)
    if suite.groups is not None:
        yield _group_table(title, suite.groups)


def _bias_table(title: str, biases: Sequence[Bias]) -> Table:
    heads = ("feature", "items", "no decision", "groups", "accuracy %", "p", "V", "V beyond", "effect")
    rows = [
        (
            bias.feature,
            str(bias.items),
            str(bias.undecided),
            str(bias.groups),
            percent(bias.accuracy),
            probability(bias.p),
            f"{bias.cramers_v:.3f}",
            f"{bias.beyond:.3f}",
            bias.size,
        )
        for bias in biases
    ]
    note = "V: Cramer's V of chosen against rejected candidates. V beyond: of chosen against expected at this accuracy."
    return Table(f"{title}: bias", heads, rows, left=(0, 8), note=note)


def _published_table(title: str, biases: Sequence[Bias]) -> Table:
    heads = ("feature", "RBC", "expected", "U", "p", "effect", "thresholds", "value order")
    rows = [
        (
            bias.feature,
            f"{published.rbc:+.3f}",
            f"{published.rbc_expected:+.3f}",
            f"{published.u:.1f}",
            probability(published.p),
            published.size,
            " ".join(f"{least:.3f}" for least in published.thresholds.values()),
            " < ".join(published.coding),
        )
        for bias in biases
        for published in (bias.published,)
    ]
    note = (
        "RBC: rank-biserial correlation. U: Mann-Whitney test. "
        "This test treats candidates and twins as independent, so its p-values are too small."
    )
    return Table(f"{title}: bias as published", heads, rows, left=(0, 5, 6, 7), note=note)


def _values_table(title: str, biases: Sequence[Bias]) -> Table:
    heads = (
        "feature", "value", "offered", "correct %", "taken %", "left %", "expected %", "chosen %", "vs expected (pp)",
        "simultaneous 95% CI", "p",
    )  # fmt: skip
    rows = [
        (
            bias.feature,
            value.value,
            str(value.offered),
            percent(value.right_share),
            _percent(value.taken),
            _percent(value.left),
            percent(value.expected_share),
            percent(value.chosen_share),
            points(value.difference),
            points_interval(value.interval),
            probability(value.p),
        )
        for bias in biases
        for value in bias.values
    ]
    note = (
        "Taken: chosen where it is offered and incorrect, times the number of incorrect candidates. Left: not chosen "
        "where it is correct. Both rates are equal without a bias. Expected: choices without a bias. CI and p are "
        "corrected for the number of values."
    )
    return Table(f"{title}: chosen against expected", heads, rows, left=(0, 1), note=note)


def _prior_table(title: str, priors: Sequence[Prior]) -> Table:
    heads = (
        "prior",
        "strongest",
        "items",
        "neither",
        "no decision",
        "chosen %",
        "simultaneous 95% CI",
        "even split %",
        "p",
    )
    rows = [
        (
            _of_label(prior, priors),
            prior.value,
            str(prior.items),
            str(prior.neither),
            str(prior.undecided),
            percent(prior.share),
            interval(prior.interval),
            percent(prior.even),
            probability(prior.p),
        )
        for prior in priors
    ]
    note = "Shares are of choices that have the feature. Neither: a candidate without it was chosen."
    return Table(f"{title}: priors without a correct answer", heads, rows, left=(0, 1), note=note)


def _of_label(prior: Prior, priors: Sequence[Prior]) -> str:
    several = len({other.label for other in priors}) > 1
    return f"{prior.label}, {prior.feature}" if several and prior.label else prior.feature


def _artifact_table(title: str, artifacts: Sequence[Artifact]) -> Table:
    heads = ("baseline", "items", "accuracy %", "95% CI", "chance %", "full items %", "change (pp)", "p of the change")
    rows = []
    for artifact in artifacts:
        rows.append(
            (
                artifact.setup,
                str(artifact.items),
                percent(artifact.accuracy),
                interval(artifact.interval),
                "" if artifact.chance is None else percent(artifact.chance.level),
                _percent(artifact.full),
                "" if artifact.difference is None else points(artifact.difference),
                _probability(artifact.difference_p),
            )
        )
        if artifact.group_score is not None and artifact.group_interval is not None:
            rows.append(
                (
                    f"{artifact.setup}, group score",
                    str(artifact.groups),
                    percent(artifact.group_score),
                    interval(artifact.group_interval),
                    _percent(artifact.group_chance),
                    "",
                    "",
                    "",
                )
            )
    note = "Full items: the same items unchanged. Change: less full items."
    return Table(f"{title}: artifact baselines", heads, rows, note=note)


_BROKEN = "Broken: correct answers that became incorrect."


def _attack_table(title: str, robustness: Robustness) -> Table:
    heads = ("perturbation", "pairs", "% before", "% after", "change (pp)", "95% CI", "p", "p (Holm)", "broken %")
    rows = [
        (
            attack.drop.perturbation,
            str(attack.drop.pairs),
            percent(attack.drop.before),
            percent(attack.drop.after),
            points(attack.drop.difference),
            points_interval(attack.drop.interval),
            probability(attack.drop.p),
            probability(attack.p_holm),
            "" if attack.drop.broken_share is None else percent(attack.drop.broken_share.share),
        )
        for attack in robustness.attacks
    ]
    kept = wording.kept_sentence(robustness.consistent, robustness.items)
    return Table(
        f"{title}: robustness", heads, rows, note=f"{_BROKEN} Mean change {points(robustness.mean)} pp. {kept}"
    )


def _group_table(title: str, groups: GroupConsistency) -> Table:
    heads = (
        "items", "accuracy %", "groups", "group score %", "independent errors %", "95% range", "p"
    )  # fmt: skip
    row = (
        str(groups.items),
        percent(groups.accuracy),
        str(groups.groups),
        percent(groups.score),
        percent(groups.independent),
        interval(groups.independent_range),
        probability(groups.p),
    )
    note = "Independent errors: the group score if the same number of errors is scattered at random."
    return Table(f"{title}: group score and accuracy", heads, [row], left=(), note=note)


def _percent(share: float | None) -> str:
    return "" if share is None else percent(share)


def _probability(p: float | None) -> str:
    return "" if p is None else probability(p)
