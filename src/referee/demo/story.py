"""Findings to words: a line for every question, and the one sentence that says what was found.

Everything here is computed: other findings give other words.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

import msgspec

from referee.analysis.accuracy import Findings, Row
from referee.analysis.bias.preferences import Preference
from referee.analysis.robustness import AttackEffect
from referee.reports.format import interval, percent
from referee.reports.model import Table
from referee.stats.intervals import Interval, wider, wilson
from referee.stats.proportions import Proportion

Found = Mapping[str, Sequence[Findings]]
"""Step by step, what was found on each set."""

EITHER = 0.5
"""How often the right noun is met by whoever takes one of the two without looking."""
_GENDERS = {"m": "masculine", "f": "feminine", "n": "neuter"}
_ATTACKS = {
    "phrase/he-said": "the sentence before is quoted",
    "possessive/woman": "the thing is the woman's and the article stays",
    "possessive/maria": "the thing is Maria's and the article goes",
}
_SURE, _MOSTLY, _HABIT, _SIGNIFICANT = 0.9, 0.75, 0.15, 0.05


class Line(msgspec.Struct, frozen=True, kw_only=True):
    """One question and its answer; `right` is None where nothing is right."""

    question: str
    items: int
    right: float | None
    interval: Interval | None
    compare: str
    words: str


def lines(found: Found) -> list[Line]:
    """The summary, in the order of the steps."""
    one = {each.suite: each for name in ("de-gender", "de-pronouns", "fr") for each in found[name]}
    told = [_accuracy("Is the gender of a noun known?", one["de/gender"])]
    told += _competing("Which of two nouns is meant (words come again)?", one["de/overlap"], opposed=True)
    told += _competing("Which of two nouns is meant (knowledge of the world)?", one["de/world-knowledge"])
    told += [
        _accuracy("Is a person left aside, who is no 'it'?", one["de/markable"], EITHER),
        _accuracy("Is 'it' the whole event ('It was a surprise')?", one["de/event"]),
        _accuracy("Is 'it' nothing at all ('It was raining')?", one["de/pleonastic"]),
    ]
    for question, prior in zip(
        ("No right answer: subject or object?", "No right answer: first or second?", "No right answer: which gender?"),
        found["de-priors"],
        strict=True,
    ):
        told += _preferred(question, prior)
    told += [_attacked(drop, found["de-attacks"]) for drop in _drops(found)]
    told.append(_accuracy("French: is the gender known?", one["fr/gender"]))
    told += _competing("French: which noun (words come again)?", one["fr/overlap"], opposed=True)
    told += _competing("French: which noun (knowledge)?", one["fr/world-knowledge"])
    told += _written(found["de-both"])
    for question, bare in zip(
        ("Gender, without the sentence before", "Which noun, without the sentence before"),
        found["de-sentence"],
        strict=True,
    ):
        told += _bare(question, bare, one[bare.suite])
    return told


def sentence(found: Found) -> str:
    """What was found, in one sentence."""
    gender = _overall(found["de-gender"][0])
    competing = next(each for each in found["de-pronouns"] if each.suite == "de/overlap")
    drops = [drop for drop in _drops(found) if drop.p < _SIGNIFICANT and drop.difference < 0]
    worst = min(drops, key=lambda drop: drop.difference, default=None)
    knows = gender.accuracy >= _MOSTLY
    clauses = [
        _Clause(
            f"{_adverb(gender.accuracy)} the gender of a single noun right ({percent(gender.accuracy)} %)", good=knows
        )
    ]
    if worst is None:
        clauses.append(_Clause("is not thrown off by harmless changes", good=True))
    elif knows:
        phrase = f"falls to {percent(worst.after)} % when {_ATTACKS.get(worst.perturbation, worst.perturbation)}"
        clauses.append(_Clause(phrase, good=False))
    clauses.append(_resolution(competing))
    text = clauses[0].text
    for before, clause in pairwise(clauses):
        text += f", {'and' if before.good == clause.good else 'but'} {clause.text}"
    habit = "" if clauses[-1].good else _habit(competing)
    return f"The pocket translator {text}{f': {habit}' if habit else ''}."


def summary(told: Sequence[Line]) -> Table:
    """All lines as one table."""
    rows = [
        (
            line.question,
            str(line.items),
            "none" if line.right is None else percent(line.right),
            "" if line.interval is None else interval(line.interval),
            line.compare,
            line.words,
        )
        for line in told
    ]
    heads = ("question", "items", "right %", "95 % interval", "to compare", "in plain words")
    return Table(
        "What the pocket translator makes of 'it', in German and (where it says so) in French",
        heads,
        rows,
        left=(0, 4, 5),
    )


@dataclass(frozen=True)
class _Clause:
    """A part of the sentence, and whether it is good news."""

    text: str
    good: bool


def _adverb(accuracy: float) -> str:
    return "gets" if accuracy >= _SURE else "mostly gets" if accuracy >= _MOSTLY else "often does not get"


def _resolution(competing: Findings) -> _Clause:
    row, whole = _overall(competing), competing.group
    figures = f"{percent(row.accuracy)} %"
    if whole is not None:
        figures += f"; {percent(whole.score)} % in every form and order of the same words"
    low, high = bounds(row)
    if low > EITHER and row.accuracy >= _MOSTLY:
        often = "" if row.accuracy >= _SURE else "mostly "
        return _Clause(f"{often}tells which of two nouns is meant ({figures})", good=True)
    if low > EITHER:
        return _Clause(f"tells which of two nouns is meant only a little better than a coin ({figures})", good=False)
    coin = "less often than a coin would" if high < EITHER else "no better than a coin"
    return _Clause(f"tells which of two nouns is meant {coin} ({figures})", good=False)


def _habit(competing: Findings) -> str:
    """What it goes by instead: by which of two things, gender or clause, its answers differ most."""
    spreads = {
        name: (min(rows, key=_by_accuracy), max(rows, key=_by_accuracy))
        for name in ("gender", "clause")
        if (rows := competing.by.get(name))
    }
    if not spreads:
        return ""
    name, (least, most) = max(spreads.items(), key=lambda pair: pair[1][1].accuracy - pair[1][0].accuracy)
    if most.accuracy - least.accuracy < _HABIT:
        return ""
    called = [f"{_GENDERS.get(row.key, row.key)} {'nouns' if name == 'gender' else 'clauses'}" for row in (most, least)]
    return (
        f"it goes by {name}, for {called[0]} are found in {percent(most.accuracy)} % "
        f"and {called[1]} in {percent(least.accuracy)} %"
    )


def _by_accuracy(row: Row) -> float:
    return row.accuracy


def _accuracy(question: str, findings: Findings, guess: float | None = None) -> Line:
    row = _overall(findings)
    chance = guess or findings.chance or 0.0
    return _line(question, row, chance, f"{percent(chance)} {'either noun' if guess else 'guessing'}")


def _line(question: str, row: Row, chance: float, compare: str) -> Line:
    return Line(
        question=question,
        items=row.items,
        right=row.accuracy,
        interval=bounds(row),
        compare=compare,
        words=_level(row.accuracy, bounds(row), chance),
    )


def _competing(question: str, findings: Findings, *, opposed: bool = False) -> list[Line]:
    """Accuracy, the same by clause where that is known, and whole groups.

    In `opposed` groups both nouns are right in turn; where one noun is right in all of a group, a habit has half.
    """
    told = [_accuracy(question, findings, EITHER)]
    told += [
        _line(f"  the noun of the {row.key} clause", row, EITHER, f"{percent(EITHER)} either noun")
        for row in findings.by.get("clause", ())
    ]
    if (group := findings.group) is not None:
        size = _overall(findings).items / group.groups
        chance = EITHER**size if opposed else EITHER
        sure = wider(wilson(round(group.score * group.groups), group.groups), group.bootstrap)
        told.append(
            Line(
                question="  right in every form and order",
                items=group.groups,
                right=group.score,
                interval=sure,
                compare=f"{percent(chance)} {'either noun' if opposed else 'one habit'}",
                words=_level(group.score, sure, chance),
            )
        )
    return told


def _level(right: float, sure: Interval, chance: float) -> str:
    if sure[0] > chance:
        if right >= _SURE:
            return "yes, nearly always"
        return "mostly" if right >= _MOSTLY else "more than by chance, but often wrong"
    return "less than by chance" if sure[1] < chance else "no more than by chance"


def _preferred(question: str, findings: Findings) -> list[Line]:
    """The feature that the items are about: the noun's role or place where there are nouns, else the gender."""
    by_name = {preference.feature: preference for preference in findings.preferences}
    preference = by_name.get("referent") or by_name.get("gender")
    if preference is None:
        return []
    words = _preference_words(preference)
    gender = by_name.get("gender")
    if preference is not gender and gender is not None and _first(gender)[1].share >= _MOSTLY:
        words += f"; {_share(*_first(gender))}"
    line = Line(
        question=question, items=preference.items, right=None, interval=None, compare="a habit if uneven", words=words
    )
    return [line]


def _preference_words(preference: Preference) -> str:
    first, *others = preference.shares.values()
    listed = ", ".join(_share(value, share) for value, share in preference.shares.items())
    if others and first.wider[0] <= others[0].share:
        return f"no clear preference: {listed}"
    return f"prefers {listed}"


def _first(preference: Preference) -> tuple[str, Proportion]:
    return next(iter(preference.shares.items()))


def _share(value: str, share: Proportion) -> str:
    return f"{_GENDERS.get(value, value)} {percent(share.share)} %"


def _attacked(drop: AttackEffect, found: Sequence[Findings]) -> Line:
    row = _overall(next(each for each in found if each.suite == drop.suite))
    if drop.p >= _SIGNIFICANT:
        words = "not thrown off"
    elif drop.difference > 0:
        words = f"even helped: {drop.mended} wrong answers become right"
    else:
        words = f"thrown off: {drop.broken} right answers become wrong"
    return Line(
        question=f"Gender, when {_ATTACKS.get(drop.perturbation, drop.perturbation)}",
        items=row.items,
        right=row.accuracy,
        interval=bounds(row),
        compare=f"{percent(drop.before)} before",
        words=words,
    )


def _written(found: Sequence[Findings]) -> list[Line]:
    scored, translated = found[0], found[-1]
    if (agreement := translated.agreement) is None:
        return []
    same = agreement.same
    compare = f"{percent(_overall(scored).accuracy)} by scores"
    row = _overall(translated)
    often = "nearly always" if same.share >= _SURE else "mostly" if same.share >= _MOSTLY else "often not"
    words = f"{often} the pronoun it scores best (the same in {percent(same.share)} %)"
    return [
        Line(
            question="Gender, when it writes the translation itself",
            items=row.items,
            right=row.accuracy,
            interval=bounds(row),
            compare=compare,
            words=words,
        )
    ]


def _bare(question: str, findings: Findings, before: Findings) -> list[Line]:
    row, earlier = _overall(findings), _overall(before)
    chance = findings.chance or 0.0
    low, high = bounds(row)
    if high >= bounds(earlier)[0]:
        words = "no clear fall: little sign that the context was used"
    elif low <= chance:
        words = "falls to chance: the context was used"
    else:
        words = "falls: the context was used"
    if always := _always(findings):
        words += f"; always {always}"
    compare = f"{percent(earlier.accuracy)} with it"
    return [
        Line(question=question, items=row.items, right=row.accuracy, interval=(low, high), compare=compare, words=words)
    ]


def _always(findings: Findings) -> str:
    """The one gender that is written whatever is right, if there is one."""
    rows = findings.by.get("gender", [])
    always = [row for row in rows if row.correct == row.items]
    never = [row for row in rows if not row.correct]
    return _GENDERS.get(always[0].key, "") if len(always) == 1 and len(never) == len(rows) - 1 > 0 else ""


def _drops(found: Found) -> list[AttackEffect]:
    return [drop for each in found["de-attacks"] if each.attacks is not None for drop in each.attacks.drops]


def _overall(findings: Findings) -> Row:
    if findings.overall is None:
        raise ValueError(f"nothing of {findings.suite} was judged")
    return findings.overall


def bounds(row: Row) -> Interval:
    """The wider of the two intervals: groups that all behave alike make the bootstrap too sure."""
    return wider(row.wilson, row.bootstrap)
