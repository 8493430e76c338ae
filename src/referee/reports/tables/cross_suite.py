"""Tables of what goes beyond accuracy: preferences, attacks, how scores and translations agree, English beside."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

from referee.analysis.bias.decisions import FeatureRates
from referee.analysis.bias.preferences import ORDERS, Preference
from referee.analysis.cross_lingual import CrossLingual
from referee.analysis.generation_agreement import Agreement
from referee.analysis.robustness import Attacks
from referee.reports.format import interval, percent, points, probability
from referee.reports.model import Table
from referee.reports.wording import KEPT

_HEADS = ("feature", "value", "chosen", "%", "95 % interval")


def preference_tables(title: str, preferences: Sequence[Preference]) -> list[Table]:
    """One a label: what was chosen where nothing is right."""
    shown = []
    labels = {preference.label for preference in preferences}
    for label, own in groupby(preferences, key=lambda preference: preference.label):
        of_label = list(own)
        items = max(preference.items for preference in of_label if preference.feature != ORDERS)
        name = f"{title}, {label}" if len(labels) > 1 and label else title
        rows = [
            (_feature(preference), value, str(share.count), percent(share.share), interval(share.wider))
            for preference in of_label
            for value, share in preference.shares.items()
        ]
        heading = f"{name}: what was chosen where there is no right answer ({items} items)"
        shown.append(Table(heading, _HEADS, rows, left=(0, 1)))
    return shown


def _feature(preference: Preference) -> str:
    return f"{preference.feature} ({preference.items} pairs)" if preference.feature == ORDERS else preference.feature


def attack_table(title: str, attacks: Attacks) -> Table:
    """An attack a line: the same items before and after."""
    rows = [
        (
            drop.perturbation,
            str(drop.pairs),
            percent(drop.before),
            percent(drop.after),
            points(drop.difference),
            f"{points(drop.interval[0])} to {points(drop.interval[1])}",
            probability(drop.p),
            str(drop.broken),
            str(drop.mended),
        )
        for drop in attacks.drops
    ]
    heads = (
        "attack", "pairs", "% before", "% after", "change", "95 % interval", "p (McNemar)", "right to wrong",
        "wrong to right",
    )  # fmt: skip
    kept = attacks.consistent
    note = f"{KEPT}: {kept.count} of {attacks.items} items, {percent(kept.share)} % ({interval(kept.wider)})"
    unpaired = sum(drop.unpaired for drop in attacks.drops)
    return Table(f"{title}: under attack", heads, rows, note=note + (f"; not paired: {unpaired}" if unpaired else ""))


def agreement_table(title: str, found: Agreement) -> Table:
    """Scores against translations; who was right where anything is."""
    right = {
        "both right": found.both_right,
        "only by scores": found.only_scores,
        "only translated": found.only_translations,
        "both wrong": found.both_wrong,
    }
    with_gold = sum(right.values())
    rows = [("same choice", str(found.same.count), percent(found.same.share))]
    if with_gold:
        rows += [(name, str(count), percent(count / with_gold)) for name, count in right.items()]
    kappa = "undefined: both always choose the same" if found.kappa is None else f"{found.kappa:.3f}"
    note = f"same choice {interval(found.same.wider)} %, Cohen's kappa {kappa}"
    return Table(f"{title}: scores and translations", ("", "items", "%"), rows, note=note)


def tendency_table(title: str, tendencies: Sequence[FeatureRates]) -> Table:
    """Feature by feature: how often a value was chosen, how often it is right."""
    rows = [
        (
            tendency.feature,
            leaning.value,
            str(leaning.offered),
            str(leaning.right),
            percent(leaning.right / tendency.items),
            str(leaning.chosen),
            percent(leaning.chosen / tendency.items),
            points(leaning.difference),
            f"{points(leaning.interval[0])} to {points(leaning.interval[1])}",
        )
        for tendency in tendencies
        for leaning in tendency.values
    ]
    heads = ("feature", "value", "offered", "right", "%", "chosen", "%", "difference", "95 % interval")
    undecided = max(tendency.undecided for tendency in tendencies)
    note = f"{undecided} items without a choice are left out" if undecided else ""
    return Table(f"{title}: chosen against right", heads, rows, left=(0, 1), note=note)


def english_table(suite: str, found: CrossLingual) -> Table:
    """The same items in English and in another language."""
    counts = {
        "both right": found.both_right,
        "only English": found.only_english,
        "only this language": found.only_own,
        "both wrong": found.both_wrong,
    }
    rows = [(name, str(count), percent(count / found.items)) for name, count in counts.items()]
    own, english = found.both_right + found.only_own, found.both_right + found.only_english
    difference = f"{points(found.difference)} ({points(found.interval[0])} to {points(found.interval[1])})"
    accuracies = f"{percent(own / found.items)} % against {percent(english / found.items)} % in English"
    note = f"{accuracies}: {difference}, p (McNemar) {probability(found.p)}"
    unpaired = f"; not paired: {found.unpaired}" if found.unpaired else ""
    return Table(f"{suite}: beside English ({found.items} items)", ("", "items", "%"), rows, note=note + unpaired)
