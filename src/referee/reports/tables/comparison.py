"""Runs compared, as tables and items to look at. Runs are called A, B, C in the order they were given."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from string import ascii_uppercase

from referee.analysis.comparison.compare import AllSuites, Comparison, RunPair
from referee.analysis.comparison.flips import Flip, Said
from referee.reports import wording
from referee.reports.format import interval, percent, points, points_interval, probability
from referee.reports.model import Table
from referee.reports.tables.written import change_table
from referee.reports.wording import suite_name
from referee.stats.paired import GROSS, MacroDifference, PairedDifference

Difference = PairedDifference | MacroDifference


def letter(index: int) -> str:
    """Name a run by its index in the list."""
    return ascii_uppercase[index] if index < len(ascii_uppercase) else f"R{index + 1}"


def comparison_tables(runs: Sequence[tuple[str, str]], run_pairs: Sequence[RunPair]) -> list[Table]:
    """The runs (names and models); then for each two of them differences, changes and breakdowns."""
    names = Table("runs", ("", "run", "model"), [(letter(n), *run) for n, run in enumerate(runs)], left=(0, 1, 2))
    return [names, *(table for run_pair in run_pairs for table in _tables(run_pair))]


def flip_text(flip: Flip, base: str, other: str) -> str:
    """An item that flipped, to be read: a star marks what is correct, `<` the score of what was chosen."""
    margins = ""
    if flip.base.margin is not None and flip.other.margin is not None:
        margins = f", margin {flip.base.margin:+.4g} to {flip.other.margin:+.4g}"
    rule = f" (rule {flip.rule})" if flip.rule else ""
    lines = [
        f"{flip.suite} {flip.item}: {flip.direction}{rule}{margins}",
        "  " + " ".join((*flip.context, flip.source)),
    ]
    for index, text in enumerate(flip.candidates):
        scores = [f"{name} {_score(said, index)}" for name, said in ((base, flip.base), (other, flip.other))]
        lines.append(f"  {'*' if index == flip.gold else ' '} {'  '.join(scores)}  {text}")
    if not flip.candidates:
        lines.append(f"  * {', '.join(flip.expected)}")
    lines += [f"  {name}: {said.output}" for name, said in ((base, flip.base), (other, flip.other)) if said.output]
    return "\n".join(_printable(line) for line in lines)


def _score(said: Said, index: int) -> str:
    shown = f"{said.scores[index]:.4g}" if said.scores else ""
    return f"{shown:>9}{'<' if said.choice == index else ' '}"


def _printable(text: str) -> str:
    """Texts come from anywhere: nothing in them may command a terminal."""
    return "".join(char if char.isprintable() else " " for char in text)


def _tables(run_pair: RunPair) -> Iterator[Table]:
    base, other = letter(run_pair.base), letter(run_pair.other)
    title = f"{other} against {base}"
    heads = (
        "items",
        f"{base} %",
        f"{other} %",
        "difference (pp)",
        "95% CI",
        "p",
        "p (Holm)",
        "detectable (pp)",
        "interpretation",
    )
    lines = list(_lines(run_pair))
    if lines:
        rows = [(name, size, *_cells(line, base, other)) for name, size, line in lines]
        yield Table(title, ("", *heads), rows, left=(0, 9), note=_note(run_pair, base, other))
    effects = [(name, *_effects(line)) for name, _, line in lines if isinstance(line, PairedDifference)]
    if effects:
        columns = (
            "", "both correct", "correct to incorrect", "incorrect to correct", "both incorrect", "Cohen's g",
            "odds ratio", "Cohen's h", "p (McNemar)",
        )  # fmt: skip
        yield Table(f"{title}: changes", columns, effects)
    for comparison in run_pair.comparisons:
        for change in comparison.written:
            yield change_table(f"{title}: {comparison.suite}", change, base, other)
    yield from _breakdowns(title, run_pair, heads)
    same = [
        (
            _name(comparison, run_pair),
            str(comparison.without_gold),
            str(comparison.same.count),
            percent(comparison.same.share),
            interval(comparison.same.interval),
        )
        for comparison in run_pair.comparisons
        if comparison.same is not None and comparison.rule in (None, "paper")
    ]
    if same:
        choices = ("", "items", "same choice", "%", "95% CI")
        note = "" if lines else _note(run_pair, base, other)
        yield Table(f"{title}: choices without a correct answer", choices, same, note=note)


def _lines(run_pair: RunPair) -> Iterator[tuple[str, str, Difference]]:
    for comparison in run_pair.comparisons:
        name = _name(comparison, run_pair)
        if comparison.items is not None:
            yield name, str(comparison.items.items), comparison.items
        if comparison.groups is not None:
            yield f"{name}: group score", str(comparison.groups.items), comparison.groups
    for mean in run_pair.all_suites:
        yield _mean_name(mean, run_pair), "", mean.mean


def _name(comparison: Comparison, run_pair: RunPair) -> str:
    kinds = {other.kind for other in run_pair.comparisons if other.suite == comparison.suite}
    return suite_name(comparison.suite, comparison.kind if len(kinds) > 1 else None, comparison.rule)


def _mean_name(mean: AllSuites, run_pair: RunPair) -> str:
    kinds = {other.kind for other in run_pair.all_suites}
    name = f"all suites (mean of {len(mean.suites)})"
    return suite_name(name, mean.kind if len(kinds) > 1 else None, mean.rule)


def _cells(line: Difference, base: str, other: str) -> tuple[str, ...]:
    return (
        percent(line.base),
        percent(line.other),
        points(line.difference),
        points_interval(line.interval),
        probability(line.p),
        probability(line.p if line.holm is None else line.holm),
        _detectable(line),
        wording.difference_verdict(line, base, other),
    )


def _detectable(line: Difference) -> str:
    if isinstance(line, MacroDifference):
        return "-"
    return f">{percent(GROSS)}" if line.detectable is None else percent(line.detectable)


def _effects(line: PairedDifference) -> tuple[str, ...]:
    ratio = "inf" if line.only_other and not line.only_base else _figure(line.odds_ratio, ".2f")
    counts = (line.both_right, line.only_base, line.only_other, line.both_wrong)
    figures = (_figure(line.cohen_g, "+.3f"), ratio, _figure(line.cohen_h, "+.3f"), probability(line.mcnemar))
    return (*(str(count) for count in counts), *figures)


def _figure(value: float | None, form: str) -> str:
    return "-" if value is None else f"{value:{form}}"


def _breakdowns(title: str, run_pair: RunPair, heads: tuple[str, ...]) -> Iterator[Table]:
    base, other = letter(run_pair.base), letter(run_pair.other)
    for dimension in dict.fromkeys(name for comparison in run_pair.comparisons for name in comparison.by):
        rows = [
            (_name(comparison, run_pair), row.key, str(row.items.items), *_cells(row.items, base, other))
            for comparison in run_pair.comparisons
            for row in comparison.by.get(dimension, ())
        ]
        yield Table(f"{title} by {dimension}", ("", dimension, *heads), rows, left=(0, 1, 10))


def _note(run_pair: RunPair, base: str, other: str) -> str:
    lines = [comparison.items for comparison in run_pair.comparisons if comparison.items is not None]
    notes = []
    if lines:
        several = f"Detectable: {wording.DETECTABLE}."
        notes.append(wording.detectable_sentence(lines[0]) if len(lines) == 1 else several)
    if run_pair.all_suites:
        notes.append("All suites: the mean over suites, without perturbed sets.")
    for suite, unpaired in {comparison.suite: comparison.unpaired for comparison in run_pair.comparisons}.items():
        notes.append(wording.unpaired_sentence(suite, unpaired, base, other))
    for name, suites in ((base, run_pair.only_base), (other, run_pair.only_other)):
        if suites:
            notes.append(f"Only in {name}: " + ", ".join(suite_name(*suite) for suite in suites) + ".")
    return " ".join(note for note in notes if note)
