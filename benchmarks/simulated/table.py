"""The results as Markdown: the worst false alarm and coverage of each word, and power next to the note's figures."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import msgspec

from simulated.study import Role

MOST_FALSE_ALARMS, LEAST_COVERAGE = 0.06, 0.93
LEAST_GROUPS = 10
"""The number of groups from which on intervals must cover."""
_Z = 1.96


class Result(msgspec.Struct, frozen=True, kw_only=True):
    """How often one event came up in one cell; `repeated` where the cell was near a limit and was drawn again."""

    study: str
    event: str
    role: Role
    name: str
    note: float | None
    groups: int
    settings: dict[str, Any]
    sets: int
    count: int
    repeated: bool = False

    @property
    def rate(self) -> float:
        """The share of sets with the event."""
        return self.count / self.sets

    @property
    def error(self) -> float:
        """The Monte-Carlo error: half the width of Agresti and Coull's 95% interval."""
        sets = self.sets + 4
        share = (self.count + 2) / sets
        return _Z * float((share * (1 - share) / sets) ** 0.5)

    @property
    def over(self) -> bool:
        """Whether it is outside of its limit, Monte-Carlo error or not."""
        if self.role == "false alarm":
            return self.rate > MOST_FALSE_ALARMS
        return self.role == "coverage" and self.groups >= LEAST_GROUPS and self.rate < LEAST_COVERAGE

    @property
    def surely_over(self) -> bool:
        """Whether it is outside of its limit by more than the Monte-Carlo error (99.9%, one-sided)."""
        from scipy.stats import binom

        if self.role == "false alarm":
            return bool(binom.sf(self.count - 1, self.sets, MOST_FALSE_ALARMS) < 0.001)
        return self.over and bool(binom.cdf(self.count, self.sets, LEAST_COVERAGE) < 0.001)


def markdown(results: Sequence[Result]) -> str:
    """All tables."""
    columns = sorted({result.groups for result in results})
    parts = [
        _worst("False alarms (%), the worst cell", results, "false alarm", columns),
        _worst("Coverage (%), the lowest cell", results, "coverage", columns),
        _power(results, columns),
        _outside(results),
    ]
    return "\n".join(parts)


def _worst(title: str, results: Sequence[Result], role: Role, columns: Sequence[int]) -> str:
    chosen = [result for result in results if result.role == role]
    rows = []
    for study, event in dict.fromkeys((result.study, result.event) for result in chosen):
        of_word = [result for result in chosen if (result.study, result.event) == (study, event)]
        cells = [_extreme([result for result in of_word if result.groups == groups], role) for groups in columns]
        rows.append([study, event, *cells, str(len(of_word))])
    return _table(title, ["verdict", "word", *(f"{groups} groups" for groups in columns), "cells"], rows)


def _extreme(results: Sequence[Result], role: Role) -> str:
    if not results:
        return ""
    pick = max if role == "false alarm" else min
    worst = pick(results, key=lambda result: result.rate)
    return f"{100 * worst.rate:.1f} ± {100 * worst.error:.1f}"


def _power(results: Sequence[Result], columns: Sequence[int]) -> str:
    chosen = [result for result in results if result.role == "power"]
    rows = []
    for study, name, event in dict.fromkeys((result.study, result.name, result.event) for result in chosen):
        by_groups = {
            result.groups: result
            for result in chosen
            if (result.study, result.name, result.event) == (study, name, event)
        }
        rows.append([study, event, name, *(_with_note(by_groups.get(groups)) for groups in columns)])
    heads = ["verdict", "word", "model", *(f"{groups} groups" for groups in columns)]
    return _table("Power (%), in brackets the figure of the note", heads, rows)


def _with_note(result: Result | None) -> str:
    if result is None:
        return ""
    return f"{100 * result.rate:.0f}" + ("" if result.note is None else f" ({result.note:.0f})")


def _outside(results: Iterable[Result]) -> str:
    rows = [
        [
            result.study,
            result.event,
            result.role,
            ", ".join(f"{name} {value}" for name, value in result.settings.items()),
            f"{100 * result.rate:.1f} ± {100 * result.error:.1f}",
            str(result.sets),
            "yes" if result.surely_over else "no",
        ]
        for result in sorted(results, key=lambda result: -abs(result.rate - 0.05))
        if result.over
    ]
    title = f"Cells over {MOST_FALSE_ALARMS:.0%} false alarms or under {LEAST_COVERAGE:.0%} coverage: {len(rows)}"
    heads = ["verdict", "word", "role", "model", "rate", "sets", "beyond Monte-Carlo error"]
    return _table(title, heads, rows[:60])


def _table(title: str, heads: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    lines = [f"## {title}", "", f"| {' | '.join(heads)} |", "|" + "---|" * len(heads)]
    lines += [f"| {' | '.join(row)} |" for row in rows]
    return "\n".join([*lines, ""])
