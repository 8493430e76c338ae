"""Salience maps on a terminal (Wino-X, Figure 2) or in a pipe, and the importance of triggers as a table (Table 5)."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, TextIO

import regex

from referee.analysis.salience.importance import Importance
from referee.analysis.salience.record import Salience, Weight
from referee.io.streams import raw
from referee.items import Field, Item
from referee.reports.format import interval, percent, percentage, points, probability
from referee.reports.model import Table
from referee.reports.wording import salience_verdict
from referee.verdicts import Judged

if TYPE_CHECKING:
    from rich.text import Text

LEGEND = "[trigger word]; numbers: percentage points of probability lost when the word is removed"
SHADES = "[trigger word]; orange: the probability falls when the word is removed; blue: it rises"

_HARMFUL = regex.compile(r"[\p{Cc}\u202a-\u202e\u2066-\u2069]")
_LEAST_POINTS = 0.0005
_LEAST_SHADE = 0.05


def importance_table(importances: Sequence[Importance]) -> Table:
    """Rows per suite: signed and absolute salience, each with d and both tests, and the test of the published code."""
    heads = (
        "suite", "salience", "items", "triggers", "others", "mean (pp)", "of others", "d", "p (words)", "d_z",
        "p (items)", "mean rank %", "95% CI", "p (ranks)", "interpretation",
    )  # fmt: skip
    rows = [row for importance in importances for row in _importance_rows(importance)]
    note = (
        "Means: probability lost when a word is removed. d: Cohen's d over words. d_z: over items, paired. Mean rank: "
        "of trigger words among the words of their item, over groups; 50% if they are as salient as others. It decides."
    )
    if any(importance.tokens for importance in importances):
        note += " Tokens (published): Welch's test over subword tokens of twins without *it*, as in Wino-X's code."
    return Table("salience of trigger words", heads, rows, left=(0, 1, 14), note=note)


def _importance_rows(importance: Importance) -> Iterator[tuple[str, ...]]:
    for name, contrast in (("signed", importance.signed), ("absolute", importance.absolute)):
        yield (
            importance.suite if name == "signed" else "",
            name,
            str(importance.items),
            str(importance.triggers),
            str(importance.others),
            points(contrast.trigger_mean),
            points(contrast.other_mean),
            _number(contrast.d),
            _p(contrast.p),
            _number(contrast.d_z),
            _p(contrast.paired_p),
            *(_rank_cells(importance) if name == "signed" else ("", "", "", "")),
        )
    if (test := importance.tokens) is not None:
        counts = str(2 * test.pairs), str(test.triggers), str(test.others)
        means = points(test.trigger_mean), points(test.other_mean)
        yield "", "tokens (published)", *counts, *means, _number(test.d), _p(test.p), *[""] * 6


def _rank_cells(importance: Importance) -> tuple[str, ...]:
    figures = percent(importance.rank), interval(importance.interval), probability(importance.p)
    return (*figures, salience_verdict(importance))


def show_maps(
    judged: Sequence[Judged], saliences: Iterable[Salience], count: int, stream: TextIO | None = None
) -> None:
    """Show the maps of the first `count` items, those with trigger words first."""
    items = {(of_set.suite, item.id): item for of_set in judged for item in of_set.items}
    shown = [salience for salience in saliences if (salience.suite, salience.item) in items]
    shown.sort(key=lambda salience: not any(weight.trigger for weight in salience.weights))
    maps(((items[salience.suite, salience.item], salience) for salience in shown[:count]), stream)


def maps(entries: Iterable[tuple[Item, Salience]], stream: TextIO | None = None) -> None:
    """Show items with their words shaded by salience; in a pipe with numbers after words, and no colour."""
    stream = stream or sys.stdout
    shaded = stream.isatty()
    for number, (item, salience) in enumerate(entries):
        if number == 0:
            stream.write(f"salience maps: {SHADES if shaded else LEGEND}\n")
        stream.write(f"{_shown(salience.suite)} {_shown(salience.item)}: {_target(salience)}\n")
        if shaded:
            from rich.console import Console
            from rich.padding import Padding

            Console(file=raw(stream), highlight=False).print(Padding(shaded_words(item, salience), (0, 0, 0, 2)))
        else:
            stream.write(f"  {plain_words(item, salience)}\n")


def plain_words(item: Item, salience: Salience) -> str:
    """The words of an item, trigger words in brackets, each with the probability lost without it."""
    return "".join(
        text if weight is None else _framed(text, weight) + _points(weight.value)
        for text, weight in _pieces(item, salience)
    )


def shaded_words(item: Item, salience: Salience) -> Text:
    """The words of an item on a ground that is the deeper, the more salient a word is; trigger words in brackets."""
    from rich.style import Style
    from rich.text import Text

    largest = max((abs(weight.value) for weight in salience.weights), default=0.0)
    shaded = Text()
    for text, weight in _pieces(item, salience):
        share = weight.value / largest if weight is not None and largest else 0.0
        ground = Style(color="rgb(0,0,0)", bgcolor=_colour(share)) if abs(share) >= _LEAST_SHADE else Style()
        framed = text if weight is None else _framed(text, weight)
        shaded.append(framed, ground + Style(bold=weight is not None and weight.trigger))
    return shaded


def _colour(share: float) -> str:
    """From white to orange, and for what is negative to blue."""
    deepest = (255, 140, 0) if share > 0 else (70, 130, 220)
    return "rgb({},{},{})".format(*(round(255 - abs(share) * (255 - part)) for part in deepest))


def _pieces(item: Item, salience: Salience) -> Iterable[tuple[str, Weight | None]]:
    """Words with their weights, and what is between them; sentences of context come first."""
    by_text: dict[tuple[Field, int], list[Weight]] = {}
    for weight in salience.weights:
        by_text.setdefault((weight.field, weight.index), []).append(weight)
    # In the order in which the model read them.
    for number, ((field, index), weights) in enumerate(by_text.items()):
        text = _shown(item.source_context[index] if field == "source_context" else item.source)
        end = 0
        if number:
            yield " ", None
        for weight in weights:
            yield text[end : weight.start], None
            yield text[weight.start : weight.end], weight
            end = weight.end
        yield text[end:], None


def _shown(text: str) -> str:
    """The same, character by character, without what would steer a terminal."""
    return str(_HARMFUL.sub(lambda match: " " if match.group().isspace() else "�", text))


def _framed(text: str, weight: Weight) -> str:
    return f"[{text}]" if weight.trigger else text


def _points(value: float) -> str:
    return f"({points(value)})" if abs(value) >= _LEAST_POINTS else ""


def _target(salience: Salience) -> str:
    return f"probability of {_shown(salience.target)} {percentage(salience.probability)}"


def _number(value: float | None) -> str:
    return "-" if value is None else f"{value:+.2f}"


def _p(value: float | None) -> str:
    return "-" if value is None else probability(value)
