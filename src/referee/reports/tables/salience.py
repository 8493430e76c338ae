"""Salience maps on a terminal (Wino-X, Figure 2) or in a pipe, and the importance of triggers as a table (Table 5)."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from itertools import islice
from typing import TYPE_CHECKING, TextIO

import regex

from referee.analysis.salience.importance import Contrast, Importance
from referee.analysis.salience.record import Salience, Weight
from referee.items import Field, Item
from referee.reports.format import percent, points, probability
from referee.reports.model import Table
from referee.reports.wording import salience_verdict
from referee.verdicts import Judged

if TYPE_CHECKING:
    from rich.text import Text

LEGEND = "[trigger]; figures: points of probability that go with a word when it is taken away"
SHADES = "[trigger]; orange: the probability falls when the word is taken away; blue: it rises"

_HARMFUL = regex.compile(r"[\p{Cc}\u202a-\u202e\u2066-\u2069]")
_LEAST_POINTS = 0.0005
_LEAST_SHADE = 0.05


def importance_table(found: Sequence[Importance]) -> Table:
    """A row for signed and one for absolute salience of each suite, each with d and both tests."""
    heads = (
        "suite", "salience", "items", "triggers", "others", "mean", "of others", "d", "95 % interval", "p (words)",
        "d_z", "p (items)", "in words",
    )  # fmt: skip
    rows = [
        (
            each.suite if name == "signed" else "",
            name,
            str(each.items),
            str(each.triggers),
            str(each.others),
            points(contrast.trigger_mean),
            points(contrast.other_mean),
            _number(contrast.d),
            "-" if contrast.interval is None else f"{contrast.interval[0]:+.2f} to {contrast.interval[1]:+.2f}",
            _p(contrast.p),
            _number(contrast.d_z),
            _p(contrast.paired_p),
            salience_verdict(each) if name == "signed" else "",
        )
        for each in found
        for name, contrast in _contrasts(each)
    ]
    note = "means in points of probability; d: Cohen's, over words; d_z: over items, triggers against their others"
    return Table("importance of trigger words", heads, rows, left=(0, 1, 12), note=note)


def show_maps(
    judged: Sequence[Judged], saliences: Iterable[Salience], count: int, stream: TextIO | None = None
) -> None:
    """The maps of the first so many items, those with triggers first."""
    items = {(each.suite, item.id): item for each in judged for item in each.items}
    known = [each for each in saliences if (each.suite, each.item) in items]
    known.sort(key=lambda each: not any(weight.trigger for weight in each.weights))
    maps(((items[each.suite, each.item], each) for each in islice(known, count)), stream)


def maps(entries: Iterable[tuple[Item, Salience]], stream: TextIO | None = None) -> None:
    """Items with their words shaded by salience; in a pipe with figures behind words, and no colour."""
    stream = stream or sys.stdout
    shaded = stream.isatty()
    for number, (item, salience) in enumerate(entries):
        if number == 0:
            stream.write(f"salience maps: {SHADES if shaded else LEGEND}\n")
        stream.write(f"{_shown(salience.suite)} {_shown(salience.item)}: {_target(salience)}\n")
        if shaded:
            from rich.console import Console
            from rich.padding import Padding

            Console(file=stream, highlight=False).print(Padding(shaded_words(item, salience), (0, 0, 0, 2)))
        else:
            stream.write(f"  {plain_words(item, salience)}\n")


def plain_words(item: Item, salience: Salience) -> str:
    """The words of an item, triggers in brackets, each with what it takes away in points of probability."""
    return "".join(
        text if weight is None else _framed(text, weight) + _points(weight.value)
        for text, weight in _pieces(item, salience)
    )


def shaded_words(item: Item, salience: Salience) -> Text:
    """The words of an item on a ground that is the deeper, the more a word counts; triggers in brackets."""
    from rich.style import Style
    from rich.text import Text

    largest = max((abs(weight.value) for weight in salience.weights), default=0.0)
    found = Text()
    for text, weight in _pieces(item, salience):
        share = weight.value / largest if weight is not None and largest else 0.0
        ground = Style(color="rgb(0,0,0)", bgcolor=_colour(share)) if abs(share) >= _LEAST_SHADE else Style()
        framed = text if weight is None else _framed(text, weight)
        found.append(framed, ground + Style(bold=weight is not None and weight.trigger))
    return found


def _colour(share: float) -> str:
    """From white to orange, and for what is negative to blue."""
    deepest = (255, 140, 0) if share > 0 else (70, 130, 220)
    return "rgb({},{},{})".format(*(round(255 - abs(share) * (255 - part)) for part in deepest))


def _pieces(item: Item, salience: Salience) -> Iterable[tuple[str, Weight | None]]:
    """Words with their weights, and what is between them; sentences of context come first."""
    places: dict[tuple[Field, int], list[Weight]] = {}
    for weight in salience.weights:
        places.setdefault((weight.field, weight.index), []).append(weight)
    # In the order in which the model read them.
    for number, ((field, index), weights) in enumerate(places.items()):
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
    return f"{_shown(salience.target)} has {percent(salience.probability)} %"


def _contrasts(found: Importance) -> tuple[tuple[str, Contrast], ...]:
    return ("signed", found.signed), ("absolute", found.absolute)


def _number(value: float | None) -> str:
    return "-" if value is None else f"{value:+.2f}"


def _p(value: float | None) -> str:
    return "-" if value is None else probability(value)
