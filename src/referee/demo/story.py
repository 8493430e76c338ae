"""What the demo found: one row per phenomenon, and a summary in two sentences. Its words are in `reports.wording.demo`.

Everything here is computed: other findings give other words.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal

import msgspec

from referee.analysis.accuracy import Findings, Row
from referee.analysis.bias.preferences import Preference
from referee.analysis.robustness import AttackEffect
from referee.reports.format import interval, percent
from referee.reports.model import Table
from referee.reports.wording import demo as wording
from referee.stats.chance import ALPHA
from referee.stats.intervals import Interval, wider, wilson

Steps = Mapping[str, Sequence[Findings]]
"""Step by step, what was found on each set."""

EITHER = 0.5
"""How often the correct noun is met by taking either of the two at random."""
_NEARLY_ALWAYS, _MOSTLY = 0.9, 0.75
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


def lines(steps: Steps) -> list[Line]:
    """The rows, in the order of the steps."""
    by_suite = {findings.suite: findings for name in ("de-gender", "de-pronouns", "fr") for findings in steps[name]}
    rows = [_accuracy(by_suite["de/gender"])]
    rows += _competing(by_suite["de/overlap"], opposed=True)
    rows += _competing(by_suite["de/world-knowledge"])
    rows += [_accuracy(by_suite["de/markable"], EITHER)]
    rows += [_accuracy(by_suite[name]) for name in ("de/event", "de/pleonastic")]
    rows += [row for findings in steps["de-priors"] for row in _prior(findings)]
    rows += [_perturbed(effect, steps["de-attacks"]) for effect in _effects(steps)]
    rows.append(_accuracy(by_suite["fr/gender"]))
    rows += _competing(by_suite["fr/overlap"], opposed=True)
    rows += _competing(by_suite["fr/world-knowledge"])
    rows += _generated(*steps["de-both"])
    rows += [_bare(findings, by_suite[findings.suite]) for findings in steps["de-sentence"]]
    return rows


def sentence(steps: Steps) -> str:
    """What was found, in two sentences."""
    gender = steps["de-gender"][0]
    competing = next(findings for findings in steps["de-pronouns"] if findings.suite == "de/overlap")
    losses = [effect for effect in _effects(steps) if effect.p < ALPHA and effect.difference < 0]
    worst = min(losses, key=lambda effect: effect.difference, default=None)
    known, resolved = _overall(gender).accuracy, _overall(competing).accuracy
    level = _level(resolved, bounds(_overall(competing)), EITHER)
    group_score = None if competing.group is None else competing.group.score
    heuristic = None if level in ("nearly_always", "mostly") else _heuristic(competing)
    return " ".join(
        (
            # Whether it is above chance is in the table; here only how much is correct counts.
            wording.gender_sentence(
                _share_level(known), known, None if worst is None else (worst.perturbation, worst.after)
            ),
            wording.resolution_sentence(level, resolved, group_score, heuristic),
        )
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


def bounds(row: Row) -> Interval:
    """The wider of the two intervals: groups that all behave alike make the bootstrap too narrow."""
    return wider(row.wilson, row.bootstrap)


def _share_level(accuracy: float) -> Literal["nearly_always", "mostly", "often_incorrect"]:
    if accuracy >= _NEARLY_ALWAYS:
        return "nearly_always"
    return "mostly" if accuracy >= _MOSTLY else "often_incorrect"


def _level(accuracy: float, sure: Interval, chance: float) -> wording.Level:
    if sure[0] > chance:
        return _share_level(accuracy)
    return "below_chance" if sure[1] < chance else "at_chance"


def _heuristic(competing: Findings) -> wording.Heuristic | None:
    """By which of the two, gender or clause, accuracy differs most."""
    features: tuple[Literal["gender", "clause"], ...] = ("gender", "clause")
    spreads = [
        wording.Heuristic(feature, (best.key, best.accuracy), (worst.key, worst.accuracy))
        for feature in features
        if (rows := competing.by.get(feature))
        for best, worst in [(max(rows, key=_by_accuracy), min(rows, key=_by_accuracy))]
    ]
    widest = max(spreads, key=lambda spread: spread.best[1] - spread.worst[1], default=None)
    return widest if widest is not None and widest.best[1] - widest.worst[1] >= _SPREAD else None


def _by_accuracy(row: Row) -> float:
    return row.accuracy


def _accuracy(findings: Findings, either: float | None = None) -> Line:
    """One row, against the chance level or against taking either noun."""
    row, name = _overall(findings), wording.PHENOMENA[findings.suite]
    if either is not None:
        return _line(name, row, either, wording.baseline("either_noun", either))
    chance = findings.chance or 0.0
    return _line(name, row, chance, wording.baseline("chance", chance))


def _line(phenomenon: str, row: Row, chance: float, baseline: str) -> Line:
    return Line(
        phenomenon=phenomenon,
        items=row.items,
        accuracy=row.accuracy,
        interval=bounds(row),
        baseline=baseline,
        interpretation=wording.level_words(_level(row.accuracy, bounds(row), chance)),
    )


def _competing(findings: Findings, *, opposed: bool = False) -> list[Line]:
    """Accuracy, the same by clause where that is known, and the group score.

    In `opposed` groups each noun is correct in turn; where one noun is correct in all of a group, a heuristic has half.
    """
    either = wording.baseline("either_noun", EITHER)
    rows = [_accuracy(findings, EITHER)]
    rows += [_line(wording.clause_name(row.key), row, EITHER, either) for row in findings.by.get("clause", ())]
    if (group := findings.group) is not None:
        size = _overall(findings).items / group.groups
        chance = EITHER**size if opposed else EITHER
        sure = wider(wilson(round(group.score * group.groups), group.groups), group.bootstrap)
        rows.append(
            Line(
                phenomenon=wording.GROUP_SCORE,
                items=group.groups,
                accuracy=group.score,
                interval=sure,
                baseline=wording.baseline("either_noun" if opposed else "heuristic", chance),
                interpretation=wording.level_words(_level(group.score, sure, chance)),
            )
        )
    return rows


def _prior(findings: Findings) -> list[Line]:
    """The feature that the items are about: the noun's role or position where there are nouns, else the gender."""
    by_feature = {preference.feature: preference for preference in findings.preferences}
    preference = by_feature.get("referent") or by_feature.get("gender")
    if preference is None:
        return []
    first, *others = preference.shares.values()
    gender = by_feature.get("gender")
    return [
        Line(
            phenomenon=wording.PHENOMENA[findings.suite],
            items=preference.items,
            accuracy=None,
            interval=None,
            baseline=wording.baseline("even_split"),
            interpretation=wording.prior_words(
                _shares(preference),
                preferred=not others or first.wider[0] > others[0].share,
                also=None if gender is preference else _mostly_one(gender),
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
    return Line(
        phenomenon=wording.perturbed_name(effect.perturbation),
        items=row.items,
        accuracy=row.accuracy,
        interval=bounds(row),
        baseline=wording.baseline("unperturbed", effect.before),
        interpretation=wording.perturbation_words(
            kind if effect.p < ALPHA else "not_significant",
            effect.difference,
            effect.broken if kind == "loses" else effect.mended,
        ),
    )


def _generated(scored: Findings, *by_rule: Findings) -> list[Line]:
    translated = by_rule[-1]
    if translated.agreement is None:
        return []
    row, same = _overall(translated), translated.agreement.same.share
    often: Literal["nearly_always", "mostly", "rarely"] = "mostly" if same >= _MOSTLY else "rarely"
    return [
        Line(
            phenomenon=wording.generated_name(scored.suite),
            items=row.items,
            accuracy=row.accuracy,
            interval=bounds(row),
            baseline=wording.baseline("scores", _overall(scored).accuracy),
            interpretation=wording.generation_words("nearly_always" if same >= _NEARLY_ALWAYS else often, same),
        )
    ]


def _bare(findings: Findings, with_context: Findings) -> Line:
    row, before = _overall(findings), _overall(with_context)
    low, high = bounds(row)
    use: wording.ContextUse = "falls_to_chance" if low <= (findings.chance or 0.0) else "falls"
    return Line(
        phenomenon=wording.bare_name(findings.suite),
        items=row.items,
        accuracy=row.accuracy,
        interval=(low, high),
        baseline=wording.baseline("context", before.accuracy),
        interpretation=wording.context_words(
            "not_significant" if high >= bounds(before)[0] else use, _always(findings.by.get("gender", []))
        ),
    )


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
