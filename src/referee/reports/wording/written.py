"""What translations wrote instead, in words: the most frequent confusion, and how it differs between two runs."""

from __future__ import annotations

from typing import NamedTuple

from referee.analysis.comparison.written import WrittenChange
from referee.analysis.written_forms import ConfusionRow, WrittenForms
from referee.reports.format import interval, percentage
from referee.reports.wording import vocabulary as words

UNDECIDED = {"other": "other form", "none_found": "none found", "ambiguous": "ambiguous"}
"""The columns of a confusion table for outputs that show no value, by the field that counts them."""
ILLEGAL_LEMMAS = "Outputs whose verb only repeats the English auxiliary"

_PHRASES = {"other": "with another form", "none_found": "without any form", "ambiguous": "with an ambiguous form"}


class _Confusion(NamedTuple):
    row: ConfusionRow
    written: str


def written_verdict(forms: WrittenForms) -> str:
    """The most frequent confusion, and how many outputs show no value."""
    worst = _most_frequent(forms)
    if worst is None:
        sentence = "No other value was written"
    else:
        count = worst.row.written[worst.written]
        sentence = (
            f"Most frequent: {_confused(forms.feature, worst.row.expected, worst.written)}, in {count:,} of "
            f"{worst.row.items:,} outputs ({percentage(count / worst.row.items)})"
        )
    undecided = [
        f"{count:,} {_PHRASES[name]}" for name in UNDECIDED if (count := sum(getattr(row, name) for row in forms.rows))
    ]
    return f"{sentence}; {_listed(undecided)}." if undecided else f"{sentence}."


def contradicted_sentence(forms: WrittenForms) -> str:
    """How many items were left out; nothing where none were."""
    if not forms.contradicted:
        return ""
    left_out = "1 item is" if forms.contradicted == 1 else f"{forms.contradicted:,} items are"
    return f"{left_out} left out: the reference shows another value than the item's label."


def lemma_sentence(forms: WrittenForms) -> str:
    """How many outputs have a verb with an illegal lemma; nothing for features other than tense."""
    if forms.feature != "tense":
        return ""
    known = forms.illegal_lemmas
    share = words.NOT_MEASURED if known is None else f"{percentage(known.share)} (95% CI {interval(known.interval)})"
    return f"{ILLEGAL_LEMMAS}: {share}."


def change_verdict(change: WrittenChange, base: str, other: str) -> str:
    """Which value each of two runs is biased towards, and how often each wrote it where it was not expected."""
    feature = change.base.feature
    first, second = _biased(change.base), _biased(change.other)
    if first == second:
        sentence = f"Both are {_towards(feature, first)}" if first else "Neither is shown to be biased"
    else:
        sentence = f"{base} is {_towards(feature, first)}, {other} is {_towards(feature, second)}"
    values = dict.fromkeys(value for value in (first, second) if value)
    rates = [
        f"{words.name_of(feature, value)} where another value was expected: {percentage(_taken(change.base, value))} "
        f"in {base}, {percentage(_taken(change.other, value))} in {other}"
        for value in values
    ]
    return ". ".join([sentence, *map(words.capital, rates)]) + "."


def _most_frequent(forms: WrittenForms) -> _Confusion | None:
    """The largest share of a row that wrote another value."""
    confusions = [
        _Confusion(row, value)
        for row in forms.rows
        for value, count in row.written.items()
        if count and value != row.expected
    ]
    return max(confusions, key=lambda one: one.row.written[one.written] / one.row.items, default=None)


def _taken(forms: WrittenForms, value: str) -> float:
    """How often a value was written where another was expected, of the outputs that show a value."""
    rows = [row for row in forms.rows if row.expected != value]
    decided = sum(sum(row.written.values()) for row in rows)
    return sum(row.written.get(value, 0) for row in rows) / decided if decided else 0.0


def _biased(forms: WrittenForms) -> str | None:
    return None if forms.bias is None else forms.bias.biased_towards


def _towards(feature: str, value: str | None) -> str:
    return f"{words.BIASED_TOWARDS} {words.name_of(feature, value)}" if value else "not shown to be biased"


def _confused(feature: str, expected: str, written: str) -> str:
    return f"{words.name_of(feature, written)} where {words.name_of(feature, expected)} was expected"


def _listed(phrases: list[str]) -> str:
    return phrases[0] if len(phrases) == 1 else f"{', '.join(phrases[:-1])} and {phrases[-1]}"
