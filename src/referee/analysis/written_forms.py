"""What translations wrote instead: the value of the form that was expected against the value of the form that is there.

The feature is what the expected form shows: formality, animacy, tense, case or gender. The values come from the tables
of the target language (`forms.toml`); where an item has candidates, from the candidate that the translation uses.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Literal, NamedTuple

import msgspec

from referee.analysis.bias.bias import Bias
from referee.analysis.bias.decisions import Decision
from referee.analysis.written_bias import written_biases
from referee.items import Item
from referee.languages.forms import Reading, has_forms, has_rival, is_listed, read, read_case, values_of
from referee.stats.proportions import Proportion
from referee.verdicts import Verdict

FEATURES = ("formality", "animacy", "tense", "case", "gender")
"""In this order: an item on formality may have a gender too, but its expected form is there for its formality."""

Undecided = Literal["other", "none", "ambiguous", "contradicted"]
"""Why an output shows no value; `contradicted` where the reference shows another than the item says."""


class WrittenForm(NamedTuple):
    """One item: the value that its feature should have, and the one that was written, or the reason for its absence.

    `values` are those that the feature can have in the target language.
    """

    feature: str
    values: tuple[str, ...]
    expected: str
    written: str | None
    undecided: Undecided | None
    group: str


class ConfusionRow(msgspec.Struct, frozen=True, kw_only=True):
    """The outputs in which one value was expected: how many wrote each value, and how many show none.

    `other`: a form without a value of the feature (*das* for *es*). `none_found`: no form at all. `ambiguous`: forms of
    several values, or one that several values share.
    """

    expected: str
    items: int
    written: dict[str, int]
    other: int
    none_found: int
    ambiguous: int


class WrittenForms(msgspec.Struct, frozen=True, kw_only=True):
    """The confusion table of one feature: a row per value that was expected, a column per value that was written.

    `decided` outputs show one value. The `bias` is tested as that of scores is, with those that show none against every
    claim. Items whose reference shows another value than the item says are left out; `contradicted` counts them.
    `illegal_lemmas` is for auxiliaries: outputs with a verb that only repeats the English auxiliary (CTXPRO, 5.3); None
    where lemmas are not known.
    """

    feature: str
    values: list[str]
    rows: list[ConfusionRow]
    items: int
    decided: int
    contradicted: int = 0
    bias: Bias | None = None
    illegal_lemmas: Proportion | None = None


def expected_value(item: Item) -> tuple[str, str] | None:
    """The feature that the expected form of an item shows, and its value; None where the item does not say."""
    for feature in FEATURES:
        if (value := item.feature(feature)) is not None:
            return feature, value
    return None


def written_form(item: Item, verdict: Verdict) -> WrittenForm | None:
    """What a translation wrote where a value was expected; None where the item or the language does not tell values."""
    if verdict.kind != "generative" or verdict.dropped is not None or verdict.output is None:
        return None
    if (shown := expected_value(item)) is None:
        return None
    feature, value = shown
    if not verdict.found:
        values = tuple(dict.fromkeys(candidate.features.get(feature, "") for candidate in item.candidates))
        if "" in values or len(values) < 2:
            return None
        return WrittenForm(feature, values, value, *_by_candidates(item, verdict, feature), item.group_id)
    values = values_of(item.target_lang, feature)
    if not has_forms(item.target_lang, feature) or value not in values:
        return None
    doubt = has_rival(item.source, item.source_lang, feature)
    if _contradicts(item, feature, value, doubt=doubt):
        return WrittenForm(feature, values, value, None, "contradicted", item.group_id)
    return WrittenForm(feature, values, value, *_by_tables(item, verdict, feature, value, doubt=doubt), item.group_id)


def written_forms(cases: Iterable[WrittenForm]) -> list[WrittenForms]:
    """One confusion table per feature, in the order of `FEATURES`."""
    by_feature: dict[str, list[WrittenForm]] = {}
    for case in cases:
        by_feature.setdefault(case.feature, []).append(case)
    # All features in one call: the scorecard shows the worst, so they are corrected for each other.
    cases_of = (_uncontradicted(of_feature) for of_feature in by_feature.values())
    found = written_biases([decision for of_feature in cases_of for decision in _decisions(of_feature)])
    by_name = {bias.feature: bias for bias in found}
    return [
        _confusion(feature, by_feature[feature], by_name.get(feature)) for feature in FEATURES if feature in by_feature
    ]


def _confusion(feature: str, all_cases: Sequence[WrittenForm], bias: Bias | None) -> WrittenForms:
    cases = _uncontradicted(all_cases)
    values = _used_values(cases)
    counts = Counter((case.expected, case.written or case.undecided) for case in cases)
    return WrittenForms(
        feature=feature,
        values=values,
        rows=[
            ConfusionRow(
                expected=expected,
                items=sum(1 for case in cases if case.expected == expected),
                written={value: counts[expected, value] for value in values},
                other=counts[expected, "other"],
                none_found=counts[expected, "none"],
                ambiguous=counts[expected, "ambiguous"],
            )
            for expected in values
            if any(case.expected == expected for case in cases)
        ],
        items=len(cases),
        decided=sum(1 for case in cases if case.written is not None),
        contradicted=len(all_cases) - len(cases),
        bias=bias,
    )


def _uncontradicted(cases: Sequence[WrittenForm]) -> list[WrittenForm]:
    return [case for case in cases if case.undecided != "contradicted"]


def _used_values(cases: Sequence[WrittenForm]) -> list[str]:
    """The values that were expected or written."""
    used = {case.expected for case in cases} | {case.written for case in cases}
    return [value for value in dict.fromkeys(value for case in cases for value in case.values) if value in used]


def _decisions(cases: Sequence[WrittenForm]) -> Iterator[Decision]:
    """The same as choices among the values that an item can have; none where there is only one."""
    used = _used_values(cases)
    for case in cases:
        values = tuple(value for value in used if value in case.values)
        choice = None if case.written is None else values.index(case.written)
        if len(values) > 1:
            yield Decision(case.feature, values, values.index(case.expected), choice, case.group)


def _by_tables(
    item: Item, verdict: Verdict, feature: str, value: str, *, doubt: bool
) -> tuple[str | None, Undecided | None]:
    output, code = verdict.output or "", item.target_lang
    # A verb or a noun is not in the tables: finding it is finding its value.
    if verdict.found.get("token") and not any(is_listed(form, code, feature) for form in item.expected):
        return value, None
    reading = _reading(item, output, feature, value, doubt=doubt)
    if len(reading.values) == 1:
        return next(iter(reading.values)), None
    if reading.values or reading.unclear:
        return None, "ambiguous"
    return None, "other" if reading.other else "none"


def _reading(item: Item, text: str, feature: str, value: str, *, doubt: bool) -> Reading:
    if feature == "case":
        return read_case(text, item.target_lang, item.expected[0], value)
    return read(text, item.target_lang, feature, doubt=doubt, reference=item.reference, expected=item.expected[0])


def _contradicts(item: Item, feature: str, value: str, *, doubt: bool) -> bool:
    """Whether the reference shows another value than the item says: then its label is mistaken (te lo dije, formal)."""
    if item.reference is None or not any(is_listed(form, item.target_lang, feature) for form in item.expected):
        return False
    values = _reading(item, item.reference, feature, value, doubt=doubt).values
    return len(values) == 1 and value not in values


def _by_candidates(item: Item, verdict: Verdict, feature: str) -> tuple[str | None, Undecided | None]:
    if verdict.choice is not None:
        return item.candidates[verdict.choice].features[feature], None
    if verdict.tied:
        return None, "ambiguous"
    other = verdict.means == "other" or read(verdict.output or "", item.target_lang, feature).other
    return None, "other" if other else "none"
