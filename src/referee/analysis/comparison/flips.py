"""Items that one run has correct and another incorrect."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Literal

import msgspec

from referee.analysis.comparison.pairing import SharedSuite
from referee.io.files import atomic_write
from referee.io.text import recordable
from referee.items import Item
from referee.verdicts import Kind, Rule, Verdict

Direction = Literal["correct to incorrect", "incorrect to correct"]


class Said(msgspec.Struct, frozen=True, kw_only=True):
    """What one run said about an item; `margin` is how far the correct candidate is ahead of the best incorrect one."""

    choice: int | None
    tied: bool
    scores: tuple[float, ...]
    margin: float | None
    output: str | None


class Flip(msgspec.Struct, frozen=True, kw_only=True):
    """An item that one run has correct and the other incorrect.

    `change` is that of the margin, each run's margins taken in units of their mean size: scores of different models
    have different scales. None for translations.
    """

    suite: str
    kind: Kind
    rule: Rule | None
    item: str
    direction: Direction
    label: str | None
    context: tuple[str, ...]
    source: str
    candidates: tuple[str, ...]
    gold: int | None
    expected: tuple[str, ...]
    base: Said
    other: Said
    change: float | None


def write_flips(flipped: Sequence[tuple[tuple[str, str], Flip]], path: Path) -> None:
    """Write flips to a file, one JSON object per line, each with the folders of its two runs."""
    with atomic_write(path) as file:
        file.writelines(_line(runs, flip) for runs, flip in flipped)


def wrote_flips(path: Path) -> bool:
    """Whether `write_flips` wrote a file: every line has exactly that form."""
    try:
        return all(_is_ours(line) for line in path.read_bytes().splitlines(keepends=True))
    except (OSError, ValueError, LookupError, RecursionError):
        return False


def _line(runs: tuple[str, str], flip: Flip) -> bytes:
    names = [recordable(name) for name in runs]
    return msgspec.json.encode({"runs": names} | msgspec.to_builtins(flip)) + b"\n"


def _is_ours(line: bytes) -> bool:
    record = msgspec.json.decode(line, type=dict[str, Any])
    base, other = record.pop("runs")
    return _line((base, other), msgspec.convert(record, Flip)) == line


def flips(suite: SharedSuite, rule: Rule | None) -> Iterator[Flip]:
    """In the order of the items."""
    margins = [(_margin(pair.item, pair.base), _margin(pair.item, pair.other)) for pair in suite.with_gold]
    scales = [_mean_size([both[run] for both in margins]) for run in (0, 1)]
    for pair, both in zip(suite.with_gold, margins, strict=True):
        first, second = pair.right(rule)
        if first != second:
            yield Flip(
                suite=suite.suite,
                kind=suite.kind,
                rule=rule,
                item=pair.item.id,
                direction="correct to incorrect" if first else "incorrect to correct",
                label=pair.item.label,
                context=pair.item.source_context,
                source=pair.item.source,
                candidates=tuple(candidate.text for candidate in pair.item.candidates),
                gold=pair.item.gold,
                expected=pair.item.expected,
                base=_said(pair.base, both[0]),
                other=_said(pair.other, both[1]),
                change=None if both[0] is None or both[1] is None else both[1] / scales[1] - both[0] / scales[0],
            )


def _said(verdict: Verdict, margin: float | None) -> Said:
    return Said(choice=verdict.choice, tied=verdict.tied, scores=verdict.scores, margin=margin, output=verdict.output)


def _margin(item: Item, verdict: Verdict) -> float | None:
    """Below zero where an incorrect candidate is ahead; ranks say whether high or low scores are good."""
    if item.gold is None or not verdict.scores:
        return None
    rival = min((rank, index) for index, rank in enumerate(verdict.ranks) if index != item.gold)[1]
    distance = abs(verdict.scores[item.gold] - verdict.scores[rival])
    return distance if verdict.ranks[item.gold] < verdict.ranks[rival] else -distance


def _mean_size(margins: Sequence[float | None]) -> float:
    sizes = [abs(margin) for margin in margins if margin is not None]
    return (sum(sizes) / len(sizes) if sizes else 0.0) or 1.0
