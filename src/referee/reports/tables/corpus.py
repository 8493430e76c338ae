"""Tables of pronoun counts: in training data, next to what a model chose, and in translations against references."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from referee.analysis.bias.bias import Bias, ValueBias
from referee.analysis.corpus.coverage import ALL, Coverage, GenderCoverage
from referee.analysis.corpus.frequencies import GenderCount, Priors, compare_with_counts, gender_values
from referee.reports.format import interval, percent, percentage, points, points_interval
from referee.reports.model import Table
from referee.reports.wording import ambiguity, count_sentences, count_verdict, name_of
from referee.stats.intervals import Interval


def priors_table(priors: Priors) -> Table:
    """One row per gender: its pronouns as translations of the word, and in the whole text."""
    heads = ("gender", "pronoun", f"for '{priors.word}'", "%", "95% CI", "in all", "%", "95% CI")
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
    return Table(title, heads, rows, left=(0, 1), note="\n".join(count_sentences(priors)))


def choices_and_counts(title: str, biases: Sequence[Bias], priors: Priors) -> Table:
    """One row per gender: how often it is correct and was chosen, and its counts in a corpus (Wino-X, Table 14)."""
    values = gender_values(biases)
    heads = ("gender", "pronoun", "correct", "chosen", "difference (pp)", f"for '{priors.word}'", "in all")
    rows = [
        (
            name_of("gender", count.gender),
            _forms(count),
            *_choice_cells(values.get(count.gender)),
            f"{count.translations:,}",
            f"{count.absolute:,}",
        )
        for count in priors.genders
    ]
    notes = [*count_verdict(compare_with_counts(biases, priors), priors), ambiguity(priors)]
    note = "\n".join(sentence for sentence in notes if sentence)
    return Table(f"{title}: choices and corpus counts", heads, rows, left=(0, 1), note=note)


def coverage_table(title: str, coverage: Coverage) -> Table:
    """One system."""
    return coverages_table(f"{title}: pronouns in translations and references", {"": coverage})


def coverages_table(title: str, systems: Mapping[str, Coverage]) -> Table:
    """One row per system and gender."""
    named = any(systems)
    heads = ("gender", "pronoun", "reference", "translations", "coverage %", "95% CI", "lines", "same %")
    rows = [
        (*((name,) if named else ()), *_coverage_cells(gender))
        for name, coverage in systems.items()
        for gender in coverage.genders
    ]
    first = next(iter(systems.values()))
    notes = ["Same: lines whose reference has the pronoun and whose translation has it too."]
    if first.left_out:
        notes.append(f"{first.left_out} items without a reference or a translation are not counted.")
    forms = [form for gender in first.genders if gender.ambiguous and gender.gender != ALL for form in gender.forms]
    if forms:
        notes.append(f"Ambiguous, in both: {', '.join(forms)}.")
    return Table(
        title,
        (*(("file",) if named else ()), *heads, "95% CI"),
        rows,
        left=(0, 1, 2) if named else (0, 1),
        note="\n".join(notes),
    )


def _coverage_cells(coverage: GenderCoverage) -> tuple[str, ...]:
    return (
        name_of("gender", coverage.gender),
        "" if coverage.gender == ALL else ", ".join(coverage.forms),
        f"{coverage.reference:,}",
        f"{coverage.translations:,}",
        _share(coverage.coverage),
        _bounds(coverage.interval),
        f"{coverage.lines:,}",
        _share(coverage.same_share),
        _bounds(coverage.same_interval),
    )


def _forms(count: GenderCount) -> str:
    return ", ".join(count.forms) + ("*" if count.ambiguous else "")


def _share(share: float | None) -> str:
    return "" if share is None else percent(share)


def _bounds(bounds: Interval | None) -> str:
    return "" if bounds is None else interval(bounds)


def _choice_cells(value: ValueBias | None) -> tuple[str, str, str]:
    if value is None:
        return ("", "", "")
    counts = ((value.right, value.right_share), (value.chosen, value.chosen_share))
    correct, chosen = (f"{count:,} ({percentage(share)})" for count, share in counts)
    return correct, chosen, f"{points(value.difference)} ({points_interval(value.interval)})"
