"""Verdicts to findings: how often a model was correct, overall, by what the items are, and group by group."""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

import msgspec
import numpy as np
from numpy.typing import NDArray

from referee.analysis.bias.decisions import Decision, FeatureRates, decisions, tendencies
from referee.analysis.bias.preferences import Chosen, Preference, chosen, preferences
from referee.analysis.bias.priors import Prior, priors
from referee.analysis.chance_level import ChanceLevel, Chances
from referee.analysis.cross_lingual import CrossLingual
from referee.analysis.generation_agreement import Agreement
from referee.analysis.group_scores import ScoreOfGroups
from referee.analysis.quality import Score
from referee.analysis.robustness import Attacks
from referee.analysis.written_forms import WrittenForm, WrittenForms, written_form, written_forms
from referee.items import Item, SetOrigin
from referee.stats.groups import GroupIndex, Membership, group_minima, group_sums
from referee.stats.intervals import Interval
from referee.stats.levels import Against, against
from referee.stats.proportions import proportion
from referee.stats.worst_group import clopper_pearson, excess_p
from referee.verdicts import Kind, Rule, Verdict

DIMENSIONS = ("label", "clause", "gender", "distance")
ANTECEDENT = "antecedent noun"
"""A breakdown of translations with their context: whether the noun that the pronoun stands for is in them."""
PAIRED = "paired"
"""A breakdown of sets with groups and single items: whether an item shares its group with another one."""


NAMED = 20
"""Groups that are named at most."""

Flags = NDArray[np.bool_]
Indices = NDArray[np.intp]
_UNKNOWN = -1


def _flags() -> array[int]:
    return array("b")


def _numbers() -> array[int]:
    return array("q")


class Row(msgspec.Struct, frozen=True):
    """Accuracy over some items in `groups` groups; ties, and outputs that match no candidate (`other`), are errors.

    Of pronouns without an antecedent, `by_other_means` are correct without a pronoun, and `not_applicable` items, which
    no word of the translation renders, are not among the items.
    """

    key: str
    items: int
    correct: int
    tied: int
    accuracy: float
    interval: Interval
    groups: int
    other: int = 0
    by_other_means: int = 0
    not_applicable: int = 0


class GroupScore(msgspec.Struct, frozen=True, kw_only=True):
    """The share of groups in which every member is correct, over groups with two members or more.

    `singles` items stand alone and do not count. `chance` is the level of a model that is correct or incorrect group by
    group without understanding, `independent_chance` that of guessing each item by itself; None where unknown.
    """

    groups: int
    score: float
    interval: Interval
    singles: int
    chance: float | None = None
    independent_chance: float | None = None
    against: Against | None = None


class Findings(msgspec.Struct, frozen=True, kw_only=True):
    """What a run found on one suite, by one matching rule where outputs were matched.

    `chance` is the chance level of the set, `against` where the accuracy lies against it. `preferences` is for items
    without gold: how often a candidate with a feature was chosen, and `priors` whether that is too often; `tendencies`
    is for those with gold: how often against how often it is correct. `quality` is that of the translations as a whole;
    it does not depend on the rule. `attacks` is what became of this suite's items under perturbation, `agreement` how
    these translations agree with the scores of the same run, `english` how the suite compares with its English side;
    all where a run has them. `written` is what translations wrote where another form was expected. `origin` names the
    suite it was made of. `not_applicable` items were not decided.
    """

    suite: str
    kind: Kind
    rule: Rule | None
    chance: ChanceLevel | None
    overall: Row | None
    by: dict[str, list[Row]]
    group: GroupScore | None
    incomplete: int = 0
    """Groups that lost a member because it was dropped or not applicable: they have no group score."""
    incomplete_groups: list[str] = []
    """The first of them by name."""
    without_gold: int
    preferences: list[Preference]
    not_applicable: int = 0
    priors: list[Prior] = []
    quality: list[Score] = []
    candidate_scores: list[ScoreOfGroups] = []
    """Group scores of the correct candidate's score and of its margin, where a group has two members."""
    attacks: Attacks | None = None
    agreement: Agreement | None = None
    against: Against | None = None
    tendencies: list[FeatureRates] = []
    english: CrossLingual | None = None
    origin: SetOrigin | None = None
    written: list[WrittenForms] = []


@dataclass
class Cases:
    """What findings need of a set's items and verdicts: a column per property, an entry per item with gold.

    One pass fills it, so that a set of any size is read once and only these columns stay in memory.
    """

    dimensions: tuple[str, ...] = DIMENSIONS
    kind: Kind = "contrastive"
    correct: array[int] = field(default_factory=_flags)
    matched: dict[Rule, array[int]] = field(default_factory=lambda: {"paper": _flags(), "token": _flags()})
    tied: array[int] = field(default_factory=_flags)
    other: array[int] = field(default_factory=_flags)
    by_other_means: array[int] = field(default_factory=_flags)
    not_applicable: int = 0
    undecided: Counter[tuple[int, str | None]] = field(default_factory=Counter)
    chances: Chances = field(default_factory=Chances)
    group: array[int] = field(default_factory=_numbers)
    keys: list[array[int]] = field(default_factory=list)
    decisions: list[Decision] = field(default_factory=list)
    without_gold: list[Chosen] = field(default_factory=list)
    written: list[WrittenForm] = field(default_factory=list)
    groups: Membership = field(default_factory=Membership)
    _values: list[dict[str, int]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.keys = [_numbers() for _ in self.names]
        self._values = [{} for _ in self.names]

    @property
    def names(self) -> tuple[str, ...]:
        """The breakdowns: those that were asked for, and the one that comes with translated context."""
        return (*self.dimensions, ANTECEDENT)

    def add(self, item: Item, verdict: Verdict) -> None:
        """Take in the next item."""
        self.kind = verdict.kind
        if verdict.dropped is not None:
            if item.has_answer:
                self.groups.lose(item.group_id)
            return
        used = None if verdict.antecedent is None else "used" if verdict.antecedent else "not used"
        keys = (*(dimension_of(item, dimension) for dimension in self.dimensions), used)
        if verdict.not_applicable:
            self.not_applicable += 1
            self.undecided.update(enumerate(keys))
            self.groups.lose(item.group_id)
            return
        if verdict.correct is None:
            self.without_gold.append(chosen(item, verdict))
            return
        self.correct.append(verdict.correct)
        for rule, flags in self.matched.items():
            flags.append(verdict.found.get(rule, _UNKNOWN))
        self.tied.append(verdict.tied)
        self.other.append(not verdict.found and verdict.choice is None and not verdict.tied)
        self.by_other_means.append(verdict.means == "other")
        self.chances.add(item)
        self.group.append(self.groups.add(item.group_id))
        for key, codes, values in zip(keys, self.keys, self._values, strict=True):
            codes.append(_UNKNOWN if key is None else values.setdefault(key, len(values)))
        self.decisions += decisions(item, verdict)
        if (form := written_form(item, verdict)) is not None:
            self.written.append(form)

    def parts(self, index: int) -> Iterator[tuple[str, Indices]]:
        """The values of a breakdown in order, each with the items that have it."""
        codes = np.asarray(self.keys[index])
        for key, code in sorted(self._values[index].items(), key=lambda pair: natural_order(pair[0])):
            yield key, np.flatnonzero(codes == code)


def findings(
    suite: str,
    judged: Iterable[tuple[Item, Verdict]],
    rules: Sequence[Rule] = (),
    dimensions: tuple[str, ...] = DIMENSIONS,
) -> list[Findings]:
    """Accuracy over items with gold, preferences over those without; one per rule where forms were matched."""
    cases = Cases(dimensions)
    for item, verdict in judged:
        cases.add(item, verdict)
    return summarise(suite, cases, rules)


def summarise(suite: str, cases: Cases, rules: Sequence[Rule] = ()) -> list[Findings]:
    """The findings on a set whose items have all been taken in."""
    total = len(cases.correct)
    # Where all was decided by candidates there is no rule; where nothing was judged the rules show that.
    nothing = not total and not cases.without_gold and not cases.not_applicable
    by_rule = cases.kind == "generative" and (nothing or max(cases.matched["paper"], default=_UNKNOWN) > _UNKNOWN)
    preferred = preferences(cases.without_gold)
    shared = Findings(
        suite=suite,
        kind=cases.kind,
        rule=None,
        chance=None,
        overall=None,
        by={},
        group=None,
        incomplete=len(cases.groups.incomplete),
        incomplete_groups=cases.groups.incomplete[:NAMED],
        without_gold=len(cases.without_gold),
        preferences=preferred,
        not_applicable=cases.not_applicable,
        priors=priors(cases.without_gold, preferred),
        tendencies=tendencies(cases.decisions),
        written=written_forms(cases.written),
    )
    return [_by_rule(shared, rule, cases) for rule in (rules if by_rule else (None,))]


def _by_rule(shared: Findings, rule: Rule | None, cases: Cases) -> Findings:
    correct = np.asarray(cases.correct, np.bool_)
    if rule is not None:
        matched = np.asarray(cases.matched[rule])
        # An item that names no form was judged by its candidates, whatever the rule.
        correct = np.where(matched == _UNKNOWN, correct, matched == 1)
    chance = cases.chances.level()
    everything = np.arange(len(correct))
    overall = _row("all", everything, correct, cases, cases.not_applicable) if len(correct) else None
    return msgspec.structs.replace(
        shared,
        rule=rule,
        chance=chance,
        against=_standing(overall, chance, correct, cases),
        overall=overall,
        by={
            name: rows
            for index, name in enumerate(cases.names)
            if (
                rows := [
                    _row(key, members, correct, cases, cases.undecided[index, key])
                    for key, members in cases.parts(index)
                ]
            )
        }
        | _paired(correct, cases),
        group=_group(correct, cases),
    )


def _standing(overall: Row | None, chance: ChanceLevel | None, correct: Flags, cases: Cases) -> Against | None:
    """None where there is no level, and where a model that never decides says nothing about it."""
    if overall is None or chance is None or overall.tied == overall.items:
        return None
    result = against(overall.accuracy, overall.interval, chance.level, overall.groups)
    p = excess_p(*group_sums(correct, np.asarray(cases.group)), chance.level)
    return msgspec.structs.replace(result, p=p)


def dimension_of(item: Item, dimension: str) -> str | None:
    """What an item is called in a breakdown: label, distance, number of candidates, or a feature of what is correct."""
    if dimension == "label":
        return item.label
    if dimension == "perturbation":
        return None if item.origin is None else item.origin.change
    if dimension == "candidates":
        return str(len(item.candidates))
    if dimension == "distance":
        return None if item.distance is None else str(item.distance)
    feature = item.feature(dimension)
    # A pronoun at the start of a sentence is the same pronoun.
    return feature.lower() if feature is not None and dimension == "pronoun" else feature


def natural_order(key: str) -> tuple[int, str]:
    """Sorts words by letters and, after them, numbers by size."""
    return (int(key), "") if key.isdecimal() else (-1, key)


def _row(key: str, members: Indices, correct: Flags, cases: Cases, not_applicable: int = 0) -> Row:
    share = proportion(correct[members], np.asarray(cases.group)[members])
    return Row(
        key=key,
        items=len(members),
        correct=share.count,
        tied=int(np.asarray(cases.tied)[members].sum()),
        accuracy=share.share,
        interval=share.interval,
        groups=share.groups,
        other=int(np.asarray(cases.other)[members].sum()),
        by_other_means=int(np.asarray(cases.by_other_means)[members].sum()),
        not_applicable=not_applicable,
    )


def _paired(correct: Flags, cases: Cases) -> dict[str, list[Row]]:
    """Accuracy of paired and unpaired items, where a set has both or where it was asked for."""
    groups: GroupIndex = np.asarray(cases.group)
    if not len(groups):
        return {}
    paired, torn = cases.groups.whole(groups), cases.groups.torn(groups)
    parts = (("paired", paired), ("unpaired", ~paired & ~torn), ("group incomplete", torn))
    if PAIRED not in cases.dimensions and not (paired.any() and (~paired & ~torn).any()):
        return {}
    return {PAIRED: [_row(key, np.flatnonzero(part), correct, cases) for key, part in parts if part.any()]}


def _group(correct: Flags, cases: Cases) -> GroupScore | None:
    """None where every item stands alone, or every group lost a member."""
    groups: GroupIndex = np.asarray(cases.group)
    members = cases.groups.whole(groups) if len(groups) else np.zeros(0, np.bool_)
    if not members.any():
        return None
    whole = group_minima(correct[members].astype(np.float64), groups[members])
    hits, count = int(whole.sum()), len(whole)
    interval = clopper_pearson(hits, count)
    level = cases.chances.group_level(members, groups[members])
    result = None if level is None else against(hits / count, interval, level.level, count)
    if level is not None and result is not None:
        result = msgspec.structs.replace(result, p=excess_p(whole, np.ones(count), level.level))
    return GroupScore(
        groups=count,
        score=hits / count,
        interval=interval,
        singles=int(np.count_nonzero(~members & ~cases.groups.torn(groups))),
        chance=None if level is None else level.level,
        independent_chance=None if level is None else level.independent,
        against=result,
    )
