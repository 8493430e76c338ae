"""Tables of sets that were made: from templates, by perturbations, by AFLite."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from referee.build.aflite import AfliteResult
from referee.build.templates import Tally as TemplateTally
from referee.build.templates.rare import RareNouns
from referee.items import Item
from referee.perturbations import Tally
from referee.reports.format import percent
from referee.reports.model import Table


def templates_table(language: str, tallies: Mapping[str, TemplateTally]) -> Table:
    """Per template, the number of its items, and why combinations of words were left out."""
    rows = [(name, f"{tally.items:,}", reasons(sorted(tally.left_out.items()))) for name, tally in tallies.items()]
    return Table(f"{language} templates", ("template", "items", "skipped combinations"), rows, left=(0, 2))


def rare_text(rare: RareNouns) -> str:
    """Which nouns of how many are rare in a corpus."""
    names = ", ".join(f"{noun.word} ({noun.count})" for noun in rare.rare)
    share = f"{len(rare.rare):,} of {rare.nouns:,} nouns"
    end = f": {names}." if names else "."
    return f"{share} occur less than {rare.min_count:,} times in {rare.corpus} ({rare.lines:,} lines){end}"


def perturbed_table(title: str, tallies: Sequence[Tally]) -> Table:
    """Per perturbation, the number of items and of changed items, and why others were dropped."""
    rows = [
        (tally.perturbation, f"{tally.items:,}", f"{tally.changed:,}", reasons(tally.dropped.most_common()))
        for tally in tallies
    ]
    return Table(title, ("perturbation", "items", "perturbed", "skipped"), rows, left=(0, 3))


def aflite_table(filtered: AfliteResult) -> Table:
    """Per round of AFLite, the accuracy of linear models and the items that were removed."""
    rows = [
        (str(number), str(done.items), percent(done.accuracy), str(done.above), str(len(done.removed)))
        for number, done in enumerate(filtered.rounds, 1)
    ]
    rows.append(("left", str(len(filtered.kept)), percent(filtered.accuracy), "", ""))
    heads = ("round", "items", "accuracy of linear models (%)", "predictable", "removed")
    torn = f"{filtered.groups_torn} of them incomplete"
    return Table("AFLite", heads, rows, note=f"{filtered.groups_left} of {filtered.groups} groups remain, {torn}.")


def reasons(counts: Iterable[tuple[str, int]]) -> str:
    """Reasons with their counts.

    >>> reasons([("has no twin", 1_000), ("has no gap", 2)])
    'has no twin (1,000), has no gap (2)'
    """
    return ", ".join(f"{reason} ({count:,})" for reason, count in counts) or "none"


def item_text(item: Item) -> str:
    """Both sides of an item, context first; a star marks the correct candidate."""
    source = " ".join((*item.source_context, item.source))
    candidates = [f"  {'*' if item.gold == number else ' '} {one.text}" for number, one in enumerate(item.candidates)]
    return "\n".join([item.id, f"  {source}", *(f"  -> {text}" for text in item.target_context), *candidates])
