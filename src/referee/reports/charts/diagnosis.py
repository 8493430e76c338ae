"""Charts of what lies behind an accuracy: biases, perturbations, and the salience of words."""

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
"""With more runs than this there is no room for figures next to the rows."""

Effects = Mapping[str, AttackEffect]
"""The effects of perturbations on one run, by the name of the perturbation."""


def choice_rates(findings: Mapping[str, Findings]) -> Chart | None:
    """How often each gender or position was chosen and how often it is correct; findings by the name of their run."""
    series, note = side_by_side(name for name, one in findings.items() if one.tendencies)
    if not series:
        return None
    runs = [findings[looks.name] for looks in series]
    rows: list[Row] = []
    for feature in dict.fromkeys(rates.feature for run in runs for rates in run.tendencies):
        rates_of_runs = [next((rates for rates in run.tendencies if rates.feature == feature), None) for run in runs]
        rows += [Row(feature), *_rate_rows(feature, rates_of_runs, series)]
    legend = [*keys(series, "bar"), Key("tick", INK, "correct")]
    if len(series) == 1:
        legend.insert(0, Key("bar", SERIES[0], "chosen"))
    legend.append(Key("thin", INK, "95% CI of the difference"))
    about = "How often each value was chosen (bars) and how often it is correct (vertical lines)."
    head = "pp" if len(series) <= _FIGURES else ""
    return row_chart(
        titled(runs, "chosen and correct values"),
        sentence(about, _largest_excess(runs), note),
        Rows("% of items with a decision", rows, _narrowest(rows), legend, head=head, note=note),
    )


def _rate_rows(feature: str, rates: Sequence[FeatureRates | None], series: Sequence[Series]) -> list[Row]:
    by_value = [{rate.value: rate for rate in of_run.values} if of_run else {} for of_run in rates]
    rows = []
    for value in dict.fromkeys(chain.from_iterable(by_value)):
        cells = [
            (of_value.get(value), of_run.items if of_run else 0)
            for of_value, of_run in zip(by_value, rates, strict=True)
        ]
        lines = [_rate_marks(rate, items, looks) for (rate, items), looks in zip(cells, series, strict=True)]
        figures = [points(rate.difference) if rate else "" for rate, _ in cells]
        rows.append(Row(name_of(feature, value), lines, figures if len(series) <= _FIGURES else ()))
    return rows


def _rate_marks(rate: ChoiceRate | None, items: int, looks: Series) -> tuple[Mark, ...]:
    if rate is None:
        return ()
    correct, (low, high) = rate.right / items, rate.interval
    return (
        Mark("bar", looks.colour, 0, rate.chosen / items),
        Mark("thin", INK, correct + low, correct + high),
        Mark("tick", INK, correct, correct),
    )


def _narrowest(rows: Sequence[Row]) -> Scale:
    """Half of the scale where nothing reaches further: three genders share a hundred per cent."""
    return HALF if all(mark.end <= HALF.high for row in rows for line in row.lines for mark in line) else PERCENT


def _largest_excess(runs: Sequence[Findings]) -> str:
    cases = [(rate, rates.feature) for run in runs for rates in run.tendencies for rate in rates.values]
    most, feature = max(cases, key=lambda case: case[0].difference)
    rounded = points(most.difference)
    return "" if rounded == points(0) else f"Largest excess: {name_of(feature, most.value)}, {rounded} pp."


def perturbation_effects(findings: Mapping[str, Findings]) -> Chart | None:
    """Accuracy on original and perturbed items of one suite, by kind; findings by the name of their run."""
    series, note = side_by_side(name for name, one in findings.items() if one.attacks and one.attacks.drops)
    if not series:
        return None
    runs = [findings[looks.name] for looks in series]
    effects = [{effect.perturbation: effect for effect in run.attacks.drops} if run.attacks else {} for run in runs]
    names = list(dict.fromkeys(chain.from_iterable(effects)))
    kinds = {name: next(one[name].kind for one in effects if name in one) for name in names}
    attacks = _worst_first((name for name in names if kinds[name] == "attack"), effects)
    chance = common_chance(runs)
    rows = [_effect_row(name, effects, series, chance) for name in attacks]
    for kind, heading in (("baseline", "baselines (evidence removed)"), ("probe", "probes (another question)")):
        if apart := _worst_first((name for name in names if kinds[name] == kind), effects):
            rows.append(Row(heading))
            rows += [_effect_row(name, effects, series, chance, neutral=True) for name in apart]
    legend = [*keys(series), Key("ring", SOFT, "original")]
    if len(series) == 1:
        legend.append(Key("dot", SOFT, "perturbed"))
    about = "Accuracy on the original (rings) and perturbed (dots) versions of the same items."
    if attacks:
        mean = " on average" if len(series) > 1 else ""
        about += f" Worst perturbation: {attacks[0]}, {points(_change(attacks[0], effects))} pp{mean}."
    head = "pp" if len(series) <= _FIGURES else ""
    return row_chart(
        titled(runs, "accuracy under perturbation"),
        sentence(about, note),
        Rows("accuracy (%), 95% CI", rows, keys=legend, head=head, note=note),
    )


def _worst_first(names: Iterable[str], effects: Sequence[Effects]) -> list[str]:
    return sorted(names, key=lambda name: (_change(name, effects), name))


def _change(name: str, effects: Sequence[Effects]) -> float:
    return fmean(of_run[name].difference for of_run in effects if name in of_run)


def _effect_row(
    name: str,
    effects: Sequence[Effects],
    series: Sequence[Series],
    chance: float | None,
    *,
    neutral: bool = False,
) -> Row:
    of_runs = [of_run.get(name) for of_run in effects]
    several = len(series) > 1
    lines = [
        _effect_marks(effect, looks.colour if several else ACCENT if neutral else _colour(effect), looks)
        if effect
        else ()
        for effect, looks in zip(of_runs, series, strict=True)
    ]
    figures = [points(effect.difference) if effect else "" for effect in of_runs]
    return Row(name, lines, figures if len(series) <= _FIGURES else (), chance)


def _colour(effect: AttackEffect) -> str:
    return BAD if effect.interval[1] < 0 else GOOD if effect.interval[0] > 0 else SOFT


def _effect_marks(effect: AttackEffect, colour: str, looks: Series) -> tuple[Mark, ...]:
    low, high = effect.interval
    return (
        Mark("thick", LINE, effect.before, effect.after),
        Mark("thin", colour, effect.before + low, effect.before + high),
        Mark("ring", colour, effect.before, effect.before, looks.symbol),
        Mark("dot", colour, effect.after, effect.after, looks.symbol),
    )


def trigger_salience(records: Mapping[str, Sequence[Salience]]) -> Chart | None:
    """Salience of trigger words and of the other words of the same items; records by the name of their run."""
    series, note = side_by_side(name for name, saliences in records.items() if any(_with_trigger(saliences)))
    rows, means = [], []
    for looks in series:
        weights = [weight for words in _with_trigger(records[looks.name]) for weight in words]
        triggers = np.array([weight.value for weight in weights if weight.trigger])
        others = np.array([weight.value for weight in weights if not weight.trigger])
        if len(series) > 1:
            rows.append(Row(looks.name))
        rows += [_spread("trigger words", triggers, SERIES[0]), _spread("other words", others, SERIES[1])]
        means.append(f"{looks.name}: trigger words {triggers.mean():.3f}, other words {others.mean():.3f}")
    if not rows:
        return None
    ends = [end for row in rows for line in row.lines for mark in line for end in (mark.start, mark.end)]
    legend = [Key("dot", INK, "mean"), Key("thick", INK, "middle 50%"), Key("thin", INK, "middle 90%")]
    about = "Drop in the probability of the prediction when a word is removed."
    return row_chart(
        "Salience of trigger words and other words",
        sentence(about, f"Means: {'; '.join(means)}.", note),
        Rows("drop in probability", rows, _scale(min(ends), max(ends)), legend, "words", note),
    )


def _with_trigger(saliences: Iterable[Salience]) -> list[list[Weight]]:
    """The compared words of those items that have both kinds."""
    compared = ([weight for weight in salience.weights if weight.compared] for salience in saliences)
    return [words for words in compared if len({weight.trigger for weight in words}) == 2]


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
