"""The importance of trigger words as Wino-X's published code tests it, token by token.

The tokens of two twins are aligned. Tokens of one twin only are triggers; tokens of both are shared, with punctuation
and the end token, without the last *it*. All values of all pairs go into one test: Welch's, or Student's if there are
as many triggers as shared tokens. The tokens of one item are not independent, so the p-value is too small.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import msgspec
import numpy as np

from referee.analysis.salience.record import Salience, Token
from referee.stats.effect_sizes import cohen_d
from referee.stats.intervals import Floats

Column = tuple[int | None, int | None]
"""Indices of two aligned tokens; None is a gap."""


class TokenTest(msgspec.Struct, frozen=True, kw_only=True):
    """Trigger tokens against shared tokens, over all pairs of twins; None where nothing varies."""

    pairs: int
    triggers: int
    others: int
    trigger_mean: float
    other_mean: float
    d: float | None
    t: float | None
    p: float | None


def token_test(saliences: Sequence[Salience]) -> TokenTest | None:
    """Test the pairs of twins that have tokens; None without trigger tokens or without shared ones."""
    groups: dict[str, list[Salience]] = {}
    for salience in saliences:
        if salience.tokens:
            groups.setdefault(salience.group or salience.item, []).append(salience)
    pairs = [sorted(twins, key=lambda one: one.item.endswith("-2")) for twins in groups.values() if len(twins) == 2]
    triggers: list[float] = []
    others: list[float] = []
    for one, other in pairs:
        of_pair = _values(one.tokens, other.tokens)
        triggers += of_pair[0]
        others += of_pair[1]
    if not triggers or not others:
        return None
    return _tested(len(pairs), np.array(triggers), np.array(others))


def aligned(one: Sequence[int], other: Sequence[int]) -> list[Column]:
    """Align two sequences so that as many elements as possible are equal.

    Of several best alignments it is the one that the published code takes: read from the end, elements of the second
    sequence alone come first, then pairs, then elements of the first alone, which none of the second alone precedes.
    """
    best = _equal_counts(one, other)
    dead: set[tuple[int, int, bool]] = set()
    path: list[tuple[int, int, bool]] = [(len(one), len(other), False)]
    while path[-1][:2] != (0, 0):
        state = next((state for state in _moves(one, other, best, path[-1]) if state not in dead), None)
        if state is not None:
            path.append(state)
        else:
            dead.add(path.pop())
    steps = zip(path[:0:-1], path[-2::-1], strict=True)
    return [
        (after[0] - 1 if after[0] > before[0] else None, after[1] - 1 if after[1] > before[1] else None)
        for before, after in steps
    ]


def _equal_counts(one: Sequence[int], other: Sequence[int]) -> list[list[int]]:
    """The greatest number of equal elements, for all pairs of beginnings."""
    best = [[0] * (len(other) + 1) for _ in range(len(one) + 1)]
    for row, element in enumerate(one, 1):
        for column, against in enumerate(other, 1):
            diagonal = best[row - 1][column - 1] + (element == against)
            best[row][column] = max(diagonal, best[row - 1][column], best[row][column - 1])
    return best


def _moves(
    one: Sequence[int], other: Sequence[int], best: list[list[int]], state: tuple[int, int, bool]
) -> Iterator[tuple[int, int, bool]]:
    row, column, after_first = state
    here = best[row][column]
    if column and not after_first and best[row][column - 1] == here:
        yield row, column - 1, False
    if row and column and best[row - 1][column - 1] + (one[row - 1] == other[column - 1]) == here:
        yield row - 1, column - 1, False
    if row and best[row - 1][column] == here:
        yield row - 1, column, True


def _values(one: Sequence[Token], other: Sequence[Token]) -> tuple[list[float], list[float]]:
    """The saliences of trigger tokens and of shared tokens of two twins."""
    pronoun = max((index for index, token in enumerate(one) if token.is_it), default=-1)
    triggers: list[float] = []
    shared: list[float] = []
    first = -1
    for ours, theirs in aligned([token.number for token in one], [token.number for token in other]):
        first = first if ours is None else ours
        # As published: what the second twin alone has right after the pronoun is passed over with it.
        if first == pronoun and pronoun >= 0:
            continue
        if ours is not None and theirs is not None and one[ours].number == other[theirs].number:
            shared += [one[ours].value, other[theirs].value]
        elif ours is not None:
            triggers.append(one[ours].value)
        elif theirs is not None:
            triggers.append(other[theirs].value)
    return triggers, shared


def _tested(pairs: int, triggers: Floats, others: Floats) -> TokenTest:
    from scipy.stats import ttest_ind_from_stats

    d = cohen_d(triggers, others)
    # One value has no variance: the published test is not a number there.
    test = (
        ttest_ind_from_stats(
            *(statistic for of in (triggers, others) for statistic in (of.mean(), of.std(ddof=1), len(of))),
            equal_var=len(triggers) == len(others),
        )
        if d is not None and min(len(triggers), len(others)) > 1
        else None
    )
    return TokenTest(
        pairs=pairs,
        triggers=len(triggers),
        others=len(others),
        trigger_mean=float(triggers.mean()),
        other_mean=float(others.mean()),
        d=d,
        t=None if test is None else float(test.statistic),
        p=None if test is None else float(test.pvalue),
    )
