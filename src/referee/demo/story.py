"""What the demo found: one row per phenomenon, and a summary in two sentences. Its words are in `reports.wording.demo`.

Everything here is computed: other findings give other words.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal

import msgspec

from referee.analysis.accuracy import Findings, Row
from referee.analysis.bias.preferences import Preference
from referee.analysis.comparison import compare
from referee.analysis.robustness import Attack, AttackEffect, more_groups
from referee.analysis.scorecard import generation
from referee.reports.format import interval, percent
from referee.reports.model import Table
from referee.reports.wording import demo as wording
from referee.stats.correction import holm
from referee.stats.intervals import Interval
from referee.stats.levels import ALPHA, MARGIN, Against, against
from referee.stats.paired import PairedDifference

Steps = Mapping[str, Sequence[Findings]]
"""Step by step, what was found on each set."""

_NEARLY_ALWAYS, _MOSTLY = 0.9, 0.75
_LEVELS: Mapping[str, wording.Level] = {"at": "at_chance", "not_above": "not_above_chance", "below": "below_chance"}
_SPREAD = 0.15
"""From this difference in accuracy on, answers are said to follow a feature."""


class Line(msgspec.Struct, frozen=True, kw_only=True):
    """One row; `accuracy` is None where there is no correct answer."""

    phenomenon: str
    items: int
    accuracy: float | None
    interval: Interval | None
    baseline: str
    interpretation: str


def lines(steps: Steps, without_context: Mapping[str, PairedDifference]) -> list[Line]:
    """The rows, in the order of the steps; `without_context` compares sets with themselves without their context."""
    by_suite = {findings.suite: findings for name in ("de-gender", "de-pronouns", "fr") for findings in steps[name]}
    rows = [_accuracy(by_suite["de/gender"])]
    rows += _competing(by_suite["de/overlap"])
    rows += _competing(by_suite["de/world-knowledge"])
    rows += [_accuracy(by_suite[name]) for name in ("de/markable", "de/event", "de/pleonastic")]
    rows += [row for findings in steps["de-priors"] for row in _prior(findings)]
    rows += [_perturbed(effect, steps["de-attacks"]) for effect in _effects(steps)]
    rows.append(_accuracy(by_suite["fr/gender"]))
    rows += _competing(by_suite["fr/overlap"])
    rows += _competing(by_suite["fr/world-knowledge"])
    rows += _generated(*steps["de-both"])
    rows += [
        _bare(findings, by_suite[findings.suite], without_context[findings.suite]) for findings in steps["de-sentence"]
    ]
    return rows


def sentence(steps: Steps) -> str:
    """What was found, in two sentences."""
    return " ".join(sentences(steps))


def sentences(steps: Steps) -> tuple[str, str]:
    """What was found on noun gender, and what on the choice of an antecedent."""
    gender = steps["de-gender"][0]
    competing = next(findings for findings in steps["de-pronouns"] if findings.suite == "de/overlap")
    losses = [
        effect
        for effect in _effects(steps)
        if effect.difference < 0 and _corrected(effect, steps["de-attacks"]) < ALPHA
    ]
    worst = min(losses, key=lambda effect: effect.difference, default=None)
    known, resolved = _overall(gender).accuracy, _overall(competing).accuracy
    level = _level(_overall(competing).interval, competing.against)
    group_score = None if competing.group is None else competing.group.score
    heuristic = None if level in ("nearly_always", "mostly") else _heuristic(competing)
    return (
        wording.gender_sentence(
            _level(_overall(gender).interval, gender.against),
            known,
            None if worst is None else (worst.perturbation, worst.after),
        ),
        wording.resolution_sentence(level, competing.chance, resolved, group_score, heuristic),
    )


def summary(rows: Sequence[Line]) -> Table:
    """All rows as one table."""
    cells = [
        (
            row.phenomenon,
            str(row.items),
            wording.NO_ACCURACY if row.accuracy is None else percent(row.accuracy),
            "" if row.interval is None else interval(row.interval),
            row.baseline,
            row.interpretation,
        )
        for row in rows
    ]
    return Table(wording.TITLE, wording.HEADS, cells, left=(0, 4, 5))


def _share_level(interval: Interval) -> wording.Level:
    """How much is correct, as far as the whole interval says it."""
    if interval[0] > _NEARLY_ALWAYS:
        return "nearly_always"
    if interval[0] > _MOSTLY:
        return "mostly"
    return "often_incorrect" if interval[1] < _MOSTLY else "above_chance"


def _level(interval: Interval, result: Against | None) -> wording.Level:
    if result is None or result.standing == "inconclusive":
        return "inconclusive"
    return _share_level(interval) if result.standing == "above" else _LEVELS[result.standing]


def _heuristic(competing: Findings) -> wording.Heuristic | None:
    """By which of the two, gender or clause, accuracy surely differs, and most."""
    features: tuple[Literal["gender", "clause"], ...] = ("gender", "clause")
    spreads = [
        wording.Heuristic(feature, (best.key, best.accuracy), (worst.key, worst.accuracy))
        for feature in features
        if (rows := competing.by.get(feature))
        for best, worst in [(max(rows, key=_by_accuracy), min(rows, key=_by_accuracy))]
        if best.interval[0] > worst.interval[1]
    ]
    widest = max(spreads, key=lambda spread: spread.best[1] - spread.worst[1], default=None)
    return widest if widest is not None and widest.best[1] - widest.worst[1] >= _SPREAD else None


def _by_accuracy(row: Row) -> float:
    return row.accuracy


def _accuracy(findings: Findings) -> Line:
    """One row, against the chance level of the set."""
    row = _overall(findings)
    return _line(wording.PHENOMENA[findings.suite], row.items, row.accuracy, row.interval, findings, findings.against)


def _line(
    phenomenon: str, items: int, share: float, interval: Interval, findings: Findings, result: Against | None
) -> Line:
    return Line(
        phenomenon=phenomenon,
        items=items,
        accuracy=share,
        interval=interval,
        baseline=wording.chance_baseline(findings.chance),
        interpretation=wording.level_words(_level(interval, result), findings.chance, result),
    )


def _competing(findings: Findings) -> list[Line]:
    """Accuracy, the same by clause where that is known, and the group score."""
    rows = [_accuracy(findings)]
    for row in findings.by.get("clause", ()):
        result = findings.chance and against(row.accuracy, row.interval, findings.chance.level, row.groups)
        name = wording.clause_name(row.key)
        rows.append(_line(name, row.items, row.accuracy, row.interval, findings, result or None))
    if (group := findings.group) is not None:
        line = _line(wording.GROUP_SCORE, group.groups, group.score, group.interval, findings, group.against)
        rows.append(msgspec.structs.replace(line, baseline=wording.group_baseline(group)))
    return rows


def _prior(findings: Findings) -> list[Line]:
    """The feature that the items are about: the noun's role or position where there are nouns, else the gender."""
    by_feature = {preference.feature: preference for preference in findings.preferences}
    preference = by_feature.get("referent") or by_feature.get("gender")
    if preference is None:
        return []
    prior = next((prior for prior in findings.priors if prior.feature == preference.feature), None)
    gender = by_feature.get("gender")
    return [
        Line(
            phenomenon=wording.PHENOMENA[findings.suite],
            items=preference.items,
            accuracy=None,
            interval=None,
            baseline=wording.baseline("even_split"),
            interpretation=wording.prior_words(
                prior, _shares(preference), None if gender is preference else _mostly_one(gender)
            ),
        )
    ]


def _mostly_one(gender: Preference | None) -> dict[str, float] | None:
    """The gender that is chosen mostly, if there is one."""
    most = list(_shares(gender).items())[:1] if gender is not None else []
    return dict(most) if most and most[0][1] >= _MOSTLY else None


def _shares(preference: Preference) -> dict[str, float]:
    return {value: share.share for value, share in preference.shares.items()}


def _perturbed(effect: AttackEffect, attacked: Sequence[Findings]) -> Line:
    row = _overall(next(findings for findings in attacked if findings.suite == effect.suite))
    kind: wording.Effect = "loses" if effect.difference < 0 else "gains"
    corrected = _corrected(effect, attacked)
    if corrected >= ALPHA:
        kind = "robust" if effect.is_harmless else "inconclusive"
    return Line(
        phenomenon=wording.perturbed_name(effect.perturbation),
        items=row.items,
        accuracy=row.accuracy,
        interval=row.interval,
        baseline=wording.baseline("unperturbed", effect.before),
        interpretation=wording.perturbation_words(kind, effect, more_groups([Attack(effect, corrected)])),
    )


def _corrected(effect: AttackEffect, attacked: Sequence[Findings]) -> float:
    """The p-value of a perturbation, corrected for all perturbations of the demo."""
    effects = [drop for findings in attacked if findings.attacks for drop in findings.attacks.drops]
    return holm([drop.p for drop in effects])[effects.index(effect)]


def _generated(scored: Findings, *by_rule: Findings) -> list[Line]:
    translated = by_rule[-1]
    if translated.agreement is None:
        return []
    row = _overall(translated)
    return [
        Line(
            phenomenon=wording.generated_name(scored.suite),
            items=row.items,
            accuracy=row.accuracy,
            interval=row.interval,
            baseline=wording.baseline("scores", _overall(scored).accuracy),
            interpretation=wording.generation_words(generation(translated.agreement)),
        )
    ]


def _bare(findings: Findings, with_context: Findings, difference: PairedDifference) -> Line:
    row, before = _overall(findings), _overall(with_context)
    return Line(
        phenomenon=wording.bare_name(findings.suite),
        items=row.items,
        accuracy=row.accuracy,
        interval=row.interval,
        baseline=wording.baseline("context", before.accuracy),
        interpretation=_context(findings, difference),
    )


def _context(findings: Findings, difference: PairedDifference) -> str:
    always = _always(findings.by.get("gender", []))
    p = difference.p if difference.holm is None else difference.holm
    if p < ALPHA and difference.difference < 0:
        to_chance = findings.against is not None and findings.against.standing in ("at", "not_above", "below")
        return wording.context_words("falls_to_chance" if to_chance else "falls", always)
    if difference.interval[0] > -MARGIN:
        return wording.context_words("unused", always)
    return wording.open_context_words(difference, compare.more_groups(difference), always)


def _always(rows: Sequence[Row]) -> str:
    """The one gender that is chosen whatever is correct, if there is one."""
    always = [row.key for row in rows if row.correct == row.items]
    never = [row for row in rows if not row.correct]
    return always[0] if len(always) == 1 and len(never) == len(rows) - 1 > 0 else ""


def _effects(steps: Steps) -> list[AttackEffect]:
    return [effect for findings in steps["de-attacks"] if findings.attacks for effect in findings.attacks.drops]


def _overall(findings: Findings) -> Row:
    if findings.overall is None:
        raise ValueError(f"no item of {findings.suite} was evaluated")
    return findings.overall
