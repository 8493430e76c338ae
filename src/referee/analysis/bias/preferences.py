"""What is chosen where there is no correct answer: gender, role, position, and whether the order of nouns decides.

ContraCAT's Tables 10 to 12. In Table 11 a pair of both orders counts once: as the first noun if that was chosen in
both, as the second likewise, as the same antecedent if the same noun was. Always "es" would be 60.9% of the same.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import msgspec

from referee.items import Item
from referee.stats.groups import index_groups
from referee.stats.proportions import Proportion, proportion
from referee.verdicts import Verdict

NEITHER, TIED, OTHER = "neither", "tied", "other"
"""The chosen candidate lacks the feature; the best were equal; a translation held none of the candidates."""

ORDERS = "both orders"
CANDIDATE = "candidate"
_FIRST = ("gender", "referent", "position")


class Preference(msgspec.Struct, frozen=True):
    """How often each value of a feature was chosen in the items of one label, most often first; shares add up to one.

    For the feature `both orders` what is counted is pairs of items.
    """

    label: str | None
    feature: str
    items: int
    shares: dict[str, Proportion]


@dataclass(frozen=True, slots=True)
class Chosen:
    """What is needed of an item without gold and its verdict."""

    label: str | None
    group: str
    genders: str
    values: dict[str, str]
    candidates: tuple[dict[str, str], ...]

    def offered(self, feature: str) -> tuple[str, ...]:
        """The values of the candidates that have the feature; candidates without any features go by their number."""
        if feature == CANDIDATE:
            return tuple(str(number) for number, _ in enumerate(self.candidates, 1))
        return tuple(_plain(feature, features[feature]) for features in self.candidates if features.get(feature))


def chosen(item: Item, verdict: Verdict) -> Chosen:
    """Take the features of the candidate that was chosen, or the reason if there is no choice."""
    names = {name for candidate in item.candidates for name in candidate.features}
    if verdict.choice is None:
        values = dict.fromkeys(names or {CANDIDATE}, TIED if verdict.tied else OTHER)
    elif not names:
        values = {CANDIDATE: str(verdict.choice + 1)}
    else:
        features = item.candidates[verdict.choice].features
        values = {name: _plain(name, features.get(name, NEITHER)) for name in names}
    candidates = tuple(candidate.features for candidate in item.candidates)
    return Chosen(item.label, item.group_id, item.features.get("genders", ""), values, candidates)


def preferences(cases: Sequence[Chosen]) -> list[Preference]:
    """Count, label by label, each feature that says something of its own, then the pairs of both orders."""
    counted: list[Preference] = []
    # One label is often all there is; a set of several templates must not mix them.
    for label in sorted({case.label for case in cases}, key=lambda label: label or ""):
        of_label = [case for case in cases if case.label == label]
        for name in _telling(of_label):
            having = [case for case in of_label if name in case.values]
            groups = [case.group for case in having]
            counted.append(_preference(label, name, [case.values[name] for case in having], groups))
        if pairs := list(_pairs(of_label)):
            outcomes = [_outcome(one, other) for one, other in pairs]
            counted.append(_preference(label, ORDERS, outcomes, [one.group for one, _ in pairs]))
    return counted


def _preference(label: str | None, feature: str, values: list[str], groups: list[str]) -> Preference:
    counts = Counter(values)
    order = sorted(counts, key=lambda value: (-counts[value], value))
    index = index_groups(groups)
    shares = {value: proportion([chosen == value for chosen in values], index) for value in order}
    return Preference(label, feature, len(values), shares)


def _telling(cases: Sequence[Chosen]) -> list[str]:
    """The features worth a look: one that only says in other words what an earlier one says is left out."""
    names = {name for case in cases for name in case.values}
    ordered = [name for name in _FIRST if name in names] + sorted(names - set(_FIRST))
    kept: list[str] = []
    for name in ordered:
        if not any(_same(name, earlier, cases) for earlier in kept):
            kept.append(name)
    return kept


def _same(one: str, other: str, cases: Iterable[Chosen]) -> bool:
    """Whether each value of the one feature goes with one value of the other, over all candidates."""
    seen = {
        (_plain(one, features.get(one)), _plain(other, features.get(other)))
        for case in cases
        for features in case.candidates
    }
    return len(seen) == len({left for left, _ in seen}) == len({right for _, right in seen})


def _plain(name: str, value: str | None) -> str:
    """A pronoun at the start of a sentence is the same pronoun."""
    return "" if value is None else value.lower() if name == "pronoun" else value


def _pairs(cases: Iterable[Chosen]) -> Iterator[tuple[Chosen, Chosen]]:
    """Items of one group whose two nouns stand in opposite orders; genders tell the nouns apart."""
    waiting: dict[tuple[str, str], list[Chosen]] = {}
    for case in cases:
        if len(set(case.genders)) != 2 or "position" not in case.values or "gender" not in case.values:
            continue
        if others := waiting.get((case.group, case.genders[::-1])):
            yield others.pop(0), case
        else:
            waiting.setdefault((case.group, case.genders), []).append(case)


def _outcome(one: Chosen, other: Chosen) -> str:
    positions = {one.values["position"], other.values["position"]}
    if positions & {TIED, OTHER}:
        return "no choice"
    if len(positions) == 1:
        (position,) = positions
        return "neither in both" if position == NEITHER else f"{position} in both"
    return "same antecedent" if one.values["gender"] == other.values["gender"] else "mixed"
