"""A diagnosis as tables: first in words, then the figures behind each sentence."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from referee.analysis.artifacts import Artifact
from referee.analysis.bias.bias import Bias
from referee.analysis.bias.priors import Prior
from referee.analysis.diagnosis import SuiteDiagnosis
from referee.analysis.group_consistency import GroupConsistency
from referee.analysis.robustness import Robustness
from referee.reports import wording
from referee.reports.format import interval, percent, points, points_interval, probability
from referee.reports.model import Table


def diagnosis_tables(found: Sequence[SuiteDiagnosis]) -> list[Table]:
    """Suite by suite: a table of sentences, then one for each kind of figures that there are."""
    return [table for each in found for table in (*_told(each, found), *_behind(each, found))]


def sentences(found: Sequence[SuiteDiagnosis]) -> list[Table]:
    """Only the sentences."""
    return [table for each in found for table in _told(each, found)]


def figures(found: Sequence[SuiteDiagnosis]) -> list[Table]:
    """Only the figures behind them."""
    return [table for each in found for table in _behind(each, found)]


def _told(each: SuiteDiagnosis, found: Sequence[SuiteDiagnosis]) -> list[Table]:
    return [_sentences(_title(each, found), each)]


def _behind(each: SuiteDiagnosis, found: Sequence[SuiteDiagnosis]) -> list[Table]:
    return list(_figures(_title(each, found), each))


def _title(each: SuiteDiagnosis, found: Sequence[SuiteDiagnosis]) -> str:
    title = each.suite
    if {other.kind for other in found if other.suite == each.suite} > {each.kind}:
        title += ", translated" if each.kind == "generative" else ", by scores"
    return title + (f" by {each.rule}" if each.rule else "")


def _sentences(title: str, each: SuiteDiagnosis) -> Table:
    rows = [(f"bias: {bias.feature}", wording.bias_verdict(bias)) for bias in each.biases]
    rows += [(f"prior: {_of_label(prior, each.priors)}", wording.prior_verdict(prior)) for prior in each.priors]
    rows += [(f"artifacts: {artifact.setup}", wording.artifact_verdict(artifact)) for artifact in each.artifacts]
    if each.robustness is not None:
        rows.append(("attacks", wording.robustness_verdict(each.robustness)))
    if each.groups is not None:
        rows.append(("whole groups", wording.group_verdict(each.groups)))
    return Table(f"{title}: diagnosis", ("", "in words"), rows or [("", wording.NOTHING)], left=(0, 1))


def _figures(title: str, each: SuiteDiagnosis) -> Iterator[Table]:
    if each.biases:
        yield _bias_table(title, each.biases)
        yield _published_table(title, each.biases)
        yield _values_table(title, each.biases)
    if each.priors:
        yield _prior_table(title, each.priors)
    if each.artifacts:
        yield _artifact_table(title, each.artifacts)
    if each.robustness is not None:
        yield _attack_table(title, each.robustness)
    if each.groups is not None:
        yield _group_table(title, each.groups)


def _bias_table(title: str, biases: Sequence[Bias]) -> Table:
    heads = ("feature", "items", "undecided", "groups", "accuracy %", "p", "V", "V beyond", "size")
    rows = [
        (
            bias.feature,
            str(bias.items),
            str(bias.undecided),
            str(bias.groups),
            percent(bias.accuracy),
            _probability(bias.p),
            f"{bias.cramers_v:.3f}",
            f"{bias.beyond:.3f}",
            bias.size,
        )
        for bias in biases
    ]
    note = "V: Cramer's, of chosen against rejected; V beyond: of chosen against what is expected with this accuracy"
    return Table(f"{title}: bias", heads, rows, left=(0, 8), note=note)


def _published_table(title: str, biases: Sequence[Bias]) -> Table:
    heads = ("feature", "RBC", "95 % interval", "expected", "U", "p", "size", "from", "coding")
    rows = [
        (
            bias.feature,
            f"{found.rbc:+.3f}",
            f"{found.interval[0]:+.3f} to {found.interval[1]:+.3f}",
            f"{found.rbc_expected:+.3f}",
            f"{found.u:.1f}",
            probability(found.p),
            found.size,
            " ".join(f"{least:.3f}" for least in found.thresholds.values()),
            " < ".join(found.coding),
        )
        for bias in biases
        for found in (bias.published,)
    ]
    note = (
        "rank-biserial correlation and Mann-Whitney U; this p takes pairs and twins for independent, and finds too much"
    )
    return Table(f"{title}: bias as published", heads, rows, left=(0, 6, 7, 8), note=note)


def _values_table(title: str, biases: Sequence[Bias]) -> Table:
    heads = ("feature", "value", "offered", "right %", "expected %", "chosen %", "difference", "95 % interval")
    rows = [
        (
            bias.feature,
            each.value,
            str(each.offered),
            percent(each.right_share),
            percent(each.expected_share),
            percent(each.chosen_share),
            points(each.difference),
            points_interval(each.interval),
        )
        for bias in biases
        for each in bias.values
    ]
    note = "expected: of a judge without a bias that is as often right; difference: chosen less expected"
    return Table(f"{title}: chosen against expected", heads, rows, left=(0, 1), note=note)


def _prior_table(title: str, priors: Sequence[Prior]) -> Table:
    heads = ("prior", "strongest", "items", "neither", "undecided", "chosen %", "95 % interval", "even %", "p")
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
            _probability(prior.p),
        )
        for prior in priors
    ]
    note = "of the choices that have the feature; neither: chose one that has not"
    return Table(f"{title}: priors, where there is no right answer", heads, rows, left=(0, 1), note=note)


def _of_label(prior: Prior, priors: Sequence[Prior]) -> str:
    several = len({each.label for each in priors}) > 1
    return f"{prior.label}, {prior.feature}" if several and prior.label else prior.feature


def _artifact_table(title: str, artifacts: Sequence[Artifact]) -> Table:
    heads = ("baseline", "items", "%", "95 % interval", "chance", "p", "in full %", "change", "p (McNemar)")
    rows = []
    for each in artifacts:
        rows.append(
            (
                each.setup,
                str(each.items),
                percent(each.accuracy),
                interval(each.interval),
                _percent(each.chance),
                _probability(each.p),
                _percent(each.full),
                "" if each.difference is None else points(each.difference),
                _probability(each.difference_p),
            )
        )
        if each.group_score is not None and each.group_interval is not None:
            whole = (percent(each.group_score), interval(each.group_interval), _percent(each.group_chance))
            rows.append(
                (f"{each.setup}, whole groups", str(each.groups), *whole, _probability(each.group_p), "", "", "")
            )
    note = "p: how likely guessing does as well; in full: the same items as they are, change: what they lose"
    return Table(f"{title}: artifact baselines", heads, rows, note=note)


def _attack_table(title: str, found: Robustness) -> Table:
    heads = ("attack", "pairs", "% before", "% after", "change", "95 % interval", "p (McNemar)", "p (Holm)")
    rows = [
        (
            each.drop.perturbation,
            str(each.drop.pairs),
            percent(each.drop.before),
            percent(each.drop.after),
            points(each.drop.difference),
            points_interval(each.drop.interval),
            probability(each.drop.p),
            probability(each.p_holm),
        )
        for each in found.attacks
    ]
    kept = found.consistent
    steady = f"{wording.KEPT}: {kept.count} of {found.items} items ({interval(kept.wider)} %)"
    return Table(f"{title}: attacks", heads, rows, note=f"mean change {points(found.mean)}; {steady}")


def _group_table(title: str, found: GroupConsistency) -> Table:
    heads = ("items", "accuracy %", "groups", "whole groups %", "if independent %", "difference", "95 % interval")
    row = (
        str(found.items),
        percent(found.accuracy),
        str(found.groups),
        percent(found.score),
        percent(found.independent),
        points(found.difference),
        points_interval(found.interval),
    )
    note = "if independent: what this accuracy leaves of whole groups where errors fall anywhere"
    return Table(f"{title}: whole groups against single items", heads, [row], left=(), note=note)


def _percent(share: float | None) -> str:
    return "" if share is None else percent(share)


def _probability(p: float | None) -> str:
    return "" if p is None else probability(p)
