"""Tables of pronoun counts: in training data, beside what a judge chose, and in translations against references."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from referee.analysis.bias.decisions import ChoiceRate, FeatureRates
from referee.analysis.corpus.coverage import ALL, Coverage, GenderCoverage
from referee.analysis.corpus.frequencies import GenderCount, Order, Priors, leanings, orders
from referee.reports.format import interval, percent, points
from referee.reports.model import Table
from referee.reports.wording import name_of
from referee.stats.intervals import Interval

FEW_PAIRS = 30_000
"""An aligner that learned from fewer pairs is unsure of seldom translations; docs/frequencies.md has the figures."""


def priors_table(priors: Priors) -> Table:
    """By gender: as translations of the word, and in the whole text."""
    heads = ("gender", "pronoun", f"for '{priors.word}'", "%", "95 % interval", "in all", "%", "95 % interval")
    rows = [
        (
            name_of("gender", count.gender),
            _forms(count),
            f"{count.translations:,}",
            _share(count.share),
            _bounds(count.interval),
            f"{count.absolute:,}",
            _share(count.absolute_share),
            _bounds(count.absolute_interval),
        )
        for count in priors.genders
    ]
    title = f"pronouns in {priors.lines:,} lines, {priors.source_lang}-{priors.target_lang}"
    return Table(title, heads, rows, left=(0, 1), note="\n".join(_notes(priors)))


def priors_beside(title: str, tendencies: Sequence[FeatureRates], priors: Priors) -> Table:
    """What was right and what a judge chose, beside the counts in its training data (Wino-X, Table 14)."""
    leaning = leanings(tendencies)
    heads = ("gender", "pronoun", "right", "chosen", "chosen less right", f"for '{priors.word}'", "in all")
    rows = [
        (
            name_of("gender", count.gender),
            _forms(count),
            *_leaning_cells(leaning.get(count.gender), tendencies),
            f"{count.translations:,}",
            f"{count.absolute:,}",
        )
        for count in priors.genders
    ]
    notes = [_in_words(leaning, orders(tendencies, priors), priors)]
    if any(count.ambiguous for count in priors.genders):
        notes.append(_ambiguity(priors))
    return Table(f"{title}: beside counts in a corpus", heads, rows, left=(0, 1), note="\n".join(notes))


def coverage_table(title: str, found: Coverage) -> Table:
    """One system."""
    return coverages_table(f"{title}: pronouns in translations and references", {"": found})


def coverages_table(title: str, systems: Mapping[str, Coverage]) -> Table:
    """Systems below each other, by gender."""
    named = any(systems)
    heads = ("gender", "pronoun", "reference", "translations", "coverage %", "95 % interval", "lines", "same %")
    rows = [
        (*((name,) if named else ()), *_coverage_cells(gender))
        for name, found in systems.items()
        for gender in found.genders
    ]
    first = next(iter(systems.values()))
    notes = ["same: lines whose reference has the pronoun, and whose translation has it too"]
    if first.left_out:
        notes.append(f"{first.left_out} items had no reference or no translation")
    forms = [form for gender in first.genders if gender.ambiguous and gender.gender != ALL for form in gender.forms]
    if forms:
        notes.append(f"ambiguous, in both: {', '.join(forms)}")
    return Table(
        title,
        (*(("file",) if named else ()), *heads, "95 % interval"),
        rows,
        left=(0, 1, 2) if named else (0, 1),
        note="\n".join(notes),
    )


def _coverage_cells(found: GenderCoverage) -> tuple[str, ...]:
    return (
        name_of("gender", found.gender),
        "" if found.gender == ALL else ", ".join(found.forms),
        f"{found.reference:,}",
        f"{found.translations:,}",
        _share(found.coverage),
        _bounds(found.interval),
        f"{found.lines:,}",
        _share(found.same_share),
        _bounds(found.same_interval),
    )


def _forms(count: GenderCount) -> str:
    return ", ".join(count.forms) + ("*" if count.ambiguous else "")


def _share(share: float | None) -> str:
    return "" if share is None else percent(share)


def _bounds(bounds: Interval | None) -> str:
    return "" if bounds is None else interval(bounds)


def _leaning_cells(leaning: ChoiceRate | None, tendencies: Sequence[FeatureRates]) -> tuple[str, str, str]:
    if leaning is None:
        return ("", "", "")
    items = next(tendency.items for tendency in tendencies if tendency.feature == "gender")
    right, chosen = (f"{count:,} ({percent(count / items)} %)" for count in (leaning.right, leaning.chosen))
    return right, chosen, f"{points(leaning.difference)} ({' to '.join(map(points, leaning.interval))})"


def _notes(priors: Priors) -> list[str]:
    became = {
        "pronouns of one gender": sum(count.translations for count in priors.genders),
        "of several": priors.several,
        "other words": priors.other,
        "nothing": priors.unaligned,
        "not aligned": priors.skipped,
    }
    notes = [
        f"'{priors.word}' stands there {priors.occurrences:,} times: "
        + ", ".join(f"{name} {count:,}" for name, count in became.items())
    ]
    if ratio := _ratio(priors.genders):
        notes.append(ratio)
    if priors.other_words:
        told = ", ".join(f"{_printable(word)} {count:,}" for word, count in priors.other_words.items())
        notes.append(f"other words: {told}")
    if priors.skipped_lines:
        reasons = ", ".join(f"{count:,} {reason}" for reason, count in priors.skipped_lines.items())
        notes.append(f"lines with '{priors.word}' that were not aligned: {reasons}")
    if any(count.ambiguous for count in priors.genders):
        notes.append(_ambiguity(priors))
    if priors.mended:
        notes.append(f"Latin letters in Cyrillic words were put right in {priors.mended:,} lines")
    learned = "" if priors.learned_from is None else f", learned from {priors.learned_from:,} pairs"
    few = priors.learned_from is not None and priors.learned_from < FEW_PAIRS
    notes.append(f"alignment: {priors.aligner}{learned}" + (": few, take the shares with care" if few else ""))
    return notes


def _printable(word: str) -> str:
    """A word of a corpus, which may hold anything, without what would move the cursor of a terminal."""
    return "".join(letter for letter in word if letter.isprintable())


def _ratio(genders: Sequence[GenderCount]) -> str:
    """How many times as often as the seldomest gender the others translate the word."""
    least = min(count.translations for count in genders)
    if not least:
        return ""
    names = " : ".join(name_of("gender", count.gender) for count in genders)
    return f"{names} = " + " : ".join(f"{count.translations / least:.1f}" for count in genders)


def _ambiguity(priors: Priors) -> str:
    forms = ", ".join(form for count in priors.genders if count.ambiguous for form in count.forms)
    polite = f"; polite ones, {priors.polite:,}, are not counted" if priors.polite else ""
    return f"* {forms}: means something else as well, so that its number in all says little{polite}"


def _in_words(leaning: Mapping[str, ChoiceRate], found: Sequence[Order], priors: Priors) -> str:
    """What may be said of preferences and counts; that one comes from the other may not."""
    if not leaning:
        return "no alternatives that differ in gender were judged"
    sure = [each for each in leaning.values() if each.interval[0] > 0]
    if not sure:
        return "it leans to no gender for sure, so there is no preference to explain"
    top = max(sure, key=lambda each: each.difference).value
    most = max(priors.genders, key=lambda count: count.translations).gender
    which = "which the corpus has" if top == most else f"while the corpus has the {name_of('gender', most)}"
    return "\n".join(
        [
            f"it leans to the {name_of('gender', top)}, {which} most often for '{priors.word}'",
            *(_order(order, priors) for order in found if order.rho is not None),
        ]
    )


def _order(order: Order, priors: Priors) -> str:
    counts = f"counts for '{priors.word}'" if order.of == "translations" else "counts in all"
    by_chance = percent(order.by_chance or 0)
    return f"order of preferences and of {counts}: rho {order.rho:+.2f}, as high by chance in {by_chance} % of cases"
