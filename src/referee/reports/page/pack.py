"""Items with their results, packed into the page; if there are too many, a random sample of them."""

from __future__ import annotations

import base64
import gzip
import json
import math
from collections.abc import Sequence
from dataclasses import dataclass

import msgspec
import numpy as np

from referee.analysis.salience.record import Salience, Weight
from referee.io.text import well_formed
from referee.items import Item
from referee.reports.model import ItemEntry, ItemResult
from referee.reports.page.fields import layout
from referee.stats.intervals import SEED
from referee.verdicts import Kind, Means, Rule, Verdict

_LEVEL = 6
_PROBE = 1000
"""Entries that tell how much room one takes."""
_ENOUGH = 0.9
_TRIALS = 4

Number = float | str
"""A number, or its name where JSON has none for it: nan, inf."""


class _Shading(msgspec.Struct, frozen=True, gc=False):
    target: str
    probability: Number
    weights: list[tuple[str, int, int, int, Number, bool]]


class _Result(msgspec.Struct, frozen=True, omit_defaults=True, kw_only=True, gc=False):
    """A verdict as far as the page shows it, with numbers cut to five digits; `run` is an index."""

    run: int
    kind: Kind
    correct: bool | None = None
    dropped: str | None = None
    tied: bool = False
    choice: int | None = None
    scores: list[Number] = []
    output: str | None = None
    found: dict[Rule, bool] = {}
    antecedent: bool | None = None
    means: Means | None = None
    salience: _Shading | None = None


class _Row(msgspec.Struct, frozen=True, omit_defaults=True, kw_only=True, gc=False):
    """An entry of the browser; `suite` is an index. The item is whole, whatever fields it has, but for its `meta`."""

    suite: int
    item: Item
    results: list[_Result]
    flipped: bool = False


@dataclass(frozen=True)
class Packed:
    """Compressed JSON with `shown` of `total` entries in their order."""

    data: str
    shown: int
    total: int


def pack(runs: Sequence[str], entries: Sequence[ItemEntry], budget: int) -> Packed:
    """As many entries as fit into `budget` bytes: all, or a sample that is the same every time."""
    total = len(entries)
    order = np.random.default_rng(SEED).permutation(total)
    count, best = min(total, _PROBE), Packed("", 0, total)
    for _ in range(_TRIALS):
        data = _encode(runs, [entries[index] for index in sorted(order[:count].tolist())])
        fits = len(data) <= budget
        if fits and count >= best.shown:
            best = Packed(data, count, total)
        if fits and (count == total or len(data) > _ENOUGH * budget):
            break
        # Entries that are packed together share their repetitions: a larger sample takes less room per entry.
        count = min(total, int(count * budget / len(data) * (1 + _ENOUGH) / 2))
    return best


def _encode(runs: Sequence[str], entries: Sequence[ItemEntry]) -> str:
    suites = {name: index for index, name in enumerate(dict.fromkeys(entry.suite for entry in entries))}
    rows = [_row(entry, suites[entry.suite]) for entry in entries]
    return compressed({"runs": runs, "suites": list(suites), "layout": layout(), "entries": rows})


def compressed(value: object) -> str:
    """A value as JSON, gzip and base64; unpack.js reads it."""
    return base64.b64encode(gzip.compress(_json(value), _LEVEL, mtime=0)).decode()


def _json(value: object) -> bytes:
    try:
        return msgspec.json.encode(value)
    except UnicodeEncodeError:
        # A lone surrogate somewhere: rare, so only then the slow way.
        return well_formed(json.dumps(msgspec.to_builtins(value), ensure_ascii=False)).encode()


def _row(entry: ItemEntry, suite: int) -> _Row:
    item = msgspec.structs.replace(entry.item, meta={}) if entry.item.meta else entry.item
    return _Row(suite=suite, item=item, results=[_result(result) for result in entry.results], flipped=entry.flipped)


def _result(result: ItemResult) -> _Result:
    verdict: Verdict = result.verdict
    return _Result(
        run=result.run,
        kind=verdict.kind,
        correct=verdict.correct,
        dropped=verdict.dropped,
        tied=verdict.tied,
        choice=verdict.choice,
        scores=[_short(score) for score in verdict.scores],
        output=verdict.output,
        found=verdict.found,
        antecedent=verdict.antecedent,
        means=verdict.means,
        salience=None if result.salience is None else _shading(result.salience),
    )


def _shading(salience: Salience) -> _Shading:
    return _Shading(salience.target, _short(salience.probability), [_weight(weight) for weight in salience.weights])


def _weight(weight: Weight) -> tuple[str, int, int, int, Number, bool]:
    return weight.field, weight.index, weight.start, weight.end, _short(weight.value), weight.trigger


def _short(number: float) -> Number:
    """Five digits are as many as a reader needs; all of them would take twice the room."""
    return float(f"{number:.5g}") if math.isfinite(number) else str(number)
