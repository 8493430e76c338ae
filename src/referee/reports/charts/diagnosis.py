"""Right for the right reasons? What it leans to, what throws it off, which words it goes by."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import chain
from statistics import fmean

import numpy as np

from referee.analysis.accuracy import Findings
from referee.analysis.bias.decisions import ChoiceRate, FeatureRates
from referee.analysis.robustness import AttackEffect
from referee.analysis.salience.record import Salience, Weight
from referee.reports.charts.drawing import ACCENT, BAD, GOOD, INK, LINE, SERIES, SOFT
from referee.reports.charts.rows import HALF, PERCENT, Key, Mark, Row, Rows, Scale, row_chart
from referee.reports.charts.series import Series, common_chance, keys, sentence, side_by_side, titled
from referee.reports.format import points
from referee.reports.model import Chart
from referee.reports.wording import name_of

_FIGURES = 3


def chosen_against_right(results: Mapping[str, Findings]) -> Chart | None:
    """Genders and positions: how often each was chosen and how often it is right; results by the name of their run."""
    series, note = side_by_side(name for name, found in results.items() if found.tendencies)
    if not series:
        return None
    found = [results[each.name] for each in series]
    rows: list[Row] = []
    for feature in dict.fromkeys(each.feature for own in found for each in own.tendencies):
        own = [next((each for each in one.tendencies if each.feature == feature), None) for one in found]
        rows += [Row(feature), *_leanings(feature, own, series)]
    marks = [*keys(series, "bar"), Key("tick", INK, "right")]
    if len(series) == 1:
        marks.insert(0, Key("bar", SERIES[0], "chosen"))
    marks.append(Key("thin", INK, "95 % interval of the difference"))
    about = "How often each value was chosen (bars) and how often it is right (upright lines)."
    measure = "% of items with a choice"
    return row_chart(
        titled(found, "chosen against right"),
        sentence(about, _most_favoured(found), note),
        Rows(measure, rows, _narrowest(rows), marks, head="points" if len(series) <= _FIGURES else "", note=note),
    )


def _leanings(feature: str, own: Sequence[FeatureRates | None], series: Sequence[Series]) -> list[Row]:
    values = [{each.value: each for each in one.values} if one else {} for one in own]
    rows = []
    for value in dict.fromkeys(chain.from_iterable(values)):
        cases = [(of_run.get(value), one.items if one else 0) for of_run, one in zip(values, own, strict=True)]
        lines = [_leaning(case, items, each) for (case, items), each in zip(cases, series, strict=True)]
        figures = [points(case.difference) if case else "" for case, _ in cases]
        rows.append(Row(name_of(feature, value), lines, figures if len(series) <= _FIGURES else ()))
    return rows


def _leaning(case: ChoiceRate | None, items: int, each: Series) -> tuple[Mark, ...]:
    if case is None:
        return ()
    right, (low, high) = case.right / items, case.interval
    return (
        Mark("bar", each.colour, 0, case.chosen / items),
        Mark("thin", INK, right + low, right + high),
        Mark("tick", INK, right, right),
    )


def _narrowest(rows: Sequence[Row]) -> Scale:
    """Half of the scale where nothing reaches further: three genders share a hundred per cent."""
    return HALF if all(mark.end <= HALF.high for row in rows for line in row.lines for mark in line) else PERCENT


def _most_favoured(found: Sequence[Findings]) -> str:
    cases = [(each, one.feature) for own in found for one in own.tendencies for each in one.values]
    most, feature = max(cases, key=lambda case: case[0].difference)
    return f"Most favoured: {name_of(feature, most.value)}, by {points(most.difference)} points."


def attack_drops(results: Mapping[str, Findings]) -> Chart | None:
    """Accuracy before and after each attack on one suite, baselines apart; results by the name of their run."""
    series, note = side_by_side(name for name, found in results.items() if found.attacks and found.attacks.drops)
    if not series:
        return None
    found = [results[each.name] for each in series]
    drops = [{each.perturbation: each for each in own.attacks.drops} if own.attacks else {} for own in found]
    names = list(dict.fromkeys(chain.from_iterable(drops)))
    apart = [name for name in names if any(name in own and own[name].kind == "baseline" for own in drops)]
    attacks = [name for name in names if name not in apart]
    chance = common_chance(found)
    rows = [_drops(name, drops, series, chance) for name in _worst_first(attacks, drops)]
    if apart:
        rows.append(Row("baselines: what one must know is hidden"))
        rows += [_drops(name, drops, series, chance, neutral=True) for name in _worst_first(apart, drops)]
    legend = [*keys(series), Key("ring", SOFT, "before")]
    if len(series) == 1:
        legend.append(Key("dot", SOFT, "after"))
    about = "Accuracy before (rings) and after (dots) each attack, over the same items."
    if attacks:
        first = _worst_first(attacks, drops)[0]
        mean = " on average" if len(series) > 1 else ""
        about += f" The worst attack is {first}: {points(_change(first, drops))} points{mean}."
    return row_chart(
        titled(found, "under attack"),
        sentence(about, note),
        Rows(
            "% right, with 95 % intervals",
            rows,
            keys=legend,
            head="change" if len(series) <= _FIGURES else "",
            note=note,
        ),
    )


def _worst_first(names: Iterable[str], drops: Sequence[Mapping[str, AttackEffect]]) -> list[str]:
    return sorted(names, key=lambda name: (_change(name, drops), name))


def _change(name: str, drops: Sequence[Mapping[str, AttackEffect]]) -> float:
    return fmean(own[name].difference for own in drops if name in own)


def _drops(
    name: str,
    drops: Sequence[Mapping[str, AttackEffect]],
    series: Sequence[Series],
    chance: float | None,
    *,
    neutral: bool = False,
) -> Row:
    own = [of_run.get(name) for of_run in drops]
    several = len(series) > 1
    lines = [
        _drop(drop, each.colour if several else ACCENT if neutral else _mood(drop), each) if drop else ()
        for drop, each in zip(own, series, strict=True)
    ]
    figures = [points(drop.difference) if drop else "" for drop in own]
    return Row(name, lines, figures if len(series) <= _FIGURES else (), chance)


def _mood(drop: AttackEffect) -> str:
    return BAD if drop.interval[1] < 0 else GOOD if drop.interval[0] > 0 else SOFT


def _drop(drop: AttackEffect, colour: str, each: Series) -> tuple[Mark, ...]:
    low, high = drop.interval
    return (
        Mark("thick", LINE, drop.before, drop.after),
        Mark("thin", colour, drop.before + low, drop.before + high),
        Mark("ring", colour, drop.before, drop.before, each.symbol),
        Mark("dot", colour, drop.after, drop.after, each.symbol),
    )


def trigger_importance(records: Mapping[str, Sequence[Salience]]) -> Chart | None:
    """What trigger words count against the other words of the same items; records by the name of their run."""
    series, note = side_by_side(name for name, own in records.items() if any(_with_trigger(own)))
    rows, about = [], []
    for each in series:
        weights = [weight for own in _with_trigger(records[each.name]) for weight in own]
        triggers = np.array([weight.value for weight in weights if weight.trigger])
        others = np.array([weight.value for weight in weights if not weight.trigger])
        if len(series) > 1:
            rows.append(Row(each.name))
        rows += [_spread("trigger words", triggers, SERIES[0]), _spread("other words", others, SERIES[1])]
        about.append(f"{each.name}: {triggers.mean():.3f} against {others.mean():.3f}")
    if not rows:
        return None
    ends = [end for row in rows for line in row.lines for mark in line for end in (mark.start, mark.end)]
    marks = [Key("dot", INK, "mean"), Key("thick", INK, "middle half"), Key("thin", INK, "middle 90 %")]
    words = "How much of the prediction goes with a word when it is taken away, for trigger words and for the others."
    return row_chart(
        "Trigger words against other words",
        sentence(words, "Means: " + "; ".join(about) + ".", note),
        Rows("what a word's removal takes", rows, _scale(min(ends), max(ends)), marks, "words", note),
    )


def _with_trigger(records: Iterable[Salience]) -> list[list[Weight]]:
    """The words that are compared, of those items that have both kinds."""
    compared = ([weight for weight in each.weights if weight.compared] for each in records)
    return [own for own in compared if len({weight.trigger for weight in own}) == 2]


def _spread(name: str, values: np.ndarray[tuple[int], np.dtype[np.float64]], colour: str) -> Row:
    least, low, high, most = np.quantile(values, [0.05, 0.25, 0.75, 0.95]).tolist()
    mean = float(values.mean())
    marks = (
        Mark("thin", colour, least, most),
        Mark("thick", colour, low, high),
        Mark("dot", INK, mean, mean),
    )
    return Row(name, [marks], [str(len(values))])


def _scale(low: float, high: float) -> Scale:
    """Round numbers from zero, or from below it, to beyond the last value."""
    from matplotlib.ticker import MaxNLocator

    low, high = min(low, 0.0), max(high, 0.0)
    ticks = MaxNLocator(4, steps=[1, 2, 2.5, 5, 10]).tick_values(low, high if high > low else low + 1)
    # Adding zero makes a plain zero of a negative one.
    return Scale(ticks[0], ticks[-1], [(tick, f"{tick + 0.0:g}") for tick in ticks])
