"""Tables beyond accuracy: preferences, perturbations, agreement of scores and generation, and English next to it."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

from referee.analysis.bias.decisions import FeatureRates
from referee.analysis.bias.preferences import ORDERS, Preference
from referee.analysis.cross_lingual import CrossLingual
from referee.analysis.generation_agreement import Agreement
from referee.analysis.robustness import AttackEffect, Attacks
from referee.items import ChangeKind
from referee.reports.format import interval, p_value, percent, percentage, points, points_interval, probability
from referee.reports.model import Table
from referee.reports.wording import kept_sentence

_HEADS = ("feature", "value", "chosen", "%", "95% CI")


def preference_tables(title: str, preferences: Sequence[Preference]) -> list[Table]:
    """One table per label: what was chosen where there is no correct answer."""
    shown = []
    labels = {preference.label for preference in preferences}
    for label, same in groupby(preferences, key=lambda preference: preference.label):
        of_label = list(same)
        items = max(preference.items for preference in of_label if preference.feature != ORDERS)
        name = f"{title}, {label}" if len(labels) > 1 and label else title
        rows = [
            (_feature(preference), value, str(share.count), percent(share.share), interval(share.interval))
            for preference in of_label
            for value, share in preference.shares.items()
        ]
        heading = f"{name}: choices without a correct answer ({items} items)"
        shown.append(Table(heading, _HEADS, rows, left=(0, 1)))
    return shown


def _feature(preference: Preference) -> str:
    return f"{preference.feature} ({preference.items} pairs)" if preference.feature == ORDERS else preference.feature


_KINDS: dict[ChangeKind, str] = {
    "attack": "under perturbation",
    "baseline": "baselines (evidence removed)",
    "probe": "probes (another question)",
}


def attack_tables(title: str, attacks: Attacks) -> list[Table]:
    """One table per kind of perturbation: attacks, baselines, probes."""
    kinds = ((kind, [drop for drop in attacks.drops if drop.kind == kind]) for kind in _KINDS)
    return [_attack_table(f"{title}: {_KINDS[kind]}", kind, drops, attacks) for kind, drops in kinds if drops]


def _attack_table(title: str, kind: ChangeKind, drops: Sequence[AttackEffect], attacks: Attacks) -> Table:
    """One row per perturbation: the same items before and after."""
    rows = [
        (
            drop.perturbation,
            str(drop.pairs),
            percent(drop.before),
            percent(drop.after),
            points(drop.difference),
            points_interval(drop.interval),
            probability(drop.p),
            str(drop.broken),
            str(drop.gained),
        )
        for drop in drops
    ]
    heads = (
        "perturbation" if kind == "attack" else kind, "pairs", "% before", "% after", "change (pp)", "95% CI", "p",
        "correct to incorrect", "incorrect to correct",
    )  # fmt: skip
    kept = attacks.consistent if kind == "attack" else None
    note = "" if kept is None else kept_sentence(kept, attacks.items)
    return Table(title, heads, rows, note=(note + _not_paired(sum(drop.unpaired for drop in drops))).strip())


def agreement_table(title: str, agreement: Agreement) -> Table:
    """Scores against generation; which of them is correct where there is a correct answer."""
    correct = {
        "both correct": agreement.both_right,
        "only scores": agreement.only_scores,
        "only generation": agreement.only_translations,
        "both incorrect": agreement.both_wrong,
    }
    with_gold = sum(correct.values())
    rows = [("same choice", str(agreement.same.count), percent(agreement.same.share))]
    if with_gold:
        rows += [(name, str(count), percent(count / with_gold)) for name, count in correct.items()]
    kappa = "cannot be computed: both always choose the same" if agreement.kappa is None else f"{agreement.kappa:.3f}"
    note = f"Same choice: 95% CI {interval(agreement.same.interval)}%. Cohen's kappa {kappa}."
    return Table(f"{title}: scores and generation", ("", "items", "%"), rows, note=note)


def tendency_table(title: str, tendencies: Sequence[FeatureRates]) -> Table:
    """One row per value of a feature: how often it was chosen, how often it is correct."""
    rows = [
        (
            rates.feature,
            rate.value,
            str(rate.offered),
            str(rate.right),
            percent(rate.right / rates.items),
            str(rate.chosen),
            percent(rate.chosen / rates.items),
            points(rate.difference),
            points_interval(rate.interval),
        )
        for rates in tendencies
        for rate in rates.values
    ]
    heads = ("feature", "value", "offered", "correct", "%", "chosen", "%", "vs correct (pp)", "95% CI")
    undecided = max(rates.undecided for rates in tendencies)
    note = f"{undecided} items without a decision are not counted." if undecided else ""
    return Table(f"{title}: chosen against correct", heads, rows, left=(0, 1), note=note)


def english_table(suite: str, pairs: CrossLingual) -> Table:
    """The same items in English and in another language."""
    counts = {
        "both correct": pairs.both_right,
        "only English": pairs.only_english,
        "only this language": pairs.only_own,
        "both incorrect": pairs.both_wrong,
    }
    rows = [(name, str(count), percent(count / pairs.items)) for name, count in counts.items()]
    here, english = ((pairs.both_right + only) / pairs.items for only in (pairs.only_own, pairs.only_english))
    difference = f"{points(pairs.difference)} pp (95% CI {points_interval(pairs.interval)})"
    note = f"{percentage(here)} against {percentage(english)} in English: {difference}, {p_value(pairs.p)}."
    title = f"{suite}: next to English ({pairs.items} items)"
    return Table(title, ("", "items", "%"), rows, note=note + _not_paired(pairs.unpaired))


def _not_paired(items: int) -> str:
    return f" Not paired: {items}." if items else ""
