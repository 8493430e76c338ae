"""Items with what was said about them, packed into the page; too many of them are drawn from at random."""

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
from referee.items import Candidate, Item, Span
from referee.reports.model import ItemEntry, ItemResult
from referee.reports.text import well_formed
from referee.stats.intervals import SEED
from referee.verdicts import Kind, Rule, Verdict

_LEVEL = 6
_PROBE = 1000
"""So many entries tell how much room one takes."""
_ENOUGH = 0.9
_TRIALS = 4

Number = float | str
"""What JSON has no number for is a word."""


class _Shading(msgspec.Struct, frozen=True, gc=False):
    target: str
    probability: Number
    weights: list[tuple[str, int, int, int, Number, bool]]


class _Said(msgspec.Struct, frozen=True, omit_defaults=True, kw_only=True, gc=False):
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
    salience: _Shading | None = None


class _Row(msgspec.Struct, frozen=True, omit_defaults=True, kw_only=True, gc=False):
    """An item without its `meta`, under the names of `Item`; `suite` is a place in the list of suites."""

    suite: int
    id: str
    source_lang: str
    target_lang: str
    source: str
    source_context: tuple[str, ...] = ()
    target_context: tuple[str, ...] = ()
    question: str | None = None
    candidates: tuple[Candidate, ...] = ()
    gold: int | None = None
    reference: str | None = None
    expected: tuple[str, ...] = ()
    group: str | None = None
    label: str | None = None
    distance: int | None = None
    features: dict[str, str] = {}
    spans: tuple[Span, ...] = ()
    flipped: bool = False
    results: list[_Said]


@dataclass(frozen=True)
class Packed:
    """Gzip in base64, which holds `shown` of `total` entries in their order."""

    data: str
    shown: int
    total: int


def pack(runs: Sequence[str], entries: Sequence[ItemEntry], budget: int) -> Packed:
    """As many entries as fit into `budget` bytes: all, or a sample that is the same every time."""
    total = len(entries)
    order = np.random.default_rng(SEED).permutation(total)
    count, best = min(total, _PROBE), Packed("", 0, total)
    for _ in range(_TRIALS):
        data = _encode(runs, [entries[place] for place in sorted(order[:count].tolist())])
        fits = len(data) <= budget
        if fits and count >= best.shown:
            best = Packed(data, count, total)
        if fits and (count == total or len(data) > _ENOUGH * budget):
            break
        # What is packed together shares its repetitions: a larger sample takes less room for each entry.
        count = min(total, int(count * budget / len(data) * (1 + _ENOUGH) / 2))
    return best


def _encode(runs: Sequence[str], entries: Sequence[ItemEntry]) -> str:
    suites = {name: place for place, name in enumerate(dict.fromkeys(entry.suite for entry in entries))}
    rows = [_row(entry, suites[entry.suite]) for entry in entries]
    return compressed({"runs": runs, "suites": list(suites), "entries": rows})


def compressed(value: object) -> str:
    """A value as JSON, gzip and base64; unpack.js reads it."""
    return base64.b64encode(gzip.compress(_json(value), _LEVEL, mtime=0)).decode()


def _json(value: object) -> bytes:
    try:
        return msgspec.json.encode(value)
    except UnicodeEncodeError:
        # Half a character somewhere: rare, so only then the slow way.
        return well_formed(json.dumps(msgspec.to_builtins(value), ensure_ascii=False)).encode()


def _row(entry: ItemEntry, suite: int) -> _Row:
    item: Item = entry.item
    return _Row(
        suite=suite,
        id=item.id,
        source_lang=item.source_lang,
        target_lang=item.target_lang,
        source=item.source,
        source_context=item.source_context,
        target_context=item.target_context,
        question=item.question,
        candidates=item.candidates,
        gold=item.gold,
        reference=item.reference,
        expected=item.expected,
        group=item.group,
        label=item.label,
        distance=item.distance,
        features=item.features,
        spans=item.spans,
        flipped=entry.flipped,
        results=[_said(result) for result in entry.results],
    )


def _said(result: ItemResult) -> _Said:
    verdict: Verdict = result.verdict
    return _Said(
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
        salience=None if result.salience is None else _shading(result.salience),
    )


def _shading(salience: Salience) -> _Shading:
    return _Shading(salience.target, _short(salience.probability), [_weight(weight) for weight in salience.weights])


def _weight(weight: Weight) -> tuple[str, int, int, int, Number, bool]:
    return weight.field, weight.index, weight.start, weight.end, _short(weight.value), weight.trigger


def _short(number: float) -> Number:
    """Five digits are as many as a reader needs, and more than half of the room."""
    return float(f"{number:.5g}") if math.isfinite(number) else str(number)
